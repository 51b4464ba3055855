/* y = Wx for one vector or a few, with W in float16 or quantized in blocks of 32 weights: matvec_args.h says how they
 * are stored. All numbers are whole, or halves of whole ones, and so few that every sum is exact in float32 whatever
 * its order; and the largest number in each block of x is 127, so x in bytes is exact, too. So y must be equal bit by
 * bit. */
#include "benchmarks/family.h"
#include "benchmarks/matvec/cublas.h"
#include "benchmarks/matvec/matvec_args.h"
#include "benchmarks/registry.h"

typedef enum format { FLOAT16, Q8_0, Q4_0, TERNARY } format;

/* Parameters of a row of the table. */
typedef struct parameters {
  format format;
  uint32_t unit; /* weights that a thread loads at a time */
  uint32_t rows; /* that a group, or a wave, sums at a time */
  bool waves;    /* each wave has its own rows */
  bool dot;      /* products of bytes: x is quantized before */
  bool branches; /* weights are decoded one by one */
} parameters;

enum {
  BATCH = 0, /* the axis */
  BLOCK = MATVEC_BLOCK,
  SCALE_BYTES = 2,
  WINDOW_ROWS = 256,          /* windows are multiples of it: every device's binding_align */
  MOST_COLUMNS = 1 << 17,     /* sums are exact up to here; product_of checks it, too */
  LARGEST_X = 31,             /* but for one number a block */
  BYTE_LARGEST = 127,         /* the largest that a quantized number is */
  WORKSPACE_BYTES = 32 << 20, /* that cuBLAS uses on large GPUs */
};

static uint64_t blocks_of(const xb_case *c)
{
  return xb_ceil_div(c->columns, BLOCK);
}

/* Words of a block, without its scale. */
static uint64_t words_of(format f)
{
  static const uint64_t words[] = {[FLOAT16] = 16, [Q8_0] = 8, [Q4_0] = 4, [TERNARY] = 2};
  return words[f];
}

/* ---- Inputs ----------------------------------------------------------------------------------------------------- */

/* The weights of block k. Of q8_0, one a block is as large as a byte can be. */
static void weights_of(format f, uint64_t seed, uint64_t k, int32_t weights[BLOCK])
{
  uint32_t random[BLOCK / 4];
  xb_bits(XB_INT32, seed, k * (BLOCK / 4), BLOCK / 4, random);
  for (uint32_t j = 0; j < BLOCK; j++) {
    const int32_t byte = random[j / 4] >> 8 * (j % 4) & 0xFF;
    const bool extreme = f == Q8_0 && j == (random[0] >> 8) % BLOCK; /* seldom where x has its largest */
    weights[j] = extreme        ? byte & 16 ? BYTE_LARGEST : -BYTE_LARGEST
                 : f == FLOAT16 ? byte % 31 - 15
                 : f == TERNARY ? byte % 3 - 1
                                : byte % 16 - 8;
  }
}

/* Sums are whole numbers of it. */
static float unit_of(format f)
{
  return f == FLOAT16 ? 1 : 0.5f;
}

/* The scale of block k in this unit: 1 of float16, which has none, and 1 or 2 of the others. */
static uint32_t scale_of(format f, uint64_t seed, uint64_t k)
{
  return f == FLOAT16 ? 1 : 1 + (uint32_t)(xb_mix(seed ^ xb_mix(k)) & 1);
}

/* Elements [first, first + count) of the vectors x, which follow each other in whole blocks. */
static void numbers_of_x(uint64_t seed, uint64_t first, uint64_t count, int32_t *numbers)
{
  xb_bits(XB_INT32, ~seed, first, count, numbers);
  for (uint64_t i = 0; i < count; i++) {
    const uint32_t random = (uint32_t)numbers[i] >> 8;
    numbers[i] = (int32_t)(random % (2 * LARGEST_X + 1)) - LARGEST_X;
    if ((first + i) % BLOCK == (first + i) / BLOCK % BLOCK)
      numbers[i] = random & 1 ? BYTE_LARGEST : -BYTE_LARGEST;
  }
}

/* A whole number below 2^11 as float16, which has 5 bits of exponent, with a bias of 15, and 10 of fraction. */
static uint32_t half_of(int32_t whole)
{
  const float value = (float)whole;
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  return whole ? (bits >> 31) << 15 | ((bits >> 23 & 0xFF) - 127 + 15) << 10 | (bits >> 13 & 0x3FF) : 0;
}

