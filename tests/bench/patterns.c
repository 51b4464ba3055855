/* Copies of some of the elements: their plans, which run here on the host; the arguments that they refuse; their
 * models. Needs no device. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "benchmarks/choice.h"
#include "benchmarks/input.h"
#include "benchmarks/offset/offset_args.h"
#include "benchmarks/pattern.h"
#include "benchmarks/registry.h"
#include "benchmarks/stride/stride_args.h"
#include "test.h"

enum { OFFSET, STRIDE, FAMILIES, MOST_OFFSET = 32 };
static const char *const names[FAMILIES] = {"offset", "stride"};

static xb_case make_case(int family, uint32_t at, uint64_t n, uint64_t window_bytes, const xb_device_info *info)
{
  const xb_variant *v = xb_variant_find(names[family], "1");
  assert_non_null(v);
  return (xb_case){
      .variant = v, .n = n, .block = 128, .at = {at}, .seed = 3, .window_bytes = window_bytes, .device = info};
}

/* Counts the words that each thread of a step writes. Fails if a word is outside the bindings. */
static void run_step(int family, const xb_step *step, uint32_t align, uint64_t window_bytes, uint8_t *written)
{
  struct xb_offset_args offset;
  struct xb_stride_args stride;
  memcpy(&offset, step->args, sizeof offset);
  memcpy(&stride, step->args, sizeof stride);
  const uint64_t count = family == OFFSET ? offset.n : stride.n;
  assert_true((uint64_t)step->groups[0] * step->groups[1] * 128 >= count);
  assert_true(step->groups[0] <= 5 && step->groups[0] == (family == OFFSET ? offset.grid_x : stride.grid_x));
  for (int b = 0; b < 2; b++) {
    assert_int_equal(step->bindings[b].offset % align, 0);
    assert_true(step->bindings[b].size <= window_bytes);
    assert_int_equal(step->bindings[b].offset, step->bindings[0].offset);
  }
  for (uint64_t i = 0; i < count; i++) {
    const uint64_t at = family == OFFSET ? i + offset.offset : i * stride.stride;
    assert_true(at * 4 + 4 <= step->bindings[1].size);
    written[step->bindings[1].offset / 4 + at]++;
  }
}

static void check_plan(int family, uint32_t at, uint64_t n, uint32_t align, uint64_t window_bytes)
{
  const xb_device_info info = {.binding_align = align, .max_groups = {5, 65535, 1}, .subgroup_size = 32};
  const xb_case c = make_case(family, at, n, window_bytes, &info);
  xb_plan plan;
  xb_error error;
  assert_int_equal(xb_plan_make(&c, &plan, &error), XB_OK);
  const uint64_t words = plan.slots[1].bytes / 4, copied = family == OFFSET ? n : (n + at - 1) / at;
  assert_int_equal(words, family == OFFSET ? n + MOST_OFFSET : n); /* the same at each value of the axis */
  assert_int_equal(plan.slots[0].bytes, plan.slots[1].bytes);
  assert_int_equal(plan.bytes, 8 * copied);
  assert_int_equal(plan.windows, plan.step_count); /* what the plan does not say of its kernel and windows */
  assert_int_equal(plan.kernel_count, 1);
  assert_int_equal(plan.kernels[0].binding_count, 2);
  assert_int_equal(plan.kernels[0].arg_bytes,
                   family == OFFSET ? sizeof(struct xb_offset_args) : sizeof(struct xb_stride_args));
  uint8_t *written = calloc(words, 1);
  assert_non_null(written);
  for (uint32_t i = 0; i < plan.step_count; i++) {
    assert_true(plan.steps[i].bindings[1].offset + plan.steps[i].bindings[1].size <= 4 * words);
    run_step(family, &plan.steps[i], align, window_bytes, written);
  }
  for (uint64_t k = 0; k < words; k++)
    assert_int_equal(written[k], family == OFFSET ? k >= at && k < at + n : k % at == 0);
  free(written);
  xb_plan_free(&plan);
}

