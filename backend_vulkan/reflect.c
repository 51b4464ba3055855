/* Compares what the code declares with the description. Only resources that the entry point uses count, because a
 * module may have several entry points and compilers may keep or remove unused declarations. */
#include "vk.h"

#include "core/location.h"

#include <spirv_cross/spirv_cross_c.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct reading {
  const xb_kernel_desc *desc;
  const vk_spirv *spirv;
  const char *label;
  xb_code code;
  uint32_t *words; /* as SPIRV-Cross reads them */
  spvc_context context;
  spvc_compiler compiler;
  spvc_resources resources;
  vk_reflection *found;
  bool shares; /* storage buffers are read: those at one binding are views of one buffer */
  xb_error *err;
} reading;

/* Converts SPIRV-Cross's result. The module is valid, so it ran out of memory or does not know a feature. */
static xb_code passed(const reading *r, const char *call, spvc_result result)
{
  if (!result)
    return XB_OK;
  return xb_fail(r->err, result == SPVC_ERROR_OUT_OF_MEMORY ? XB_NOMEM : XB_INVALID, r->label,
                 "%s cannot read this SPIR-V (%d)", call, (int)result);
}

static xb_code check_entry(const reading *r)
{
  const spvc_entry_point *entries;
  size_t count;
  const xb_code code =
      passed(r, "spvc_compiler_get_entry_points", spvc_compiler_get_entry_points(r->compiler, &entries, &count));
  if (code)
    return code;
  char names[200] = "";
  size_t at = 0;
  for (size_t i = 0; i < count; i++) {
    if (entries[i].execution_model == SpvExecutionModelGLCompute && !strcmp(entries[i].name, r->desc->entry))
      return passed(r, "spvc_compiler_set_entry_point",
                    spvc_compiler_set_entry_point(r->compiler, r->desc->entry, SpvExecutionModelGLCompute));
    if (at < sizeof names)
      at += (size_t)snprintf(names + at, sizeof names - at, "%s'%s'%s", i ? ", " : "", entries[i].name,
                             entries[i].execution_model == SpvExecutionModelGLCompute ? "" : " (not compute)");
  }
  return xb_fail(r->err, XB_INVALID, r->label, "the code has no entry point '%s', it has %s", r->desc->entry,
                 count ? names : "none");
}

static xb_code check_group_size(const reading *r)
{
  spvc_specialization_constant special[3];
  spvc_compiler_get_work_group_size_specialization_constants(r->compiler, &special[0], &special[1], &special[2]);
  const uint32_t *asked = r->desc->group_size;
  uint32_t size[3];
  for (unsigned i = 0; i < 3; i++) {
    const spvc_constant constant = special[i].id ? spvc_compiler_get_constant_handle(r->compiler, special[i].id) : NULL;
    size[i] = constant ? spvc_constant_get_scalar_u32(constant, 0, 0)
              : special[i].id
                  ? asked[i] /* an expression of constants, which only the driver computes */
                  : spvc_compiler_get_execution_mode_argument_by_index(r->compiler, SpvExecutionModeLocalSize, i);
  }
  if (size[0] == asked[0] && size[1] == asked[1] && size[2] == asked[2])
    return XB_OK;
  return xb_fail(r->err, XB_INVALID, r->label,
                 "the code has groups of %u x %u x %u threads, the description has %u x %u x %u", size[0], size[1],
                 size[2], asked[0], asked[1], asked[2]);
}

static xb_code read_resources(reading *r)
{
  spvc_set used;
  const xb_code code = passed(r, "spvc_compiler_get_active_interface_variables",
                              spvc_compiler_get_active_interface_variables(r->compiler, &used));
  if (code)
    return code;
  return passed(r, "spvc_compiler_create_shader_resources_for_active_variables",
                spvc_compiler_create_shader_resources_for_active_variables(r->compiler, &r->resources, used));
}

static xb_code list_of(const reading *r, spvc_resource_type type, const spvc_reflected_resource **list, size_t *count)
{
  return passed(r, "spvc_resources_get_resource_list_for_type",
                spvc_resources_get_resource_list_for_type(r->resources, type, list, count));
}

static xb_code declared_bytes(const reading *r, const spvc_reflected_resource *resource, uint32_t *bytes)
{
  size_t size = 0;
  const spvc_type type = spvc_compiler_get_type_handle(r->compiler, resource->base_type_id);
  const xb_code code = passed(r, "spvc_compiler_get_declared_struct_size",
                              spvc_compiler_get_declared_struct_size(r->compiler, type, &size));
  *bytes = size < UINT32_MAX ? (uint32_t)size : UINT32_MAX;
  return code;
}

