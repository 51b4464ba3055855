#include "tally.h"

#include "benchmarks/registry.h"
#include "blob.h"
#include "tally_args.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
  MOST_BINS = 256,
  START = 1000, /* the initial value of each bin */
  MORE = 37     /* more pairs than n: the input has its own length */
};
enum { PAIRS, BINS, SUMS, COMPLEMENTS }; /* slots */
enum { ADD, TAKE };                      /* kernels */

typedef struct pair {
  uint32_t key, value;
} pair;

typedef struct reference {
  uint32_t sums[MOST_BINS]; /* by key % MOST_BINS */
} reference;

/* The faults of a variant; the variants of `tally` have none. */
typedef struct mistake {
  uint32_t dropped;  /* pairs that the kernel skips */
  bool half;         /* the second output is not written */
  uint32_t expected; /* the check expects this much more in each bin */
} mistake;

static const mistake *mistake_of(const xb_case *c)
{
  static const mistake none = {0};
  return c->variant->parameters ? c->variant->parameters : &none;
}

static uint32_t bins_of(const xb_case *c)
{
  return c->at[0];
}

static uint64_t pairs_of(const xb_case *c)
{
  return c->n + MORE;
}

/* ---- Input and reference ---------------------------------------------------------------------------------------- */

static void generate(xb_dtype dtype, uint64_t seed, uint64_t first, uint64_t count, void *out)
{
  (void)dtype;
  pair *pairs = out;
  for (uint64_t i = 0; i < count; i++) {
    const uint64_t bits = (seed * 31 + first + i + 1) * 0x9E3779B97F4A7C15ull;
    pairs[i] = (pair){.key = (uint32_t)(bits >> 40), .value = (uint32_t)(bits >> 8)};
  }
}

static void take_reference(void *state, xb_dtype dtype, const void *chunk, uint64_t count)
{
  (void)dtype;
  reference *r = state;
  const pair *pairs = chunk;
  for (uint64_t i = 0; i < count; i++)
    r->sums[pairs[i].key % MOST_BINS] += pairs[i].value;
}

/* ---- The plan --------------------------------------------------------------------------------------------------- */

static void dispatch(const xb_case *c, xb_plan *plan, uint32_t kernel, uint64_t threads, const uint32_t *slots,
                     const xb_access *accesses, uint32_t count, const struct tally_args *args)
{
  xb_step *step = xb_plan_step(plan, XB_STEP_DISPATCH);
  step->kernel = kernel;
  xb_fold_groups(c->device, (threads + c->block - 1) / c->block, step->groups);
  for (uint32_t i = 0; i < count; i++)
    xb_step_bind(step, slots[i], 0, plan->slots[slots[i]].bytes, accesses[i]);
  xb_step_args(step, args, sizeof *args);
}

