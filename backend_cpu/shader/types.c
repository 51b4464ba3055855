/* Types: how values lie in memory, and the C that loads and stores them. Booleans are words. */
#include "shader/shader.h"

bool is_vector(const shader *s, uint32_t type)
{
  return op_of(s, type) == SpvOpTypeVector;
}

bool is_matrix(const shader *s, uint32_t type)
{
  return op_of(s, type) == SpvOpTypeMatrix;
}

bool is_array(const shader *s, uint32_t type)
{
  return op_of(s, type) == SpvOpTypeArray || op_of(s, type) == SpvOpTypeRuntimeArray;
}

bool is_composite(const shader *s, uint32_t type)
{
  return is_vector(s, type) || is_matrix(s, type) || is_cooperative(s, type) || is_array(s, type) ||
         op_of(s, type) == SpvOpTypeStruct;
}

uint32_t elements(const shader *s, uint32_t type)
{
  switch (op_of(s, type)) {
  case SpvOpTypeVector:
  case SpvOpTypeMatrix: return arg(s, type, 3);
  case SpvOpTypeArray: return constant(s, arg(s, type, 3));
  case SpvOpTypeRuntimeArray: return 0;
  case OP_TYPE_COOPERATIVE_MATRIX: return cooperative_elements(s, type);
  default: return 1;
  }
}

uint32_t scalar_of(const shader *s, uint32_t type)
{
  while (is_vector(s, type) || is_matrix(s, type) || is_cooperative(s, type))
    type = arg(s, type, 2);
  return type;
}

uint32_t width_of(const shader *s, uint32_t type)
{
  const uint32_t scalar = scalar_of(s, type), op = op_of(s, scalar);
  return op == SpvOpTypeInt || op == SpvOpTypeFloat ? arg(s, scalar, 2) : op == SpvOpTypePointer ? 64 : 32;
}

bool is_float(const shader *s, uint32_t type)
{
  return op_of(s, scalar_of(s, type)) == SpvOpTypeFloat;
}

uint32_t stride_of(const shader *s, uint32_t array)
{
  uint32_t stride;
  return decorated(s, array, SpvDecorationArrayStride, &stride) ? stride : fact_of(s, arg(s, array, 2))->size;
}

static uint32_t round_up(uint32_t n, uint32_t to) /* 0: no type of memory */
{
  return to ? (n + to - 1) / to * to : n;
}

/* Where the C compiler puts it; offset_of follows the module. */
static uint32_t natural_offset(const shader *s, uint32_t type, uint32_t member)
{
  uint64_t at = 0;
  for (uint32_t i = 0; i <= member; i++) {
    const fact *f = fact_of(s, arg(s, type, 2 + i));
    at = round_up((uint32_t)at, f->align);
    if (i < member)
      at += f->size;
    if (at > MOST_SIZE)
      return MOST_SIZE;
  }
  return (uint32_t)at;
}

uint32_t offset_of(const shader *s, uint32_t type, uint32_t member)
{
  uint32_t at;
  return member_decorated(s, type, member, SpvDecorationOffset, &at) ? at : natural_offset(s, type, member);
}

layout member_layout(const shader *s, uint32_t type, uint32_t member)
{
  layout l = {0};
  member_decorated(s, type, member, SpvDecorationMatrixStride, &l.stride);
  l.row_major = member_decorated(s, type, member, SpvDecorationRowMajor, NULL);
  return l;
}

/* A matrix, or an array of such: its layout is the struct member's that holds it. */
static bool carries_layout(const shader *s, uint32_t type)
{
  while (is_array(s, type))
    type = arg(s, type, 2);
  return is_matrix(s, type);
}

/* ---- Reading ---------------------------------------------------------------------------------------------------- */

static bool refuse_type(shader *s, const uint32_t *at, const char *why)
{
  shader_refuse(s, XB_UNSUPPORTED, "%s (id %u) is not translated: %s", opcode_name(xb_spirv_op(at)), word(at, 1), why);
  return false;
}

