/* Variables of the module, addresses, loads and stores. */
#include "shader/shader.h"

#include "core/location.h"
#include "runtime/xb_cpu.h"

uint32_t storage_of(const shader *s, uint32_t pointer)
{
  return arg(s, type_of(s, pointer), 2);
}

uint32_t pointee(const shader *s, uint32_t pointer)
{
  return arg(s, type_of(s, pointer), 3);
}

bool is_buffer(uint32_t storage)
{
  return storage == SpvStorageClassUniform || storage == SpvStorageClassStorageBuffer;
}

bool is_buffer_array(const shader *s, uint32_t pointer)
{
  const uint32_t type = pointee(s, pointer);
  return op_of(s, pointer) == SpvOpVariable && is_buffer(storage_of(s, pointer)) && is_array(s, type) &&
         op_of(s, arg(s, type, 2)) == SpvOpTypeStruct;
}

/* What an address is made from stands before it, so this ends. */
uint32_t root_of(const shader *s, uint32_t pointer)
{
  for (;;) {
    const uint32_t *at = made_by(s, pointer);
    const uint32_t op = xb_spirv_op(at);
    if (op == SpvOpVariable)
      return pointer;
    if (op != SpvOpAccessChain && op != SpvOpInBoundsAccessChain && op != SpvOpPtrAccessChain &&
        op != SpvOpCopyObject && op != SpvOpImageTexelPointer)
      return 0;
    pointer = word(at, 3);
    if (made_by(s, pointer) >= at)
      return 0;
  }
}

const char *pointed_buffer(const shader *s, uint32_t pointer, char text[16])
{
  const uint32_t root = is_buffer(storage_of(s, pointer)) ? root_of(s, pointer) : 0;
  if (!root)
    return NULL;
  snprintf(text, 16, "b%u", root);
  for (; is_buffer_array(s, root) && pointer != root; pointer = word(made_by(s, pointer), 3))
    snprintf(text, 16, "q%u", pointer);
  return text;
}

uint32_t image_variable(const shader *s, uint32_t image)
{
  for (;;) {
    const uint32_t *at = made_by(s, image);
    const uint32_t op = xb_spirv_op(at);
    if (op == SpvOpLoad)
      return root_of(s, word(at, 3));
    if (op != SpvOpImage && op != SpvOpSampledImage && op != SpvOpCopyObject)
      return 0;
    image = word(at, 3);
    if (made_by(s, image) >= at)
      return 0;
  }
}

/* ---- Resources -------------------------------------------------------------------------------------------------- */

/* The block of an array of buffers, or of a buffer. */
static uint32_t block_of(const shader *s, uint32_t variable)
{
  const uint32_t type = pointee(s, variable);
  return is_array(s, type) ? arg(s, type, 2) : type;
}

static bool describe(shader *s, uint32_t id, cpu_resource *r)
{
  const uint32_t storage = storage_of(s, id), type = block_of(s, id);
  const xb_spirv_id *known = xb_spirv_facts(&s->module, id);
  *r = (cpu_resource){.id = id, .set = known->set, .binding = known->binding, .count = 1};
  if (is_array(s, pointee(s, id)))
    r->count = elements(s, pointee(s, id));
  if (is_array(s, pointee(s, id)) && is_array(s, type)) {
    shader_refuse(s, XB_UNSUPPORTED, "an array of arrays of buffers, at binding %u, is not translated", r->binding);
    return false;
  }
  if (!r->count && is_buffer(storage)) /* no length */
    for (xb_location at = {r->set, r->binding, 0}; xb_binding_at(s->desc, at) < s->desc->binding_count; at.element++)
      r->count++;
  if (is_buffer(storage)) {
    const bool buffer = storage == SpvStorageClassStorageBuffer || decorated(s, type, SpvDecorationBufferBlock, NULL);
    bool all = args(s, type) > 2;
    for (uint32_t i = 0; i + 2 < args(s, type); i++)
      all &= member_decorated(s, type, i, SpvDecorationNonWritable, NULL);
    r->kind = buffer ? CPU_BUFFER_RESOURCE : CPU_UNIFORM_RESOURCE;
    r->read_only = !buffer || all || decorated(s, id, SpvDecorationNonWritable, NULL);
    r->bytes = fact_of(s, type)->end;
    return op_of(s, type) == SpvOpTypeStruct;
  }
  if (r->count != 1) {
    shader_refuse(s, XB_UNSUPPORTED, "an array of images or samplers, at binding %u, is not translated", r->binding);
    return false;
  }
  const uint32_t image = op_of(s, type) == SpvOpTypeSampledImage ? arg(s, type, 2) : type;
  const uint32_t *made = made_by(s, image);
  r->read_only = true;
  r->kind = CPU_SAMPLER_RESOURCE;
  if (op_of(s, image) == SpvOpTypeSampler)
    return true;
  if (op_of(s, image) != SpvOpTypeImage)
    return false;
  r->kind = word(made, XB_SPIRV_DIM) == SpvDimBuffer ? CPU_TEXELS_RESOURCE : CPU_IMAGE_RESOURCE;
  r->dimensions = word(made, XB_SPIRV_DIM) == SpvDim1D ? 1 : word(made, XB_SPIRV_DIM) == SpvDim3D ? 3 : 2;
  r->storage = word(made, XB_SPIRV_SAMPLED) == XB_SPIRV_IS_WRITTEN;
  r->read_only = !r->storage || decorated(s, id, SpvDecorationNonWritable, NULL);
  return true;
}

