/* C = AB by tensor cores: A and B are float16 or bfloat16, sums and C float32. Twins multiply the same fragments, 16 x
 * 16 x 16 by 32 threads: wmma in CUDA, VK_KHR_cooperative_matrix in Vulkan. The elements are the whole numbers of
 * benchmarks/matmul, which both hold exactly, so the check is the same, too. */
#include "benchmarks/benchmark.h"
#include "benchmarks/library.h"
#include "benchmarks/matmul/product.h"
#include "benchmarks/tensor/cublas.h"
#include "benchmarks/tensor/tensor_args.h"
#include "benchmarks/tensor/warpgroup_args.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Parameters of a variant. */
typedef struct parameters {
  bool shared;      /* A and B go through shared memory */
  bool whole_tiles; /* the kernel has no code for edges: at other sizes, variant 2 runs */
  bool ceiling;     /* A has one column of fragments, and B one row, which are multiplied again and again */
  bool bfloat16;    /* not float16 */
  /* Variants 13 to 20: */
  bool warpgroups; /* wgmma, which takes both from shared memory */
  bool copies;     /* a warp group of its own copies tiles by TMA */
  bool persistent; /* as many groups as multiprocessors */
  bool clusters;   /* of two groups, one tile below the other */
  /* Variants 21 to 24, and 27 to 30: the matrix of a group, and TENSOR_BY_COLUMNS or TENSOR_EPILOGUE. */
  uint32_t group_rows, group_columns, form;
  bool passes; /* the epilogue is a dispatch of its own */
  /* Variants 25 and 26: the feature of their fragments; 0: 16 x 16 x 16. */
  uint32_t shape;
} parameters;

enum { HALF_BYTES = 2, FLOAT_BYTES = 4, WORKSPACE_BYTES = 32 << 20 /* that cuBLAS uses on large GPUs */ };
enum { BINDING_A, BINDING_B };
enum { SWIZZLE_BYTES = 1024 /* a stage begins at a multiple of it */ };

XB_DEFINE_OF

/* ---- Inputs ----------------------------------------------------------------------------------------------------- */

/* Float16 has 5 bits of exponent, with a bias of 15, and 10 of fraction. Whole numbers below 2^11 only. */
static uint16_t half_of(float whole)
{
  uint32_t bits;
  memcpy(&bits, &whole, sizeof bits);
  return (uint16_t)(whole == 0 ? 0
                               : (bits >> 31) << 15 | ((bits >> 23 & 0xFF) - 127 + 15) << 10 | (bits >> 13 & 0x3FF));
}

/* The upper half of a float32: 8 bits of significand. */
static uint16_t bfloat_of(float whole)
{
  uint32_t bits;
  memcpy(&bits, &whole, sizeof bits);
  return (uint16_t)(bits >> 16);
}

static void halves(xb_generate_fn *generate, uint16_t (*convert)(float), uint64_t seed, uint64_t first, uint64_t count,
                   uint16_t *out)
{
  enum { PART = 4096 };
  float floats[PART];
  for (xb_slice s = {0}; xb_next_slice(&s, count, PART);) {
    generate(XB_FLOAT32, seed, first + s.first, s.count, floats);
    for (uint64_t i = 0; i < s.count; i++)
      out[s.first + i] = convert(floats[i]);
  }
}

#define GENERATOR(name, of, convert)                                                                                   \
  static void name(xb_dtype dtype, uint64_t seed, uint64_t first, uint64_t count, void *out)                           \
  {                                                                                                                    \
    (void)dtype;                                                                                                       \
    halves(of, convert, seed, first, count, out);                                                                      \
  }
GENERATOR(generate_a, xb_product_a, half_of)
GENERATOR(generate_a_bfloat, xb_product_a, bfloat_of)
GENERATOR(generate_b, xb_product_b, half_of)
GENERATOR(generate_b_bfloat, xb_product_b, bfloat_of)

/* ---- Plan ------------------------------------------------------------------------------------------------------- */

/* The product that is checked: the ceiling's A and B have an inner length of one fragment. */
static xb_case product_of(const xb_case *c)
{
  xb_case product = *c;
  if (of(c)->ceiling)
    product.inner = TENSOR_SIDE;
  return product;
}

/* Buffers are whole words. */
static uint64_t half_bytes(uint64_t count)
{
  return xb_ceil_div(count * HALF_BYTES, 4) * 4;
}

static xb_product_form product_form(const xb_case *c)
{
  return of(c)->form & TENSOR_BY_COLUMNS ? XB_PRODUCT_BY_COLUMNS : XB_PRODUCT_PLAIN;
}

