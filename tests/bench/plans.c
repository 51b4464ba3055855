/* Group sizes, plans of all benchmarks and plans that are wrong, waves, and what a default run has. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "benchmarks/choice.h"
#include "benchmarks/input.h"
#include "benchmarks/matmul/product.h"
#include "benchmarks/registry.h"
#include "benchmarks/tensor/tensor_args.h"
#include "measure/cell.h"
#include "test.h"

/* Rung 9 uses groups of 1024 for long sums, if they use all threads of a multiprocessor. */
TEST(test_group_size)
{
  static const struct {
    uint32_t threads, most, small, large;
  } cases[] = {{0, 1024, 256, 1024},
               {2048, 1024, 256, 1024},
               {1024, 1024, 256, 1024},
               {1536, 1024, 256, 512},
               {2048, 256, 256, 256}};
  const xb_variant *rung = xb_variant_find("reduce", "9");
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const xb_device_info info = {.threads_per_multiprocessor = cases[i].threads, .max_group_threads = cases[i].most};
    assert_int_equal(xb_default_block(rung, &info, 1000), cases[i].small);
    assert_int_equal(xb_default_block(rung, &info, 1 << 24), cases[i].large);
    assert_int_equal(xb_default_block(xb_variant_find("sort", "2"), &info, 1000), cases[i].most < 320 ? 256 : 320);
  }
  for (uint32_t kib = 0; kib < 64; kib += 16) /* groups of 320 need 42; 0: unknown */
    assert_int_equal(xb_default_block(xb_variant_find("sort", "3"), &(xb_device_info){.shared_bytes = kib << 10}, 1000),
                     kib && kib < 42 ? 256 : 320);
}

/* Rung 9's groups for 2^28 elements: on a power of two of multiprocessors if few others stay idle, and never more than
 * fit. */
TEST(test_group_count)
{
  static const struct {
    uint32_t multiprocessors, threads, block, groups;
  } cases[] = {{132, 2048, 1024, 256}, {128, 2048, 1024, 256}, {108, 2048, 1024, 216}, {46, 1536, 512, 138},
               {132, 0, 1024, 256},    {1, 2048, 1024, 2},     {132, 1024, 512, 256}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const xb_device_info info = {.multiprocessors = cases[i].multiprocessors,
                                 .threads_per_multiprocessor = cases[i].threads,
                                 .max_groups = {65535, 65535, 65535}};
    const xb_case c = {.variant = xb_variant_find("reduce", "9"),
                       .n = 1 << 28,
                       .rows = 1,
                       .columns = 1 << 28,
                       .block = cases[i].block,
                       .window_bytes = 1ull << 32,
                       .device = &info};
    xb_plan plan;
    xb_error error;
    assert_int_equal(xb_plan_make(&c, &plan, &error), XB_OK);
    assert_int_equal(plan.step_count, 1);
    assert_int_equal(plan.steps[0].groups[0], cases[i].groups);
    xb_plan_free(&plan);
  }
}

/* ---- Products whose C is not their sums ------------------------------------------------------------------------- */

enum { ROWS = 3, COLUMNS = 5, INNER = 4 };

/* What a rung of tensor must write; without `biased`, with the bias of the column beside it. */
static void multiply(const xb_case *c, bool by_columns, bool epilogue, bool biased, float *out)
{
  float a[ROWS * INNER], b[INNER * COLUMNS];
  xb_product_a(XB_FLOAT32, c->seed, 0, ROWS * INNER, a);
  xb_product_b(XB_FLOAT32, c->seed, 0, INNER * COLUMNS, b);
  for (size_t i = 0; i < ROWS * COLUMNS; i++) {
    const size_t row = i / COLUMNS, column = i % COLUMNS;
    out[i] = 0;
    for (size_t k = 0; k < INNER; k++)
      out[i] += a[row * INNER + k] * b[by_columns ? column * INNER + k : k * COLUMNS + column];
    out[i] += epilogue ? b[biased ? column : (column + 1) % COLUMNS] : 0;
    out[i] /= epilogue && out[i] < 0 ? TENSOR_SLOPE : 1;
  }
}

