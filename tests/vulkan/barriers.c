/* vulkan_barriers: how many barriers a list gets, and what they order. A list pays for reads of uniform buffers and of
 * group counts only if it has them. */
#include "shaders/args.h"
#include "support.h"

#define VK_NO_PROTOTYPES
#include <vulkan/vulkan_core.h>

enum { BYTES = 1024 };
static const uint32_t UNIFORM = VK_ACCESS_UNIFORM_READ_BIT, COUNTS = VK_ACCESS_INDIRECT_COMMAND_READ_BIT;

typedef struct fixture {
  xb_device *device;
  xb_buffer *a, *b, *c;
  xb_kernel *plain, *uniform;
  xb_commands *list;
} fixture;

static xb_buffer *make_buffer(xb_device *device)
{
  xb_buffer *buffer;
  xb_error err;
  expect_ok(xb_buffer_create(device, &(xb_buffer_desc){.bytes = BYTES}, &buffer, &err), &err);
  return buffer;
}

static int set_up(void **state)
{
  static fixture g;
  const xb_kernel_desc places = places_desc();
  xb_error err;
  shim->bury();
  shim->reset();
  g.device = open_device(false);
  g.a = make_buffer(g.device);
  g.b = make_buffer(g.device);
  g.c = make_buffer(g.device);
  expect_ok(step_kernel(g.device, &g.plain, &err), &err);
  expect_ok(xb_kernel_create(g.device, &places, &g.uniform, &err), &err);
  expect_ok(xb_commands_create(g.device, &(xb_commands_desc){0}, &g.list, &err), &err);
  *state = &g;
  return 0;
}

static int tear_down(void **state)
{
  const fixture *g = *state;
  xb_commands_destroy(g->list);
  xb_kernel_destroy(g->plain);
  xb_kernel_destroy(g->uniform);
  xb_buffer_destroy(g->a);
  xb_buffer_destroy(g->b);
  xb_buffer_destroy(g->c);
  close_device(g->device);
  return 0;
}

static void plain(const fixture *g)
{
  const struct step_args args = {.count = 16};
  const xb_binding bindings[] = {{.buffer = g->a, .access = XB_READ}, {.buffer = g->b, .access = XB_WRITE}};
  xb_cmd_dispatch(g->list, &(xb_dispatch){.kernel = g->plain,
                                          .bindings = bindings,
                                          .binding_count = 2,
                                          .args = &args,
                                          .arg_bytes = sizeof args,
                                          .groups = {1, 1, 1}});
}

static void uniform(const fixture *g, bool indirect)
{
  const xb_binding bindings[] = {{.kind = XB_BINDING_UNIFORM, .buffer = g->a, .size = 8, .access = XB_READ},
                                 {.buffer = g->a, .size = 256, .access = XB_READ},
                                 {.buffer = g->c, .size = 256, .access = XB_WRITE},
                                 {.buffer = g->c, .offset = 256, .size = 256, .access = XB_WRITE}};
  xb_dispatch d = {.kernel = g->uniform, .bindings = bindings, .binding_count = 4};
  if (indirect) {
    xb_cmd_dispatch_indirect(g->list, &d, g->a, 0);
    return;
  }
  d.groups[0] = d.groups[1] = d.groups[2] = 1;
  xb_cmd_dispatch(g->list, &d);
}

static void expect_barriers(uint32_t count, uint32_t special)
{
  assert_int_equal(shim->calls("vkCmdPipelineBarrier"), count);
  assert_int_equal(shim->last_barrier() & (UNIFORM | COUNTS), special);
}

static void finish(const fixture *g, uint32_t barriers)
{
  xb_error err;
  expect_ok(xb_commands_finish(g->list, &err), &err);
  assert_int_equal(shim->calls("vkCmdPipelineBarrier"), barriers);
}

/* The first barrier of a list is a full one. */
TEST_WITH(test_plain_lists, set_up, tear_down)
{
  const fixture *g = *state;
  plain(g);
  expect_barriers(1, 0);
  xb_cmd_barrier(g->list);
  plain(g);
  expect_barriers(2, 0);
  xb_cmd_barrier(g->list);
  xb_cmd_fill(g->list, g->a, 0, 4, 1);
  expect_barriers(3, 0);
  xb_cmd_barrier(g->list);
  xb_cmd_barrier(g->list);
  finish(g, 5);
}

