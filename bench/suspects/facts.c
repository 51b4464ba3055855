/* Operations of SPIR-V whose result the specification or the language leaves open for some operands. */
#include "core/spirv.h"
#include "suspects/suspects.h"

#include <string.h>

typedef struct fact {
  const char *name;   /* as in xb_suspect.facts */
  uint32_t ops[4];    /* 0: none */
  bool by_value;      /* only if the last operand is no constant */
  const char *ending; /* of sources that it holds for */
  const char *text;
} fact;

static const fact facts[] = {
    {"OpSMod",
     {SpvOpSMod},
     false,
     ".hlsl",
     "OpSMod has the sign of the divisor, and % of HLSL that of the dividend: the wrong operation"},
    {"OpSRem",
     {SpvOpSRem},
     false,
     "",
     "Vulkan leaves OpSRem of negative operands undefined without VK_KHR_maintenance8"},
    {"OpSMod",
     {SpvOpSMod},
     false,
     "",
     "Vulkan leaves OpSMod of negative operands undefined without VK_KHR_maintenance8"},
    {"OpFMod",
     {SpvOpFMod},
     false,
     ".hlsl",
     "OpFMod has the sign of the divisor, and % and fmod of HLSL that of the dividend: the wrong operation"},
    {"shift",
     {SpvOpShiftLeftLogical, SpvOpShiftRightLogical, SpvOpShiftRightArithmetic},
     true,
     "",
     "SPIR-V leaves a shift by as many bits as the word has undefined"},
    {"division", {SpvOpUDiv, SpvOpSDiv, SpvOpUMod}, true, "", "SPIR-V leaves a division of integers by 0 undefined"},
    {"OpConvertF",
     {SpvOpConvertFToU, SpvOpConvertFToS},
     false,
     "",
     "SPIR-V leaves the conversion of a float beyond the integer's range undefined"},
};
enum { FACTS = sizeof facts / sizeof *facts };

static bool is_in(const xb_spirv *m, const fact *f)
{
  for (size_t i = 0; i < sizeof f->ops / sizeof *f->ops && f->ops[i]; i++)
    for (const uint32_t *at = NULL; (at = xb_spirv_next(m, at, f->ops[i], 4));)
      if (!f->by_value || !xb_spirv_made(m, at[xb_spirv_length(at) - 1], SpvOpConstant, 4))
        return true;
  return false;
}

const char *xb_suspect_facts(const void *code, size_t bytes, const char *known, xb_arena *arena)
{
  xb_spirv m;
  const bool read = !xb_spirv_read(&m, "", code, bytes, NULL, 0, NULL);
  for (const fact *f = facts; f < facts + FACTS && read && known; f++)
    if (!strstr(known, f->name) && is_in(&m, f))
      known = xb_arena_text(arena, "%s%s%s", known, *known ? " " : "", f->name);
  xb_spirv_free(&m);
  return known;
}

void xb_suspect_say_facts(const char *known, const char *source, FILE *out)
{
  for (const fact *f = facts; f < facts + FACTS; f++) {
    const size_t length = strlen(source), ending = strlen(f->ending);
    if (strstr(known, f->name) && length >= ending && !strcmp(source + length - ending, f->ending))
      fprintf(out, "  in the code: %s\n", f->text);
  }
}