/* Word `at` of a block, as matvec_args.h describes it. */
static uint32_t packed(format f, const int32_t weights[BLOCK], uint64_t at)
{
  uint32_t word = 0;
  if (f == FLOAT16)
    return half_of(weights[2 * at]) | half_of(weights[2 * at + 1]) << 16;
  for (uint32_t j = 0; j < 4; j++) {
    const int32_t *byte = &weights[at * (BLOCK / words_of(f)) + j]; /* its elements are four apart */
    if (f == Q8_0)
      word |= ((uint32_t)byte[0] & 0xFF) << 8 * j;
    else if (f == Q4_0)
      word |= (uint32_t)(byte[0] + 8 + (byte[4] + 8) * 16) << 8 * j;
    else
      word |= (uint32_t)(byte[0] + 1 + (byte[4] + 1) * 4 + (byte[8] + 1) * 16 + (byte[12] + 1) * 64) << 8 * j;
  }
  return word;
}

static void generate_weights(const void *user, uint64_t seed, uint64_t first, uint64_t count, void *out)
{
  const format f = (format) * (const uint64_t *)user;
  const uint64_t words = words_of(f);
  int32_t weights[BLOCK];
  for (uint64_t i = 0; i < count; i++) {
    if (!i || (first + i) % words == 0)
      weights_of(f, seed, (first + i) / words, weights);
    ((uint32_t *)out)[i] = packed(f, weights, (first + i) % words);
  }
}

/* Two a word. */
static void generate_scales(const void *user, uint64_t seed, uint64_t first, uint64_t count, void *out)
{
  static const uint32_t halves[] = {[1] = 0x3800 /* 0.5 */, [2] = 0x3C00 /* 1 */};
  const format f = (format) * (const uint64_t *)user;
  for (uint64_t i = 0; i < count; i++)
    ((uint32_t *)out)[i] = halves[scale_of(f, seed, 2 * (first + i))] | halves[scale_of(f, seed, 2 * (first + i) + 1)]
                                                                            << 16;
}

/* `user` says whether x is float16, two a word, or float32. */
static void generate_x(const void *user, uint64_t seed, uint64_t first, uint64_t count, void *out)
{
  const uint64_t a_word = *(const uint64_t *)user ? 2 : 1;
  for (uint64_t i = 0; i < count; i++) {
    int32_t numbers[2];
    numbers_of_x(seed, (first + i) * a_word, a_word, numbers);
    if (a_word == 2)
      ((uint32_t *)out)[i] = half_of(numbers[0]) | half_of(numbers[1]) << 16;
    else
      ((float *)out)[i] = (float)numbers[0];
  }
}

/* ---- Plan ------------------------------------------------------------------------------------------------------- */

enum { SLOT_W, SLOT_Y, SLOT_X, SLOT_SCALES };

static xb_code matvec_refuse(const xb_case *c, xb_error *err)
{
  const uint32_t batch = c->at[BATCH];
  if (!batch || batch > MATVEC_BATCH || (batch & (batch - 1)))
    return xb_refuse_case(c, err, "batch is 1, 2, 4 or %d, not %" PRIu32, MATVEC_BATCH, batch);
  if (c->columns > MOST_COLUMNS)
    return xb_refuse_case(c, err, "%" PRIu64 " columns: sums of more than %d products may not be exact", c->columns,
                          MOST_COLUMNS);
  const uint64_t x = blocks_of(c) * BLOCK * batch * WORD, y = c->rows * batch * WORD;
  if (x > c->window_bytes || y > c->window_bytes)
    return xb_refuse_case(c, err, "a binding of %" PRIu64 " bytes is too small: it must hold x and y", c->window_bytes);
  return XB_OK;
}

/* [plan] Quantizes x, before what follows a barrier. Returns the slot of the bytes; behind it is that of the steps. */
static uint32_t plan_quantize(const xb_case *c, xb_plan *plan)
{
  const uint64_t blocks = blocks_of(c) * c->at[BATCH];
  const uint32_t bytes =
      xb_plan_slot_with(plan, .name = "x in bytes", .role = XB_ROLE_SCRATCH, .bytes = blocks * BLOCK);
  const uint32_t steps =
      xb_plan_slot_with(plan, .name = "steps of x", .role = XB_ROLE_SCRATCH, .bytes = blocks * 2 * WORD);
  const uint32_t kernel = xb_plan_kernel_of(plan, (xb_plan_kernel){.name = "quantize"});
  xb_step *step = xb_plan_dispatch(c, plan, xb_ceil_div(blocks * BLOCK / 4, c->block));
  step->kernel = kernel;
  xb_step_bind_all(plan, step, SLOT_X, XB_READ);
  xb_step_bind_all(plan, step, bytes, XB_WRITE);
  xb_step_bind_all(plan, step, steps, XB_WRITE);
  xb_step_fields(step, struct xb_matvec_args, .blocks = (uint32_t)blocks_of(c), .batch = c->at[BATCH]);
  xb_plan_step(plan, XB_STEP_BARRIER);
  return bytes;
}

