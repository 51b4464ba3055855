/* Finds which parameters of compiled kernels are the buffers and arguments of the pair. */
#include "base/exit_codes.h"
#include "base/whole_file.h"
#include "pair/layout.h"
#include "pair/numbers.h"
#include "pair/pair.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

static bool is_cuda(const xb_pair_side *side)
{
  return side->source.for_cpu || !strcmp(side->format, "fatbin");
}

typedef struct linking {
  xb_pair *pair;
  xb_pair_side *side;
  const xb_pair_kernel *k;
  xb_pair_code *code;
  xb_error *err;
} linking;

static bool counts(const xb_code_parameter *p, bool buffer)
{
  return p->is_buffer == buffer && !p->is_struct && !p->is_default;
}

/* `in_` is `in` where that is a word of the language. */
static bool same_name(const char *a, const char *b)
{
  size_t length = strlen(b);
  while (length > 1 && b[length - 1] == '_')
    length--;
  return !strncmp(a, b, length) && strspn(a + length, "_") == strlen(a + length);
}

static const xb_code_parameter *find(const linking *l, bool buffer, const char *name)
{
  const xb_reflection *r = &l->code->reflection;
  const xb_code_parameter *near = NULL;
  for (size_t i = 0; i < r->count; i++) {
    const xb_code_parameter *p = &r->parameters[i];
    if (!counts(p, buffer) || !p->name)
      continue;
    if (!strcmp(p->name, name))
      return p;
    near = same_name(p->name, name) ? p : near;
  }
  return near;
}

/* The i-th buffer or value. */
static const xb_code_parameter *at(const linking *l, bool buffer, uint32_t i)
{
  const xb_reflection *r = &l->code->reflection;
  for (size_t k = 0; k < r->count; k++)
    if (counts(&r->parameters[k], buffer) && !i--)
      return &r->parameters[k];
  return NULL;
}

static uint32_t count(const linking *l, bool buffers)
{
  uint32_t i = 0;
  while (at(l, buffers, i))
    i++;
  return i;
}

static const char *name_of(const linking *l, bool buffer, uint32_t i)
{
  return buffer ? l->pair->buffers[l->k->buffers[i]].name : l->k->arguments[i].name;
}

/* Adds the name, unless the code uses a buffer of this name. */
static void add_unused(const linking *l, const char *name, char list[200])
{
  const size_t length = strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_"),
               at = strlen(list);
  const xb_reflection *r = &l->code->reflection;
  bool used = !length;
  for (size_t i = 0; i < r->count; i++)
    used |= r->parameters[i].name && strlen(r->parameters[i].name) == length &&
            !strncmp(r->parameters[i].name, name, length);
  if (!used)
    snprintf(list + at, 200 - at, "%s%.*s", at ? ", " : "", (int)length, name);
}

/* The buffers that a shader's source declares and its code has not: compilers leave them out where nothing uses them.
 */
static void list_unused(const linking *l, char list[200])
{
  char *text;
  size_t bytes;
  *list = 0;
  if (is_cuda(l->side) || !xb_pair_is_source(l->side->source.path) ||
      xb_read_whole_file(l->side->source.path, &l->pair->arena, &text, &bytes, NULL))
    return;
  for (const char *p = text; (p = strstr(p, "Buffer"));) { /* HLSL */
    const bool constants = p - text >= 8 && !strncmp(p - 8, "Constant", 8);
    p += strlen("Buffer");
    const size_t line = strcspn(p, ";:\n");
    for (size_t i = 0; *p == '<' && i < line; i++)
      if (p[i] == '>' && !memchr(p + i + 1, '>', line - i - 1))
        p += i + 1;
    if (!constants && *p == ' ')
      add_unused(l, p + strspn(p, " "), list);
  }
  for (const char *p = text; (p = strstr(p, "[];")); p++) { /* GLSL */
    const char *name = p;
    while (name > text && (isalnum((unsigned char)name[-1]) || name[-1] == '_'))
      name--;
    add_unused(l, name, list);
  }
}

