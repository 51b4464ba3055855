/* Instruction-level parallelism: a multiply-add waits for the one before in its chain. Several chains in a thread, or
 * several waves, give a multiprocessor something to do meanwhile. n threads are n / 1024 groups, of which some waves
 * work: so a multiprocessor that holds one group has exactly these waves. */
#include "benchmarks/benchmark.h"
#include "benchmarks/ilp/ilp_args.h"
#include "benchmarks/input.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct parameters {
  bool indexed;
} parameters;

enum {
  WAVE = 32,
  WORD = sizeof(uint32_t),
  OPERANDS = 3,                /* of a thread: the next thread has two of them, too */
  DEFAULT_N = 132 * ILP_GROUP, /* the multiprocessors of an H200 */
  STEPS = 65536,
  STEPS_INDEXED = 8192, /* the CPU follows each, and in memory each takes longer */
  STEPS_OF_A_CPU = 128,
  CHAINS_AXIS = 0,
  WAVES_AXIS = 1,
};

/* Waves that keep a multiprocessor busy: 4 cycles of latency times 64 lanes, 2 waves, for 32-bit integers. */
static const double BUSY_WAVES = 4 * 2;

XB_DEFINE_OF

static uint32_t chains(const xb_case *c)
{
  return c->at[CHAINS_AXIS];
}

/* Of each group. */
static uint32_t working(const xb_case *c)
{
  return c->at[WAVES_AXIS] * WAVE;
}

static uint64_t groups(const xb_case *c)
{
  return xb_ceil_div(c->n, ILP_GROUP);
}

/* Steps that the kernel unrolls; 0: it has no such number of chains. */
static uint32_t unrolled(uint32_t count)
{
  switch (count) {
/* clang-format off */
#define UNROLLED(chains, steps) case chains: return steps;
    ILP_CASES(UNROLLED)
  /* clang-format on */
  default: return 0;
  }
}

static uint32_t steps_once(const xb_case *c)
{
  return c->device->type == XB_DEVICE_CPU ? STEPS_OF_A_CPU : of(c)->indexed ? STEPS_INDEXED : STEPS;
}

static uint32_t steps(const xb_case *c)
{
  return steps_once(c) * (c->repeats ? c->repeats : 1);
}

/* ---- Plan ------------------------------------------------------------------------------------------------------- */

static xb_code refuse(const xb_case *c, xb_error *err)
{
  if (!unrolled(chains(c)))
    return xb_refuse_case(c, err, "the kernels have 1, 2, 4, 8, 16 or 32 chains, not %" PRIu32, chains(c));
  if (!working(c) || working(c) > ILP_GROUP)
    return xb_refuse_case(c, err, "a group has 1 to %d waves, not %" PRIu32, ILP_GROUP / WAVE, c->at[WAVES_AXIS]);
  return XB_OK;
}

static void generate(xb_dtype dtype, uint64_t seed, uint64_t first, uint64_t count, void *out)
{
  (void)dtype;
  uint32_t *words = out;
  xb_bits(XB_INT32, seed, first, count, words);
  for (uint64_t i = 0; i < count; i++)
    words[i] = (words[i] & ~7u) | 5; /* as a and b: the words of a chain then repeat after 2^32 steps only */
}

/* [plan] A dispatch for each window of the output. A group writes a row of words for each chain. */
static xb_code ilp_plan(const xb_case *c, xb_plan *plan, xb_error *err)
{
  const uint64_t each = (uint64_t)chains(c) * working(c) * WORD;
  const uint64_t most = c->window_bytes / each / 2 * 2; /* so that windows begin at multiples of 256 bytes */
  if (!most)
    return xb_refuse_case(c, err, "a binding of %" PRIu64 " bytes is too small for a group's output", c->window_bytes);
  const uint64_t input = (working(c) + OPERANDS - 1) * WORD; /* all groups have the same */
  xb_plan_input(plan, "operands", input, generate);
  xb_plan_output(plan, "ends", groups(c) * each);
  plan->iterations = steps(c) / unrolled(chains(c));
  for (xb_slice w = {0}; xb_plan_next(plan, &w, groups(c), most);) {
    xb_step *step = xb_plan_dispatch(c, plan, w.count);
    xb_step_bind(step, 0, 0, input, XB_READ);
    xb_step_bind(step, 1, w.first * each, w.count * each, XB_DISJOINT_WRITE);
    xb_step_fields(step, struct xb_ilp_args, .threads = working(c), .rounds = steps(c) / unrolled(chains(c)),
                   .chains = chains(c), .groups = (uint32_t)w.count);
  }
  return xb_check_iterations(c, plan, err);
}

