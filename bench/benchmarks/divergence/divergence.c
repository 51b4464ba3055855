/* The cost of branches. Each thread runs one of `ways` recurrences on integers. By thread, neighbours run different
 * ones, so a wave runs several paths one after the other; by wave, all threads of a wave run the same one. In each
 * ways * wave neighbouring threads, `wave` take each path, both by thread and by wave: only the threads after the last
 * whole multiple differ. The same kernel runs both. A thread reads and writes 16 elements, so that few threads are
 * needed to check a large input on a CPU; the buffers are rounded up to whole threads. */
#include "benchmarks/divergence/divergence_args.h"
#include "benchmarks/input.h"

#include <inttypes.h>
#include <stdio.h>

typedef struct parameters {
  bool by_wave;
  bool all_run; /* a wave runs all paths in use, whichever its threads take */
} parameters;

enum {
  ELEMENTS = 4 * VECTORS, /* of a thread */
  THREAD_BYTES = 4 * ELEMENTS,
  WINDOW_STEP = 64, /* threads; their bytes are a multiple of every device's binding alignment */
  ROUNDS = 1024,    /* some 8000 instructions a thread, for 128 bytes of memory */
  CPU_ROUNDS = 4,   /* a CPU is used to check results; one round where elements are many */
  CPU_FEW = 1 << 20,
};

XB_DEFINE_OF

static uint32_t wave(const xb_case *c)
{
  return c->device->subgroup_size ? c->device->subgroup_size : 1;
}

static uint32_t run(const xb_case *c)
{
  return of(c)->by_wave ? wave(c) : 1;
}

static uint64_t threads(const xb_case *c)
{
  return xb_ceil_div(c->n, ELEMENTS);
}

static uint32_t path_of(const xb_case *c, uint64_t thread)
{
  return (uint32_t)(thread / run(c) % c->at[0]);
}

static uint32_t rounds(const xb_case *c)
{
  return c->device->type != XB_DEVICE_CPU ? ROUNDS : c->n <= CPU_FEW ? CPU_ROUNDS : 1;
}

/* [plan] Windows of the largest size that a binding allows. */
static xb_code divergence_plan(const xb_case *c, xb_plan *plan, xb_error *err)
{
  const uint64_t all = threads(c), bytes = all * THREAD_BYTES;
  const uint64_t length = xb_window_length(c, all, THREAD_BYTES, WINDOW_STEP);
  if (!c->at[0] || c->at[0] > PATHS)
    return xb_refuse_case(c, err, "%" PRIu32 " ways: the kernels have 1 to %d", c->at[0], PATHS);
  const uint32_t input = xb_plan_input(plan, "input", bytes, xb_bits);
  const uint32_t output = xb_plan_output(plan, "output", bytes);
  plan->bytes = 2 * bytes;
  plan->iterations = (uint64_t)rounds(c) * c->at[0]; /* of a wave */
  for (xb_slice w = {0}; xb_plan_next(plan, &w, all, length);) {
    xb_step *step = xb_plan_dispatch(c, plan, xb_ceil_div(w.count, c->block));
    xb_step_bind(step, input, w.first * THREAD_BYTES, w.count * THREAD_BYTES, XB_READ);
    xb_step_bind(step, output, w.first * THREAD_BYTES, w.count * THREAD_BYTES, XB_DISJOINT_WRITE);
    xb_step_fields(step, struct xb_divergence_args, .threads = (uint32_t)w.count, .ways = c->at[0], .run = run(c),
                   .phase = (uint32_t)(w.first % (c->at[0] * run(c))), .rounds = rounds(c));
  }
  return XB_OK;
}

typedef struct question {
  const xb_case *c;
  uint32_t ends[PATHS][STARTS]; /* where each path ends */
} question;

static void fill_ends(question *q)
{
  const uint32_t most = rounds(q->c);
#define FILL(path)                                                                                                     \
  for (uint32_t start = 0; start < STARTS && path < q->c->at[0]; start++) {                                            \
    uint32_t x = start, y = ~x;                                                                                        \
    for (uint32_t i = 0; i < most; i++)                                                                                \
      XB_ROUND(path, x, y)                                                                                             \
    q->ends[path][start] = x ^ y;                                                                                      \
  }
  XB_EACH_PATH(FILL)
#undef FILL
}

/* A thread starts from the first of its elements, and adds its end to all of them. */
static void expect(const void *user, uint64_t first, uint64_t count, uint32_t *expected)
{
  const question *q = user;
  const xb_case *c = q->c;
  uint64_t i = 0;
  xb_bits(c->dtype, c->seed, first, count, expected);
  while (i < count) {
    const uint64_t thread = (first + i) / ELEMENTS, next = (thread + 1) * ELEMENTS - first;
    uint32_t start;
    xb_bits(c->dtype, c->seed, thread * ELEMENTS, 1, &start);
    for (const uint32_t end = q->ends[path_of(c, thread)][start % STARTS]; i < count && i < next; i++)
      expected[i] += end;
  }
}

static bool divergence_check(const xb_case *c, const xb_chunk *chunk, char why[XB_WHY_BYTES])
{
  question q;
  uint64_t element;
  char bits[64];
  q.c = c;
  fill_ends(&q);
  return xb_words_match(chunk, expect, &q, &element, bits) ||
         xb_wrong(why, "element %" PRIu64 ", path %" PRIu32 ", %s", element, path_of(c, element / ELEMENTS), bits);
}

/* Rounds whose result is kept. */
static size_t divergence_metrics(const xb_case *c, const xb_plan *plan, double ns, xb_metric metrics[XB_MAX_METRICS])
{
  (void)plan;
  metrics[0] = (xb_metric){"rounds", "G/s", (double)threads(c) * rounds(c) / ns, 1};
  return 1;
}

/* A wave runs each path that one of its threads takes, one after the other. */
static xb_model divergence_predict(const xb_case *c)
{
  const uint32_t ways = c->at[0];
  const uint32_t paths = of(c)->all_run ? ways : of(c)->by_wave ? 1 : ways < wave(c) ? ways : wave(c);
  return (xb_model){"paths", "paths a wave", paths, 1.0 / paths};
}

XB_METHODS(.plan = divergence_plan, .check = divergence_check, .metrics = divergence_metrics,
           .predict = divergence_predict)

#include "benchmarks/rows.h"
