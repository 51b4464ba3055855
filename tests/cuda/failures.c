/* Runs the scenario on the fake driver, in all launch modes; then again with each driver call failing in turn. */
#include "support.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cuda.h>

static fake_control *fake;

static void nothing_left(const char *when, bool dead)
{
  if (fake->broken)
    fail_msg("%s: %s", when, fake->broken);
  for (int kind = 0; kind < FAKE_KINDS && !dead; kind++)
    if (fake->alive[kind])
      fail_msg("%s: %d objects of kind %d are left", when, (int)fake->alive[kind], kind);
}

static void unharmed(xb_launch_mode mode)
{
  xb_error err = {0};
  fake->reset();
  const xb_code code = scenario(mode, &err);
  if (code)
    fail_msg("%s %s", xb_code_name(code), err.message);
  nothing_left("at the end", false);
}

static void graph(void **state)
{
  (void)state;
  unharmed(XB_LAUNCH_GRAPH);
}

static void stream(void **state)
{
  (void)state;
  unharmed(XB_LAUNCH_STREAM);
}

static void held_stream(void **state)
{
  (void)state;
  unharmed(XB_LAUNCH_HELD_STREAM);
}

static void every_call_fails(xb_launch_mode mode, CUresult with, xb_code expected)
{
  for (uint64_t k = 1;; k++) {
    xb_error err = {0};
    char when[160];
    fake->reset();
    fake->fail_with = (int)with;
    fake->fail_call = k;
    const xb_code code = scenario(mode, &err);
    snprintf(when, sizeof when, "call %d, %s: %s", (int)k, fake->failed ? fake->failed : "none", xb_code_name(code));
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
                       strstr(fake->failed, "Unload") || strstr(fake->failed, "Unregister") ||
                       !strcmp(fake->failed, "cuCtxSetCurrent");
    if (code != expected && !(frees && code == XB_OK) && !(code == XB_UNAVAILABLE && !strcmp(fake->failed, "cuInit")))
      fail_msg("%s instead of %s: '%s'", when, xb_code_name(expected), err.message);
    if (code && !strstr(err.message, "CUDA_ERROR_") && !strstr(err.message, "library") &&
        !strstr(err.message, "the device is unusable"))
      fail_msg("%s: '%s' does not name the error", when, err.message);
  }
}

static void out_of_memory(void **state)
{
  (void)state;
  every_call_fails(XB_LAUNCH_GRAPH, CUDA_ERROR_OUT_OF_MEMORY, XB_NOMEM);
  every_call_fails(XB_LAUNCH_STREAM, CUDA_ERROR_OUT_OF_MEMORY, XB_NOMEM);
  every_call_fails(XB_LAUNCH_HELD_STREAM, CUDA_ERROR_OUT_OF_MEMORY, XB_NOMEM);
}

static void device_lost(void **state)
{
  (void)state;
  every_call_fails(XB_LAUNCH_GRAPH, CUDA_ERROR_LAUNCH_FAILED, XB_LOST);
  every_call_fails(XB_LAUNCH_STREAM, CUDA_ERROR_LAUNCH_FAILED, XB_LOST);
  every_call_fails(XB_LAUNCH_HELD_STREAM, CUDA_ERROR_LAUNCH_FAILED, XB_LOST);
}

/* ---- Single features -------------------------------------------------------------------------------------------- */

static xb_device *open_device(xb_launch_mode mode)
{
  xb_device *device;
  xb_error err = {0};
  fake->reset();
  if (xb_device_open(&(xb_device_desc){.backend = &xb_backend_cuda, .launch_mode = mode}, &device, &err))
    fail_msg("%s", err.message);
  return device;
}

static void close_device(xb_device *device)
{
  xb_error err = {0};
  if (xb_device_close(device, &err))
    fail_msg("%s", err.message);
  nothing_left("at the end", false);
}

