/* What the kernel of a module has: parameters, their types, the size of its groups. */
#include "base/word_list.h"
#include "core/spirv.h"
#include "pair/numbers.h"
#include "pair/pair.h"

#include <stdlib.h>
#include <string.h>

enum { GLSLANG = 8, SHADERC = 13 }; /* generators */

typedef struct reading {
  const char *where;
  const xb_spirv *m;
  xb_reflection *found;
  xb_arena *arena;
  const char *array;     /* a descriptor array that is none of buffers, or too long */
  const uint8_t *uses;   /* xb_spirv_uses */
  const char *odd_image; /* one that is neither a buffer nor of two dimensions */
  xb_error *err;
} reading;

#define refuse(r, ...) xb_fail((r)->err, XB_INVALID, (r)->where, __VA_ARGS__)

/* ---- Types ------------------------------------------------------------------------------------------------------ */

/* The address of a buffer: 64 bits. NULL: another type. */
static const uint32_t *address(const xb_spirv *m, uint32_t type)
{
  const uint32_t *pointer = xb_spirv_made(m, type, SpvOpTypePointer, 4);
  return pointer && pointer[2] == SpvStorageClassPhysicalStorageBuffer ? pointer : NULL;
}

static bool scalar(const xb_spirv *m, uint32_t type, xb_dtype *dtype)
{
  if (address(m, type))
    return *dtype = XB_UINT64, true;
  const uint32_t *as_int = xb_spirv_made(m, type, SpvOpTypeInt, 4),
                 *as_float = xb_spirv_made(m, type, SpvOpTypeFloat, 3);
  const uint32_t bits = as_int ? as_int[2] : as_float ? as_float[2] : 0;
  return xb_dtype_of(as_float ? "float" : as_int && as_int[3] & 1 ? "int" : "uint", bits / 8, dtype);
}

/* Numbers of one type: a scalar, a vector, a matrix or an array, in the order of memory. */
static bool numbers(const xb_spirv *m, uint32_t type, uint32_t column_bytes, xb_member *member)
{
  const uint32_t *vector = xb_spirv_made(m, type, SpvOpTypeVector, 4),
                 *array = xb_spirv_made(m, type, SpvOpTypeArray, 4);
  const uint32_t *matrix = xb_spirv_made(m, type, SpvOpTypeMatrix, 4);
  if (!vector && !array && !matrix) {
    member->count = 1;
    member->row = 0;
    return scalar(m, type, &member->dtype);
  }
  const uint32_t part = vector ? vector[2] : matrix ? matrix[2] : array[2];
  const uint32_t count = vector ? vector[3] : matrix ? matrix[3] : xb_spirv_count(m, array[3]);
  const uint32_t stride = matrix ? column_bytes : array ? xb_spirv_facts(m, type)->stride : 0;
  if (xb_spirv_facts(m, part)->at >= xb_spirv_facts(m, type)->at) /* a type is made of types before it */
    return false;
  if (!numbers(m, part, column_bytes, member) || !count || count > 1024)
    return false;
  const uint32_t number = xb_dtype_bytes(member->dtype), one = member->count * number;
  if (matrix && stride > one) /* a column of three numbers takes four */
    member->count = stride / number;
  else if (array && !member->row && stride > one) { /* of a uniform buffer: float w[3] has gaps of 12 bytes */
    member->row = member->count;
    member->stride = stride;
  } else if (member->row ? stride != member->count / member->row * member->stride : stride && stride != one)
    return false;
  member->count *= count;
  return member->count <= 1024;
}

