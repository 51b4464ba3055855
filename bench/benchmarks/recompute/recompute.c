/* Each of n words is combined with a value that only depends on its index: `turns` multiply-adds. The value is loaded,
 * 4 bytes more of memory, or computed again. Where the second is faster, memory was the limit: how many operations a
 * device does in the time of 4 bytes is seen along the axis. Whole numbers, so all words are exact. */
#include "benchmarks/family.h"
#include "benchmarks/recompute/recompute_args.h"

typedef struct parameters {
  bool loads;
} parameters;

enum { WINDOW_STEP = 64, TURNS = 0, MOST_TURNS = 256, GPU_N = 1 << 22 };

static uint32_t value_of(uint32_t index, uint32_t turns)
{
  for (uint32_t turn = 0; turn < turns; turn++)
    index = index * RECOMPUTE_FACTOR + RECOMPUTE_TERM;
  return index;
}

static void tabulate(const void *user, uint64_t seed, uint64_t first, uint64_t count, void *out)
{
  (void)seed;
  for (uint64_t i = 0; i < count; i++)
    ((uint32_t *)out)[i] = value_of((uint32_t)(first + i), (uint32_t) * (const uint64_t *)user);
}

/* [plan] The words and, where they are loaded, the values. */
static xb_code recompute_plan(const xb_case *c, xb_plan *plan, xb_error *err)
{
  const bool loads = of(c)->loads;
  xb_windows w = {.all = c->n, .step = WINDOW_STEP};
  if (!c->at[TURNS] || c->at[TURNS] > MOST_TURNS || (c->at[TURNS] & (c->at[TURNS] - 1)))
    return xb_refuse_case(c, err, "turns is a power of 2 from 1 to %d, not %" PRIu32, MOST_TURNS, c->at[TURNS]);
  if (c->n > UINT32_MAX)
    return xb_refuse_case(c, err, "%" PRIu64 " elements do not fit into windows of %" PRIu64 " bytes", c->n,
                          c->window_bytes);
  xb_stream_in(plan, &w, "words", WORD, xb_bits);
  xb_stream_out(plan, &w, "combined", WORD);
  if (loads)
    xb_stream_slot(plan, &w, WORD, (xb_slot){.name = "values", .generator = {tabulate, NULL, c->at[TURNS]}});
  plan->bytes = (loads ? 3 : 2) * c->n * WORD;
  plan->flops = loads ? 0 : 2 * c->n * c->at[TURNS];
  plan->iterations = loads ? 0 : c->at[TURNS];
  for (xb_step *step; (step = xb_next_window(c, plan, &w));)
    xb_step_fields(step, struct xb_recompute_args, .n = (uint32_t)w.count, .first = (uint32_t)w.first,
                   .turns = c->at[TURNS], .factor = RECOMPUTE_FACTOR);
  return XB_OK;
}

static void expect(const xb_case *c, uint64_t first, uint64_t count, uint32_t *expected)
{
  xb_bits(c->dtype, c->seed, first, count, expected);
  for (uint64_t i = 0; i < count; i++)
    expected[i] ^= value_of((uint32_t)(first + i), c->at[TURNS]);
}

XB_METHODS(.plan = recompute_plan, .expect = expect, .word = "element",
           .rates = {{"elements", "G/s", xb_elements_of_run}, {"bandwidth", "GB/s", xb_bytes_of_run}},
           .grows = {.n = GPU_N, .bytes = 8})

#include "benchmarks/rows.h"