static xb_buffer *device_buffer(xb_device *device, uint64_t bytes)
{
  xb_buffer *buffer = NULL;
  xb_error err = {0};
  if (xb_buffer_create(device, &(xb_buffer_desc){.bytes = bytes}, &buffer, &err))
    fail_msg("%s", err.message);
  return buffer;
}

static void memory_is_named(void **state)
{
  (void)state;
  xb_device *device = open_device(XB_LAUNCH_DEFAULT);
  xb_buffer *most = device_buffer(device, 1020 << 20), *buffer = NULL;
  xb_error err = {0};
  assert_int_equal(xb_buffer_create(device, &(xb_buffer_desc){.bytes = 8 << 20}, &buffer, &err), XB_NOMEM);
  assert_string_equal(err.message,
                      "cuMemAlloc: CUDA_ERROR_OUT_OF_MEMORY: 8388608 bytes requested, 4194304 free of 1073741824");
  assert_int_equal(xb_device_free_bytes(device), 4 << 20);
  assert_int_equal(xb_device_status(device), XB_OK);
  xb_buffer_destroy(most);
  close_device(device);
}

/* A page that is registered already, by another library or another buffer. */
static void imported_twice(void **state)
{
  (void)state;
  static _Alignas(4096) unsigned char page[4096];
  xb_device *device = open_device(XB_LAUNCH_DEFAULT);
  const xb_buffer_desc desc = {.mem = XB_MEM_IMPORTED, .bytes = sizeof page, .host = page};
  xb_buffer *first = NULL, *second = NULL;
  xb_error err = {0};
  assert_int_equal(xb_buffer_create(device, &desc, &first, &err), XB_OK);
  assert_true(xb_buffer_host(first) == page);
  assert_int_equal(xb_buffer_create(device, &desc, &second, &err), XB_INVALID);
  assert_true(strstr(err.message, "cuMemHostRegister: CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED: 4096 bytes at "));
  assert_int_equal(xb_buffer_create(device, &(xb_buffer_desc){.mem = XB_MEM_DEVICE_MAPPED, .bytes = 64}, &second, &err),
                   XB_UNSUPPORTED);
  xb_buffer_destroy(first);
  assert_int_equal(xb_buffer_create(device, &desc, &second, &err), XB_OK); /* it was unregistered */
  xb_buffer_destroy(second);
  close_device(device);
}

static void dead_after_a_hang(void **state)
{
  (void)state;
  xb_error err = {0};
  xb_device *device = open_device(XB_LAUNCH_DEFAULT);
  xb_buffer *buffer = device_buffer(device, 64);
  xb_commands *c = NULL;
  xb_point point;
  assert_int_equal(xb_commands_create(device, &(xb_commands_desc){.timestamp_count = 1}, &c, &err), XB_OK);
  xb_cmd_fill(c, buffer, 0, 64, 1);
  xb_cmd_timestamp(c, 0);
  assert_int_equal(xb_commands_finish(c, &err), XB_OK);
  fake->hung = true;
  assert_int_equal(xb_submit(device, &(xb_submission){.commands = c}, &point, &err), XB_OK);
  assert_int_equal(xb_wait(device, point, 3000000, &err), XB_TIMEOUT);
  fake->forbidden = true;
  xb_commands_destroy(c);
  xb_buffer_destroy(buffer);
  assert_int_equal(xb_device_close(device, &err), XB_OK);
  nothing_left("after a hang", true);
  fake->reset();
}

/* A submission that fails halfway waits for its first half, so that the objects that it uses can be destroyed. */
static void half_a_submission(void **state)
{
  (void)state;
  xb_error err = {0};
  xb_device *device = open_device(XB_LAUNCH_STREAM);
  xb_buffer *buffer = device_buffer(device, 64);
  xb_commands *c = NULL;
  assert_int_equal(xb_commands_create(device, &(xb_commands_desc){0}, &c, &err), XB_OK);
  for (int i = 0; i < 4; i++) {
    xb_cmd_fill(c, buffer, 0, 64, 1);
    xb_cmd_barrier(c);
  }
  assert_int_equal(xb_commands_finish(c, &err), XB_OK);
  fake->fail_with = CUDA_ERROR_OUT_OF_MEMORY;
  fake->fail_call = 5; /* context, event, fill, fill, fill */
  assert_int_equal(xb_submit(device, &(xb_submission){.commands = c}, NULL, &err), XB_NOMEM);
  assert_string_equal(fake->failed, "cuMemsetD32Async");
  fake->fail_call = 0;
  assert_int_equal(xb_device_status(device), XB_OK);
  xb_commands_destroy(c);
  xb_buffer_destroy(buffer);
  close_device(device);
}

