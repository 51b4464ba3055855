/* What the scenario cannot show: single features of the CUDA backend, on the fake driver. */
#include "cases.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backend_cuda/driver.h"
#include "patience.h"
#include "test.h"

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

TEST(memory_is_named)
{
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

/* A page that another buffer has registered already, and that is free when it is destroyed. */
TEST(imported_twice)
{
  static _Alignas(4096) unsigned char page[4096];
  xb_device *device = open_device(XB_LAUNCH_DEFAULT);
  const xb_buffer_desc desc = {.mem = XB_MEM_IMPORTED, .bytes = sizeof page, .host = page};
  xb_buffer *first = NULL, *second = NULL;
  xb_error err = {0};
  assert_int_equal(xb_buffer_create(device, &desc, &first, &err), XB_OK);
  assert_true(xb_buffer_host(first) == page);
  assert_int_equal(xb_buffer_create(device, &desc, &second, &err), XB_INVALID);
  assert_true(strstr(err.message, "another buffer already imports a part of"));
  assert_int_equal(xb_buffer_create(device, &(xb_buffer_desc){.mem = XB_MEM_DEVICE_MAPPED, .bytes = 64}, &second, &err),
                   XB_UNSUPPORTED);
  xb_buffer_destroy(first);
  assert_int_equal(xb_buffer_create(device, &desc, &second, &err), XB_OK); /* it was unregistered */
  xb_buffer_destroy(second);
  close_device(device);
}

/* Memory of another GPU. The exporter keeps it, and a GPU that can reach it gets it with the same descriptor. */
TEST(no_peer_access)
{
  static const CUresult results[] = {CUDA_ERROR_INVALID_DEVICE, CUDA_ERROR_INVALID_VALUE, CUDA_ERROR_NOT_SUPPORTED,
                                     CUDA_ERROR_PEER_ACCESS_UNSUPPORTED};
  xb_device *device = open_device(XB_LAUNCH_DEFAULT);
  xb_buffer *theirs = NULL, *shared = NULL;
  xb_buffer_desc desc = {.bytes = 64, .exportable = true};
  xb_error err = {0};
  assert_int_equal(xb_buffer_create(device, &desc, &theirs, &err), XB_OK);
  desc = (xb_buffer_desc){.mem = XB_MEM_SHARED, .bytes = 64};
  assert_int_equal(xb_buffer_export(theirs, &desc.shared, &err), XB_OK);
  for (size_t i = 0; i < sizeof results / sizeof results[0]; i++) {
    fake->fail_with = (int)results[i];
    fake->fail_call = 5; /* context, import, reserve, map, access */
    assert_int_equal(xb_buffer_create(device, &desc, &shared, &err), XB_UNSUPPORTED);
    assert_string_equal(fake->failed, "cuMemSetAccess");
    assert_non_null(strstr(err.message, "no peer access to the GPU with this memory"));
  }
  assert_int_equal(xb_device_status(device), XB_OK);
  assert_int_equal(xb_buffer_create(device, &desc, &shared, &err), XB_OK);
  xb_buffer_destroy(shared);
  xb_buffer_destroy(theirs);
  close_device(device);
}

TEST(dead_after_a_hang)
{
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

/* Lists on four queues, each behind the one before; the first one has a kernel. */
typedef struct chain {
  xb_device *device;
  xb_buffer *buffer;
  xb_kernel *kernel;
  void *code;
  xb_commands *lists[4];
  xb_point points[4];
} chain;

static chain submit_chain(void)
{
  static const xb_queue queues[] = {XB_QUEUE_COMPUTE, XB_QUEUE_COPY, XB_QUEUE_COMPUTE + 1, XB_QUEUE_COPY + 1};
  const xb_device_desc desc = {.backend = &xb_backend_cuda, .compute_queues = 2, .copy_queues = 2};
  const uint32_t value = 1;
  size_t bytes;
  xb_error err = {0};
  chain c = {.code = make_fatbin(FATBIN_ELF, 90, "good", &bytes)};
  fake->reset();
  assert_int_equal(xb_device_open(&desc, &c.device, &err), XB_OK);
  c.buffer = device_buffer(c.device, 64);
  const xb_kernel_desc kernel = {.code = c.code,
                                 .code_bytes = bytes,
                                 .entry = "p1a4t32",
                                 .group_size = {32, 1, 1},
                                 .binding_count = 1,
                                 .arg_bytes = 4};
  assert_int_equal(xb_kernel_create(c.device, &kernel, &c.kernel, &err), XB_OK);
  for (int i = 0; i < 4; i++) {
    assert_int_equal(xb_commands_create(c.device, &(xb_commands_desc){.queue = queues[i]}, &c.lists[i], &err), XB_OK);
    const xb_binding binding = {.buffer = c.buffer, .access = XB_READ_WRITE};
    if (i)
      xb_cmd_fill(c.lists[i], c.buffer, 0, 64, (uint32_t)i);
    else
      xb_cmd_dispatch(c.lists[i], &(xb_dispatch){.kernel = c.kernel,
                                                 .bindings = &binding,
                                                 .binding_count = 1,
                                                 .args = &value,
                                                 .arg_bytes = 4,
                                                 .groups = {1, 1, 1}});
    assert_int_equal(xb_commands_finish(c.lists[i], &err), XB_OK);
  }
  fake->hung = true; /* a driver call makes no step until all lists are in flight */
  for (int i = 0; i < 4; i++) {
    const xb_submission s = {.commands = c.lists[i], .after = i ? &c.points[i - 1] : NULL, .after_count = i ? 1 : 0};
    assert_int_equal(xb_submit(c.device, &s, &c.points[i], &err), XB_OK);
  }
  fake->hung = false;
  return c;
}

/* The device is lost: nothing more is asked of the driver. */
static void bury_chain(chain *c, xb_code dead)
{
  xb_error err;
  fake->forbidden = true;
  for (int i = 0; i < 4; i++) {
    assert_int_equal(xb_wait(c->device, c->points[i], 1000, &err), dead);
    assert_true(strstr(err.message, "the device is unusable"));
    xb_commands_destroy(c->lists[i]);
  }
  xb_kernel_destroy(c->kernel);
  xb_buffer_destroy(c->buffer);
  assert_int_equal(xb_device_close(c->device, &err), XB_OK);
  nothing_left("after the loss of a device", true);
  free(c->code);
  fake->reset();
}

/* A wait for the last of several queues runs into its limit, because the first one hangs. */
TEST(hung_on_several_queues)
{
  xb_error err = {0};
  chain c = submit_chain();
  fake->hung = true;
  assert_int_equal(xb_wait(c.device, c.points[3], 3000000, &err), XB_TIMEOUT);
  bury_chain(&c, XB_TIMEOUT);
}

/* A kernel fails while it runs. The submissions were good; the first call that asks the driver afterwards says so. */
TEST(errors_come_later)
{
  for (int by = 0; by < 3; by++) {
    xb_error err = {0};
    bool reached = false;
    double deviation;
    chain c = submit_chain();
    fake->kernels_fault = CUDA_ERROR_ILLEGAL_ADDRESS;
    assert_int_equal(fake->kernels_run, 0);
    xb_code code = XB_OK;
    for (int i = 0; i < 20 && !code; i++) /* a poll makes one step */
      code = by == 0   ? xb_wait(c.device, c.points[3], patience_ns(), &err)
             : by == 1 ? xb_poll(c.device, c.points[1], &reached, &err)
                       : xb_device_calibrate(c.device, &deviation, &err);
    assert_int_equal(code, XB_LOST);
    assert_false(reached);
    assert_true(strstr(err.message, "CUDA_ERROR_ILLEGAL_ADDRESS"));
    assert_true(strncmp(err.where, "cu", 2) == 0);
    bury_chain(&c, XB_LOST);
  }
}

/* A float of 40 s in milliseconds steps by 4 us. The times of a list keep their distances all the same. */
TEST(long_after_a_calibration)
{
  enum { STAMPS = 9 };
  xb_error err = {0};
  xb_point point;
  double deviation = 0, ns[STAMPS], times[STAMPS];
  xb_device *device = open_device(XB_LAUNCH_STREAM);
  xb_commands *c = NULL;
  assert_int_equal(xb_commands_create(device, &(xb_commands_desc){.timestamp_count = STAMPS}, &c, &err), XB_OK);
  for (uint32_t i = 0; i < STAMPS; i++)
    xb_cmd_timestamp(c, i);
  assert_int_equal(xb_commands_finish(c, &err), XB_OK);
  assert_int_equal(xb_device_calibrate(device, &deviation, &err), XB_OK);
  fake->skip_us = 40000000;
  assert_int_equal(xb_submit(device, &(xb_submission){.commands = c}, &point, &err), XB_OK);
  assert_int_equal(xb_wait(device, point, patience_ns(), &err), XB_OK);
  assert_int_equal(xb_commands_timestamps(c, ns, STAMPS, &err), XB_OK);
  assert_int_equal(xb_commands_times(c, times, STAMPS, &err), XB_OK);
  for (int i = 0; i < STAMPS; i++)
    assert_true(fabs(times[i] - times[0] - ns[i]) < 10);
  assert_true(deviation > 500);
  xb_commands_destroy(c);
  close_device(device);
}

/* A submission that fails halfway waits for its first half, so that the objects that it uses can be destroyed. */
TEST(half_a_submission)
{
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
TEST(a_hold_that_expires)
{
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
    assert_int_equal(xb_wait(device, point, patience_ns(), &err), XB_OK);
    assert_int_equal(xb_commands_timestamps(c, ns, 2, &err), XB_OK);
    assert_true(round % 2 ? isnan(ns[1]) : ns[1] > 0);
  }
  assert_int_equal(fake->kernels_run, 4); /* the holds */
  fake->holds_expire = false;
  xb_commands_destroy(c);
  xb_buffer_destroy(buffer);
  close_device(device);
}

TEST(too_long_to_hold)
{
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

/* Stream and graph set the window of a dispatch; a stream has none afterwards. */
static void windows(xb_launch_mode mode)
{
  xb_error err = {0};
  unharmed(mode);
  assert_int_equal(fake->windows,
                   mode == XB_LAUNCH_GRAPH ? 2 : 4); /* two rounds of two dispatches; a node is set once */
  assert_int_equal(fake->window_bytes, mode == XB_LAUNCH_GRAPH ? 8 : 0);
  assert_true(fake->window_ratio == 0.5f);
  assert_int_equal(fake->persisting, 0); /* the limit ended with its device */
  fake->reset();
  setenv("FAKE_CUDA", "mig", 1);
  uint64_t set;
  xb_device *device = open_device(mode);
  assert_int_equal(xb_device_persist(device, 512, &set, &err), XB_UNSUPPORTED);
  assert_non_null(strstr(err.message, "MIG"));
  unsetenv("FAKE_CUDA");
  close_device(device);
}

TEST(windows_of_nodes)
{
  windows(XB_LAUNCH_GRAPH);
}

TEST(windows_of_streams)
{
  windows(XB_LAUNCH_STREAM);
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

/* Three dispatches with barriers that may start early. The first follows a fill: in a graph only the two others do. A
 * stream asks for all three. `starts`: 0 on a device that cannot; then the list is refused. */
static void early(xb_launch_mode mode, uint64_t starts)
{
  xb_error err = {0};
  xb_commands *c = NULL;
  xb_point done;
  xb_kernel *kernel = NULL;
  fake->reset();
  xb_device *device = open_device(mode);
  xb_buffer *buffer = device_buffer(device, 256);
  xb_kernel_desc desc = {.label = "early", .entry = "p", .group_size = {64, 1, 1}, .binding_count = 1};
  void *code = make_fatbin(FATBIN_ELF, starts ? 90 : 80, "good", &desc.code_bytes);
  desc.code = code;
  assert_int_equal(xb_kernel_create(device, &desc, &kernel, &err), XB_OK);
  free(code);
  assert_int_equal(xb_commands_create(device, &(xb_commands_desc){0}, &c, &err), XB_OK);
  xb_cmd_fill(c, buffer, 0, 256, 0);
  const xb_binding binding = {.buffer = buffer, .size = 256, .access = XB_WRITE};
  const xb_dispatch dispatch = {
      .kernel = kernel, .bindings = &binding, .binding_count = 1, .groups = {1, 1, 1}, .early = true};
  for (int i = 0; i < 3; i++) {
    xb_cmd_barrier(c);
    xb_cmd_dispatch(c, &dispatch);
  }
  assert_int_equal(xb_commands_finish(c, &err), starts ? XB_OK : XB_UNSUPPORTED);
  if (starts) {
    assert_int_equal(xb_submit(device, &(xb_submission){.commands = c}, &done, &err), XB_OK);
    assert_int_equal(xb_wait(device, done, patience_ns(), &err), XB_OK);
    assert_true(mode != XB_LAUNCH_GRAPH || fake->graph_edges == 3);
  } else {
    assert_non_null(strstr(err.message, "cannot start a dispatch before the previous one ends, through cuda"));
  }
  assert_int_equal(fake->early_starts, starts);
  assert_int_equal(fake->kernels_run, starts ? 3 : 0);
  xb_commands_destroy(c);
  xb_kernel_destroy(kernel);
  xb_buffer_destroy(buffer);
  close_device(device);
}

TEST(early_starts)
{
  early(XB_LAUNCH_GRAPH, 2);
  early(XB_LAUNCH_STREAM, 3);
  setenv("FAKE_CUDA", "ampere", 1);
  early(XB_LAUNCH_GRAPH, 0);
  unsetenv("FAKE_CUDA");
}

/* Edges of a graph cost time on the device. */
TEST(graphs_have_few_edges)
{
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
TEST(copies_in_pieces)
{
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

TEST(empty_list)
{
  for (int mode = XB_LAUNCH_GRAPH; mode <= XB_LAUNCH_HELD_STREAM; mode++) {
    xb_error err = {0};
    xb_device *device = open_device((xb_launch_mode)mode);
    xb_commands *c = NULL;
    xb_point point;
    assert_int_equal(xb_commands_create(device, &(xb_commands_desc){0}, &c, &err), XB_OK);
    xb_cmd_barrier(c);
    assert_int_equal(xb_submit(device, &(xb_submission){.commands = c}, &point, &err), XB_OK);
    assert_int_equal(xb_wait(device, point, patience_ns(), &err), XB_OK);
    xb_commands_destroy(c);
    close_device(device);
  }
}

TEST_SOURCE(.begin = fake_begin);
