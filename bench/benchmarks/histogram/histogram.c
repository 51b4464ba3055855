/* Histograms. n is a number of elements: bytes, 4 in a word, or 32-bit keys, whose bin is their upper half. Each run
 * clears the bins before it counts. */
#include "benchmarks/family.h"
#include "benchmarks/histogram/histogram_args.h"
#include "benchmarks/single_pass.h"

typedef struct parameters {
  uint32_t bins, bindings;
  uint32_t elements;   /* that a thread counts per loop iteration */
  bool loops;          /* as many groups as fit on the device; else a thread for each element */
  bool meet;           /* threads of a wave may meet at a counter in shared memory */
  uint32_t shared_kib; /* shared memory of a group, if it limits the number of groups */
  uint32_t ranges;     /* groups that read the same keys, each for a part of the bins; 0: not so */
} parameters;

enum {
  ALIGN = 256,      /* elements: every device's binding alignment divides their bytes */
  THREADS = 2048,   /* of a multiprocessor, if unknown */
  SHARED_KIB = 200, /* of a multiprocessor: a guess, as no API tells it without CUDA */
  MOST_LOG2 = 32,
};

static bool is_keys(const xb_case *c)
{
  return of(c)->bins == KEY_BINS;
}

/* ---- Inputs ----------------------------------------------------------------------------------------------------- */

typedef enum kind { UNIFORM, SKEWED, ONE_BIN, SORTED, KINDS } kind;

/* An input whose words depend on more than the seed. */
typedef struct distribution {
  kind kind;
  bool keys;
  uint32_t log2_n; /* of a sorted input: rounded up */
} distribution;

/* Each bit is clear with a probability of 1/8 (as in Thearling and Smith, "An Improved Supercomputer Sorting
 * Benchmark", 1992): a third of the bytes are 255, and an eighth of the keys are in the last bin. */
static void skew(uint64_t seed, uint64_t first, uint64_t count, uint32_t *words)
{
  enum { AT_ONCE = 1024 };
  uint32_t others[AT_ONCE];
  for (uint64_t other = 1; other <= 2; other++)
    for (xb_slice s = {0}; xb_next_slice(&s, count, AT_ONCE);) {
      xb_input(XB_INT32, ~seed * 2 + other, first + s.first, s.count, others);
      for (uint64_t i = 0; i < s.count; i++)
        words[s.first + i] |= others[i];
    }
}

static uint32_t sorted_word(const distribution *in, uint64_t word, uint32_t random)
{
  if (in->keys)
    return (uint32_t)(word << 16 >> in->log2_n) << 16 | (random & 0xffff);
  uint32_t bytes = 0;
  for (uint32_t b = 0; b < 4; b++)
    bytes |= (uint32_t)((4 * word + b) << 8 >> in->log2_n & 0xff) << 8 * b;
  return bytes;
}

static void generate(const void *user, uint64_t seed, uint64_t first, uint64_t count, void *out)
{
  const uint64_t number = *(const uint64_t *)user;
  const distribution in = {number % KINDS, number / KINDS & 1, (uint32_t)(number / KINDS >> 1)};
  uint32_t *words = out, one;
  xb_input(XB_INT32, seed, first, count, out);
  if (in.kind == SKEWED)
    skew(seed, first, count, words);
  xb_input(XB_INT32, seed, 0, 1, &one);
  one = in.keys ? one & 0xffff0000 : (one & 0xff) * 0x01010101;
  for (uint64_t i = 0; in.kind == ONE_BIN && i < count; i++)
    words[i] = in.keys ? one | (words[i] & 0xffff) : one;
  for (uint64_t i = 0; in.kind == SORTED && i < count; i++)
    words[i] = sorted_word(&in, first + i, words[i]);
}

/* As a number, so that equal inputs are known. */
static uint64_t input_of(const xb_case *c)
{
  const bool both = c->at[0] == UNIFORM || c->at[0] == SKEWED; /* bytes and keys get the same words */
  const bool keys = !both && is_keys(c);
  uint64_t log2 = 0;
  while (c->at[0] == SORTED && log2 < MOST_LOG2 && 1ull << log2 < c->n)
    log2++;
  return (log2 << 1 | keys) * KINDS + c->at[0];
}

