/* Sum of n elements: the reduction ladder. */
#include "benchmarks/family.h"
#include "benchmarks/reduce/reduce_args.h"
#include "benchmarks/single_pass.h"

/* Parameters of a variant. */
typedef struct parameters {
  uint32_t elements; /* elements that a thread reads per loop iteration */
  bool loops;        /* threads loop over the input: the grid size depends on the device */
  bool waves;        /* a group adds within each wave first, then adds the waves' sums one by one */
  bool single_pass;  /* the last group finishes the sum; no second dispatch */
} parameters;

enum {
  LOOP_GROUPS = 1024, /* variants 7, 8 and 12: our number, the deck has none; a multiple of 64, see WINDOW_STEP */
  LOOP_TURNS = 8,     /* at least this many loop iterations, with fewer groups if necessary; that also saves passes */
  /* The number of elements in a window is a multiple of this. Then the sums of each window, except the last, start at a
   * multiple of 256 bytes, which every device accepts as a binding's offset: 64 sums, times groups of at most 1024
   * threads, times elements and iterations of a thread. */
  WINDOW_STEP = 64 * 1024 * 2 * LOOP_TURNS,
};

/* Elements per window: as many as fit, in windows of equal length. */
static uint64_t window_length(const xb_case *c, uint64_t n)
{
  const uint64_t most = c->window_bytes / WORD / WINDOW_STEP * WINDOW_STEP;
  if (n <= c->window_bytes / WORD || !most)
    return n;
  const uint64_t windows = xb_ceil_div(n, most);
  return xb_ceil_div(xb_ceil_div(n, windows), WINDOW_STEP) * WINDOW_STEP;
}

/* Of the deck's own kernels. */
#define LOCKSTEP                                                                                                       \
  "the last warp has no barriers ('xbench guide trap-lockstep'); its sum is wrong if 32 threads do not run in "        \
  "lockstep, and always with --backend cpu"

/* [plan] The number of groups for a window of `count` elements. */
static uint64_t window_groups(const xb_case *c, uint64_t count)
{
  const uint64_t a_turn = (uint64_t)c->block * of(c)->elements;
  if (of(c)->single_pass)
    return xb_single_pass_groups(c, count);
  if (!of(c)->loops)
    return xb_ceil_div(count, a_turn);
  const uint64_t needed = xb_ceil_div(count, a_turn * LOOP_TURNS);
  return needed < LOOP_GROUPS ? needed : LOOP_GROUPS;
}

static uint64_t log2_up(uint64_t n)
{
  uint64_t log = 0;
  while (1ull << log < n)
    log++;
  return log;
}

/* Most additions between one thread's sum and the group's sum. How a wave adds depends on the driver; the worst case is
 * one by one. */
static uint64_t group_depth(const xb_case *c)
{
  if (of(c)->single_pass) /* pairs in a column, then 8 vectors and their 4 parts */
    return xb_ceil_div(c->block, 64) + 1 + 8 + 2;
  if (!of(c)->waves)
    return log2_up(c->block);
  const xb_device_info *d = c->device;
  return d->subgroup_max + xb_ceil_div(c->block, d->subgroup_min ? d->subgroup_min : 1);
}

static void count_work(const xb_case *c, xb_plan *plan, uint64_t count, uint64_t groups)
{
  const uint64_t a_turn = groups * c->block * of(c)->elements;
  const uint64_t turns = xb_ceil_div(count, a_turn);
  if (turns > plan->iterations)
    plan->iterations = turns;
  /* The elements of one iteration are added to each other first, then to the sum. Variant 9 has up to 3 vectors, 1
   * element and the 4 parts of its vector in addition. */
  plan->depth += turns + log2_up(of(c)->elements) + (of(c)->single_pass ? 6 : 0) + group_depth(c);
}

/* [plan] Variants 1 to 8, 11 and 12: each pass leaves one sum per group, until one sum is left, as in the deck. Returns
 * the number of sums. */
static uint64_t plan_pass(const xb_case *c, xb_plan *plan, uint32_t from, uint32_t to, uint64_t n)
{
  const uint64_t length = window_length(c, n);
  uint64_t sums = 0;
  for (xb_slice w = {0}; xb_plan_next(plan, &w, n, length);) {
    const uint64_t groups = window_groups(c, w.count);
    xb_step *step = xb_plan_dispatch(c, plan, groups);
    xb_step_bind(step, from, w.first * WORD, w.count * WORD, XB_READ);
    xb_step_bind(step, to, sums * WORD, groups * WORD, XB_WRITE);
    xb_step_fields(step, struct xb_reduce_args, .n = (uint32_t)w.count, .groups = (uint32_t)groups);
    if (!w.first)
      count_work(c, plan, w.count, groups);
    sums += groups;
  }
  return sums;
}