/* What a dispatch may write by an address in memory of the host becomes visible to the host. */
TEST_WITH(test_writes_by_address, set_up, tear_down)
{
  const fixture *g = *state;
  xb_error err;
  xb_buffer *far;
  const xb_buffer_desc desc = {.mem = XB_MEM_READBACK, .bytes = BYTES, .addressable = true};
  expect_ok(xb_buffer_create(g->device, &desc, &far, &err), &err);
  xb_cmd_use(g->list, &(xb_binding){.buffer = far, .access = XB_WRITE}, 1);
  plain(g);
  expect_barriers(1, 0);
  finish(g, 2);
  assert_true(shim->last_barrier() & VK_ACCESS_HOST_READ_BIT);
  xb_buffer_destroy(far);
}

TEST_WITH(test_special_reads, set_up, tear_down)
{
  const fixture *g = *state;
  uniform(g, true); /* the full barrier ordered them */
  expect_barriers(1, 0);
  xb_cmd_barrier(g->list);
  uniform(g, false);
  expect_barriers(2, UNIFORM);
  xb_cmd_barrier(g->list);
  uniform(g, true);
  expect_barriers(3, UNIFORM | COUNTS);
  plain(g); /* no barrier asked for */
  expect_barriers(3, UNIFORM | COUNTS);
  xb_cmd_barrier(g->list);
  plain(g);
  expect_barriers(4, 0);
  finish(g, 4);
}

/* The barrier was recorded for a command that reads neither. The next one needs another. */
TEST_WITH(test_special_reads_later, set_up, tear_down)
{
  const fixture *g = *state;
  xb_cmd_barrier(g->list);
  plain(g);
  expect_barriers(2, 0);
  uniform(g, false);
  expect_barriers(3, UNIFORM);
  finish(g, 3);
}

static xb_code nothing(const xb_native *native, void *user, xb_error *err)
{
  (void)native, (void)user, (void)err;
  return XB_OK;
}

/* Native commands may read both. One barrier is enough for several of them. */
TEST_WITH(test_native_commands, set_up, tear_down)
{
  const fixture *g = *state;
  xb_cmd_native(g->list, nothing, NULL, NULL, 0); /* the full barrier ordered it */
  xb_cmd_barrier(g->list);
  plain(g);
  expect_barriers(2, 0);
  xb_cmd_native(g->list, nothing, NULL, NULL, 0);
  expect_barriers(3, UNIFORM | COUNTS);
  xb_cmd_native(g->list, nothing, NULL, NULL, 0);
  finish(g, 4); /* the last one is for the host */
}

/* A list takes each buffer that other devices see once, before it uses it, and gives it back at its end. */
TEST_WITH(test_external_buffers, set_up, tear_down)
{
  const fixture *g = *state;
  xb_buffer *seen;
  xb_error err;
  const uint32_t taken = shim->owners(false), given = shim->owners(true);
  if (!xb_device_get_info(g->device)->exports)
    skip();
  expect_ok(xb_buffer_create(g->device, &(xb_buffer_desc){.bytes = BYTES, .exportable = true}, &seen, &err), &err);
  plain(g);
  assert_int_equal(shim->owners(false), taken);
  xb_cmd_barrier(g->list);
  xb_cmd_fill(g->list, seen, 0, 4, 1);
  assert_int_equal(shim->owners(false), taken + 1);
  xb_cmd_barrier(g->list);
  xb_cmd_copy(g->list, g->a, 0, seen, 0, BYTES);
  finish(g, 5); /* the full one, two that were asked for, and the two of the owners */
  assert_int_equal(shim->owners(false), taken + 1);
  assert_int_equal(shim->owners(true), given + 1);
  xb_buffer_destroy(seen);
}

/* Without a barrier on both sides, the timestamp may be taken before earlier work ends, or after later work begins. */
TEST_WITH(test_timestamps, set_up, tear_down)
{
  const fixture *g = *state;
  xb_commands *list;
  xb_error err;
  expect_ok(xb_commands_create(g->device, &(xb_commands_desc){.timestamp_count = 1}, &list, &err), &err);
  const uint32_t before = shim->calls("vkCmdPipelineBarrier");
  xb_cmd_timestamp(list, 0);
  assert_int_equal(shim->calls("vkCmdPipelineBarrier"), before + 2);
  xb_commands_destroy(list);
}

TEST_SOURCE(.begin = support_begin);
