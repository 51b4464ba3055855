/* Copies n elements between two buffers, from the same offset in both. It measures the cost of waves that begin inside
 * a memory segment. The kernel adds the offset to the index: a binding must begin at a multiple of the device's
 * alignment, 16 to 256 bytes on most, so bindings cannot have most of these offsets. */
#include "benchmarks/family.h"
#include "benchmarks/offset/offset_args.h"
#include "benchmarks/pattern.h"

enum {
  DEFAULT_N = 1 << 22,
  MOST_OFFSET = 32,  /* part of the buffers' size, so that all offsets of a sweep use the same size */
  WINDOW_STEP = 1024 /* whole groups, and 4096 bytes: a multiple of every device's binding alignment */
};

static xb_pattern pattern(const xb_case *c)
{
  return (xb_pattern){.first = c->at[0], .step = 1, .count = c->n};
}

/* [plan] Windows of the largest size that a binding allows. Each window's binding begins where its elements would begin
 * without an offset, so it is aligned. It ends with the window's last element. So neighbouring bindings share up to 32
 * words, but each word is written once. */
static xb_code offset_plan(const xb_case *c, xb_plan *plan, xb_error *err)
{
  const uint64_t bytes = (c->n + MOST_OFFSET) * WORD, binding = c->window_bytes / WORD;
  if (c->at[0] > MOST_OFFSET)
    return xb_refuse_case(c, err, "the offset %" PRIu32 " is beyond %d, the largest", c->at[0], MOST_OFFSET);
  uint64_t length = c->n;
  if (c->n + MOST_OFFSET > binding)
    length = binding < MOST_OFFSET ? 0 : (binding - MOST_OFFSET) / WINDOW_STEP * WINDOW_STEP;
  const uint32_t input = xb_plan_input(plan, "input", bytes, xb_bits);
  const uint32_t output = xb_plan_output(plan, "output", bytes);
  plan->bytes = 2 * c->n * WORD;
  for (xb_slice w = {0}; xb_plan_next(plan, &w, c->n, length);) {
    xb_step *step = xb_plan_dispatch(c, plan, xb_ceil_div(w.count, c->block));
    xb_step_bind(step, input, w.first * WORD, (c->at[0] + w.count) * WORD, XB_READ);
    xb_step_bind(step, output, w.first * WORD, (c->at[0] + w.count) * WORD, XB_DISJOINT_WRITE);
    xb_step_fields(step, struct xb_offset_args, .n = (uint32_t)w.count, .offset = c->at[0]);
  }
  return XB_OK;
}

static bool offset_check(const xb_case *c, const xb_chunk *chunk, char why[XB_WHY_BYTES])
{
  return xb_pattern_check(c, pattern(c), chunk, why);
}

static xb_model offset_predict(const xb_case *c)
{
  const xb_case base = xb_at_base(c);
  return xb_pattern_model(c, pattern(c), pattern(&base));
}

/* Both buffers together are more than twice the cache. */
XB_METHODS(.plan = offset_plan, .check = offset_check, .predict = offset_predict,
           .grows = {.n = DEFAULT_N, .bytes = 2 * WORD})

#include "benchmarks/rows.h"
