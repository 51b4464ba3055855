#include "guide/guide.h"

#include <math.h>

enum { N = 4096, FUNCTIONS = 6 };

/* Functions in the order of the table. */
static double exact_value(uint32_t f, double x, double y)
{
  switch (f) {
  case 0: return x / y;
  case 1: return sqrt(x);
  case 2: return 1 / sqrt(x);
  case 3: return sin(y);
  case 4: return exp2(y);
  default: return log2(x);
  }
}

/* Bounds in ULP: Vulkan's from its 'Precision and Operation of SPIR-V Instructions', CUDA's from the C++ Programming
 * Guide. x is 2^-20 to 2^20, y is -pi to pi. */
static const struct {
  const char *name;
  double cuda;            /* 0.5: correctly rounded */
  double vulkan;          /* 0: only an absolute bound */
  double vulkan_absolute; /* 0: none */
} TABLE[FUNCTIONS] = {
    {"x / y", 0.5, 2.5, 0}, {"sqrt", 0.5, 5, 0}, /* of 1 / inversesqrt: 2 ULP, then 2.5 */
    {"rsqrt", 2, 2, 0},     {"sin", 2, 0, 1.0 / 2048}, {"exp2", 2, 3 + 2 * 3.15, 0}, {"log2", 1, 3, 1.0 / (1 << 21)},
};

static void make_input(uint32_t *in)
{
  for (uint32_t i = 0; i < N; i++) {
    const float y = xb_guide_random_float(2 * i, -3.14159f, 3.14159f);
    in[2 * i] = xb_guide_bits(exp2f(xb_guide_random_float(2 * i + 1, -20, 20)));
    in[2 * i + 1] = xb_guide_bits(fabsf(y) < 1e-4f ? 1 : y);
  }
}

static void hold(xb_guide *g, uint32_t f, const uint32_t *in, const uint32_t *out)
{
  double worst = 0, worst_absolute = 0, outside = 0; /* outside: worst error in ULP, outside of the absolute bound */
  for (uint32_t i = 0; i < N; i++) {
    const double exact = exact_value(f, xb_guide_float(in[2 * i]), xb_guide_float(in[2 * i + 1]));
    const float got = xb_guide_float(out[f * N + i]);
    const double ulp = isfinite(got) ? xb_guide_ulp(got, exact) : HUGE_VAL;
    const double absolute = isfinite(got) ? fabs(got - exact) : HUGE_VAL;
    worst = fmax(worst, ulp);
    worst_absolute = fmax(worst_absolute, absolute);
    if (absolute > TABLE[f].vulkan_absolute)
      outside = fmax(outside, ulp);
  }
  const double slack = 1e-6; /* for the error of the reference, in double precision */
  if (g->cuda)
    xb_guide_assert(g, worst <= TABLE[f].cuda + slack, "%s: off by up to %.3f ULP, allowed are %g", TABLE[f].name,
                    worst, TABLE[f].cuda);
  else if (TABLE[f].vulkan_absolute > 0)
    xb_guide_assert(g, outside <= TABLE[f].vulkan + slack, "%s: off by up to %.3g (%.3g ULP), allowed are %.3g%s",
                    TABLE[f].name, worst_absolute, worst, TABLE[f].vulkan_absolute,
                    TABLE[f].vulkan > 0 ? ", or 3 ULP" : "");
  else
    xb_guide_assert(g, worst <= TABLE[f].vulkan + slack, "%s: off by up to %.3f ULP, allowed are %g", TABLE[f].name,
                    worst, TABLE[f].vulkan);
}

void xb_guide_case_precision(xb_guide *g)
{
  uint32_t in[2 * N], out[FUNCTIONS * N];
  make_input(in);
  const xb_guide_job job = {.entry = "functions", XB_GUIDE_IN(in), XB_GUIDE_OUT(out), .args = {.n = N}};
  if (!xb_guide_run(g, &job))
    return;
  for (uint32_t f = 0; f < FUNCTIONS; f++) {
    hold(g, f, in, out);
    xb_guide_keep(g, TABLE[f].name, out + f * N, N);
  }
}
