/* The plan of a pair: slot i is buffer i. */
#include "pair/family.h"
#include "pair/link.h"
#include "pair/numbers.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

xb_pair_side *xb_pair_side_of(const xb_case *c)
{
  const xb_pair_variant *v = c->variant->parameters;
  for (uint32_t i = 0; i < XB_PAIR_SIDES && v->sides[i]; i++)
    if (!strcmp(v->sides[i]->format, c->device->code))
      return v->sides[i];
  return NULL;
}

static xb_code evaluate(const xb_case *c, const char *what, const char *formula, uint64_t *value, xb_error *err)
{
  const xb_pair *pair = xb_pair_of(c);
  xb_named_number numbers[XB_PAIR_CONSTANTS + 3];
  memcpy(numbers, pair->constants, pair->constant_count * sizeof *numbers);
  const xb_named_number own[] = {{"n", c->n}, {"rows", c->rows}, {"columns", c->columns}};
  memcpy(numbers + pair->constant_count, own, sizeof own);
  const xb_names names = {numbers, pair->constant_count + 3};
  char where[96];
  snprintf(where, sizeof where, "%.40s: %.50s", pair->name, what);
  return xb_formula(where, formula, &names, value, err);
}

uint64_t xb_pair_length(const xb_case *c, uint32_t buffer)
{
  uint64_t length = 0;
  return evaluate(c, "", xb_pair_of(c)->buffers[buffer].length, &length, NULL) ? 0 : length;
}

xb_array xb_pair_shape(const xb_case *c, uint32_t buffer)
{
  const xb_pair_buffer *b = &xb_pair_of(c)->buffers[buffer];
  const xb_array *file = b->expected.rows ? &b->expected : &b->fill.array;
  xb_array shape = {.length = xb_pair_length(c, buffer)};
  if (b->image.width && !evaluate(c, "", b->image.width, &shape.columns, NULL) &&
      !evaluate(c, "", b->image.height, &shape.rows, NULL))
    return shape;
  const bool matrix = file->rows && file->length == shape.length;
  return (xb_array){NULL, shape.length, matrix ? file->rows : 0, matrix ? file->columns : 0};
}

uint64_t xb_pair_valid(const xb_case *c, uint32_t buffer)
{
  uint64_t valid = 0;
  const xb_pair_buffer *b = &xb_pair_of(c)->buffers[buffer];
  return !b->valid ? UINT64_MAX : evaluate(c, "", b->valid, &valid, NULL) ? 0 : valid;
}

/* ---- The plan --------------------------------------------------------------------------------------------------- */

/* What the code of a side has for a buffer, and does to it. */
typedef struct uses {
  bool may_write, as_buffer, as_image, storage, addressed;
} uses;

static uses uses_of(const xb_pair_side *side, uint32_t buffer)
{
  uses u = {false};
  for (uint32_t i = 0; i < side->kernel_count; i++)
    for (uint32_t b = 0; b < side->kernels[i].buffer_count; b++) {
      const xb_code_parameter *p = side->codes[i].buffers[b];
      if (side->kernels[i].buffers[b] != buffer)
        continue;
      u.addressed |= side->codes[i].has_address[b];
      u.may_write |= !p && u.addressed;
      u.as_buffer |= u.addressed;
      if (!p)
        continue;
      u.may_write |= !p->read_only;
      u.as_buffer |= !p->image;
      u.as_image |= p->image != XB_CODE_BUFFER;
      u.storage |= p->image == XB_CODE_STORAGE_IMAGE;
    }
  return u;
}