static void read_element(const xb_spirv *m, uint32_t type, uint32_t bytes, xb_element *element)
{
  const uint32_t *structure = xb_spirv_made(m, type, SpvOpTypeStruct, 3);
  xb_member *members = element->members;
  *element = (xb_element){.bytes = bytes};
  if (!structure) {
    element->member_count = numbers(m, type, 0, &members[0]) && !members[0].row;
    return;
  }
  const uint32_t count = xb_spirv_length(structure) - 2;
  for (uint32_t i = 0; i < count && count <= XB_MOST_MEMBERS; i++) {
    members[i] = (xb_member){.name = xb_spirv_member_name(m, type, i),
                             .offset = xb_spirv_member_value(m, type, i, SpvDecorationOffset, 0)};
    if (!members[i].name ||
        !numbers(m, structure[2 + i], xb_spirv_member_value(m, type, i, SpvDecorationMatrixStride, 0), &members[i]) ||
        members[i].row)
      return;
  }
  element->member_count = count <= XB_MOST_MEMBERS ? count : 0;
}

/* What an address leads to: the elements of the block's array, or its only element. */
static const xb_element *read_target(const reading *r, uint32_t type)
{
  const xb_spirv *m = r->m;
  const uint32_t *pointer = address(m, type);
  const uint32_t *structure = pointer ? xb_spirv_made(m, pointer[3], SpvOpTypeStruct, 3) : NULL;
  xb_element *element = pointer ? xb_arena_take(r->arena, 1, sizeof *element) : NULL;
  if (!element)
    return NULL;
  const uint32_t last = structure ? structure[xb_spirv_length(structure) - 1] : pointer[3];
  const uint32_t *array = xb_spirv_made(m, last, SpvOpTypeRuntimeArray, 3);
  const bool one = structure && xb_spirv_length(structure) == 3;
  if (array)
    read_element(m, array[2], xb_spirv_facts(m, last)->stride, element);
  else
    read_element(m, one ? last : pointer[3], (uint32_t)xb_spirv_facts(m, one ? last : pointer[3])->number, element);
  return element;
}

/* ---- Parameters ------------------------------------------------------------------------------------------------- */

static xb_code_parameter *add(const reading *r, const xb_spirv_id *variable)
{
  xb_code_parameter *p = &r->found->parameters[r->found->count++];
  *p = (xb_code_parameter){.set = variable->set, .binding = variable->binding, .read_only = variable->read_only};
  p->only_read = xb_spirv_only_reads(r->uses, (uint32_t)(variable - r->m->ids));
  return p;
}

/* NULL: it has none. */
static const char *name_of(const xb_spirv_id *variable)
{
  return variable->name && *variable->name ? variable->name : NULL;
}

static xb_code_parameter *add_buffer(const reading *r, const xb_spirv_id *variable, uint32_t type,
                                     const uint32_t *structure)
{
  const xb_spirv *m = r->m;
  const uint32_t last = xb_spirv_length(structure) - 3;
  const uint32_t *array = xb_spirv_made(m, structure[2 + last], SpvOpTypeRuntimeArray, 3);
  xb_code_parameter *p = add(r, variable);
  p->is_buffer = true;
  p->name = name_of(variable) ? name_of(variable) : xb_spirv_member_name(m, type, last); /* GLSL: no instance */
  p->read_only |= xb_spirv_member_value(m, type, last, SpvDecorationNonWritable, 0) == 1;
  if (array)
    read_element(m, array[2], xb_spirv_facts(m, structure[2 + last])->stride, &p->element);
  return p;
}

/* An array of buffers: "b[0]", "b[1]". One without a length has its first element, until it is linked. */
static void add_elements(const reading *r, const xb_spirv_id *variable, uint32_t type, const uint32_t *structure,
                         uint32_t count)
{
  for (uint32_t i = 0; i < (count ? count : 1); i++) {
    xb_code_parameter *p = add_buffer(r, variable, type, structure);
    p->name = p->name ? xb_arena_text(r->arena, "%s[%u]", p->name, i) : NULL;
    p->array_element = i;
    p->open = !count;
  }
}

/* The numbers of a texel of a storage image or storage texel buffer. Nothing: the code does not name its format, or
 * there is none such here. */