void find_resources(shader *s)
{
  cpu_shader *made = s->made;
  for (const uint32_t *at = NULL; !s->code && (at = xb_spirv_next(&s->module, at, SpvOpVariable, 4));) {
    const uint32_t id = at[2], storage = at[3];
    if (!xb_spirv_facts(&s->module, id)->used || op_of(s, at[1]) != SpvOpTypePointer)
      continue;
    if (storage == SpvStorageClassPushConstant)
      made->push_bytes = fact_of(s, pointee(s, id))->end;
    if (storage == SpvStorageClassWorkgroup)
      made->shared_bytes += fact_of(s, pointee(s, id))->size;
    if (!is_buffer(storage) && storage != SpvStorageClassUniformConstant)
      continue;
    cpu_resource r;
    if (made->resource_count == CPU_MOST_RESOURCES)
      shader_refuse(s, XB_UNSUPPORTED, "more than %d buffers and images", CPU_MOST_RESOURCES);
    else if (describe(s, id, &r))
      made->resources[made->resource_count++] = r;
    else
      shader_refuse(s, XB_UNSUPPORTED, "the variable at binding %u is neither a buffer nor an image nor a sampler",
                    xb_spirv_facts(&s->module, id)->binding);
  }
}

static uint32_t parameter_of(const shader *s, uint32_t id)
{
  uint32_t i = 0;
  while (i < s->made->resource_count && s->made->resources[i].id != id)
    i++;
  return i;
}

uint32_t elements_of(const shader *s, uint32_t variable)
{
  const uint32_t i = parameter_of(s, variable);
  return i < s->made->resource_count ? s->made->resources[i].count : 0;
}

static bool uses(const uint32_t *from, const uint32_t *end, uint32_t id)
{
  for (const uint32_t *at = from; at < end; at += xb_spirv_length(at))
    for (uint32_t k = 1; k < xb_spirv_length(at); k++)
      if (at[k] == id)
        return true;
  return false;
}

static void say_global(shader *s, uint32_t id)
{
  const uint32_t type = pointee(s, id), storage = storage_of(s, id), at = parameter_of(s, id);
  switch (storage) {
  case SpvStorageClassInput: say_builtin(s, id); break;
  case SpvStorageClassPushConstant: say(s, "char *const v%u = params[%u];\n", id, s->made->resource_count); break;
  case SpvStorageClassUniform:
  case SpvStorageClassStorageBuffer:
    say(s, "const xb_cpu_buffer *const b%1$u = params[%2$u]; char *const v%1$u = (char *)b%1$u->base;\n", id, at);
    break;
  case SpvStorageClassUniformConstant:
    say(s,
        op_of(s, type) == SpvOpTypeSampledImage ? "t%1$u i%2$u = {params[%3$u], params[%3$u]};"
                                                : "t%1$u i%2$u = params[%3$u];",
        type, id, at);
    say(s, " char *const v%1$u = (char *)&i%1$u;\n", id);
    break;
  case SpvStorageClassWorkgroup: say(s, "char *const v%1$u = (char *)&s%1$u;\n", id); break;
  case SpvStorageClassPrivate: say(s, "char *const v%1$u = (char *)&own->g%1$u;\n", id); break;
  default: shader_refuse(s, XB_UNSUPPORTED, "a variable of storage class %u is not translated", storage);
  }
}