TEST(test_plans)
{
  static const uint64_t sizes[] = {1, 2, 31, 33, 1023, 2144, 2145, 2176, 2177, 9973, 20480};
  static const uint32_t aligns[] = {4, 16, 32, 256};
  for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++)
    for (size_t a = 0; a < sizeof aligns / sizeof aligns[0]; a++)
      for (uint32_t at = 0; at <= 34; at++) {
        if (at <= MOST_OFFSET)
          check_plan(OFFSET, at, sizes[s], aligns[a], 8704);
        if (at)
          check_plan(STRIDE, at, sizes[s], aligns[a], 8704);
      }
}

static void expect_refused(int family, uint32_t at, uint64_t window_bytes, const char *words)
{
  const xb_device_info info = {.binding_align = 16, .max_groups = {65535, 65535, 1}, .subgroup_size = 32};
  const xb_case c = make_case(family, at, 5000, window_bytes, &info);
  xb_plan plan;
  xb_error error;
  assert_int_equal(xb_plan_make(&c, &plan, &error), XB_UNSUPPORTED);
  assert_non_null(strstr(error.message, words));
  assert_null(strchr(error.message, '\n'));
}

TEST(test_refusals)
{
  expect_refused(OFFSET, MOST_OFFSET + 1, 1u << 20, "33 is beyond 32");
  expect_refused(OFFSET, 0xFFFFFFFF, 1u << 20, "4294967295 is beyond 32");
  expect_refused(OFFSET, 1, 64, "64 bytes is too small");
  expect_refused(OFFSET, 1, 4096, "4096 bytes is too small");
  expect_refused(STRIDE, 0, 1u << 20, "stride of 0");
  expect_refused(STRIDE, 33, 8192, "8192 bytes is too small for a window with the stride 33");
}

/* ---- Check ------------------------------------------------------------------------------------------------------ */

enum { CHECKED = 10007 };

/* Checks in chunks that do not begin where the blocks of the check begin. */
static bool is_right(const xb_case *c, const uint32_t *words, uint64_t count)
{
  char why[XB_WHY_BYTES];
  for (uint64_t first = 0; first < count; first += 4999) {
    const xb_chunk chunk = {.slot = 1,
                            .first = first,
                            .count = count - first < 4999 ? count - first : 4999,
                            .data = words + first,
                            .poison = XB_POISON};
    if (!xb_check(c, &chunk, why))
      return false;
  }
  return true;
}

TEST(test_checks)
{
  static uint32_t input[CHECKED + MOST_OFFSET], words[CHECKED + MOST_OFFSET];
  const xb_device_info info = {0};
  for (int family = 0; family < FAMILIES; family++)
    for (uint32_t at = 1; at <= 32; at++) {
      const xb_case c = make_case(family, at, CHECKED, 1u << 20, &info);
      const uint64_t count = family == OFFSET ? CHECKED + MOST_OFFSET : CHECKED;
      xb_bits(XB_FLOAT32, c.seed, 0, count, input);
      for (uint64_t k = 0; k < count; k++)
        words[k] = (family == OFFSET ? k >= at && k < at + CHECKED : k % at == 0) ? input[k] : (uint32_t)XB_POISON;
      assert_true(is_right(&c, words, count));
      for (uint64_t k = 0; k < count; k += k < 70 || k > count - 70 ? 1 : 97) { /* a change of any bit is found */
        words[k] ^= 1;
        assert_false(is_right(&c, words, count));
        words[k] ^= 1;
      }
    }
}

/* ---- Model ------------------------------------------------------------------------------------------------------ */

static void expect_model(int family, uint32_t threads, uint32_t at, double segments, double relative)
{
  const xb_device_info info = {.subgroup_size = threads};
  const xb_case c = make_case(family, at, 1u << 20, 1u << 27, &info);
  const xb_model model = c.variant->benchmark->methods->predict(&c);
  assert_true(model.value > segments - 1e-9 && model.value < segments + 1e-9);
  assert_true(model.relative > relative - 1e-9 && model.relative < relative + 1e-9);
}

