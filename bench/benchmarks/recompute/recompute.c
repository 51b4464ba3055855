/* Each of n words is combined with a value that only depends on its index: `turns` multiply-adds. The value is loaded,
 * 4 bytes more of memory, or computed again. Where the second is faster, memory was the limit: how many operations a
 * device does in the time of 4 bytes is seen along the axis. Whole numbers, so all words are exact. */
#include "benchmarks/benchmark.h"
#include "benchmarks/input.h"
#include "benchmarks/recompute/recompute_args.h"

#include <inttypes.h>

typedef struct parameters {
  bool loads;
} parameters;

enum { WORD = 4, WINDOW_STEP = 64, TURNS = 0, MOST_TURNS = 256, GPU_N = 1 << 22 };

XB_DEFINE_OF

static uint32_t value_of(uint32_t index, uint32_t turns)
{
  for (uint32_t turn = 0; turn < turns; turn++)
    index = index * RECOMPUTE_FACTOR + RECOMPUTE_TERM;
  return index;
}

/* ---- The table of values ---------------------------------------------------------------------------------------- */

static void tabulate(const void *user, uint64_t seed, uint64_t first, uint64_t count, void *out)
{
  (void)seed;
  for (uint64_t i = 0; i < count; i++)
    ((uint32_t *)out)[i] = value_of((uint32_t)(first + i), (uint32_t) * (const uint64_t *)user);
}

/* ---- Plan ------------------------------------------------------------------------------------------------------- */

/* [plan] Windows of the largest size that a binding allows. */
static xb_code recompute_plan(const xb_case *c, xb_plan *plan, xb_error *err)
{
  const uint64_t bytes = c->n * WORD, binding = c->window_bytes / WORD;
  const uint64_t most = c->n <= binding ? c->n : binding / WINDOW_STEP * WINDOW_STEP;
  if (!c->at[TURNS] || c->at[TURNS] > MOST_TURNS || (c->at[TURNS] & (c->at[TURNS] - 1)))
    return xb_refuse_case(c, err, "turns is a power of 2 from 1 to %d, not %" PRIu32, MOST_TURNS, c->at[TURNS]);
  if (!most || c->n > UINT32_MAX)
    return xb_refuse_case(c, err, "%" PRIu64 " elements do not fit into windows of %" PRIu64 " bytes", c->n,
                          c->window_bytes);
  const uint32_t input = xb_plan_input(plan, "words", bytes, xb_bits);
  const uint32_t output = xb_plan_output(plan, "combined", bytes);
  uint32_t values = 0;
  if (of(c)->loads)
    values = xb_plan_slot(plan, (xb_slot){.name = "values",
                                          .role = XB_ROLE_INPUT,
                                          .bytes = bytes,
                                          .element_bytes = WORD,
                                          .generator = {tabulate, NULL, c->at[TURNS]}});
  plan->bytes = (of(c)->loads ? 3 : 2) * bytes;
  plan->flops = of(c)->loads ? 0 : 2 * c->n * c->at[TURNS];
  plan->iterations = of(c)->loads ? 0 : c->at[TURNS];
  for (uint64_t first = 0; first < c->n && !plan->code; first += most) {
    const uint64_t count = c->n - first < most ? c->n - first : most;
    xb_step *step = xb_plan_dispatch(c, plan, xb_ceil_div(count, c->block));
    xb_step_bind(step, input, first * WORD, count * WORD, XB_READ);
    xb_step_bind(step, output, first * WORD, count * WORD, XB_DISJOINT_WRITE);
    if (of(c)->loads)
      xb_step_bind(step, values, first * WORD, count * WORD, XB_READ);
    const struct xb_recompute_args args = {.n = (uint32_t)count,
                                           .first = (uint32_t)first,
                                           .turns = c->at[TURNS],
                                           .factor = RECOMPUTE_FACTOR,
                                           .grid_x = step->groups[0]};
    xb_step_args(step, &args, sizeof args);
  }
  return XB_OK;
}

/* ---- Check, metrics --------------------------------------------------------------------------------------------- */

static void expect(const void *user, uint64_t first, uint64_t count, uint32_t *expected)
{
  const xb_case *c = user;
  xb_bits(c->dtype, c->seed, first, count, expected);
  for (uint64_t i = 0; i < count; i++)
    expected[i] ^= value_of((uint32_t)(first + i), c->at[TURNS]);
}

/* The same work of both rows: elements, not bytes. */
static size_t recompute_metrics(const xb_case *c, const xb_plan *plan, double ns, xb_metric metrics[XB_MAX_METRICS])
{
  metrics[0] = (xb_metric){"elements", "G/s", (double)c->n / ns, 1};
  metrics[1] = (xb_metric){"bandwidth", "GB/s", (double)plan->bytes / ns, 1};
  return 2;
}

static const xb_methods methods = {.plan = recompute_plan,
                                   .expect = expect,
                                   .word = "element",
                                   .metrics = recompute_metrics,
                                   .grows = {.n = GPU_N, .bytes = 8}};

#include "benchmarks/rows.h"
