/* C = AB for row-major matrices of any size: from a thread an element to the speed of a vendor's library. */
#include "benchmarks/family.h"
#include "benchmarks/matmul/cublas.h"
#include "benchmarks/matmul/matmul_args.h"
#include "benchmarks/matmul/product.h"

/* Parameters of a variant. */
typedef struct parameters {
  uint32_t sums;      /* along each side of a thread's block of C */
  bool b_from_memory; /* B is not in shared memory */
  bool one_group;     /* a dispatch has one group */
  bool wave_tiles;    /* tile and sums depend on the group's size: MATMUL_TILE, MATMUL_SUMS */
  bool vectors;       /* 16-byte reads of memory; variant 9 runs where rows are no whole vectors */
  bool whole;         /* no checks; variant 10 runs where C or the inner length are no whole tiles */
  bool split;         /* the inner length is split where tiles are few */
} parameters;

enum {
  LARGE = 1 << 21,            /* elements of C that make enough tiles of 128 x 128 for a large GPU */
  SPLIT_LARGE = 1 << 18,      /* that do, if the inner length is split */
  WORKSPACE_BYTES = 32 << 20, /* that cuBLAS uses on large GPUs */
  ENOUGH_THREADS = 1 << 16,   /* for a large GPU, with many sums each */
};

/* Rows and columns of the tile of C that a group computes, and sums along each side of a thread's block. */
static uint64_t tile_of(const xb_case *c)
{
  return of(c)->one_group    ? MATMUL_HOST_TILE
         : of(c)->wave_tiles ? MATMUL_TILE(c->block)
                             : of(c)->sums * MATMUL_SIDE(c->block);
}

static uint64_t sums_of(const xb_case *c)
{
  return of(c)->wave_tiles ? MATMUL_SUMS(c->block) : of(c)->one_group ? 1 : of(c)->sums;
}

/* ---- Plan ------------------------------------------------------------------------------------------------------- */

static bool whole_vectors(const xb_case *c)
{
  return (c->inner | c->columns) % 4 == 0;
}

/* A folded grid may have more groups than tiles, so such sizes are none. */
static bool whole_tiles(const xb_case *c)
{
  const uint64_t tile = tile_of(c);
  return of(c)->whole && (c->rows | c->columns) % tile == 0 && c->inner % (MATMUL_STEPS * MATMUL_DEPTH) == 0 &&
         c->rows / tile * (c->columns / tile) <= c->device->max_groups[0];
}

/* NULL: the variant's own. */
static const char *kernel_of(const xb_case *c)
{
  if (of(c)->vectors && !whole_vectors(c))
    return "9_two_buffers";
  if (of(c)->whole && !whole_tiles(c))
    return "10_best";
  return of(c)->split ? "11_whole" : NULL;
}

/* Parts of the inner length that groups sum by themselves: two turns of the loop, or more. */
static uint64_t parts_of(const xb_case *c)
{
  const uint64_t tiles = c->rows * c->columns / (tile_of(c) * tile_of(c)), bytes = c->rows * c->columns * WORD;
  const uint64_t turns = c->inner / (MATMUL_STEPS * MATMUL_DEPTH);
  uint64_t parts = 1;
  if (of(c)->split && whole_tiles(c))
    while (turns % (2 * parts) == 0 && turns / (2 * parts) >= 2 && 2 * parts * tiles <= c->device->max_groups[0] &&
           2 * parts * tiles * c->block <= ENOUGH_THREADS && 2 * parts * bytes <= c->window_bytes)
      parts *= 2;
  return parts;
}

/* [plan] Dispatches for a window of rows of C: one, or one for each tile. The products of all parts lie
 * in `products`. */
static void plan_rows(const xb_case *c, xb_plan *plan, uint32_t products, xb_slice w)
{
  const uint64_t tile = tile_of(c), a_pitch = c->inner * WORD, c_pitch = c->columns * WORD;
  const uint64_t tiles_x = xb_ceil_div(c->columns, tile), tiles_y = xb_ceil_div(w.count, tile), parts = parts_of(c);
  const uint64_t tiles = tiles_x * tiles_y, at_once = of(c)->one_group ? 1 : tiles;
  for (uint64_t i = 0; i < tiles && !plan->code; i += at_once) {
    xb_step *step = xb_plan_dispatch(c, plan, at_once * parts);
    xb_step_bind(step, XB_PRODUCT_A, w.first * a_pitch, w.count * a_pitch, XB_READ);
    xb_step_bind_all(plan, step, XB_PRODUCT_B, XB_READ);
    xb_step_bind(step, products, w.first * c_pitch, w.count * parts * c_pitch, XB_DISJOINT_WRITE);
    xb_step_fields(step, struct xb_matmul_args, .m = (uint32_t)w.count, .n = (uint32_t)c->columns,
                   .k = (uint32_t)c->inner, .tiles_x = (uint32_t)tiles_x, .tiles_y = (uint32_t)tiles_y,
                   .first_tile = (uint32_t)i, .part = (uint32_t)(c->inner / parts));
  }
  plan->windows++;
}

