/* Operations of SPIR-V whose result the specification or the language leaves open for some operands. */
#include "core/spirv.h"
#include "suspects/suspects.h"

#include <spirv_cross/GLSL.std.450.h>
#include <string.h>

static const struct {
  const char *fact; /* as in xb_suspect.facts */
  uint32_t op;
  bool by_value; /* only if the last operand is no constant */
} operations[] = {{"OpSMod", SpvOpSMod, false},
                  {"OpSRem", SpvOpSRem, false},
                  {"OpFMod", SpvOpFMod, false},
                  {"shift", SpvOpShiftLeftLogical, true},
                  {"shift", SpvOpShiftRightLogical, true},
                  {"shift", SpvOpShiftRightArithmetic, true},
                  {"division", SpvOpUDiv, true},
                  {"division", SpvOpSDiv, true},
                  {"division", SpvOpUMod, true},
                  {"OpConvertF", SpvOpConvertFToU, false},
                  {"OpConvertF", SpvOpConvertFToS, false},
                  {"Fma", SpvOpExtInst, false}};

static const struct {
  const char *fact, *ending, *text; /* ending: of sources that it holds for */
} texts[] = {
    {"OpSMod", ".hlsl", "OpSMod has the sign of the divisor, and % of HLSL that of the dividend: the wrong operation"},
    {"OpSRem", "", "Vulkan leaves OpSRem of negative operands undefined without VK_KHR_maintenance8"},
    {"OpSMod", "", "Vulkan leaves OpSMod of negative operands undefined without VK_KHR_maintenance8"},
    {"OpFMod", ".hlsl", "OpFMod has the sign of the divisor, and % of HLSL that of the dividend: the wrong operation"},
    {"shift", "", "SPIR-V leaves a shift by the width of the word or more undefined"},
    {"division", "", "SPIR-V leaves a division of integers by 0 undefined"},
    {"OpConvertF", "", "SPIR-V leaves the conversion of a float beyond the integer's range undefined"},
    {"Fma", "", "Vulkan lets Fma of GLSL.std.450 round twice, as a multiplication and an addition"},
};

static bool is_fma(const xb_spirv *m, const uint32_t *at)
{
  const uint32_t *set = xb_spirv_length(at) > 4 ? xb_spirv_made(m, at[3], SpvOpExtInstImport, 3) : NULL;
  const char *name = set ? xb_spirv_text(set, 2) : NULL;
  return name && !strcmp(name, "GLSL.std.450") && at[4] == GLSLstd450Fma;
}

const char *xb_suspect_facts(const void *code, size_t bytes, const char *known, xb_arena *arena)
{
  xb_spirv m;
  const bool read = !xb_spirv_read(&m, "", code, bytes, NULL, 0, NULL);
  for (size_t i = 0; read && i < sizeof operations / sizeof *operations; i++) {
    const uint32_t op = operations[i].op;
    for (const uint32_t *at = NULL; known && (at = xb_spirv_next(&m, at, op, 4)) && !strstr(known, operations[i].fact);)
      if (op == SpvOpExtInst
              ? is_fma(&m, at)
              : !operations[i].by_value || !xb_spirv_made(&m, at[xb_spirv_length(at) - 1], SpvOpConstant, 4))
        known = xb_arena_text(arena, "%s%s%s", known, *known ? " " : "", operations[i].fact);
  }
  xb_spirv_free(&m);
  return known;
}

void xb_suspect_say_facts(const char *known, const char *source, FILE *out)
{
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    const size_t length = strlen(source), ending = strlen(texts[i].ending);
    if (strstr(known, texts[i].fact) && length >= ending && !strcmp(source + length - ending, texts[i].ending))
      fprintf(out, "  in the code: %s\n", texts[i].text);
  }
}
