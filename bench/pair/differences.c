/* What differs between the sides of a pair beside their sources: named when their results differ. */
#include "base/word_list.h"
#include "pair/link.h"

#include <stdio.h>
#include <string.h>

/* ---- What a module of SPIR-V leaves to the driver ---------------------------------------------------------------- */

/* Functions of GLSL.std.450 that Vulkan allows an error of more than half an ulp. */
static const struct {
  uint32_t number;
  const char *name;
} functions[] = {{13, "sin"},  {14, "cos"},   {15, "tan"},  {16, "asin"}, {17, "acos"},
                 {18, "atan"}, {25, "atan2"}, {26, "pow"},  {27, "exp"},  {28, "log"},
                 {29, "exp2"}, {30, "log2"},  {31, "sqrt"}, {21, "tanh"}, {32, "rsqrt"}};
enum { FUNCTIONS = sizeof functions / sizeof *functions, FMA = 50 };

/* A sum of a product that the driver may round once: no NoContraction forbids it. */
static bool may_fuse(const xb_spirv *m, const uint32_t *sum, const uint8_t *exact)
{
  for (uint32_t i = 3; i < 5; i++) {
    const uint32_t of = sum[i] < m->bound ? sum[i] : 0;
    if (exact[of] == 2 && !(exact[sum[2]] & 1))
      return true;
  }
  return false;
}

void xb_spirv_note_floats(const xb_spirv *m, xb_arena *arena, xb_reflection *r)
{
  uint8_t *exact = xb_arena_take(arena, m->bound, sizeof *exact); /* 1: NoContraction; 2: a product */
  for (const uint32_t *at = NULL; exact && (at = xb_spirv_next(m, at, SpvOpDecorate, 3));)
    exact[at[1] < m->bound ? at[1] : 0] |= at[2] == SpvDecorationNoContraction;
  for (const uint32_t *at = NULL; exact && (at = xb_spirv_next(m, at, SpvOpFMul, 5));)
    exact[at[2] < m->bound ? at[2] : 0] |= 2;
  for (uint32_t op = SpvOpFAdd; exact && op <= SpvOpFSub; op += SpvOpFSub - SpvOpFAdd)
    for (const uint32_t *at = NULL; (at = xb_spirv_next(m, at, op, 5));)
      r->fuses |= at[2] < m->bound && may_fuse(m, at, exact);
  for (const uint32_t *at = NULL; (at = xb_spirv_next(m, at, SpvOpExtInst, 6));) {
    r->fuses |= at[4] == FMA; /* optimizers make it of a product and a sum; drivers may split it again */
    for (uint32_t i = 0; i < FUNCTIONS; i++)
      r->functions |= at[4] == functions[i].number ? 1u << i : 0;
  }
  r->divides = xb_spirv_next(m, NULL, SpvOpFDiv, 5);
  for (const uint32_t *at = NULL; (at = xb_spirv_next(m, at, SpvOpCapability, 2));)
    r->uses_waves |= at[1] >= SpvCapabilityGroupNonUniform && at[1] <= SpvCapabilityGroupNonUniformQuad;
}

/* ---- In words ---------------------------------------------------------------------------------------------------- */

/* Of all kernels of a side. */
static xb_reflection all_of(const xb_pair_side *side)
{
  xb_reflection all = {0};
  for (uint32_t k = 0; k < side->kernel_count; k++) {
    const xb_reflection *r = &side->codes[k].reflection;
    all.fuses |= r->fuses;
    all.divides |= r->divides;
    all.uses_waves |= r->uses_waves;
    all.functions |= r->functions;
  }
  return all;
}

/* Of CUDA: a flag that its compilers have with one dash and with two. */
static bool has_flag(const xb_pair_side *side, const char *flag)
{
  bool has = false;
  for (const char *const *f = side->source.flags; f && *f; f++)
    has |= !strcmp(*f + (!strncmp(*f, "--", 2)), flag);
  return has;
}

typedef enum about { WAVES, CONTRACTION, PRECISION, ABOUTS } about;

/* What a side has of it; "": nothing that could differ. */
static void say(about what, const xb_pair_side *side, uint32_t wave, char text[160])
{
  const bool cuda = xb_link_is_cuda(side), fast = has_flag(side, "-use_fast_math");
  const xb_reflection all = all_of(side);
  char names[120] = "";
  *text = 0;
  switch (what) {
  case WAVES: snprintf(text, 160, "waves of %u", wave); break;
  case CONTRACTION:
    snprintf(text, 160, "%s",
             !cuda ? all.fuses ? "a * b + c fused or not, as the driver chooses" : ""
             : side->source.for_cpu || has_flag(side, "-fmad=false") ? "a * b + c rounded twice"
                                                                     : "a * b + c fused");
    break;
  default:
    for (uint32_t i = 0; i < FUNCTIONS; i++)
      if (all.functions >> i & 1)
        xb_add_listed(names, sizeof names, functions[i].name);
    if (all.divides)
      xb_add_listed(names, sizeof names, "/");
    if (cuda)
      snprintf(text, 160, "functions %s",
               side->source.for_cpu ? "of the C library"
               : fast               ? "of -use_fast_math"
                                    : "as precise as CUDA's");
    else if (*names)
      snprintf(text, 160, "%s with the precision that Vulkan requires", names);
  }
}

const char *xb_pair_differences(const xb_pair *pair, const uint32_t *waves, char out[480])
{
  bool any_waves = false, floats = false;
  *out = 0;
  for (uint32_t i = 0; i < pair->side_count; i++)
    any_waves |= all_of(&pair->sides[i]).uses_waves;
  for (uint32_t b = 0; b < pair->buffer_count; b++)
    for (uint32_t m = 0; m < pair->buffers[b].element.member_count; m++)
      floats |= xb_is_float(pair->buffers[b].element.members[m].dtype);
  for (about what = any_waves ? WAVES : CONTRACTION; what < (floats ? ABOUTS : CONTRACTION); what++) {
    char said[XB_PAIR_SIDES][160];
    bool differ = false, all = true;
    for (uint32_t i = 0; i < pair->side_count; i++) {
      say(what, &pair->sides[i], waves[i], said[i]);
      all &= *said[i] != 0;
      differ |= strcmp(said[i], said[0]) != 0;
    }
    for (uint32_t i = 0; i < pair->side_count && all && differ; i++) {
      const size_t at = strlen(out);
      snprintf(out + at, 480 - at, "%s%s: %s", !at ? "" : i ? ", " : "; ", pair->sides[i].label, said[i]);
    }
  }
  return out;
}