/* By name if the code has names for all that it uses, else in order. */
static xb_code match(const linking *l, bool buffers, uint32_t wanted, const xb_code_parameter **found)
{
  const uint32_t there = count(l, buffers);
  uint32_t named = 0;
  for (uint32_t i = 0; i < wanted; i++)
    named += (found[i] = find(l, buffers, name_of(l, buffers, i))) != NULL;
  if (named == there)
    return XB_OK;
  char list[200] = "";
  for (uint32_t i = 0; i < there; i++) {
    const char *name = at(l, buffers, i)->name;
    if (strlen(list) + (name ? strlen(name) : 1) + 3 < sizeof list)
      strcat(strcat(list, i ? ", " : ""), name ? name : "?");
  }
  if (there != wanted) {
    char unused[200] = "";
    if (buffers)
      list_unused(l, unused);
    return xb_fail(l->err, XB_INVALID, l->side->source.path,
                   "the kernel%s%s has %u %s%s (%s), the pair gives it %u%s%s%s", l->k->entry ? " " : "",
                   l->k->entry ? l->k->entry : "", there, buffers ? "buffer" : "argument", there == 1 ? "" : "s", list,
                   wanted, *unused ? "; declared but not used: " : "", unused,
                   *unused ? ": leave that out, or name the buffers as the source does" : "");
  }
  for (uint32_t i = 0; i < wanted; i++)
    found[i] = at(l, buffers, i);
  return XB_OK;
}

/* Floats of the code that have another size than those of the pair: each element would be read at a wrong place.
 * Integers may be words that hold smaller elements. */
