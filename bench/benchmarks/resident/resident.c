/* Groups that count themselves: each adds one when it begins and takes it back when it ends, and keeps the most that it
 * saw. There are more groups than a device holds, and each works long enough for the next one to begin; so the most,
 * over the multiprocessors, is what a multiprocessor holds at a time. The work is checked word for word. */
#include "benchmarks/family.h"
#include "benchmarks/resident/resident_args.h"

typedef struct parameters {
  uint32_t chains; /* 0: one */
} parameters;

enum {
  COUNTERS = 3,
  MOST_BLOCK = 1024,
  STEPS = 32, /* of a round of one chain */
  ROUNDS = 512,
  ROUNDS_OF_A_CPU = 4,
  GPU_N = 1 << 20, /* four times what an H200 holds */
  INPUT = 0,
  COUNTER = 1,
  OUTPUT = 2,
};

static uint32_t rounds(const xb_case *c)
{
  return c->device->type == XB_DEVICE_CPU ? ROUNDS_OF_A_CPU : ROUNDS;
}

static uint64_t groups(const xb_case *c)
{
  return xb_ceil_div(c->n, c->block);
}

/* [plan] Counters are cleared in each run. */
static xb_code resident_plan(const xb_case *c, xb_plan *plan, xb_error *err)
{
  const uint64_t bytes = groups(c) * c->block * WORD;
  if (bytes > c->window_bytes)
    return xb_refuse_case(c, err, "a binding of %" PRIu64 " bytes is too small for %" PRIu64 " words", c->window_bytes,
                          bytes / WORD);
  /* The operands are the same for all group sizes. */
  xb_plan_input(plan, "operands", MOST_BLOCK * WORD, xb_bits);
  xb_plan_output(plan, "counters", COUNTERS * WORD);
  xb_plan_output(plan, "ends", bytes);
  plan->iterations = rounds(c);
  plan->work = (double)(bytes / WORD) * rounds(c) * (of(c)->chains ? of(c)->chains : STEPS);
  xb_plan_fill(plan, COUNTER, COUNTERS * WORD, 0);
  xb_plan_step(plan, XB_STEP_BARRIER);
  xb_step *step = xb_plan_dispatch(c, plan, groups(c));
  xb_step_bind(step, INPUT, 0, c->block * WORD, XB_READ);
  xb_step_bind_all(plan, step, COUNTER, XB_ATOMIC);
  xb_step_bind_all(plan, step, OUTPUT, XB_DISJOINT_WRITE);
  xb_step_fields(step, struct xb_resident_args, .groups = (uint32_t)groups(c), .rounds = rounds(c));
  return XB_OK;
}

static uint32_t operand(const xb_case *c, uint32_t index)
{
  uint32_t word;
  xb_bits(c->dtype, c->seed, index, 1, &word);
  return word;
}

/* What a thread of each group writes. */
static uint32_t end_of(const xb_case *c, uint32_t tid)
{
  const uint32_t x = operand(c, (tid + 1) % c->block), a = operand(c, tid);
  uint32_t end = 0;
  for (uint32_t k = 0; k < of(c)->chains; k++) {
    uint32_t h = x + k;
    for (uint32_t r = 0; r < rounds(c); r++)
      h = h * a + k;
    end ^= h;
  }
  if (of(c)->chains)
    return end;
  end = x;
  for (uint32_t s = 0; s < rounds(c) * STEPS; s++)
    end = end * a + s % STEPS;
  return end;
}

static bool check_counters(const xb_case *c, const uint32_t *words, char why[XB_WHY_BYTES])
{
  const uint32_t most = words[RESIDENT_MOST];
  if (!words[RESIDENT_INSIDE] && words[RESIDENT_BEGUN] == groups(c) && most && most <= groups(c))
    return true;
  return xb_wrong(
      why, "of %" PRIu64 " groups, %" PRIu32 " began, at most %" PRIu32 " at a time, and %" PRIu32 " did not end",
      groups(c), words[RESIDENT_BEGUN], most, words[RESIDENT_INSIDE]);
}

static bool make_ends(const xb_case *c, void *ends)
{
  for (uint32_t tid = 0; tid < c->block; tid++)
    ((uint32_t *)ends)[tid] = end_of(c, tid);
  return true;
}

/* All groups end alike. */
static void expect(const void *user, uint64_t first, uint64_t count, uint32_t *expected)
{
  const xb_case *c = user;
  const xb_key key = XB_KEY(c->dtype, c->seed, c->block, rounds(c), of(c)->chains);
  xb_repeat(xb_cached(c, make_ends, c->block * WORD, 1, key), c->block, first, count, expected);
}

static bool resident_check(const xb_case *c, const xb_chunk *chunk, char why[XB_WHY_BYTES])
{
  return chunk->slot == COUNTER ? check_counters(c, chunk->data, why)
                                : xb_check_words(chunk, expect, c, "the end of thread", why);
}

static void resident_observe(const xb_case *c, const xb_chunk *chunk, double seen[XB_MAX_SEEN])
{
  (void)c;
  if (chunk->slot == COUNTER)
    seen[0] = ((const uint32_t *)chunk->data)[RESIDENT_MOST];
}

/* A device that does not tell its multiprocessors is one: its groups are counted together. */
static size_t resident_metrics(const xb_case *c, const xb_plan *plan, double ns, xb_metric metrics[XB_MAX_METRICS])
{
  const double most = plan->seen[0] / (c->device->multiprocessors ? c->device->multiprocessors : 1);
  (void)ns;
  metrics[0] = (xb_metric){"resident groups", "groups/SM", most, XB_UNKNOWN};
  metrics[1] = (xb_metric){"resident threads", "threads/SM", most * c->block, XB_UNKNOWN};
  return 2;
}

/* Only GPUs tell a cache; they hold many more threads than a CPU. */
XB_METHODS(.plan = resident_plan, .check = resident_check, .observe = resident_observe,
           .rates = {{"speed", "Gop/s", xb_work_of_run}}, .metrics = resident_metrics, .grows = {.n = GPU_N})

#include "benchmarks/rows.h"
