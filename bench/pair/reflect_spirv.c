/* What the kernel of a module has: parameters, their types, the size of its groups. */
#include "base/word_list.h"
#include "pair/numbers.h"
#include "pair/spirv_module.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Types ------------------------------------------------------------------------------------------------------ */

static bool scalar(const module *m, uint32_t type, xb_dtype *dtype)
{
  const uint32_t *as_int = xb_spirv_made(m, type, SpvOpTypeInt, 4),
                 *as_float = xb_spirv_made(m, type, SpvOpTypeFloat, 3);
  const uint32_t bits = as_int ? as_int[2] : as_float ? as_float[2] : 0;
  return xb_dtype_of(as_float ? "float" : as_int && as_int[3] & 1 ? "int" : "uint", bits / 8, dtype);
}

/* Numbers of one type: a scalar, a vector, a matrix or an array, in the order of memory. */
static bool numbers(const module *m, uint32_t type, uint32_t column_bytes, xb_member *member)
{
  const uint32_t *vector = xb_spirv_made(m, type, SpvOpTypeVector, 4),
                 *array = xb_spirv_made(m, type, SpvOpTypeArray, 4);
  const uint32_t *matrix = xb_spirv_made(m, type, SpvOpTypeMatrix, 4);
  uint32_t open = 0;
  if (!vector && !array && !matrix) {
    member->count = 1;
    member->row = 0;
    return scalar(m, type, &member->dtype);
  }
  const uint32_t part = vector ? vector[2] : matrix ? matrix[2] : array[2];
  const uint32_t count = vector ? vector[3] : matrix ? matrix[3] : xb_spirv_constant(m, array[3], &open);
  const uint32_t stride = matrix ? column_bytes : array ? facts(m, type)->stride : 0;
  if (facts(m, part)->at >= facts(m, type)->at) /* a type is made of types before it */
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

static void read_element(const module *m, uint32_t type, uint32_t bytes, xb_element *element)
{
  const uint32_t *structure = xb_spirv_made(m, type, SpvOpTypeStruct, 3);
  xb_member *members = element->members;
  *element = (xb_element){.bytes = bytes};
  if (!structure) {
    element->member_count = numbers(m, type, 0, &members[0]) && !members[0].row;
    return;
  }
  const uint32_t count = length_of(structure) - 2;
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

/* ---- Parameters ------------------------------------------------------------------------------------------------- */

static xb_code_parameter *add(xb_reflection *r, const id_facts *variable)
{
  xb_code_parameter *p = &r->parameters[r->count++];
  *p = (xb_code_parameter){.set = variable->set, .binding = variable->binding, .read_only = variable->read_only};
  return p;
}

static void add_buffer(const module *m, const id_facts *variable, uint32_t type, const uint32_t *structure,
                       xb_reflection *r)
{
  const uint32_t last = length_of(structure) - 3;
  const uint32_t *array = xb_spirv_made(m, structure[2 + last], SpvOpTypeRuntimeArray, 3);
  xb_code_parameter *p = add(r, variable);
  p->is_buffer = true;
  p->name =
      variable->name && *variable->name ? variable->name : xb_spirv_member_name(m, type, last); /* GLSL: no instance */
  p->read_only |= xb_spirv_member_value(m, type, last, SpvDecorationNonWritable, 0) == 1;
  if (array)
    read_element(m, array[2], facts(m, structure[2 + last])->stride, &p->element);
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

/* The backend forgets the format of a texel buffer that is read, so that a view may have another one, unless the code
 * has a second type that differs in nothing else: Buffer<float> and Buffer<float4>. */
static bool keeps_format(const module *m, const uint32_t *image)
{
  uint32_t alike = 0;
  for (uint32_t id = 1; id < m->bound; id++) {
    const uint32_t *other = xb_spirv_made(m, id, SpvOpTypeImage, 9);
    alike += other && !memcmp(other + 2, image + 2, 6 * sizeof *image);
  }
  return alike > 1;
}

static void add_image(module *m, const id_facts *variable, const uint32_t *image, xb_reflection *r)
{
  const bool written = image[7] == WRITTEN, buffer = image[3] == SpvDimBuffer;
  if (!buffer && (image[3] != SpvDim2D || image[5] || image[6]))
    m->odd_image = variable->name && *variable->name ? variable->name : "?";
  xb_code_parameter *p = add(r, variable);
  p->is_buffer = true;
  p->image = buffer ? XB_CODE_BUFFER : written ? XB_CODE_STORAGE_IMAGE : XB_CODE_SAMPLED_IMAGE;
  p->texels = buffer;
  p->storage = buffer && written;
  r->asks_length |= buffer && m->asks_size;
  p->read_only |= !written;
  p->name = variable->name && *variable->name ? variable->name : NULL;
  if (written || (buffer && keeps_format(m, image)))
    set_texel(image[8], p);
  if (buffer && !p->element.member_count) /* then only the kind of its numbers is known */
    scalar(m, image[2], &p->element.members[0].dtype);
}

/* Images and samplers are no structs. False if the variable is something else. */
static bool add_opaque(module *m, const id_facts *variable, uint32_t type, xb_reflection *r)
{
  const uint32_t *both = xb_spirv_made(m, type, SpvOpTypeSampledImage, 3),
                 *image = xb_spirv_made(m, both ? both[2] : type, SpvOpTypeImage, 9);
  if (image)
    add_image(m, variable, image, r);
  else if (!xb_spirv_made(m, type, SpvOpTypeSampler, 2))
    return false;
  else if (r->sampler_count < XB_MOST_SAMPLERS)
    r->samplers[r->sampler_count++] = (xb_location){variable->set, variable->binding};
  return true;
}

static void add_values(const module *m, const id_facts *variable, uint32_t type, const uint32_t *structure,
                       uint32_t offset, int depth, bool uniform, xb_reflection *r)
{
  for (uint32_t i = 0; i + 2 < length_of(structure) && r->count < XB_MAX_ARG_BYTES; i++) {
    const uint32_t *inner = xb_spirv_made(m, structure[2 + i], SpvOpTypeStruct, 3);
    const uint32_t at = offset + xb_spirv_member_value(m, type, i, SpvDecorationOffset, 0);
    if (inner && depth) { /* ConstantBuffer<Args>, or a struct beside other members */
      add_values(m, variable, structure[2 + i], inner, at, depth - 1, uniform, r);
      continue;
    }
    xb_code_parameter *p = add(r, variable);
    xb_member *member = &p->element.members[0];
    p->is_uniform = uniform;
    p->name = xb_spirv_member_name(m, type, i);
    p->offset = at;
    if (numbers(m, structure[2 + i], xb_spirv_member_value(m, type, i, SpvDecorationMatrixStride, 0), member)) {
      p->element.member_count = 1;
      p->element.bytes = xb_member_bytes(member);
      const uint32_t end = p->offset + p->element.bytes;
      r->value_bytes = end > r->value_bytes ? end : r->value_bytes;
    }
  }
}

static void add_variable(module *m, uint32_t id, const uint32_t *variable, xb_reflection *r)
{
  const uint32_t *pointer = xb_spirv_made(m, variable[1], SpvOpTypePointer, 4);
  const uint32_t *structure = pointer ? xb_spirv_made(m, pointer[3], SpvOpTypeStruct, 3) : NULL;
  const uint32_t storage = variable[3];
  const bool array = pointer && (xb_spirv_made(m, pointer[3], SpvOpTypeArray, 3) ||
                                 xb_spirv_made(m, pointer[3], SpvOpTypeRuntimeArray, 3));
  if (array && facts(m, id)->used &&
      (storage == SpvStorageClassUniformConstant || storage == SpvStorageClassUniform ||
       storage == SpvStorageClassStorageBuffer))
    m->array = facts(m, id)->name && *facts(m, id)->name ? facts(m, id)->name : "?";
  if (!pointer || !facts(m, id)->used || r->count >= XB_MAX_ARG_BYTES || add_opaque(m, facts(m, id), pointer[3], r) ||
      !structure)
    return;
  const bool buffer = storage == SpvStorageClassStorageBuffer ||
                      (storage == SpvStorageClassUniform && facts(m, pointer[3])->buffer_block);
  if (buffer)
    add_buffer(m, facts(m, id), pointer[3], structure, r);
  else if (storage == SpvStorageClassPushConstant || storage == SpvStorageClassUniform)
    add_values(m, facts(m, id), pointer[3], structure, 0, 2, storage == SpvStorageClassUniform, r);
}

/* ---- The module ------------------------------------------------------------------------------------------------- */

/* Vulkan allows an entry point one variable of a builtin. Validators before 2025 do not refuse a second one. */
static xb_code check_builtins(const module *m, const uint32_t *entry)
{
  const uint32_t first = 3 + (uint32_t)strlen(xb_spirv_text(entry, 3)) / sizeof *entry + 1, end = length_of(entry);
  for (uint32_t i = first; i < end && i < first + 256; i++)
    for (uint32_t j = first; j < i; j++) {
      const uint32_t builtin = facts(m, entry[i])->builtin;
      if (builtin && builtin == facts(m, entry[j])->builtin)
        return xb_fail(m->err, XB_INVALID, m->where, XB_BUILTIN_TWICE);
    }
  return XB_OK;
}

/* HLSL's prefixes are exclusive, and it has no inclusive ones. */
static xb_code check_scans(const module *m)
{
  const uint32_t maker = m->words[2 - HEADER] >> 16;
  if (!m->inclusive || !m->from_hlsl || (maker != GLSLANG && maker != SHADERC))
    return XB_OK;
  return xb_fail(m->err, XB_INVALID, m->where,
                 "glslc makes an inclusive scan of %s, where HLSL demands an exclusive one: give --compiler dxc, or "
                 "write the scan out with WaveReadLaneAt",
                 m->inclusive);
}

/* ---- Group size ------------------------------------------------------------------------------------------------- */

/* The ids of the three sizes. NULL: the code has numbers. */
static const uint32_t *group_ids(const module *m, uint32_t entry)
{
  const uint32_t *composite = facts(m, m->group_id)->at;
  if (m->group_id && composite && length_of(composite) > 5)
    return composite + 3;
  for (const uint32_t *at = m->words; at < m->end; at += length_of(at))
    if (opcode(at) == SpvOpExecutionModeId && length_of(at) > 5 && at[1] == entry &&
        at[2] == SpvExecutionModeLocalSizeId)
      return at + 3;
  return NULL;
}

/* glslang's default of a specialization constant that is a size is 1, where the source has none. */
static xb_code read_group(const module *m, uint32_t entry, xb_reflection *r)
{
  const uint32_t *ids = group_ids(m, entry);
  uint32_t open = 0;
  for (const uint32_t *at = m->words; at < m->end; at += length_of(at))
    if (opcode(at) == SpvOpExecutionMode && length_of(at) > 5 && at[1] == entry && at[2] == SpvExecutionModeLocalSize)
      memcpy(r->group, at + 3, sizeof r->group);
  for (int d = 0; d < 3 && ids; d++) {
    uint32_t own = 0;
    r->group[d] = xb_spirv_constant(m, ids[d], &own);
    if (!open && r->group[d] == 1)
      open = own;
  }
  if (ids && (!r->group[0] || !r->group[1] || !r->group[2]))
    return xb_fail(m->err, XB_INVALID, m->where,
                   "the group size is an expression of constants that is not understood: write it as numbers");
  if (open) {
    memset(r->group, 0, sizeof r->group);
    r->open_group = open;
  }
  return XB_OK;
}

static xb_code find_entry(const module *m, const char *entry, xb_reflection *r)
{
  char all[160] = "";
  uint32_t count = 0;
  const uint32_t *found = NULL;
  for (const uint32_t *at = m->words; at < m->end; at += length_of(at)) {
    const char *name = opcode(at) == SpvOpEntryPoint && length_of(at) > 3 && at[1] == SpvExecutionModelGLCompute
                           ? xb_spirv_text(at, 3)
                           : NULL;
    if (name && (!entry || !strcmp(name, entry))) {
      found = at;
      count++;
      r->entry = name;
    }
    if (name)
      xb_add_listed(all, sizeof all, name);
  }
  if (count != 1)
    return xb_fail(m->err, XB_INVALID, m->where, "%s%s%s; the code has: %s",
                   entry ? "there is no entry point '" : "name one entry point, or several with commas between",
                   entry ? entry : "", entry ? "'" : "", *all ? all : "none");
  xb_spirv_mark_used(m, found[2]);
  const xb_code code = check_builtins(m, found);
  return code ? code : read_group(m, found[2], r);
}

/* What a pair cannot pass to a kernel. The parameters are in the order of their bindings. */
static xb_code check_parameters(const module *m, const xb_reflection *r)
{
  if (m->odd_image)
    return xb_fail(m->err, XB_INVALID, m->where,
                   "%s is an image of another kind than Texture2D and RWTexture2D (image2D): a pair has no others but "
                   "typed buffers",
                   m->odd_image);
  if (m->array)
    return xb_fail(m->err, XB_INVALID, m->where,
                   "%s is an array of buffers or images, which a pair cannot bind: declare each of them by itself",
                   m->array);
  for (size_t i = 1; i < r->count; i++) {
    const xb_code_parameter *a = &r->parameters[i - 1], *b = &r->parameters[i];
    if (a->is_buffer && b->is_buffer && a->set == b->set && a->binding == b->binding)
      return xb_fail(m->err, XB_INVALID, m->where,
                     "%s and %s have one binding (set %u, binding %u): give each a binding of its own, or, if they are "
                     "two views of one buffer, declare one and convert with asfloat or uintBitsToFloat",
                     a->name ? a->name : "?", b->name ? b->name : "?", a->set, a->binding);
  }
  return XB_OK;
}

static xb_code reflect(module *m, const char *entry, xb_reflection *r)
{
  xb_code code = find_entry(m, entry, r);
  code = code ? code : check_scans(m);
  if (!code && m->addresses)
    code = xb_fail(m->err, XB_INVALID, m->where,
                   "the code uses addresses of buffers (buffer_reference, RawBufferLoad), which a pair cannot "
                   "pass: bind a buffer in place of each address");
  for (uint32_t id = 1; id < m->bound && !code; id++) {
    const uint32_t *variable = xb_spirv_made(m, id, SpvOpVariable, 4);
    if (variable)
      add_variable(m, id, variable, r);
  }
  for (uint32_t s = 0; s < r->sampler_count; s++) /* HLSL: the binding of its image */
    for (size_t i = 0; i < r->count; i++)
      if (r->parameters[i].image && r->parameters[i].set == r->samplers[s].set &&
          r->parameters[i].binding == r->samplers[s].binding) {
        r->samplers[s--] = r->samplers[--r->sampler_count];
        break;
      }
  qsort(r->parameters, r->count, sizeof *r->parameters, xb_by_binding);
  return code ? code : check_parameters(m, r);
}

xb_code xb_reflect_spirv(const char *where, const void *code, size_t bytes, const char *entry, xb_constants constants,
                         xb_arena *arena, xb_reflection *reflection, xb_error *err)
{
  module m = {.where = where, .constants = constants, .err = err};
  *reflection = (xb_reflection){0};
  const xb_code failed = xb_spirv_read(&m, code, bytes, arena);
  if (failed)
    return failed;
  reflection->asks_length = m.asks_length;
  reflection->parameters = xb_arena_take(arena, XB_MAX_ARG_BYTES + 1, sizeof *reflection->parameters);
  if (!reflection->parameters)
    return xb_fail(err, XB_NOMEM, where, "out of host memory");
  return reflect(&m, entry, reflection);
}
