/* Arithmetic, comparisons, conversions and bits: each component of the result by a formula (say_formula). */
#include "shader/shader.h"

#include <string.h>

/* Both sides of an OpSelect are computed, so an integer division by 0 that nobody uses is no mistake: its result has
 * all bits, as in Direct3D. Shifts are masked, as in HLSL. SPIR-V leaves both undefined. */
static const struct {
  uint32_t op;
  const char *formula;
} formulas[] = {
    {SpvOpIAdd, "$A + $B"},
    {SpvOpISub, "$A - $B"},
    {SpvOpIMul, "1u * $A * $B"},
    {SpvOpUDiv, "$B ? $A / $B : ($T)-1"},
    {SpvOpSDiv, "$B == 0 ? ($T)-1 : $B == ($T)-1 ? ($T)0 - $A : ($T)(($S)$A / ($S)$B)"},
    {SpvOpUMod, "$B ? $A % $B : ($T)-1"},
    {SpvOpSRem, "($T)($B + 1) <= 1 ? 0 : ($S)$A % ($S)$B"},
    {SpvOpSMod, "($T)($B + 1) <= 1 ? 0 : XB_SMOD($S, $A, $B)"},
    {SpvOpSNegate, "0u - $A"},
    {SpvOpFAdd, "$A + $B"},
    {SpvOpFSub, "$A - $B"},
    {SpvOpFMul, "$A * $B"},
    {SpvOpFDiv, "$A / $B"},
    {SpvOpFRem, "XB_FREM($A, $B)"},
    {SpvOpFMod, "XB_FMOD($A, $B)"},
    {SpvOpFNegate, "-$A"},
    {SpvOpNot, "~$A"},
    {SpvOpBitwiseAnd, "$A & $B"},
    {SpvOpBitwiseOr, "$A | $B"},
    {SpvOpBitwiseXor, "$A ^ $B"},
    {SpvOpShiftLeftLogical, "$A << ($B & ($N - 1))"},
    {SpvOpShiftRightLogical, "$A >> ($B & ($N - 1))"},
    {SpvOpShiftRightArithmetic, "($V)$A >> ($B & ($N - 1))"},
    {SpvOpIEqual, "$A == $B"},
    {SpvOpINotEqual, "$A != $B"},
    {SpvOpULessThan, "$A < $B"},
    {SpvOpULessThanEqual, "$A <= $B"},
    {SpvOpUGreaterThan, "$A > $B"},
    {SpvOpUGreaterThanEqual, "$A >= $B"},
    {SpvOpSLessThan, "($V)$A < ($V)$B"},
    {SpvOpSLessThanEqual, "($V)$A <= ($V)$B"},
    {SpvOpSGreaterThan, "($V)$A > ($V)$B"},
    {SpvOpSGreaterThanEqual, "($V)$A >= ($V)$B"},
    {SpvOpFOrdEqual, "$A == $B"},
    {SpvOpFOrdNotEqual, "$A < $B || $A > $B"},
    {SpvOpFOrdLessThan, "$A < $B"},
    {SpvOpFOrdLessThanEqual, "$A <= $B"},
    {SpvOpFOrdGreaterThan, "$A > $B"},
    {SpvOpFOrdGreaterThanEqual, "$A >= $B"},
    {SpvOpFUnordEqual, "!($A < $B || $A > $B)"},
    {SpvOpFUnordNotEqual, "$A != $B"},
    {SpvOpFUnordLessThan, "!($A >= $B)"},
    {SpvOpFUnordLessThanEqual, "!($A > $B)"},
    {SpvOpFUnordGreaterThan, "!($A <= $B)"},
    {SpvOpFUnordGreaterThanEqual, "!($A < $B)"},
    {SpvOpOrdered, "$A == $A && $B == $B"},
    {SpvOpUnordered, "$A != $A || $B != $B"},
    {SpvOpLessOrGreater, "$A < $B || $A > $B"},
    {SpvOpLogicalAnd, "$A && $B"},
    {SpvOpLogicalOr, "$A || $B"},
    {SpvOpLogicalNot, "!$A"},
    {SpvOpLogicalEqual, "!$A == !$B"},
    {SpvOpLogicalNotEqual, "!$A != !$B"},
    {SpvOpIsNan, "$A != $A"},
    {SpvOpIsInf, "XB_IS_INF($A)"},
    {SpvOpIsFinite, "$A - $A == 0"},
    {SpvOpSignBitSet, "XB_SIGN_BIT($A)"},
    {SpvOpConvertUToF, "$A"},
    {SpvOpConvertSToF, "($V)$A"},
    {SpvOpUConvert, "$A"},
    {SpvOpSConvert, "($S)($V)$A"},
    {SpvOpFConvert, "$A"},
    {SpvOpQuantizeToF16, "xb_quantize($A)"},
    {SpvOpConvertFToU, "XB_FLOAT_TO_UINT($T, $A)"},
    {SpvOpConvertFToS, "XB_FLOAT_TO_INT($S, $M, $A)"},
    {SpvOpSatConvertSToU, "($V)$A < 0 ? 0 : $A > ($T)-1 ? ($T)-1 : $A"},
    {SpvOpBitCount, "__builtin_popcountll($A)"},
    {SpvOpBitReverse, "xb_reverse($A, $N)"},
    {SpvOpBitFieldInsert, "($A & ~(xb_ones($D) << $C)) | ($B & xb_ones($D)) << $C"},
    {SpvOpBitFieldUExtract, "$A >> $B & xb_ones($C)"},
    {SpvOpBitFieldSExtract, "$C ? ($V)($T)($A << ($N - $C - $B)) >> ($N - $C) : 0"},
    {SpvOpSelect, "$A ? $B : $C"},
    {SpvOpUCountLeadingZerosINTEL, "(int)$N - 1 - xb_top_bit($A)"},
    {SpvOpUCountTrailingZerosINTEL, "$A ? __builtin_ctzll($A) : $N"},
    {SpvOpAbsISubINTEL, "($V)$A < ($V)$B ? $B - $A : $A - $B"},
    {SpvOpAbsUSubINTEL, "$A < $B ? $B - $A : $A - $B"},
    {SpvOpIAddSatINTEL, "XB_SATURATE_INT((__int128)($V)$A + ($V)$B, $N)"},
    {SpvOpUAddSatINTEL, "XB_SATURATE_UINT((__int128)$A + $B, $N)"},
    {SpvOpISubSatINTEL, "XB_SATURATE_INT((__int128)($V)$A - ($V)$B, $N)"},
    {SpvOpUSubSatINTEL, "XB_SATURATE_UINT((__int128)$A - $B, $N)"},
    {SpvOpIAverageINTEL, "((__int128)($V)$A + ($V)$B) >> 1"},
    {SpvOpUAverageINTEL, "((__int128)$A + $B) >> 1"},
    {SpvOpIAverageRoundedINTEL, "((__int128)($V)$A + ($V)$B + 1) >> 1"},
    {SpvOpUAverageRoundedINTEL, "((__int128)$A + $B + 1) >> 1"},
    {SpvOpIMul32x16INTEL, "1u * $A * ($T)(int16_t)$B"},
    {SpvOpUMul32x16INTEL, "1u * $A * (uint16_t)$B"},
};