TEST(test_models)
{
  for (uint32_t at = 0; at <= 32; at++) {
    expect_model(OFFSET, 32, at, at % 8 ? 5 : 4, at % 8 ? 0.8 : 1);
    expect_model(OFFSET, 8, at, at % 8 ? 2 : 1, at % 8 ? 0.5 : 1);
    expect_model(OFFSET, 4, at, at % 4 ? 1.5 : 1, at % 4 ? 2.0 / 3 : 1); /* every second wave accesses two */
  }
  for (uint32_t at = 1; at <= 40; at++) {
    expect_model(STRIDE, 32, at, at < 8 ? 4 * at : 32, at < 8 ? 1.0 / at : 1.0 / 8);
    expect_model(STRIDE, 8, at, at < 8 ? at : 8, at < 8 ? 1.0 / at : 1.0 / 8);
  }
}

TEST(test_default_n)
{
  static const uint64_t caches[] = {0, 1, 512 << 10, 4u << 20, 32u << 20, 50u << 20, 60u << 20, 256u << 20};
  for (int family = 0; family < FAMILIES; family++)
    for (size_t i = 0; i < sizeof caches / sizeof caches[0]; i++) {
      const xb_benchmark *benchmark = xb_benchmark_find(names[family]);
      const uint64_t n = xb_default_n(benchmark, caches[i]), touched = 2 * (family == OFFSET ? 4 * n : n);
      assert_int_equal(n & (n - 1), 0);
      assert_true(touched > 2 * caches[i]);
      assert_true(n == benchmark->default_n || (n > benchmark->default_n && touched / 2 <= 2 * caches[i]));
    }
}

/* ---- What the memory moves -------------------------------------------------------------------------------------- */

static bool is_one_of(const char *name, const char *const *list)
{
  while (*list && strcmp(name, *list))
    list++;
  return *list;
}

/* Of all families, only these count bytes that a cache or a call of the host moves. */
TEST(test_memory_bytes)
{
  static const char *const beyond[] = {"cachecontrol", "interop", "l2window", "sort", NULL};
  const xb_device_info info = {.backend = "cuda",
                               .binding_align = 16,
                               .max_groups = {65535, 65535, 1},
                               .max_group_threads = 1024,
                               .shared_bytes = 48 << 10,
                               .shared_optin_bytes = 200 << 10,
                               .subgroup_size = 32,
                               .subgroup_min = 32,
                               .subgroup_max = 32,
                               .compute_capability = 90,
                               .multiprocessors = 132,
                               .max_uniform_bytes = 65536,
                               .max_texels = 1u << 27,
                               .max_image_size = {65536, 65536},
                               .max_line = 65536,
                               .max_volume = 4096,
                               .persisting_bytes = 1u << 25,
                               .memory_bytes = UINT64_C(1) << 37};
  const xb_benchmark *b;
  size_t less = 0, plans = 0;
  for (size_t i = 0; (b = xb_benchmark_at(i)); i++)
    for (size_t v = 0; v < b->variant_count; v++) {
      xb_case c = {.variant = &b->variants[v],
                   .n = b->matrix ? UINT64_C(1) << 20 : UINT64_C(1) << 24,
                   .block = b->default_block,
                   .window_bytes = UINT64_C(1) << 31,
                   .device = &info};
      c.rows = b->matrix ? 1024 : 1;
      c.columns = b->matrix ? 1024 : c.n;
      c.inner = b->product ? b->inner ? b->inner : 1024 : 0;
      for (size_t a = 0; a < b->axis_count; a++)
        c.at[a] = b->axes[a].base;
      xb_plan plan;
      xb_error error;
      if (xb_plan_make(&c, &plan, &error))
        continue;
      plans += plan.bytes > 0;
      less += xb_plan_memory_bytes(&plan) < plan.bytes;
      if (xb_plan_memory_bytes(&plan) < plan.bytes && !is_one_of(b->name, beyond))
        fail_msg("%s/%u: %llu of %llu bytes", b->name, c.variant->number,
                 (unsigned long long)xb_plan_memory_bytes(&plan), (unsigned long long)plan.bytes);
      if (!strcmp(b->name, "cachecontrol")) /* the table, and what is written: not what is read of the table */
        assert_true(xb_plan_memory_bytes(&plan) <= plan.bytes / 2 + (2u << 20));
      xb_plan_free(&plan);
    }
  assert_true(plans > 80 && less > 10);
}
