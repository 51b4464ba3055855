/* Does what the code says of buffers, memory and groups agree with the pair? */
#include "base/exit_codes.h"
#include "pair/link.h"
#include "pair/numbers.h"

#include <stdio.h>
#include <string.h>

/* Floats of the code that have another size than those of the pair: each element would be read at a wrong place.
 * Integers may be words that hold smaller elements. */
static xb_code check_floats(const xb_linking *l, const xb_code_parameter *p, const xb_pair_buffer *buffer)
{
  const xb_dtype code = p->element.members[0].dtype, pair = buffer->element.members[0].dtype;
  if (p->element.member_count != 1 || buffer->element.member_count != 1 || !xb_is_float(code) || !xb_is_float(pair) ||
      code == pair)
    return XB_OK;
  const char *compiler = l->code->binary.compiler ? l->code->binary.compiler : "";
  const bool half = !strcmp(compiler, "glslc") && pair == XB_FLOAT16;
  return xb_link_refuse(l, "%s has elements of %s in the code, of %s in the pair%s", buffer->name, xb_dtype_name(code),
                        xb_dtype_name(pair),
                        half ? ": glslc takes half for float; dxc does not: script/fetch dxc, then put build/tools/dxc "
                               "into the PATH"
                             : ": give the right Format, to this side if the sides differ");
}

/* "rgba8": what GLSL and [[vk::image_format]] call a format. */
static void name_format(const xb_member *m, char name[16])
{
  snprintf(name, 16, "%s%u%s",
           m->count == 4   ? "rgba"
           : m->count == 2 ? "rg"
                           : "r",
           8 * xb_dtype_bytes(m->dtype),
           m->fractions            ? ""
           : xb_is_float(m->dtype) ? "f"
           : m->dtype == XB_INT32  ? "i"
                                   : "ui");
}

/* Signed or unsigned: the view is as the code has it. */
static bool fits_texels(const xb_member *code, const xb_pair_buffer *buffer)
{
  const xb_member *m = &buffer->element.members[0];
  return xb_pair_texel(buffer) && xb_is_float(code->dtype) == (xb_is_float(m->dtype) || m->fractions);
}

/* An image of the code needs a size. It and a typed buffer need a format that there is, and that the code does not
 * contradict. */
static xb_code check_texels(const xb_linking *l, const xb_code_parameter *p, const xb_pair_buffer *buffer)
{
  const xb_member *m = &p->element.members[0];
  char code[16], pair[16];
  if (!p->image && !p->texels)
    return XB_OK;
  if (p->image && !buffer->image.width)
    return xb_link_refuse(l,
                          "%s is an image in the code: give the buffer an Image, as in \"Image\": {\"Width\": "
                          "\"columns\", \"Height\": \"rows\"}",
                          buffer->name);
  if (p->texels && !fits_texels(m, buffer))
    return xb_link_refuse(l,
                          "%s is a typed buffer of %s in the code: its Format needs 1, 2 or 4 numbers of float32, "
                          "float16, int32, uint32 or uint8, and floats only where the code has floats",
                          buffer->name, xb_is_float(m->dtype) ? "floats" : "integers");
  const bool same_sizes = p->element.bytes == buffer->element.bytes && m->count == buffer->element.members[0].count;
  if ((p->texels && same_sizes) || !p->element.member_count || !xb_elements_differ(&p->element, &buffer->element))
    return XB_OK;
  name_format(m, code);
  name_format(&buffer->element.members[0], pair);
  return xb_link_refuse(
      l,
      "%s has texels of format %s in the code, of %s in the pair: give this side its own, as in \"Buffers\": "
      "[{\"Name\": \"%s\", \"Format\": \"%sx%u\"}], or write [[vk::image_format(\"%s\")]] in HLSL, layout(%s) in GLSL",
      buffer->name, code, pair, buffer->name, xb_dtype_name(m->dtype), m->count, pair, pair);
}