static uint64_t element_bytes(const xb_case *c)
{
  return is_keys(c) ? WORD : 1;
}

/* Of so many elements, in whole words. */
static uint64_t bytes_of(const xb_case *c, uint64_t n)
{
  return xb_ceil_div(n * element_bytes(c), WORD) * WORD;
}

/* ---- Plan ------------------------------------------------------------------------------------------------------- */

/* The number of groups that fit on the device at once. */
static uint64_t resident_groups(const xb_case *c)
{
  const xb_device_info *d = c->device;
  const uint64_t threads = d->threads_per_multiprocessor ? d->threads_per_multiprocessor : THREADS;
  uint64_t each = threads / c->block ? threads / c->block : 1;
  const uint64_t fit = of(c)->shared_kib ? SHARED_KIB / (of(c)->shared_kib + 1) : each; /* 1 KiB for the driver */
  each = fit < each ? fit : each;
  return xb_multiprocessors(d) * each;
}

/* [plan] The groups that count the elements of a window, and what they read. */
static void add_window(const xb_case *c, xb_plan *plan, xb_slice w, uint32_t input, uint32_t bins)
{
  const parameters *p = of(c);
  const uint64_t ranges = p->ranges ? p->ranges : 1, needed = xb_ceil_div(w.count, (uint64_t)c->block * p->elements);
  const uint64_t fit = resident_groups(c) / ranges ? resident_groups(c) / ranges : 1;
  const uint64_t groups = (!p->loops || needed < fit ? needed : fit) * ranges;
  xb_step *step = xb_plan_dispatch(c, plan, groups);
  (p->bindings == 3 ? xb_step_bind_vectors : xb_step_bind)(step, input, w.first * element_bytes(c),
                                                           bytes_of(c, w.count), XB_READ);
  xb_step_bind_all(plan, step, bins, XB_ATOMIC);
  xb_step_fields(step, struct xb_histogram_args, .n = (uint32_t)w.count, .groups = (uint32_t)groups,
                 .bins = (uint32_t)(p->bins / ranges));
  const uint64_t turns = p->loops ? xb_ceil_div(w.count, groups / ranges * c->block * p->elements) : 0;
  plan->iterations = turns > plan->iterations ? turns : plan->iterations;
}

static int kind_of_histogram(const xb_case *c)
{
  return is_keys(c);
}

static const xb_cub cub = {.title = "cub::DeviceHistogram", .name = "xb_histogram_cub", .what_of = kind_of_histogram};

static xb_code refuse(const xb_case *c, xb_error *err)
{
  const xb_device_info *d = c->device;
  if (c->n > UINT32_MAX)
    return xb_refuse_case(c, err, "a bin counts to 2^32 - 1, so %" PRIu64 " elements are too many", c->n);
  if (c->window_bytes < of(c)->bins * WORD)
    return xb_refuse_case(c, err, "a binding of %" PRIu64 " bytes is smaller than the bins", c->window_bytes);
  if (of(c)->ranges == 1 && d->shared_optin_bytes < of(c)->shared_kib << 10)
    return xb_refuse_case(c, err, "groups need %" PRIu32 " KiB of shared memory, the device has %" PRIu32,
                          of(c)->shared_kib, d->shared_optin_bytes >> 10);
  return XB_OK;
}

/* [plan] The bins are cleared in each run; windows then add to them in any order. */
static xb_code histogram_plan(const xb_case *c, xb_plan *plan, xb_error *err)
{
  const uint64_t bin_bytes = of(c)->bins * WORD, bytes = bytes_of(c, c->n);
  const uint64_t most = c->window_bytes / element_bytes(c) / ALIGN * ALIGN;
  const uint32_t input = xb_plan_slot_with(plan, .name = "input", .role = XB_ROLE_INPUT, .bytes = bytes,
                                           .element_bytes = WORD, .generator = {generate, NULL, input_of(c)});
  const uint32_t bins = xb_plan_output(plan, "bins", bin_bytes);
  plan->bytes = c->n * element_bytes(c) + bin_bytes;
  if (c->variant->source == LIBRARY) {
    xb_cub_plan(plan, input, bins);
    return XB_OK;
  }
  xb_plan_kernel_of(plan, (xb_plan_kernel){.dynamic_shared = of(c)->ranges ? of(c)->shared_kib << 10 : 0});
  xb_plan_fill(plan, bins, bin_bytes, 0);
  xb_plan_step(plan, XB_STEP_BARRIER);
  for (xb_slice w = {0}; xb_plan_next(plan, &w, c->n, bytes <= c->window_bytes ? c->n : most);)
    add_window(c, plan, w, input, bins);
  return xb_check_iterations(c, plan, err);
}

