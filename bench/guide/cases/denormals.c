#include "guide/guide.h"

enum { N = 256 };

/* Checks one operation. A device may keep the denormals of one operation and flush those of another. */
static void hold(xb_guide *g, const char *what, const uint32_t *out, uint32_t first, const uint32_t *expected)
{
  uint32_t kept = 0, zeros = 0;
  for (uint32_t i = 0; i < N; i++) {
    kept += out[3 * i + first] == expected[i];
    zeros += out[3 * i + first] != expected[i] && out[3 * i + first] << 1 == 0;
  }
  if (g->cuda)
    xb_guide_assert(g, kept == N, "%s of denormal numbers is kept, unless nvcc is told -ftz=true: %u of %u", what, kept,
                    (unsigned)N);
  else
    xb_guide_assert(g, kept + zeros == N,
                    "%s of denormal numbers is kept or flushed to 0 (Vulkan guarantees neither): %u and %u", what, kept,
                    zeros);
}

void xb_guide_case_denormals(xb_guide *g)
{
  uint32_t in[2 * N], out[3 * N] = {0}, moved[N], expected[N];
  for (uint32_t i = 0; i < N; i++) {
    in[2 * i] = xb_guide_random(i) >> 10 | i << 31; /* denormal, both signs */
    in[2 * i + 1] = xb_guide_bits(xb_guide_random_float(i, 0.25f, 0.5f));
    expected[i] = in[2 * i];
  }
  const xb_guide_job job = {.entry = "arithmetic", XB_GUIDE_IN(in), XB_GUIDE_OUT(out), .args = {.n = N}};
  if (!xb_guide_run(g, &job))
    return;
  uint32_t products[N], sums[N];
  for (uint32_t i = 0; i < N; i++) {
    const float x = xb_guide_float(in[2 * i]), product = x * xb_guide_float(in[2 * i + 1]), sum = x + x;
    products[i] = xb_guide_bits(product);
    sums[i] = xb_guide_bits(sum);
    moved[i] = out[3 * i + 2];
  }
  hold(g, "x * y", out, 0, products);
  hold(g, "x + x", out, 1, sums);
  xb_guide_keep(g, "x * y and x + x of denormal numbers", out, 3 * N);
  xb_guide_same(g, "their bits, moved as uint", moved, expected, N);
}
