/* A work queue: n items of uneven cost, dealt to the threads of a grid that fits the device, or taken from a counter.
 * The result of item i is element i. That no item was done twice is seen from the number that each group took: together
 * n. */
#include "benchmarks/family.h"
#include "benchmarks/workqueue/workqueue_args.h"

typedef struct parameters {
  bool dealt;
  bool wraps; /* a thread an item, and a counter that nobody clears */
} parameters;

enum {
  WINDOW_STEP = 64, /* items; their bytes are a multiple of every device's binding alignment */
  RUN = 4096,       /* neighbours that cost the same, for cost=2 */
  LIGHT = 2,        /* rounds of most items */
  HEAVY = 50,       /* of one in 8 */
  MEAN = (7 * LIGHT + HEAVY) / 8,
  GPU_SCALE = 8,         /* times as many rounds */
  GPU_THREADS = 1 << 18, /* if the device does not tell */
  CPU_SHARE = 64,        /* items of a CPU's thread: its driver ends long loops */
  SLACK = 4,             /* a thread takes up to this many times its share */
  MODEL_TURNS = 64,
};

static bool on_cpu(const xb_case *c)
{
  return c->device->type == XB_DEVICE_CPU;
}

static uint32_t scale(const xb_case *c)
{
  return on_cpu(c) ? 1 : GPU_SCALE;
}

static uint32_t random_of(uint64_t seed, uint64_t i)
{
  uint32_t bits;
  xb_bits(XB_INT32, seed, i, 1, &bits);
  return bits;
}

/* `user` is the value of the axis. The low byte of an item has its rounds, before they are scaled. */
static void generate(const void *user, uint64_t seed, uint64_t first, uint64_t count, void *out)
{
  const uint64_t cost = *(const uint64_t *)user;
  uint32_t *items = out;
  xb_bits(XB_INT32, seed, first, count, items);
  for (uint64_t i = 0; i < count; i++) {
    const uint32_t chance = cost == 2 ? random_of(~seed, (first + i) / RUN) : items[i] >> 8;
    const uint32_t rounds = cost == 0 ? MEAN : chance % 8 ? LIGHT : HEAVY;
    items[i] = (items[i] & ~QUEUE_ROUNDS) | rounds;
  }
}

/* Groups for `count` items: one for each BLOCK, but no more than the device can hold. */
static uint64_t groups(const xb_case *c, uint64_t count)
{
  const uint64_t needed = xb_ceil_div(count, c->block);
  const uint64_t held = (uint64_t)c->device->multiprocessors * c->device->threads_per_multiprocessor;
  uint64_t most = (held ? held : GPU_THREADS) / c->block;
  if (on_cpu(c))
    most = xb_ceil_div(count, CPU_SHARE * (uint64_t)c->block);
  return of(c)->wraps || needed < most ? needed : most;
}

/* [plan] Windows of the largest size that a binding allows, with a counter each. A run clears the counters first. */
static xb_code workqueue_plan(const xb_case *c, xb_plan *plan, xb_error *err)
{
  const bool wraps = of(c)->wraps, dealt = of(c)->dealt;
  const uint64_t length = xb_window_length(c, c->n, WORD, WINDOW_STEP);
  if (!length)
    return xb_refuse_case(c, err, "a binding of %" PRIu64 " bytes is too small for a window", c->window_bytes);
  const uint64_t windows = xb_ceil_div(c->n, length), last = c->n - (windows - 1) * length;
  xb_windows w = {.all = c->n, .most = length, .groups = groups};
  xb_stream_slot(plan, &w, WORD, (xb_slot){.name = "items", .generator = {generate, NULL, c->at[0]}});
  xb_stream_out(plan, &w, "results", WORD);
  if (!wraps)
    xb_stream_of(&w,
                 xb_plan_output(plan, "items of groups", ((windows - 1) * groups(c, length) + groups(c, last)) * WORD),
                 0, XB_DISJOINT_WRITE);
  if (!dealt) {
    const xb_slot counters = {.name = "counters",
                              .role = wraps ? XB_ROLE_COUNTER : XB_ROLE_SCRATCH,
                              .bytes = windows * WORD,
                              .zero_bytes = wraps ? windows * WORD : 0};
    const uint32_t slot = xb_plan_slot(plan, counters);
    xb_stream_of(&w, slot, 0, XB_ATOMIC);
    if (!wraps) {
      xb_plan_fill(plan, slot, counters.bytes, 0);
      xb_plan_step(plan, XB_STEP_BARRIER);
    }
  }
  uint64_t before = 0;
  for (xb_step *step; (step = xb_next_window(c, plan, &w)); plan->windows++) {
    const uint64_t all = groups(c, w.count);
    const uint32_t turns = (uint32_t)(SLACK * xb_ceil_div(w.count, all * c->block));
    xb_step_fields(step, struct xb_workqueue_args, .n = (uint32_t)w.count, .window = plan->windows,
                   .first = (uint32_t)before, .turns = turns, .scale = scale(c), .groups = (uint32_t)all);
    const uint64_t rounds = turns * (1 + (uint64_t)HEAVY * scale(c));
    plan->iterations = rounds > plan->iterations ? rounds : plan->iterations;
    before += all;
  }
  return XB_OK;
}

