/* A neighbour filter: the mean of 16 pixels around each of n, in a row. A pixel is a word of four bytes, each of which
 * has a mean of its own, rounded down: exact in whole numbers, and in float32. `bytes` counts each pixel once read and
 * once written in all variants: the caches serve what is read again. */
#include "benchmarks/benchmark.h"
#include "benchmarks/blur/blur_args.h"
#include "benchmarks/input.h"

#include <inttypes.h>

typedef struct parameters {
  uint32_t pixels; /* of a thread */
} parameters;

enum {
  PIXEL = 4, /* bytes */
  LEAD = 64, /* pixels: 256 bytes, every device's binding alignment divides them; more than the filter reaches */
};

XB_DEFINE_OF

/* [plan] Windows of the largest size that a binding allows. The input's binding begins before the window and ends
 * behind it, because its outermost pixels have neighbours there. */
static xb_code blur_plan(const xb_case *c, xb_plan *plan, xb_error *err)
{
  const uint64_t bytes = c->n * PIXEL, most = (uint64_t)1 << 30; /* the kernels' indices stay below 2^31 */
  const uint64_t binding = c->window_bytes / PIXEL < most ? c->window_bytes / PIXEL : most;
  const uint64_t length = c->n <= binding ? c->n : binding > 2 * LEAD ? binding / LEAD * LEAD - 2 * LEAD : 0;
  const uint32_t input = xb_plan_input(plan, "pixels", bytes, xb_bits);
  const uint32_t output = xb_plan_output(plan, "means", bytes);
  plan->bytes = 2 * bytes;
  (void)err;
  for (xb_slice w = {0}; xb_plan_next(plan, &w, c->n, length);) {
    const uint64_t left = c->n - w.first - w.count, lead = w.first ? LEAD : 0;
    const uint64_t all = lead + w.count + (left < LEAD ? left : LEAD);
    xb_step *step = xb_plan_dispatch(c, plan, xb_ceil_div(w.count, (uint64_t)c->block * of(c)->pixels));
    xb_step_bind(step, input, (w.first - lead) * PIXEL, all * PIXEL, XB_READ);
    xb_step_bind(step, output, w.first * PIXEL, w.count * PIXEL, XB_DISJOINT_WRITE);
    xb_step_fields(step, struct xb_blur_args, .n = (uint32_t)w.count, .lead = (uint32_t)lead, .all = (uint32_t)all);
  }
  return XB_OK;
}

/* The pixel at `i`; beyond an end, the outermost one. */
static uint64_t inside(const xb_case *c, uint64_t i, int offset)
{
  const uint64_t at = offset < 0 && i < (uint64_t)-offset ? 0 : i + (uint64_t)(int64_t)offset;
  return at < c->n ? at : c->n - 1;
}

static uint32_t mean(const xb_case *c, const uint32_t *pixels, uint64_t begin, uint64_t i)
{
  uint32_t word = 0;
  for (int byte = 0; byte < 32; byte += 8) {
    uint32_t sum = 0;
    for (int k = 0; k < BLUR_TAPS; k++)
      sum += pixels[inside(c, i, k - BLUR_BEFORE) - begin] >> byte & 0xFF;
    word |= sum / BLUR_TAPS << byte;
  }
  return word;
}

static void expect(const void *user, uint64_t first, uint64_t count, uint32_t *expected)
{
  const xb_case *c = user;
  uint32_t pixels[XB_MOST_EXPECTED + BLUR_TAPS];
  const uint64_t begin = inside(c, first, -BLUR_BEFORE);
  const uint64_t end = inside(c, first + count - 1, BLUR_TAPS - BLUR_BEFORE);
  xb_bits(c->dtype, c->seed, begin, end - begin + 1, pixels);
  for (uint64_t i = 0; i < count; i++)
    expected[i] = mean(c, pixels, begin, first + i);
}

XB_METHODS(.plan = blur_plan, .expect = expect, .word = "pixel")

#include "benchmarks/rows.h"