static xb_location location_of(const reading *r, const spvc_reflected_resource *resource)
{
  return (xb_location){spvc_compiler_get_decoration(r->compiler, resource->id, SpvDecorationDescriptorSet),
                       spvc_compiler_get_decoration(r->compiler, resource->id, SpvDecorationBinding), 0};
}

/* The bindings of a buffer or an image that no other has, unless both are views of one buffer; `*bits`: one for each
 * element of an array of `count`. */
static xb_code take_bindings(reading *r, const spvc_reflected_resource *resource, uint32_t count, uint32_t *bits)
{
  xb_location at = location_of(r, resource);
  uint32_t binding;
  const xb_code found = xb_find_bindings(r->label, r->desc, at, &count, &binding, r->err);
  if (found)
    return found;
  for (*bits = 0; at.element < count; at.element++)
    *bits |= 1u << (binding = xb_binding_at(r->desc, at));
  const bool views = r->shares && !(r->found->uniform_bindings & *bits);
  if ((r->found->used_bindings & *bits) && !views)
    return xb_fail(r->err, XB_INVALID, r->label, "the code has two buffers at binding %u%s", binding,
                   r->found->uniform_bindings ? ", or a push constant without ConstantBuffer<>" : "");
  if (r->desc->unused_bindings & *bits)
    return xb_fail(r->err, XB_INVALID, r->label, "the description says that binding %u is unused, but the code uses it",
                   binding);
  r->found->used_bindings |= *bits;
  return XB_OK;
}

/* [kernel] Of a buffer, or of an array of buffers, which is as many bindings. */
static xb_code check_buffer(reading *r, const spvc_reflected_resource *buffer, bool uniform)
{
  const xb_spirv *m = &r->spirv->module;
  const uint32_t *variable = xb_spirv_made(m, buffer->id, SpvOpVariable, 4),
                 *pointer = variable ? xb_spirv_made(m, variable[1], SpvOpTypePointer, 4) : NULL;
  uint32_t count = 1, bits, bytes = 0;
  const uint32_t element = pointer ? xb_spirv_array(m, pointer[3], &count) : 0;
  if (element && xb_spirv_array(m, element, &(uint32_t){0}))
    return xb_fail(r->err, XB_UNSUPPORTED, r->label, "the code has an array of arrays of buffers at binding %u",
                   location_of(r, buffer).binding);
  const uint32_t before = r->found->used_bindings;
  const xb_code found = take_bindings(r, buffer, count, &bits);
  if (found)
    return found;
  if (uniform) {
    const xb_code code = declared_bytes(r, buffer, &bytes);
    r->found->uniform_bindings |= bits;
    r->found->read_only_bindings |= bits;
    for (uint32_t i = 0; i < XB_MAX_BINDINGS; i++)
      r->found->uniform_bytes[i] = bits >> i & 1 ? bytes : r->found->uniform_bytes[i];
    return code;
  }
  const SpvDecoration *decorations;
  size_t decoration_count;
  const xb_code code =
      passed(r, "spvc_compiler_get_buffer_block_decorations",
             spvc_compiler_get_buffer_block_decorations(r->compiler, buffer->id, &decorations, &decoration_count));
  bool read_only = false;
  for (size_t i = 0; i < decoration_count && !code; i++)
    read_only |= decorations[i] == SpvDecorationNonWritable;
  if (!read_only)
    r->found->read_only_bindings &= ~bits; /* another view may have set it */
  else
    r->found->read_only_bindings |= bits & ~before;
  return code;
}

static xb_code check_buffers_of(reading *r, spvc_resource_type type)
{
  const spvc_reflected_resource *list;
  size_t count;
  xb_code code = list_of(r, type, &list, &count);
  r->shares = type == SPVC_RESOURCE_TYPE_STORAGE_BUFFER;
  for (size_t i = 0; !code && i < count; i++)
    code = check_buffer(r, &list[i], type == SPVC_RESOURCE_TYPE_UNIFORM_BUFFER);
  return code;
}

static xb_code take_image(reading *r, const spvc_reflected_resource *image, uint32_t *bit)
{
  if (spvc_type_get_num_array_dimensions(spvc_compiler_get_type_handle(r->compiler, image->type_id)))
    return xb_fail(r->err, XB_UNSUPPORTED, r->label,
                   "the code has an array of images or samplers at binding %u, only arrays of buffers are allowed",
                   location_of(r, image).binding);
  return take_bindings(r, image, 1, bit);
}