static xb_code check_floats(const linking *l)
{
  for (uint32_t b = 0; b < l->k->buffer_count; b++) {
    const xb_code_parameter *p = l->code->buffers[b];
    const xb_pair_buffer *buffer = &l->side->buffers[l->k->buffers[b]];
    const xb_dtype code = p ? p->element.members[0].dtype : XB_FLOAT32, pair = buffer->element.members[0].dtype;
    if (!p || p->element.member_count != 1 || buffer->element.member_count != 1 || !xb_is_float(code) ||
        !xb_is_float(pair) || code == pair)
      continue;
    const char *compiler = l->code->binary.compiler ? l->code->binary.compiler : "";
    const bool half = !strcmp(compiler, "glslc") && pair == XB_FLOAT16;
    return xb_fail(l->err, XB_INVALID, l->side->source.path, "%s has elements of %s in the code, of %s in the pair%s",
                   buffer->name, xb_dtype_name(code), xb_dtype_name(pair),
                   half ? ": glslc takes half for float; dxc does not: script/fetch-dxc, then put build/tools/dxc into "
                          "the PATH"
                        : ": give the right Format, to this side if the sides differ");
  }
  return XB_OK;
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

/* An image of the code needs a size, and a format that the code does not contradict. */
static xb_code check_images(const linking *l)
{
  for (uint32_t b = 0; b < l->k->buffer_count; b++) {
    const xb_code_parameter *p = l->code->buffers[b];
    const xb_pair_buffer *buffer = &l->side->buffers[l->k->buffers[b]];
    char code[16], pair[16];
    if (!p || !p->image)
      continue;
    if (!buffer->image.width)
      return xb_fail(l->err, XB_INVALID, l->side->source.path,
                     "%s is an image in the code: give the buffer an Image, as in \"Image\": {\"Width\": "
                     "\"columns\", \"Height\": \"rows\"}",
                     buffer->name);
    if (!p->element.member_count || !xb_elements_differ(&p->element, &buffer->element))
      continue;
    name_format(&p->element.members[0], code);
    name_format(&buffer->element.members[0], pair);
    return xb_fail(l->err, XB_INVALID, l->side->source.path,
                   "%s has texels of format %s in the code, of %s in the pair: give the right Format, to this side if "
                   "the sides differ, or write "
                   "[[vk::image_format(\"%s\")]] in HLSL, layout(%s) in GLSL",
                   buffer->name, code, pair, pair, pair);
  }
  return XB_OK;
}

/* The same numbers at another distance: on Vulkan, three floats of a StructuredBuffer have the place of four. */
static xb_code check_strides(const linking *l)
{
  for (uint32_t b = 0; b < l->k->buffer_count; b++) {
    const xb_code_parameter *p = l->code->buffers[b];
    const xb_pair_buffer *buffer = &l->side->buffers[l->k->buffers[b]];
    const xb_member *m = &buffer->element.members[0];
    if (!p || p->element.member_count != 1 || buffer->element.member_count != 1 ||
        p->element.members[0].dtype != m->dtype || p->element.members[0].count != m->count || !p->element.bytes ||
        p->element.bytes == buffer->element.bytes)
      continue;
    return xb_fail(l->err, XB_INVALID, l->side->source.path,
                   "%s has %u bytes from one element to the next in the code, %u in the pair: give this side a Stride, "
                   "as in \"Buffers\": [{\"Name\": \"%s\", \"Stride\": %u}]",
                   buffer->name, p->element.bytes, buffer->element.bytes, buffer->name, p->element.bytes);
  }
  return XB_OK;
}

/* Memory that the host gives the kernel: without its size the kernel would write outside of it, without contents it
 * reads zeros. */
static xb_code check_memory(const linking *l)
{
  const xb_reflection *r = &l->code->reflection;
  if (r->dynamic_shared && !l->k->shared_bytes)
    return xb_fail(l->err, XB_INVALID, l->side->source.path,
                   "the kernel has extern __shared__ memory, and nothing says how many bytes: give DynamicSharedBytes "
                   "in a manifest, as xbench pair --init writes it");
  for (size_t i = 0; i < r->constant_count; i++) {
    bool given = false;
    for (uint32_t m = 0; m < l->k->memory_count; m++)
      given |= !strcmp(l->k->memories[m].symbol, r->constants[i].name);
    if (!given)
      xb_report_error(0,
                      "%s: nothing gives the __constant__ variable %s a value, so it is 0: give ConstantMemory in a "
                      "manifest",
                      l->side->source.path, r->constants[i].name);
  }
  return XB_OK;
}

/* Gives the kernel's parameters the names that the manifest lists: the code tells at most their sizes. */
static xb_code name_parameters(const linking *l)
{
  xb_reflection *r = &l->code->reflection;
  const bool binary = !r->value_bytes && is_cuda(l->side);
  if (!is_cuda(l->side) || !l->k->parameter_count)
    return XB_OK;
  if (!binary && l->k->parameter_count != r->count)
    return xb_fail(l->err, XB_INVALID, l->side->source.path, "the kernel has %zu parameters, Parameters lists %u",
                   r->count, l->k->parameter_count);
  r->count = l->k->parameter_count;
  for (size_t i = 0; i < r->count; i++) {
    xb_code_parameter *p = &r->parameters[i];
    p->name = l->k->parameters[i];
    p->is_buffer = false;
    for (uint32_t b = 0; b < l->k->buffer_count; b++)
      p->is_buffer |= !strcmp(name_of(l, true, b), p->name);
    if (binary && !p->is_buffer)
      p->element = (xb_element){.members = {{.dtype = XB_INT32, .count = 1}}, .member_count = 1, .bytes = 4};
  }
  return XB_OK;
}

/* A pointer of CUDA looks like a 64-bit integer: without names, as many of these as there are buffers are pointers. */
static void guess_pointers(const linking *l)
{
  xb_reflection *r = &l->code->reflection;
  uint32_t wide = 0;
  for (size_t i = 0; i < r->count; i++)
    wide += !r->parameters[i].name && r->parameters[i].element.bytes == 8;
  for (size_t i = 0; i < r->count && wide == l->k->buffer_count && is_cuda(l->side); i++)
    r->parameters[i].is_buffer |= !r->parameters[i].name && r->parameters[i].element.bytes == 8;
}

static xb_code_parameter *add_member(xb_reflection *r, size_t structure, const char *name, const xb_member *member)
{
  if (r->count == XB_MAX_ARG_BYTES)
    return NULL;
  xb_code_parameter *p = &r->parameters[r->count++];
  *p = (xb_code_parameter){.name = name, .offset = member->offset, .in_struct = (uint32_t)structure + 1};
  p->element = (xb_element){.members = {*member}, .member_count = 1};
  p->element.members[0].name = NULL;
  p->element.members[0].offset = 0;
  p->element.bytes = member->count * xb_dtype_bytes(member->dtype);
  return p;
}

/* A struct by value of CUDA gets, if its members are known, the arguments of their names; else those that no parameter
 * has the name of, in order, as 32-bit numbers: floats where the argument is not a formula. */
static void expand_structs(const linking *l)
{
  xb_reflection *r = &l->code->reflection;
  const size_t count = r->count;
  for (size_t i = 0; i < count && is_cuda(l->side); i++) {
    xb_element *e = &r->parameters[i].element;
    if (r->parameters[i].is_buffer || r->parameters[i].is_default || (e->member_count == 1 && !e->members[0].name) ||
        e->bytes % 4)
      continue;
    r->parameters[i].is_struct = true;
    for (uint32_t m = 0; m < e->member_count; m++)
      add_member(r, i, e->members[m].name, &e->members[m]);
    for (uint32_t a = 0, offset = 0; a < l->k->argument_count && offset < e->bytes && !e->member_count; a++) {
      const xb_pair_argument *argument = &l->k->arguments[a];
      const xb_member number = {.dtype = argument->values && argument->values[0].formula ? XB_UINT32 : XB_FLOAT32,
                                .count = 1,
                                .offset = offset};
      if (!find(l, false, argument->name) && add_member(r, i, argument->name, &number))
        offset += 4;
    }
  }
}

/* A parameter with a default argument that the pair does not name. */
static void leave_defaults(const linking *l)
{
  for (size_t i = 0; i < l->code->reflection.count; i++) {
    xb_code_parameter *p = &l->code->reflection.parameters[i];
    p->is_default = p->optional && p->name;
    for (uint32_t b = 0; b < l->k->buffer_count && p->is_default; b++)
      p->is_default = strcmp(name_of(l, true, b), p->name) != 0;
    for (uint32_t a = 0; a < l->k->argument_count && p->is_default; a++)
      p->is_default = strcmp(name_of(l, false, a), p->name) != 0;
  }
}

/* An argument that has the name of a pointer is its address, null, unless a buffer has the name. */
static xb_code take_nulls(const linking *l)
{
  for (size_t i = 0; i < l->code->reflection.count && is_cuda(l->side); i++) {
    xb_code_parameter *p = &l->code->reflection.parameters[i];
    for (uint32_t a = 0; a < l->k->argument_count && p->is_buffer && p->name; a++) {
      const xb_pair_argument *argument = &l->k->arguments[a];
      bool buffer = strcmp(argument->name, p->name) != 0;
      for (uint32_t b = 0; b < l->k->buffer_count; b++)
        buffer |= !strcmp(name_of(l, true, b), p->name);
      if (buffer)
        continue;
      if (argument->count != 1 || argument->values[0].formula || argument->values[0].number != 0)
        return xb_fail(l->err, XB_INVALID, l->side->source.path, "%s is a pointer: expected 0, or a buffer", p->name);
      p->is_buffer = false;
      p->element = (xb_element){.members = {{.dtype = XB_UINT64, .count = 1}}, .member_count = 1, .bytes = 8};
    }
  }
  return XB_OK;
}

/* `name` may be NULL. */
static xb_code unsupported(const linking *l, const char *what, const char *name)
{
  return xb_fail(l->err, XB_UNSUPPORTED, l->side->source.path, "%s%s%s", what, name ? ": " : "", name ? name : "");
}

/* SPIR-V, DXIL: values have offsets, in the push constants or register b0, or in a uniform buffer. */
static xb_code place_in_blocks(const linking *l)
{
  xb_pair_code *c = l->code;
  xb_location *uniform = &c->locations[l->k->buffer_count];
  for (uint32_t i = 0; i < l->k->argument_count; i++) {
    const xb_code_parameter *p = c->arguments[i];
    if (!p)
      continue;
    if (p->offset > sizeof c->uniform)
      return unsupported(l, "the arguments are too many bytes", p->name);
    uint32_t *bytes = p->is_uniform ? &c->uniform_bytes : &c->arg_bytes;
    const uint32_t end = p->offset + p->element.bytes;
    if (p->is_uniform && c->uniform_bytes && (uniform->set != p->set || uniform->binding != p->binding))
      return unsupported(l, "arguments are in more than one uniform buffer", p->name);
    if (p->is_uniform)
      *uniform = (xb_location){p->set, p->binding};
    c->value_offsets[i] = p->offset;
    *bytes = end > *bytes ? end : *bytes;
  }
  c->arg_bytes = (c->arg_bytes + 3) / 4 * 4;
  c->uniform_bytes = (c->uniform_bytes + 15) / 16 * 16;
  return c->uniform_bytes > sizeof c->uniform ? unsupported(l, "the uniform buffer is too large", NULL) : XB_OK;
}

/* SPIR-V, DXIL: where the buffers and samplers are. Buffers that the code does not use are somewhere else. */
static void locate(const linking *l)
{
  xb_pair_code *c = l->code;
  const uint32_t samplers = l->k->buffer_count + (c->uniform_bytes != 0);
  const uint32_t count = samplers + c->reflection.sampler_count;
  uint32_t unused = 0;
  memcpy(&c->locations[samplers], c->reflection.samplers, c->reflection.sampler_count * sizeof *c->locations);
  for (uint32_t i = 0; i < l->k->buffer_count; i++) {
    const xb_code_parameter *p = c->buffers[i];
    bool taken = !p;
    if (p)
      c->locations[i] = (xb_location){p->set, p->binding};
    while (taken) {
      c->locations[i] = (xb_location){XB_MAX_SETS - 1, unused++};
      taken = false;
      for (uint32_t k = 0; k < count; k++)
        taken |= (k < l->k->buffer_count ? c->buffers[k] && c->buffers[k]->set == c->locations[i].set &&
                                               c->buffers[k]->binding == c->locations[i].binding
                                         : !memcmp(&c->locations[k], &c->locations[i], sizeof c->locations[i]));
    }
  }
}

/* CUDA: all parameters that keep their default, zero, get the same bytes. */
static void place_defaults(xb_pair_code *c)
{
  const uint32_t zeros = (c->arg_bytes + 3) / 4 * 4;
  c->arg_bytes = zeros;
  for (uint32_t i = 0; i < c->parameter_count; i++) {
    const xb_code_parameter *p = &c->reflection.parameters[i];
    if (!p->is_default)
      continue;
    const uint32_t bytes = p->is_buffer ? 8 : p->element.bytes;
    c->parameters[i] = (xb_parameter){.offset = zeros, .bytes = bytes};
    c->arg_bytes = zeros + bytes > c->arg_bytes ? zeros + bytes : c->arg_bytes;
  }
  c->arg_bytes = (c->arg_bytes + 3) / 4 * 4;
}

/* CUDA: values lie one behind the other, each at a multiple of its size; those of a struct where the struct is. */
static xb_code place_parameters(const linking *l)
{
  xb_pair_code *c = l->code;
  const xb_reflection *r = &c->reflection;
  for (size_t i = 0; i < r->count && !r->parameters[i].in_struct; i++) {
    const xb_code_parameter *p = &r->parameters[i];
    if (c->parameter_count == XB_MAX_PARAMETERS || (!p->is_buffer && !p->element.bytes))
      return unsupported(l, "the kernel has too many parameters, or one without a size", NULL);
    xb_parameter *to = &c->parameters[c->parameter_count++];
    const uint32_t bytes = p->element.bytes, step = p->is_struct ? 8 : bytes;
    const uint32_t offset = p->is_buffer || p->is_default ? 0 : (c->arg_bytes + step - 1) / step * step;
    for (uint32_t b = 0; b < l->k->buffer_count && p->is_buffer; b++)
      if (c->buffers[b] == p)
        *to = (xb_parameter){.binding = b};
    for (uint32_t a = 0; a < l->k->argument_count; a++)
      if (c->arguments[a] && (c->arguments[a] == p || c->arguments[a]->in_struct == i + 1))
        c->value_offsets[a] = offset + (c->arguments[a] == p ? 0 : c->arguments[a]->offset);
    if (p->is_buffer || p->is_default)
      continue;
    *to = (xb_parameter){.offset = offset, .bytes = bytes};
    c->arg_bytes = offset + bytes;
  }
  place_defaults(c);
  return XB_OK;
}

static xb_code place(const linking *l)
{
  xb_pair_code *c = l->code;
  xb_code failed = XB_OK;
  for (uint32_t i = 0; i < l->k->argument_count; i++) {
    const xb_code_parameter *p = c->arguments[i];
    if (p && p->element.member_count != 1)
      return unsupported(l, "an argument is neither numbers of one type nor a buffer", l->k->arguments[i].name);
    if (p && p->element.members[0].count != l->k->arguments[i].count)
      return xb_fail(l->err, XB_INVALID, l->side->source.path, "argument %s has %u numbers, the pair gives it %u",
                     l->k->arguments[i].name, p->element.members[0].count, l->k->arguments[i].count);
  }
  if (!is_cuda(l->side)) {
    failed = place_in_blocks(l);
    locate(l);
  } else {
    failed = place_parameters(l);
  }
  if (!failed && c->arg_bytes > XB_MAX_ARG_BYTES)
    failed = unsupported(l, "the kernel has too many bytes of arguments", NULL);
  return failed;
}

static xb_code agree_on_group(const linking *l, xb_pair_kernel *k)
{
  const uint32_t *own = l->code->reflection.group;
  if (!own[0] && !k->group[0])
    return xb_fail(l->err, XB_INVALID, l->side->source.path,
                   "nothing says how many threads a group has: give --group, or GroupSize");
  if (!own[0])
    return XB_OK;
  if (!k->group[0])
    memcpy(k->group, own, sizeof k->group);
  if (!memcmp(k->group, own, sizeof k->group))
    return XB_OK;
  return xb_fail(l->err, XB_INVALID, l->side->source.path,
                 "the code has groups of %u x %u x %u threads, the pair has %u x %u x %u", own[0], own[1], own[2],
                 k->group[0], k->group[1], k->group[2]);
}

xb_code xb_pair_link(xb_pair *pair, xb_pair_side *side, xb_error *err)
{
  xb_code failed = XB_OK;
  for (uint32_t i = 0; i < side->kernel_count && !failed; i++) {
    xb_pair_kernel *k = &side->kernels[i];
    const linking l = {pair, side, k, &side->codes[i], err};
    failed = name_parameters(&l);
    guess_pointers(&l);
    failed = failed ? failed : take_nulls(&l);
    leave_defaults(&l);
    expand_structs(&l);
    failed = failed ? failed : match(&l, true, k->buffer_count, l.code->buffers);
    failed = failed ? failed : check_images(&l);
    failed = failed ? failed : check_floats(&l);
    failed = failed ? failed : check_strides(&l);
    failed = failed ? failed : match(&l, false, k->argument_count, l.code->arguments);
    failed = failed ? failed : check_memory(&l);
    failed = failed ? failed : place(&l);
    failed = failed ? failed : agree_on_group(&l, k);
  }
  return failed;
}
