/* Constants, those that the description specializes, and expressions of them. */
#include "shader/shader.h"

#include <math.h>
#include <string.h>

bool is_constant(uint32_t op)
{
  return (op >= SpvOpConstantTrue && op <= SpvOpSpecConstantOp && op != SpvOpConstantSampler) || op == SpvOpUndef;
}

static uint64_t masked(const shader *s, uint32_t type, uint64_t bits)
{
  const uint32_t width = width_of(s, type);
  return width >= 64 ? bits : bits & ((UINT64_C(1) << width) - 1);
}

/* The bits as a signed number of its width. */
static int64_t as_signed(const shader *s, uint32_t type, uint64_t bits)
{
  const uint32_t left = 64 - width_of(s, type);
  return (int64_t)(bits << left) >> left;
}

static bool given(const shader *s, uint32_t id, uint64_t *value)
{
  uint32_t spec;
  if (!decorated(s, id, SpvDecorationSpecId, &spec))
    return false;
  for (uint32_t i = 0; i < s->desc->specialization_count; i++)
    if (s->desc->specializations[i].id == spec) {
      *value = s->desc->specializations[i].value;
      return true;
    }
  return false;
}

/* An expression of two integers of one width. *known is cleared for another operation. */
static uint64_t binary(const shader *s, uint32_t op, uint32_t type, uint64_t a, uint64_t b, bool *known)
{
  const int64_t x = as_signed(s, type, a), y = as_signed(s, type, b);
  const uint32_t width = width_of(s, type);
  const bool divides = b && !(y == -1 && x == INT64_MIN);
  switch (op) {
  case SpvOpIAdd: return a + b;
  case SpvOpISub: return a - b;
  case SpvOpIMul: return a * b;
  case SpvOpUDiv: return b ? a / b : UINT64_MAX;
  case SpvOpSDiv: return divides ? (uint64_t)(x / y) : UINT64_MAX;
  case SpvOpUMod: return b ? a % b : UINT64_MAX;
  case SpvOpSRem: return divides ? (uint64_t)(x % y) : 0;
  case SpvOpSMod: return divides ? (uint64_t)(x % y && (x % y < 0) != (y < 0) ? x % y + y : x % y) : 0;
  case SpvOpShiftLeftLogical: return a << (b & (width - 1));
  case SpvOpShiftRightLogical: return a >> (b & (width - 1));
  case SpvOpShiftRightArithmetic: return (uint64_t)(x >> (b & (width - 1)));
  case SpvOpBitwiseAnd: return a & b;
  case SpvOpBitwiseOr: return a | b;
  case SpvOpBitwiseXor: return a ^ b;
  case SpvOpIEqual: return a == b;
  case SpvOpINotEqual: return a != b;
  case SpvOpULessThan: return a < b;
  case SpvOpULessThanEqual: return a <= b;
  case SpvOpUGreaterThan: return a > b;
  case SpvOpUGreaterThanEqual: return a >= b;
  case SpvOpSLessThan: return x < y;
  case SpvOpSLessThanEqual: return x <= y;
  case SpvOpSGreaterThan: return x > y;
  case SpvOpSGreaterThanEqual: return x >= y;
  case SpvOpLogicalAnd: return a && b;
  case SpvOpLogicalOr: return a || b;
  case SpvOpLogicalEqual: return !a == !b;
  case SpvOpLogicalNotEqual: return !a != !b;
  default: *known = false; return 0;
  }
}

/* A number of a composite constant. */
static uint64_t extracted(const shader *s, const uint32_t *at, bool *known)
{
  uint32_t id = word(at, 4);
  for (uint32_t i = 5; i < xb_spirv_length(at); i++) {
    const uint32_t op = op_of(s, id);
    if (op != SpvOpConstantComposite && op != SpvOpSpecConstantComposite)
      break;
    id = arg(s, id, 3 + at[i]);
  }
  if (made_by(s, id) >= at) { /* what comes later would lead here again */
    *known = false;
    return 0;
  }
  return constant_bits(s, id, known);
}

static uint64_t expression(const shader *s, const uint32_t *at, bool *known)
{
  const uint32_t op = word(at, 3), first = word(at, 4);
  if (op == SpvOpCompositeExtract)
    return extracted(s, at, known);
  const uint32_t type = type_of(s, first);
  const uint64_t a = constant_bits(s, first, known);
  switch (op) {
  case SpvOpSelect: return constant_bits(s, word(at, a ? 5 : 6), known);
  case SpvOpSConvert: return (uint64_t)as_signed(s, type, a);
  case SpvOpUConvert:
  case SpvOpBitcast:
  case SpvOpCopyObject: return a;
  case SpvOpNot: return ~a;
  case SpvOpSNegate: return 0 - a;
  case SpvOpLogicalNot: return !a;
  default: return binary(s, op, type, a, constant_bits(s, word(at, 5), known), known);
  }
}

