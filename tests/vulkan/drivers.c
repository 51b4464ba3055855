/* vulkan_drivers: the smallest kernels that a driver of ours ran wrong, each with the drivers that are known for it.
 * Every other driver has to run them right; a known one that does is to be taken out of the list. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "blob.h"
#include "patience.h"
#include "support.h"

enum { THREADS = 64, BYTES = 2 * THREADS * sizeof(uint32_t) };

/* The words that one group leaves in a buffer of zeros. */
static void run(xb_device *device, const char *name, uint32_t words[2 * THREADS])
{
  const xb_blob *blob = xb_blob_find(name);
  assert_non_null(blob);
  const xb_kernel_desc desc = {.label = name,
                               .code = blob->data,
                               .code_bytes = blob->bytes,
                               .entry = "main",
                               .group_size = {THREADS, 1, 1},
                               .binding_count = 1};
  xb_error err;
  xb_kernel *kernel;
  xb_buffer *buffer;
  xb_commands *list;
  xb_point point;
  expect_ok(xb_kernel_create(device, &desc, &kernel, &err), &err);
  expect_ok(xb_buffer_create(device, &(xb_buffer_desc){.mem = XB_MEM_READBACK, .bytes = BYTES}, &buffer, &err), &err);
  expect_ok(xb_commands_create(device, &(xb_commands_desc){0}, &list, &err), &err);
  xb_cmd_fill(list, buffer, 0, BYTES, 0);
  xb_cmd_barrier(list);
  const xb_binding binding = {.buffer = buffer, .access = XB_READ_WRITE};
  xb_cmd_dispatch(list,
                  &(xb_dispatch){.kernel = kernel, .bindings = &binding, .binding_count = 1, .groups = {1, 1, 1}});
  expect_ok(xb_submit(device, &(xb_submission){.commands = list}, &point, &err), &err);
  expect_ok(xb_wait(device, point, patience_ns(), &err), &err);
  memcpy(words, xb_buffer_host(buffer), BYTES);
  xb_commands_destroy(list);
  xb_buffer_destroy(buffer);
  xb_kernel_destroy(kernel);
}

/* The result of an atomic in a loop, used behind it: a wrong one in threads that left before the last turn. */
TEST(test_leaves)
{
  static const char *const known[] = {"SwiftShader", "llvmpipe Mesa 22.3"};
  uint32_t words[2 * THREADS], wrong = 0;
  bool expected = false;
  xb_device *device = open_device(false);
  const char *driver = xb_device_get_info(device)->driver;
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    expected |= strstr(driver, known[i]) != NULL;
  run(device, "leaves", words);
  for (uint32_t i = 0; i < THREADS; i++) {
    assert_int_equal(words[i], i + 1);
    wrong += words[THREADS + i] != i;
  }
  print_message("leaves on %s: %u of %d results are wrong\n", driver, wrong, THREADS);
  assert_int_equal(wrong > 0, expected);
  close_device(device);
}

TEST_SOURCE(.begin = support_begin);
