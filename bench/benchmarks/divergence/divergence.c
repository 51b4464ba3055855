/* The cost of branches. Each thread runs one of `ways` recurrences on integers. By thread, neighbours run different
 * ones, so a wave runs several paths one after the other; by wave, all threads of a wave run the same one. In each
 * ways * wave neighbouring threads, `wave` take each path, both by thread and by wave: only the threads after the last
 * whole multiple differ. The same kernel runs both. A thread reads and writes 16 elements, so that few threads are
 * needed to check a large input on a CPU; the buffers are rounded up to whole threads. */
#include "benchmarks/divergence/divergence_args.h"
#include "benchmarks/family.h"

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
  xb_windows w = {.all = threads(c), .step = WINDOW_STEP};
  if (!c->at[0] || c->at[0] > PATHS)
    return xb_refuse_case(c, err, "%" PRIu32 " ways: the kernels have 1 to %d", c->at[0], PATHS);
  xb_stream_in(plan, &w, "input", THREAD_BYTES, xb_bits);
  xb_stream_out(plan, &w, "output", THREAD_BYTES);
  plan->bytes = 2 * threads(c) * THREAD_BYTES;
  plan->iterations = (uint64_t)rounds(c) * c->at[0]; /* of a wave */
  plan->work = (double)threads(c) * rounds(c);       /* rounds whose result is kept */
  for (xb_step *step; (step = xb_next_window(c, plan, &w));)
    xb_step_fields(step, struct xb_divergence_args, .threads = (uint32_t)w.count, .ways = c->at[0], .run = run(c),
                   .phase = (uint32_t)(w.first % (c->at[0] * run(c))), .rounds = rounds(c));
  return XB_OK;
}

/* Where each path ends. */
typedef uint32_t ends[PATHS][STARTS];

static bool make_ends(const xb_case *c, void *value)
{
  const uint32_t most = rounds(c);
  uint32_t(*made)[STARTS] = value;
#define FILL(path)                                                                                                     \
  for (uint32_t start = 0; start < STARTS && path < c->at[0]; start++) {                                               \
    uint32_t x = start, y = ~x;                                                                                        \
    for (uint32_t i = 0; i < most; i++)                                                                                \
      XB_ROUND(path, x, y)                                                                                             \
    made[path][start] = x ^ y;                                                                                         \
  }
  XB_EACH_PATH(FILL)
#undef FILL
  return true;
}

/* A thread starts from the first of its elements, and adds its end to all of them. */
static void expect(const xb_case *c, uint64_t first, uint64_t count, uint32_t *expected)
{
  uint32_t(*made)[STARTS] = xb_cached(c, make_ends, sizeof(ends), 1, XB_KEY(c->at[0], rounds(c)));
  xb_bits(c->dtype, c->seed, first, made ? count : 0, expected);
  for (uint64_t i = 0; i < count && made;) {
    const uint64_t thread = (first + i) / ELEMENTS, next = (thread + 1) * ELEMENTS - first;
    uint32_t start;
    xb_bits(c->dtype, c->seed, thread * ELEMENTS, 1, &start);
    for (const uint32_t end = made[path_of(c, thread)][start % STARTS]; i < count && i < next; i++)
      expected[i] += end;
  }
}

static void name_element(const xb_case *c, const xb_chunk *chunk, uint64_t element, char name[XB_NAME_BYTES])
{
  (void)chunk;
  snprintf(name, XB_NAME_BYTES, "element %" PRIu64 ", path %" PRIu32 ",", element, path_of(c, element / ELEMENTS));
}

/* A wave runs each path that one of its threads takes, one after the other. */
static xb_model divergence_predict(const xb_case *c)
{
  const uint32_t ways = c->at[0];
  const uint32_t paths = of(c)->all_run ? ways : of(c)->by_wave ? 1 : ways < wave(c) ? ways : wave(c);
  return (xb_model){"paths", "paths a wave", paths, 1.0 / paths};
}

XB_METHODS(.plan = divergence_plan, .expect = expect, .name = name_element,
           .rates = {{"rounds", "G/s", xb_work_of_run}}, .predict = divergence_predict)

#include "benchmarks/rows.h"