/* The image of a slot, if the code of the side has one; `length`: texels. */
static xb_code set_image(const xb_case *c, const xb_pair_side *side, uint32_t buffer, uint64_t length,
                         xb_image_desc *image, xb_error *err)
{
  const xb_pair_buffer *b = &side->buffers[buffer];
  const uses u = uses_of(side, buffer);
  uint64_t width = 0, height = 0;
  if (!u.as_image)
    return XB_OK;
  if (u.as_buffer) /* nothing copies between an image and a buffer */
    return xb_fail(err, XB_INVALID, side->source.path,
                   "%s is an image in one kernel and a buffer in another: use one kind in both", b->name);
  xb_code code = evaluate(c, b->name, b->image.width, &width, err);
  code = code ? code : evaluate(c, b->name, b->image.height, &height, err);
  if (!code && (width != (uint32_t)width || height != (uint32_t)height || width * height != length))
    code = xb_fail(err, XB_INVALID, xb_pair_of(c)->name,
                   "%s has %" PRIu64 " x %" PRIu64 " texels, but a Length of %" PRIu64, b->name, width, height, length);
  image->storage = u.storage;
  image->label = b->name;
  image->format = xb_pair_texel(b);
  image->channels = b->element.members[0].count;
  image->width = (uint32_t)width;
  image->height = (uint32_t)height;
  return code;
}

/* CUDA's coordinates are usually texels, those of shaders normalized. */
static xb_sample_mode sampler_of(const xb_pair_side *side, uint32_t buffer)
{
  xb_sample_mode mode = side->buffers[buffer].image.sampler;
  if (!side->buffers[buffer].image.own_coordinates)
    mode.normalized = strcmp(side->format, "fatbin") != 0 && !side->source.for_cpu;
  return mode;
}

/* An input that could be written is not shared with others, and its contents are checked. */
static xb_role role_of(const xb_pair_side *side, uint32_t buffer)
{
  static const xb_role roles[] = {XB_ROLE_INPUT, XB_ROLE_OUTPUT, XB_ROLE_INOUT, XB_ROLE_SCRATCH};
  const xb_pair_buffer *b = &side->buffers[buffer];
  const bool restored =
      (b->access == XB_PAIR_IN && uses_of(side, buffer).may_write) || (b->access == XB_PAIR_SCRATCH && b->fill_text);
  return restored ? XB_ROLE_INOUT : roles[b->access];
}

static bool is_fixed(const xb_fill *f)
{
  return f->kind == XB_FILL_RAMP || f->kind == XB_FILL_CONSTANT || f->kind == XB_FILL_ARRAY;
}

/* An image begins where it begins, and a file of results is right for one input. */
static bool may_slide(const xb_pair *pair, const xb_pair_buffer *b)
{
  bool one_result = false;
  for (uint32_t i = 0; i < pair->buffer_count; i++)
    one_result |= pair->buffers[i].expected.data != NULL;
  return !one_result && !b->image.width && !is_fixed(&b->fill) && b->fill.kind != XB_FILL_PERMUTATION;
}