/* Rows that a group sums. If the size of a wave is not known, as few as there can be. */
static uint64_t rows_of_group(const xb_case *c)
{
  const uint32_t wave = xb_full_wave(c);
  return of(c)->waves && wave ? c->block / wave * of(c)->rows : of(c)->rows;
}

/* [plan] A dispatch for each window of rows. No barrier: windows write different elements of y. */
static xb_code plan_kernel(const xb_case *c, xb_plan *plan, xb_error *err)
{
  const bool scaled = of(c)->format != FLOAT16;
  const uint64_t blocks = blocks_of(c), units = blocks * BLOCK / of(c)->unit,
                 pitch = blocks * words_of(of(c)->format) * WORD;
  const uint64_t threads =
      c->block * of(c)->rows / rows_of_group(c); /* of a row, or of rows that are summed together */
  plan->iterations = xb_ceil_div(units, threads) * (1 + of(c)->rows * (of(c)->branches ? BLOCK : 1));
  if (xb_check_iterations(c, plan, err))
    return XB_UNSUPPORTED;
  if (scaled)
    xb_plan_slot_with(plan, .name = "scales", .role = XB_ROLE_INPUT,
                      .bytes = xb_ceil_div(c->rows * blocks * SCALE_BYTES, WORD) * WORD, .element_bytes = WORD,
                      .generator = {generate_scales, NULL, of(c)->format});
  xb_plan_kernel_of(plan, (xb_plan_kernel){.features = of(c)->dot ? XB_FEATURE_INT8_DOT : 0,
                                           .numbered = true,
                                           .number_optional = true,
                                           .number = {.value = c->at[BATCH]}});
  const uint32_t bytes = of(c)->dot ? plan_quantize(c, plan) : 0;
  plan->windows = 0;
  const uint64_t most = xb_window_length(c, c->rows, pitch, WINDOW_ROWS);
  for (xb_slice w = {0}; xb_plan_next(plan, &w, c->rows, most);) {
    xb_step *step = xb_plan_dispatch(c, plan, xb_ceil_div(w.count, rows_of_group(c)));
    xb_step_bind(step, SLOT_W, w.first * pitch, w.count * pitch, XB_READ);
    if (scaled)
      xb_step_bind(step, SLOT_SCALES, w.first * blocks * SCALE_BYTES,
                   xb_ceil_div(w.count * blocks * SCALE_BYTES, WORD) * WORD, XB_READ);
    if (of(c)->dot) {
      xb_step_bind_all(plan, step, bytes, XB_READ);
      xb_step_bind_all(plan, step, bytes + 1, XB_READ);
    } else {
      xb_step_bind_all(plan, step, SLOT_X, XB_READ);
    }
    xb_step_bind_all(plan, step, SLOT_Y, XB_DISJOINT_WRITE);
    xb_step_fields(step, struct xb_matvec_args, .rows = (uint32_t)w.count, .first_row = (uint32_t)w.first,
                   .all_rows = (uint32_t)c->rows, .blocks = (uint32_t)blocks, .batch = c->at[BATCH]);
  }
  return XB_OK;
}

static xb_code run_cublas(const xb_native *native, const xb_library_call *call, xb_error *err)
{
  xb_matvec_cublas_fn *cublas = (xb_matvec_cublas_fn *)call->function;
  const xb_case *c = call->c;
  const char *why = cublas(c->rows, blocks_of(c) * BLOCK, c->at[BATCH], call->address, call->size[3], native->commands);
  return xb_library_result(XB_INTERNAL, "cublasGemmEx", why, err);
}

