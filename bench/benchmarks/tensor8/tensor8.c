/* C = AB by tensor cores whose A and B have 8 bits an element: int8 with int32 sums, float8 with float32 sums. The
 * elements are whole numbers that all formats hold exactly, so every element of C is checked, as in benchmarks/matmul.
 * B lies column by column: the instructions take both matrices along the inner length. */
#include "benchmarks/benchmark.h"
#include "benchmarks/library.h"
#include "benchmarks/matmul/product.h"
#include "benchmarks/tensor8/cublas.h"
#include "benchmarks/tensor8/tensor8_args.h"

#include "benchmarks/tensor/tensor_args.h" /* behind tensor8_args.h, which has depths of its own */
#include "benchmarks/tensor/warpgroup_args.h"

#include <inttypes.h>
#include <stdlib.h>

/* Parameters of a variant. */
typedef struct parameters {
  bool whole_tiles; /* the kernel has no code for edges: at other sizes, variant 1 runs */
  bool warpgroups;  /* wgmma and TMA */
  bool e5m2;        /* the format of float8; else e4m3 */
} parameters;

enum {
  WORD_BYTES = 4,
  WORKSPACE_BYTES = 32 << 20, /* that cuBLAS uses on large GPUs */
  LIBRARY_ALIGN = 16,         /* cuBLAS: rows and columns in bytes */
  SWIZZLE_BYTES = 1024,       /* a stage begins at a multiple of it */
};
enum { BINDING_A, BINDING_B };
/* Units of compute capability 9.0 keep some 14 bits of a sum of float8. Elements are from -3 to 3, with a variance of
 * 3.6 (matmul/product.h), so a sum of MOST_FLOAT8 products exceeds 2^14 at 35 times its standard deviation only. */
enum { MOST_FLOAT8 = 1 << 14 };

XB_DEFINE_OF

static bool is_int8(const xb_case *c)
{
  return c->dtype == XB_INT32;
}

/* ---- Inputs ----------------------------------------------------------------------------------------------------- */

/* Of -3 to 3: a sign, an exponent and `fraction_bits` bits behind the leading 1. */
static uint8_t float8_of(int32_t whole, uint32_t fraction_bits, uint32_t bias)
{
  const uint32_t size = (uint32_t)abs(whole), exponent = size > 1;
  const uint32_t fraction = (size - (1u << exponent)) << (fraction_bits - exponent);
  return (uint8_t)((uint32_t)(whole < 0) << 7 | (size ? (exponent + bias) << fraction_bits | fraction : 0));
}

static void bytes(xb_generate_fn *generate, bool small, bool e5m2, uint64_t seed, uint64_t first, uint64_t count,
                  uint8_t *out)
{
  enum { PART = 4096 };
  int32_t numbers[PART];
  for (xb_slice s = {0}; xb_next_slice(&s, count, PART);) {
    generate(XB_INT32, seed, first + s.first, s.count, numbers);
    for (uint64_t i = 0; i < s.count; i++) {
      const int32_t number = numbers[i] / (small ? XB_PRODUCT_DIVISOR : 1);
      out[s.first + i] = !small ? (uint8_t)number : e5m2 ? float8_of(number, 2, 15) : float8_of(number, 3, 7);
    }
  }
}

#define GENERATOR(name, of, e5m2)                                                                                      \
  static void name(xb_dtype dtype, uint64_t seed, uint64_t first, uint64_t count, void *out)                           \
  {                                                                                                                    \
    bytes(of, dtype != XB_INT32, e5m2, seed, first, count, out);                                                       \
  }
GENERATOR(generate_a, xb_product_a, false)
GENERATOR(generate_a_e5m2, xb_product_a, true)
GENERATOR(generate_b, xb_product_b, false)
GENERATOR(generate_b_e5m2, xb_product_b, true)

static xb_product_form form_of(const xb_case *c)
{
  return XB_PRODUCT_BY_COLUMNS | (is_int8(c) ? XB_PRODUCT_PLAIN : XB_PRODUCT_SMALL);
}

/* ---- Plan ------------------------------------------------------------------------------------------------------- */

/* What a group computes of C, and multiplies at a time. */
typedef struct shape {
  uint32_t rows, columns, depth;
} shape;