static void expect(const void *user, uint64_t first, uint64_t count, uint32_t *expected)
{
  const xb_case *c = user;
  generate(&(uint64_t){c->at[0]}, c->seed, first, count, expected);
  for (uint64_t i = 0; i < count; i++) {
    uint32_t x = expected[i];
    for (uint32_t r = (x & QUEUE_ROUNDS) * scale(c); r > 0; r--)
      x = QUEUE_ROUND(x);
    expected[i] = x;
  }
}

/* The groups' numbers are one chunk: they are fewer than the items. */
static bool workqueue_check(const xb_case *c, const xb_chunk *chunk, char why[XB_WHY_BYTES])
{
  enum { RESULTS = 1 };
  uint64_t taken = 0;
  if (chunk->slot == RESULTS)
    return xb_check_words(chunk, expect, c, "the result of item", why);
  for (uint64_t i = 0; i < chunk->count; i++)
    taken += ((const uint32_t *)chunk->data)[i];
  return taken == c->n || xb_wrong(why, "the groups took %" PRIu64 " items, expected %" PRIu64, taken, c->n);
}

/* The rounds of a wave for the items [first, first + its lanes): those of its slowest lane. */
static uint32_t slowest(const xb_case *c, uint64_t first)
{
  enum { MOST_LANES = 128 };
  uint32_t items[MOST_LANES], most = 0, lanes = c->device->subgroup_size;
  lanes = lanes && lanes < MOST_LANES ? lanes : MOST_LANES;
  const uint64_t count = c->n - first < lanes ? c->n - first : lanes;
  generate(&(uint64_t){c->at[0]}, c->seed, first, count, items);
  for (uint64_t i = 0; i < count; i++)
    most = (items[i] & QUEUE_ROUNDS) > most ? items[i] & QUEUE_ROUNDS : most;
  return most;
}

/* A wave works as long as its slowest lane. Dealt: until the busiest wave is done. Taken: all are done at the same
 * time. Looks at the first turns only, if there are many. */
static xb_model workqueue_predict(const xb_case *c)
{
  const uint64_t lanes = c->device->subgroup_size ? c->device->subgroup_size : 1;
  const uint64_t threads = groups(c, c->n) * c->block, waves = xb_ceil_div(threads, lanes);
  uint64_t turns = xb_ceil_div(c->n, threads), all = 0, busiest = 0;
  turns = turns < MODEL_TURNS ? turns : MODEL_TURNS;
  for (uint64_t w = 0; w < waves; w++) {
    uint64_t rounds = 0;
    for (uint64_t t = 0; t < turns && t * threads + w * lanes < c->n; t++)
      rounds += slowest(c, t * threads + w * lanes);
    all += rounds;
    busiest = rounds > busiest ? rounds : busiest;
  }
  const double mean = (double)all / (double)waves, rounds = of(c)->dealt ? (double)busiest : mean;
  return (xb_model){"rounds", "rounds of the busiest wave", rounds * scale(c), (double)(turns * MEAN) / rounds};
}

XB_METHODS(.plan = workqueue_plan, .check = workqueue_check, .rates = {{"items", "G/s", xb_elements_of_run}},
           .predict = workqueue_predict)

#include "benchmarks/rows.h"