/* Rungs 28 and 29 of tensor have an epilogue, and rung 30 takes B column by column: all elements are checked. */
TEST(test_products_with_an_epilogue)
{
  static const char *const rungs[] = {"28", "29", "30"};
  const xb_device_info info = {.max_groups = {65535, 65535, 1}, .name = "none"};
  for (size_t i = 0; i < 3; i++) {
    const bool epilogue = i < 2;
    const xb_case c = {.variant = xb_variant_find("tensor", rungs[i]),
                       .n = ROWS * COLUMNS,
                       .rows = ROWS,
                       .columns = COLUMNS,
                       .inner = INNER,
                       .block = 128,
                       .seed = 3,
                       .window_bytes = 1 << 20,
                       .device = &info};
    float data[ROWS * COLUMNS];
    char why[XB_WHY_BYTES];
    const xb_chunk chunk = {.slot = XB_PRODUCT_C, .count = ROWS * COLUMNS, .data = data};
    xb_plan plan;
    xb_error error;
    assert_int_equal(xb_plan_make(&c, &plan, &error), XB_OK); /* no whole tiles: rung 27 does it */
    assert_string_equal(plan.kernels[0].name, "27_group_any_size");
    assert_int_equal(plan.step_count, i == 1 ? 3 : 1); /* with a barrier, and the epilogue */
    assert_int_equal(((const struct xb_tensor_args *)plan.steps[0].args)->form, i == 0   ? TENSOR_EPILOGUE
                                                                                : i == 1 ? 0
                                                                                         : TENSOR_BY_COLUMNS);
    xb_plan_free(&plan);
    multiply(&c, !epilogue, epilogue, true, data);
    assert_true(xb_check(&c, &chunk, why));
    for (size_t k = 0; k < ROWS * COLUMNS; k++) {
      data[k]++;
      assert_false(xb_check(&c, &chunk, why));
      data[k]--;
    }
    multiply(&c, !epilogue, !epilogue, true, data);
    assert_false(xb_check(&c, &chunk, why));
    multiply(&c, !epilogue, true, false, data);
    assert_false(xb_check(&c, &chunk, why));
  }
}

/* ---- Plans that are wrong ---------------------------------------------------------------------------------------- */

/* Its parameter says which mistake it makes. */
static xb_code wrong_plan(const xb_case *c, xb_plan *plan, xb_error *err)
{
  static const char args[XB_MAX_ARG_BYTES + 4];
  const int mistake = *(const int *)c->variant->parameters;
  (void)err;
  const uint32_t slot = xb_plan_slot(plan, (xb_slot){.name = "input", .bytes = 4});
  xb_plan_kernel_of(plan, (xb_plan_kernel){.binding_count = 1});
  xb_step *step = xb_plan_step(plan, XB_STEP_DISPATCH);
  for (int i = 0; i < (mistake == 1 ? XB_MAX_BINDINGS + 1 : XB_MAX_BINDINGS); i++)
    xb_step_bind(step, slot + (mistake == 2), 0, 4, XB_READ);
  xb_step_args(step, args, mistake == 3 ? sizeof args : XB_MAX_ARG_BYTES);
  step->kernel = mistake == 4;
  return XB_OK;
}

TEST(test_wrong_plans)
{
  static const xb_methods methods = {.plan = wrong_plan};
  static const xb_benchmark benchmark = {.name = "wrong", .methods = &methods};
  for (int mistake = 0; mistake <= 4; mistake++) {
    const xb_variant v = {.benchmark = &benchmark, .number = 1, .name = "plan", .parameters = &mistake};
    xb_plan plan;
    xb_error error;
    const xb_code code = xb_plan_make(&(xb_case){.variant = &v, .n = 1}, &plan, &error);
    assert_int_equal(code, mistake ? XB_INVALID : XB_OK);
    if (mistake)
      assert_non_null(strstr(error.message, "1_plan: step 0 of the plan"));
    xb_plan_free(&plan);
  }
}

