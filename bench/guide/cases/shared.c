#include "guide/guide.h"

enum { SEED = 12345 };

static void reference(uint32_t words, uint32_t *sums)
{
  for (uint32_t thread = 0; thread < GUIDE_BLOCK; thread++) {
    sums[thread] = 0;
    for (uint32_t r = thread; r < words; r += GUIDE_BLOCK)
      sums[thread] = sums[thread] * 31 + (words - 1 - r) * 2654435761u + SEED;
  }
}

/* Returns false if the case has to end. */
static bool run_size(xb_guide *g, const char *entry, const char *what, uint32_t bytes, uint32_t dynamic)
{
  uint32_t got[GUIDE_BLOCK] = {0}, expected[GUIDE_BLOCK];
  const xb_guide_job job = {.entry = entry,
                            XB_GUIDE_OUT(got),
                            .groups = {1, 1, 1},
                            .dynamic_shared_bytes = dynamic,
                            .args = {.n = bytes / 4, .a = SEED}};
  reference(bytes / 4, expected);
  return xb_guide_expect(g, &job, what, expected);
}

static void run_beyond(xb_guide *g)
{
  const uint32_t most = g->info->shared_optin_bytes;
  xb_error error;
  uint32_t got[GUIDE_BLOCK] = {0};
  if (g->cuda && most > g->info->shared_bytes) {
    run_size(g, "dynamic", "the maximum on request, as an argument of the launch", most / 256 * 256, most / 256 * 256);
    return;
  }
  const xb_guide_job job = {.entry = g->cuda ? "dynamic" : "k16",
                            XB_GUIDE_OUT(got),
                            .groups = {1, 1, 1},
                            .dynamic_shared_bytes = g->cuda ? most + 256 : 1024,
                            .args = {.n = 256, .a = SEED}};
  const xb_code code = xb_guide_try(g, &job, &error);
  xb_guide_assert(g, code == XB_UNSUPPORTED, "%s: %s",
                  g->cuda ? "more than the maximum is refused" : "a size given at launch has no equivalent",
                  code ? error.message : "ran");
}

void xb_guide_case_shared(xb_guide *g)
{
  const uint32_t most = g->info->shared_bytes, on_request = g->info->shared_optin_bytes;
  xb_guide_seen(g, "a group may have %u bytes, %u on request", most, on_request);
  if (g->cuda)
    xb_guide_assert(g, most == 48 * 1024 && on_request >= most, "CUDA gives 48 KiB without asking");
  else
    xb_guide_assert(g, most >= 16 * 1024 && on_request == most,
                    "Vulkan guarantees 16 KiB, and a program cannot request more");
  if (!run_size(g, "k16", "16 KiB", 16 * 1024, 0))
    return;
  if (most >= 32 * 1024 && !run_size(g, "k32", "32 KiB, the most that Direct3D 12 takes", 32 * 1024, 0))
    return;
  if (most >= 48 * 1024 && !run_size(g, "k48", "48 KiB", 48 * 1024, 0))
    return;
  if (most < 48 * 1024)
    xb_guide_seen(g, "this device does not have 48 KiB");
  run_beyond(g);
}
