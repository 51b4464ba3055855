/* Reads SPIR-V: names, decorations, types and buffers. It trusts nothing, because the file may be the user's. */
#include "pair/layout.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAGIC = 0x07230203, HEADER = 5, MOST_IDS = 1 << 22 };
enum {
  SOURCE = 3,
  NAME = 5,
  MEMBER_NAME,
  ENTRY_POINT = 15,
  EXECUTION_MODE,
  TYPE_INT = 21,
  TYPE_FLOAT,
  TYPE_VECTOR,
  TYPE_MATRIX,
  TYPE_IMAGE,
  TYPE_SAMPLER,
  TYPE_SAMPLED_IMAGE
};
enum { TYPE_ARRAY = 28, TYPE_RUNTIME_ARRAY, TYPE_STRUCT, TYPE_POINTER = 32, CONSTANT = 43, CONSTANT_COMPOSITE };
enum { OP_IADD = 128, OP_ISUB = 130, OP_IMUL = 132, OP_UDIV = 134, OP_SHIFT_RIGHT = 194, OP_SHIFT_LEFT = 196 };
enum { SPEC_CONSTANT = 50, SPEC_CONSTANT_COMPOSITE, SPEC_CONSTANT_OP, FUNCTION = 54, EXECUTION_MODE_ID = 331 };
enum { VARIABLE = 59, ARRAY_LENGTH = 68, DECORATE = 71, MEMBER_DECORATE };
enum { SPEC_ID = 1, ARRAY_STRIDE = 6, MATRIX_STRIDE, BUILTIN = 11, NON_WRITABLE = 24, BINDING = 33, SET, OFFSET };
enum { IADD = 349, FADD, IMUL, FMUL, INCLUSIVE_SCAN = 1, HLSL = 5, GLSLANG = 8, SHADERC = 13 };
enum {
  COMPUTE = 5,
  LOCAL_SIZE = 17,
  WORKGROUP_SIZE = 25,
  LOCAL_SIZE_ID = 38,
  DIM_2D = 1,
  WRITTEN = 2, /* Sampled of an image: it is none */
  UNIFORM = 2,
  PUSH_CONSTANT = 9,
  STORAGE_BUFFER = 12,
  BUFFER_BLOCK = 3
};

/* One id: the instruction that makes it, and its decorations. */
typedef struct id_facts {
  const uint32_t *at;
  const char *name;
  uint32_t set, binding, stride;
  uint32_t builtin; /* its number + 1 */
  uint32_t spec;    /* the number of the specialization constant + 1 */
  bool buffer_block, read_only, used;
} id_facts;

typedef struct module {
  const char *where;
  const uint32_t *words, *end;
  id_facts *ids;
  uint32_t bound, group_id; /* the constant that is the group size, for all entry points; 0: none */
  xb_constants constants;
  bool from_hlsl;
  const char *odd_image; /* one that is not of two dimensions */
  const char *inclusive; /* an HLSL function that glslang has made an inclusive scan of */
  xb_error *err;
} module;

static uint32_t length_of(const uint32_t *at)
{
  return *at >> 16;
}

static uint32_t opcode(const uint32_t *at)
{
  return *at & 0xFFFF;
}

/* A fact of an id that the instruction makes or names; of id 0 if the number is wrong. */
static id_facts *facts(const module *m, uint32_t id)
{
  return &m->ids[id < m->bound ? id : 0];
}

/* The instruction that makes the id, if it has at least `words` words. */
static const uint32_t *made(const module *m, uint32_t id, uint32_t op, uint32_t words)
{
  const uint32_t *at = facts(m, id)->at;
  return at && opcode(at) == op && length_of(at) >= words ? at : NULL;
}

/* A text of the instruction, from this word on. NULL if it does not end. */
static const char *text_at(const uint32_t *at, uint32_t word)
{
  const size_t room = length_of(at) > word ? (length_of(at) - word) * sizeof *at : 0;
  return room && memchr(at + word, 0, room) ? (const char *)(at + word) : NULL;
}