static void set_texel(uint32_t format, xb_code_parameter *p)
{
  static const struct {
    uint32_t format;
    xb_dtype dtype;
    uint32_t count;
    bool fractions;
  } known[] = {
      {1, XB_FLOAT32, 4, false}, {6, XB_FLOAT32, 2, false}, {3, XB_FLOAT32, 1, false}, {2, XB_FLOAT16, 4, false},
      {7, XB_FLOAT16, 2, false}, {9, XB_FLOAT16, 1, false}, {4, XB_UINT8, 4, true},    {13, XB_UINT8, 2, true},
      {15, XB_UINT8, 1, true},   {21, XB_INT32, 4, false},  {25, XB_INT32, 2, false},  {24, XB_INT32, 1, false},
      {30, XB_UINT32, 4, false}, {35, XB_UINT32, 2, false}, {33, XB_UINT32, 1, false}, {32, XB_UINT8, 4, false},
      {37, XB_UINT8, 2, false},  {39, XB_UINT8, 1, false},
  };
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (known[i].format == format) {
      p->element.members[0] =
          (xb_member){.dtype = known[i].dtype, .count = known[i].count, .fractions = known[i].fractions};
      p->element.member_count = 1;
      p->element.bytes = known[i].count * xb_dtype_bytes(known[i].dtype);
    }
}

static void add_image(reading *r, const xb_spirv_id *variable, const uint32_t *image)
{
  const bool written = image[XB_SPIRV_SAMPLED] == XB_SPIRV_IS_WRITTEN, buffer = image[XB_SPIRV_DIM] == SpvDimBuffer;
  if (!buffer && (image[XB_SPIRV_DIM] != SpvDim2D || image[XB_SPIRV_ARRAYED] || image[XB_SPIRV_MULTISAMPLED]))
    r->odd_image = name_of(variable) ? name_of(variable) : "?";
  xb_code_parameter *p = add(r, variable);
  p->is_buffer = true;
  p->image = buffer ? XB_CODE_BUFFER : written ? XB_CODE_STORAGE_IMAGE : XB_CODE_SAMPLED_IMAGE;
  p->texels = buffer;
  p->storage = buffer && written;
  r->found->asks_length |= buffer && xb_spirv_next(r->m, NULL, SpvOpImageQuerySize, 1);
  p->read_only |= !written;
  p->name = name_of(variable);
  if (written || (buffer && xb_spirv_keeps_format(r->m, image)))
    set_texel(image[XB_SPIRV_FORMAT], p);
  if (buffer && !p->element.member_count) /* then only the kind of its numbers is known */
    scalar(r->m, image[XB_SPIRV_IMAGE_OF], &p->element.members[0].dtype);
}

/* Images and samplers are no structs. False if the variable is something else. */
static bool add_opaque(reading *r, const xb_spirv_id *variable, uint32_t type)
{
  const uint32_t *both = xb_spirv_made(r->m, type, SpvOpTypeSampledImage, 3),
                 *image = xb_spirv_made(r->m, both ? both[2] : type, SpvOpTypeImage, XB_SPIRV_IMAGE_WORDS);
  if (image)
    add_image(r, variable, image);
  else if (!xb_spirv_made(r->m, type, SpvOpTypeSampler, 2))
    return false;
  else if (r->found->sampler_count < XB_MOST_SAMPLERS)
    r->found->samplers[r->found->sampler_count++] = (xb_location){variable->set, variable->binding, 0};
  return true;
}