uint64_t constant_bits(const shader *s, uint32_t id, bool *known)
{
  const uint32_t *at = made_by(s, id);
  const uint32_t type = word(at, 1);
  uint64_t value;
  switch (xb_spirv_op(at)) {
  case SpvOpSpecConstantTrue:
  case SpvOpSpecConstantFalse: return given(s, id, &value) ? value != 0 : xb_spirv_op(at) == SpvOpSpecConstantTrue;
  case SpvOpConstantTrue: return 1;
  case SpvOpConstantFalse:
  case SpvOpConstantNull:
  case SpvOpUndef: return 0;
  case SpvOpSpecConstant:
  case SpvOpConstant:
    if (!given(s, id, &value))
      value = word(at, 3) | (uint64_t)word(at, 4) << 32;
    return masked(s, type, value);
  case SpvOpSpecConstantOp: return masked(s, type, expression(s, at, known));
  default: *known = false; return 0;
  }
}

uint32_t constant(const shader *s, uint32_t id)
{
  bool known = true;
  const uint64_t bits = constant_bits(s, id, &known);
  return known && bits <= UINT32_MAX ? (uint32_t)bits : 0;
}

/* Exact, also where it is no number. */
static void say_float(shader *s, uint32_t width, uint64_t bits)
{
  double value;
  if (width == 64) {
    memcpy(&value, &bits, sizeof value);
  } else if (width == 32) {
    const uint32_t half = (uint32_t)bits;
    float single;
    memcpy(&single, &half, sizeof single);
    value = (double)single;
  } else {
    const uint32_t exponent = bits >> 10 & 31;
    const double mantissa = (double)(bits & 1023);
    value = exponent == 31 ? (bits & 1023 ? (double)NAN : (double)INFINITY)
            : exponent     ? ldexp(mantissa + 1024, (int)exponent - 25)
                           : ldexp(mantissa, -24);
    value = bits >> 15 & 1 ? -value : value;
  }
  if (isnan(value))
    say(s, "XB_NAN%u(0x%llxull)", width, (unsigned long long)bits);
  else if (isinf(value))
    say(s, value < 0 ? "-INFINITY" : "INFINITY");
  else
    say(s, "%a", value);
}

static void say_scalar(shader *s, uint32_t type, uint64_t bits)
{
  if (is_float(s, type))
    say_float(s, width_of(s, type), bits);
  else
    say(s, op_of(s, type) == SpvOpTypePointer ? "(char *)%lluull" : "%lluull", (unsigned long long)bits);
}

static void refuse_expression(shader *s, uint32_t op, const char *of)
{
  shader_refuse(s, XB_UNSUPPORTED, "OpSpecConstantOp with %s%s is not translated", opcode_name(op), of);
}

/* An expression whose result is a vector: component by component. */
static void say_vector_expression(shader *s, uint32_t id)
{
  const uint32_t *at = made_by(s, id);
  const uint32_t type = word(at, 1);
  say(s, "{{");
  for (uint32_t i = 0; i < elements(s, type); i++) {
    bool known = is_vector(s, type);
    uint64_t operand[2] = {0};
    for (uint32_t k = 0; k < 2 && 4 + k < xb_spirv_length(at); k++)
      operand[k] = constant_bits(s, arg(s, word(at, 4 + k), 3 + i), &known);
    const uint64_t bits = binary(s, word(at, 3), scalar_of(s, type_of(s, word(at, 4))), operand[0], operand[1], &known);
    if (!known)
      refuse_expression(s, word(at, 3), " of vectors");
    say_scalar(s, scalar_of(s, type), masked(s, type, bits));
    say(s, ", ");
  }
  say(s, "}}");
}

static void say_value(shader *s, uint32_t id)
{
  const uint32_t op = op_of(s, id), type = type_of(s, id);
  const bool record = op_of(s, type) == SpvOpTypeStruct;
  if (op == SpvOpConstantComposite || op == SpvOpSpecConstantComposite) {
    say(s, record ? "{" : "{{");
    const uint32_t times = is_cooperative(s, type) ? elements(s, type) : 1; /* all elements are the same */
    for (uint32_t k = 0; k < times; k++)
      for (uint32_t i = 3; i < args(s, id) && !s->code; i++)
        say_value(s, arg(s, id, i)), say(s, ", ");
    say(s, record ? "}" : "}}");
  } else if (op == SpvOpSpecConstantOp && is_composite(s, type)) {
    say_vector_expression(s, id);
  } else if (is_composite(s, type) || op_of(s, type) == SpvOpTypeSampledImage) { /* OpConstantNull, OpUndef */
    say(s, "{0}");
  } else {
    bool known = true;
    const uint64_t bits = constant_bits(s, id, &known);
    if (!known)
      refuse_expression(s, arg(s, id, 3), "");
    say_scalar(s, type, bits);
  }
}

void say_constant(shader *s, uint32_t id)
{
  const uint32_t type = type_of(s, id);
  if (!fact_of(s, type)->value)
    return;
  say(s, "static const t%u v%u = ", type, id);
  say_value(s, id);
  say(s, ";\n");
}