static const shape tile = {TENSOR_TILE, TENSOR_TILE, (TENSOR_STEPS * TENSOR_DEPTH)};
static const shape wide_tile = {TENSOR_GROUP_ROWS, TENSOR_GROUP_COLUMNS, TENSOR_GROUP_DEPTH};

static bool has_edges(const xb_case *c)
{
  const shape *s = of(c)->warpgroups ? &wide_tile : &tile;
  return of(c)->whole_tiles && (c->rows % s->rows || c->columns % s->columns || c->inner % s->depth);
}

/* The case runs the kernel of its row: with wgmma and TMA. */
static bool by_warpgroups(const xb_case *c)
{
  return of(c)->warpgroups && !has_edges(c);
}

/* [plan] One dispatch for the rows [first, first + rows) of C. */
static void plan_rows(const xb_case *c, xb_plan *plan, uint64_t first, uint64_t rows)
{
  const shape *s = by_warpgroups(c) ? &wide_tile : &tile;
  const uint64_t tiles_x = xb_ceil_div(c->columns, s->columns), tiles_y = xb_ceil_div(rows, s->rows);
  const uint64_t all = tiles_x * tiles_y, most = c->device->multiprocessors, c_pitch = c->columns * WORD_BYTES;
  xb_step *step = xb_plan_dispatch(c, plan, by_warpgroups(c) && most && most < all ? most : all);
  const uint64_t a_bytes = xb_ceil_div(rows * c->inner, WORD_BYTES) * WORD_BYTES;
  xb_step_bind(step, XB_PRODUCT_A, first * c->inner, a_bytes, XB_READ);
  xb_step_bind(step, XB_PRODUCT_B, 0, plan->slots[XB_PRODUCT_B].bytes, XB_READ);
  xb_step_bind(step, XB_PRODUCT_C, first * c_pitch, rows * c_pitch, XB_DISJOINT_WRITE);
  const uint64_t lengths[] = {[BINDING_A] = rows, [BINDING_B] = c->columns}; /* [bind] rows of 128 bytes */
  for (int b = BINDING_A; b <= BINDING_B && by_warpgroups(c); b++)
    step->bindings[b].tiles = (xb_tiles){.dimensions = 2,
                                         .element_bytes = 1,
                                         .size = {c->inner, lengths[b]},
                                         .pitch = {c->inner},
                                         .tile = {s->depth, b == BINDING_A ? s->rows : s->columns}};
  xb_step_fields(step, struct xb_tensor_args, .m = (uint32_t)rows, .n = (uint32_t)c->columns, .k = (uint32_t)c->inner,
                 .tiles_x = (uint32_t)tiles_x, .tiles_y = (uint32_t)tiles_y);
}

static xb_code plan_kernel(const xb_case *c, xb_plan *plan, xb_error *err)
{
  uint64_t rows;
  if (of(c)->warpgroups && c->block != 2 * TENSOR_WARPGROUP)
    return xb_refuse_case(c, err, "two warp groups multiply: groups of %d threads", 2 * TENSOR_WARPGROUP);
  const xb_code code = xb_product_window(c, plan->slots[XB_PRODUCT_B].bytes, &rows, err);
  if (code)
    return code;
  plan->iterations = xb_ceil_div(c->inner, TENSOR_INNER) + TENSOR_TILE * TENSOR_DEPTH / c->block;
  const char *edges = of(c)->e5m2 ? "4_tiles_e5m2" : "1_tiles";
  xb_plan_kernel_of(plan, (xb_plan_kernel){.name = has_edges(c) ? edges : NULL});
  for (uint64_t first = 0; first < c->rows && !plan->code; first += rows)
    plan_rows(c, plan, first, c->rows - first < rows ? c->rows - first : rows);
  return XB_OK;
}

/* ---- cuBLAS ----------------------------------------------------------------------------------------------------- */

static xb_code run_cublas(const xb_native *native, const xb_library_call *call, xb_error *err)
{
  xb_tensor8_cublas_fn *cublas = (xb_tensor8_cublas_fn *)call->function;
  const xb_case *c = call->c;
  const char *why = cublas(c->rows, c->columns, c->inner, is_int8(c), call->address, call->size[3], native->commands);
  return xb_library_result(XB_INTERNAL, "cublasLtMatmul", why, err);
}