/* The number of chains is chosen by the name of an entry point or, where the code has only one, by a specialization
 * constant. */
static xb_code ilp_find_code(const xb_case *c, const xb_plan_kernel *kernel, xb_kernel_desc *desc, xb_error *err)
{
  char prefix[32];
  static _Thread_local xb_specialization constant;
  const xb_code code = xb_find_embedded(c, kernel, desc, err);
  if (code)
    return code;
  snprintf(prefix, sizeof prefix, "ilp_%u", chains(c));
  if (xb_choose_entry(c, prefix, desc))
    return XB_OK;
  constant = (xb_specialization){.id = 0, .value = chains(c)};
  desc->specializations = &constant;
  desc->specialization_count = 1;
  return XB_OK;
}

/* ---- Check ------------------------------------------------------------------------------------------------------ */

/* x after `count` steps of x * a + b: the steps are composed by squaring. */
static uint32_t after(uint32_t x, uint32_t a, uint32_t b, uint32_t count)
{
  for (; count; count >>= 1) {
    if (count & 1)
      x = x * a + b;
    b += a * b;
    a *= a;
  }
  return x;
}

static uint32_t operand(const xb_case *c, uint32_t thread)
{
  uint32_t word;
  generate(c->dtype, c->seed, thread, 1, &word);
  return word;
}

/* The ends of the chains of a thread. */
static void ends_of(const xb_case *c, uint32_t thread, uint32_t h[ILP_CHAINS])
{
  const uint32_t count = chains(c), x = operand(c, thread), a = operand(c, thread + 1), b = operand(c, thread + 2);
  for (uint32_t k = 0; k < count; k++)
    h[k] = of(c)->indexed ? x + k * b : after(x + k * b, a, b, steps(c));
  if (!of(c)->indexed)
    return;
  for (uint32_t s = 0, next = x % count; s < steps(c); s++) {
    h[next] = h[next] * a + b;
    next = (h[next] >> 16) % count;
  }
}

/* The group's words, in the order of the output. */
static void fill_row(const xb_case *c, uint32_t *row)
{
  for (uint32_t thread = 0; thread < working(c); thread++) {
    uint32_t h[ILP_CHAINS];
    ends_of(c, thread, h);
    for (uint32_t k = 0; k < chains(c); k++)
      row[k * working(c) + thread] = h[k];
  }
}

static bool ilp_check(const xb_case *c, const xb_chunk *chunk, char why[XB_WHY_BYTES])
{
  uint32_t *row = malloc((size_t)chains(c) * working(c) * sizeof *row);
  if (!row)
    return xb_wrong(why, "out of host memory");
  fill_row(c, row);
  const xb_repeated words = {row, (uint64_t)chains(c) * working(c)};
  const bool right = xb_check_words(chunk, xb_expect_repeated, &words, "word", why);
  free(row);
  return right;
}

/* ---- Metrics and model ------------------------------------------------------------------------------------------ */

/* `ns` is the time of one repetition. */
static size_t ilp_metrics(const xb_case *c, const xb_plan *plan, double ns, xb_metric metrics[XB_MAX_METRICS])
{
  (void)plan;
  const double count = (double)groups(c) * working(c) * steps_once(c) * (of(c)->indexed ? 1 : chains(c));
  metrics[0] = (xb_metric){"speed", "Gop/s", count / ns, 1};
  metrics[1] = (xb_metric){"step", "ns a step", ns / steps_once(c), 0};
  return 2;
}

/* The speed grows with what can overlap, until the multiprocessor is busy. A CPU has other latencies; an array in
 * memory has those of its cache. */
static xb_model ilp_predict(const xb_case *c)
{
  const double overlap = (double)chains(c) * c->at[WAVES_AXIS];
  if (of(c)->indexed)
    return (xb_model){.relative = NAN};
  return (xb_model){"overlap", "chains of waves", overlap,
                    c->device->type == XB_DEVICE_CPU ? NAN : fmin(overlap, BUSY_WAVES)};
}

XB_METHODS(.refuse = refuse, .plan = ilp_plan, .find_code = ilp_find_code, .check = ilp_check, .metrics = ilp_metrics,
           .predict = ilp_predict)

#include "benchmarks/rows.h"
