/* Pointer chasing: one thread follows a list, and each address is the word before. The list lies in a footprint of n
 * words, or of the largest power of two below; in shared memory it ends at 32 KiB. Its elements are `stride` bytes
 * apart.
 *
 * The list. Word i is (a * i + c) mod 2^32, with a = 5 mod 8 and c odd. Its low k bits give an order of 2^k words that
 * is one cycle (Hull and Dobell 1962). The low 13 bits of c are ones, so this holds, too, for the words at a stride of
 * up to 2^12 words, if the bits below the stride are masked. So one input has the lists of all sizes and strides.
 * Distances between elements that follow each other change with each step, and pages are chosen by the high bits, which
 * are the random ones of such a sequence: a prefetcher finds no stride.
 *
 * The caches. Each run first reads the list with many threads, or its last 256 MiB, then starts at its first element.
 * So a run finds what a footprint of this size leaves in the last-level cache, whatever ran before: the whole list if
 * it fits, else the elements that were read last. The walk's own group then reads some elements, so that the cache of
 * its multiprocessor is warm, too. The time includes both. On a GPU the walk is most of it; on a CPU only up to some
 * MiB. */
#include "benchmarks/family.h"
#include "benchmarks/latency/latency_args.h"

typedef struct parameters {
  bool shared;
} parameters;

enum {
  DEFAULT_N = 1 << 20,
  STEPS = 32768,
  TOUCHES = 64,      /* of a thread, at most, before all of them start the walk */
  WARM = 8192,       /* elements that the walk's group reads: 256 KiB or more of the footprint */
  TOUCHED = 1 << 28, /* bytes of a window that are read before the walk: more than caches have */
  LARGEST = 1 << 14, /* stride, in bytes */
  CACHE_LINE = 128,  /* of the last-level cache */
};

/* The geometry of a case. Sizes are words. A footprint of more than one binding has several windows, each with a list
 * of its own. */
typedef struct list {
  uint64_t words, window;    /* powers of two */
  uint64_t stride, elements; /* elements: of a window */
  uint64_t first;            /* elements from here on are read before the walk ... */
  uint64_t readers;          /* ... by so many threads; 0 in shared memory */
  uint64_t bound;            /* bytes of a window up to the end of its last element */
} list;

static uint64_t power_of_two(uint64_t most)
{
  uint64_t power = 1;
  while (power <= most / 2)
    power *= 2;
  return power;
}

static list list_of(const xb_case *c)
{
  const bool shared = of(c)->shared;
  list l = {.words = power_of_two(shared && c->n > LATENCY_SHARED ? LATENCY_SHARED : c->n), .stride = c->at[0] / WORD};
  l.window = power_of_two(c->window_bytes / WORD);
  l.window = l.words < l.window ? l.words : l.window;
  l.elements = l.stride < l.window ? l.window / l.stride : 1;
  l.first = l.window * WORD > TOUCHED ? l.elements - TOUCHED / c->at[0] : 0;
  l.readers = shared ? 0 : xb_ceil_div(l.elements - l.first, (uint64_t)TOUCHES * c->block) * c->block;
  l.bound = ((l.elements - 1) * l.stride + 1) * WORD;
  return l;
}

static uint32_t mask_of(const list *l)
{
  return (uint32_t)((l->window - 1) & ~(l->stride - 1));
}

typedef struct sequence {
  uint32_t a, c;
} sequence;

static sequence sequence_of(uint64_t seed)
{
  uint32_t random[2];
  xb_bits(XB_INT32, seed, 0, 2, random);
  return (sequence){.a = (random[0] & ~7u) | 5, .c = random[1] | 0x1FFF};
}

static void generate(xb_dtype dtype, uint64_t seed, uint64_t first, uint64_t count, void *out)
{
  (void)dtype;
  const sequence s = sequence_of(seed);
  uint32_t *words = out;
  for (uint64_t i = 0; i < count; i++)
    words[i] = s.a * (uint32_t)(first + i) + s.c;
}

/* ---- Plan ------------------------------------------------------------------------------------------------------- */

/* [plan] A dispatch of `threads` threads reads the elements from `first` to `end`; its first thread takes the steps. */
static void add_dispatch(const xb_case *c, xb_plan *plan, const list *l, uint64_t window, uint64_t out,
                         struct xb_latency_args args)
{
  xb_step *step = xb_plan_dispatch(c, plan, args.threads / c->block);
  xb_step_bind(step, 0, window * l->window * WORD, l->bound, XB_READ);
  xb_step_bind(step, 1, out * WORD, (uint64_t)args.threads * WORD, XB_DISJOINT_WRITE);
  args.stride = (uint32_t)l->stride;
  args.mask = mask_of(l);
  args.grid_x = step->groups[0];
  xb_step_args(step, &args, sizeof args);
}