void say_globals(shader *s, const uint32_t *from, const uint32_t *end)
{
  for (const uint32_t *at = NULL; !s->code && (at = xb_spirv_next(&s->module, at, SpvOpVariable, 4));)
    if (at[3] != SpvStorageClassFunction && xb_spirv_facts(&s->module, at[2])->used &&
        op_of(s, at[1]) == SpvOpTypePointer && uses(from, end, at[2]))
      say_global(s, at[2]);
}

/* ---- Addresses -------------------------------------------------------------------------------------------------- */

void say_index(shader *s, uint32_t index)
{
  const uint32_t type = type_of(s, index);
  const bool is_signed = op_of(s, type) == SpvOpTypeInt && arg(s, type, 3);
  say(s, is_signed ? "(int64_t)(int%u_t)v%u" : "(int64_t)(uint%u_t)v%u", width_of(s, type), index);
}

/* One index further: appends to the address, and returns the type that it leads to. 0: there is none. */
static uint32_t step(shader *s, uint32_t type, uint32_t index, layout *l)
{
  const uint32_t of = arg(s, type, 2), size = fact_of(s, of)->size;
  if (op_of(s, type) == SpvOpTypeStruct) {
    const uint32_t member = constant(s, index);
    if (member + 2 >= args(s, type))
      return 0;
    say(s, " + %u", offset_of(s, type, member));
    *l = member_layout(s, type, member);
    return arg(s, type, 2 + member);
  }
  uint32_t stride = size;
  if (is_array(s, type))
    stride = stride_of(s, type);
  else if (is_matrix(s, type) && l->stride && !l->row_major)
    stride = l->stride, *l = (layout){0};
  else if (is_matrix(s, type) && l->stride)
    stride = fact_of(s, scalar_of(s, type))->size;
  else if (is_vector(s, type) && l->stride)
    stride = l->stride, *l = (layout){0};
  else if (!is_matrix(s, type) && !is_vector(s, type) && !is_cooperative(s, type))
    return 0;
  say(s, " + ");
  say_index(s, index);
  say(s, " * %u", stride);
  return of;
}

static void say_address(shader *s, const uint32_t *at)
{
  const uint32_t id = word(at, 2), base = word(at, 3);
  uint32_t type = pointee(s, base), i = 4;
  layout l = fact_of(s, base)->layout;
  if (xb_spirv_op(at) == SpvOpPtrAccessChain) {
    const uint32_t pointer = type_of(s, base);
    uint32_t stride;
    if (!decorated(s, pointer, SpvDecorationArrayStride, &stride))
      stride = fact_of(s, type)->size;
    say(s, "v%u = v%u + ", id, base);
    say_index(s, word(at, i++));
    say(s, " * %u", stride);
  } else if (is_buffer_array(s, base) && xb_spirv_length(at) > 4) {
    say(s, "q%u = XB_BUFFER_AT(b%u, ", id, base);
    say_index(s, word(at, i++));
    say(s, ", %u); v%u = (char *)q%u->base", elements_of(s, base), id, id);
    type = arg(s, type, 2);
  } else {
    say(s, "v%u = v%u", id, base);
  }
  for (; i < xb_spirv_length(at) && type; i++)
    type = step(s, type, at[i], &l);
  say(s, ";\n");
  if (!type)
    shader_refuse(s, XB_INVALID, "the code is not valid SPIR-V: an index leads beyond the type of id %u", base);
  fact_of(s, id)->layout = l;
  if (is_watched(s))
    say_bad_indices(s, at);
}

static void say_length(shader *s, const uint32_t *at)
{
  const uint32_t pointer = word(at, 3), type = pointee(s, pointer), root = root_of(s, pointer);
  const uint32_t array = arg(s, type, 2 + word(at, 4));
  char buffer[16];
  if (!root || !is_buffer(storage_of(s, root)) || !is_array(s, array) || !stride_of(s, array)) {
    shader_refuse(s, XB_UNSUPPORTED, "OpArrayLength of a buffer that is a parameter is not translated");
    return;
  }
  say(s, "v%u = XB_ARRAY_LENGTH(%s->bytes, %u, %u);\n", word(at, 2), pointed_buffer(s, pointer, buffer),
      offset_of(s, type, word(at, 4)), stride_of(s, array));
}

/* ---- Loads and stores ------------------------------------------------------------------------------------------- */

