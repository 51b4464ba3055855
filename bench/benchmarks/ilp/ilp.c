/* Instruction-level parallelism: a multiply-add waits for the one before in its chain. Several chains in a thread, or
 * several waves, give a multiprocessor something to do meanwhile. n threads are n / 1024 groups, of which some waves
 * work: so a multiprocessor that holds one group has exactly these waves. */
#include "benchmarks/family.h"
#include "benchmarks/ilp/ilp_args.h"

typedef struct parameters {
  bool indexed;
} parameters;

enum {
  WAVE = 32,
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
  xb_windows w = {.all = groups(c), .step = 2, .a_group = 1};
  const uint64_t input = (working(c) + OPERANDS - 1) * WORD; /* all groups have the same */
  xb_stream_of(&w, xb_plan_input(plan, "operands", input, generate), 0, XB_READ);
  xb_stream_out(plan, &w, "ends", (uint64_t)chains(c) * working(c) * WORD);
  xb_plan_kernel_of(plan, (xb_plan_kernel){.numbered = true, .number = {.value = chains(c)}});
  plan->iterations = steps(c) / unrolled(chains(c));
  plan->work = (double)groups(c) * working(c) * steps_once(c) * (of(c)->indexed ? 1 : chains(c));
  plan->chain = steps_once(c);
  for (xb_step *step; (step = xb_next_window(c, plan, &w));)
    xb_step_fields(step, struct xb_ilp_args, .threads = working(c), .rounds = steps(c) / unrolled(chains(c)),
                   .chains = chains(c), .groups = (uint32_t)w.count);
  return xb_check_iterations(c, plan, err);
}

/* ---- Check ------------------------------------------------------------------------------------------------------ */

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
  const xb_affine all = xb_affine_steps((xb_affine){a, b}, of(c)->indexed ? 0 : steps(c));
  for (uint32_t k = 0; k < count; k++)
    h[k] = (x + k * b) * all.factor + all.term;
  if (!of(c)->indexed)
    return;
  for (uint32_t s = 0, next = x % count; s < steps(c); s++) {
    h[next] = h[next] * a + b;
    next = (h[next] >> 16) % count;
  }
}

/* The group's words, in the order of the output. */
static bool make_row(const xb_case *c, void *row)
{
  for (uint32_t thread = 0; thread < working(c); thread++) {
    uint32_t h[ILP_CHAINS];
    ends_of(c, thread, h);
    for (uint32_t k = 0; k < chains(c); k++)
      ((uint32_t *)row)[k * working(c) + thread] = h[k];
  }
  return true;
}

static void expect(const xb_case *c, uint64_t first, uint64_t count, uint32_t *expected)
{
  const uint64_t length = (uint64_t)chains(c) * working(c);
  const xb_key key = XB_KEY(c->seed, chains(c), working(c), steps(c), of(c)->indexed);
  xb_repeat(xb_cached(c, make_row, length * WORD, 1, key), length, first, count, expected);
}

/* ---- Model ---------------------------------------------------------------------------------------------------- */

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

XB_METHODS(.refuse = refuse, .plan = ilp_plan, .expect = expect, .word = "word",
           .rates = {{"speed", "Gop/s", xb_work_of_run}}, .times = {{"step", "ns a step", xb_chain_of_run}},
           .predict = ilp_predict)

#include "benchmarks/rows.h"
