/* The cost of branches. Each thread runs one of `ways` recurrences on integers. By thread, neighbours run different
 * ones, so a wave runs several paths one after the other; by wave, all threads of a wave run the same one. In each
 * ways * wave neighbouring threads, `wave` take each path, both by thread and by wave: only the threads after the last
 * whole multiple differ. The same kernel runs both. A thread reads and writes a vector of four elements; the last one
 * may have up to three elements more than n. */
#include "benchmarks/divergence/divergence_args.h"
#include "benchmarks/input.h"

#include <inttypes.h>
#include <stdio.h>

typedef struct parameters {
  bool by_wave;
  bool all_run; /* a wave runs all paths in use, whichever its threads take */
} parameters;

enum {
  VECTOR_BYTES = 16,
  WINDOW_STEP = 256, /* 4096 bytes: a multiple of every device's binding alignment */
  ROUNDS = 256,      /* some 2000 instructions a thread, for 8 bytes of memory */
  CPU_ROUNDS = 2,    /* a CPU has fewer processors, and is used to check results */
};

static const parameters *of(const xb_case *c)
{
  return c->variant->parameters;
}

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
  return xb_ceil_div(c->n, 4);
}

static uint32_t path_of(const xb_case *c, uint64_t thread)
{
  return (uint32_t)(thread / run(c) % c->at[0]);
}

static uint32_t rounds(const xb_case *c)
{
  return c->device->type == XB_DEVICE_CPU ? CPU_ROUNDS : ROUNDS;
}

/* [plan] */
static void add_window(const xb_case *c, xb_plan *plan, uint64_t first, uint64_t count, uint32_t input, uint32_t output)
{
  const uint64_t offset = first * VECTOR_BYTES, bytes = count * VECTOR_BYTES;
  xb_step *step = xb_plan_step(plan, XB_STEP_DISPATCH);
  xb_fold_groups(c->device, xb_ceil_div(count, c->block), step->groups);
  xb_step_bind(step, input, offset, bytes, XB_READ);
  xb_step_bind(step, output, offset, bytes, XB_DISJOINT_WRITE);
  const struct xb_divergence_args args = {.n4 = (uint32_t)count,
                                          .ways = c->at[0],
                                          .run = run(c),
                                          .phase = (uint32_t)(first % (c->at[0] * run(c))),
                                          .rounds = rounds(c),
                                          .grid_x = step->groups[0]};
  xb_step_args(step, &args, sizeof args);
  plan->windows++;
}

/* [plan] Windows of the largest size that a binding allows. */
static xb_code divergence_plan(const xb_case *c, xb_plan *plan, xb_error *err)
{
  const uint64_t n4 = threads(c), bytes = n4 * VECTOR_BYTES, binding = c->window_bytes / VECTOR_BYTES;
  const uint64_t length = n4 <= binding ? n4 : binding / WINDOW_STEP * WINDOW_STEP;
  if (!c->at[0] || c->at[0] > PATHS)
    return xb_fail(err, XB_UNSUPPORTED, "divergence", "%" PRIu32 " ways: the kernels have 1 to %d", c->at[0], PATHS);
  if (!length)
    return xb_fail(err, XB_UNSUPPORTED, "divergence", "a binding of %" PRIu64 " bytes is too small for a window",
                   c->window_bytes);
  const uint32_t input =
      xb_plan_slot(plan, (xb_slot){.name = "input", .role = XB_ROLE_INPUT, .bytes = bytes, .generate = xb_bits});
  const uint32_t output = xb_plan_slot(plan, (xb_slot){.name = "output", .role = XB_ROLE_OUTPUT, .bytes = bytes});
  xb_plan_kernel_of(plan, (xb_plan_kernel){.binding_count = 2, .arg_bytes = sizeof(struct xb_divergence_args)});
  plan->bytes = 2 * bytes;
  plan->iterations = (uint64_t)rounds(c) * c->at[0]; /* of a wave */
  for (uint64_t first = 0; first < n4 && !plan->code; first += length)
    add_window(c, plan, first, n4 - first < length ? n4 - first : length, input, output);
  return XB_OK;
}

/* ---- Check ------------------------------------------------------------------------------------------------------ */

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

/* Chunks begin with a whole vector. */
static void expect(const void *user, uint64_t first, uint64_t count, uint32_t *expected)
{
  const question *q = user;
  xb_bits(q->c->dtype, q->c->seed, first, count, expected);
  for (uint64_t i = 0; i < count; i += 4) {
    const uint32_t end = q->ends[path_of(q->c, (first + i) / 4)][expected[i] % STARTS];
    for (uint64_t k = i; k < count && k < i + 4; k++)
      expected[k] += end;
  }
}

static bool divergence_check(const xb_case *c, const xb_plan *plan, const void *state, const xb_chunk *chunk,
                             char why[XB_WHY_BYTES])
{
  question q;
  uint64_t element;
  char bits[64];
  (void)plan, (void)state;
  q.c = c;
  fill_ends(&q);
  if (xb_words_match(chunk, expect, &q, &element, bits))
    return true;
  snprintf(why, XB_WHY_BYTES, "element %" PRIu64 ", path %" PRIu32 ", %s", element, path_of(c, element / 4), bits);
  return false;
}

/* ---- Metrics and model ------------------------------------------------------------------------------------------ */

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
  return (xb_model){.name = "paths", .unit = "paths a wave", .value = paths, .relative = 1.0 / paths};
}

static const xb_methods methods = {
    .plan = divergence_plan, .check = divergence_check, .metrics = divergence_metrics, .predict = divergence_predict};

#define XB_SELF xb_divergence
#define XB_TABLE "benchmarks/divergence/variants.def"
#include "benchmarks/rows.h"