/* What a group computes of C, and multiplies at a time. */
typedef struct shape {
  uint32_t rows, columns, depth;
} shape;

static shape shape_of(const xb_case *c)
{
  if (of(c)->group_rows)
    return (shape){of(c)->group_rows, of(c)->group_columns, TENSOR_DEPTH};
  return of(c)->warpgroups ? (shape){TENSOR_GROUP_ROWS, TENSOR_GROUP_COLUMNS, TENSOR_GROUP_DEPTH}
                           : (shape){TENSOR_TILE, TENSOR_TILE, TENSOR_STEPS * TENSOR_DEPTH};
}

/* The case has edges for which the variant has no code. */
static bool has_edges(const xb_case *c)
{
  const shape s = shape_of(c);
  const uint32_t rows = of(c)->clusters ? 2 * s.rows : s.rows;
  return of(c)->whole_tiles && (c->rows % rows || c->columns % s.columns || c->inner % s.depth);
}

/* [bind] The tiles of A, and of B, that a copy takes. A row of a tile has 128 bytes, so B, whose tiles are wider, is
 * seen as layers of 64 columns. */
static void describe_tiles(const xb_case *c, xb_step *step)
{
  const uint64_t rows = step->bindings[BINDING_A].size / HALF_BYTES / c->inner;
  step->bindings[BINDING_A].tiles = (xb_tiles){.dimensions = 2,
                                               .element_bytes = HALF_BYTES,
                                               .size = {c->inner, rows},
                                               .pitch = {c->inner * HALF_BYTES},
                                               .tile = {TENSOR_GROUP_DEPTH, TENSOR_GROUP_ROWS}};
  const uint32_t boxes = TENSOR_GROUP_COLUMNS / TENSOR_GROUP_BOX;
  step->bindings[BINDING_B].tiles =
      (xb_tiles){.dimensions = 3,
                 .element_bytes = HALF_BYTES,
                 .size = {TENSOR_GROUP_BOX, c->inner, c->columns / TENSOR_GROUP_BOX},
                 .pitch = {c->columns * HALF_BYTES, TENSOR_GROUP_BOX * HALF_BYTES},
                 .tile = {TENSOR_GROUP_BOX, TENSOR_GROUP_DEPTH, of(c)->clusters ? boxes / 2 : boxes}};
}

/* [plan] One dispatch for the rows [first, first + rows) of C. */
static void plan_rows(const xb_case *c, xb_plan *plan, uint64_t first, uint64_t rows)
{
  const uint64_t inner = product_of(c).inner, c_pitch = c->columns * FLOAT_BYTES;
  const shape s = has_edges(c) ? (shape){TENSOR_TILE, TENSOR_TILE, 0} : shape_of(c);
  const uint64_t tiles_x = xb_ceil_div(c->columns, s.columns), tiles_y = xb_ceil_div(rows, s.rows);
  const uint64_t all = tiles_x * tiles_y, most = c->device->multiprocessors / 2 * 2;
  const bool persistent = of(c)->persistent && !has_edges(c) && most && most < all;
  xb_step *step = xb_plan_dispatch(c, plan, persistent ? most : all);
  xb_step_bind(step, XB_PRODUCT_A, first * inner * HALF_BYTES, half_bytes(rows * inner), XB_READ);
  xb_step_bind(step, XB_PRODUCT_B, 0, plan->slots[XB_PRODUCT_B].bytes, XB_READ);
  xb_step_bind(step, XB_PRODUCT_C, first * c_pitch, rows * c_pitch, XB_DISJOINT_WRITE);
  if (of(c)->copies && !has_edges(c))
    describe_tiles(c, step);
  xb_step_fields(step, struct xb_tensor_args, .m = (uint32_t)rows, .n = (uint32_t)c->columns, .k = (uint32_t)c->inner,
                 .tiles_x = (uint32_t)tiles_x, .tiles_y = (uint32_t)tiles_y, .form = of(c)->passes ? 0 : of(c)->form);
}

/* [plan] The epilogue of these rows, of what the dispatch before wrote. */
static void plan_epilogue(const xb_case *c, xb_plan *plan, uint32_t kernel, uint64_t first, uint64_t rows)
{
  const uint64_t c_pitch = c->columns * FLOAT_BYTES;
  xb_step *step = xb_plan_dispatch(c, plan, xb_ceil_div(rows * c->columns, TENSOR_FINISHED * c->block));
  step->kernel = kernel;
  xb_step_bind(step, XB_PRODUCT_B, 0, half_bytes(c->columns), XB_READ);
  xb_step_bind(step, XB_PRODUCT_C, first * c_pitch, rows * c_pitch, XB_READ_WRITE);
  xb_step_fields(step, struct xb_tensor_args, .m = (uint32_t)rows, .n = (uint32_t)c->columns);
}