static xb_code make_plan(const xb_case *c, xb_plan *plan, xb_error *err)
{
  const mistake *wrong = mistake_of(c);
  const uint32_t bins = bins_of(c), each = c->at[1];
  const uint64_t bytes = pairs_of(c) * sizeof(pair), out = bins * sizeof(uint32_t);
  if (!bins || bins > MOST_BINS || bins & (bins - 1))
    return xb_fail(err, XB_UNSUPPORTED, "tally", "%" PRIu32 " bins are no power of two up to %d", bins, MOST_BINS);
  if (!each || bytes > c->window_bytes)
    return xb_fail(err, XB_UNSUPPORTED, "tally", "cannot do %" PRIu64 " pairs in one dispatch", pairs_of(c));
  xb_plan_slot(
      plan,
      (xb_slot){
          .name = "pairs", .role = XB_ROLE_INPUT, .bytes = bytes, .element_bytes = sizeof(pair), .generate = generate});
  xb_plan_slot(plan, (xb_slot){.name = "bins", .role = XB_ROLE_SCRATCH, .bytes = out});
  xb_plan_slot(plan, (xb_slot){.name = "sums", .role = XB_ROLE_OUTPUT, .bytes = out});
  xb_plan_slot(plan, (xb_slot){.name = "complements", .role = XB_ROLE_OUTPUT, .bytes = out});
  xb_plan_kernel_of(plan, (xb_plan_kernel){.name = "add", .binding_count = 2, .arg_bytes = sizeof(struct tally_args)});
  xb_plan_kernel_of(plan, (xb_plan_kernel){.name = "take", .binding_count = 3, .arg_bytes = sizeof(struct tally_args)});
  if (plan->code)
    return XB_OK; /* xb_plan_make reports it */

  xb_step *fill = xb_plan_step(plan, XB_STEP_FILL);
  xb_step_bind(fill, BINS, 0, out, XB_WRITE);
  fill->args[0] = START;
  xb_plan_step(plan, XB_STEP_BARRIER);
  const struct tally_args args = {(uint32_t)(pairs_of(c) - wrong->dropped), bins, each, !wrong->half};
  dispatch(c, plan, ADD, (pairs_of(c) + each - 1) / each, (const uint32_t[]){PAIRS, BINS},
           (const xb_access[]){XB_READ, XB_ATOMIC}, 2, &args);
  xb_plan_step(plan, XB_STEP_BARRIER);
  dispatch(c, plan, TAKE, bins, (const uint32_t[]){BINS, SUMS, COMPLEMENTS},
           (const xb_access[]){XB_READ, XB_WRITE, XB_WRITE}, 3, &args);
  plan->windows = 1;
  plan->bytes = bytes + 2 * out;
  return XB_OK;
}

static xb_code find_code(const xb_case *c, const xb_plan_kernel *kernel, xb_kernel_desc *desc, xb_error *err)
{
  extern const xb_blob tally_blobs[];
  char name[64];
  snprintf(name, sizeof name, "%s.%" PRIu32 ".%s", kernel->name, c->block, c->device->code);
  const xb_blob *blob = xb_blob_find_in(tally_blobs, name);
  if (!blob)
    return xb_fail(err, XB_UNSUPPORTED, "tally", "there is no code %s", name);
  desc->code = blob->data;
  desc->code_bytes = blob->bytes;
  desc->entry = kernel->name;
  return XB_OK;
}

/* ---- Check, metrics and model ----------------------------------------------------------------------------------- */

static uint32_t expected(const xb_case *c, const reference *r, uint32_t bin)
{
  uint32_t sum = START + mistake_of(c)->expected;
  for (uint32_t key = bin; key < MOST_BINS; key += bins_of(c))
    sum += r->sums[key];
  return sum;
}

static bool check(const xb_case *c, const xb_chunk *chunk, char why[XB_WHY_BYTES])
{
  const uint32_t *words = chunk->data;
  for (uint64_t i = 0; i < chunk->count; i++) {
    const uint32_t at = (uint32_t)(chunk->first + i);
    const uint32_t good =
        chunk->slot == SUMS ? expected(c, chunk->state, at) : ~expected(c, chunk->state, bins_of(c) - 1 - at);
    if (words[i] == good)
      continue;
    snprintf(why, XB_WHY_BYTES, "%s[%" PRIu32 "] is %" PRIu32 ", expected %" PRIu32,
             chunk->plan->slots[chunk->slot].name, at, words[i], good);
    return false;
  }
  return true;
}

static size_t measure(const xb_case *c, const xb_plan *plan, double ns, xb_metric metrics[XB_MAX_METRICS])
{
  metrics[0] = (xb_metric){"updates", "updates/s", (double)pairs_of(c) * 1e9 / ns, true};
  metrics[1] = (xb_metric){"bandwidth", "GB/s", (double)plan->bytes / ns, true};
  return 2;
}

static xb_model predict(const xb_case *c)
{
  return (xb_model){"crowd", "updates a bin", (double)pairs_of(c) / bins_of(c), bins_of(c) / (double)MOST_BINS};
}