/* The value of a member's decoration; `otherwise` if it has none. */
static uint32_t member_value(const module *m, uint32_t type, uint32_t member, uint32_t decoration, uint32_t otherwise)
{
  for (const uint32_t *at = m->words; at < m->end; at += length_of(at))
    if (opcode(at) == MEMBER_DECORATE && length_of(at) > 3 && at[1] == type && at[2] == member && at[3] == decoration)
      return length_of(at) > 4 ? at[4] : 1;
  return otherwise;
}

static const char *member_name(const module *m, uint32_t type, uint32_t member)
{
  for (const uint32_t *at = m->words; at < m->end; at += length_of(at))
    if (opcode(at) == MEMBER_NAME && length_of(at) > 3 && at[1] == type && at[2] == member)
      return text_at(at, 3);
  return NULL;
}

/* ---- Types ------------------------------------------------------------------------------------------------------ */

static bool scalar(const module *m, uint32_t type, xb_dtype *dtype)
{
  static const xb_dtype ints[2][4] = {{XB_UINT8, XB_UINT16, XB_UINT32, XB_UINT64},
                                      {XB_INT8, XB_INT16, XB_INT32, XB_INT64}};
  static const xb_dtype floats[4] = {XB_FLOAT16, XB_FLOAT16, XB_FLOAT32, XB_FLOAT64};
  const uint32_t *as_int = made(m, type, TYPE_INT, 4), *as_float = made(m, type, TYPE_FLOAT, 3);
  const uint32_t bits = as_int ? as_int[2] : as_float ? as_float[2] : 0;
  const int power = bits == 64 ? 3 : bits == 32 ? 2 : bits == 16 ? 1 : 0;
  *dtype = as_int ? ints[as_int[3] & 1][power] : floats[power];
  return bits;
}

static uint32_t expression_value(const module *m, const uint32_t *at, uint32_t *open);

/* The value of a constant; 0: unknown. `open`: the number + 1 of a specialization constant that nobody has set. */
static uint32_t constant_value(const module *m, uint32_t id, uint32_t *open)
{
  const uint32_t *expression = made(m, id, SPEC_CONSTANT_OP, 5);
  if (expression)
    return expression_value(m, expression, open);
  const uint32_t *plain = made(m, id, CONSTANT, 4), *special = made(m, id, SPEC_CONSTANT, 4);
  const uint32_t number = facts(m, id)->spec;
  for (uint32_t i = 0; special && i < m->constants.count; i++)
    if (m->constants.values[i].id + 1 == number)
      return (uint32_t)m->constants.values[i].value;
  if (special)
    *open = number;
  return plain ? plain[3] : special ? special[3] : 0;
}

/* Of two constants that stand before it, such as N * 2; 0: another operation. */
static uint32_t expression_value(const module *m, const uint32_t *at, uint32_t *open)
{
  uint32_t v[2] = {0};
  for (uint32_t i = 0; i < 2 && length_of(at) == 6; i++) {
    const uint32_t *operand = facts(m, at[4 + i])->at;
    v[i] = operand && operand < at ? constant_value(m, at[4 + i], open) : 0;
  }
  switch (at[3]) {
  case OP_IADD: return v[0] + v[1];
  case OP_ISUB: return v[0] - v[1];
  case OP_IMUL: return v[0] * v[1];
  case OP_UDIV: return v[1] ? v[0] / v[1] : 0;
  case OP_SHIFT_RIGHT: return v[1] < 32 ? v[0] >> v[1] : 0;
  case OP_SHIFT_LEFT: return v[1] < 32 ? v[0] << v[1] : 0;
  default: return 0;
  }
}

