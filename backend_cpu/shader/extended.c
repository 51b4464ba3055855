/* Extended instructions: all of GLSL.std.450 but those of fragments, and the lines of debug information. */
#include "shader/shader.h"

#include "opcode_names.h"

#include <spirv_cross/GLSL.std.450.h>
#include <string.h>

/* The functions of C by its generic names: words/numbers.h chooses by the type. */
static const struct {
  uint32_t number;
  const char *formula;
} formulas[] = {
    {GLSLstd450Round, "XB_F(rint, $A)"},
    {GLSLstd450RoundEven, "XB_F(rint, $A)"},
    {GLSLstd450Trunc, "XB_F(trunc, $A)"},
    {GLSLstd450FAbs, "XB_F(fabs, $A)"},
    {GLSLstd450SAbs, "($S)$A < 0 ? 0u - $A : $A"},
    {GLSLstd450FSign, "($A > 0) - ($A < 0)"},
    {GLSLstd450SSign, "(($S)$A > 0) - (($S)$A < 0)"},
    {GLSLstd450Floor, "XB_F(floor, $A)"},
    {GLSLstd450Ceil, "XB_F(ceil, $A)"},
    {GLSLstd450Fract, "$A - XB_F(floor, $A)"},
    {GLSLstd450Radians, "$A * ($T)0.017453292519943295"},
    {GLSLstd450Degrees, "$A * ($T)57.29577951308232"},
    {GLSLstd450Sin, "XB_F(sin, $A)"},
    {GLSLstd450Cos, "XB_F(cos, $A)"},
    {GLSLstd450Tan, "XB_F(tan, $A)"},
    {GLSLstd450Asin, "XB_F(asin, $A)"},
    {GLSLstd450Acos, "XB_F(acos, $A)"},
    {GLSLstd450Atan, "XB_F(atan, $A)"},
    {GLSLstd450Sinh, "XB_F(sinh, $A)"},
    {GLSLstd450Cosh, "XB_F(cosh, $A)"},
    {GLSLstd450Tanh, "XB_F(tanh, $A)"},
    {GLSLstd450Asinh, "XB_F(asinh, $A)"},
    {GLSLstd450Acosh, "XB_F(acosh, $A)"},
    {GLSLstd450Atanh, "XB_F(atanh, $A)"},
    {GLSLstd450Atan2, "XB_F(atan2, $A, $B)"},
    {GLSLstd450Pow, "XB_F(pow, $A, $B)"},
    {GLSLstd450Exp, "XB_F(exp, $A)"},
    {GLSLstd450Log, "XB_F(log, $A)"},
    {GLSLstd450Exp2, "XB_F(exp2, $A)"},
    {GLSLstd450Log2, "XB_F(log2, $A)"},
    {GLSLstd450Sqrt, "XB_F(sqrt, $A)"},
    {GLSLstd450InverseSqrt, "1 / XB_F(sqrt, $A)"},
    {GLSLstd450FMin, "$B < $A ? $B : $A"},
    {GLSLstd450UMin, "$B < $A ? $B : $A"},
    {GLSLstd450SMin, "($S)$B < ($S)$A ? $B : $A"},
    {GLSLstd450FMax, "$A < $B ? $B : $A"},
    {GLSLstd450UMax, "$A < $B ? $B : $A"},
    {GLSLstd450SMax, "($S)$A < ($S)$B ? $B : $A"},
    {GLSLstd450NMin, "XB_F(fmin, $A, $B)"},
    {GLSLstd450NMax, "XB_F(fmax, $A, $B)"},
    {GLSLstd450FClamp, "XB_F(fmin, XB_F(fmax, $A, $B), $C)"},
    {GLSLstd450NClamp, "XB_F(fmin, XB_F(fmax, $A, $B), $C)"},
    {GLSLstd450UClamp, "$A < $B ? $B : $A > $C ? $C : $A"},
    {GLSLstd450SClamp, "($S)$A < ($S)$B ? $B : ($S)$A > ($S)$C ? $C : $A"},
    {GLSLstd450FMix, "$A * (1 - $C) + $B * $C"},
    {GLSLstd450Step, "$B < $A ? 0 : 1"},
    {GLSLstd450SmoothStep, "XB_SMOOTH($T, $A, $B, $C)"},
    {GLSLstd450Fma, "XB_F(fma, $A, $B, $C)"},
    {GLSLstd450FindILsb, "$A ? __builtin_ctzll($A) : -1"},
    {GLSLstd450FindUMsb, "xb_top_bit($A)"},
    {GLSLstd450FindSMsb, "xb_top_bit(($S)$A < 0 ? ($T)~$A : $A)"},
    {GLSLstd450Ldexp, "XB_F(ldexp, $A, ($V)$B)"},
};

