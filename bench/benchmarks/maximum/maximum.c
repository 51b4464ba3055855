/* The largest of n elements. Elements are compared as the keys of maximum_args.h: a NaN is ignored, unless all elements
 * are NaNs. Rows 1 to 3 clear their keys in each run, and turn the largest key into an element at its end. */
#include "benchmarks/family.h"
#include "benchmarks/maximum/maximum_args.h"
#include "benchmarks/single_pass.h"

typedef struct parameters {
  uint32_t words;   /* of the keys, or of the state */
  bool single_pass; /* the last group writes the result; no second dispatch */
} parameters;

enum {
  ALIGN = 64, /* 256 bytes: every device's binding alignment divides them */
};

/* ---- Inputs ----------------------------------------------------------------------------------------------------- */

typedef enum kind { RISING, ANY_SIGN, WITH_NANS, KINDS } kind;

/* Of rising elements the last is the largest, so none at the end can be lost. They are negative. */
static uint32_t rising(xb_dtype dtype, uint64_t i)
{
  const uint32_t step = (uint32_t)i & 0x3fffffff; /* they begin again after 2^30 */
  return dtype == XB_FLOAT32 ? 0xff000000 - step : 0x80000000 + step;
}

static void generate_rising(xb_dtype dtype, uint64_t seed, uint64_t first, uint64_t count, void *out)
{
  uint32_t *words = out;
  for (uint64_t i = 0; i < count; i++)
    words[i] = rising(dtype, first + i + seed % 1021);
}

/* Of float32, two of three elements are NaNs: quiet and signalling ones, of both signs. */
static void generate_with_nans(xb_dtype dtype, uint64_t seed, uint64_t first, uint64_t count, void *out)
{
  static const uint32_t nans[] = {0x7fc00001, 0xffc12345, 0x7f800001, 0xffbfffff, 0x7fffffff, 0xffffffff};
  uint32_t *words = out;
  generate_rising(dtype, seed, first, count, out);
  for (uint64_t i = 0; dtype == XB_FLOAT32 && i < count; i++)
    if ((first + i) % 3 != 1)
      words[i] = nans[(first + i) % (sizeof nans / sizeof *nans)];
}

static xb_generate_fn *generator(const xb_case *c)
{
  static xb_generate_fn *const generators[KINDS] = {generate_rising, xb_input, generate_with_nans};
  return generators[c->at[0]];
}

/* ---- Plan ------------------------------------------------------------------------------------------------------- */

/* [plan] The number of groups for a window. */
static uint64_t window_groups(const xb_case *c, uint64_t count)
{
  return of(c)->single_pass ? xb_single_pass_groups(c, count) : xb_ceil_div(count, c->block);
}

/* Row 4: the vectors that are not in a queue. */
static uint64_t dealt_vectors(const xb_case *c, uint64_t count, uint64_t groups, uint64_t window)
{
  const bool queued = c->block >= QUEUED_BLOCK && STATE_QUEUES + window < STATE_KEY;
  return queued ? xb_single_pass_dealt(c, count, groups) : count / 4;
}

typedef struct pieces {
  uint32_t input, output, state; /* slots */
  uint64_t length, all_groups;   /* of windows */
} pieces;

/* [plan] One window. */
static void add_window(const xb_case *c, xb_plan *plan, const pieces *p, xb_slice w)
{
  const uint64_t groups = window_groups(c, w.count), dealt4 = dealt_vectors(c, w.count, groups, plan->windows);
  xb_step *step = xb_plan_dispatch(c, plan, groups);
  (of(c)->single_pass ? xb_step_bind_vectors : xb_step_bind)(step, p->input, w.first * WORD, w.count * WORD, XB_READ);
  xb_step_bind_all(plan, step, p->state, XB_ATOMIC);
  if (of(c)->single_pass)
    xb_step_bind_all(plan, step, p->output, XB_DISJOINT_WRITE);
  xb_step_fields(step, struct xb_maximum_args, .n = (uint32_t)w.count, .groups = (uint32_t)groups,
                 .all_groups = (uint32_t)p->all_groups, .dealt4 = (uint32_t)dealt4,
                 .queue = STATE_QUEUES + plan->windows);
  /* One group may take the whole queue. */
  const uint64_t turns =
      xb_ceil_div(w.count, groups * c->block * 16) + 3 + xb_ceil_div(w.count / 4 - dealt4, (uint64_t)c->block * 4);
  plan->iterations = of(c)->single_pass && turns > plan->iterations ? turns : plan->iterations;
  plan->windows++;
}

