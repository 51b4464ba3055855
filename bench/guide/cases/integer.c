#include "guide/guide.h"

enum { N = 200, PORTABLE = 11, RAW = 4, IN_BYTES = 2 * N * sizeof(uint32_t) };

static void make_input(uint32_t *in)
{
  static const uint32_t xs[] = {0, 1, 0x80000000, 0xffffffff, 0x00010000, 6};
  static const uint32_t by[] = {0, 1, 31, 32, 33, 63, 64, 0xffffffff};
  for (uint32_t i = 0; i < N; i++) {
    in[2 * i] = i < 48 ? xs[i % 6] : xb_guide_random(i);
    in[2 * i + 1] = i < 48 ? by[i / 6] : xb_guide_random(i + N) >> (i % 32);
  }
}

static uint32_t highest_bit(uint32_t x) /* 0xffffffff: none */
{
  uint32_t at = 32;
  while (at-- > 0)
    if (x >> at & 1)
      return at;
  return 0xffffffff;
}

static uint32_t lowest_bit(uint32_t x)
{
  return highest_bit(x & (0u - x));
}

static void portable(uint32_t x, uint32_t s, uint32_t *out)
{
  const uint32_t sign = x >> 31 ? 0xffffffff : 0, by = s & 31;
  out[0] = x << by;
  out[1] = x >> by;
  out[2] = x >> by | (by ? sign << (32 - by) : 0);
  out[3] = s < 32 ? x << by : 0;
  out[4] = 31 - highest_bit(x); /* 32 for 0 */
  out[5] = lowest_bit(x) + 1;   /* 0 for 0 */
  out[6] = out[7] = 0;
  for (uint32_t bit = 0; bit < 32; bit++) {
    out[6] += x >> bit & 1;
    out[7] |= (x >> bit & 1) << (31 - bit);
  }
  out[8] = (uint32_t)((uint64_t)x * s >> 32);
  out[9] = s ? x / s : 0xffffffff;
  out[10] = s ? x % s : 0xffffffff;
}

/* Describes the results of shifts by 32 or more. `which`: 0 left, 1 right. */
static const char *name_of_shifts(const uint32_t *in, const uint32_t *out, uint32_t which)
{
  uint32_t masked = 0, gone = 0, all = 0;
  for (uint32_t i = 0; i < N; i++) {
    const uint32_t x = in[2 * i], s = in[2 * i + 1], by = s & 31, got = out[RAW * i + which];
    if (s < 32 || !x)
      continue;
    all++;
    masked += got == (which ? x >> by : x << by);
    gone += got == 0;
  }
  return masked == all ? "uses the lowest 5 bits of the count" : gone == all ? "leaves 0" : "has mixed results";
}

static void run_raw(xb_guide *g, const uint32_t *in)
{
  uint32_t out[RAW * N] = {0}, shifts[2 * N], bits[2 * N], expected[2 * N];
  const xb_guide_job job = {.entry = "raw", .in = in, .in_bytes = IN_BYTES, XB_GUIDE_OUT(out), .args = {.n = N}};
  if (g->info->emulates) {
    xb_guide_seen(g, "shifts by 32 or more are inline PTX in CUDA, which is not emulated");
    return;
  }
  if (!xb_guide_run(g, &job))
    return;
  bool gone = true, small = true;
  for (uint32_t i = 0; i < N; i++) {
    const uint32_t x = in[2 * i], s = in[2 * i + 1];
    const uint32_t left = out[RAW * i], right = out[RAW * i + 1];
    shifts[2 * i] = left;
    shifts[2 * i + 1] = right;
    small &= s >= 32 || (left == x << s && right == x >> s);
    gone &= s < 32 || (left == 0 && right == 0);
    bits[2 * i] = out[RAW * i + 2];
    bits[2 * i + 1] = out[RAW * i + 3];
    expected[2 * i] = highest_bit(x);
    expected[2 * i + 1] = lowest_bit(x);
  }
  xb_guide_assert(g, small, "a shift by 0 to 31 is as on the CPU");
  if (g->cuda)
    xb_guide_assert(g, gone, "a shift by 32 or more (PTX shl, shr) leaves 0");
  else
    xb_guide_seen(g, "a shift by 32 or more, undefined in SPIR-V: << %s, >> %s", name_of_shifts(in, out, 0),
                  name_of_shifts(in, out, 1));
  xb_guide_keep(g, "a shift by any count", shifts, 2 * N);
  xb_guide_same(g, "firstbithigh and firstbitlow, 0xffffffff for 0", bits, expected, 2 * N);
  xb_guide_seen(g, "division by 0 is not tested: undefined in SPIR-V and in C++, 0xffffffff in Direct3D");
}

/* Remainders of negative numbers. `a` is halved, so that nothing overflows. */
static void run_rests(xb_guide *g, const uint32_t *in)
{
  uint32_t out[2 * N] = {0}, by_hand[N], expected[N], rests[N];
  const xb_guide_job job = {.entry = "rests", .in = in, .in_bytes = IN_BYTES, XB_GUIDE_OUT(out), .args = {.n = N}};
  if (!xb_guide_run(g, &job))
    return;
  bool as_in_c = true, of_divisor = true;
  for (uint32_t i = 0; i < N; i++) {
    const uint32_t x = in[2 * i], s = in[2 * i + 1];
    const int32_t size = (int32_t)((s & 0x7fff) | 1), b = s & 0x8000 ? -size : size;
    const int32_t a = (int32_t)(x >> 1 | (x & 0x80000000)), rest = a % b;
    by_hand[i] = out[2 * i];
    rests[i] = out[2 * i + 1];
    expected[i] = (uint32_t)rest;
    as_in_c &= rests[i] == expected[i];
    of_divisor &= rests[i] == (uint32_t)(rest && (rest < 0) != (b < 0) ? rest + b : rest);
  }
  xb_guide_same(g, "the remainder of negative numbers, from absolute values", by_hand, expected, N);
  if (g->cuda)
    xb_guide_assert(g, as_in_c, "%% has the sign of the dividend, as in C");
  else
    xb_guide_seen(g, "%% of negative numbers, undefined in Vulkan: has the sign of %s",
                  as_in_c      ? "the dividend"
                  : of_divisor ? "the divisor"
                               : "neither consistently");
  xb_guide_keep(g, "a % b of negative numbers", rests, N);
}

void xb_guide_case_integer(xb_guide *g)
{
  uint32_t in[2 * N], out[PORTABLE * N] = {0}, expected[PORTABLE * N];
  make_input(in);
  for (uint32_t i = 0; i < N; i++)
    portable(in[2 * i], in[2 * i + 1], expected + PORTABLE * i);
  const xb_guide_job job = {.entry = "portable", XB_GUIDE_IN(in), XB_GUIDE_OUT(out), .args = {.n = N}};
  if (!xb_guide_expect(g, &job, "masked and clamped shifts, clz, ffs, popc, brev, umulhi, division kept from 0",
                       expected))
    return;
  run_raw(g, in);
  if (!g->code)
    run_rests(g, in);
}
