/* Cases of the guide: products and dot products, rounding, and the largest of many. */
#include "guide/guide.h"

#include <math.h>
#include <string.h>

void xb_guide_case_product(xb_guide *g)
{
  enum { N = 256, FIXED = 4 };
  static const uint32_t fixed[2 * FIXED] = {0, 0xffffffff, 0xffffffff, 0xffffffff, 0x10000, 0x10000, 0xffff, 0x10001};
  uint32_t in[2 * N], out[N] = {0}, expected[N];
  for (uint32_t i = 0; i < 2 * N; i++)
    in[i] = i < 2 * FIXED ? fixed[i] : xb_guide_random(i);
  for (uint32_t i = 0; i < N; i++)
    expected[i] = (uint32_t)((uint64_t)in[2 * i] * in[2 * i + 1] >> 32);
  xb_guide_job job = {.entry = "halves", XB_GUIDE_IN(in), XB_GUIDE_OUT(out), .args = {.n = N}};
  if (!xb_guide_expect(g, &job, "the high half from 16-bit halves", expected))
    return;
  xb_guide_cost(g, "from 16-bit halves", &job);
  if (!g->cuda && xb_guide_lacks(g->of)) {
    xb_guide_seen(
        g, "the instruction is left out: this program was built without DXC; run script/fetch dxc, and build again");
    return;
  }
  job.entry = "instruction";
  for (uint32_t i = 0; i < N; i++)
    out[i] = 0;
  if (xb_guide_expect(g, &job, "the high half by one instruction", expected))
    xb_guide_cost(g, "by one instruction", &job);
}

static uint64_t high_of(uint64_t x, uint64_t y)
{
  const uint64_t xl = (uint32_t)x, xh = x >> 32, yl = (uint32_t)y, yh = y >> 32;
  const uint64_t middle = xh * yl + (xl * yl >> 32), carry = (uint32_t)middle + xl * yh;
  return xh * yh + (middle >> 32) + (carry >> 32);
}

void xb_guide_case_product64(xb_guide *g)
{
  enum { N = 256, FIXED = 4 };
  static const uint64_t fixed[FIXED] = {0, UINT64_MAX, 0xffffffff, 0x100000000};
  uint64_t in[2 * N], out[N] = {0}, expected[N];
  for (uint32_t i = 0; i < 2 * N; i++)
    in[i] = i < 2 * FIXED * FIXED ? fixed[i % 2 ? i / 2 / FIXED : i / 2 % FIXED]
                                  : (uint64_t)xb_guide_random(i) << 32 | xb_guide_random(i + 2 * N);
  for (uint32_t i = 0; i < N; i++)
    expected[i] = high_of(in[2 * i], in[2 * i + 1]);
  xb_guide_job job = {.entry = "words", XB_GUIDE_IN(in), XB_GUIDE_OUT(out), .args = {.n = N}};
  if (!xb_guide_expect(g, &job, "the high 64 bits from 32-bit words", expected))
    return;
  xb_guide_cost(g, "from 32-bit words", &job);
  job.entry = "wide";
  memset(out, 0, sizeof out);
  if (xb_guide_optional(g, &job, "64-bit integers"))
    xb_guide_same(g, "the high 64 bits by 64-bit integers", (const uint32_t *)out, (const uint32_t *)expected, 2 * N);
}

void xb_guide_case_dot4(xb_guide *g)
{
  enum { N = 300, START = 1000 };
  uint32_t in[2 * N], out[2 * N] = {0}, expected[2 * N];
  for (uint32_t i = 0; i < 2 * N; i++)
    in[i] = i < 2 ? 0x80ff7f80 : xb_guide_random(i);
  for (uint32_t i = 0; i < N; i++) {
    uint32_t sum = START;
    int32_t signed_sum = START;
    for (uint32_t shift = 0; shift < 32; shift += 8) {
      const uint32_t a = in[2 * i] >> shift & 0xff, b = in[2 * i + 1] >> shift & 0xff;
      sum += a * b;
      signed_sum += ((int32_t)a - (a & 0x80 ? 256 : 0)) * ((int32_t)b - (b & 0x80 ? 256 : 0));
    }
    expected[2 * i] = sum;
    expected[2 * i + 1] = (uint32_t)signed_sum;
  }
  const xb_guide_job job = {.entry = "dots", XB_GUIDE_IN(in), XB_GUIDE_OUT(out), .args = {.n = N, .a = START}};
  if (xb_guide_expect(g, &job, "four products of bytes, unsigned and signed", expected))
    xb_guide_cost(g, "four products of bytes", &job);
}

