/* Shared-memory bank conflicts. n is the number of accesses, spread over threads that make STEPS each. Each access
 * needs the word before it. With many waves this measures throughput: conflicts divide it by the number of ways. A
 * chain is one wave, whatever n is: it measures latency, to which each further way adds a step. The words are indices,
 * so the element type has no influence. */
#include "benchmarks/banks/banks_args.h"
#include "benchmarks/family.h"

typedef struct parameters {
  uint32_t times, share, swizzle; /* as in xb_banks_args */
  bool one_wave;
} parameters;

enum {
  STEPS = 4096,
  DEFAULT_N = 1 << 22, /* one group of 1024 threads: half of what a multiprocessor holds */
  LARGEST_STRIDE = 33,
  TILES = BANKS_WORDS / BANKS_TILE,
  NEXT = 3 * BANKS_TILE,
};

/* What a conflict adds to the latency, as a part of the latency without one: 1.012 of 14.77 ns on an H200, a straight
 * line from 1 to 32 ways. */
static const double STEP_SHARE = 1.012 / 14.77;

/* Accesses of a thread in one repetition: whole rounds. */
static uint64_t steps_once(const xb_case *c)
{
  return c->n < STEPS ? xb_ceil_div(c->n, BANKS_ROUND) * BANKS_ROUND : STEPS;
}

static uint64_t steps(const xb_case *c)
{
  return steps_once(c) * (c->repeats ? c->repeats : 1);
}

/* As many as n accesses need. */
static uint64_t threads(const xb_case *c)
{
  const uint64_t all = xb_ceil_div(c->n, STEPS);
  return of(c)->one_wave && all > BANKS_LANES ? BANKS_LANES : all;
}

static uint32_t first_word(const xb_case *c, uint32_t lane)
{
  const parameters *p = of(c);
  return lane * p->times % BANKS_LANES / p->share * c->at[0] + ((BANKS_COLUMN ^ lane) & p->swizzle);
}

static xb_code check_size(const xb_case *c, const xb_plan *plan, xb_error *err)
{
  const uint64_t groups = (uint64_t)c->device->max_groups[0] * c->device->max_groups[1];
  if (c->at[0] > LARGEST_STRIDE)
    return xb_refuse_case(c, err, "the tile has rows of at most %d words", LARGEST_STRIDE);
  if (xb_check_iterations(c, plan, err))
    return XB_UNSUPPORTED;
  if (threads(c) * WORD > c->window_bytes || xb_ceil_div(threads(c), c->block) > groups)
    return xb_refuse_case(c, err, "%" PRIu64 " threads are more than a dispatch on this device allows", threads(c));
  return XB_OK;
}

/* [plan] One dispatch. Without an input: the kernel writes the words that it reads. */
static xb_code banks_plan(const xb_case *c, xb_plan *plan, xb_error *err)
{
  const parameters *p = of(c);
  plan->iterations = steps(c) / BANKS_ROUND + xb_ceil_div(BANKS_WORDS, c->block);
  const xb_code code = check_size(c, plan, err);
  if (code)
    return code;
  plan->work = (double)(threads(c) * steps_once(c));
  plan->chain = (double)steps_once(c);
  xb_step *step = xb_plan_dispatch(c, plan, xb_ceil_div(threads(c), c->block));
  xb_step_bind(step, xb_plan_output(plan, "sums", threads(c) * WORD), 0, threads(c) * WORD, XB_WRITE);
  xb_step_fields(step, struct xb_banks_args, .n = (uint32_t)threads(c), .rounds = (uint32_t)(steps(c) / BANKS_ROUND),
                 .next = NEXT, .stride = c->at[0], .times = p->times, .share = p->share, .swizzle = p->swizzle);
  return XB_OK;
}

/* The sum of the words that a thread of this lane reads. It visits the tiles in turn. */
static uint32_t sum(const xb_case *c, uint32_t lane)
{
  uint32_t total = 0;
  for (uint64_t s = 1; s <= TILES && s <= steps(c); s++) {
    const uint64_t visits = (steps(c) - s) / TILES + 1;
    total += (uint32_t)(visits * ((first_word(c, lane) + s * NEXT) % BANKS_WORDS));
  }
  return total;
}

static void expect(const xb_case *c, uint64_t first, uint64_t count, uint32_t *expected)
{
  uint32_t sums[BANKS_LANES];
  for (uint32_t lane = 0; lane < BANKS_LANES; lane++)
    sums[lane] = sum(c, lane);
  for (uint64_t i = 0; i < count; i++)
    expected[i] = sums[(first + i) % BANKS_LANES];
}

/* The most words that a wave asks of one bank. Threads that ask for the same word get it at once. */
static uint32_t ways(const xb_case *c)
{
  uint32_t most = 0, of_bank[BANKS_LANES] = {0};
  bool asked[BANKS_TILE] = {false};
  for (uint32_t lane = 0; lane < BANKS_LANES; lane++) {
    const uint32_t word = first_word(c, lane);
    uint32_t *bank = &of_bank[word % BANKS_LANES];
    *bank += !asked[word];
    asked[word] = true;
    most = *bank > most ? *bank : most;
  }
  return most;
}

/* A CPU has no banks. */
static xb_model banks_predict(const xb_case *c)
{
  const xb_case base = xb_at_base(c);
  const double here = ways(c), there = ways(&base);
  const double latency = (1 + (there - 1) * STEP_SHARE) / (1 + (here - 1) * STEP_SHARE);
  const double relative = of(c)->one_wave ? latency : there / here;
  return (xb_model){"ways", "words of one bank", here, c->device->type == XB_DEVICE_CPU ? NAN : relative};
}

XB_METHODS(.plan = banks_plan, .expect = expect, .word = "the sum of thread",
           .rates = {{"accesses", "G/s", xb_work_of_run}}, .times = {{"access", "ns an access", xb_chain_of_run}},
           .predict = banks_predict)

#include "benchmarks/rows.h"