/* [plan] The parts lie in one window. */
static void add_parts(const xb_case *c, xb_plan *plan, uint32_t products)
{
  xb_plan_step(plan, XB_STEP_BARRIER);
  xb_step *step = xb_plan_dispatch(c, plan, xb_ceil_div(c->rows * c->columns / 4, c->block));
  step->kernel = xb_plan_kernel_of(plan, (xb_plan_kernel){.name = NULL});
  xb_step_bind_all(plan, step, products, XB_READ);
  xb_step_bind_all(plan, step, XB_PRODUCT_C, XB_WRITE);
  xb_step_fields(step, struct xb_matmul_args, .m = (uint32_t)c->rows, .n = (uint32_t)c->columns,
                 .k = (uint32_t)c->inner, .part = (uint32_t)(c->inner / parts_of(c)));
}

/* Loop iterations of one thread, of all its loops together. */
static uint64_t iterations_of(const xb_case *c)
{
  const uint64_t tile = MATMUL_HOST_TILE;
  if (of(c)->one_group)
    return xb_ceil_div(c->inner, tile) * (1 + tile + tile * tile / c->block);
  if (tile_of(c) == MATMUL_SIDE(c->block))
    return c->inner + xb_ceil_div(c->inner, tile_of(c));
  return xb_ceil_div(c->inner, MATMUL_DEPTH) + MATMUL_STEPS * MATMUL_DEPTH;
}

static xb_code plan_kernel(const xb_case *c, xb_plan *plan, xb_error *err)
{
  const uint64_t parts = parts_of(c);
  uint64_t rows;
  const xb_code code = xb_product_window(c, plan->slots[XB_PRODUCT_B].bytes, &rows, err);
  if (code)
    return code;
  plan->iterations = iterations_of(c);
  if (xb_check_iterations(c, plan, err))
    return XB_UNSUPPORTED;
  xb_plan_kernel_of(plan, (xb_plan_kernel){.name = kernel_of(c)});
  const uint64_t bytes = parts * c->rows * c->columns * WORD;
  const uint32_t products =
      parts == 1 ? XB_PRODUCT_C : xb_plan_slot_with(plan, .name = "products", .role = XB_ROLE_SCRATCH, .bytes = bytes);
  for (xb_slice w = {0}; xb_plan_next(plan, &w, c->rows, parts == 1 ? rows : c->rows);)
    plan_rows(c, plan, products, w);
  if (parts > 1)
    add_parts(c, plan, products);
  return XB_OK;
}

/* ---- cuBLAS ----------------------------------------------------------------------------------------------------- */

static xb_code run_cublas(const xb_native *native, const xb_library_call *call, xb_error *err)
{
  xb_matmul_cublas_fn *cublas = (xb_matmul_cublas_fn *)call->function;
  const char *why =
      cublas(call->c->rows, call->c->columns, call->c->inner, call->address, call->size[3], native->commands);
  return xb_library_result(XB_INTERNAL, "cublasSgemm", why, err);
}

/* [plan] No barrier: windows and tiles write different words. */
static xb_code matmul_plan(const xb_case *c, xb_plan *plan, xb_error *err)
{
  const xb_code code = xb_product_slots(c, XB_PRODUCT_PLAIN, plan, err);
  if (code)
    return code;
  if (c->variant->source != LIBRARY)
    return plan_kernel(c, plan, err);
  if (c->dtype != XB_FLOAT32)
    return xb_fail(err, XB_UNSUPPORTED, c->variant->name, "cublasSgemm takes float32 only");
  xb_product_library(plan, run_cublas, WORKSPACE_BYTES);
  return XB_OK;
}

/* ---- Metrics and model ------------------------------------------------------------------------------------------ */

/* The model counts what the threads ask for, each word once a group: a tile of t x t reads 2t words for 2t^2 operations
 * of each step in k, and a block of s x s sums reads 2s words of shared memory for 2s^2. Caches are not in it. */
static size_t matmul_metrics(const xb_case *c, const xb_plan *plan, double ns, xb_metric metrics[XB_MAX_METRICS])
{
  const double t = (double)tile_of(c), s = (double)sums_of(c);
  const bool b_from_memory = of(c)->b_from_memory, naive = c->variant->number == 1;
  (void)plan, (void)ns;
  if (c->variant->source == LIBRARY)
    return 0;
  const double memory = naive           ? 1
                        : b_from_memory ? 0.5 + 0.5 / t
                                        : 1 / t,
               shared = naive           ? 0
                        : b_from_memory ? 0.5
                                        : 1 / s;
  metrics[0] = (xb_metric){"from memory", "memory B/op", WORD * memory, 0};
  metrics[1] = (xb_metric){"from shared memory", "shared B/op", WORD * shared, 0};
  return 2;
}

/* Three square matrices that a cache of this size cannot hold; a power of two, as the published figures have. */
XB_METHODS(.plan = matmul_plan, .prepare = xb_cublas_prepare, .cublas = "xb_matmul_cublas",
           .check = xb_product_check_plain, .rates = {{"speed", "GFLOP/s", xb_flops_of_run}}, .metrics = matmul_metrics,
           .grows = {.n = 256, .bytes = 2 * 3 * WORD})

#include "benchmarks/rows.h"
