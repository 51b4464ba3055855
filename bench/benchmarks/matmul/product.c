#include "benchmarks/matmul/product.h"

#include "benchmarks/family.h"

enum {
  WINDOW_ROWS = 256, /* of windows, a multiple of it: whole tiles, and every device's binding_align */
  LARGEST = 15,      /* of an element */
  VECTORS = 3,       /* of Freivalds' method */
  PART = 4096,       /* elements that are generated at once */
};

__extension__ typedef __int128 wide;

/* ---- Inputs ----------------------------------------------------------------------------------------------------- */

static void whole_numbers(xb_dtype dtype, uint64_t seed, uint64_t first, uint64_t stride, uint64_t count, void *out)
{
  int32_t *numbers = out;
  float *floats = out;
  xb_bits_strided(XB_INT32, seed, first, stride, count, out);
  for (uint64_t i = 0; i < count; i++) {
    const int32_t number = (int32_t)(((uint32_t)numbers[i] >> 8) % (2 * LARGEST + 1)) - LARGEST;
    if (dtype == XB_FLOAT32)
      floats[i] = (float)number;
    else
      numbers[i] = number;
  }
}

static uint64_t seed_of_b(uint64_t seed)
{
  return ~seed;
}

void xb_product_a(xb_dtype dtype, uint64_t seed, uint64_t first, uint64_t count, void *out)
{
  whole_numbers(dtype, seed, first, 1, count, out);
}

void xb_product_b(xb_dtype dtype, uint64_t seed, uint64_t first, uint64_t count, void *out)
{
  whole_numbers(dtype, seed_of_b(seed), first, 1, count, out);
}

/* Elements [first, first + count) of row i of A, and of row k of B, as integers. */
static void integers(xb_product_form form, uint64_t seed, uint64_t first, uint64_t stride, uint64_t count, int32_t *out)
{
  whole_numbers(XB_INT32, seed, first, stride, count, out);
  for (uint64_t i = 0; i < count && form & XB_PRODUCT_SMALL; i++)
    out[i] /= XB_PRODUCT_DIVISOR;
}

static void row_of_a(const xb_case *c, xb_product_form form, uint64_t i, uint64_t first, uint64_t count, int32_t *out)
{
  integers(form, c->seed, c->first + i * c->inner + first, 1, count, out);
}

static void row_of_b(const xb_case *c, xb_product_form form, uint64_t k, uint64_t first, uint64_t count, int32_t *out)
{
  const uint64_t seed = form & XB_PRODUCT_OF_ITSELF ? c->seed : seed_of_b(c->seed);
  if (form & (XB_PRODUCT_OF_ITSELF | XB_PRODUCT_BY_COLUMNS))
    integers(form, seed, first * c->inner + k, c->inner, count, out);
  else
    integers(form, seed, k * c->columns + first, 1, count, out);
}

xb_code xb_product_slots(const xb_case *c, xb_product_form form, xb_plan *plan, xb_error *err)
{
  const bool of_itself = form & XB_PRODUCT_OF_ITSELF;
  const uint64_t a_rows = of_itself && c->columns > c->rows ? c->columns : c->rows;
  if (c->inner * LARGEST * LARGEST >= 1 << 24)
    return xb_refuse_case(c, err, "an inner length of %" PRIu64 ": sums of more than %d products would not be exact",
                          c->inner, ((1 << 24) - 1) / (LARGEST * LARGEST));
  if (c->rows > UINT32_MAX || c->columns > UINT32_MAX)
    return xb_refuse_case(c, err, "%" PRIu64 " x %" PRIu64 ": kernels use 32-bit row and column numbers", c->rows,
                          c->columns);
  const uint64_t a = a_rows * c->inner * WORD, b = of_itself ? 0 : c->inner * c->columns * WORD;
  const uint64_t bytes = c->n * WORD;
  xb_plan_slot_with(plan, .name = "A", .role = XB_ROLE_INPUT, .bytes = a, .generate = xb_product_a,
                    .split = !of_itself);
  xb_plan_output(plan, "C", bytes);
  if (!of_itself)
    xb_plan_input(plan, "B", b, xb_product_b);
  plan->bytes = a + b + bytes;
  plan->flops = 2 * c->n * c->inner;
  return XB_OK;
}

