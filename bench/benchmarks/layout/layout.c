/* Reads structs of three or four members, one member of each or all of them, where they lie as an array of structs or
 * as an array for each member. It measures what the layout costs the reads: all variants write an array for each
 * member that they read. */
#include "benchmarks/family.h"
#include "benchmarks/layout/layout_args.h"
#include "benchmarks/pattern.h"

typedef struct parameters {
  uint32_t members, words; /* of a struct, and of a member */
  bool arrays;             /* an array for each member */
} parameters;

enum {
  DEFAULT_N = 1 << 20,
  WHOLE = 64, /* structs: an array of any member of so many has a multiple of 256 bytes, which aligns bindings */
  SEGMENT_BYTES = 32
};

static uint64_t struct_words(const parameters *p)
{
  return p->members * p->words;
}

static uint32_t members_read(const xb_case *c)
{
  return c->at[0] ? of(c)->members : 1;
}

/* n words, rounded up to whole structs. */
static uint64_t structs(const xb_case *c)
{
  return xb_ceil_div(c->n, struct_words(of(c)));
}

/* Structs that lie together: all of them, or what fits into a binding. 0: too few do. */
static uint64_t window_length(const xb_case *c)
{
  const uint64_t most = c->window_bytes / (struct_words(of(c)) * WORD) / WHOLE * WHOLE;
  return structs(c) <= most ? structs(c) : most;
}

/* Elements from one array of a window to the next. */
static uint64_t pitch_of(uint64_t count)
{
  return xb_ceil_div(count, WHOLE) * WHOLE;
}

/* The bytes of a window of `count` structs that lie as arrays of `members` members. The last array is not padded. */
static uint64_t array_bytes(const parameters *p, uint64_t members, uint64_t count)
{
  return ((members - 1) * pitch_of(count) + count) * p->words * WORD;
}

static uint64_t input_bytes(const parameters *p, uint64_t count)
{
  return p->arrays ? array_bytes(p, p->members, count) : count * struct_words(p) * WORD;
}

/* [plan] Windows of the largest size that a binding allows. The members of a window's structs lie together, in the
 * input and in the output. */
static xb_code layout_plan(const xb_case *c, xb_plan *plan, xb_error *err)
{
  const parameters *p = of(c);
  const uint64_t count = structs(c), length = window_length(c);
  if (!length)
    return xb_refuse_case(c, err, "a binding of %" PRIu64 " bytes is too small for a window", c->window_bytes);
  const uint64_t last = (count - 1) / length * length; /* where the last window begins */
  const uint64_t in = struct_words(p) * WORD, out = members_read(c) * p->words * WORD; /* of a struct */
  const uint64_t read = last * in + input_bytes(p, count - last);
  const uint64_t written = last * out + array_bytes(p, members_read(c), count - last);
  const uint32_t input = xb_plan_input(plan, "input", read, xb_bits);
  const uint32_t output = xb_plan_output(plan, "output", written);
  plan->bytes = 2 * count * out;
  for (xb_slice w = {0}; xb_plan_next(plan, &w, count, length);) {
    xb_step *step = xb_plan_dispatch(c, plan, xb_ceil_div(w.count, c->block));
    xb_step_bind(step, input, w.first * in, input_bytes(p, w.count), XB_READ);
    xb_step_bind(step, output, w.first * out, array_bytes(p, members_read(c), w.count), XB_DISJOINT_WRITE);
    xb_step_fields(step, struct xb_layout_args, .n = (uint32_t)w.count, .pitch = (uint32_t)pitch_of(w.count),
                   .all = c->at[0]);
  }
  return XB_OK;
}

/* The words [from, from + words) of the output, array by array. A chunk may begin and end inside an array. */
static void expect(const xb_case *c, uint64_t from, uint64_t words, uint32_t *expected)
{
  const parameters *p = of(c);
  const uint64_t length = window_length(c), window_words = length * members_read(c) * p->words;
  const uint64_t last = (structs(c) - 1) / length;
  for (uint64_t done = 0, some; done < words; done += some) {
    const uint64_t of_word = (from + done) / window_words, window = of_word < last ? of_word : last;
    const uint64_t left = structs(c) - window * length, count = left < length ? left : length, pitch = pitch_of(count);
    const uint64_t array_words = pitch * p->words, word = from + done - window * window_words;
    const uint64_t array = word / array_words, member = c->at[0] ? array : p->members - 1, at = word % array_words;
    const uint64_t begin = (window * length * p->members + member * (p->arrays ? pitch : 1)) * p->words;
    some = words - done < array_words - at ? words - done : array_words - at;
    for (uint64_t k = at; k < at + some; k++) {
      const uint64_t i = k / p->words, input = begin + i * (p->arrays ? 1 : p->members) * p->words + k % p->words;
      uint32_t *out = &expected[done + k - at];
      *out = XB_POISON; /* between two arrays */
      if (i < count)
        xb_bits(c->dtype, c->seed, input, 1, out);
    }
  }
}

/* Segments that a wave touches to read the members, and to write them. No struct is longer than a segment, so one
 * member of each is in as many segments as all of them. */
static double segments(const xb_case *c, uint32_t read)
{
  const parameters *p = of(c);
  const double of_word = (double)xb_model_lanes(c->device) * WORD / SEGMENT_BYTES;
  const uint64_t written = read * p->words;
  return of_word * (double)(written + (p->arrays ? written : struct_words(p)));
}

static xb_model layout_predict(const xb_case *c)
{
  const uint32_t read = members_read(c), all = of(c)->members;
  return (xb_model){"segments", "32-byte segments a wave", segments(c, read),
                    read / segments(c, read) / (all / segments(c, all))};
}

static double bytes_of_segments(const xb_case *c, const xb_plan *plan)
{
  (void)plan;
  return (double)structs(c) / c->device->subgroup_size * segments(c, members_read(c)) * SEGMENT_BYTES;
}

/* The structs alone are more than twice the cache. */
XB_METHODS(.plan = layout_plan, .expect = expect, .word = "word",
           .rates = {{"bandwidth", "GB/s", xb_bytes_of_run}, {"whole segments", "GB/s", bytes_of_segments}},
           .predict = layout_predict, .grows = {.n = DEFAULT_N, .bytes = WORD})

#include "benchmarks/rows.h"
