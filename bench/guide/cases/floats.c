/* Cases of the guide: casts, denormal numbers, and products that are fused with a sum or not. */
#include "guide/guide.h"

#include <math.h>
#include <string.h>

static const struct {
  uint32_t bits, expected;
  const char *what; /* why it is out of range; NULL: in range */
} TABLE[] = {
    {0x00000000, 0, NULL},
    {0x3f7fffff, 0, NULL},
    {0x3fc00000, 1, NULL},
    {0x4b7fffff, 16777215, NULL},
    {0x4effffff, 2147483520, NULL},
    {0x4f000000, 2147483648u, NULL},
    {0x4f7fffff, 4294967040u, NULL},
    {0xbf000000, 0, NULL}, /* -0.5 is truncated to 0 */
    {0x80000000, 0, NULL},
    {0x4f800000, 0xffffffff, "2^32"},
    {0x7149f2ca, 0xffffffff, "1e30"},
    {0x7f800000, 0xffffffff, "inf"},
    {0xbf800000, 0, "-1"},
    {0xcf000000, 0, "-2^31"},
    {0xff800000, 0, "-inf"},
    {0x7fc00000, 0, "NaN"},
    {0xffc00000, 0, "-NaN"},
};
enum { CASTS = sizeof TABLE / sizeof *TABLE };

static void hold_raw(xb_guide *g, const uint32_t *out, const uint32_t *expected)
{
  bool in_range = true;
  for (uint32_t i = 0; i < CASTS; i++) {
    if (!TABLE[i].what)
      in_range &= out[i] == expected[i];
    else if (!g->cuda)
      xb_guide_seen(g, "(uint) of %s, undefined in SPIR-V: 0x%08x%s", TABLE[i].what, out[i],
                    out[i] == expected[i] ? "" : ", not saturated");
  }
  xb_guide_assert(g, in_range, "the cast of values in range rounds towards 0");
  if (g->cuda)
    xb_guide_assert(g, !memcmp(out, expected, CASTS * sizeof *out),
                    "the cast of the rest saturates, and NaN becomes 0");
}

void xb_guide_case_convert(xb_guide *g)
{
  uint32_t in[CASTS], out[CASTS], expected[CASTS];
  for (uint32_t i = 0; i < CASTS; i++) {
    in[i] = TABLE[i].bits;
    expected[i] = TABLE[i].expected;
  }
  xb_guide_job job = {.entry = "portable", XB_GUIDE_IN(in), XB_GUIDE_OUT(out), .args = {.n = CASTS}};
  memset(out, 0xee, sizeof out);
  if (!xb_guide_expect(g, &job, "saturated by hand", expected))
    return;
  job.entry = "raw";
  memset(out, 0xee, sizeof out);
  if (!xb_guide_run(g, &job))
    return;
  hold_raw(g, out, expected);
  xb_guide_keep(g, "the cast alone", out, CASTS);
}

enum { NUMBERS = 256 };

/* Checks one operation. A device may keep the denormals of one operation and flush those of another. */
static void hold_denormals(xb_guide *g, const char *what, const uint32_t *out, uint32_t first, const uint32_t *expected)
{
  uint32_t kept = 0, zeros = 0;
  for (uint32_t i = 0; i < NUMBERS; i++) {
    kept += out[3 * i + first] == expected[i];
    zeros += out[3 * i + first] != expected[i] && out[3 * i + first] << 1 == 0;
  }
  if (g->cuda)
    xb_guide_assert(g, kept == NUMBERS, "%s of denormal numbers is kept, unless nvcc is told -ftz=true: %u of %u", what,
                    kept, (unsigned)NUMBERS);
  else
    xb_guide_assert(g, kept + zeros == NUMBERS,
                    "%s of denormal numbers is kept or flushed to 0 (Vulkan guarantees neither): %u and %u", what, kept,
                    zeros);
}