/* A binding that is too small for a window refuses the case, whatever the benchmark: no window has length 0. */
TEST(test_small_windows)
{
  const xb_device_info info = {.max_groups = {65535, 65535, 65535},
                               .max_group_threads = 1024,
                               .max_uniform_bytes = 1 << 16,
                               .max_image_size = {4096, 4096},
                               .backend = "vulkan"};
  uint32_t refused = 0;
  for (size_t b = 0; b < xb_benchmark_count(); b++) {
    const xb_benchmark *benchmark = xb_benchmark_at(b);
    for (const xb_variant *v = benchmark->variants; v < benchmark->variants + benchmark->variant_count; v++) {
      xb_case c = {.variant = v,
                   .n = 4096,
                   .rows = 64,
                   .columns = 64,
                   .inner = 64,
                   .block = benchmark->default_block,
                   .window_bytes = 64,
                   .device = &info};
      for (size_t a = 0; a < benchmark->axis_count; a++)
        c.at[a] = benchmark->axes[a].base;
      xb_plan plan;
      xb_error error;
      if (!xb_plan_make(&c, &plan, &error)) {
        xb_plan_free(&plan);
        continue;
      }
      assert_int_equal(error.code, XB_UNSUPPORTED);
      refused += strstr(error.message, "is too small for a window") != NULL;
    }
  }
  assert_in_range(refused, 10, 1000);
}

/* A stencil's windows: each binds its neighbours as far as there are any, and begins where the one before ends. */
TEST(test_windows)
{
  static const struct {
    uint64_t first, count, lead, seen;
  } expected[] = {{0, 192, 0, 256}, {192, 192, 64, 320}, {384, 116, 64, 180}};
  const xb_device_info info = {.max_groups = {2, 65535, 1}};
  const xb_case c = {.variant = xb_variant_find("blur", "1"), .block = 64, .window_bytes = 320 * 4, .device = &info};
  xb_windows w = {.all = 500, .step = 64, .before = 64, .behind = 64};
  xb_plan plan = {0};
  size_t count = 0;
  xb_stream_in(&plan, &w, "in", 4, xb_bits);
  xb_stream_out(&plan, &w, "out", 4);
  for (xb_step *step; (step = xb_next_window(&c, &plan, &w)); count++) {
    assert_true(count < 3 && w.first == expected[count].first && w.count == expected[count].count);
    assert_true(w.lead == expected[count].lead && w.seen == expected[count].seen);
    assert_int_equal(step->groups[0] * step->groups[1], count == 1 || !count ? 4 : 2); /* 3, folded */
    assert_int_equal(step->bindings[0].offset, (w.first - w.lead) * 4);
    assert_int_equal(step->bindings[0].size, w.seen * 4);
    assert_int_equal(step->bindings[1].size, w.count * 4);
    assert_int_equal(step->bindings[1].access, XB_DISJOINT_WRITE);
  }
  assert_int_equal(count, 3);
  xb_windows none = {.all = 500, .step = 64, .before = 192, .behind = 192}; /* more than a binding has room for */
  xb_stream_of(&none, 0, 4, XB_READ);
  assert_null(xb_next_window(&c, &plan, &none));
  assert_int_equal(plan.code, XB_INVALID);
  xb_plan_free(&plan);
}

static bool make_square(const xb_case *c, void *value)
{
  *(uint64_t *)value += c->n * c->n; /* it begins as 0 */
  return c->n != 13;
}