/* A normal half of random bits: exponents 8 to 23 of 31, so that nothing overflows or becomes denormal. */
static uint32_t random_half(uint32_t i)
{
  const uint32_t bits = xb_guide_random(i);
  return (bits & 0x83ff) | (8 + (bits >> 16) % 16) << 10;
}

static float value_of(uint32_t half)
{
  const float size = ldexpf((float)(1024 + (half & 0x3ff)), (int)(half >> 10 & 31) - 25);
  return half & 0x8000 ? -size : size;
}

void xb_guide_case_half_dot(xb_guide *g)
{
  enum { N = 500 };
  uint32_t in[2 * N], out[N] = {0}, expected[N];
  for (uint32_t i = 0; i < N; i++) {
    const uint32_t a = random_half(4 * i), b = random_half(4 * i + 1), c = random_half(4 * i + 2);
    const uint32_t d = random_half(4 * i + 3);
    in[2 * i] = a | b << 16;
    in[2 * i + 1] = c | d << 16;
    expected[i] = xb_guide_bits((float)((double)value_of(a) * value_of(c) + (double)value_of(b) * value_of(d)));
  }
  const xb_guide_job job = {.entry = "dots", XB_GUIDE_IN(in), XB_GUIDE_OUT(out), .args = {.n = N}};
  if (xb_guide_expect(g, &job, "a dot product of packed halves", expected))
    xb_guide_cost(g, "packed halves", &job);
}

/* x, roundf(x), and what cutting x + 0.5 gives if additions are rounded to nearest. No result is -0. */
static const struct {
  float x, expected, by_adding;
} HALVES[] = {
    {0, 0, 0},
    {0.49999997f, 0, 1},
    {0.5f, 1, 1},
    {-0.5f, -1, -1},
    {1.5f, 2, 2},
    {2.5f, 3, 3},
    {-2.5f, -3, -3},
    {2.49999976f, 2, 2},
    {8388607.5f, 8388608, 8388608},
    {8388609, 8388609, 8388610},
    {-8388609, -8388609, -8388610},
    {16777216, 16777216, 16777216},
    {1e30f, 1e30f, 1e30f},
};
void xb_guide_case_rounding(xb_guide *g)
{
  enum { N = sizeof HALVES / sizeof *HALVES };
  uint32_t in[N], out[N] = {0}, expected[N], wrong = 0, as_told = 0;
  for (uint32_t i = 0; i < N; i++) {
    in[i] = xb_guide_bits(HALVES[i].x);
    expected[i] = xb_guide_bits(HALVES[i].expected);
  }
  xb_guide_job job = {.entry = "half_away", XB_GUIDE_IN(in), XB_GUIDE_OUT(out), .args = {.n = N}};
  if (!xb_guide_expect(g, &job, "halves away from 0", expected))
    return;
  job.entry = "by_adding";
  if (!xb_guide_run(g, &job))
    return;
  for (uint32_t i = 0; i < N; i++) {
    wrong += out[i] != expected[i];
    as_told += out[i] == xb_guide_bits(HALVES[i].by_adding);
  }
  if (g->cuda || as_told == N)
    xb_guide_assert(g, as_told == N,
                    "trunc(x + 0.5) is wrong for %u of %u numbers: 0.49999997 becomes 1, 8388609 becomes 8388610",
                    wrong, (unsigned)N);
  else
    xb_guide_seen(g, "trunc(x + 0.5) is wrong for %u of %u numbers; this device does not round to nearest", wrong,
                  (unsigned)N);
}

static uint32_t key_of(float x)
{
  const uint32_t bits = xb_guide_bits(x);
  return bits >> 31 ? ~bits : bits | 0x80000000;
}

void xb_guide_case_maximum(xb_guide *g)
{
  enum { N = 1000 };
  uint32_t in[N], out = 0, expected;
  float most = -INFINITY;
  for (uint32_t i = 0; i < N; i++) {
    const float x = xb_guide_random_float(i, -900, -100);
    in[i] = xb_guide_bits(x);
    most = fmaxf(most, x);
  }
  expected = key_of(most);
  xb_guide_job job = {.entry = "largest", XB_GUIDE_IN(in), .out = &out, .out_bytes = sizeof out, .args = {.n = N}};
  if (!xb_guide_expect(g, &job, "the largest float of negative ones", &expected))
    return;
  in[N - 1] = xb_guide_bits(INFINITY);
  expected = key_of(INFINITY);
  xb_guide_expect(g, &job, "the largest float is infinite", &expected);
}