static void say_component(shader *s, uint32_t id, uint32_t i)
{
  say(s, is_vector(s, type_of(s, id)) || is_cooperative(s, type_of(s, id)) ? "v%u.c[%u]" : "v%u", id, i);
}

void say_formula(shader *s, uint32_t id, const char *formula, const uint32_t *operands)
{
  const uint32_t type = type_of(s, id), scalar = scalar_of(s, type);
  const uint32_t count = is_vector(s, type) || is_cooperative(s, type) ? elements(s, type) : 1;
  const uint32_t first = scalar_of(s, type_of(s, operands[0]));
  for (uint32_t i = 0; i < count; i++) {
    say_component(s, id, i);
    say(s, " = (t%u)(", scalar);
    for (const char *p = formula; *p; p++) {
      const size_t plain = strcspn(p, "$");
      if (plain) {
        say(s, "%.*s", (int)plain, p);
        p += plain - 1;
        continue;
      }
      switch (*++p) {
      case 'T': say(s, "t%u", scalar); break;
      case 'S': say(s, "int%u_t", width_of(s, scalar)); break;
      case 'U': say(s, "t%u", first); break;
      case 'V': say(s, "int%u_t", width_of(s, first)); break;
      case 'N': say(s, "%u", width_of(s, first)); break;
      case 'M': say(s, "%u", width_of(s, scalar)); break;
      default: say_component(s, operands[*p - 'A'], i);
      }
    }
    say(s, "); ");
  }
  say(s, "\n");
}

