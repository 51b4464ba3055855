/* Constant memory: all threads follow a table of words, each of which has the place of the next one. At each step the
 * threads of a wave of 32 read some different words of one row, which lie side by side. A cache for constants serves
 * one address at a time, a cache for data a whole line.
 *
 * The table has columns, one for each address, and rows. A word leads to another row of the same column. Rows follow
 * each other as in a linear congruential generator of full period (Hull and Dobell 1962), so the walk visits all of
 * them. */
#include "benchmarks/constants/constants_args.h"
#include "benchmarks/family.h"

typedef struct parameters {
  enum { STORAGE, UNIFORM, ARGUMENTS } from;
} parameters;

enum { WAVE = 32, STEPS = 1024, STEPS_OF_A_CPU = 16 };

static bool from(const xb_case *c, int place)
{
  return (int)of(c)->from == place;
}

static uint32_t words_of(const xb_case *c)
{
  return from(c, ARGUMENTS) ? CONSTANTS_FEW : CONSTANTS_TABLE;
}

static uint32_t steps_once(const xb_case *c)
{
  return c->device->type == XB_DEVICE_CPU ? STEPS_OF_A_CPU : STEPS;
}

static uint32_t steps(const xb_case *c)
{
  return steps_once(c) * (c->repeats ? c->repeats : 1);
}

/* Words [first, first + count) of a table of `words` words in `columns` columns. */
static void fill_table(uint64_t seed, uint32_t words, uint32_t columns, uint64_t first, uint64_t count, uint32_t *out)
{
  const uint32_t rows = words / columns;
  uint32_t random[2];
  xb_bits(XB_INT32, seed, 0, 2, random);
  const uint32_t a = (random[0] & ~7u) | 5, b = random[1] | 1;
  xb_bits(XB_INT32, seed, first, count, out);
  for (uint64_t i = 0; i < count; i++) {
    const uint32_t row = (uint32_t)(first + i) / columns, column = (uint32_t)(first + i) % columns;
    out[i] = (out[i] & 0xffff0000) | ((a * row + b) % rows * columns + column);
  }
}

/* Of a buffer; `user` is the number of columns. */
static void generate(const void *user, uint64_t seed, uint64_t first, uint64_t count, void *out)
{
  fill_table(seed, CONSTANTS_TABLE, (uint32_t) * (const uint64_t *)user, first, count, out);
}

static xb_code refuse(const xb_case *c, xb_error *err)
{
  if (c->at[0] > words_of(c))
    return xb_refuse_case(
        c, err,
        "%" PRIu32 " addresses: the arguments hold only %d words of the table, because push constants have 128 bytes",
        c->at[0], CONSTANTS_FEW);
  if (from(c, UNIFORM) && c->device->max_uniform_bytes < CONSTANTS_TABLE * WORD)
    return xb_refuse_case(c, err, "the device has no uniform buffers of %d bytes", CONSTANTS_TABLE * WORD);
  return XB_OK;
}

/* [plan] A dispatch for each window of the sums. */
static xb_code constants_plan(const xb_case *c, xb_plan *plan, xb_error *err)
{
  xb_windows w = {.all = c->n, .step = 1024};
  struct xb_constants_args args = {.addresses = c->at[0], .steps = steps(c)};
  if (from(c, ARGUMENTS)) {
    fill_table(c->seed, CONSTANTS_FEW, c->at[0], 0, CONSTANTS_FEW, args.table);
  } else {
    const xb_slot table = {.name = "table",
                           .role = XB_ROLE_INPUT,
                           .bytes = CONSTANTS_TABLE * WORD,
                           .element_bytes = WORD,
                           .generator = {generate, NULL, c->at[0]}};
    xb_stream_of(&w, xb_plan_slot(plan, table), 0, XB_READ);
  }
  xb_stream_out(plan, &w, "sums", WORD);
  plan->iterations = steps(c);
  plan->work = (double)c->n * steps_once(c);
  for (xb_step *step; (step = xb_next_window(c, plan, &w));) {
    step->bindings[0].uniform = from(c, UNIFORM);
    args.n = (uint32_t)w.count;
    args.grid_x = step->groups[0];
    xb_step_args(step, &args, sizeof args);
  }
  return xb_check_iterations(c, plan, err);
}

/* What is in constant memory. */
typedef struct memory {
  xb_constant constant;
  uint32_t words[CONSTANTS_TABLE];
} memory;

static bool make_memory(const xb_case *c, void *value)
{
  memory *m = value;
  fill_table(c->seed, CONSTANTS_TABLE, c->at[0], 0, CONSTANTS_TABLE, m->words);
  m->constant = (xb_constant){.symbol = "constants_table", .data = m->words, .bytes = sizeof m->words};
  return true;
}

/* It belongs to the kernel, where the API has such memory. */
static xb_code constants_find_code(const xb_case *c, const xb_plan_kernel *kernel, xb_kernel_desc *desc, xb_error *err)
{
  if (from(c, UNIFORM) && c->device->features & XB_FEATURE_CONSTANTS) {
    const memory *m = xb_cached(c, make_memory, sizeof *m, 1, XB_KEY(c->seed, c->at[0]));
    if (!m)
      return xb_fail(err, XB_NOMEM, "constants", "out of host memory");
    desc->constants = &m->constant;
    desc->constant_count = 1;
  }
  return xb_find_embedded(c, kernel, desc, err);
}

/* The sums of the walks from each column. */
static bool walk(const xb_case *c, void *sums)
{
  uint32_t words[CONSTANTS_TABLE];
  fill_table(c->seed, words_of(c), c->at[0], 0, words_of(c), words);
  for (uint32_t column = 0; column < c->at[0]; column++) {
    uint32_t at = column, sum = 0;
    for (uint32_t s = 0; s < steps(c); s++) {
      sum += words[at];
      at = words[at] & 0xffff;
    }
    ((uint32_t *)sums)[column] = sum;
  }
  return true;
}

static void expect(const xb_case *c, uint64_t first, uint64_t count, uint32_t *expected)
{
  const uint32_t *sums = xb_cached(c, walk, WAVE * WORD, 1, XB_KEY(c->seed, c->at[0], words_of(c), steps(c)));
  xb_repeat(sums, c->at[0], first, count, expected);
}

static double bytes_read(const xb_case *c, const xb_plan *plan)
{
  (void)c;
  return plan->work * WORD;
}

/* The addresses that a wave waits for one after the other. A CPU has no such cache. */
static xb_model constants_predict(const xb_case *c)
{
  const double turns = from(c, STORAGE) ? 1 : c->at[0];
  return (xb_model){"turns", "cache reads for one step of a wave", turns,
                    c->device->type == XB_DEVICE_CPU ? NAN : 1 / turns};
}

/* The table of the second row is given when the kernel is created, so the seed is the same in all runs. */
XB_METHODS(.refuse = refuse, .plan = constants_plan, .find_code = constants_find_code, .expect = expect, .word = "sum",
           .same_inputs = true, .rates = {{"reads", "Gread/s", xb_work_of_run}, {"read bandwidth", "GB/s", bytes_read}},
           .predict = constants_predict)

#include "benchmarks/rows.h"