static bool read_struct(shader *s, const uint32_t *at, fact *f)
{
  uint64_t end = 0;
  const uint32_t type = word(at, 1);
  f->align = 1;
  f->value = f->plain = true;
  for (uint32_t i = 0; i + 2 < xb_spirv_length(at); i++) {
    fact *member = fact_of(s, at[2 + i]);
    if (member->forward && !member->made)
      *member = (fact){.forward = true, .size = 8, .align = 8, .plain = true, .value = true};
    if (!member->align)
      return refuse_type(s, at, "a member has no size");
    f->align = member->align > f->align ? member->align : f->align;
  }
  for (uint32_t i = 0; i + 2 < xb_spirv_length(at); i++) {
    const fact *member = fact_of(s, at[2 + i]);
    const uint32_t offset = offset_of(s, type, i);
    const layout l = member_layout(s, type, i);
    uint64_t size = member->size;
    if (carries_layout(s, at[2 + i]) && l.stride) { /* the stride may be larger than a column */
      size = l.stride * UINT64_C(4);
      for (uint32_t t = at[2 + i]; is_array(s, t); t = arg(s, t, 2))
        size = (uint64_t)stride_of(s, t) * elements(s, t);
      f->plain = false;
    }
    f->plain &= member->plain && offset == natural_offset(s, type, i);
    f->value &= member->value;
    end = offset + size > end ? offset + size : end;
  }
  if (end > MOST_SIZE)
    return refuse_type(s, at, "it is too large");
  f->size = round_up((uint32_t)end, f->align);
  f->end = (uint32_t)end;
  return true;
}

static bool read_array(shader *s, const uint32_t *at, fact *f)
{
  const fact *of = fact_of(s, word(at, 2));
  const bool known = xb_spirv_op(at) == SpvOpTypeArray;
  const uint32_t count = known ? constant(s, word(at, 3)) : 0, stride = stride_of(s, word(at, 1));
  if (!of->align)
    return refuse_type(s, at, "its elements have no size");
  if (known && !count)
    return refuse_type(s, at, "its length is not known");
  if ((uint64_t)count * stride > MOST_SIZE)
    return refuse_type(s, at, "it is too large");
  f->size = count * stride;
  f->align = of->align;
  f->plain = of->plain && stride == of->size;
  f->value = of->value && known;
  return true;
}

/* A float that is no IEEE 754 one: SPV_KHR_bfloat16, SPV_EXT_float8. */
static bool refuse_encoding(shader *s, const uint32_t *at)
{
  enum { BFLOAT16 = 0, FLOAT8_E4M3 = 4214, FLOAT8_E5M2 = 4215 };
  const uint32_t encoding = word(at, 3);
  char why[48];
  snprintf(why, sizeof why, "its encoding is %u", encoding);
  return refuse_type(s, at,
                     encoding == BFLOAT16      ? "its encoding is bfloat16"
                     : encoding == FLOAT8_E4M3 ? "its encoding is float8 E4M3"
                     : encoding == FLOAT8_E5M2 ? "its encoding is float8 E5M2"
                                               : why);
}

static bool read_scalar(shader *s, const uint32_t *at, fact *f)
{
  const uint32_t bits = word(at, 2);
  const bool is_float = xb_spirv_op(at) == SpvOpTypeFloat;
  if (is_float && xb_spirv_length(at) > 3)
    return refuse_encoding(s, at);
  if ((bits != 8 || is_float) && bits != 16 && bits != 32 && bits != 64)
    return refuse_type(s, at, "it has none of the widths 8, 16, 32 and 64");
  *f = (fact){.made = at, .size = bits / 8, .align = bits / 8, .plain = true, .value = true};
  return true;
}

/* Vectors of 2 to 4 numbers, matrices of 2 to 4 of them. */
static bool read_vector(shader *s, const uint32_t *at, fact *f)
{
  const bool matrix = xb_spirv_op(at) == SpvOpTypeMatrix;
  const fact *of = fact_of(s, word(at, 2));
  const uint32_t op = op_of(s, word(at, 2)), count = word(at, 3);
  if (matrix ? op != SpvOpTypeVector : op != SpvOpTypeBool && op != SpvOpTypeInt && op != SpvOpTypeFloat)
    return refuse_type(s, at, "its components are none");
  if (count < 2 || count > 4)
    return refuse_type(s, at, "it has none of the lengths 2, 3 and 4");
  *f = (fact){.made = at, .size = of->size * count, .align = of->align, .plain = true, .value = true};
  return true;
}