/* Both halves of a product, or a sum and its carry: a struct of two. */
static void say_two(shader *s, const uint32_t *at)
{
  const uint32_t op = xb_spirv_op(at), id = word(at, 2), a = word(at, 3), b = word(at, 4), type = type_of(s, a);
  const uint32_t width = width_of(s, type);
  if (width == 64 && (op == SpvOpUMulExtended || op == SpvOpSMulExtended))
    say(s, "{ typedef %s wide_; ", op == SpvOpUMulExtended ? "unsigned __int128" : "__int128");
  for (uint32_t i = 0; i < (is_vector(s, type) ? elements(s, type) : 1); i++) {
    char part[16] = "";
    if (is_vector(s, type))
      snprintf(part, sizeof part, ".c[%u]", i);
    switch (op) {
    case SpvOpIAddCarry:
      say(s, "v%1$u.m0%4$s = v%2$u%4$s + v%3$u%4$s; v%1$u.m1%4$s = v%1$u.m0%4$s < v%2$u%4$s; ", id, a, b, part);
      break;
    case SpvOpISubBorrow:
      say(s, "v%1$u.m0%4$s = v%2$u%4$s - v%3$u%4$s; v%1$u.m1%4$s = v%2$u%4$s < v%3$u%4$s; ", id, a, b, part);
      break;
    default:
      say(s, width == 64 ? "{ const wide_ all_ = " : "{ const uint64_t all_ = ");
      if (width == 64)
        say(s, op == SpvOpUMulExtended ? "(wide_)v%u%s * v%u%s; " : "(wide_)(int64_t)v%u%s * (int64_t)v%u%s; ", a, part,
            b, part);
      else
        say(s,
            op == SpvOpUMulExtended ? "(uint64_t)v%1$u%2$s * v%3$u%2$s; "
                                    : "(uint64_t)((int64_t)(int%4$u_t)v%1$u%2$s * (int%4$u_t)v%3$u%2$s); ",
            a, part, b, width);
      say(s, "v%1$u.m0%2$s = all_; v%1$u.m1%2$s = all_ >> %3$u; } ", id, part, width);
    }
  }
  say(s, width == 64 && (op == SpvOpUMulExtended || op == SpvOpSMulExtended) ? "}\n" : "\n");
}

/* SPV_KHR_integer_dot_product: opcodes 4450 to 4455. Both operands are vectors, or words of four bytes. */
enum { OP_SDOT = 4450, OP_UDOT, OP_SUDOT, OP_SDOT_SATURATED, OP_UDOT_SATURATED, OP_SUDOT_SATURATED };