static void add_values(const reading *r, const xb_spirv_id *variable, uint32_t type, const uint32_t *structure,
                       uint32_t offset, int depth, bool uniform)
{
  const xb_spirv *m = r->m;
  for (uint32_t i = 0; i + 2 < xb_spirv_length(structure) && r->found->count < XB_MAX_ARG_BYTES; i++) {
    const uint32_t *inner = xb_spirv_made(m, structure[2 + i], SpvOpTypeStruct, 3);
    const uint32_t at = offset + xb_spirv_member_value(m, type, i, SpvDecorationOffset, 0);
    if (inner && depth) { /* ConstantBuffer<Args>, or a struct beside other members */
      add_values(r, variable, structure[2 + i], inner, at, depth - 1, uniform);
      continue;
    }
    xb_code_parameter *p = add(r, variable);
    xb_member *member = &p->element.members[0];
    p->is_uniform = uniform;
    p->name = xb_spirv_member_name(m, type, i);
    p->offset = at;
    p->pointer = address(m, structure[2 + i]);
    p->target = read_target(r, structure[2 + i]);
    if (numbers(m, structure[2 + i], xb_spirv_member_value(m, type, i, SpvDecorationMatrixStride, 0), member)) {
      p->element.member_count = 1;
      p->element.bytes = xb_member_bytes(member);
      const uint32_t end = p->offset + p->element.bytes;
      r->found->value_bytes = end > r->found->value_bytes ? end : r->found->value_bytes;
    }
  }
}

static void add_variable(reading *r, const xb_spirv_id *variable)
{
  const xb_spirv *m = r->m;
  const uint32_t *pointer = xb_spirv_made(m, variable->at[1], SpvOpTypePointer, 4), storage = variable->at[3];
  if (!pointer || !variable->used)
    return;
  uint32_t count;
  const uint32_t of = xb_spirv_array(m, pointer[3], &count), type = of ? of : pointer[3];
  const uint32_t *structure = xb_spirv_made(m, type, SpvOpTypeStruct, 3);
  const bool buffer = structure && (storage == SpvStorageClassStorageBuffer ||
                                    (storage == SpvStorageClassUniform && xb_spirv_facts(m, type)->buffer_block));
  if (of && (!buffer || count > XB_PAIR_BUFFERS) &&
      (buffer || storage == SpvStorageClassUniformConstant || storage == SpvStorageClassUniform))
    r->array = name_of(variable) ? name_of(variable) : "?";
  if (r->array || r->found->count + count > XB_MAX_ARG_BYTES || add_opaque(r, variable, type) || !structure)
    return;
  if (buffer && of)
    add_elements(r, variable, type, structure, count);
  else if (buffer)
    add_buffer(r, variable, type, structure);
  else if (storage == SpvStorageClassPushConstant || storage == SpvStorageClassUniform)
    add_values(r, variable, type, structure, 0, 2, storage == SpvStorageClassUniform);
}

/* ---- Whether a pair can pass it ---------------------------------------------------------------------------------- */

/* True if a word of an instruction of this kind has the value. */
static bool has(const xb_spirv *m, uint32_t op, uint32_t word, uint32_t value)
{
  const uint32_t *at = NULL;
  while ((at = xb_spirv_next(m, at, op, word + 1)) && at[word] != value)
    ;
  return at;
}

/* Vulkan allows an entry point one variable of a builtin. Validators before 2025 do not refuse a second one. */
static xb_code check_builtins(const reading *r, const uint32_t *entry)
{
  const uint32_t first = 3 + (uint32_t)strlen(xb_spirv_text(entry, 3)) / sizeof *entry + 1,
                 end = xb_spirv_length(entry);
  for (uint32_t i = first; i < end && i < first + 256; i++)
    for (uint32_t j = first; j < i; j++) {
      const uint32_t builtin = xb_spirv_facts(r->m, entry[i])->builtin;
      if (builtin && builtin == xb_spirv_facts(r->m, entry[j])->builtin)
        return refuse(r, XB_BUILTIN_TWICE);
    }
  return XB_OK;
}