static xb_code add_slots(const xb_case *c, xb_pair_side *side, xb_plan *plan, xb_error *err)
{
  xb_pair *pair = xb_pair_of(c);
  for (uint32_t i = 0; i < pair->buffer_count; i++) {
    xb_pair_buffer *b = &side->buffers[i];
    uint64_t length;
    if (b->only && b->only != side->of + 1) {
      xb_plan_slot(plan,
                   (xb_slot){.name = b->name, .role = XB_ROLE_SCRATCH, .bytes = 4, .element_bytes = 4, .unused = true});
      continue;
    }
    xb_code code = evaluate(c, b->name, b->length, &length, err);
    if (!code && b->valid)
      code = evaluate(c, "Valid", b->valid, &(uint64_t){0}, err);
    if (code)
      return code;
    if (!length || length > (1ull << 60) / b->element.bytes)
      return xb_fail(err, XB_INVALID, pair->name, "%s has %" PRIu64 " elements", b->name, length);
    const uint64_t bytes = length * b->element.bytes;
    b->fill.length = length; /* a permutation depends on it; all plans of a size have the same */
    pair->buffers[i].fill.length = length;
    b->fill.slides = pair->buffers[i].fill.slides = may_slide(pair, b);
    pair->buffers[i].columns = xb_pair_shape(c, i).columns;
    if (bytes > c->window_bytes)
      return xb_fail(err, XB_UNSUPPORTED, pair->name,
                     "%s has %" PRIu64 " bytes, but a binding has at most %" PRIu64 " here", b->name, bytes,
                     c->window_bytes);
    if (b->fill.kind == XB_FILL_ARRAY && b->fill.array.length != length)
      return xb_fail(err, XB_INVALID, pair->name, "%s has %" PRIu64 " elements, its file %s has %" PRIu64, b->name,
                     length, b->fill_text, b->fill.array.length);
    const xb_role role = role_of(side, i);
    xb_image_desc image = {0};
    code = set_image(c, side, i, length, &image, err);
    if (code)
      return code;
    const bool input = role == XB_ROLE_INPUT || role == XB_ROLE_INOUT;
    xb_slot slot = {.name = b->name,
                    .role = role,
                    .bytes = (bytes + 3) / 4 * 4,
                    .element_bytes = b->element.bytes,
                    .sparse = b->untouched,
                    .scratch = b->access == XB_PAIR_SCRATCH,
                    .kept = b->access == XB_PAIR_IN,
                    .image = image,
                    .slides = input && b->fill.slides,
                    .fixed = is_fixed(&b->fill),
                    .addressed = uses_of(side, i).addressed,
                    .generator = {.generate = input ? xb_fill_generate : NULL, .user = &b->fill}};
    if (slot.addressed && !c->device->addresses)
      return xb_fail(err, XB_UNSUPPORTED, pair->name,
                     "%s is used by its address, and %s does not support buffer addresses", b->name,
                     c->device->backend);
    code = xb_pair_set_words(c, b, length, &slot, err);
    if (code)
      return code;
    xb_plan_slot(plan, slot);
    plan->bytes += b->access == XB_PAIR_SCRATCH ? 0 : b->access == XB_PAIR_INOUT ? 2 * bytes : bytes;
  }
  return XB_OK;
}

static xb_code set_value(const xb_case *c, const char *name, const xb_pair_value *v, xb_dtype dtype, char *to,
                         xb_error *err)
{
  uint64_t whole;
  const xb_code failed = v->formula ? evaluate(c, name, v->formula, &whole, err) : XB_OK;
  if (failed)
    return failed;
  if (v->formula && (xb_dtype_bytes(dtype) < 8 && whole >> 8 * xb_dtype_bytes(dtype)))
    return xb_fail(err, XB_INVALID, xb_pair_of(c)->name, "argument %s is %" PRIu64 ", too large for %s", name, whole,
                   xb_dtype_name(dtype));
  if (!v->formula && !xb_is_float(dtype) && v->number != (double)(int64_t)v->number)
    return xb_fail(err, XB_INVALID, xb_pair_of(c)->name, "argument %s is %g, but the kernel takes %s", name, v->number,
                   xb_dtype_name(dtype));
  if (v->formula)
    xb_put_integer(dtype, whole, to);
  else
    xb_put_number(dtype, v->number, to);
  return XB_OK;
}

/* The address of a buffer, in the arguments or in the code's copy of a uniform buffer. */
static void set_address(xb_pair_code *code, const xb_code_parameter *p, uint32_t at, uint32_t buffer, xb_step *step)
{
  if (!p->is_uniform)
    xb_step_address(step, at, buffer);
  else if (code->address_count < XB_MAX_ADDRESSES)
    code->addresses[code->address_count++] = (xb_plan_address){at, buffer};
}

/* Those of a uniform buffer go into the code's copy of it. */
static xb_code set_arguments(const xb_case *c, const xb_pair_kernel *k, xb_pair_code *code, xb_step *step,
                             xb_error *err)
{
  char values[XB_MAX_ARG_BYTES] = {0};
  code->address_count = 0;
  for (uint32_t i = 0; i < k->argument_count; i++) {
    const xb_code_parameter *p = code->arguments[i];
    if (!p)
      continue;
    const xb_member *member = &p->element.members[0];
    char *to = (p->is_uniform ? code->uniform : values) + code->value_offsets[i];
    for (uint32_t v = 0; v < k->arguments[i].count; v++) {
      const uint32_t address_of = k->arguments[i].values[v].address_of;
      if (address_of) {
        set_address(code, p, code->value_offsets[i] + 8 * v, address_of - 1, step);
        continue;
      }
      const xb_code failed = set_value(c, k->arguments[i].name, &k->arguments[i].values[v], member->dtype,
                                       to + xb_number_offset(member, v), err);
      if (failed)
        return failed;
    }
  }
  xb_step_args(step, values, code->arg_bytes);
  return XB_OK;
}