/* ---- Check ------------------------------------------------------------------------------------------------------ */

static uint32_t bin_of(const uint32_t *words, bool keys, uint64_t i)
{
  return keys ? words[i] >> 16 : words[i / 4] >> 8 * (i % 4) & 0xff;
}

static bool count_all(const xb_case *c, void *counts)
{
  enum { AT_ONCE = 1024 };
  uint32_t words[AT_ONCE];
  const uint64_t per_word = WORD / element_bytes(c);
  for (xb_slice s = {0}; xb_next_slice(&s, c->n, AT_ONCE * per_word);) {
    generate(&(uint64_t){input_of(c)}, c->seed, s.first / per_word, xb_ceil_div(s.count, per_word), words);
    for (uint64_t i = 0; i < s.count; i++)
      ((uint32_t *)counts)[bin_of(words, is_keys(c), i)]++;
  }
  return true;
}

/* Kept for all inputs and two seeds: that of a run, and that of its check with another input. */
static bool histogram_check(const xb_case *c, const xb_chunk *chunk, char why[XB_WHY_BYTES])
{
  enum { KEPT = 2 * 2 * KINDS };
  const uint32_t *got = chunk->data, *right = xb_cached(c, count_all, KEY_BINS * WORD, KEPT,
                                                        XB_KEY(input_of(c), c->seed, c->n, of(c)->bins));
  for (uint64_t i = 0; i < chunk->count && right; i++)
    if (got[i] != right[chunk->first + i])
      return xb_wrong(why, "bin %" PRIu64 " has %" PRIu32 ", expected %" PRIu32, chunk->first + i, got[i],
                      right[chunk->first + i]);
  return right || xb_wrong(why, "out of host memory");
}

/* ---- Model ---------------------------------------------------------------------------------------------------- */

/* The most threads of a wave that add in one bank of shared memory, at once, as a mean over the first waves. */
static double ways(const xb_case *c)
{
  enum { WAVES = 64, LANES = 32, MOST_WORDS = WAVES * LANES * 4, BANKS = 32 };
  uint32_t words[MOST_WORDS], sum = 0, waves = 0;
  const uint64_t step = of(c)->elements, length = LANES * step;
  if (!of(c)->meet)
    return 1;
  generate(&(uint64_t){input_of(c)}, c->seed, 0, MOST_WORDS, words);
  for (; waves < WAVES && (waves == 0 || (waves + 1) * length <= c->n); waves++) {
    uint32_t of_bank[BANKS] = {0}, most = 0;
    for (uint64_t lane = 0; lane < LANES; lane++) {
      uint32_t *bank = &of_bank[bin_of(words, false, waves * length + lane * step) % BANKS];
      most = ++*bank > most ? *bank : most;
    }
    sum += most;
  }
  return (double)sum / waves;
}

/* Only for rows whose counters are bytes' and in shared memory. A CPU has no banks. */
static xb_model histogram_predict(const xb_case *c)
{
  const xb_case base = xb_at_base(c);
  if (is_keys(c) || !of(c)->loops || c->variant->source == LIBRARY)
    return (xb_model){0};
  const double here = ways(c);
  return (xb_model){"ways", "threads of a wave that add in one bank", here,
                    c->device->type == XB_DEVICE_CPU ? NAN : ways(&base) / here};
}

XB_METHODS(.refuse = refuse, .plan = histogram_plan, .prepare = xb_cub_prepare, .cub = &cub, .check = histogram_check,
           .rates = {{"bandwidth", "GB/s", xb_bytes_of_run}, {"updates", "G/s", xb_elements_of_run}},
           .predict = histogram_predict)

#include "benchmarks/rows.h"