/* The time of a list that was not held until all of it was issued is not known. */
static void a_hold_that_expires(void **state)
{
  (void)state;
  xb_error err = {0};
  xb_device *device = open_device(XB_LAUNCH_HELD_STREAM);
  xb_buffer *buffer = device_buffer(device, 64);
  xb_commands *c = NULL;
  xb_point point;
  double ns[2];
  assert_int_equal(xb_commands_create(device, &(xb_commands_desc){.timestamp_count = 2}, &c, &err), XB_OK);
  xb_cmd_timestamp(c, 0);
  xb_cmd_fill(c, buffer, 0, 64, 1);
  xb_cmd_timestamp(c, 1);
  for (int round = 0; round < 4; round++) { /* each submission is held anew */
    fake->holds_expire = round % 2;
    assert_int_equal(xb_submit(device, &(xb_submission){.commands = c}, &point, &err), XB_OK);
    assert_int_equal(xb_wait(device, point, 1000000000, &err), XB_OK);
    assert_int_equal(xb_commands_timestamps(c, ns, 2, &err), XB_OK);
    assert_true(round % 2 ? isnan(ns[1]) : ns[1] > 0);
  }
  assert_int_equal(fake->kernels_run, 4); /* the holds */
  fake->holds_expire = false;
  xb_commands_destroy(c);
  xb_buffer_destroy(buffer);
  close_device(device);
}

static void too_long_to_hold(void **state)
{
  (void)state;
  for (int more = 0; more < 2; more++) {
    xb_error err = {0};
    xb_device *device = open_device(XB_LAUNCH_HELD_STREAM);
    xb_buffer *buffer = device_buffer(device, 64);
    xb_commands *c = NULL;
    assert_int_equal(xb_commands_create(device, &(xb_commands_desc){.timestamp_count = 2}, &c, &err), XB_OK);
    xb_cmd_timestamp(c, 0);
    for (int i = 0; i < XB_MOST_HELD + more; i++) {
      xb_cmd_fill(c, buffer, 0, 64, 1);
      xb_cmd_barrier(c);
    }
    xb_cmd_timestamp(c, 1);
    assert_int_equal(xb_commands_finish(c, &err), more ? XB_UNSUPPORTED : XB_OK);
    assert_true(!more || strstr(err.message, "501 commands, at most 500 can be held"));
    xb_commands_destroy(c);
    xb_buffer_destroy(buffer);
    close_device(device);
  }
}

static void shape(xb_device *device, xb_buffer *buffer, const uint32_t *widths, uint32_t stages, uint64_t nodes,
                  uint64_t edges, uint64_t empty)
{
  xb_error err = {0};
  xb_commands *c = NULL;
  assert_int_equal(xb_commands_create(device, &(xb_commands_desc){0}, &c, &err), XB_OK);
  for (uint32_t s = 0; s < stages; s++) {
    for (uint32_t i = 0; i < widths[s]; i++)
      xb_cmd_fill(c, buffer, i * 4, 4, s);
    xb_cmd_barrier(c);
  }
  assert_int_equal(xb_commands_finish(c, &err), XB_OK);
  assert_int_equal(fake->graph_nodes, nodes);
  assert_int_equal(fake->graph_edges, edges);
  assert_int_equal(fake->empty_nodes, empty);
  xb_commands_destroy(c);
}