/* [plan] W and its scales count as they are stored, x and y once. */
static xb_code matvec_plan(const xb_case *c, xb_plan *plan, xb_error *err)
{
  const bool library = c->variant->source == LIBRARY;
  const uint64_t blocks = blocks_of(c), x_bytes = library ? WORD / 2 : WORD;
  const uint64_t weights = c->rows * blocks * words_of(of(c)->format) * WORD;
  const uint64_t scales = of(c)->format == FLOAT16 ? 0 : c->rows * blocks * SCALE_BYTES;
  xb_plan_slot_with(plan, .name = "W", .role = XB_ROLE_INPUT, .bytes = weights, .element_bytes = WORD,
                    .generator = {generate_weights, NULL, of(c)->format});
  xb_plan_output(plan, "y", c->rows * c->at[BATCH] * WORD);
  xb_plan_slot_with(plan, .name = "x", .role = XB_ROLE_INPUT, .bytes = blocks * BLOCK * c->at[BATCH] * x_bytes,
                    .element_bytes = WORD, .generator = {generate_x, NULL, library});
  plan->bytes = weights + scales + plan->slots[SLOT_X].bytes + plan->slots[SLOT_Y].bytes;
  plan->flops = 2 * c->n * c->at[BATCH];
  if (!library)
    return plan_kernel(c, plan, err);
  xb_library_plan(plan, run_cublas, (const uint32_t[]){SLOT_W, SLOT_X}, 2, SLOT_Y, WORKSPACE_BYTES);
  return XB_OK;
}

/* ---- Check ------------------------------------------------------------------------------------------------------ */

/* Row i of y, for each vector. False if a sum in some order could reach what float32 does not hold exactly. */
static bool add_row(const xb_case *c, const int32_t *x, uint64_t i, float *y)
{
  enum { EXACT = 1 << 24 };
  const format f = of(c)->format;
  const uint64_t blocks = blocks_of(c), batch = c->at[BATCH];
  int64_t sums[MATVEC_BATCH] = {0}, sizes[MATVEC_BATCH] = {0}; /* in units */
  for (uint64_t k = 0; k < blocks; k++) {
    int32_t weights[BLOCK];
    weights_of(f, c->seed, i * blocks + k, weights);
    const int64_t scale = scale_of(f, c->seed, i * blocks + k);
    for (uint64_t b = 0; b < batch; b++) {
      const int32_t *const numbers = &x[(b * blocks + k) * BLOCK];
      int32_t sum = 0, size = 0;
      for (uint32_t j = 0; j < BLOCK; j++) {
        sum += weights[j] * numbers[j];
        size += abs(weights[j] * numbers[j]);
      }
      sums[b] += scale * sum;
      sizes[b] += scale * size;
    }
  }
  bool exact = true;
  for (uint64_t b = 0; b < batch; b++) {
    exact &= sizes[b] + llabs(sums[b]) < 2 * EXACT; /* all positive products, or all negative ones */
    y[b * c->rows + i] = (float)sums[b] * unit_of(f);
  }
  return exact;
}

static bool make_y(const xb_case *c, void *y)
{
  const uint64_t numbers = c->at[BATCH] * blocks_of(c) * BLOCK;
  int32_t *const x = malloc(numbers * sizeof *x);
  bool exact = x;
  if (x)
    numbers_of_x(c->seed, 0, numbers, x);
  for (uint64_t i = 0; i < c->rows && exact; i++)
    exact = add_row(c, x, i, y);
  free(x);
  return exact;
}

static void expect(const void *user, uint64_t first, uint64_t count, uint32_t *expected)
{
  memcpy(expected, (const uint32_t *)user + first, count * WORD);
}

static bool matvec_check(const xb_case *c, const xb_chunk *chunk, char why[XB_WHY_BYTES])
{
  const xb_key key = XB_KEY(c->seed, c->rows, blocks_of(c), c->at[BATCH], of(c)->format);
  const uint32_t *y = xb_cached(c, make_y, c->at[BATCH] * c->rows * WORD, 1, key);
  return y ? xb_check_words(chunk, expect, y, "element", why)
           : xb_wrong(why, "out of host memory, or sums would not be exact with this seed");
}

/* Twice as large as a cache with a byte a weight; with 2 bits it is about as large. */
XB_METHODS(.refuse = matvec_refuse, .plan = matvec_plan, .prepare = xb_cublas_prepare, .cublas = "xb_matvec_cublas",
           .check = matvec_check,
           .rates = {{"bandwidth", "GB/s", xb_bytes_of_run}, {"speed", "GFLOP/s", xb_flops_of_run}},
           .grows = {.n = 512, .bytes = 1})

#include "benchmarks/rows.h"