/* HLSL's prefixes are exclusive, and it has no inclusive ones. */
static xb_code check_scans(const reading *r)
{
  const char *inclusive = NULL;
  for (uint32_t op = SpvOpGroupNonUniformIAdd; op <= SpvOpGroupNonUniformFMul && !inclusive; op++)
    if (has(r->m, op, 4, SpvGroupOperationInclusiveScan))
      inclusive = op <= SpvOpGroupNonUniformFAdd ? "WavePrefixSum" : "WavePrefixProduct";
  if (!inclusive || !has(r->m, SpvOpSource, 1, SpvSourceLanguageHLSL) ||
      (r->m->generator != GLSLANG && r->m->generator != SHADERC))
    return XB_OK;
  return refuse(r,
                "glslc makes an inclusive scan of %s, where HLSL demands an exclusive one: give --compiler dxc, or "
                "write the scan out with WaveReadLaneAt",
                inclusive);
}

/* ---- Group size ------------------------------------------------------------------------------------------------- */

/* The ids of the three sizes: of the constant that is the group size of all entry points, or of a mode of this one.
 * NULL: the code has numbers. */
static const uint32_t *group_ids(const xb_spirv *m, uint32_t entry)
{
  uint32_t id = 1;
  while (id < m->bound && xb_spirv_facts(m, id)->builtin != SpvBuiltInWorkgroupSize + 1)
    id++;
  const uint32_t *composite = id < m->bound ? xb_spirv_facts(m, id)->at : NULL;
  if (composite && xb_spirv_length(composite) > 5)
    return composite + 3;
  for (const uint32_t *at = NULL; (at = xb_spirv_next(m, at, SpvOpExecutionModeId, 6));)
    if (at[1] == entry && at[2] == SpvExecutionModeLocalSizeId)
      return at + 3;
  return NULL;
}

/* glslang's default of a specialization constant that is a size is 1, where the source has none. */
static xb_code read_group(const reading *r, uint32_t entry)
{
  const uint32_t *ids = group_ids(r->m, entry);
  uint32_t *const group = r->found->group, open = 0;
  for (const uint32_t *at = NULL; (at = xb_spirv_next(r->m, at, SpvOpExecutionMode, 6));)
    if (at[1] == entry && at[2] == SpvExecutionModeLocalSize)
      memcpy(group, at + 3, sizeof r->found->group);
  for (int d = 0; d < 3 && ids; d++) {
    group[d] = xb_spirv_count(r->m, ids[d]);
    if (!open && group[d] == 1)
      open = xb_spirv_facts(r->m, ids[d])->open;
  }
  if (ids && (!group[0] || !group[1] || !group[2]))
    return refuse(r, "the group size is an expression of constants that is not understood: write it as numbers");
  if (open) {
    memset(group, 0, sizeof r->found->group);
    r->found->open_group = open;
  }
  return XB_OK;
}

static void name_constants(const reading *r, uint32_t entry)
{
  xb_reflection *found = r->found;
  const uint32_t *ids = group_ids(r->m, entry);
  for (uint32_t id = 1; id < r->m->bound && found->named_count < XB_MAX_SPECIALIZATIONS; id++) {
    const uint32_t *constant = xb_spirv_made(r->m, id, SpvOpSpecConstant, 4);
    const xb_spirv_id *f = xb_spirv_facts(r->m, id);
    xb_named_constant *named = &found->named[found->named_count];
    bool of_group = false;
    for (int d = 0; d < 3 && ids; d++)
      of_group |= xb_spirv_facts(r->m, ids[d])->open == f->spec;
    if (!constant || !f->spec || of_group || !name_of(f) || !scalar(r->m, constant[1], &named->dtype))
      continue;
    named->name = name_of(f);
    named->id = f->spec - 1;
    found->named_count++;
  }
}

/* ---- The module ------------------------------------------------------------------------------------------------- */

static xb_code find_entry(const reading *r, const char *entry)
{
  char all[160] = "";
  uint32_t count = 0;
  const uint32_t *found = NULL;
  for (const uint32_t *at = NULL; (at = xb_spirv_next(r->m, at, SpvOpEntryPoint, 4));) {
    const char *name = at[1] == SpvExecutionModelGLCompute ? xb_spirv_text(at, 3) : NULL;
    if (name && (!entry || !strcmp(name, entry))) {
      found = at;
      count++;
      r->found->entry = name;
    }
    if (name)
      xb_add_listed(all, sizeof all, name);
  }
  if (count != 1)
    return xb_pair_no_entry(r->where, entry, all, r->err);
  xb_spirv_mark_used(r->m, found[2]);
  const xb_code code = check_builtins(r, found);
  name_constants(r, found[2]);
  return code ? code : read_group(r, found[2]);
}