/* Without a stride there is no list to describe. */
static xb_code describe(const xb_case *c, list *l, xb_error *err)
{
  if (c->at[0] < WORD || c->at[0] > LARGEST || (c->at[0] & (c->at[0] - 1)))
    return xb_refuse_case(c, err, "a stride is a power of two from %d to %d bytes", (int)WORD, LARGEST);
  *l = list_of(c);
  if (l->words > (uint64_t)UINT32_MAX + 1)
    return xb_refuse_case(c, err, "lists have 32-bit indices: at most 2^32 words");
  return XB_OK;
}

/* [plan] Each window's list is read by many threads, then walked by one. Barriers keep the walks apart. */
static xb_code latency_plan(const xb_case *c, xb_plan *plan, xb_error *err)
{
  list l = {0};
  const xb_code code = describe(c, &l, err);
  if (code)
    return code;
  const uint64_t windows = l.words / l.window, words = windows * (l.readers + c->block);
  xb_plan_input(plan, "list", (windows - 1) * l.window * WORD + l.bound, generate);
  xb_plan_output(plan, "sums", words * WORD);
  plan->windows = (uint32_t)windows;
  plan->iterations = STEPS + WARM / c->block;
  for (uint64_t w = 0; w < windows && l.readers && !plan->code; w++)
    add_dispatch(c, plan, &l, w, w * l.readers,
                 (struct xb_latency_args){
                     .first = (uint32_t)l.first, .end = (uint32_t)l.elements, .threads = (uint32_t)l.readers});
  for (uint64_t w = 0; w < windows && !plan->code; w++) {
    if (l.readers)
      xb_plan_step(plan, XB_STEP_BARRIER);
    add_dispatch(c, plan, &l, w, windows * l.readers + w * c->block,
                 (struct xb_latency_args){
                     .end = (uint32_t)(l.elements < WARM ? l.elements : WARM), .threads = c->block, .steps = STEPS});
  }
  return XB_OK;
}

/* ---- Check ------------------------------------------------------------------------------------------------------ */

/* The sum of what a thread reads before the walk: each `threads`-th element from `first` to `end`. */
static uint32_t read_before(const list *l, sequence s, uint64_t window, uint64_t first, uint64_t threads, uint64_t end)
{
  uint32_t sum = 0;
  for (uint64_t e = first; e < end; e += threads)
    sum += s.a * (uint32_t)(window * l->window + e * l->stride) + s.c;
  return sum;
}

/* Where the walk ends. It is the same in all windows. */
static uint32_t walk(const list *l, sequence s)
{
  uint32_t at = 0;
  for (uint32_t step = 0; step < STEPS; step++)
    at = (s.a * at + s.c) & mask_of(l);
  return at;
}

static void expect(const xb_case *c, uint64_t first, uint64_t count, uint32_t *expected)
{
  const list l = list_of(c);
  const sequence s = sequence_of(c->seed);
  const uint64_t readers = l.words / l.window * l.readers, warm = l.elements < WARM ? l.elements : WARM;
  for (uint64_t i = first; i < first + count; i++, expected++)
    if (i < readers)
      *expected = read_before(&l, s, i / l.readers, l.first + i % l.readers, l.readers, l.elements);
    else {
      const uint64_t thread = (i - readers) % c->block;
      *expected = read_before(&l, s, (i - readers) / c->block, thread, c->block, warm) + (thread ? 0 : walk(&l, s));
    }
}

/* ---- Metrics and model ------------------------------------------------------------------------------------------ */

static size_t latency_metrics(const xb_case *c, const xb_plan *plan, double ns, xb_metric metrics[XB_MAX_METRICS])
{
  metrics[0] = (xb_metric){"latency", "ns", ns / ((double)plan->windows * STEPS), false};
  metrics[1] = (xb_metric){"footprint", "KiB", (double)(list_of(c).words * WORD) / 1024, XB_UNKNOWN};
  return 2;
}

/* The part of the list that the last-level cache can hold, if the device tells its size. It predicts a level, not a
 * ratio of strides. */
static xb_model latency_predict(const xb_case *c)
{
  const list l = list_of(c);
  const uint64_t each = l.stride * WORD < CACHE_LINE ? l.stride * WORD : CACHE_LINE;
  const double bytes = (double)(l.words / l.window * l.elements * each), cache = (double)c->device->cache_bytes;
  if (of(c)->shared || cache <= 0)
    return (xb_model){.relative = NAN};
  return (xb_model){"cached", "of the list", fmin(1, cache / bytes), NAN};
}

/* The list is more than twice the cache. */
XB_METHODS(.plan = latency_plan, .expect = expect, .word = "word", .metrics = latency_metrics,
           .predict = latency_predict, .grows = {.n = 1 << 20, .bytes = sizeof(uint32_t)})

#include "benchmarks/rows.h"