/* Of whole vectors: a function of words/vectors.h, with the number's type, the components and the operands. */
static const struct {
  uint32_t number;
  const char *function;
} functions[] = {
    {GLSLstd450Length, "XB_LENGTH"},
    {GLSLstd450Distance, "XB_DISTANCE"},
    {GLSLstd450Cross, "XB_CROSS"},
    {GLSLstd450Normalize, "XB_NORMALIZE"},
    {GLSLstd450FaceForward, "XB_FACE"},
    {GLSLstd450Reflect, "XB_REFLECT"},
    {GLSLstd450Refract, "XB_REFRACT"},
    {GLSLstd450PackHalf2x16, "XB_PACK_HALF"},
    {GLSLstd450UnpackHalf2x16, "XB_UNPACK_HALF"},
    {GLSLstd450PackSnorm4x8, "XB_PACK_SNORM8"},
    {GLSLstd450PackUnorm4x8, "XB_PACK_UNORM8"},
    {GLSLstd450PackSnorm2x16, "XB_PACK_SNORM16"},
    {GLSLstd450PackUnorm2x16, "XB_PACK_UNORM16"},
    {GLSLstd450UnpackSnorm4x8, "XB_UNPACK_SNORM8"},
    {GLSLstd450UnpackUnorm4x8, "XB_UNPACK_UNORM8"},
    {GLSLstd450UnpackSnorm2x16, "XB_UNPACK_SNORM16"},
    {GLSLstd450UnpackUnorm2x16, "XB_UNPACK_UNORM16"},
    {GLSLstd450PackDouble2x32, "XB_BITCAST_OF"},
    {GLSLstd450UnpackDouble2x32, "XB_BITCAST_OF"},
    {GLSLstd450Determinant, "XB_DETERMINANT"},
    {GLSLstd450MatrixInverse, "XB_INVERSE"},
};

/* Both parts of a number: the second through a pointer, or in a struct. */
static bool two_parts(shader *s, const uint32_t *at, uint32_t number)
{
  const uint32_t id = word(at, 2), from = word(at, 5), type = type_of(s, from);
  const bool record = number == GLSLstd450ModfStruct || number == GLSLstd450FrexpStruct;
  const bool modf = number == GLSLstd450ModfStruct || number == GLSLstd450Modf;
  if (!record && number != GLSLstd450Modf && number != GLSLstd450Frexp)
    return false;
  const uint32_t second = record ? arg(s, word(at, 1), 3) : pointee(s, word(at, 6));
  say(s, "{ t%u other_; ", second);
  for (uint32_t i = 0; i < (is_vector(s, type) ? elements(s, type) : 1); i++) {
    char part[16] = "";
    if (is_vector(s, type))
      snprintf(part, sizeof part, ".c[%u]", i);
    say(s, "v%u%s%s = XB_%s(t%u, v%u%s, other_%s); ", id, record ? ".m0" : "", part, modf ? "MODF" : "FREXP",
        scalar_of(s, type), from, part, part);
  }
  if (record) {
    say(s, "v%u.m1 = other_; }\n", id);
  } else {
    char address[24];
    snprintf(address, sizeof address, "v%u", word(at, 6));
    say_store(s, second, fact_of(s, word(at, 6))->layout, address, "other_");
    say(s, "; }\n");
  }
  return true;
}

static const char *name_of(uint32_t number)
{
  for (size_t i = 0; i < sizeof glsl_names / sizeof *glsl_names; i++)
    if (glsl_names[i].op == number)
      return glsl_names[i].name;
  return "a function without a name here";
}

/* OpLine of NonSemantic.Shader.DebugInfo.100: DebugLine, with the source, and the line as a constant. */
static void take_line(shader *s, const uint32_t *at)
{
  enum { DEBUG_LINE = 103 };
  if (word(at, 4) != DEBUG_LINE)
    return;
  const uint32_t source = word(at, 5);
  if (op_of(s, source) == SpvOpExtInst && fact_of(s, arg(s, source, 5))->text)
    s->file = fact_of(s, arg(s, source, 5))->text;
  s->line = constant(s, word(at, 6));
}

bool extended(shader *s, const uint32_t *at)
{
  const uint32_t number = word(at, 4), id = word(at, 2);
  if (xb_spirv_op(at) != SpvOpExtInst)
    return false;
  if (word(at, 3) != s->glsl || !s->glsl) {
    const char *name = xb_spirv_text(made_by(s, word(at, 3)), 2);
    if (s->debug && word(at, 3) == s->debug)
      take_line(s, at);
    else if (!name || strncmp(name, "NonSemantic.", 12) != 0)
      shader_refuse(s, XB_UNSUPPORTED, "instructions of the set '%.60s' are not translated", name ? name : "");
    return true;
  }
  const uint32_t operands[4] = {word(at, 5), word(at, 6), word(at, 7), 0};
  for (size_t i = 0; i < sizeof formulas / sizeof *formulas; i++)
    if (formulas[i].number == number) {
      say_formula(s, id, formulas[i].formula, operands);
      return true;
    }
  for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
    if (functions[i].number == number) {
      const uint32_t type = type_of(s, operands[0]);
      say(s, "%s(t%u, %u, v%u", functions[i].function, scalar_of(s, type), elements(s, type), id);
      for (uint32_t k = 5; k < xb_spirv_length(at); k++)
        say(s, ", v%u", at[k]);
      say(s, ");\n");
      return true;
    }
  if (!two_parts(s, at, number))
    shader_refuse(s, XB_UNSUPPORTED, "%s of GLSL.std.450 is not translated", name_of(number));
  return true;
}
