/* Loads and stores with hints for the caches. A thread makes 64 loads of a table that all threads share: the table fits
 * in the cache of a multiprocessor or does not (axis kib; axis cache asks for a size of that cache), and a hint may
 * keep it out of that cache. Rows 1 to 8 write a checksum of a thread's loads; rows 9 to 12 store each word that they
 * load, so the stores stream past the table. */
#include "benchmarks/benchmark.h"
#include "benchmarks/cachecontrol/cachecontrol_args.h"
#include "benchmarks/input.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct parameters {
  bool stores, coherent;
} parameters;

enum { WORD = sizeof(uint32_t), GPU_N = 1 << 25, MOST_KIB = 1 << 18 };

XB_DEFINE_OF

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
    return xb_refuse_case(c, err, "the table has a power of two of KiB, at most %d, not %" PRIu32, MOST_KIB, kib);
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
  (void)err;
  const uint64_t out = written(c) * WORD, most = c->window_bytes / out, table = table_words(c) * WORD;
  xb_plan_input(plan, "table", table, xb_bits);
  xb_plan_output(plan, "words", groups(c) * out);
  plan->bytes = groups(c) * c->block * CACHECONTROL_LOADS * WORD + (of(c)->stores ? groups(c) * out : 0);
  plan->iterations = CACHECONTROL_LOADS;
  for (xb_slice w = {0}; xb_plan_next(plan, &w, groups(c), most);) {
    xb_step *step = xb_plan_dispatch(c, plan, w.count);
    xb_step_bind(step, 0, 0, table, of(c)->coherent ? XB_ATOMIC : XB_READ);
    xb_step_bind(step, 1, w.first * out, w.count * out, XB_DISJOINT_WRITE);
    xb_step_fields(step, struct xb_cachecontrol_args, .first = (uint32_t)w.first, .groups = (uint32_t)w.count,
                   .mask = (uint32_t)table_words(c) - 1);
  }
  return XB_OK;
}

static xb_code cachecontrol_find_code(const xb_case *c, const xb_plan_kernel *kernel, xb_kernel_desc *desc,
                                      xb_error *err)
{
  desc->cache_percent = c->at[1];
  return xb_find_embedded(c, kernel, desc, err);
}

typedef struct expected {
  const xb_case *c;
  const uint32_t *table;
} expected;

/* The word that load `k` of a thread finds: the first ones are at the end of the table. */
static uint32_t loaded(const expected *e, uint64_t thread, uint64_t k)
{
  return e->table[~(thread + k * CACHECONTROL_STEP) & (table_words(e->c) - 1)];
}

/* Stores of a group: those of its threads side by side, load after load. */
static uint32_t stored(const expected *e, uint64_t at)
{
  const uint64_t block = e->c->block, group = at / written(e->c), inside = at % written(e->c);
  return loaded(e, group * block + inside % block, inside / block);
}

static void expect(const void *user, uint64_t first, uint64_t count, uint32_t *out)
{
  const expected *e = user;
  for (uint64_t i = 0; i < count; i++) {
    out[i] = 0;
    for (uint64_t k = 0; k < CACHECONTROL_LOADS && !of(e->c)->stores; k++)
      out[i] = out[i] * CACHECONTROL_FACTOR + loaded(e, first + i, k);
    if (of(e->c)->stores)
      out[i] = stored(e, first + i);
  }
}

static bool cachecontrol_check(const xb_case *c, const xb_chunk *chunk, char why[XB_WHY_BYTES])
{
  uint32_t *table = malloc(table_words(c) * WORD);
  if (!table)
    return xb_wrong(why, "out of host memory");
  xb_bits(c->dtype, c->seed, 0, table_words(c), table);
  const bool right = xb_check_words(chunk, expect, &(const expected){c, table}, "word", why);
  free(table);
  return right;
}

/* Only GPUs tell a cache; they hold many more threads than a CPU. */
XB_METHODS(.refuse = refuse, .plan = cachecontrol_plan, .check = cachecontrol_check,
           .find_code = cachecontrol_find_code, .grows = {.n = GPU_N})

#define NO_HINT ONLY("cuda", "HLSL has no hints for caches"), .may_refuse = true

#include "benchmarks/rows.h"