/* What a pair cannot pass to a kernel. The parameters are in the order of their bindings. */
static xb_code check_parameters(const reading *r)
{
  if (r->odd_image)
    return refuse(r,
                  "%s is an image of an unsupported kind: a pair supports Texture2D, RWTexture2D (image2D) and typed "
                  "buffers",
                  r->odd_image);
  if (r->array)
    return refuse(r,
                  "%s is an array of images, of uniform buffers or of more than %d buffers, which a pair cannot bind: "
                  "declare each separately",
                  r->array, XB_PAIR_BUFFERS);
  return XB_OK;
}

/* Variables at one binding are views of one buffer. The first one stays, and leads to the others. */
static xb_code join_views(const reading *r)
{
  xb_reflection *found = r->found;
  for (size_t i = 1; i < found->count; i++) {
    xb_code_parameter *a = &found->parameters[i - 1], *b = &found->parameters[i];
    if (!a->is_buffer || !b->is_buffer || a->set != b->set || a->binding != b->binding ||
        a->array_element != b->array_element)
      continue;
    xb_code_parameter *view = xb_arena_take(r->arena, 1, sizeof *view);
    if (a->image || b->image || a->texels || b->texels || !view)
      return refuse(r, "%s and %s have one binding (set %u, binding %u): give each a binding of its own",
                    a->name ? a->name : "?", b->name ? b->name : "?", a->set, a->binding);
    *view = *b;
    view->view = a->view;
    a->view = view;
    a->only_read = (a->only_read || a->read_only) && (b->only_read || b->read_only);
    a->read_only &= b->read_only;
    memmove(b, b + 1, (found->count-- - i - 1) * sizeof *b);
    i--;
  }
  return XB_OK;
}

static xb_code reflect(reading *r, const char *entry)
{
  xb_reflection *found = r->found;
  xb_code code = find_entry(r, entry);
  code = code ? code : check_scans(r);
  for (uint32_t id = 1; id < r->m->bound && !code; id++)
    if (xb_spirv_made(r->m, id, SpvOpVariable, 4))
      add_variable(r, xb_spirv_facts(r->m, id));
  for (uint32_t s = 0; s < found->sampler_count; s++) /* HLSL: the binding of its image */
    for (size_t i = 0; i < found->count; i++)
      if (found->parameters[i].image && found->parameters[i].set == found->samplers[s].set &&
          found->parameters[i].binding == found->samplers[s].binding) {
        found->samplers[s--] = found->samplers[--found->sampler_count];
        break;
      }
  qsort(found->parameters, found->count, sizeof *found->parameters, xb_by_binding);
  code = code ? code : check_parameters(r);
  return code ? code : join_views(r);
}

xb_code xb_reflect_spirv(const char *where, const void *code, size_t bytes, const char *entry, xb_constants constants,
                         xb_arena *arena, xb_reflection *reflection, xb_error *err)
{
  xb_spirv m;
  reading r = {.where = where, .m = &m, .found = reflection, .arena = arena, .err = err};
  xb_code result = xb_reflection_begin(where, arena, reflection, err);
  if (result)
    return result;
  result = xb_spirv_read(&m, where, code, bytes, constants.values, constants.count, err);
  if (!result) {
    r.uses = xb_spirv_uses(&m, arena);
    xb_spirv_note_floats(&m, arena, reflection);
    reflection->asks_length = xb_spirv_next(&m, NULL, SpvOpArrayLength, 1);
    result = reflect(&r, entry);
  }
  xb_spirv_free(&m);
  return result;
}
