/* Loads and stores with hints for the caches. A thread makes 64 loads of a table that all threads share: the table fits
 * in the cache of a multiprocessor or does not (axis kib; axis cache asks for a size of that cache), and a hint may
 * keep it out of that cache. Rows 1 to 8 write a checksum of a thread's loads; rows 9 to 12 store each word that they
 * load, so the stores stream past the table. */
#include "benchmarks/cachecontrol/cachecontrol_args.h"
#include "benchmarks/family.h"

typedef struct parameters {
  bool stores, coherent;
} parameters;

enum { GPU_N = 1 << 25, MOST_KIB = 1 << 18 };

static uint64_t table_words(const xb_case *c)
{
  return (uint64_t)c->at[0] * 1024 / WORD;
}

static uint64_t groups(const xb_case *c)
{
  return xb_ceil_div(c->n, (uint64_t)CACHECONTROL_LOADS * c->block);
}

/* Words that a group writes. */
static uint64_t written(const xb_case *c)
{
  return (uint64_t)c->block * (of(c)->stores ? CACHECONTROL_LOADS : 1);
}

static xb_code refuse(const xb_case *c, xb_error *err)
{
  const uint32_t kib = c->at[0];
  if (!kib || kib > MOST_KIB || (kib & (kib - 1)))
    return xb_refuse_case(c, err, "the table size in KiB is a power of two, at most %d, not %" PRIu32, MOST_KIB, kib);
  if (c->at[1] > 100 || (c->at[1] && !(c->device->features & XB_FEATURE_CACHE_SHARE)))
    return xb_refuse_case(c, err, "cache=%" PRIu32 ": %s", c->at[1],
                          c->at[1] > 100 ? "at most 100 per cent"
                                         : "only CUDA lets a kernel ask for the size of the cache");
  if (table_words(c) * WORD > c->window_bytes || written(c) * WORD > c->window_bytes)
    return xb_refuse_case(c, err, "a binding of %" PRIu64 " bytes is too small for the table or for a group's output",
                          c->window_bytes);
  return XB_OK;
}

/* [plan] A dispatch for each window of the output. All of them read the whole table. The word `globallycoherent` makes
 * the table one that could be written. */
static xb_code cachecontrol_plan(const xb_case *c, xb_plan *plan, xb_error *err)
{
  xb_windows w = {.all = groups(c), .a_group = 1};
  (void)err;
  const uint32_t table = xb_plan_input(plan, "table", table_words(c) * WORD, xb_bits);
  xb_stream_of(&w, table, 0, of(c)->coherent ? XB_ATOMIC : XB_READ);
  xb_stream_out(plan, &w, "words", written(c) * WORD);
  xb_plan_kernel_of(plan, (xb_plan_kernel){.cache_percent = c->at[1]});
  plan->bytes = (groups(c) * c->block * CACHECONTROL_LOADS + (of(c)->stores ? groups(c) * written(c) : 0)) * WORD;
  plan->iterations = CACHECONTROL_LOADS;
  for (xb_step *step; (step = xb_next_window(c, plan, &w));)
    xb_step_fields(step, struct xb_cachecontrol_args, .first = (uint32_t)w.first, .groups = (uint32_t)w.count,
                   .mask = (uint32_t)table_words(c) - 1);
  return XB_OK;
}

static bool make_table(const xb_case *c, void *table)
{
  xb_bits(c->dtype, c->seed, 0, table_words(c), table);
  return true;
}

/* The word that load `k` of a thread finds: the first ones are at the end of the table. */
static uint32_t loaded(const xb_case *c, const uint32_t *table, uint64_t thread, uint64_t k)
{
  return table[~(thread + k * CACHECONTROL_STEP) & (table_words(c) - 1)];
}

/* Stores of a group: those of its threads side by side, load after load. */
static uint32_t stored(const xb_case *c, const uint32_t *table, uint64_t at)
{
  const uint64_t inside = at % written(c);
  return loaded(c, table, at / written(c) * c->block + inside % c->block, inside / c->block);
}

static void expect(const xb_case *c, uint64_t first, uint64_t count, uint32_t *out)
{
  const uint32_t *table = xb_cached(c, make_table, table_words(c) * WORD, 1, XB_KEY(c->dtype, c->seed, table_words(c)));
  for (uint64_t i = 0; i < count && table; i++) {
    out[i] = of(c)->stores ? stored(c, table, first + i) : 0;
    for (uint64_t k = 0; k < CACHECONTROL_LOADS && !of(c)->stores; k++)
      out[i] = out[i] * CACHECONTROL_FACTOR + loaded(c, table, first + i, k);
  }
}

/* Only GPUs tell a cache; they hold many more threads than a CPU. */
XB_METHODS(.refuse = refuse, .plan = cachecontrol_plan, .expect = expect, .word = "word", .grows = {.n = GPU_N})

#define NO_HINT ONLY("cuda", "HLSL has no hints for caches"), .may_refuse = true

#include "benchmarks/rows.h"
