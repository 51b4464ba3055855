/* Reads structs of three or four members from shared memory, one member of each or all of them, where they lie as an
 * array of structs or as an array for each member. It measures whether the banks of shared memory mind. Each group
 * copies its structs there, each thread reads those of LAYOUT_ROUNDS neighbours and sums them up. */
#include "benchmarks/family.h"
#include "benchmarks/shared_layout/shared_layout_args.h"

typedef struct parameters {
  uint32_t members, words; /* of a struct, and of a member */
  bool arrays;             /* an array for each member */
  bool vectors;            /* all members are loaded at once */
} parameters;

enum {
  DEFAULT_N = 1 << 21,
  PAD = 64,               /* the arrays of the members lie at multiples of so many elements */
  MOST_STRUCTS = 1 << 18, /* they fill a large GPU once, and more of them would only do the same again */
  BANKS = 32
};

static uint64_t struct_words(const parameters *p)
{
  return p->members * p->words;
}

static uint32_t members_read(const xb_case *c)
{
  return c->at[0] ? of(c)->members : 1;
}

static uint64_t pitch_of(uint64_t count)
{
  return xb_ceil_div(count, PAD) * PAD;
}

/* n words, rounded up to whole structs; but not more than a binding sees. */
static uint64_t structs(const xb_case *c)
{
  const uint64_t asked = xb_ceil_div(c->n, struct_words(of(c)));
  const uint64_t fit = c->window_bytes / (struct_words(of(c)) * WORD) / PAD * PAD;
  const uint64_t most = fit < MOST_STRUCTS ? fit : MOST_STRUCTS;
  return asked < most ? asked : most;
}

static uint64_t rounds(const xb_case *c)
{
  return (uint64_t)LAYOUT_ROUNDS * (c->repeats ? c->repeats : 1);
}

/* Arrays of so many members. The last one is not padded. */
static uint64_t array_bytes(const xb_case *c, uint64_t members)
{
  return ((members - 1) * pitch_of(structs(c)) + structs(c)) * of(c)->words * WORD;
}

/* [plan] One dispatch. `bytes` stays 0: it would be those of device memory. */
static xb_code shared_layout_plan(const xb_case *c, xb_plan *plan, xb_error *err)
{
  const parameters *p = of(c);
  const uint64_t count = structs(c);
  if (!count)
    return xb_refuse_case(c, err, "a binding of %" PRIu64 " bytes is too small", c->window_bytes);
  plan->iterations = rounds(c);
  if (xb_check_iterations(c, plan, err))
    return XB_UNSUPPORTED;
  const uint64_t read = p->arrays ? array_bytes(c, p->members) : count * struct_words(p) * WORD;
  const uint64_t written = array_bytes(c, members_read(c));
  plan->work = (double)count * LAYOUT_ROUNDS * members_read(c) * p->words;
  xb_step *step = xb_plan_dispatch(c, plan, xb_ceil_div(count, c->block));
  xb_step_bind_all(plan, step, xb_plan_input(plan, "input", read, xb_bits), XB_READ);
  xb_step_bind_all(plan, step, xb_plan_output(plan, "output", written), XB_WRITE);
  xb_step_fields(step, struct xb_shared_layout_args, .n = (uint32_t)count, .pitch = (uint32_t)pitch_of(count),
                 .all = c->at[0], .rounds = (uint32_t)rounds(c));
  return XB_OK;
}

/* What each of LAYOUT_ROUNDS threads gets that read the values of each other: sum = 3 * sum + value, for the values of
 * thread ^ 0, thread ^ 1, ... Its sum over 2 k values is 3^k times its sum over the first k, plus the sum of thread ^ k
 * over its own first k. So a step for each bit is enough. */
