/* Copies every stride-th of n elements between two buffers. It measures the cost of waves that use only a part of each
 * memory segment. The buffers always have n elements, so a larger stride copies fewer. `bytes` counts useful bytes
 * only: the copied words, read and written. */
#include "benchmarks/family.h"
#include "benchmarks/pattern.h"
#include "benchmarks/stride/stride_args.h"

enum {
  DEFAULT_N = 1 << 22,
  ALIGN_BYTES = 256, /* every device's binding_align divides it */
  SEGMENT_BYTES = 32,
  WORST_STRIDE = 32 /* the largest on the axis; touches the fewest segments */
};

/* The number of threads, and of copied words, for this many elements: one for each stride that begins there. */
static uint64_t copied(uint64_t elements, uint64_t stride)
{
  return xb_ceil_div(elements, stride);
}

static xb_pattern pattern(const xb_case *c)
{
  return (xb_pattern){.first = 0, .step = c->at[0], .count = copied(c->n, c->at[0])};
}

/* Elements per window: all of them, or the largest length that fits and is a multiple of the stride and of the binding
 * alignment. Each window then begins with a copied word, at an aligned offset. 0: no such length fits. */
static uint64_t window_length(const xb_case *c)
{
  const uint64_t binding = c->window_bytes / WORD;
  uint64_t unit = c->at[0];
  if (c->n <= binding)
    return c->n;
  while (unit % (ALIGN_BYTES / WORD)) /* a power of two: gives the least common multiple */
    unit *= 2;
  return binding / unit * unit;
}

/* [plan] Windows of the largest size that a binding allows. Bindings end with the last copied word. */
static xb_code stride_plan(const xb_case *c, xb_plan *plan, xb_error *err)
{
  const uint64_t bytes = c->n * WORD;
  if (!c->at[0])
    return xb_refuse_case(c, err, "a stride of 0 would make all threads copy one word: use 1 or more");
  const uint64_t length = window_length(c);
  if (!length)
    return xb_refuse_case(c, err, "a binding of %" PRIu64 " bytes is too small for a window with the stride %" PRIu32,
                          c->window_bytes, c->at[0]);
  const uint32_t input = xb_plan_input(plan, "input", bytes, xb_bits);
  const uint32_t output = xb_plan_output(plan, "output", bytes);
  plan->bytes = 2 * copied(c->n, c->at[0]) * WORD;
  for (xb_slice w = {0}; xb_plan_next(plan, &w, c->n, length);) {
    const uint64_t count = copied(w.count, c->at[0]), span = ((count - 1) * c->at[0] + 1) * WORD;
    xb_step *step = xb_plan_dispatch(c, plan, xb_ceil_div(count, c->block));
    xb_step_bind(step, input, w.first * WORD, span, XB_READ);
    xb_step_bind(step, output, w.first * WORD, span, XB_DISJOINT_WRITE);
    xb_step_fields(step, struct xb_stride_args, .n = (uint32_t)count, .stride = c->at[0]);
  }
  return XB_OK;
}

static bool stride_check(const xb_case *c, const xb_chunk *chunk, char why[XB_WHY_BYTES])
{
  return xb_pattern_check(c, pattern(c), chunk, why);
}

static xb_model stride_predict(const xb_case *c)
{
  const xb_case base = xb_at_base(c);
  return xb_pattern_model(c, pattern(c), pattern(&base));
}

/* The segments that the largest stride touches, in both buffers together, are more than twice the cache. */
XB_METHODS(.plan = stride_plan, .check = stride_check, .predict = stride_predict,
           .grows = {.n = DEFAULT_N, .bytes = 2 * SEGMENT_BYTES / WORST_STRIDE})

#include "benchmarks/rows.h"