/* [plan] Barriers between the passes only. */
static void plan_passes(const xb_case *c, xb_plan *plan, uint32_t input, uint32_t output)
{
  /* The first pass leaves the most sums, so all passes alternate between two buffers of that size. */
  const uint64_t length = window_length(c, c->n);
  const uint64_t sums0 = xb_ceil_div(c->n, length) * window_groups(c, length);
  const uint64_t bytes = sums0 * WORD;
  uint32_t scratch[2] = {0, 0};
  if (sums0 > 1)
    for (int i = 0; i < 2; i++)
      scratch[i] = xb_plan_slot_with(plan, .name = i ? "sums 2" : "sums 1", .role = XB_ROLE_SCRATCH, .bytes = bytes);

  uint32_t from = input;
  uint64_t n = c->n;
  for (uint32_t pass = 0;; pass++) {
    const bool last = xb_ceil_div(n, window_length(c, n)) == 1 && window_groups(c, n) == 1;
    const uint32_t to = last ? output : scratch[pass % 2];
    if (pass)
      xb_plan_step(plan, XB_STEP_BARRIER);
    n = plan_pass(c, plan, from, to, n);
    if (last || plan->code)
      return;
    from = to;
  }
}

/* Without a queue, all of them. */
static uint64_t dealt_vectors(const xb_case *c, uint64_t count, uint64_t groups, uint64_t window)
{
  return c->block < QUEUED_BLOCK || window >= QUEUES ? count / 4 : xb_single_pass_dealt(c, count, groups);
}

/* [plan] Variant 9: one dispatch per window, no barriers; the last of all groups finishes the sum. */
static void plan_single_pass(const xb_case *c, xb_plan *plan, uint32_t input, uint32_t output)
{
  const uint64_t length = window_length(c, c->n), windows = xb_ceil_div(c->n, length);
  const uint64_t last = c->n - (windows - 1) * length;
  const uint64_t all_groups = (windows - 1) * window_groups(c, length) + window_groups(c, last);
  const uint64_t partial_bytes = PARTIALS_OFFSET + all_groups * WORD;
  const uint32_t partial = xb_plan_slot_with(plan, .name = "counter and sums", .role = XB_ROLE_COUNTER,
                                             .bytes = partial_bytes, .zero_bytes = PARTIALS_OFFSET);
  uint64_t first_group = 0, most_tiles = 0; /* in the queue of a window */
  for (xb_slice w = {0}; xb_plan_next(plan, &w, c->n, length);) {
    const uint64_t groups = window_groups(c, w.count);
    xb_step *step = xb_plan_dispatch(c, plan, groups);
    xb_step_bind_vectors(step, input, w.first * WORD, w.count * WORD, XB_READ);
    xb_step_bind(step, partial, 0, partial_bytes, XB_ATOMIC);
    xb_step_bind(step, output, 0, WORD, XB_DISJOINT_WRITE);
    const uint64_t dealt4 = dealt_vectors(c, w.count, groups, w.first / length);
    xb_step_fields(step, struct xb_reduce_args, .n = (uint32_t)w.count, .groups = (uint32_t)groups,
                   .first_group = (uint32_t)first_group, .all_groups = (uint32_t)all_groups, .dealt4 = (uint32_t)dealt4,
                   .queue = (uint32_t)(1 + w.first / length));
    if (!w.first)
      count_work(c, plan, w.count, groups);
    const uint64_t tiles = xb_ceil_div(w.count / 4 - dealt4, (uint64_t)c->block * 4);
    most_tiles = tiles > most_tiles ? tiles : most_tiles;
    first_group += groups;
  }
  /* One group may take the whole queue, so a thread may loop this often. But `depth` must not grow as much: its error
   * bound would then hide lost elements. So it allows four more shares; the reserve of the bound covers the rest. */
  plan->iterations += most_tiles;
  plan->depth += 4 * xb_ceil_div(most_tiles, window_groups(c, length));
  /* one wave of the last group */
  plan->depth +=
      xb_ceil_div(all_groups, c->device->subgroup_min ? c->device->subgroup_min : 1) + c->device->subgroup_max;
}

/* ---- CUB -------------------------------------------------------------------------------------------------------- */

static const xb_cub cub = {.title = "cub::DeviceReduce::Sum", .name = "xb_reduce_cub"};

