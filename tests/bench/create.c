/* bench_create: what is timed as a kernel's creation, and code that no driver has seen. On the host backend. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "benchmarks/benchmark.h"
#include "host/host.h"
#include "measure/cell.h"
#include "patience.h"
#include "test.h"

static void nothing(const uint32_t group[3], const uint32_t groups[3], void *const *bindings, const uint64_t *sizes,
                    const void *args)
{
  (void)group, (void)groups, (void)bindings, (void)sizes, (void)args;
}

static xb_code plan(const xb_case *c, xb_plan *made, xb_error *err)
{
  (void)c, (void)err;
  made->windows = 1;
  xb_plan_kernel_of(made, (xb_plan_kernel){.name = "first"});
  xb_plan_kernel_of(made, (xb_plan_kernel){.name = "second"});
  xb_step *step = xb_plan_step(made, XB_STEP_DISPATCH);
  step->groups[0] = step->groups[1] = step->groups[2] = 1;
  return XB_OK;
}

static xb_code find_code(const xb_case *c, const xb_plan_kernel *kernel, xb_kernel_desc *desc, xb_error *err)
{
  (void)kernel, (void)err;
  host_describe((host_code){.entry = "main", .run = nothing, .group_size = {c->block, 1, 1}}, desc);
  return XB_OK;
}

static const xb_methods methods = {.plan = plan, .find_code = find_code};
static const xb_benchmark benchmark;
static const xb_variant variant = {
    .benchmark = &benchmark, .number = 1, .name = "create", .source = KERNEL, .clock = XB_CLOCK_CREATE};
static const xb_benchmark benchmark = {
    .name = "made", .dtypes = "float32", .variants = &variant, .variant_count = 1, .methods = &methods};

/* The sum of what the API's calls took, and nothing else: hashing and validation are ours. */
TEST(test_time_of_the_api)
{
  static xb_cell cell;
  (void)state;
  xb_device *device;
  double ns = 0, host_ns = 0;
  assert_int_equal(xb_device_open(&(xb_device_desc){.backend = &xb_backend_host}, &device, NULL), XB_OK);
  xb_workload w = {.device = device, .n = 4, .wait_limit_ns = patience_ns()};
  cell = (xb_cell){.c = {.variant = &variant, .n = 4, .block = 4, .device = xb_device_get_info(device)},
                   .workload = &w,
                   .most_placements = 1};
  xb_cell_create(&cell);
  assert_int_equal(cell.verdict.outcome, XB_CELL_PENDING);
  assert_true(xb_sample_calibrate(&cell));
  assert_true(xb_sample_run(&cell, &ns, &host_ns));
  assert_true(ns == 2 * HOST_CREATE_NS); /* of two kernels */
  assert_true(host_ns == ns);
  xb_cell_destroy(&cell);
  assert_int_equal(xb_device_close(device, NULL), XB_OK);
}

/* Each copy differs from the code, and from the other copy, in the constant alone. */
TEST(test_fresh_code)
{
  const uint32_t code[] = {1, XB_FRESH_WORD, 3};
  uint32_t *copies[2];
  for (int i = 0; i < 2; i++) {
    xb_kernel_desc desc = {.label = "fresh", .code = code, .code_bytes = sizeof code};
    assert_int_equal(xb_fresh_code(&desc, &copies[i], NULL), XB_OK);
    assert_ptr_equal(desc.code, copies[i]);
    assert_int_equal(copies[i][0], 1);
    assert_int_not_equal(copies[i][1], XB_FRESH_WORD);
    assert_int_equal(copies[i][2], 3);
  }
  assert_int_not_equal(copies[0][1], copies[1][1]);
  free(copies[0]);
  free(copies[1]);
}

TEST(test_no_constant)
{
  const uint32_t code[] = {1, 2, 3};
  uint32_t *copy;
  xb_error error;
  xb_kernel_desc desc = {.label = "fresh", .code = code, .code_bytes = sizeof code};
  assert_int_equal(xb_fresh_code(&desc, &copy, &error), XB_UNSUPPORTED);
  assert_non_null(strstr(error.message, "no constant"));
  free(copy);
}