static void say_integer_dot(shader *s, const uint32_t *at)
{
  const uint32_t op = xb_spirv_op(at), id = word(at, 2), type = word(at, 1), in = type_of(s, word(at, 3));
  const bool saturated = op >= OP_SDOT_SATURATED, packed = !is_vector(s, in);
  const uint32_t kind = saturated ? op - 3 : op, count = packed ? 4 : elements(s, in),
                 bits = packed ? 8 : width_of(s, in);
  const bool is_signed[2] = {kind != OP_UDOT, kind == OP_SDOT};
  say(s, "{ __int128 sum_ = 0; ");
  for (uint32_t i = 0; i < count; i++) {
    say(s, "sum_ += (__int128)1");
    for (uint32_t k = 0; k < 2; k++) {
      say(s, is_signed[k] ? " * (int%u_t)" : " * (uint%u_t)", bits);
      if (packed)
        say(s, "(v%u >> %u)", word(at, 3 + k), 8 * i);
      else
        say(s, "v%u.c[%u]", word(at, 3 + k), i);
    }
    say(s, "; ");
  }
  if (saturated)
    say(s,
        is_signed[0] ? "sum_ += (int%1$u_t)v%2$u; sum_ = XB_SATURATE_INT(sum_, %1$u); "
                     : "sum_ += v%2$u; sum_ = XB_SATURATE_UINT(sum_, %1$u); ",
        width_of(s, type), word(at, 5));
  say(s, "v%u = (t%u)sum_; }\n", id, type);
}

static void say_dot(shader *s, const uint32_t *at)
{
  const uint32_t a = word(at, 3), b = word(at, 4);
  say(s, "v%u = v%u.c[0] * v%u.c[0]", word(at, 2), a, b);
  for (uint32_t i = 1; i < elements(s, type_of(s, a)); i++)
    say(s, " + v%1$u.c[%3$u] * v%2$u.c[%3$u]", a, b, i);
  say(s, ";\n");
}

static void say_all(shader *s, const uint32_t *at)
{
  const bool all = xb_spirv_op(at) == SpvOpAll;
  say(s, "v%u = %d", word(at, 2), all);
  for (uint32_t i = 0; i < elements(s, type_of(s, word(at, 3))); i++)
    say(s, " %s v%u.c[%u]", all ? "&&" : "||", word(at, 3), i);
  say(s, ";\n");
}

bool numbers(shader *s, const uint32_t *at)
{
  const uint32_t op = xb_spirv_op(at), id = word(at, 2), type = word(at, 1);
  if (op == SpvOpSelect && !is_vector(s, type_of(s, word(at, 3)))) { /* also of arrays, structs and pointers */
    say(s, "v%u = v%u ? v%u : v%u;\n", id, word(at, 3), word(at, 4), word(at, 5));
    return true;
  }
  if (op == SpvOpVectorTimesScalar) {
    for (uint32_t i = 0; i < elements(s, type); i++)
      say(s, "v%1$u.c[%4$u] = v%2$u.c[%4$u] * v%3$u; ", id, word(at, 3), word(at, 4), i);
    say(s, "\n");
    return true;
  }
  if (op >= OP_SDOT && op <= OP_SUDOT_SATURATED) {
    say_integer_dot(s, at);
    return true;
  }
  switch (op) {
  case SpvOpUMulExtended:
  case SpvOpSMulExtended:
  case SpvOpIAddCarry:
  case SpvOpISubBorrow: say_two(s, at); return true;
  case SpvOpDot: say_dot(s, at); return true;
  case SpvOpAny:
  case SpvOpAll: say_all(s, at); return true;
  case SpvOpBitcast:
  case SpvOpConvertPtrToU:
  case SpvOpConvertUToPtr: say(s, "XB_BITCAST(v%u, v%u);\n", id, word(at, 3)); return true;
  default: break;
  }
  for (size_t i = 0; i < sizeof formulas / sizeof *formulas; i++)
    if (formulas[i].op == op) {
      const uint32_t operands[4] = {word(at, 3), word(at, 4), word(at, 5), word(at, 6)};
      say_formula(s, id, formulas[i].formula, operands);
      return true;
    }
  return false;
}