bool read_type(shader *s, const uint32_t *at)
{
  fact *f = fact_of(s, word(at, 1));
  switch (xb_spirv_op(at)) {
  case SpvOpTypeBool: *f = (fact){.made = at, .size = 4, .align = 4, .plain = true, .value = true}; return true;
  case SpvOpTypeInt:
  case SpvOpTypeFloat: return read_scalar(s, at, f);
  case SpvOpTypeVector:
  case SpvOpTypeMatrix: return read_vector(s, at, f);
  case SpvOpTypeArray:
  case SpvOpTypeRuntimeArray: return read_array(s, at, f);
  case SpvOpTypeStruct: return read_struct(s, at, f);
  case OP_TYPE_COOPERATIVE_MATRIX: return read_cooperative(s, at, f);
  case SpvOpTypePointer:
    f->size = f->align = 8;
    f->plain = f->value = true;
    return true;
  case SpvOpTypeImage:
    if (xb_spirv_length(at) < XB_SPIRV_IMAGE_WORDS)
      return refuse_type(s, at, "it ends early");
    f->size = f->align = 8;
    f->value = true;
    return true;
  case SpvOpTypeSampler:
    f->size = f->align = 8;
    f->value = true;
    return true;
  case SpvOpTypeSampledImage:
    f->size = 16;
    f->align = 8;
    f->value = true;
    return true;
  case SpvOpTypeVoid:
  case SpvOpTypeFunction: return true;
  default: return refuse_type(s, at, "no compute shader needs it");
  }
}

uint32_t extent_of(const shader *s, uint32_t type, layout l)
{
  const uint32_t count = elements(s, type), of = arg(s, type, 2), size = fact_of(s, type)->size;
  if (!l.stride || (!is_vector(s, type) && !carries_layout(s, type)))
    return size;
  if (is_array(s, type))
    return count * stride_of(s, type);
  if (is_matrix(s, type) && l.row_major)
    return (elements(s, of) - 1) * l.stride + count * fact_of(s, scalar_of(s, type))->size;
  return (count - 1) * l.stride + fact_of(s, of)->size;
}

/* ---- The C ------------------------------------------------------------------------------------------------------ */

static void say_name(shader *s, uint32_t t)
{
  switch (op_of(s, t)) {
  case SpvOpTypeBool: say(s, "typedef uint32_t t%u;\n", t); break;
  case SpvOpTypeInt: say(s, "typedef uint%u_t t%u;\n", arg(s, t, 2), t); break;
  case SpvOpTypeFloat:
    say(s, "typedef %s t%u;\n", arg(s, t, 2) == 16 ? "xb_half" : arg(s, t, 2) == 32 ? "float" : "double", t);
    break;
  case SpvOpTypePointer: say(s, "typedef char *t%u;\n", t); break;
  case SpvOpTypeImage:
  case SpvOpTypeSampler: say(s, "typedef const xb_cpu_texture *t%u;\n", t); break;
  case SpvOpTypeSampledImage: say(s, "typedef xb_sampled t%u;\n", t); break;
  case SpvOpTypeStruct:
    say(s, "typedef struct {");
    for (uint32_t i = 2; i < args(s, t); i++)
      say(s, op_of(s, arg(s, t, i)) == SpvOpTypePointer ? " char *m%2$u;" : " t%1$u m%2$u;", arg(s, t, i), i - 2);
    say(s, " } t%u;\n", t);
    break;
  default: say(s, "typedef struct { t%u c[%u]; } t%u;\n", arg(s, t, 2), elements(s, t), t);
  }
}