/* Values for equal keys are made once; the least recently used goes first; what cannot be made is not kept. */
TEST(test_cached)
{
  xb_case c = {.n = 3};
  const uint64_t *three = xb_cached(&c, make_square, sizeof *three, 2, XB_KEY(3));
  assert_int_equal(*three, 9);
  c.n = 4;
  assert_int_equal(*(uint64_t *)xb_cached(&c, make_square, sizeof *three, 2, XB_KEY(4)), 16);
  assert_ptr_equal(xb_cached(&c, make_square, sizeof *three, 2, XB_KEY(3)), three);
  c.n = 5;
  assert_int_equal(*(uint64_t *)xb_cached(&c, make_square, sizeof *three, 2, XB_KEY(5)), 25);
  assert_ptr_equal(xb_cached(&c, make_square, sizeof *three, 2, XB_KEY(3)), three);
  assert_int_equal(*(uint64_t *)xb_cached(&c, make_square, sizeof *three, 2, XB_KEY(4)), 25); /* made again */
  c.n = 13;
  assert_null(xb_cached(&c, make_square, sizeof *three, 2, XB_KEY(13)));
  xb_cached_free();
}

/* Runs of a batch that no barrier separates must not write the same words. */
TEST(test_overlap_writes_nothing)
{
  const xb_device_info info = {.max_groups = {65535, 65535, 65535}, .max_group_threads = 1024, .backend = "vulkan"};
  for (size_t b = 0; b < xb_benchmark_count(); b++) {
    const xb_benchmark *benchmark = xb_benchmark_at(b);
    for (const xb_variant *v = benchmark->variants; v < benchmark->variants + benchmark->variant_count; v++) {
      const xb_case c = {.variant = v,
                         .n = 4096,
                         .rows = 64,
                         .columns = 64,
                         .block = benchmark->default_block,
                         .window_bytes = 1u << 30,
                         .device = &info};
      xb_plan plan;
      if (!v->overlap)
        continue;
      assert_int_equal(xb_plan_make(&c, &plan, NULL), XB_OK);
      for (uint32_t i = 0; i < plan.step_count; i++)
        for (uint32_t k = 0; k < plan.steps[i].binding_count; k++)
          assert_int_equal(plan.steps[i].bindings[k].access, XB_READ);
      xb_plan_free(&plan);
    }
  }
}

/* What a CPU would need minutes for is a GPU's default only: a GPU tells its cache. */
TEST(test_default_sizes)
{
  static const char *const families[] = {"groups", "instructions", "resident", "textures"};
  for (size_t i = 0; i < sizeof families / sizeof *families; i++) {
    const xb_benchmark *b = xb_benchmark_find(families[i]);
    assert_true(xb_default_n(b, 0) == b->default_n);
    assert_true(b->default_n * (b->matrix ? b->default_n : 1) <= 1 << 18);
    assert_true(xb_default_n(b, 50 << 20) > b->default_n);
  }
}

static uint64_t columns_of(const xb_choice *what, const char *family)
{
  return xb_size_for(what, xb_benchmark_find(family), 0, 0).columns;
}

/* With --check a benchmark has fewer elements, unless a size is given. */
TEST(test_watched_sizes)
{
  xb_choice what = {.watched = true};
  assert_int_equal(columns_of(&what, "sort"), xb_benchmark_find("sort")->default_n / 256);
  assert_int_equal(columns_of(&what, "transpose"), xb_benchmark_find("transpose")->default_n / 16);
  for (size_t i = 0; i < xb_benchmark_count(); i++) {
    const xb_benchmark *b = xb_benchmark_at(i);
    const xb_size size = xb_size_for(&what, b, 0, 0);
    const uint64_t least = b->matrix ? 64 : 1024;
    assert_true(size.columns <= b->default_n && size.columns >= (b->default_n < least ? b->default_n : least));
    assert_true(size.rows == (b->matrix ? size.columns : 1));
  }
  what.size_count = 1;
  what.sizes[0].columns = 5000;
  assert_int_equal(columns_of(&what, "sort"), 5000);
  what = (xb_choice){0};
  assert_int_equal(columns_of(&what, "sort"), xb_benchmark_find("sort")->default_n);
}

/* ---- Waves ------------------------------------------------------------------------------------------------------ */

static uint32_t full_wave(const char *benchmark, const char *variant, uint32_t block, uint32_t least, uint32_t own,
                          uint32_t most)
{
  const xb_device_info device = {.subgroup_size = own, .subgroup_min = least, .subgroup_max = most};
  const xb_case c = {.variant = xb_variant_find(benchmark, variant), .block = block, .device = &device};
  assert_non_null(c.variant);
  return xb_full_wave(&c);
}