/* Edges of a graph cost time on the device. */
static void graphs_have_few_edges(void **state)
{
  (void)state;
  xb_device *device = open_device(XB_LAUNCH_GRAPH);
  xb_buffer *buffer = device_buffer(device, 256);
  shape(device, buffer, (uint32_t[]){1, 1, 1, 1}, 4, 4, 3, 0);   /* a chain */
  shape(device, buffer, (uint32_t[]){1, 5, 1}, 3, 7, 10, 0);     /* fork and join, without a node between */
  shape(device, buffer, (uint32_t[]){4, 4}, 2, 9, 4 + 4 + 3, 1); /* several after several: one empty node */
  shape(device, buffer, (uint32_t[]){6}, 1, 6, 0, 0);            /* independent */
  xb_buffer_destroy(buffer);
  close_device(device);
}

/* Large copies inside device memory are slow: the graph has a chain of smaller ones. */
static void copies_in_pieces(void **state)
{
  (void)state;
  enum { MIB = 1 << 20 };
  xb_device *device = open_device(XB_LAUNCH_GRAPH);
  xb_buffer *a = device_buffer(device, 511 * MIB), *b = device_buffer(device, 511 * MIB), *up = NULL;
  xb_error err = {0};
  xb_commands *c = NULL;
  const xb_buffer_desc desc = {.mem = XB_MEM_UPLOAD, .bytes = 511 * MIB};
  assert_int_equal(xb_buffer_create(device, &desc, &up, &err), XB_OK);
  assert_int_equal(xb_commands_create(device, &(xb_commands_desc){0}, &c, &err), XB_OK);
  xb_cmd_copy(c, b, 0, a, 0, 511 * MIB);
  xb_cmd_barrier(c);
  xb_cmd_copy(c, a, 0, up, 0, 511 * MIB);
  assert_int_equal(xb_commands_finish(c, &err), XB_OK);
  assert_int_equal(fake->graph_nodes, 3);
  assert_int_equal(fake->graph_edges, 2);
  xb_commands_destroy(c);
  xb_buffer_destroy(a);
  xb_buffer_destroy(b);
  xb_buffer_destroy(up);
  close_device(device);
}

static void empty_list(void **state)
{
  (void)state;
  for (int mode = XB_LAUNCH_GRAPH; mode <= XB_LAUNCH_HELD_STREAM; mode++) {
    xb_error err = {0};
    xb_device *device = open_device((xb_launch_mode)mode);
    xb_commands *c = NULL;
    xb_point point;
    assert_int_equal(xb_commands_create(device, &(xb_commands_desc){0}, &c, &err), XB_OK);
    xb_cmd_barrier(c);
    assert_int_equal(xb_submit(device, &(xb_submission){.commands = c}, &point, &err), XB_OK);
    assert_int_equal(xb_wait(device, point, 1000000000, &err), XB_OK);
    xb_commands_destroy(c);
    close_device(device);
  }
}

int main(void)
{
  xb_device_info info;
  uint32_t count;
  xb_error err = {0};
  if (xb_enumerate(&xb_backend_cuda, &info, 1, &count, &err) || !(fake = find_fake())) {
    fprintf(stderr, "run this with LD_LIBRARY_PATH leading to the fake libcuda.so.1: %s\n", err.message);
    return 1;
  }
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(graph),
      cmocka_unit_test(stream),
      cmocka_unit_test(held_stream),
      cmocka_unit_test(out_of_memory),
      cmocka_unit_test(device_lost),
      cmocka_unit_test(memory_is_named),
      cmocka_unit_test(imported_twice),
      cmocka_unit_test(dead_after_a_hang),
      cmocka_unit_test(half_a_submission),
      cmocka_unit_test(a_hold_that_expires),
      cmocka_unit_test(too_long_to_hold),
      cmocka_unit_test(graphs_have_few_edges),
      cmocka_unit_test(copies_in_pieces),
      cmocka_unit_test(empty_list),
  };
  return cmocka_run_group_tests_name("CUDA failures", tests, NULL, NULL);
}
