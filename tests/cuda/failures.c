/* Runs the scenario on the fake driver, in all launch modes; then again with each driver call failing in turn. */
#include "cases.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backend_cuda/driver.h"
#include "test.h"

fake_control *fake;

void nothing_left(const char *when, bool dead)
{
  if (fake->broken)
    fail_msg("%s: %s", when, fake->broken);
  for (int kind = 0; kind < FAKE_KINDS && !dead; kind++)
    if (fake->alive[kind])
      fail_msg("%s: %d objects of kind %d are left", when, (int)fake->alive[kind], kind);
}

void unharmed(xb_launch_mode mode)
{
  scenario_outcome o;
  fake->reset();
  scenario(mode, &o);
  if (o.code)
    fail_msg("%s: %s %s", o.step, xb_code_name(o.code), o.error.message);
  nothing_left("at the end", false);
}

TEST(graph)
{
  unharmed(XB_LAUNCH_GRAPH);
}

TEST(stream)
{
  unharmed(XB_LAUNCH_STREAM);
}

TEST(held_stream)
{
  unharmed(XB_LAUNCH_HELD_STREAM);
}

static void every_call_fails(xb_launch_mode mode, CUresult with, xb_code expected)
{
  for (uint64_t k = 1;; k++) {
    scenario_outcome o;
    char when[160];
    fake->reset();
    fake->fail_with = (int)with;
    fake->fail_call = k;
    scenario(mode, &o);
    const xb_code code = o.code;
    snprintf(when, sizeof when, "%s, call %d, %s: %s", o.step, (int)k, fake->failed ? fake->failed : "none",
             xb_code_name(code));
    if (!fake->failed) {
      assert_int_equal(code, XB_OK);
      assert_true(k > 150); /* the whole scenario ran */
      return;
    }
    /* If a wait fails while the device is closed, work may still run, so core frees nothing. */
    const bool waits = !strcmp(fake->failed, "cuCtxSetCurrent") || !strcmp(fake->failed, "cuEventQuery");
    nothing_left(when, code == XB_LOST || (waits && fake->alive[FAKE_CONTEXT]));
    /* A call that only frees cannot report an error. */
    const bool frees = strstr(fake->failed, "Destroy") || strstr(fake->failed, "Free") ||
                       strstr(fake->failed, "Unload") || strstr(fake->failed, "Unmap") ||
                       !strcmp(fake->failed, "cuMemRelease") || strstr(fake->failed, "Unregister") ||
                       !strcmp(fake->failed, "cuCtxSetCurrent") || strstr(fake->failed, "SetLimit") ||
                       strstr(fake->failed, "ResetPersisting"); /* when the device is closed */
    if (code != expected && !(frees && code == XB_OK) && !(code == XB_UNAVAILABLE && !strcmp(fake->failed, "cuInit")))
      fail_msg("%s instead of %s: '%s'", when, xb_code_name(expected), o.error.message);
    if (code && !strstr(o.error.message, "CUDA_ERROR_") && !strstr(o.error.message, "library") &&
        !strstr(o.error.message, "the device is unusable"))
      fail_msg("%s: '%s' does not name the error", when, o.error.message);
    if (o.tried_again && o.again)
      fail_msg("%s: the work repeated gave %s", when, xb_code_name(o.again));
  }
}

TEST(out_of_memory)
{
  every_call_fails(XB_LAUNCH_GRAPH, CUDA_ERROR_OUT_OF_MEMORY, XB_NOMEM);
  every_call_fails(XB_LAUNCH_STREAM, CUDA_ERROR_OUT_OF_MEMORY, XB_NOMEM);
  every_call_fails(XB_LAUNCH_HELD_STREAM, CUDA_ERROR_OUT_OF_MEMORY, XB_NOMEM);
}

TEST(device_lost)
{
  every_call_fails(XB_LAUNCH_GRAPH, CUDA_ERROR_LAUNCH_FAILED, XB_LOST);
  every_call_fails(XB_LAUNCH_STREAM, CUDA_ERROR_LAUNCH_FAILED, XB_LOST);
  every_call_fails(XB_LAUNCH_HELD_STREAM, CUDA_ERROR_LAUNCH_FAILED, XB_LOST);
}

int fake_begin(void)
{
  xb_device_info info;
  uint32_t count;
  xb_error err = {0};
  if (!xb_enumerate(&xb_backend_cuda, &info, 1, &count, &err) && (fake = find_fake()))
    return 0;
  printf("FAILED: run this with LD_LIBRARY_PATH leading to the fake libcuda.so.1: %s\n", err.message);
  return 1;
}

TEST_SOURCE(.begin = fake_begin);
