/* Copies n elements; the threads of a block exchange their addresses with each other. It measures what a wave pays
 * whose threads ask for many memory segments, or for parts of segments. The order is computed, not loaded, so nothing
 * but the data is moved. `bytes` counts useful bytes only. */
#include "benchmarks/coalescing/coalescing_args.h"
#include "benchmarks/family.h"
#include "benchmarks/pattern.h"

typedef struct parameters {
  uint32_t width; /* bytes of a unit, which one thread moves */
  uint32_t skip;  /* one of 2^skip threads is active */
  uint32_t shift; /* units that reads are moved by */
  bool scatter;   /* writes are permuted, instead of reads */
} parameters;

enum {
  DEFAULT_N = 1 << 20,
  ALIGN_BYTES = 256, /* every device's binding_align divides it */
  SPAN_BITS = 5,     /* a block has 32^span threads */
  MOST_SPAN = 6,
  SEGMENT_BYTES = 32,
  SAMPLED_WAVES = 64 /* by the model */
};
static const uint32_t FACTOR_1 = 0x9E3779B1, FACTOR_2 = 0x85EBCA6B;

/* The units that are copied: n elements, rounded up to whole units, of which one in 2^skip has an active thread. */
static uint64_t copied(const xb_case *c)
{
  const uint64_t units = xb_ceil_div(c->n * WORD, of(c)->width);
  return xb_ceil_div(units, 1ull << of(c)->skip);
}

/* ---- The order -------------------------------------------------------------------------------------------------- */

typedef struct order {
  uint32_t n, whole, mask, fold, factor_1, factor_2;
} order;

/* The order of n active threads. If there are fewer than in a block, the block is the largest power of two of them. */
static order order_of(uint64_t n, uint32_t span)
{
  uint32_t bits = span * SPAN_BITS;
  while (n >> bits == 0)
    bits--;
  return (order){.n = (uint32_t)n,
                 .whole = (uint32_t)(n >> bits << bits),
                 .mask = (1u << bits) - 1,
                 .fold = bits ? (bits + 1) / 2 : 1,
                 .factor_1 = FACTOR_1,
                 .factor_2 = FACTOR_2};
}

/* The number by which an odd number is to be multiplied, modulo 2^32, to give 1: each step doubles the right bits. */
static uint32_t inverse_of(uint32_t odd)
{
  uint32_t inverse = odd;
  for (int bits = 3; bits < 32; bits *= 2)
    inverse *= 2 - odd * inverse;
  return inverse;
}

/* The order that undoes another. x ^= x >> fold undoes itself, because it changes the lower half of the bits only. */
static order undone(order o)
{
  const order back = {o.n, o.whole, o.mask, o.fold, inverse_of(o.factor_2), inverse_of(o.factor_1)};
  return back;
}

static uint32_t place_in(const order *o, uint32_t rank)
{
  uint32_t at = rank & o->mask;
  at = at * o->factor_1 & o->mask;
  at ^= at >> o->fold;
  at = at * o->factor_2 & o->mask;
  return rank < o->whole ? (rank & ~o->mask) + at : rank;
}

/* ---- Plan ------------------------------------------------------------------------------------------------------- */

/* Units per window: all of them, or the largest power of two whose bindings fit. 0: none does. */
static uint64_t window_length(const xb_case *c)
{
  const parameters *p = of(c);
  const uint64_t most = c->window_bytes / p->width, count = copied(c);
  uint64_t length = 1;
  if (((count - 1) << p->skip) + 1 + p->shift <= most)
    return count;
  while ((length * 2 << p->skip) + p->shift <= most)
    length *= 2;
  return length * p->width % ALIGN_BYTES ? 0 : length;
}

/* Bytes up to the last unit that is read. */
static uint64_t bytes_read(const parameters *p, uint64_t count)
{
  return (((count - 1) << p->skip) + 1 + p->shift) * p->width;
}

/* [plan] Windows of the largest size that a binding allows. A block lies in one window. */
static xb_code coalescing_plan(const xb_case *c, xb_plan *plan, xb_error *err)
{
  const parameters *p = of(c);
  const uint64_t count = copied(c), length = window_length(c);
  if (c->at[0] > MOST_SPAN)
    return xb_refuse_case(c, err, "the span %" PRIu32 " is beyond %d, the largest", c->at[0], MOST_SPAN);
  const uint32_t input = xb_plan_input(plan, "input", bytes_read(p, count), xb_bits);
  const uint32_t output = xb_plan_output(plan, "output", count * p->width);
  plan->bytes = 2 * count * p->width;
  for (xb_slice w = {0}; xb_plan_next(plan, &w, count, length);) {
    const order o = order_of(w.count, c->at[0]);
    xb_step *step = xb_plan_dispatch(c, plan, xb_ceil_div(w.count << p->skip, c->block));
    xb_step_bind(step, input, (w.first << p->skip) * p->width, bytes_read(p, w.count), XB_READ);
    xb_step_bind(step, output, w.first * p->width, w.count * p->width, XB_DISJOINT_WRITE);
    xb_step_fields(step, struct xb_coalescing_args, .n = o.n, .whole = o.whole, .mask = o.mask, .fold = o.fold,
                   .factor_1 = o.factor_1, .factor_2 = o.factor_2, .skip = p->skip, .shift = p->shift);
  }
  return XB_OK;
}

