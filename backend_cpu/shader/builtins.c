/* What a thread knows of its place: variables of the storage class Input. */
#include "shader/shader.h"

enum { MASKS = SpvBuiltInSubgroupLtMask - SpvBuiltInSubgroupEqMask };

/* Of three words, with the dimension; and of one. */
static const struct {
  uint32_t builtin;
  const char *three, *one;
} places[] = {
    {SpvBuiltInLocalInvocationId, "xb_block()->now->index[%1$u]", NULL},
    {SpvBuiltInWorkgroupId, "xb_block()->block[%1$u]", NULL},
    {SpvBuiltInNumWorkgroups, "xb_block()->grid[%1$u]", NULL},
    {SpvBuiltInWorkgroupSize, "xb_block()->size[%1$u]", NULL},
    {SpvBuiltInGlobalInvocationId, "xb_block()->block[%1$u] * xb_block()->size[%1$u] + xb_block()->now->index[%1$u]",
     NULL},
    {SpvBuiltInLocalInvocationIndex, NULL, "xb_block()->now->linear"},
    {SpvBuiltInSubgroupSize, NULL, "xb_block()->wave"},
    {SpvBuiltInSubgroupLocalInvocationId, NULL, "xb_lane()"},
    {SpvBuiltInSubgroupId, NULL, "xb_block()->now->lane / xb_block()->wave"},
    {SpvBuiltInNumSubgroups, NULL, "xb_waves()"},
    {SpvBuiltInDeviceIndex, NULL, "0"},
};

void say_builtin(shader *s, uint32_t variable)
{
  const uint32_t type = pointee(s, variable), builtin = xb_spirv_facts(&s->module, variable)->builtin - 1;
  const uint32_t width = is_vector(s, type) ? elements(s, type) : 1;
  say(s, "t%1$u i%2$u; char *const v%2$u = (char *)&i%2$u; ", type, variable);
  if (builtin >= SpvBuiltInSubgroupEqMask && builtin - SpvBuiltInSubgroupEqMask <= MASKS) {
    for (uint32_t i = 0; i < width; i++)
      say(s, "i%u.c[%u] = xb_lane_mask(%u, %u); ", variable, i, i, builtin - SpvBuiltInSubgroupEqMask);
    say(s, "\n");
    return;
  }
  for (size_t p = 0; p < sizeof places / sizeof *places; p++) {
    if (places[p].builtin != builtin)
      continue;
    for (uint32_t i = 0; i < width; i++) {
      say(s, is_vector(s, type) ? "i%u.c[%u] = " : "i%u = ", variable, i);
      say(s, places[p].three ? places[p].three : places[p].one, i);
      say(s, "; ");
    }
    say(s, "\n");
    return;
  }
  shader_refuse(s, XB_UNSUPPORTED, "the built-in variable %u is not translated", builtin);
}