static xb_code plan_kernel(const xb_case *c, xb_plan *plan, xb_error *err)
{
  uint64_t rows;
  if (of(c)->ceiling && has_edges(c))
    return xb_refuse_case(c, err, "this variant takes multiples of %d x %d x %d only", TENSOR_TILE, TENSOR_TILE,
                          TENSOR_STEPS * TENSOR_DEPTH);
  if (of(c)->warpgroups && c->block != 2 * TENSOR_WARPGROUP)
    return xb_refuse_case(c, err, "two warp groups multiply: groups of %d threads", 2 * TENSOR_WARPGROUP);
  const xb_code code = xb_product_window(c, plan->slots[XB_PRODUCT_B].bytes, &rows, err);
  if (code)
    return code;
  plan->iterations = xb_ceil_div(c->inner, TENSOR_SIDE) + TENSOR_TILE * TENSOR_DEPTH / c->block;
  const char *edges = of(c)->form ? "27_group_any_size" : of(c)->bfloat16 ? "6_tiles_bfloat16" : "2_tiles";
  xb_plan_kernel_of(plan, (xb_plan_kernel){.name = has_edges(c) ? edges : of(c)->passes ? "21_group_128x128" : NULL});
  for (xb_slice w = {0}; xb_plan_next(plan, &w, c->rows, rows);)
    plan_rows(c, plan, w.first, w.count);
  if (of(c)->passes) {
    const uint32_t epilogue = xb_plan_kernel_of(plan, (xb_plan_kernel){.name = NULL});
    xb_plan_step(plan, XB_STEP_BARRIER);
    for (xb_slice w = {0}; xb_plan_next(plan, &w, c->rows, rows);)
      plan_epilogue(c, plan, epilogue, w.first, w.count);
  }
  return XB_OK;
}

/* ---- cuBLAS ----------------------------------------------------------------------------------------------------- */

static xb_code run_cublas(const xb_native *native, const xb_library_call *call, xb_error *err)
{
  xb_tensor_cublas_fn *cublas = (xb_tensor_cublas_fn *)call->function;
  const xb_case *c = call->c;
  const char *why =
      cublas(c->rows, c->columns, c->inner, of(c)->bfloat16, call->address, call->size[3], native->commands);
  return xb_library_result(XB_INTERNAL, "cublasGemmEx", why, err);
}

static xb_code tensor_prepare(const xb_case *c, const xb_native *native, xb_plan *plan, xb_error *err)
{
  (void)c, (void)native; /* the device is current */
  return xb_library_prepare_cublas(plan, "xb_tensor_cublas", err);
}

/* [plan] The slots of benchmarks/matmul, but A and B are halves. No barrier: windows write different words. */
static xb_code tensor_plan(const xb_case *c, xb_plan *plan, xb_error *err)
{
  const uint64_t inner = product_of(c).inner;
  const xb_code code = xb_product_slots(c, product_form(c), plan, err);
  if (code)
    return code;
  xb_slot *a = &plan->slots[XB_PRODUCT_A], *b = &plan->slots[XB_PRODUCT_B];
  a->bytes = half_bytes(c->rows * inner);
  b->bytes = half_bytes(inner * c->columns);
  a->element_bytes = b->element_bytes = HALF_BYTES;
  a->generate = of(c)->bfloat16 ? generate_a_bfloat : generate_a;
  b->generate = of(c)->bfloat16 ? generate_b_bfloat : generate_b;
  plan->bytes = a->bytes + b->bytes + plan->slots[XB_PRODUCT_C].bytes;
  if (c->variant->source != LIBRARY)
    return plan_kernel(c, plan, err);
  xb_product_library(plan, run_cublas, WORKSPACE_BYTES);
  return XB_OK;
}