/* [plan] Rows 1 to 3: cleared keys, atomics from all windows in any order, then one element. */
static void plan_keys(const xb_case *c, xb_plan *plan, const pieces *p)
{
  const uint32_t decode = xb_plan_kernel_of(plan, (xb_plan_kernel){.name = "decode"});
  xb_plan_fill(plan, p->state, of(c)->words * WORD, 0);
  xb_plan_step(plan, XB_STEP_BARRIER);
  for (xb_slice w = {0}; xb_plan_next(plan, &w, c->n, p->length);)
    add_window(c, plan, p, w);
  xb_plan_step(plan, XB_STEP_BARRIER);
  xb_step *step = xb_plan_dispatch(c, plan, 1);
  step->kernel = decode;
  xb_step_bind_all(plan, step, p->state, XB_READ);
  xb_step_bind_all(plan, step, p->output, XB_WRITE);
}

static const xb_cub cub = {.title = "cub::DeviceReduce::Max", .name = "xb_maximum_cub"};

/* [plan] The buffers, and how each row uses them. */
static xb_code maximum_plan(const xb_case *c, xb_plan *plan, xb_error *err)
{
  const uint64_t bytes = c->n * WORD;
  pieces p = {.length = bytes <= c->window_bytes ? c->n : c->window_bytes / WORD / ALIGN * ALIGN};
  if (!p.length || c->window_bytes < (of(c) ? of(c)->words : 1) * WORD)
    return xb_refuse_case(c, err, "a binding of %" PRIu64 " bytes is too small", c->window_bytes);
  p.input = xb_plan_input(plan, "input", bytes, generator(c));
  p.output = xb_plan_output(plan, "maximum", WORD);
  plan->bytes = bytes + WORD;
  if (c->variant->source == LIBRARY && c->at[0] == WITH_NANS && c->dtype == XB_FLOAT32)
    return xb_refuse_case(c, err, "CUB compares by <, so with NaNs its result depends on their order");
  if (c->variant->source == LIBRARY) {
    xb_cub_plan(plan, p.input, p.output);
    return XB_OK;
  }
  p.state = xb_plan_slot_with(plan, .name = of(c)->single_pass ? "state" : "keys",
                              .role = of(c)->single_pass ? XB_ROLE_COUNTER : XB_ROLE_SCRATCH,
                              .bytes = of(c)->words * WORD, .zero_bytes = of(c)->single_pass ? of(c)->words * WORD : 0);
  xb_plan_kernel_of(plan, (xb_plan_kernel){.name = NULL});
  if (!of(c)->single_pass) {
    plan_keys(c, plan, &p);
    return XB_OK;
  }
  for (xb_slice w = {0}; xb_next_slice(&w, c->n, p.length);)
    p.all_groups += window_groups(c, w.count);
  for (xb_slice w = {0}; xb_plan_next(plan, &w, c->n, p.length);)
    add_window(c, plan, &p, w);
  return xb_check_iterations(c, plan, err);
}

/* ---- Check ------------------------------------------------------------------------------------------------------ */

static uint32_t key_of(xb_dtype dtype, uint32_t bits)
{
  return dtype == XB_FLOAT32 ? XB_FLOAT_KEY(bits) : XB_INT_KEY(bits);
}

static bool find_largest(const xb_case *c, void *value)
{
  enum { AT_ONCE = 1024 };
  uint32_t words[AT_ONCE], *largest = value;
  for (xb_slice s = {0}; xb_next_slice(&s, c->n, AT_ONCE);) {
    generator(c)(c->dtype, c->seed, s.first, s.count, words);
    for (uint64_t i = 0; i < s.count; i++)
      *largest = key_of(c->dtype, words[i]) > *largest ? key_of(c->dtype, words[i]) : *largest;
  }
  return true;
}

/* By keys: all NaNs are equal. The largest is kept for two seeds: that of a run, and that of its check with another
 * input. */
static bool maximum_check(const xb_case *c, const xb_chunk *chunk, char why[XB_WHY_BYTES])
{
  const uint32_t *key = xb_cached(c, find_largest, sizeof *key, 2, XB_KEY(c->at[0], c->dtype, c->seed, c->n));
  const uint32_t got = *(const uint32_t *)chunk->data;
  if (key && key_of(c->dtype, got) == *key && got != XB_POISON)
    return true;
  return xb_wrong(why, "the maximum has the bits 0x%08" PRIx32 ", expected 0x%08" PRIx32, got,
                  !key                     ? 0
                  : c->dtype == XB_FLOAT32 ? XB_FLOAT_OF_KEY(*key)
                                           : XB_INT_KEY(*key));
}

XB_METHODS(.plan = maximum_plan, .prepare = xb_cub_prepare, .cub = &cub, .check = maximum_check)

#include "benchmarks/rows.h"
