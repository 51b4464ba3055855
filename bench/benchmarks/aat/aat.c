/* The first rows x columns elements of AA', where A has 32 columns: the steps of the CUDA C++ Best Practices Guide. */
#include "benchmarks/aat/aat_args.h"
#include "benchmarks/matmul/product.h"

enum { ELEMENT_BYTES = 4, DEFAULT_N = 1024 };
_Static_assert(sizeof(struct xb_aat_args) == 4 * sizeof(uint32_t), "xb_product_tiles has four arguments");

/* [plan] */
static xb_code aat_plan(const xb_case *c, xb_plan *plan, xb_error *err)
{
  return xb_product_tiles(c, XB_PRODUCT_OF_ITSELF, TILE_DIM, plan, err);
}

static bool aat_check(const xb_case *c, const xb_chunk *chunk, char why[XB_WHY_BYTES])
{
  return xb_product_check(c, XB_PRODUCT_OF_ITSELF, chunk, why);
}

/* A square C that is twice as large as the cache. */
XB_METHODS(.plan = aat_plan, .check = aat_check,
           .rates = {{"bandwidth", "GB/s", xb_bytes_of_run}, {"speed", "GFLOP/s", xb_flops_of_run}},
           .grows = {.n = DEFAULT_N, .bytes = ELEMENT_BYTES, .twice_is_enough = true})

#include "benchmarks/rows.h"
