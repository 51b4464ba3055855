#include "guide/guide.h"
#include "guide/guide_layout.h"

#include <stdio.h>
#include <string.h>

enum { ELEMENTS = 5, MEMBERS = 8, WORDS = 64 + 16 * ELEMENTS };
/* Small integers would be denormals as floats. */
static const uint32_t FIRST = 0x3f800000;

typedef struct layout {
  uint32_t members, offsets[MEMBERS], stride; /* words */
} layout;

/* Finds the offset from which the kernel reads each member. */
static bool observe(xb_guide *g, const char *entry, uint32_t members, layout *found)
{
  uint32_t in[WORDS], out[ELEMENTS * MEMBERS] = {0};
  for (uint32_t i = 0; i < WORDS; i++)
    in[i] = FIRST + i;
  const xb_guide_job job = {.entry = entry, XB_GUIDE_IN(in), XB_GUIDE_OUT(out), .args = {.n = ELEMENTS}};
  if (!xb_guide_run(g, &job))
    return false;
  found->members = members;
  found->stride = out[MEMBERS] - out[0];
  for (uint32_t m = 0; m < members; m++)
    found->offsets[m] = out[m] - FIRST;
  for (uint32_t i = 0; i < ELEMENTS * MEMBERS; i++)
    if (i % MEMBERS < members && out[i] != out[i % MEMBERS] + i / MEMBERS * found->stride)
      return xb_guide_assert(g, false, "%s: element %u is not %u bytes after the previous one", entry, i / MEMBERS,
                             4 * found->stride);
  return true;
}

static void in_words(const layout *l, char *text, size_t bytes)
{
  size_t at = 0;
  for (uint32_t m = 0; m < l->members && at < bytes; m++)
    at += (size_t)snprintf(text + at, bytes - at, "%u%s", 4 * l->offsets[m], m + 1 < l->members ? ", " : "");
  if (at < bytes)
    snprintf(text + at, bytes - at, "; %u bytes each", 4 * l->stride);
}

static void hold_against(xb_guide *g, const char *what, const layout *got, const layout *expected)
{
  char text[160];
  const bool same = got->members == expected->members && got->stride == expected->stride &&
                    !memcmp(got->offsets, expected->offsets, got->members * sizeof *got->offsets);
  in_words(got, text, sizeof text);
  xb_guide_assert(g, same, "%s: scalars at bytes %s%s", what, text, same ? "" : ", which is not the expected layout");
}

static void run_round_trip(xb_guide *g)
{
  struct guide_vectors in[ELEMENTS], out[ELEMENTS], expected[ELEMENTS];
  for (uint32_t i = 0; i < ELEMENTS; i++) {
    const float f = (float)i;
    in[i] = (struct guide_vectors){
        .position = {f, -f, f / 3}, .kind = i, .velocity = {0.5f, f * f, 1e30f}, .mass = 1 + f / 7};
    expected[i] = in[i];
    expected[i].kind += 1000;
  }
  memset(out, 0xee, sizeof out);
  const xb_guide_job job = {
      .entry = "round_trip", XB_GUIDE_IN(in), XB_GUIDE_OUT(out), .args = {.n = ELEMENTS, .a = 1000}};
  xb_guide_expect(g, &job, "an array of structs there and back, one member changed", expected);
}

/* The members have the same offsets, but the elements have different sizes. CUDA aligns float2, and so the struct, to 8
 * bytes. glslang places members as HLSL does and elements as std430 does. Direct3D 12 has 28 bytes per element. */
static void hold_mixed(xb_guide *g, const layout *got)
{
  static const layout cuda = {.members = 7, .offsets = {0, 1, 2, 3, 4, 5, 6}, .stride = 8};
  static const layout glslang = {.members = 7, .offsets = {0, 1, 2, 3, 4, 5, 6}, .stride = 12};
  char text[160];
  if (g->cuda || g->glslc) {
    hold_against(
        g, g->cuda ? "uint, float3, float2, int, as CUDA has them" : "uint, float3, float2, int, as glslc has them",
        got, g->cuda ? &cuda : &glslang);
    return;
  }
  in_words(got, text, sizeof text);
  xb_guide_seen(g, "uint, float3, float2, int: scalars at bytes %s", text);
}

void xb_guide_case_layout(xb_guide *g)
{
  static const layout tight = {.members = 8, .offsets = {0, 1, 2, 3, 4, 5, 6, 7}, .stride = 8};
  _Static_assert(sizeof(struct guide_scalars) == 32 && sizeof(struct guide_vectors) == 32, "eight words each");
  _Static_assert(sizeof(struct guide_mixed) == 28, "no padding in C");
  layout got;
  xb_guide_assert(g, g->info->max_binding_bytes >= 128ull << 20, "a binding sees 128 MiB or more: %llu bytes here",
                  (unsigned long long)g->info->max_binding_bytes);
  xb_guide_assert(g, g->info->max_arg_bytes >= 128, "a kernel takes arguments of 128 bytes or more: %u here",
                  g->info->max_arg_bytes);
  if (!observe(g, "scalars", 8, &got))
    return;
  hold_against(g, "32-bit scalars alone, as in C", &got, &tight);
  if (!observe(g, "vectors", 8, &got))
    return;
  hold_against(g, "float3 with a scalar behind it, as in C", &got, &tight);
  if (!observe(g, "mixed", 7, &got))
    return;
  hold_mixed(g, &got);
  uint32_t words[MEMBERS] = {got.stride};
  memcpy(words + 1, got.offsets, got.members * sizeof *words);
  xb_guide_keep(g, "uint, float3, float2, int: its size and offsets", words, MEMBERS);
  run_round_trip(g);
}