/* A texel buffer is an image of one kind. */
static xb_code check_image(reading *r, const spvc_reflected_resource *image, bool storage)
{
  uint32_t bit;
  const xb_code found = take_image(r, image, &bit);
  if (found)
    return found;
  const spvc_type type = spvc_compiler_get_type_handle(r->compiler, image->base_type_id);
  const SpvDim dimension = spvc_type_get_image_dimension(type);
  const bool plain = !spvc_type_get_image_arrayed(type) && !spvc_type_get_image_multisampled(type);
  const bool sampled = dimension == SpvDim2D || (!storage && (dimension == SpvDim1D || dimension == SpvDim3D));
  if (dimension != SpvDimBuffer && !(sampled && plain))
    return xb_fail(r->err, XB_INVALID, r->label, "the code has an image at binding %u that is not a %s",
                   location_of(r, image).binding,
                   storage ? "RWTexture2D or RWBuffer" : "Texture1D, Texture2D, Texture3D or Buffer");
  if (storage) {
    *(dimension == SpvDimBuffer ? &r->found->storage_texel_bindings : &r->found->storage_image_bindings) |= bit;
    if (spvc_compiler_has_decoration(r->compiler, image->id, SpvDecorationNonWritable))
      r->found->read_only_bindings |= bit;
    return XB_OK;
  }
  r->found->read_only_bindings |= bit;
  *(dimension == SpvDimBuffer ? &r->found->texel_bindings : &r->found->image_bindings) |= bit;
  r->found->line_bindings |= dimension == SpvDim1D ? bit : 0;
  r->found->volume_bindings |= dimension == SpvDim3D ? bit : 0;
  return XB_OK;
}

/* It may have the binding of its image. */
static xb_code check_sampler(reading *r, const spvc_reflected_resource *sampler)
{
  const uint32_t binding = xb_binding_at(r->desc, location_of(r, sampler));
  uint32_t bit;
  if (binding < r->desc->binding_count && r->found->image_bindings >> binding & 1)
    return XB_OK;
  const xb_code code = take_image(r, sampler, &bit);
  r->found->sampler_bindings |= code ? 0 : bit;
  r->found->read_only_bindings |= code ? 0 : bit;
  return code;
}

static xb_code check_images(reading *r)
{
  static const spvc_resource_type types[] = {SPVC_RESOURCE_TYPE_SAMPLED_IMAGE, SPVC_RESOURCE_TYPE_SEPARATE_IMAGE,
                                             SPVC_RESOURCE_TYPE_STORAGE_IMAGE, SPVC_RESOURCE_TYPE_SEPARATE_SAMPLERS};
  xb_code code = XB_OK;
  for (size_t t = 0; t < sizeof types / sizeof *types && !code; t++) {
    const spvc_reflected_resource *list;
    size_t count;
    code = list_of(r, types[t], &list, &count);
    for (size_t i = 0; !code && i < count; i++)
      code = types[t] == SPVC_RESOURCE_TYPE_SEPARATE_SAMPLERS
                 ? check_sampler(r, &list[i])
                 : check_image(r, &list[i], types[t] == SPVC_RESOURCE_TYPE_STORAGE_IMAGE);
  }
  return code;
}

static xb_code check_buffers(reading *r)
{
  xb_code code = check_buffers_of(r, SPVC_RESOURCE_TYPE_UNIFORM_BUFFER);
  if (!code)
    code = check_buffers_of(r, SPVC_RESOURCE_TYPE_STORAGE_BUFFER);
  r->shares = false;
  if (!code)
    code = check_images(r);
  const uint32_t accounted = r->found->used_bindings | r->desc->unused_bindings;
  for (uint32_t i = 0; !code && i < r->desc->binding_count; i++)
    if (!(accounted >> i & 1))
      code = xb_fail(
          r->err, XB_INVALID, r->label,
          "the description has %u bindings, but the code does not use binding %u: leave it out, or mark it as unused",
          r->desc->binding_count, i);
  return code;
}

static xb_code check_arguments(reading *r)
{
  const spvc_reflected_resource *list;
  size_t count;
  uint32_t bytes = 0;
  xb_code code = list_of(r, SPVC_RESOURCE_TYPE_PUSH_CONSTANT, &list, &count);
  if (code)
    return code;
  const uint32_t asked = r->desc->arg_bytes;
  if (!count && (!asked || r->desc->args_unused))
    return XB_OK;
  if (!count)
    return xb_fail(
        r->err, XB_INVALID, r->label,
        "%u bytes of arguments are described, but the code uses none: leave them out, or mark them as unused", asked);
  code = declared_bytes(r, &list[0], &bytes);
  if (!code && bytes != asked)
    code = xb_fail(r->err, XB_INVALID, r->label, "the code has %u bytes of arguments, the description has %u", bytes,
                   asked);
  r->found->push_bytes = asked;
  return code;
}