void xb_guide_case_denormals(xb_guide *g)
{
  uint32_t in[2 * NUMBERS], out[3 * NUMBERS] = {0}, moved[NUMBERS], expected[NUMBERS];
  for (uint32_t i = 0; i < NUMBERS; i++) {
    in[2 * i] = xb_guide_random(i) >> 10 | i << 31; /* denormal, both signs */
    in[2 * i + 1] = xb_guide_bits(xb_guide_random_float(i, 0.25f, 0.5f));
    expected[i] = in[2 * i];
  }
  const xb_guide_job job = {.entry = "arithmetic", XB_GUIDE_IN(in), XB_GUIDE_OUT(out), .args = {.n = NUMBERS}};
  if (!xb_guide_run(g, &job))
    return;
  uint32_t products[NUMBERS], sums[NUMBERS];
  for (uint32_t i = 0; i < NUMBERS; i++) {
    const float x = xb_guide_float(in[2 * i]), product = x * xb_guide_float(in[2 * i + 1]), sum = x + x;
    products[i] = xb_guide_bits(product);
    sums[i] = xb_guide_bits(sum);
    moved[i] = out[3 * i + 2];
  }
  hold_denormals(g, "x * y", out, 0, products);
  hold_denormals(g, "x + x", out, 1, sums);
  xb_guide_keep(g, "x * y and x + x of denormal numbers", out, 3 * NUMBERS);
  xb_guide_same(g, "their bits, moved as uint", moved, expected, NUMBERS);
}

enum { PRODUCTS = 512 };

static bool run_entry(xb_guide *g, const char *entry, const uint32_t *in, uint32_t *out)
{
  memset(out, 0, PRODUCTS * sizeof *out);
  const xb_guide_job job = {.entry = entry,
                            .in = in,
                            .in_bytes = 3 * PRODUCTS * sizeof *in,
                            .out = out,
                            .out_bytes = PRODUCTS * sizeof *out,
                            .args = {.n = PRODUCTS}};
  return xb_guide_run(g, &job);
}

static uint32_t matches(const uint32_t *a, const uint32_t *b)
{
  uint32_t same = 0;
  for (uint32_t i = 0; i < PRODUCTS; i++)
    same += a[i] == b[i];
  return same;
}

/* CUDA must fuse. HLSL may round once or twice; other results are wrong. */
static void hold_rounding(xb_guide *g, const char *in_cuda, const char *in_hlsl, const uint32_t *out,
                          const uint32_t *fused, const uint32_t *apart)
{
  uint32_t neither = 0;
  for (uint32_t i = 0; i < PRODUCTS; i++)
    neither += out[i] != fused[i] && out[i] != apart[i];
  if (g->info->emulates)
    xb_guide_seen(g, "%s: %u of %u as if fused; the host's compiler decides, not nvcc", in_cuda, matches(out, fused),
                  (unsigned)PRODUCTS);
  else if (g->cuda)
    xb_guide_assert(g, matches(out, fused) == PRODUCTS, "%s: %u of %u", in_cuda, matches(out, fused),
                    (unsigned)PRODUCTS);
  else
    xb_guide_assert(g, !neither, "%s is rounded once or twice: %u of %u as if fused, %u as if separate", in_hlsl,
                    matches(out, fused), (unsigned)PRODUCTS, matches(out, apart));
}

void xb_guide_case_contraction(xb_guide *g)
{
  uint32_t in[3 * PRODUCTS], out[PRODUCTS], fused[PRODUCTS], apart[PRODUCTS];
  for (uint32_t i = 0; i < PRODUCTS; i++) {
    const float a = xb_guide_random_float(2 * i, 1, 2), b = xb_guide_random_float(2 * i + 1, 1, 2);
    const float product = a * b, c = -product; /* apart: 0; fused: the rounding error of the product */
    const float sum = product + c;
    in[3 * i] = xb_guide_bits(a);
    in[3 * i + 1] = xb_guide_bits(b);
    in[3 * i + 2] = xb_guide_bits(c);
    fused[i] = xb_guide_bits(fmaf(a, b, c));
    apart[i] = xb_guide_bits(sum);
  }
  if (!run_entry(g, "apart", in, out))
    return;
  xb_guide_same(g, "kept apart (HLSL: precise; CUDA: __fmul_rn, __fadd_rn)", out, apart, PRODUCTS);
  if (!run_entry(g, "plain", in, out))
    return;
  hold_rounding(g, "a * b + c is fused by nvcc", "a * b + c", out, fused, apart);
  xb_guide_keep(g, "a * b + c", out, PRODUCTS);
  if (run_entry(g, g->cuda ? "fused" : "mad_", in, out))
    hold_rounding(g, "__fmaf_rn is fused", "mad(a, b, c)", out, fused, apart);
}