xb_code xb_product_window(const xb_case *c, uint64_t b_bytes, uint64_t *rows, xb_error *err)
{
  const uint64_t longest = c->inner > c->columns ? c->inner : c->columns;
  const uint64_t fit = c->window_bytes / (longest * WORD);
  *rows = fit >= c->rows ? c->rows : fit / WINDOW_ROWS * WINDOW_ROWS;
  if (*rows && b_bytes <= c->window_bytes)
    return XB_OK;
  return xb_refuse_case(c, err,
                        "a binding of %" PRIu64 " bytes is too small: it must hold B, and %d rows of A and of C",
                        c->window_bytes, WINDOW_ROWS);
}

xb_code xb_product_tiles(const xb_case *c, xb_product_form form, uint32_t side, xb_plan *plan, xb_error *err)
{
  const uint64_t a_pitch = c->inner * WORD, c_pitch = c->columns * WORD;
  const uint64_t tiles_x = xb_ceil_div(c->columns, side), height = c->block / side;
  uint64_t rows = 0;
  xb_code code = xb_product_slots(c, form, plan, err);
  code = code ? code : xb_product_window(c, c->columns * a_pitch, &rows, err);
  for (xb_slice w = {0}; !code && xb_plan_next(plan, &w, c->rows, rows);) {
    xb_step *step = xb_plan_dispatch(c, plan, tiles_x * xb_ceil_div(w.count, height));
    xb_step_bind(step, XB_PRODUCT_A, w.first * a_pitch, w.count * a_pitch, XB_READ);
    xb_step_bind(step, form & XB_PRODUCT_OF_ITSELF ? XB_PRODUCT_A : XB_PRODUCT_B, 0, c->columns * a_pitch, XB_READ);
    xb_step_bind(step, XB_PRODUCT_C, w.first * c_pitch, w.count * c_pitch, XB_DISJOINT_WRITE);
    const uint32_t args[] = {(uint32_t)w.count, (uint32_t)c->columns, (uint32_t)tiles_x, step->groups[0]};
    xb_step_args(step, args, sizeof args);
  }
  return code;
}

void xb_product_library(xb_plan *plan, xb_library_fn *run, uint64_t workspace_bytes)
{
  xb_library_plan(plan, run, (const uint32_t[]){XB_PRODUCT_A, XB_PRODUCT_B}, 2, XB_PRODUCT_C, workspace_bytes);
}

/* ---- Rows that are computed ------------------------------------------------------------------------------------- */

/* The element as a whole number. Returns false if it is a float that is none. */
static bool whole(xb_dtype dtype, const void *data, uint64_t i, int32_t *number)
{
  if (dtype == XB_INT32) {
    *number = ((const int32_t *)data)[i];
    return true;
  }
  const float value = ((const float *)data)[i];
  if (!(value > -0x1p24f && value < 0x1p24f)) /* false for NaN */
    return false;
  *number = (int32_t)value;
  return (float)*number == value;
}

/* Computes the elements [column, column + count) of a row of C, and compares them with `data`. */
static bool row_matches(const xb_case *c, xb_product_form form, uint64_t row, uint64_t column, uint64_t count,
                        const void *data, char why[XB_WHY_BYTES])
{
  for (xb_slice slice = {0}; xb_next_slice(&slice, count, PART);) {
    int32_t sums[PART] = {0}, b[PART], a, got = 0;
    for (uint64_t k = 0; k < c->inner; k++) {
      row_of_a(c, form, row, k, 1, &a);
      row_of_b(c, form, k, column + slice.first, slice.count, b);
      for (uint64_t i = 0; i < slice.count; i++)
        sums[i] += a * b[i];
    }
    for (uint64_t i = 0; i < slice.count; i++) {
      if (whole(c->dtype, data, slice.first + i, &got) && got == sums[i])
        continue;
      char text[32];
      if (c->dtype == XB_INT32)
        snprintf(text, sizeof text, "%" PRId32, got);
      else
        snprintf(text, sizeof text, "%.9g", (double)((const float *)data)[slice.first + i]);
      return xb_wrong(why, "row %" PRIu64 ", column %" PRIu64 " of C is %s, expected %" PRId32, row,
                      column + slice.first + i, text, sums[i]);
    }
  }
  return true;
}

/* ---- Freivalds' method ------------------------------------------------------------------------------------------ */

static const uint64_t PRIME = (1ull << 61) - 1;

static uint64_t residue(wide sum)
{
  const int64_t r = (int64_t)(sum % (wide)PRIME);
  return r < 0 ? (uint64_t)r + PRIME : (uint64_t)r;
}