/* ---- Check ------------------------------------------------------------------------------------------------------ */

/* The order in which the threads of a window read. */
static order read_order(const xb_case *c, uint64_t window, uint64_t length)
{
  const uint64_t left = copied(c) - window * length;
  const order o = order_of(left < length ? left : length, c->at[0]);
  return of(c)->scatter ? undone(o) : o;
}

/* The words [first, first + words) of the output. Each comes from the unit that its thread read. */
static void expect(const xb_case *c, uint64_t first, uint64_t words, uint32_t *expected)
{
  const parameters *p = of(c);
  const uint64_t unit_words = p->width / WORD, length = window_length(c);
  uint64_t window = first / unit_words / length, rank = first / unit_words % length, word = first % unit_words;
  order o = read_order(c, window, length);
  for (uint64_t done = 0, some; done < words; done += some, word = 0, rank++) {
    if (rank == length) {
      o = read_order(c, ++window, length);
      rank = 0;
    }
    const uint64_t from = ((window * length + place_in(&o, (uint32_t)rank)) << p->skip) + p->shift;
    some = words - done < unit_words - word ? words - done : unit_words - word;
    xb_bits(c->dtype, c->seed, from * unit_words + word, some, expected + done);
  }
}

/* ---- Model and metrics ------------------------------------------------------------------------------------------ */

/* The different segments that the threads of the wave ask for which has the active threads from `first` on. */
static uint32_t segments_of_wave(const xb_case *c, const order *o, uint32_t first, uint32_t active)
{
  const parameters *p = of(c);
  uint64_t found[128];
  uint32_t count = 0;
  for (uint32_t k = 0; k < active; k++) {
    const uint64_t unit = ((uint64_t)place_in(o, first + k) << p->skip) + p->shift;
    uint32_t i = 0;
    while (i < count && found[i] != unit * p->width / SEGMENT_BYTES)
      i++;
    found[i] = unit * p->width / SEGMENT_BYTES;
    count += i == count;
  }
  return count;
}

typedef struct touched {
  double permuted, ordered; /* segments of a wave, on the side that is permuted and on the other */
  double waves;
} touched;

/* The mean over some waves of the first window, which lie at equal distances. Waves that are not full do not count. */
static touched touches(const xb_case *c, uint32_t span)
{
  const parameters *p = of(c);
  const uint32_t lanes = xb_model_lanes(c->device), wave = lanes < 128 ? lanes : 128;
  const uint32_t active = wave >> p->skip ? wave >> p->skip : 1;
  const uint64_t count = copied(c), length = window_length(c);
  const order o = order_of(count < length ? count : length, span);
  const uint32_t full = o.n / active, sampled = full < SAMPLED_WAVES ? full : SAMPLED_WAVES;
  uint64_t sum = 0;
  for (uint32_t k = 0; k < sampled; k++)
    sum += segments_of_wave(c, &o, (uint32_t)((uint64_t)full * k / sampled) * active, active);
  return (touched){.permuted = sampled ? (double)sum / sampled : segments_of_wave(c, &o, 0, o.n),
                   .ordered = (double)active * p->width / SEGMENT_BYTES,
                   .waves = (double)count / active};
}

static xb_model coalescing_predict(const xb_case *c)
{
  const touched here = touches(c, c->at[0]), base = touches(c, c->variant->benchmark->axes[0].base);
  return (xb_model){"segments", "32-byte segments a wave", here.permuted,
                    (base.permuted + base.ordered) / (here.permuted + here.ordered)};
}

static double bytes_of_segments(const xb_case *c, const xb_plan *plan)
{
  const touched t = touches(c, c->at[0]);
  (void)plan;
  return t.waves * (t.permuted + t.ordered) * SEGMENT_BYTES;
}

/* Both buffers together are more than twice the cache. */
XB_METHODS(.plan = coalescing_plan, .expect = expect, .word = "element",
           .rates = {{"bandwidth", "GB/s", xb_bytes_of_run}, {"whole segments", "GB/s", bytes_of_segments}},
           .predict = coalescing_predict, .grows = {.n = DEFAULT_N, .bytes = 2 * WORD})

#include "benchmarks/rows.h"