/* Drivers with several sizes may leave lanes out unless a size is asked for. */
TEST(test_full_waves)
{
  assert_int_equal(full_wave("scan", "2", 256, 8, 32, 32), 32); /* Intel: asked for nothing, it may run 8 or 16 lanes */
  assert_int_equal(full_wave("scan", "2", 256, 32, 64, 64), 64); /* AMD */
  assert_int_equal(full_wave("sort", "2", 320, 32, 64, 64), 32); /* its teams have 32 threads */
  assert_int_equal(full_wave("sort", "2", 320, 64, 64, 64), UINT32_MAX);
  assert_int_equal(full_wave("scan", "2", 96, 32, 64, 64), 32);
  assert_int_equal(full_wave("scan", "2", 96, 64, 64, 64), UINT32_MAX);
  assert_int_equal(full_wave("scan", "2", 256, 4, 4, 4), 4);
  assert_int_equal(full_wave("scan", "1", 256, 8, 32, 32), 0);
  assert_int_equal(full_wave("scan", "2", 256, 0, 0, 0), 0); /* a device that reports none */
  const xb_device_info wide = {.subgroup_size = 64, .subgroup_min = 64, .subgroup_max = 64, .backend = "vulkan"};
  const xb_case c = {.variant = xb_variant_find("sort", "2"), .block = 320, .n = 1000, .device = &wide};
  xb_plan plan;
  xb_error error;
  assert_int_equal(xb_plan_make(&c, &plan, &error), XB_UNSUPPORTED);
  assert_non_null(strstr(error.message, "full waves of at most 32 lanes"));
}

/* All groups of resident end alike. */
TEST(test_resident_check)
{
  enum { N = 1 << 20, BLOCK = 256, STEPS = 512 * 32, ENDS = 2 };
  const xb_device_info gpu = {.type = XB_DEVICE_DISCRETE};
  const xb_case c = {.variant = xb_variant_find("resident", "1"), .n = N, .block = BLOCK, .seed = 1, .device = &gpu};
  uint32_t operands[BLOCK], *words = malloc(N * sizeof *words);
  char why[XB_WHY_BYTES];
  assert_non_null(words);
  xb_bits(c.dtype, c.seed, 0, BLOCK, operands);
  for (uint32_t i = 0; i < N; i++) {
    uint32_t end = operands[(i + 1) % BLOCK];
    for (uint32_t s = 0; s < STEPS && i < BLOCK; s++)
      end = end * operands[i] + s % 32;
    words[i] = i < BLOCK ? end : words[i - BLOCK];
  }
  assert_true(c.variant->benchmark->methods->check(&c, &(xb_chunk){.slot = ENDS, .count = N, .data = words}, why));
  words[N - 1]++;
  assert_false(c.variant->benchmark->methods->check(&c, &(xb_chunk){.slot = ENDS, .count = N, .data = words}, why));
  free(words);
}

/* A family's default run is to take some 10 s for each API: of 0.3 s a cell. Only instructions has more rows. */
TEST(test_default_cells)
{
  enum { MOST = 30 };
  const xb_choice none = {0};
  const xb_benchmark *b;
  for (size_t i = 0; (b = xb_benchmark_at(i)); i++) {
    const size_t places = xb_axis_point_count(&none, b);
    if (places * b->variant_count > MOST && (places > 1 || strcmp(b->name, "instructions") != 0))
      fail_msg("%s: %zu cells", b->name, places * b->variant_count);
    uint32_t at[XB_MAX_AXES] = {0};
    bool base = false; /* one place is the base: predictions are relative to it */
    for (size_t p = 0; p < places && !base; p++) {
      xb_set_axis_point(&none, b, p, at);
      base = true;
      for (size_t a = 0; a < b->axis_count; a++)
        base &= at[a] == b->axes[a].base;
    }
    assert_true(base);
  }
}
