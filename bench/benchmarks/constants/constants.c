/* Constant memory: all threads follow a table of words, each of which has the place of the next one. At each step the
 * threads of a wave of 32 read some different words of one row, which lie side by side. A cache for constants serves
 * one address at a time, a cache for data a whole line.
 *
 * The table has columns, one for each address, and rows. A word leads to another row of the same column. Rows follow
 * each other as in a linear congruential generator of full period (Hull and Dobell 1962), so the walk visits all of
 * them. */
#include "benchmarks/benchmark.h"
#include "benchmarks/constants/constants_args.h"
#include "benchmarks/input.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

typedef struct parameters {
  enum { STORAGE, UNIFORM, ARGUMENTS } from;
} parameters;

enum { WORD = sizeof(uint32_t), WAVE = 32, STEPS = 1024, STEPS_OF_A_CPU = 16 };

static bool from(const xb_case *c, int place)
{
  return (int)((const parameters *)c->variant->parameters)->from == place;
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
  if (!c->at[0] || c->at[0] > WAVE || (c->at[0] & (c->at[0] - 1)))
    return xb_refuse_case(c, err, "the tables have 1, 2, 4, 8, 16 or 32 columns, not %" PRIu32, c->at[0]);
  if (c->at[0] > words_of(c))
    return xb_refuse_case(
        c, err, "%" PRIu32 " addresses: the arguments have %d words of a table, since push constants have 128 bytes",
        c->at[0], CONSTANTS_FEW);
  if (from(c, UNIFORM) && c->device->max_uniform_bytes < CONSTANTS_TABLE * WORD)
    return xb_refuse_case(c, err, "the device has no uniform buffers of %d bytes", CONSTANTS_TABLE * WORD);
  return XB_OK;
}

/* [plan] A dispatch for each window of the sums. */
static xb_code constants_plan(const xb_case *c, xb_plan *plan, xb_error *err)
{
  const bool in_arguments = from(c, ARGUMENTS);
  const uint64_t table = CONSTANTS_TABLE * WORD, most = c->window_bytes / WORD / 1024 * 1024;
  const uint32_t sums = xb_plan_output(plan, "sums", c->n * WORD);
  uint32_t input = 0;
  if (!in_arguments)
    input = xb_plan_slot_with(plan, .name = "table", .role = XB_ROLE_INPUT, .bytes = table, .element_bytes = WORD,
                              .generator = {generate, NULL, c->at[0]});
  struct xb_constants_args args = {.addresses = c->at[0], .steps = steps(c)};
  if (in_arguments)
    fill_table(c->seed, CONSTANTS_FEW, c->at[0], 0, CONSTANTS_FEW, args.table);
  plan->iterations = steps(c);
  for (xb_slice w = {0}; xb_plan_next(plan, &w, c->n, most);) {
    args.n = (uint32_t)w.count;
    xb_step *step = xb_plan_dispatch(c, plan, xb_ceil_div(args.n, c->block));
    if (!in_arguments)
      xb_step_bind(step, input, 0, table, XB_READ);
    step->bindings[0].uniform = from(c, UNIFORM);
    xb_step_bind(step, sums, w.first * WORD, w.count * WORD, XB_DISJOINT_WRITE);
    args.grid_x = step->groups[0];
    xb_step_args(step, &args, sizeof args);
  }
  return xb_check_iterations(c, plan, err);
}

/* What is in constant memory belongs to the kernel, where the API has such memory. */
static xb_code constants_find_code(const xb_case *c, const xb_plan_kernel *kernel, xb_kernel_desc *desc, xb_error *err)
{
  static _Thread_local uint32_t words[CONSTANTS_TABLE];
  static _Thread_local xb_constant constant;
  if (from(c, UNIFORM) && c->device->features & XB_FEATURE_CONSTANTS) {
    fill_table(c->seed, CONSTANTS_TABLE, c->at[0], 0, CONSTANTS_TABLE, words);
    constant = (xb_constant){.symbol = "constants_table", .data = words, .bytes = sizeof words};
    desc->constants = &constant;
    desc->constant_count = 1;
  }
  return xb_find_embedded(c, kernel, desc, err);
}

/* The sums of the walks from each column. */
static void walk(const xb_case *c, uint32_t sums[WAVE])
{
  uint32_t words[CONSTANTS_TABLE];
  fill_table(c->seed, words_of(c), c->at[0], 0, words_of(c), words);
  for (uint32_t column = 0; column < c->at[0]; column++) {
    uint32_t at = column, sum = 0;
    for (uint32_t s = 0; s < steps(c); s++) {
      sum += words[at];
      at = words[at] & 0xffff;
    }
    sums[column] = sum;
  }
}

static bool constants_check(const xb_case *c, const xb_chunk *chunk, char why[XB_WHY_BYTES])
{
  uint32_t sums[WAVE];
  walk(c, sums);
  return xb_check_words(chunk, xb_expect_repeated, &(xb_repeated){sums, c->at[0]}, "sum", why);
}

/* `ns` is the time of one repetition. */
static size_t constants_metrics(const xb_case *c, const xb_plan *plan, double ns, xb_metric metrics[XB_MAX_METRICS])
{
  (void)plan;
  const double reads = (double)c->n * steps_once(c);
  metrics[0] = (xb_metric){"reads", "Gread/s", ns > 0 ? reads / ns : 0, true};
  metrics[1] = (xb_metric){"read bandwidth", "GB/s", ns > 0 ? reads * WORD / ns : 0, true};
  return 2;
}

/* The addresses that a wave waits for one after the other. A CPU has no such cache. */
static xb_model constants_predict(const xb_case *c)
{
  const double turns = from(c, STORAGE) ? 1 : c->at[0];
  return (xb_model){"turns", "reads of a cache for one step of a wave", turns,
                    c->device->type == XB_DEVICE_CPU ? NAN : 1 / turns};
}

/* The table of the second row is given when the kernel is created, so the seed is the same in all runs. */
XB_METHODS(.refuse = refuse, .plan = constants_plan, .find_code = constants_find_code, .check = constants_check,
           .same_inputs = true, .metrics = constants_metrics, .predict = constants_predict)

#include "benchmarks/rows.h"