/* ---- Made at run time ------------------------------------------------------------------------------------------- */

/* The variants of one benchmark, at most `most`. */
typedef struct maker {
  xb_benchmark *benchmark;
  xb_variant *variants;
  xb_methods *methods;
} maker;

static xb_variant *add_variant(maker *m, const char *name, const char *title)
{
  const size_t i = m->benchmark->variant_count++;
  m->variants[i] = (xb_variant){
      .benchmark = m->benchmark, .number = (uint32_t)i + 1, .name = name, .source = KERNEL, .title = title};
  return &m->variants[i];
}

static void add_mistake(maker *m, const char *name, const char *title, mistake wrong)
{
  mistake *kept = malloc(sizeof *kept);
  if (!kept)
    abort();
  *kept = wrong;
  add_variant(m, name, title)->parameters = kept;
}

static maker make(const char *name, const char *title, size_t most)
{
  xb_benchmark *b = calloc(1, sizeof *b);
  xb_methods *methods = calloc(1, sizeof *methods);
  xb_axis *axes = calloc(2, sizeof *axes);
  maker m = {b, calloc(most, sizeof *m.variants), methods};
  if (!b || !methods || !axes || !m.variants)
    abort();
  axes[0] =
      (xb_axis){.name = "bins", .values = "256,1", .base = MOST_BINS, .title = "bins that the pairs are added to"};
  axes[1] = (xb_axis){.name = "each", .values = "1", .base = 1, .title = "pairs that a thread takes"};
  *methods = (xb_methods){.plan = make_plan,
                          .state_bytes = sizeof(reference),
                          .reference = take_reference,
                          .check = check,
                          .metrics = measure,
                          .predict = predict,
                          .find_code = find_code};
  *b = (xb_benchmark){.name = name,
                      .title = title,
                      .dtypes = "int32",
                      .blocks = "64 256",
                      .default_block = 64,
                      .default_n = 1 << 12,
                      .variants = m.variants,
                      .axes = axes,
                      .axis_count = 2,
                      .methods = methods};
  return m;
}

xb_code tally_add(xb_error *err)
{
  maker tally = make("tally", "pairs added to bins & taken", 4);
  tally.benchmark->bandwidth = true;
  add_variant(&tally, "atomic", "one atomic addition a pair");
  add_variant(&tally, "again", "the same, as a second rung");
  xb_variant *near = add_variant(&tally, "near", "additions that saturate elsewhere");
  near->counterparts[0] = (xb_counterpart){"vulkan", XB_APPROXIMATE, "here additions wrap."};
  xb_variant *lacking = add_variant(&tally, "lacking", "additions that the host sees");
  lacking->counterparts[0] = (xb_counterpart){"cuda", XB_ALIKE, NULL};
  lacking->counterparts[1] = (xb_counterpart){"*", XB_NONE, "atomics over a bus are not said."};

  maker wrong = make("mistally", "tallies that are wrong", 4);
  add_mistake(&wrong, "right", "nothing is wrong", (mistake){0});
  add_mistake(&wrong, "drops", "the last pair is left out", (mistake){.dropped = 1});
  add_mistake(&wrong, "half", "the second output is not written", (mistake){.half = true});
  add_mistake(&wrong, "misjudged", "the check expects something else", (mistake){.expected = 1});

  maker unchecked = make("unchecked", "a tally of which nothing is known", 1);
  add_variant(&unchecked, "bare", "no check, no reference, no metrics, no model");
  *unchecked.methods = (xb_methods){.plan = make_plan, .find_code = find_code};

  xb_code code = xb_benchmark_add(tally.benchmark, err);
  if (!code)
    code = xb_benchmark_add(wrong.benchmark, err);
  if (!code)
    code = xb_benchmark_add(unchecked.benchmark, err);
  if (!code && xb_benchmark_add(tally.benchmark, err) != XB_INVALID)
    code = xb_fail(err, XB_INTERNAL, "tally", "was added twice");
  return code;
}