static xb_code set_groups(const xb_case *c, const xb_pair_kernel *k, xb_step *step, xb_error *err)
{
  for (int d = 0; d < 3; d++) {
    uint64_t groups;
    const xb_code code = evaluate(c, "number of groups", k->groups[d], &groups, err);
    if (code)
      return code;
    if (!groups || groups > c->device->max_groups[d])
      return xb_fail(err, groups ? XB_UNSUPPORTED : XB_INVALID, xb_pair_of(c)->name,
                     "%s is %" PRIu64 " groups in dimension %d; the device takes 1 to %u", k->groups[d], groups, d,
                     c->device->max_groups[d]);
    step->groups[d] = (uint32_t)groups;
  }
  return XB_OK;
}

static void generate_uniform(const void *user, uint64_t seed, uint64_t first, uint64_t count, void *out)
{
  const xb_pair_code *code = user;
  (void)seed;
  memcpy(out, code->uniform + 4 * first, 4 * count);
}

static void bind_uniform(xb_pair_code *code, xb_plan *plan, xb_step *step)
{
  const bool addresses = code->address_count;
  const uint32_t slot =
      xb_plan_slot(plan, (xb_slot){.name = "arguments",
                                   .role = addresses ? XB_ROLE_SCRATCH : XB_ROLE_INPUT,
                                   .bytes = code->uniform_bytes,
                                   .element_bytes = 4,
                                   .words = addresses ? (const uint32_t *)(const void *)code->uniform : NULL,
                                   .addresses = code->addresses,
                                   .address_count = code->address_count,
                                   .generator = {.generate = addresses ? NULL : generate_uniform, .user = code}});
  xb_step_bind(step, slot, 0, code->uniform_bytes, XB_READ);
  step->bindings[step->binding_count - 1].uniform = true;
}

/* Nothing says which image a sampler is used with, so all images of the kernel have one mode. */
static xb_code bind_samplers(const xb_pair_side *side, uint32_t kernel, xb_step *step, xb_error *err)
{
  const xb_pair_kernel *k = &side->kernels[kernel];
  const xb_pair_code *code = &side->codes[kernel];
  const xb_sample_mode *mode = NULL;
  for (uint32_t i = 0; i < k->buffer_count && code->reflection.sampler_count; i++) {
    const xb_sample_mode *own = &step->bindings[i].sampler;
    if (!code->buffers[i] || code->buffers[i]->image != XB_CODE_SAMPLED_IMAGE)
      continue;
    if (mode && (mode->filter != own->filter || mode->address != own->address || mode->normalized != own->normalized))
      return xb_fail(
          err, XB_INVALID, side->source.path,
          "its images have different Filter, Address or Coordinates, and its samplers have their own bindings: "
          "give each sampler the binding of its image, [[vk::binding(0)]]");
    mode = own;
  }
  for (uint32_t i = 0; i < code->reflection.sampler_count; i++) {
    xb_step_bind(step, k->buffers[0], 0, 0, XB_READ);
    step->bindings[step->binding_count - 1].alone = true;
    step->bindings[step->binding_count - 1].sampler = mode ? *mode : (xb_sample_mode){.normalized = true};
  }
  return XB_OK;
}

/* Words of 32 bits are signed or not as the code has them: the bits are the same. */
static xb_texel texels_of(const xb_code_parameter *p, const xb_pair_buffer *b)
{
  const xb_texel texel = xb_pair_texel(b);
  if (texel != XB_TEXEL_INT32 && texel != XB_TEXEL_UINT32)
    return texel;
  return p->element.members[0].dtype == XB_INT32 ? XB_TEXEL_INT32 : XB_TEXEL_UINT32;
}