static xb_code tensor_find_code(const xb_case *c, const xb_plan_kernel *kernel, xb_kernel_desc *desc, xb_error *err)
{
  desc->features = XB_FEATURE_MATRICES | of(c)->shape | (of(c)->bfloat16 ? XB_FEATURE_BFLOAT16_MATRICES : 0);
  desc->subgroup_size = c->device->features & XB_FEATURE_MATRICES ? TENSOR_WAVE : 0; /* first the feature is missing */
  if (of(c)->group_rows)
    desc->features |= XB_FEATURE_GROUP_MATRICES;
  if (of(c)->warpgroups)
    desc->features |= XB_FEATURE_WARPGROUP_MATRICES | (of(c)->copies ? XB_FEATURE_TILES : 0);
  const uint32_t missing = of(c)->warpgroups ? desc->features & ~c->device->features : 0;
  if (missing) /* then no compiler is asked for the code */
    return xb_refuse_case(c, err, "the kernel needs %s, which '%s' lacks", xb_feature_name(missing & (0 - missing)),
                          c->device->name);
  if (of(c)->warpgroups && !kernel->name) {
    const uint32_t stage = (TENSOR_GROUP_ROWS + TENSOR_GROUP_COLUMNS) * TENSOR_GROUP_DEPTH * HALF_BYTES;
    desc->dynamic_shared_bytes = (of(c)->copies ? TENSOR_STAGES : TENSOR_BUFFERS) * stage + SWIZZLE_BYTES;
    desc->group_size[0] += of(c)->copies ? TENSOR_WARPGROUP : 0;
    desc->tile_bindings = of(c)->copies ? 1u << BINDING_A | 1u << BINDING_B : 0;
  }
  return xb_find_embedded(c, kernel, desc, err);
}

/* ---- Check ------------------------------------------------------------------------------------------------------ */

/* The ceiling's C is a product times a number, and an epilogue can be undone: without that, C is checked as all others
 * are. The biases are the first row of B. */
static bool tensor_check(const xb_case *c, const xb_chunk *chunk, char why[XB_WHY_BYTES])
{
  if (!of(c)->ceiling && !(of(c)->form & TENSOR_EPILOGUE))
    return xb_product_check(c, product_form(c), chunk, why);
  const float *data = chunk->data, times = (float)(c->inner / TENSOR_SIDE);
  const xb_case product = product_of(c);
  xb_chunk sums = *chunk;
  float *const undone = malloc((chunk->count + c->columns) * sizeof *undone);
  if (!undone)
    return xb_wrong(why, "out of host memory");
  float *const biases = undone + chunk->count;
  xb_product_b(XB_FLOAT32, c->seed, 0, c->columns, biases);
  for (uint64_t i = 0; i < chunk->count; i++)
    undone[i] = of(c)->ceiling
                    ? data[i] / times
                    : (data[i] < 0 ? data[i] * TENSOR_SLOPE : data[i]) - biases[(chunk->first + i) % c->columns];
  sums.data = undone;
  const bool right = xb_product_check(&product, XB_PRODUCT_PLAIN, &sums, why);
  free(undone);
  return right;
}

/* ---- Metrics and model ------------------------------------------------------------------------------------------ */

/* The model counts what waves ask for, without caches: a block of r x c elements of C reads r + c halves for 2rc
 * operations of each step in k. From memory a group's tile counts, or the wave's block if nothing is shared. */
static size_t tensor_metrics(const xb_case *c, const xb_plan *plan, double ns, xb_metric metrics[XB_MAX_METRICS])
{
  const shape s = has_edges(c) ? (shape){TENSOR_TILE, TENSOR_TILE, 0} : shape_of(c);
  const bool warpgroups = of(c)->warpgroups && !has_edges(c); /* one has half of its group's rows */
  const double down = warpgroups ? s.rows / 2 : TENSOR_DOWN(c->block) * TENSOR_SIDE;
  const double across = warpgroups ? s.columns : TENSOR_ACROSS * TENSOR_SIDE;
  const double of_wave = 1 / down + 1 / across, shared_b = warpgroups && of(c)->clusters ? 2 : 1;
  const double of_group = 1.0 / s.columns + 1.0 / s.rows / shared_b;
  const bool shared = of(c)->shared || of(c)->group_rows || has_edges(c);
  metrics[0] = (xb_metric){"speed", "GFLOP/s", (double)plan->flops / ns, 1};
  if (c->variant->source == LIBRARY)
    return 1;
  const double again = of(c)->passes ? (double)FLOAT_BYTES / (double)c->inner : 0; /* C is read and written */
  metrics[1] = (xb_metric){"from memory", "memory B/op", of(c)->ceiling ? 0 : again + (shared ? of_group : of_wave), 0};
  metrics[2] = (xb_metric){"from shared memory", "shared B/op", shared && !of(c)->group_rows ? of_wave : 0, 0};
  return 3;
}

/* Three square matrices that a cache of this size cannot hold; a power of two, as the published figures have. */
XB_METHODS(.plan = tensor_plan, .prepare = tensor_prepare, .find_code = tensor_find_code, .check = tensor_check,
           .metrics = tensor_metrics, .grows = {.n = 256, .bytes = 2 * (2 * HALF_BYTES + FLOAT_BYTES)})

#include "benchmarks/rows.h"
