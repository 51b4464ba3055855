/* C = AB, where A has 32 columns and B 32 rows: the steps of the CUDA C++ Best Practices Guide. */
#include "benchmarks/matmul/product.h"
#include "benchmarks/outer/outer_args.h"

enum { ELEMENT_BYTES = 4, DEFAULT_N = 1024 };
_Static_assert(sizeof(struct xb_outer_args) == 4 * sizeof(uint32_t), "xb_product_tiles has four arguments");

/* [plan] */
static xb_code outer_plan(const xb_case *c, xb_plan *plan, xb_error *err)
{
  return xb_product_tiles(c, XB_PRODUCT_PLAIN, TILE_DIM, plan, err);
}

/* A square C that is twice as large as the cache. */
XB_METHODS(.plan = outer_plan, .check = xb_product_check_plain,
           .rates = {{"bandwidth", "GB/s", xb_bytes_of_run}, {"speed", "GFLOP/s", xb_flops_of_run}},
           .grows = {.n = DEFAULT_N, .bytes = ELEMENT_BYTES, .twice_is_enough = true})

#include "benchmarks/rows.h"
