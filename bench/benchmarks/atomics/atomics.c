/* Atomic operations: n updates, ATOMICS_UPDATES a thread, to words that `sharing` neighbouring threads have in common.
 * What a word holds at the end does not depend on the order of its updates, except for exch. Each run sets the words
 * first. The values that come back are checked by a sum over all updates of a word: see the kernel. */
#include "benchmarks/atomics/atomics_args.h"
#include "benchmarks/family.h"

typedef enum kind {
  ATOMICS_ADD,
  ATOMICS_SUB,
  ATOMICS_EXCH,
  ATOMICS_MIN,
  ATOMICS_MAX,
  ATOMICS_INC,
  ATOMICS_DEC,
  ATOMICS_CAS,
  ATOMICS_AND,
  ATOMICS_OR,
  ATOMICS_XOR,
  ATOMICS_ADD_FLOAT,
  ATOMICS_ADD64,
} kind;

typedef struct parameters {
  kind operation;
  bool swaps; /* on one of the APIs, it is a loop around compare-and-swap */
} parameters;

/* The axes, and the values of the first one. */
enum { WORDS, RETURNED };
enum { ONE_WORD, ONE_A_GROUP, ONE_A_WAVE, ONE_A_THREAD, SHARED_GROUP, SHARED_WAVE, SHARED_THREAD };

enum { MOST_BYTES = 1 << 25 /* of the output: as many as are checked at once */ };
/* Updates of a word, times the threads that try at the same time: at 0.73 ns each, as on an H200, 0.2 s. */
static const uint64_t MOST_TRIES = 1 << 28;

/* ---- Where the words are ---------------------------------------------------------------------------------------- */

static uint64_t threads(const xb_case *c)
{
  return xb_ceil_div(c->n, ATOMICS_UPDATES);
}

static bool shared(const xb_case *c)
{
  return c->at[WORDS] >= SHARED_GROUP;
}

/* Threads whose words are dealt together: all, or those of a group. */
static uint64_t together(const xb_case *c)
{
  return shared(c) ? c->block : threads(c);
}

static uint64_t sharing(const xb_case *c)
{
  const uint32_t wave = c->device->subgroup_size ? c->device->subgroup_size : 1;
  switch (c->at[WORDS]) {
  case ONE_WORD: return threads(c);
  case ONE_A_GROUP:
  case SHARED_GROUP: return c->block;
  case ONE_A_WAVE:
  case SHARED_WAVE: return wave;
  default: return 1;
  }
}

static uint32_t width(const xb_case *c)
{
  return of(c)->operation == ATOMICS_ADD64 ? 2 : 1;
}

/* Words of 32 bits for so many neighbouring threads. */
static uint64_t words_of(const xb_case *c, uint64_t count)
{
  return xb_ceil_div(count, sharing(c)) * width(c);
}

static uint64_t words(const xb_case *c)
{
  const uint64_t all = threads(c), each = together(c);
  return all / each * words_of(c, each) + words_of(c, all % each);
}

static uint32_t first_value(const xb_case *c)
{
  return of(c)->operation == ATOMICS_MIN || of(c)->operation == ATOMICS_AND ? UINT32_MAX : 0;
}

/* ---- Plan ------------------------------------------------------------------------------------------------------- */

static xb_code refuse(const xb_case *c, uint64_t bytes, xb_error *err)
{
  const uint64_t tries = sharing(c) * sharing(c) * ATOMICS_UPDATES;
  if (bytes > MOST_BYTES || bytes > c->window_bytes)
    return xb_refuse_case(c, err, "%" PRIu64 " updates are too many to be checked", c->n);
  if (of(c)->swaps && tries > MOST_TRIES)
    return xb_refuse_case(c, err,
                          "%" PRIu64 " threads would compare and swap one word for seconds: at most %d are allowed",
                          sharing(c), (int)sqrt((double)(MOST_TRIES / ATOMICS_UPDATES)));
  if (of(c)->operation == ATOMICS_ADD_FLOAT && sharing(c) * ATOMICS_UPDATES > 1 << 24)
    return xb_refuse_case(c, err, "float32 counts to 2^24 at most");
  return XB_OK;
}

/* [plan] The words get their first value in each run. Then there is one dispatch. */
static xb_code atomics_plan(const xb_case *c, xb_plan *plan, xb_error *err)
{
  const uint64_t bytes = (words(c) + threads(c)) * WORD;
  const xb_code code = refuse(c, bytes, err);
  if (code)
    return code;
  plan->iterations = ATOMICS_UPDATES * (uint64_t)(of(c)->swaps ? c->device->subgroup_size : 1);
  const uint32_t output = xb_plan_output(plan, "words and sums", bytes);
  if (!shared(c)) {
    xb_plan_fill(plan, output, words(c) * WORD, first_value(c));
    xb_plan_step(plan, XB_STEP_BARRIER);
  }
  xb_step *step = xb_plan_dispatch(c, plan, xb_ceil_div(threads(c), c->block));
  xb_step_bind_all(plan, step, output, XB_ATOMIC);
  xb_step_fields(step, struct xb_atomics_args, .n = (uint32_t)c->n, .threads = (uint32_t)threads(c),
                 .returned = c->at[RETURNED], .sharing = (uint32_t)sharing(c),
                 .group_words = shared(c) ? (uint32_t)words_of(c, c->block) : 0, .first = first_value(c),
                 .words = (uint32_t)words(c));
  return XB_OK;
}