static xb_code add_dispatch(const xb_case *c, xb_pair_side *side, uint32_t kernel, xb_plan *plan, xb_error *err)
{
  const xb_pair_kernel *k = &side->kernels[kernel];
  xb_pair_code *code = &side->codes[kernel];
  xb_step *step = xb_plan_step(plan, XB_STEP_DISPATCH);
  step->kernel = kernel;
  for (uint32_t i = 0; i < k->buffer_count; i++) {
    const xb_code_parameter *p = code->buffers[i];
    const xb_pair_buffer *b = &side->buffers[k->buffers[i]];
    const uint64_t bytes = plan->code ? 0 : plan->slots[k->buffers[i]].bytes;
    bool twice = false; /* as words and as vectors */
    for (uint32_t other = 0; other < k->buffer_count; other++)
      twice |= other != i && k->buffers[other] == k->buffers[i];
    const bool fresh = !kernel && b->access == XB_PAIR_OUT && side->source.checks; /* a read of it is to be found */
    const xb_access writes = twice ? XB_DISJOINT_WRITE : fresh ? XB_WRITE : XB_READ_WRITE;
    const bool reads = p ? p->read_only : !code->has_address[i] || plan->code || plan->slots[k->buffers[i]].words;
    xb_step_bind(step, k->buffers[i], 0, bytes, reads ? XB_READ : writes);
    step->bindings[i].exact = code->reflection.asks_length;
    step->bindings[i].image = p && p->image;
    step->bindings[i].storage = p && (p->storage || p->image == XB_CODE_STORAGE_IMAGE);
    if (p && p->texels) {
      step->bindings[i].texels = texels_of(p, b);
      step->bindings[i].channels = b->element.members[0].count;
      if (bytes / b->element.bytes > c->device->max_texels)
        return xb_fail(err, XB_UNSUPPORTED, xb_pair_of(c)->name,
                       "%s has %" PRIu64 " texels, but a typed buffer has at most %" PRIu64 " here", b->name,
                       bytes / b->element.bytes, c->device->max_texels);
    }
    step->bindings[i].sampler = sampler_of(side, k->buffers[i]);
  }
  xb_code failed = set_groups(c, k, step, err);
  failed = failed ? failed : set_arguments(c, k, code, step, err);
  if (code->uniform_bytes) /* its addresses are known now */
    bind_uniform(code, plan, step);
  return failed ? failed : bind_samplers(side, kernel, step, err);
}

static uint32_t binding_count(const xb_pair_side *side, uint32_t i)
{
  return side->kernels[i].buffer_count + (side->codes[i].uniform_bytes != 0) + side->codes[i].reflection.sampler_count;
}

xb_code xb_pair_plan(const xb_case *c, xb_plan *plan, xb_error *err)
{
  const xb_pair *pair = xb_pair_of(c);
  xb_pair_side *side = xb_pair_side_of(c);
  if (!side)
    return xb_fail(err, XB_UNSUPPORTED, pair->name, "it has no source for %s", c->device->backend);
  xb_code code = add_slots(c, side, plan, err);
  for (uint32_t i = 0; i < side->kernel_count; i++)
    xb_plan_kernel_of(plan, (xb_plan_kernel){.name = side->kernels[i].shown,
                                             .binding_count = binding_count(side, i),
                                             .arg_bytes = side->codes[i].arg_bytes});
  for (uint32_t i = 0; i < side->step_count && !code; i++)
    if (side->steps[i] == XB_PAIR_BARRIER)
      xb_plan_step(plan, XB_STEP_BARRIER);
    else
      code = add_dispatch(c, side, side->steps[i], plan, err);
  plan->windows = 1;
  if (!code && pair->bytes)
    code = evaluate(c, "Bytes", pair->bytes, &plan->bytes, err);
  if (!code && pair->flops)
    code = evaluate(c, "Flops", pair->flops, &plan->flops, err);
  return code;
}

/* ---- Kernels ---------------------------------------------------------------------------------------------------- */