/* Others may write it meanwhile: it is read anew, and who waits for it lets others run. */
bool is_coherent(const shader *s, uint32_t pointer, uint32_t access)
{
  const uint32_t root = root_of(s, pointer), type = root ? block_of(s, root) : 0;
  enum { VOLATILE = 1, AVAILABLE = 8, VISIBLE = 0x10 };
  return access & (VOLATILE | AVAILABLE | VISIBLE) ||
         (root && (decorated(s, root, SpvDecorationCoherent, NULL) || decorated(s, root, SpvDecorationVolatile, NULL) ||
                   member_decorated(s, type, ~0u, SpvDecorationCoherent, NULL) ||
                   member_decorated(s, type, ~0u, SpvDecorationVolatile, NULL)));
}

/* "if (...) ": what lies beyond a buffer is read as 0, and not written, as in Direct3D and with robustBufferAccess.
 * Both sides of an OpSelect are read, so right shaders read there, too. Returns false where no buffer is known. */
bool say_inside(shader *s, uint32_t pointer, uint32_t type, uint32_t op, uint32_t access)
{
  char text[16];
  const char *buffer = pointed_buffer(s, pointer, text);
  const uint32_t bytes = extent_of(s, type, fact_of(s, pointer)->layout);
  if (is_watched(s))
    return say_touched(s, pointer, bytes, op, is_coherent(s, pointer, access));
  if (buffer)
    say(s, "if (XB_INSIDE(%s, v%u, %u)) ", buffer, pointer, bytes);
  return buffer;
}

static void load(shader *s, const uint32_t *at)
{
  const uint32_t pointer = word(at, 3), id = word(at, 2);
  char address[24];
  snprintf(address, sizeof address, "v%u", pointer);
  if (is_coherent(s, pointer, word(at, 4)))
    say(s, "XB_ANEW(); ");
  const bool checked =
      (is_watched(s) && say_load_for_select(s, at)) || say_inside(s, pointer, word(at, 1), XB_CPU_LOAD, word(at, 4));
  say(s, "v%u = ", id);
  say_load(s, word(at, 1), fact_of(s, pointer)->layout, address);
  say(s, checked ? "; else __builtin_memset(&v%1$u, 0, sizeof v%1$u);\n" : ";\n", id);
}

static void store(shader *s, const uint32_t *at)
{
  const uint32_t pointer = word(at, 1);
  char address[24], value[24];
  snprintf(address, sizeof address, "v%u", pointer);
  snprintf(value, sizeof value, "v%u", word(at, 2));
  say_inside(s, pointer, pointee(s, pointer), XB_CPU_STORE, word(at, 3));
  say_store(s, pointee(s, pointer), fact_of(s, pointer)->layout, address, value);
  say(s, is_coherent(s, pointer, word(at, 3)) ? "; XB_ANEW();\n" : ";\n");
}

static void copy(shader *s, const uint32_t *at)
{
  const uint32_t to = word(at, 1), from = word(at, 2), type = pointee(s, to);
  char address[24];
  snprintf(address, sizeof address, "v%u", from);
  say_inside(s, from, type, XB_CPU_LOAD, word(at, 3));
  say_inside(s, to, type, XB_CPU_STORE, word(at, 3));
  say(s, "{ const t%u copy_ = ", type);
  say_load(s, type, fact_of(s, from)->layout, address);
  say(s, "; ");
  snprintf(address, sizeof address, "v%u", to);
  say_store(s, type, fact_of(s, to)->layout, address, "copy_");
  say(s, "; }\n");
}

bool memory(shader *s, const uint32_t *at)
{
  enum { OP_PTR_EQUAL = 401, OP_PTR_NOT_EQUAL, OP_PTR_DIFF };
  switch (xb_spirv_op(at)) {
  case SpvOpLoad: load(s, at); return true;
  case SpvOpStore: store(s, at); return true;
  case SpvOpCopyMemory: copy(s, at); return true;
  case SpvOpAccessChain:
  case SpvOpInBoundsAccessChain:
  case SpvOpPtrAccessChain: say_address(s, at); return true;
  case SpvOpArrayLength: say_length(s, at); return true;
  case OP_PTR_EQUAL:
  case OP_PTR_NOT_EQUAL:
    say(s, "v%u = v%u %s v%u;\n", word(at, 2), word(at, 3), xb_spirv_op(at) == OP_PTR_EQUAL ? "==" : "!=", word(at, 4));
    return true;
  case OP_PTR_DIFF:
    say(s, "v%u = (v%u - v%u) / %u;\n", word(at, 2), word(at, 3), word(at, 4),
        fact_of(s, pointee(s, word(at, 3)))->size);
    return true;
  default: return false;
  }
}
