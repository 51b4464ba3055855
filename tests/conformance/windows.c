/* Windows of accesses that persist in the last-level cache, and devices with a context of their own. */
#include "suite.h"

#include <stdlib.h>

enum { WORDS = 4096, GROUP = 64 };

/* Records a dispatch of the kernel "index" to all of the buffer. */
static void index_all(xb_commands *c, xb_buffer *buffer, xb_window window)
{
  const struct index_args args = {.count = WORDS, .grid_x = WORDS / GROUP, .mul = 7, .add = 3};
  const xb_binding binding = bound(buffer, XB_WRITE);
  xb_cmd_dispatch(c, &(xb_dispatch){.kernel = kernel_of("index"),
                                    .bindings = &binding,
                                    .binding_count = 1,
                                    .args = &args,
                                    .arg_bytes = sizeof args,
                                    .groups = {WORDS / GROUP, 1, 1},
                                    .window = window});
}

static void refused_with(xb_window window, xb_code code, const char *text)
{
  xb_error err;
  xb_commands *c = list_of(XB_QUEUE_COMPUTE, 0);
  index_all(c, buffer_of(XB_MEM_DEVICE, WORDS * 4), window);
  REFUSED(xb_commands_finish(c, &err), &err, code, text);
}

CASE(persisting)
{
  xb_error err;
  uint64_t set = 1;
  CHECK(xb_device_persist(suite_device, 0, &set, &err), &err);
  assert_int_equal(set, 0);
  REFUSED(xb_device_persist(suite_device, suite_info->persisting_bytes + 1, &set, &err), &err, XB_UNSUPPORTED,
          suite_info->name);
  REFUSED(xb_device_persist(suite_device, 0, NULL, &err), &err, XB_INVALID, "the result pointer is NULL");
  assert_int_equal(suite_info->persisting_bytes != 0, suite_info->window_bytes != 0);
}

CASE(windows)
{
  xb_error err;
  uint64_t set;
  uint32_t got[WORDS];
  const xb_window window = {.offset = 64, .bytes = WORDS * 4 - 64, .hit_ratio = 0.5f};
  refused_with((xb_window){.bytes = suite_info->window_bytes + 1, .hit_ratio = 1}, XB_UNSUPPORTED, suite_info->name);
  if (suite_info->window_bytes < WORDS * 4)
    skip();
  refused_with((xb_window){.offset = 4, .bytes = WORDS * 4, .hit_ratio = 1}, XB_INVALID, "not inside");
  refused_with((xb_window){.binding = 1, .bytes = 4, .hit_ratio = 1}, XB_INVALID, "not inside");
  refused_with((xb_window){.bytes = 4, .hit_ratio = 1.5f}, XB_INVALID, "hit ratio");
  const xb_code code = xb_device_persist(suite_device, suite_info->persisting_bytes, &set, &err);
  if (code == XB_UNSUPPORTED) /* a part of a GPU */
    skip();
  CHECK(code, &err);
  assert_true(set > 0);
  xb_buffer *buffer = buffer_of(XB_MEM_DEVICE, sizeof got);
  xb_commands *c = list_of(XB_QUEUE_COMPUTE, 0);
  index_all(c, buffer, window);
  xb_cmd_barrier(c);
  index_all(c, buffer, (xb_window){0});
  run(c);
  run(c);
  CHECK(xb_device_persist(suite_device, 0, &set, &err), &err);
  assert_int_equal(set, 0);
  read_buffer(buffer, 0, got, sizeof got);
  for (uint32_t i = 0; i < WORDS; i++)
    SAME_WORD(i, got[i], i * 7 + 3);
}

/* Both devices work, before and after the other one is closed. */
CASE(own_context)
{
  xb_error err;
  xb_device *own;
  xb_buffer *buffer;
  uint32_t word = 5, back = 0;
  const xb_device_desc desc = {.backend = suite_backend, .index = suite_device_index(), .own_context = true};
  CHECK(xb_device_open(&desc, &own, &err), &err);
  CHECK(xb_buffer_create(own, &(xb_buffer_desc){.bytes = 4}, &buffer, &err), &err);
  CHECK(xb_upload(buffer, 0, &word, 4, &err), &err);
  fill_buffer(buffer_of(XB_MEM_DEVICE, 4), 9);
  CHECK(xb_download(buffer, 0, &back, 4, &err), &err);
  assert_int_equal(back, 5);
  xb_buffer_destroy(buffer);
  CHECK(xb_device_close(own, &err), &err);
  xb_buffer *mine = buffer_of(XB_MEM_DEVICE, 4);
  fill_buffer(mine, 11);
  read_buffer(mine, 0, &back, 4);
  assert_int_equal(back, 11);
}

TEST_SOURCE(SUITE);