/* What the code of a kernel says of itself, and the manifest of it, for any case. */
static void describe(const xb_pair_side *side, uint32_t i, xb_kernel_desc *desc)
{
  const xb_pair_kernel *k = &side->kernels[i];
  const xb_pair_code *code = &side->codes[i];
  const bool cuda = code->parameter_count;
  desc->code = code->binary.data;
  desc->code_bytes = code->binary.bytes;
  desc->entry = code->reflection.entry;
  memcpy(desc->group_size, k->group, sizeof desc->group_size);
  desc->subgroup_size = k->wave;
  for (uint32_t b = 0; b < k->buffer_count; b++)
    desc->unused_bindings |= !code->buffers[b] ? 1u << b : 0;
  desc->args_unused = !code->arg_bytes;
  desc->locations = cuda ? NULL : code->locations;
  desc->parameters = cuda ? code->parameters : NULL;
  desc->parameter_count = code->parameter_count;
  desc->specializations = k->constants;
  desc->specialization_count = cuda ? 0 : k->constant_count;
  desc->constants = k->memories;
  desc->constant_count = cuda ? k->memory_count : 0;
}

void xb_pair_compile_ahead(const xb_pair_side *side, xb_device *device)
{
  for (uint32_t i = 0; i < side->kernel_count && !side->refused.code; i++) {
    xb_error ignored; /* the run says so at its place */
    xb_kernel *kernel = NULL;
    xb_kernel_desc desc = {.binding_count = binding_count(side, i), .arg_bytes = side->codes[i].arg_bytes};
    describe(side, i, &desc);
    xb_kernel_create(device, &desc, &kernel, &ignored);
    xb_kernel_destroy(kernel);
  }
}

/* SPIR-V: an argument that this code has only as a specialization constant of its name is the constant's value, where
 * the pair gives it none. */
static xb_code specialize(const xb_case *c, const xb_pair_kernel *k, xb_pair_code *code, xb_kernel_desc *desc,
                          xb_error *err)
{
  uint32_t count = k->constant_count;
  memcpy(code->constants, k->constants, sizeof code->constants);
  for (uint32_t n = 0; n < code->reflection.named_count; n++) {
    const xb_named_constant *named = &code->reflection.named[n];
    uint32_t given = 0, a = 0;
    while (given < count && code->constants[given].id != named->id)
      given++;
    while (a < k->argument_count &&
           (code->arguments[a] || k->arguments[a].count != 1 || k->arguments[a].values->address_of ||
            !xb_link_same_name(named->name, k->arguments[a].name)))
      a++;
    if (given < count || a == k->argument_count || count == XB_MAX_SPECIALIZATIONS)
      continue;
    char value[sizeof code->constants->value] = {0};
    const xb_code failed = set_value(c, k->arguments[a].name, k->arguments[a].values, named->dtype, value, err);
    if (failed)
      return failed;
    xb_specialization *s = &code->constants[count++];
    *s = (xb_specialization){.id = named->id, .bytes = xb_dtype_bytes(named->dtype)};
    memcpy(&s->value, value, sizeof value);
  }
  desc->specializations = code->constants;
  desc->specialization_count = count;
  return XB_OK;
}

/* `kernel` is one of the plan's, in the order of the pair's. */
xb_code xb_pair_find_code(const xb_case *c, const xb_plan_kernel *kernel, xb_kernel_desc *desc, xb_error *err)
{
  xb_pair_side *side = xb_pair_side_of(c);
  uint32_t i = 0;
  uint64_t shared = 0;
  if (side->refused.code) {
    *err = side->refused;
    return err->code;
  }
  while (i + 1 < side->kernel_count && side->kernels[i].shown != kernel->name)
    i++;
  const xb_pair_kernel *k = &side->kernels[i];
  const bool cuda = side->codes[i].parameter_count;
  describe(side, i, desc);
  const xb_code failed = !cuda             ? specialize(c, k, &side->codes[i], desc, err)
                         : k->shared_bytes ? evaluate(c, "DynamicSharedBytes", k->shared_bytes, &shared, err)
                                           : XB_OK;
  desc->dynamic_shared_bytes = (uint32_t)shared;
  return failed;
}
