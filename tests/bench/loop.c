/* A kernel that does its work once, whatever its repeat count, must fail with --loop kernel. Needs a device. */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "benchmarks/registry.h"
#include "measure/sampler.h"
#include "patience.h"
#include "test.h"

static xb_device *device;

/* Does what a compiler would do that removes the loop. */
static xb_code plan_once(const xb_case *c, xb_plan *plan, xb_error *err)
{
  xb_case once = *c;
  once.repeats = 1;
  return xb_benchmark_find("copy")->methods->plan(&once, plan, err);
}

TEST(test_removed)
{
  static xb_cell cell;
  xb_workload w = {.device = device, .n = 1 << 20, .seed = 1, .wait_limit_ns = patience_ns()};
  xb_error error;
  xb_benchmark removed = *xb_benchmark_find("copy");
  xb_methods methods = *removed.methods;
  xb_variant variant = *xb_variant_find("copy", "2");
  methods.plan = plan_once;
  removed.methods = &methods;
  variant.benchmark = &removed;
  const xb_device_info *info = xb_device_get_info(device);
  cell = (xb_cell){.c = {.variant = &variant,
                         .n = 1 << 20,
                         .rows = 1,
                         .columns = 1 << 20,
                         .block = 256,
                         .seed = 1,
                         .window_bytes = info->max_binding_bytes,
                         .device = info},
                   .workload = &w,
                   .loop = XB_LOOP_KERNEL};
  assert_int_equal(xb_workload_need(&w, &cell.c, &error), XB_OK);
  assert_int_equal(xb_workload_create(&w, &error), XB_OK);
  xb_measure(&cell, 1,
             &(xb_sampling){.min_time_s = 0.01, .max_time_s = 0.1, .width = 0.1, .min_rounds = 10, .seed = 1});
  if (cell.verdict.outcome != XB_CELL_FAILED)
    fail_msg("taken for linear: %g, %g, %g and %g us", cell.samples.linear_ns[0] / 1e3, cell.samples.linear_ns[1] / 1e3,
             cell.samples.linear_ns[2] / 1e3, cell.samples.linear_ns[3] / 1e3);
  assert_non_null(strstr(cell.verdict.error.message, "not a linear rise"));
  assert_int_equal(cell.samples.count, 0);
  xb_cell_destroy(&cell);
  xb_workload_destroy(&w);
}

static int open_vulkan(void)
{
  xb_error error;
  const xb_device_desc desc = {.backend = xb_backend_find("vulkan")};
  return xb_device_open(&desc, &device, &error) ? test_unavailable("vulkan", error.message) : 0;
}

static int close_vulkan(void)
{
  xb_error error;
  return xb_device_close(device, &error) ? 1 : 0;
}

TEST_SOURCE(.begin = open_vulkan, .end = close_vulkan);
