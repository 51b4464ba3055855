/* Transpose of a rows x columns matrix, out[c][r] = in[r][c], and two copies to compare it with. */
#include "benchmarks/family.h"
#include "benchmarks/transpose/cublas.h"
#include "benchmarks/transpose/transpose_args.h"

typedef struct parameters {
  bool copies;  /* out = in */
  bool vectors; /* of 16 bytes, both ways */
} parameters;

enum {
  VECTOR_BYTES = 16, /* of variant 8 */
  ALIGN_BYTES = 32,  /* alignment of bindings; variant 8 aligns its stores to it */
};

/* cuBLAS multiplies by one, which changes NaNs and may flush denormals. */
static bool computes(const xb_case *c)
{
  return c->variant->source == LIBRARY;
}

/* ---- Parts ------------------------------------------------------------------------------------------------------ */

/* A part of the matrix whose ranges in input and output each fit into a binding. A range extends from the first element
 * of the part's first row to the last element of its last row. */
typedef struct part {
  uint64_t row, column; /* its first row and column */
  uint64_t rows, columns;
} part;

static bool whole_vectors(uint64_t offset, uint64_t pitch, uint64_t length)
{
  return (offset | pitch | length) % (VECTOR_BYTES / WORD) == 0;
}

static uint64_t span(uint64_t rows, uint64_t columns, uint64_t pitch)
{
  return (rows - 1) * pitch + columns;
}

/* The length of one of about `parts` equal parts of `length`. A length of more than a tile is rounded up to whole
 * tiles. */
static uint64_t equal_part(uint64_t length, uint64_t parts)
{
  const uint64_t each = xb_ceil_div(length, parts);
  const uint64_t whole = xb_ceil_div(each, TILE4_DIM) * TILE4_DIM;
  return each < TILE4_DIM ? each : whole < length ? whole : length;
}

/* The size of the parts: rows and columns are split into halves, thirds, ... until both ranges fit. */
static xb_code part_size(const xb_case *c, uint64_t align, part *size, xb_error *err)
{
  const uint64_t slack = align / WORD; /* most elements between the starts of a binding and its range */
  const uint64_t binding = c->window_bytes / WORD, most = binding > slack ? binding - slack : 1;
  uint64_t down = 1, across = 1;
  *size = (part){.rows = c->rows, .columns = c->columns};
  if (c->n <= binding) /* one part: it begins where the matrix begins */
    return XB_OK;
  for (;;) {
    const uint64_t in = span(size->rows, size->columns, c->columns);
    const uint64_t out = of(c)->copies ? in : span(size->columns, size->rows, c->rows);
    if (in <= most && out <= most)
      return XB_OK;
    if (down * across > XB_MOST_STEPS)
      return xb_refuse_case(c, err, "%" PRIu64 " x %" PRIu64 " need more than %d dispatches", c->rows, c->columns,
                            XB_MOST_STEPS);
    if (size->rows > 1 && in >= out)
      size->rows = equal_part(c->rows, ++down);
    else
      size->columns = equal_part(c->columns, ++across);
  }
}

/* Binds `count` elements from `first` on. The binding begins at the last aligned offset before them. Returns the number
 * of elements between that offset and `first`. */
static uint64_t bind(xb_step *step, uint32_t slot, uint64_t first, uint64_t count, uint64_t align, xb_access access,
                     bool vectors)
{
  const uint64_t offset = first * WORD / align * align;
  const uint64_t before = first - offset / WORD, bytes = (before + count) * WORD;
  (vectors ? xb_step_bind_vectors : xb_step_bind)(step, slot, offset, bytes, access);
  return before;
}

/* [plan] One dispatch for a part. */
static void add_part(const xb_case *c, xb_plan *plan, const part *p, uint64_t align, uint32_t input, uint32_t output)
{
  const bool vectors = of(c)->vectors, copy = of(c)->copies;
  const uint64_t tile = vectors ? TILE4_DIM : TILE_DIM;
  const uint64_t in = p->row * c->columns + p->column, out = copy ? in : p->column * c->rows + p->row;
  const uint64_t in_count = span(p->rows, p->columns, c->columns);
  const uint64_t out_count = copy ? in_count : span(p->columns, p->rows, c->rows);
  xb_step *step = xb_plan_step(plan, XB_STEP_DISPATCH);
  const uint64_t in_offset = bind(step, input, in, in_count, align, XB_READ, vectors);
  const uint64_t out_offset = bind(step, output, out, out_count, align, XB_DISJOINT_WRITE, vectors);
  const bool whole = whole_vectors(in_offset, c->columns, p->columns) && whole_vectors(out_offset, c->rows, p->rows);
  const uint64_t back = vectors && !whole ? TRANSPOSE_BACK : 0;
  const uint64_t tiles_x = xb_ceil_div(p->columns, tile), tiles_y = xb_ceil_div(p->rows + back, tile);
  xb_fold_groups(c->device, tiles_x * tiles_y, step->groups);
  xb_step_fields(step, struct xb_transpose_args, .rows = (uint32_t)p->rows, .columns = (uint32_t)p->columns,
                 .in_pitch = (uint32_t)c->columns, .out_pitch = (uint32_t)(copy ? c->columns : c->rows),
                 .in_offset = (uint32_t)in_offset, .out_offset = (uint32_t)out_offset, .tiles_x = (uint32_t)tiles_x,
                 .tiles_y = (uint32_t)tiles_y, .vectors = vectors && whole, .back = (uint32_t)back,
                 .repeats = c->repeats ? c->repeats : 1, .repeat_stride = 0);
}