static xb_code tensor8_prepare(const xb_case *c, const xb_native *native, xb_plan *plan, xb_error *err)
{
  (void)c, (void)native; /* the device is current */
  return xb_library_prepare_cublas(plan, "xb_tensor8_cublas", err);
}

/* [plan] The slots of benchmarks/matmul, but A and B are bytes. No barrier: windows write different words. */
static xb_code tensor8_plan(const xb_case *c, xb_plan *plan, xb_error *err)
{
  if (of(c)->e5m2 && is_int8(c))
    return xb_refuse_case(c, err, "e5m2 is a format of float8: its sums are float32");
  if (!is_int8(c) && c->inner > MOST_FLOAT8)
    return xb_refuse_case(c, err,
                          "an inner length of %" PRIu64 ": sums of more than %d products of float8 may be inexact",
                          c->inner, MOST_FLOAT8);
  const xb_code code = xb_product_slots(c, form_of(c), plan, err);
  if (code)
    return code;
  xb_slot *a = &plan->slots[XB_PRODUCT_A], *b = &plan->slots[XB_PRODUCT_B];
  a->bytes = xb_ceil_div(c->rows * c->inner, WORD_BYTES) * WORD_BYTES; /* buffers are whole words */
  b->bytes = xb_ceil_div(c->inner * c->columns, WORD_BYTES) * WORD_BYTES;
  a->element_bytes = b->element_bytes = 1;
  a->generate = of(c)->e5m2 ? generate_a_e5m2 : generate_a;
  b->generate = of(c)->e5m2 ? generate_b_e5m2 : generate_b;
  plan->bytes = a->bytes + b->bytes + plan->slots[XB_PRODUCT_C].bytes;
  if (c->variant->source != LIBRARY)
    return plan_kernel(c, plan, err);
  if ((c->rows | c->columns | c->inner) % LIBRARY_ALIGN)
    return xb_refuse_case(c, err, "cuBLAS takes multiples of %d rows, columns and inner elements", LIBRARY_ALIGN);
  xb_product_library(plan, run_cublas, WORKSPACE_BYTES);
  return XB_OK;
}

static xb_code tensor8_find_code(const xb_case *c, const xb_plan_kernel *kernel, xb_kernel_desc *desc, xb_error *err)
{
  const bool warpgroups = of(c)->warpgroups && !kernel->name;
  desc->features = is_int8(c) ? XB_FEATURE_INT8_MATRICES : XB_FEATURE_FLOAT8_MATRICES;
  desc->features |= of(c)->warpgroups ? XB_FEATURE_WARPGROUP_MATRICES | XB_FEATURE_TILES : 0;
  const uint32_t missing = desc->features & ~c->device->features;
  if (missing) /* then no compiler is asked for the code */
    return xb_refuse_case(c, err, "the kernel needs %s, which '%s' lacks", xb_feature_name(missing & (0 - missing)),
                          c->device->name);
  desc->subgroup_size = TENSOR_WAVE;
  if (warpgroups) {
    const uint32_t stage = (TENSOR_GROUP_ROWS + TENSOR_GROUP_COLUMNS) * TENSOR_GROUP_DEPTH;
    desc->dynamic_shared_bytes = TENSOR_STAGES * stage + SWIZZLE_BYTES;
    desc->group_size[0] += TENSOR_WARPGROUP; /* which copies */
    desc->tile_bindings = 1u << BINDING_A | 1u << BINDING_B;
  }
  return xb_find_embedded(c, kernel, desc, err);
}

static bool tensor8_check(const xb_case *c, const xb_chunk *chunk, char why[XB_WHY_BYTES])
{
  return xb_product_check(c, form_of(c), chunk, why);
}

/* Three square matrices that a cache of this size cannot hold; a power of two, as the published figures have. */
XB_METHODS(.plan = tensor8_plan, .prepare = tensor8_prepare, .find_code = tensor8_find_code, .check = tensor8_check,
           .rates = {{"speed", "GFLOP/s", xb_flops_of_run}}, .grows = {.n = 256, .bytes = 2 * (2 + WORD_BYTES)})

#include "benchmarks/rows.h"