static xb_code check_nothing_else(const reading *r)
{
  static const struct {
    spvc_resource_type type;
    const char *name;
  } OTHERS[] = {
      {SPVC_RESOURCE_TYPE_SUBPASS_INPUT, "a subpass input"},
      {SPVC_RESOURCE_TYPE_ATOMIC_COUNTER, "an atomic counter"},
      {SPVC_RESOURCE_TYPE_ACCELERATION_STRUCTURE, "an acceleration structure"},
  };
  for (size_t i = 0; i < sizeof OTHERS / sizeof *OTHERS; i++) {
    const spvc_reflected_resource *list;
    size_t count;
    const xb_code code = list_of(r, OTHERS[i].type, &list, &count);
    if (code)
      return code;
    if (count)
      return xb_fail(r->err, XB_INVALID, r->label,
                     "the code has %s at binding %u, only buffers, images and arguments are allowed", OTHERS[i].name,
                     spvc_compiler_get_decoration(r->compiler, list[0].id, SpvDecorationBinding));
  }
  return XB_OK;
}

/* Makes a type of each declaration `op` in the copy one of `kept` words, whose last one is `size`; NOPs fill the rest.
 */
static void replace_type(reading *r, uint32_t op, uint32_t least, SpvOp by, uint32_t kept, uint32_t size)
{
  for (const uint32_t *at = NULL; (at = xb_spirv_next(&r->spirv->module, at, op, least));) {
    uint32_t *w = r->words + (at - r->spirv->words);
    w[0] = kept << SpvWordCountShift | by;
    w[kept - 1] = size;
    for (uint32_t i = kept; i < xb_spirv_length(at); i++)
      w[i] = 1u << SpvWordCountShift | SpvOpNop;
  }
}

/* SPIRV-Cross of 2021 does not know cooperative matrices, layouts and views of tensors, nor floats of 8 bits: in a copy
 * of the module they are vectors and other floats. */
static xb_code parse(reading *r, spvc_parsed_ir *ir)
{
  const size_t count = r->spirv->count;
  r->words = malloc(count * sizeof *r->words);
  if (!r->words)
    return vk_no_host_memory(r->err, r->label);
  memcpy(r->words, r->spirv->words, count * sizeof *r->words);
  /* of at least as many words as SPIRV-Cross needs, also in a damaged module */
  replace_type(r, VK_SPV_OP_TYPE_COOPERATIVE_MATRIX, 5, SpvOpTypeVector, 4, 4);
  replace_type(r, VK_SPV_OP_TYPE_TENSOR_LAYOUT, 4, SpvOpTypeFloat, 3, 32);
  replace_type(r, VK_SPV_OP_TYPE_TENSOR_VIEW, 4, SpvOpTypeFloat, 3, 32);
  for (const uint32_t *at = NULL; (at = xb_spirv_next(&r->spirv->module, at, SpvOpTypeFloat, 3));)
    if (at[2] == 8)
      r->words[at - r->spirv->words + 2] = 16;
  return passed(r, "spvc_context_parse_spirv", spvc_context_parse_spirv(r->context, r->words, count, ir));
}

static void read_all(void *user)
{
  reading *const r = user;
  spvc_parsed_ir ir;
  r->code = passed(r, "spvc_context_create", spvc_context_create(&r->context));
  if (!r->code)
    r->code = parse(r, &ir);
  if (!r->code)
    r->code = passed(r, "spvc_context_create_compiler",
                     spvc_context_create_compiler(r->context, SPVC_BACKEND_NONE, ir, SPVC_CAPTURE_MODE_TAKE_OWNERSHIP,
                                                  &r->compiler));
  if (!r->code)
    r->code = check_entry(r);
  if (!r->code)
    r->code = check_group_size(r);
  if (!r->code)
    r->code = read_resources(r);
  if (!r->code)
    r->code = check_nothing_else(r);
  if (!r->code)
    r->code = check_buffers(r);
  if (!r->code)
    r->code = check_arguments(r);
}

static void destroy_context(void *context)
{
  if (context)
    spvc_context_destroy(context);
}

xb_code vk_reflect(const xb_kernel_desc *desc, const vk_spirv *spirv, vk_reflection *found, xb_error *err)
{
  *found = (vk_reflection){0};
  reading r = {.desc = desc, .spirv = spirv, .label = vk_kernel_label(desc), .found = found, .err = err};
  if (!vk_guarded(read_all, &r))
    r.code = vk_no_host_memory(err, r.label);
  free(r.words);
  vk_guarded(destroy_context, r.context); /* it allocates memory */
  return r.code;
}