/* ---- Plan ------------------------------------------------------------------------------------------------------- */

static xb_code check_iterations(const xb_case *c, xb_plan *plan, xb_error *err)
{
  const uint64_t tile = of(c)->vectors ? TILE4_DIM : TILE_DIM;
  plan->iterations = (c->repeats ? c->repeats : 1) * (1 + 4 * xb_ceil_div(tile * tile, c->block)); /* at most */
  return xb_check_iterations(c, plan, err);
}

/* ---- cuBLAS ----------------------------------------------------------------------------------------------------- */

enum { WORKSPACE_BYTES = 4 << 20 }; /* the default of cuBLAS on most devices */
static xb_code run_cublas(const xb_native *native, const xb_library_call *call, xb_error *err)
{
  xb_transpose_cublas_fn *cublas = (xb_transpose_cublas_fn *)call->function;
  const char *why = cublas(call->c->rows, call->c->columns, call->address[0], call->address[1], call->address[2],
                           call->size[2], native->commands);
  return xb_library_result(XB_INTERNAL, "cublasSgeam", why, err);
}

/* [plan] No barrier: the parts write different words. */
static xb_code transpose_plan(const xb_case *c, xb_plan *plan, xb_error *err)
{
  const uint64_t bytes = c->n * WORD;
  const uint64_t align = c->device->binding_align > ALIGN_BYTES ? c->device->binding_align : ALIGN_BYTES;
  const uint32_t input = xb_plan_input(plan, "input", bytes, computes(c) ? xb_input : xb_bits);
  const uint32_t output = xb_plan_output(plan, "output", bytes);
  plan->bytes = 2 * bytes;
  if (c->variant->source == LIBRARY && c->dtype != XB_FLOAT32)
    return xb_fail(err, XB_UNSUPPORTED, c->variant->name, "cublasSgeam takes float32 only");
  if (c->variant->source == LIBRARY) {
    xb_library_plan(plan, run_cublas, &input, 1, output, WORKSPACE_BYTES);
    return XB_OK;
  }
  if (c->rows > UINT32_MAX || c->columns > UINT32_MAX)
    return xb_refuse_case(c, err, "%" PRIu64 " x %" PRIu64 ": kernels use 32-bit row and column numbers", c->rows,
                          c->columns);
  part size;
  xb_code code = check_iterations(c, plan, err);
  code = code ? code : part_size(c, align, &size, err);
  for (xb_slice down = {0}; !code && xb_plan_next(plan, &down, c->rows, size.rows);)
    for (xb_slice across = {0}; xb_plan_next(plan, &across, c->columns, size.columns);)
      add_part(c, plan, &(part){down.first, across.first, down.count, across.count}, align, input, output);
  return code;
}

/* ---- Check ------------------------------------------------------------------------------------------------------ */

static void expect(const xb_case *c, uint64_t first, uint64_t count, uint32_t *expected)
{
  const uint64_t width = of(c)->copies ? c->columns : c->rows,
                 stride = of(c)->copies ? 1 : c->columns; /* of the output */
  for (uint64_t done = 0, some; done < count; done += some) {
    /* The part of one row of the output that is in this chunk; it is part of one column of the input. */
    const uint64_t y = (first + done) / width, x = (first + done) % width;
    some = count - done < width - x ? count - done : width - x;
    (computes(c) ? xb_input_strided : xb_bits_strided)(
        c->dtype, c->seed, of(c)->copies ? first + done : x * c->columns + y, stride, some, expected + done);
  }
}

static void name_element(const xb_case *c, const xb_chunk *chunk, uint64_t element, char name[XB_NAME_BYTES])
{
  const uint64_t width = of(c)->copies ? c->columns : c->rows;
  (void)chunk;
  snprintf(name, XB_NAME_BYTES, "row %" PRIu64 ", column %" PRIu64 " of the output", element / width, element % width);
}

XB_METHODS(.plan = transpose_plan, .prepare = xb_cublas_prepare, .cublas = "xb_transpose_cublas", .expect = expect,
           .name = name_element)

#include "benchmarks/rows.h"