/* "44 bytes, position at 0, normal at 12" */
static const char *describe_places(const xb_element *e, char text[160])
{
  size_t at = (size_t)snprintf(text, 160, "%u bytes", e->bytes);
  for (const xb_member *m = e->members; m < e->members + e->member_count && m->name && at < 160; m++)
    at += (size_t)snprintf(text + at, 160 - at, ", %s at %u", m->name, m->offset);
  return text;
}

/* The same numbers at other places: on Vulkan, three floats of a StructuredBuffer have the place of four. Of CUDA the
 * source tells the places, not the code: only distances are taken from it. */
static xb_code check_layout(const xb_linking *l, const xb_code_parameter *p, const xb_pair_buffer *buffer)
{
  const bool plain = p->element.member_count == 1 && buffer->element.member_count == 1;
  char code[160], pair[160];
  if (p->image || p->texels || !p->element.bytes || (!plain && xb_link_is_cuda(l->side)) ||
      !xb_is_other_layout(&p->element, &buffer->element))
    return XB_OK;
  if (plain)
    return xb_link_refuse(l,
                          "%s has %u bytes from one element to the next in the code, %u in the pair: give this side a "
                          "Stride, as in \"Buffers\": [{\"Name\": \"%s\", \"Stride\": %u}]",
                          buffer->name, p->element.bytes, buffer->element.bytes, buffer->name, p->element.bytes);
  return xb_link_refuse(l,
                        "%s has elements of %s in the code, of %s in the pair: give this side a Format with these "
                        "Offsets and a Stride of %u, as 'xbench pair --init' writes them",
                        buffer->name, describe_places(&p->element, code), describe_places(&buffer->element, pair),
                        p->element.bytes);
}

xb_code xb_link_check_buffers(const xb_linking *l)
{
  static xb_code (*const checks[])(const xb_linking *, const xb_code_parameter *,
                                   const xb_pair_buffer *) = {check_texels, check_floats, check_layout};
  xb_code code = XB_OK;
  for (size_t i = 0; i < sizeof checks / sizeof *checks; i++)
    for (uint32_t b = 0; b < l->k->buffer_count && !code; b++) /* of several views, one is as in the pair */
      for (const xb_code_parameter *p = l->code->buffers[b]; p; p = code ? p->view : NULL)
        code = checks[i](l, p, &l->side->buffers[l->k->buffers[b]]);
  return code;
}

/* Memory that the host gives the kernel: without its size the kernel would write outside of it, without contents it
 * reads zeros. */
xb_code xb_link_check_memory(const xb_linking *l)
{
  const xb_reflection *r = &l->code->reflection;
  if (r->dynamic_shared && !l->k->shared_bytes)
    return xb_link_refuse(l, "the kernel has extern __shared__ memory of unknown size: give DynamicSharedBytes "
                             "in a manifest, as xbench pair --init writes it");
  for (size_t i = 0; i < r->constant_count; i++) {
    bool given = false;
    for (uint32_t m = 0; m < l->k->memory_count; m++)
      given |= !strcmp(l->k->memories[m].symbol, r->constants[i].name);
    if (!given)
      xb_report_error(0,
                      "%s: nothing gives the __constant__ variable %s a value, so it is 0: give ConstantMemory in a "
                      "manifest",
                      l->k->path, r->constants[i].name);
  }
  return XB_OK;
}

xb_code xb_link_agree_on_group(const xb_linking *l, xb_pair_kernel *k)
{
  const uint32_t *own = l->code->reflection.group;
  if (!own[0] && !k->group[0])
    return xb_link_refuse(l, "the group size is unknown: give --group, or GroupSize");
  if (!own[0])
    return XB_OK;
  if (!k->group[0])
    memcpy(k->group, own, sizeof k->group);
  if (!memcmp(k->group, own, sizeof k->group))
    return XB_OK;
  return xb_link_refuse(
      l,
      "the code has groups of %u x %u x %u threads, the pair has %u x %u x %u: if the sides differ, write "
      "GroupSize to the side in CUDA, not to Shaders",
      own[0], own[1], own[2], k->group[0], k->group[1], k->group[2]);
}