/* ---- Check ------------------------------------------------------------------------------------------------------ */

static uint32_t add_float(uint32_t word, uint32_t x)
{
  float sum;
  memcpy(&sum, &word, sizeof sum);
  sum += ATOMICS_FLOAT(x);
  memcpy(&word, &sum, sizeof word);
  return word;
}

/* What update k with the operand x leaves. */
static uint64_t updated(kind operation, uint64_t old, uint32_t x, uint32_t k)
{
  const uint32_t word = (uint32_t)old;
  switch (operation) {
  case ATOMICS_ADD: return word + x;
  case ATOMICS_SUB: return word - x;
  case ATOMICS_EXCH: return x;
  case ATOMICS_MIN: return x < word ? x : word;
  case ATOMICS_MAX: return x > word ? x : word;
  case ATOMICS_INC: return word >= ATOMICS_LIMIT ? 0 : word + 1;
  case ATOMICS_DEC: return word == 0 || word > ATOMICS_LIMIT ? ATOMICS_LIMIT : word - 1;
  case ATOMICS_CAS: return word == k ? k + 1 : word;
  case ATOMICS_AND: return word & x;
  case ATOMICS_OR: return word | x;
  case ATOMICS_XOR: return word ^ x;
  case ATOMICS_ADD_FLOAT: return add_float(word, x);
  case ATOMICS_ADD64: break;
  }
  return old + x;
}

/* The threads [first, end) have a word in common. It got `got`; their sums are at `sums`. */
static bool check_word(const xb_case *c, uint64_t first, uint64_t end, const uint32_t *got, const uint32_t *sums,
                       char why[XB_WHY_BYTES])
{
  const kind operation = of(c)->operation;
  const uint32_t before = first_value(c);
  uint64_t word = before, last = got[0];
  uint32_t sum = 0, number_of_sums_wrong = 0;
  bool was_put = false;
  for (uint64_t t = first; t < end; t++) {
    const uint64_t left = c->n - t * ATOMICS_UPDATES, count = left < ATOMICS_UPDATES ? left : ATOMICS_UPDATES;
    uint32_t x = (uint32_t)t * ATOMICS_START;
    for (uint32_t k = 0; k < count; k++, x += ATOMICS_STEP) {
      word = updated(operation, word, x, k);
      was_put |= x == got[0];
    }
    sum += sums[t];
    number_of_sums_wrong += !c->at[RETURNED] && sums[t];
  }
  if (width(c) == 2)
    last |= (uint64_t)got[1] << 32;
  if (operation == ATOMICS_EXCH ? !was_put : last != word)
    return xb_wrong(why, "the word of threads %" PRIu64 " to %" PRIu64 " is 0x%" PRIx64 ", expected %s0x%" PRIx64,
                    first, end - 1, last, operation == ATOMICS_EXCH ? "one of their operands, such as " : "", word);
  const uint32_t expected = c->at[RETURNED] ? got[0] * got[0] - before * before : 0;
  if (sum == expected && !number_of_sums_wrong)
    return true;
  return xb_wrong(
      why, "the values returned to threads %" PRIu64 " to %" PRIu64 " add up to 0x%08" PRIx32 ", expected 0x%08" PRIx32,
      first, end - 1, sum, expected);
}

/* The output is one chunk: MOST_BYTES. */
static bool atomics_check(const xb_case *c, const xb_chunk *chunk, char why[XB_WHY_BYTES])
{
  const uint32_t *got = chunk->data, *sums = got + words(c);
  for (uint64_t first = 0, end; first < threads(c); first = end, got += width(c)) {
    const uint64_t all = (first / together(c) + 1) * together(c); /* where the threads of the group end */
    end = first + sharing(c);
    end = end < all ? end : all;
    end = end < threads(c) ? end : threads(c);
    if (!check_word(c, first, end, got, sums, why))
      return false;
  }
  return true;
}

/* ---- Metrics and model ------------------------------------------------------------------------------------------ */

/* Updates of one word come one after the other, also those of one wave. Nothing is said of words that several waves
 * share, and nothing of a CPU. */
static xb_model atomics_predict(const xb_case *c)
{
  const uint64_t wave = c->device->subgroup_size, turns = sharing(c) < wave ? sharing(c) : wave;
  return (xb_model){"turns", "updates of one word by a wave", (double)turns,
                    c->device->type == XB_DEVICE_CPU || sharing(c) > wave ? NAN : 1.0 / (double)turns};
}

XB_METHODS(.plan = atomics_plan, .check = atomics_check, .same_inputs = true,
           .rates = {{"updates", "G/s", xb_elements_of_run}}, .predict = atomics_predict)

#include "benchmarks/rows.h"