static void add_products(const int32_t *numbers, const uint64_t *vectors, uint64_t count, wide sums[VECTORS])
{
  for (uint64_t i = 0; i < count; i++)
    for (int t = 0; t < VECTORS; t++)
      sums[t] += (wide)numbers[i] * (int64_t)vectors[i * VECTORS + (uint64_t)t];
}

static void times_vectors(const xb_case *c, xb_product_form form, bool is_a, uint64_t row, const uint64_t *vectors,
                          uint64_t *out)
{
  const uint64_t length = is_a ? c->inner : c->columns;
  wide sums[VECTORS] = {0};
  int32_t numbers[PART];
  for (xb_slice s = {0}; xb_next_slice(&s, length, PART);) {
    if (is_a)
      row_of_a(c, form, row, s.first, s.count, numbers);
    else
      row_of_b(c, form, row, s.first, s.count, numbers);
    add_products(numbers, vectors + s.first * VECTORS, s.count, sums);
  }
  for (int t = 0; t < VECTORS; t++)
    out[t] = residue(sums[t]);
}

static bool begin_vectors(const xb_case *c, void *value)
{
  (void)c;
  return value;
}

/* Vectors as residues: v of the columns of C, w = Bv, and y = Aw, one behind the other, behind a word that is 1 once
 * they are complete. Kept from one check to the next: a case is checked many times. NULL: out of host memory. */
static const uint64_t *vectors_of(const xb_case *c, xb_product_form form)
{
  const uint64_t count = (c->columns + c->inner + c->rows) * VECTORS;
  const xb_key key = XB_KEY(form, c->seed, c->rows, c->columns, c->inner, c->first);
  uint64_t *const value = xb_cached(c, begin_vectors, (count + 1) * sizeof *value, 1, key);
  uint64_t *const v = value + 1, *const w = v + c->columns * VECTORS, *const y = w + c->inner * VECTORS;
  if (!value || *value)
    return value ? v : NULL;
  xb_bits(XB_INT32, c->seed + 1, 0, c->columns * VECTORS * 2, v);
  for (uint64_t i = 0; i < c->columns * VECTORS; i++)
    v[i] %= PRIME;
  for (uint64_t k = 0; k < c->inner; k++)
    times_vectors(c, form, false, k, v, w + k * VECTORS);
  for (uint64_t i = 0; i < c->rows; i++)
    times_vectors(c, form, true, i, w, y + i * VECTORS);
  *value = 1;
  return v;
}

/* Compares C v with A (B v), for one whole row. A wrong element is then looked for. */
static bool row_is_right(const xb_case *c, xb_product_form form, const uint64_t *v, uint64_t row, const void *data,
                         char why[XB_WHY_BYTES])
{
  const uint64_t *y = v + (c->columns + c->inner + row) * VECTORS;
  wide sums[VECTORS] = {0};
  int32_t numbers[PART];
  bool right = true;
  for (xb_slice s = {0}; right && xb_next_slice(&s, c->columns, PART);) {
    for (uint64_t i = 0; i < s.count && right; i++)
      right = whole(c->dtype, data, s.first + i, &numbers[i]);
    if (right)
      add_products(numbers, v + s.first * VECTORS, s.count, sums);
  }
  for (int t = 0; t < VECTORS && right; t++)
    right = residue(sums[t]) == y[t];
  return right || row_matches(c, form, row, 0, c->columns, data, why);
}

bool xb_product_check(const xb_case *c, xb_product_form form, const xb_chunk *chunk, char why[XB_WHY_BYTES])
{
  const char *data = chunk->data;
  const uint64_t *v = vectors_of(c, form);
  if (!v)
    return xb_wrong(why, "out of host memory");
  for (uint64_t done = 0, some; done < chunk->count; done += some) {
    const uint64_t row = (chunk->first + done) / c->columns, column = (chunk->first + done) % c->columns;
    const void *at = data + done * WORD;
    some = chunk->count - done < c->columns - column ? chunk->count - done : c->columns - column;
    if (some == c->columns ? !row_is_right(c, form, v, row, at, why)
                           : !row_matches(c, form, row, column, some, at, why))
      return false;
  }
  return true;
}

bool xb_product_check_plain(const xb_case *c, const xb_chunk *chunk, char why[XB_WHY_BYTES])
{
  return xb_product_check(c, XB_PRODUCT_PLAIN, chunk, why);
}