/* [plan] The buffers, and how each variant uses them. */
static xb_code reduce_plan(const xb_case *c, xb_plan *plan, xb_error *err)
{
  const uint32_t input =
      xb_plan_slot_with(plan, .name = "input", .role = XB_ROLE_INPUT, .bytes = c->n * WORD, .split = true);
  const uint32_t output = xb_plan_slot_with(plan, .name = "sum", .role = XB_ROLE_OUTPUT, .bytes = WORD, .summed = true);
  plan->bytes = c->n * WORD + WORD;
  plan->flops = c->n - 1;
  if (c->variant->source == LIBRARY) {
    xb_cub_plan(plan, input, output);
    plan->depth = 4096; /* CUB does not document its order; its threads add fewer elements in sequence than this */
    return XB_OK;
  }
  plan->windows = (uint32_t)xb_ceil_div(c->n, window_length(c, c->n));
  if (of(c)->single_pass)
    plan_single_pass(c, plan, input, output);
  else
    plan_passes(c, plan, input, output);
  return xb_check_iterations(c, plan, err);
}

/* ---- Reference and check ---------------------------------------------------------------------------------------- */

/* The sums are kept in lanes, so that the compiler can vectorize. Lane l adds the elements l, l + LANES, ... of each
 * chunk. */
enum { LANES = 8 };
typedef struct reference {
  uint32_t wrapped;                       /* sum modulo 2^32 */
  double sum[LANES], compensation[LANES]; /* the exact sum is near sum + compensation */
  double sum_squares[LANES];
} reference;

static void reduce_reference(void *state, xb_dtype dtype, const void *chunk, uint64_t count)
{
  reference *r = state;
  if (dtype == XB_INT32) {
    const uint32_t *words = chunk;
    for (uint64_t i = 0; i < count; i++)
      r->wrapped += words[i];
    return;
  }
  /* Two-sum (Knuth, TAOCP 4.2.2) computes the exact rounding error of each addition without a branch. */
  const float *floats = chunk;
  for (uint64_t i = 0; i < count; i += LANES) {
    const int lanes = count - i < LANES ? (int)(count - i) : LANES;
    for (int l = 0; l < lanes; l++) {
      const double x = floats[i + (uint64_t)l], s = r->sum[l], next = s + x, part = next - s;
      r->compensation[l] += (s - (next - part)) + (x - part);
      r->sum[l] = next;
      r->sum_squares[l] += x * x;
    }
  }
}

/* The largest accepted error of a float32 sum.
 *
 * Each addition rounds its result s by an error e, |e| <= u |s|, u = 2^-24. An element passes through at most `depth`
 * additions, and the inputs are independent with mean zero. So the expected sum of the squares of all partial sums is
 * at most depth * sum(x^2). If the signs of the rounding errors are independent, Hoeffding's inequality bounds their
 * sum by k * u * sqrt(depth * sum(x^2)), except with probability 2 exp(-k^2 / 2): 4e-22 for k = 10. For a few elements,
 * this bound is also above the guaranteed one, depth * u * sum|x|. At 2^30 elements the bound is 0.2 to 0.5: it finds
 * most single lost elements (int32 finds every one), while the guaranteed bound would be wider than the sum itself. */
static double float_bound(uint64_t depth, double sum_squares)
{
  return 10 * 0x1p-24 * sqrt((double)depth * sum_squares);
}

static bool reduce_check(const xb_case *c, const xb_chunk *chunk, char why[XB_WHY_BYTES])
{
  const reference *r = chunk->state;
  if (c->dtype == XB_INT32) {
    uint32_t got;
    memcpy(&got, chunk->data, sizeof got);
    return got == r->wrapped ||
           xb_wrong(why, "the sum is %" PRId32 ", expected %" PRId32, (int32_t)got, (int32_t)r->wrapped);
  }
  float got;
  memcpy(&got, chunk->data, sizeof got);
  double expected = 0, compensation = 0, squares = 0;
  for (int l = 0; l < LANES; l++) {
    expected += r->sum[l];
    compensation += r->compensation[l];
    squares += r->sum_squares[l];
  }
  expected += compensation;
  const double bound = float_bound(chunk->plan->depth, squares);
  if (fabs((double)got - expected) <= bound) /* false for NaN */
    return true;
  return xb_wrong(why, "the sum is %.9g, expected %.9g within %.2g", (double)got, expected, bound);
}

XB_METHODS(.plan = reduce_plan, .prepare = xb_cub_prepare, .cub = &cub, .state_bytes = sizeof(reference),
           .reference = reduce_reference, .check = reduce_check)

#include "benchmarks/rows.h"