static void sum_values(uint32_t values[LAYOUT_ROUNDS], uint64_t repeats)
{
  uint32_t power = 3, all = 0;
  for (uint32_t k = 1; k < LAYOUT_ROUNDS; k *= 2, power *= power)
    for (uint32_t t = 0; t < LAYOUT_ROUNDS; t++)
      if (!(t & k)) {
        const uint32_t mine = values[t], other = values[t ^ k];
        values[t] = power * mine + other;
        values[t ^ k] = power * other + mine;
      }
  for (uint64_t r = 0; r < repeats; r++) /* the power is 3^LAYOUT_ROUNDS now */
    all = power * all + 1;
  for (uint32_t t = 0; t < LAYOUT_ROUNDS; t++)
    values[t] *= all;
}

/* The words that LAYOUT_ROUNDS threads write into the array of one member, from the thread `begin` on. */
static void expect_block(const xb_case *c, uint64_t begin, uint64_t member, uint32_t *out)
{
  const parameters *p = of(c);
  const uint64_t count = structs(c), stride = p->arrays ? 1 : p->members;
  const uint64_t first = p->arrays ? member * pitch_of(count) : member;
  for (uint32_t word = 0; word < p->words; word++) {
    uint32_t values[LAYOUT_ROUNDS] = {0}; /* as threads without a struct have them */
    for (uint32_t t = 0; t < LAYOUT_ROUNDS && begin + t < count; t++)
      xb_bits(c->dtype, c->seed, (first + (begin + t) * stride) * p->words + word, 1, &values[t]);
    sum_values(values, rounds(c) / LAYOUT_ROUNDS);
    for (uint32_t t = 0; t < LAYOUT_ROUNDS; t++)
      out[t * p->words + word] = begin + t < count ? values[t] : XB_POISON; /* between two arrays */
  }
}

/* The words [from, from + words) of the output, block by block. A chunk may begin and end inside a block. */
static void expect(const xb_case *c, uint64_t from, uint64_t words, uint32_t *expected)
{
  const uint64_t block_words = (uint64_t)LAYOUT_ROUNDS * of(c)->words, pitch = pitch_of(structs(c));
  for (uint64_t done = 0, some; done < words; done += some) {
    const uint64_t begin = (from + done) / block_words * LAYOUT_ROUNDS, skipped = (from + done) % block_words;
    uint32_t block[2 * LAYOUT_ROUNDS];
    expect_block(c, begin % pitch, c->at[0] ? begin / pitch : of(c)->members - 1, block);
    some = words - done < block_words - skipped ? words - done : block_words - skipped;
    memcpy(expected + done, block + skipped, some * sizeof *expected);
  }
}

/* Passes through the banks that a wave needs to load `words` words a thread, `stride` words apart: as many as it asks
 * the most used bank for. A load of 8 bytes is served for half a wave at a time, of 16 bytes for a quarter, so that
 * each part asks for as many words as there are banks. */
static uint32_t passes_of(uint32_t wave, uint32_t words, uint32_t stride)
{
  const uint32_t together = BANKS / words < wave ? BANKS / words : wave;
  uint32_t asked[BANKS] = {0}, most = 0;
  for (uint32_t k = 0; k < together * words; k++) {
    const uint32_t bank = (k / words * stride + k % words) % BANKS;
    most = ++asked[bank] > most ? asked[bank] : most;
  }
  return most * (wave / together);
}

/* To load one member or all, of one struct a thread. */
static double passes(const xb_case *c, uint32_t read)
{
  const parameters *p = of(c);
  const uint32_t wave = c->device->subgroup_size, stride = p->arrays ? p->words : (uint32_t)struct_words(p);
  return p->vectors && read > 1 ? passes_of(wave, p->members, stride) : read * passes_of(wave, p->words, stride);
}

static xb_model shared_layout_predict(const xb_case *c)
{
  const uint32_t read = members_read(c), all = of(c)->members;
  return (xb_model){"passes", "passes per wave through the banks", passes(c, read),
                    read / passes(c, read) / (all / passes(c, all))};
}

XB_METHODS(.plan = shared_layout_plan, .expect = expect, .word = "word",
           .rates = {{"words from shared memory", "Gwords/s", xb_work_of_run}}, .predict = shared_layout_predict)

#include "benchmarks/rows.h"
