/* C = AB, where A has 32 columns and B 32 rows: the steps of the CUDA C++ Best Practices Guide. */
#include "benchmarks/benchmark.h"
#include "benchmarks/matmul/product.h"
#include "benchmarks/outer/outer_args.h"

enum { ELEMENT_BYTES = 4, DEFAULT_N = 1024 };

/* [plan] One dispatch for a window of rows. No barrier: windows are different rows of C. */
static xb_code outer_plan(const xb_case *c, xb_plan *plan, xb_error *err)
{
  const uint64_t a_pitch = c->inner * ELEMENT_BYTES, c_pitch = c->columns * ELEMENT_BYTES;
  const uint64_t tiles_x = xb_ceil_div(c->columns, TILE_DIM), height = c->block / TILE_DIM;
  uint64_t rows = 0;
  xb_code code = xb_product_slots(c, false, plan, err);
  code = code ? code : xb_product_window(c, c->columns * a_pitch, &rows, err);
  xb_plan_kernel_of(plan, (xb_plan_kernel){.binding_count = 3, .arg_bytes = sizeof(struct xb_outer_args)});
  for (uint64_t first = 0; !code && first < c->rows && !plan->code; first += rows) {
    const uint64_t some = c->rows - first < rows ? c->rows - first : rows;
    xb_step *step = xb_plan_step(plan, XB_STEP_DISPATCH);
    xb_fold_groups(c->device, tiles_x * xb_ceil_div(some, height), step->groups);
    xb_step_bind(step, XB_PRODUCT_A, first * a_pitch, some * a_pitch, XB_READ);
    xb_step_bind(step, XB_PRODUCT_B, 0, c->columns * a_pitch, XB_READ);
    xb_step_bind(step, XB_PRODUCT_C, first * c_pitch, some * c_pitch, XB_DISJOINT_WRITE);
    const struct xb_outer_args args = {
        .m = (uint32_t)some, .n = (uint32_t)c->columns, .tiles_x = (uint32_t)tiles_x, .grid_x = step->groups[0]};
    xb_step_args(step, &args, sizeof args);
    plan->windows++;
  }
  return code;
}

static bool outer_check(const xb_case *c, const xb_chunk *chunk, char why[XB_WHY_BYTES])
{
  return xb_product_check(c, false, chunk, why);
}

/* A square C that is twice as large as the cache. */
static const xb_methods methods = {.plan = outer_plan,
                                   .check = outer_check,
                                   .metrics = xb_product_metrics,
                                   .grows = {.n = DEFAULT_N, .bytes = ELEMENT_BYTES, .twice_is_enough = true}};

#define XB_SELF xb_outer
#define XB_TABLE "benchmarks/outer/variants.def"
#define XB_QUOTED "benchmarks/outer/seeds.def"
#include "benchmarks/rows.h"