/* Member by member, or element by element. `load`: else store. */
static void say_parts(shader *s, uint32_t t, bool load)
{
  const uint32_t of = arg(s, t, 2);
  char address[64], value[32];
  if (op_of(s, t) != SpvOpTypeStruct) {
    snprintf(address, sizeof address, "p + i * %uull", stride_of(s, t));
    say(s, "for (uint32_t i = 0; i < %u; i++) ", elements(s, t));
    if (load)
      say(s, "v.c[i] = "), say_load(s, of, (layout){0}, address);
    else
      say_store(s, of, (layout){0}, address, "v.c[i]");
    say(s, "; ");
    return;
  }
  for (uint32_t i = 0; i + 2 < args(s, t); i++) {
    snprintf(address, sizeof address, "p + %u", offset_of(s, t, i));
    snprintf(value, sizeof value, "v.m%u", i);
    const uint32_t member = arg(s, t, 2 + i);
    if (load)
      say(s, "%s = ", value), say_load(s, member, member_layout(s, t, i), address);
    else
      say_store(s, member, member_layout(s, t, i), address, value);
    say(s, "; ");
  }
}

static void say_transfer(shader *s, uint32_t t, bool load)
{
  say(s, load ? "XB_INLINE t%1$u ld%1$u(const char *p) { t%1$u v; " : "XB_INLINE void st%1$u(char *p, t%1$u v) { ", t);
  if (fact_of(s, t)->plain || !is_composite(s, t))
    say(s, load ? "__builtin_memcpy(&v, p, sizeof v); " : "__builtin_memcpy(p, &v, sizeof v); ");
  else
    say_parts(s, t, load);
  say(s, load ? "return v; }\n" : "}\n");
}

/* A vector whose numbers lie apart, a matrix, and arrays of matrices, by their layout. */
static void say_strided(shader *s, uint32_t t, bool load)
{
  const uint32_t of = arg(s, t, 2), size = fact_of(s, scalar_of(s, t))->size;
  const char *copy = load ? "__builtin_memcpy(&v%s, %s, %u); " : "__builtin_memcpy(%2$s, &v%1$s, %3$u); ";
  say(s,
      load ? "XB_INLINE t%1$u ldm%1$u(const char *p, uint32_t stride, int row) { t%1$u v; "
           : "XB_INLINE void stm%1$u(char *p, t%1$u v, uint32_t stride, int row) { ",
      t);
  if (is_array(s, t)) {
    say(s, "for (uint32_t i = 0; i < %u; i++) ", elements(s, t));
    say(s, load ? "v.c[i] = ldm%u(p + i * %uull, stride, row); " : "stm%u(p + i * %uull, v.c[i], stride, row); ", of,
        stride_of(s, t));
  } else if (is_matrix(s, t)) {
    say(s, "for (uint32_t i = 0; i < %u; i++) for (uint32_t k = 0; k < %u; k++) ", elements(s, t), elements(s, of));
    char address[96];
    snprintf(address, sizeof address, "p + (row ? k * stride + i * %u : i * stride + k * %u)", size, size);
    say(s, copy, ".c[i].c[k]", address, size);
  } else {
    say(s, "(void)row; for (uint32_t k = 0; k < %u; k++) ", elements(s, t));
    say(s, copy, ".c[k]", "p + k * stride", size);
  }
  say(s, load ? "return v; }\n" : "}\n");
}

void say_type(shader *s, uint32_t t)
{
  if (!fact_of(s, t)->value)
    return;
  say_name(s, t);
  for (int load = 0; load < 2; load++) {
    if (is_vector(s, t) || carries_layout(s, t))
      say_strided(s, t, load);
    say_transfer(s, t, load);
  }
}

static bool by_layout(const shader *s, uint32_t type, layout l)
{
  return l.stride && (is_vector(s, type) || carries_layout(s, type));
}

void say_load(shader *s, uint32_t type, layout l, const char *address)
{
  if (by_layout(s, type, l))
    say(s, "ldm%u(%s, %u, %d)", type, address, l.stride, l.row_major);
  else
    say(s, "ld%u(%s)", type, address);
}

void say_store(shader *s, uint32_t type, layout l, const char *address, const char *value)
{
  if (by_layout(s, type, l))
    say(s, "stm%u(%s, %s, %u, %d)", type, address, value, l.stride, l.row_major);
  else
    say(s, "st%u(%s, %s)", type, address, value);
}