/* Numbers of one type: a scalar, a vector, a matrix or an array, in the order of memory. */
static bool numbers(const module *m, uint32_t type, uint32_t column_bytes, xb_member *member)
{
  const uint32_t *vector = made(m, type, TYPE_VECTOR, 4), *array = made(m, type, TYPE_ARRAY, 4);
  const uint32_t *matrix = made(m, type, TYPE_MATRIX, 4);
  uint32_t open = 0;
  if (!vector && !array && !matrix) {
    member->count = 1;
    member->row = 0;
    return scalar(m, type, &member->dtype);
  }
  const uint32_t part = vector ? vector[2] : matrix ? matrix[2] : array[2];
  const uint32_t count = vector ? vector[3] : matrix ? matrix[3] : constant_value(m, array[3], &open);
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
  const uint32_t *structure = made(m, type, TYPE_STRUCT, 3);
  xb_member *members = element->members;
  *element = (xb_element){.bytes = bytes};
  if (!structure) {
    element->member_count = numbers(m, type, 0, &members[0]) && !members[0].row;
    return;
  }
  const uint32_t count = length_of(structure) - 2;
  for (uint32_t i = 0; i < count && count <= XB_MOST_MEMBERS; i++) {
    members[i] = (xb_member){.name = member_name(m, type, i), .offset = member_value(m, type, i, OFFSET, 0)};
    if (!members[i].name || !numbers(m, structure[2 + i], member_value(m, type, i, MATRIX_STRIDE, 0), &members[i]) ||
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
  const uint32_t *array = made(m, structure[2 + last], TYPE_RUNTIME_ARRAY, 3);
  xb_code_parameter *p = add(r, variable);
  p->is_buffer = true;
  p->name = variable->name && *variable->name ? variable->name : member_name(m, type, last); /* GLSL: no instance */
  p->read_only |= member_value(m, type, last, NON_WRITABLE, 0) == 1;
  if (array)
    read_element(m, array[2], facts(m, structure[2 + last])->stride, &p->element);
}

/* The numbers of a texel of a storage image. Nothing: the code does not name its format, or there is none such here. */
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

static void add_image(module *m, const id_facts *variable, const uint32_t *image, xb_reflection *r)
{
  const bool written = image[7] == WRITTEN;
  if (image[3] != DIM_2D || image[5] || image[6])
    m->odd_image = variable->name && *variable->name ? variable->name : "?";
  xb_code_parameter *p = add(r, variable);
  p->is_buffer = true;
  p->image = written ? XB_CODE_STORAGE_IMAGE : XB_CODE_SAMPLED_IMAGE;
  p->read_only |= !written;
  p->name = variable->name && *variable->name ? variable->name : NULL;
  if (written)
    set_texel(image[8], p);
}

/* Images and samplers are no structs. False if the variable is something else. */
static bool add_opaque(module *m, const id_facts *variable, uint32_t type, xb_reflection *r)
{
  const uint32_t *both = made(m, type, TYPE_SAMPLED_IMAGE, 3), *image = made(m, both ? both[2] : type, TYPE_IMAGE, 9);
  if (image)
    add_image(m, variable, image, r);
  else if (!made(m, type, TYPE_SAMPLER, 2))
    return false;
  else if (r->sampler_count < XB_MOST_SAMPLERS)
    r->samplers[r->sampler_count++] = (xb_location){variable->set, variable->binding};
  return true;
}

static void add_values(const module *m, const id_facts *variable, uint32_t type, const uint32_t *structure,
                       uint32_t offset, int depth, bool uniform, xb_reflection *r)
{
  for (uint32_t i = 0; i + 2 < length_of(structure) && r->count < XB_MAX_ARG_BYTES; i++) {
    const uint32_t *inner = made(m, structure[2 + i], TYPE_STRUCT, 3);
    const uint32_t at = offset + member_value(m, type, i, OFFSET, 0);
    if (inner && depth) { /* ConstantBuffer<Args>, or a struct beside other members */
      add_values(m, variable, structure[2 + i], inner, at, depth - 1, uniform, r);
      continue;
    }
    xb_code_parameter *p = add(r, variable);
    xb_member *member = &p->element.members[0];
    p->is_uniform = uniform;
    p->name = member_name(m, type, i);
    p->offset = at;
    if (numbers(m, structure[2 + i], member_value(m, type, i, MATRIX_STRIDE, 0), member)) {
      p->element.member_count = 1;
      p->element.bytes = xb_member_bytes(member);
      const uint32_t end = p->offset + p->element.bytes;
      r->value_bytes = end > r->value_bytes ? end : r->value_bytes;
    }
  }
}

static void add_variable(module *m, uint32_t id, const uint32_t *variable, xb_reflection *r)
{
  const uint32_t *pointer = made(m, variable[1], TYPE_POINTER, 4);
  const uint32_t *structure = pointer ? made(m, pointer[3], TYPE_STRUCT, 3) : NULL;
  const uint32_t storage = variable[3];
  if (!pointer || !facts(m, id)->used || r->count >= XB_MAX_ARG_BYTES || add_opaque(m, facts(m, id), pointer[3], r) ||
      !structure)
    return;
  const bool buffer = storage == STORAGE_BUFFER || (storage == UNIFORM && facts(m, pointer[3])->buffer_block);
  if (buffer)
    add_buffer(m, facts(m, id), pointer[3], structure, r);
  else if (storage == PUSH_CONSTANT || storage == UNIFORM)
    add_values(m, facts(m, id), pointer[3], structure, 0, 2, storage == UNIFORM, r);
}

static int by_binding(const void *a, const void *b)
{
  const xb_code_parameter *x = a, *y = b;
  if (x->is_buffer != y->is_buffer)
    return x->is_buffer ? -1 : 1;
  if (x->set != y->set)
    return x->set < y->set ? -1 : 1;
  if (x->binding != y->binding)
    return x->binding < y->binding ? -1 : 1;
  return x->offset < y->offset ? -1 : x->offset > y->offset;
}

/* ---- The module ------------------------------------------------------------------------------------------------- */

static void decorate(id_facts *f, const uint32_t *at)
{
  const uint32_t value = length_of(at) > 3 ? at[3] : 0;
  f->set = at[2] == SET ? value : f->set;
  f->binding = at[2] == BINDING ? value : f->binding;
  f->stride = at[2] == ARRAY_STRIDE ? value : f->stride;
  f->builtin = at[2] == BUILTIN ? value + 1 : f->builtin;
  f->spec = at[2] == SPEC_ID ? value + 1 : f->spec;
  f->buffer_block |= at[2] == BUFFER_BLOCK;
  f->read_only |= at[2] == NON_WRITABLE;
}

static void note(module *m, const uint32_t *at, bool in_function, xb_reflection *r)
{
  const uint32_t op = opcode(at), words = length_of(at);
  const bool type = op >= TYPE_INT && op <= TYPE_POINTER;
  const bool constant = op == CONSTANT || op == CONSTANT_COMPOSITE || (op >= SPEC_CONSTANT && op <= SPEC_CONSTANT_OP);
  if (op == NAME && words > 2)
    facts(m, at[1])->name = text_at(at, 2);
  else if (op == DECORATE && words > 2)
    decorate(facts(m, at[1]), at);
  else if ((type && words > 1) || (constant && words > 3) || (op == VARIABLE && words > 3))
    facts(m, at[type ? 1 : 2])->at = at;
  if (op == DECORATE && words > 3 && at[2] == BUILTIN && at[3] == WORKGROUP_SIZE)
    m->group_id = at[1];
  r->asks_length |= op == ARRAY_LENGTH;
  m->from_hlsl |= op == SOURCE && words > 1 && at[1] == HLSL;
  if (op >= IADD && op <= FMUL && words > 4 && at[4] == INCLUSIVE_SCAN)
    m->inclusive = op <= FADD ? "WavePrefixSum" : "WavePrefixProduct";
  for (uint32_t i = 1; in_function && i < words; i++)
    facts(m, at[i])->used = true; /* numbers look like ids; that does no harm */
}

/* Vulkan allows an entry point one variable of a builtin. Validators before 2025 do not refuse a second one. */
static xb_code check_builtins(const module *m, const uint32_t *entry)
{
  const uint32_t first = 3 + (uint32_t)strlen(text_at(entry, 3)) / sizeof *entry + 1, end = length_of(entry);
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
    if (opcode(at) == EXECUTION_MODE_ID && length_of(at) > 5 && at[1] == entry && at[2] == LOCAL_SIZE_ID)
      return at + 3;
  return NULL;
}

/* glslang's default of a specialization constant that is a size is 1, where the source has none. */
static xb_code read_group(const module *m, uint32_t entry, xb_reflection *r)
{
  const uint32_t *ids = group_ids(m, entry);
  uint32_t open = 0;
  for (const uint32_t *at = m->words; at < m->end; at += length_of(at))
    if (opcode(at) == EXECUTION_MODE && length_of(at) > 5 && at[1] == entry && at[2] == LOCAL_SIZE)
      memcpy(r->group, at + 3, sizeof r->group);
  for (int d = 0; d < 3 && ids; d++) {
    uint32_t own = 0;
    r->group[d] = constant_value(m, ids[d], &own);
    open = open || r->group[d] != 1 ? open : own;
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
    const char *name = opcode(at) == ENTRY_POINT && length_of(at) > 3 && at[1] == COMPUTE ? text_at(at, 3) : NULL;
    if (name && (!entry || !strcmp(name, entry))) {
      found = at;
      count++;
      r->entry = name;
    }
    if (name && strlen(all) + strlen(name) + 3 < sizeof all)
      strcat(strcat(all, *all ? ", " : ""), name);
  }
  if (count != 1)
    return xb_fail(m->err, XB_INVALID, m->where, "%s%s%s; the code has: %s",
                   entry ? "there is no entry point '" : "name one entry point, or several with commas between",
                   entry ? entry : "", entry ? "'" : "", *all ? all : "none");
  const xb_code code = check_builtins(m, found);
  return code ? code : read_group(m, found[2], r);
}

static xb_code read_module(module *m, const char *entry, xb_reflection *r)
{
  bool in_function = false;
  for (const uint32_t *at = m->words; at < m->end; at += length_of(at)) {
    if (!length_of(at) || length_of(at) > (size_t)(m->end - at))
      return xb_fail(m->err, XB_INVALID, m->where, "is no SPIR-V: it ends inside an instruction");
    in_function |= opcode(at) == FUNCTION;
    note(m, at, in_function, r);
  }
  xb_code code = find_entry(m, entry, r);
  code = code ? code : check_scans(m);
  for (uint32_t id = 1; id < m->bound && !code; id++) {
    const uint32_t *variable = made(m, id, VARIABLE, 4);
    if (variable)
      add_variable(m, id, variable, r);
  }
  if (!code && m->odd_image)
    code = xb_fail(m->err, XB_INVALID, m->where,
                   "%s is an image of another kind than Texture2D and RWTexture2D (image2D): a pair has no others",
                   m->odd_image);
  for (uint32_t s = 0; s < r->sampler_count; s++) /* HLSL: the binding of its image */
    for (size_t i = 0; i < r->count; i++)
      if (r->parameters[i].image && r->parameters[i].set == r->samplers[s].set &&
          r->parameters[i].binding == r->samplers[s].binding) {
        r->samplers[s--] = r->samplers[--r->sampler_count];
        break;
      }
  qsort(r->parameters, r->count, sizeof *r->parameters, by_binding);
  return code;
}

xb_code xb_reflect_spirv(const char *where, const void *code, size_t bytes, const char *entry, xb_constants constants,
                         xb_arena *arena, xb_reflection *reflection, xb_error *err)
{
  const uint32_t *words = code;
  module m = {.where = where, .constants = constants, .err = err};
  *reflection = (xb_reflection){0};
  if (bytes < HEADER * sizeof *words || bytes % sizeof *words || words[0] != MAGIC || words[3] > MOST_IDS)
    return xb_fail(err, XB_INVALID, where, "is no SPIR-V");
  m.words = words + HEADER;
  m.end = words + bytes / sizeof *words;
  m.bound = words[3] ? words[3] : 1;
  m.ids = xb_arena_take(arena, m.bound, sizeof *m.ids);
  reflection->parameters = xb_arena_take(arena, XB_MAX_ARG_BYTES + 1, sizeof *reflection->parameters);
  if (!m.ids || !reflection->parameters)
    return xb_fail(err, XB_NOMEM, where, "out of host memory");
  return read_module(&m, entry, reflection);
}
