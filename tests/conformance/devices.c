#include "patience.h"
#include "suite.h"
#include "xb/backend.h"

#include <stdlib.h>
#include <string.h>

enum { MOST = 16 };

static uint32_t list_devices(xb_device_info infos[MOST])
{
  uint32_t count = 0;
  xb_error err;
  CHECK(xb_enumerate(suite_backend, infos, MOST, &count, &err), &err);
  assert_in_range(count, 1, MOST);
  return count;
}

static bool power_of_two(uint64_t n)
{
  return n && !(n & (n - 1));
}

static void facts_of(const xb_device_info *info)
{
  assert_string_equal(info->backend, xb_backend_name(suite_backend));
  assert_true(*info->name);
  assert_true(*info->driver);
  assert_true(*info->api_version);
  assert_true(info->max_binding_bytes >= 4);
  assert_true(info->max_buffer_bytes >= info->max_binding_bytes || !info->max_buffer_bytes);
  assert_true(power_of_two(info->binding_align) && info->binding_align <= 256);
  uint64_t threads = 1;
  for (int i = 0; i < 3; i++) {
    assert_true(info->max_groups[i] > 0);
    assert_true(info->max_group_size[i] > 0);
    threads *= info->max_group_size[i];
  }
  assert_true(info->max_group_threads > 0 && info->max_group_threads <= threads);
  assert_true(info->shared_bytes > 0 && info->shared_optin_bytes >= info->shared_bytes);
  assert_true(info->max_arg_bytes > 0);
  assert_true(power_of_two(info->subgroup_size));
  assert_true(power_of_two(info->subgroup_min) && power_of_two(info->subgroup_max));
  assert_true(info->subgroup_min <= info->subgroup_size && info->subgroup_size <= info->subgroup_max);
  assert_true(info->memory_bytes > 0);
  assert_true(info->queues[XB_QUEUE_COMPUTE].present);
  for (int q = 0; q < XB_MAX_QUEUES; q++)
    assert_true(!info->queues[q].timestamp_bits || info->timestamp_period_ns > 0);
}

CASE(listing)
{
  xb_device_info first[MOST], second[MOST];
  const uint32_t count = list_devices(first);
  assert_int_equal(list_devices(second), count);
  for (uint32_t i = 0; i < count; i++) {
    facts_of(&first[i]);
    assert_int_equal(first[i].index, i);
    assert_string_equal(first[i].name, second[i].name);
    assert_int_equal(first[i].has_uuid, second[i].has_uuid);
    assert_memory_equal(first[i].uuid, second[i].uuid, XB_UUID_BYTES);
  }
}

CASE(an_open_device_is_the_listed_one)
{
  xb_device_info infos[MOST];
  assert_true(list_devices(infos) > suite_device_index());
  const xb_device_info *listed = &infos[suite_device_index()];
  facts_of(suite_info);
  assert_int_equal(suite_info->index, listed->index);
  assert_string_equal(suite_info->name, listed->name);
  assert_memory_equal(suite_info->uuid, listed->uuid, XB_UUID_BYTES);
  assert_int_equal(suite_info->max_binding_bytes, listed->max_binding_bytes);
  assert_memory_equal(suite_info->max_groups, listed->max_groups, sizeof listed->max_groups);
  assert_int_equal(suite_info->memory_bytes, listed->memory_bytes);
  assert_true(suite_info->launch_mode != XB_LAUNCH_DEFAULT);
}

CASE(no_such_device)
{
  xb_device *device;
  xb_error err;
  const xb_device_desc desc = {.backend = suite_backend, .index = 1000};
  REFUSED(xb_device_open(&desc, &device, &err), &err, XB_UNAVAILABLE, "1000");
  assert_null(device);
}

/* Uses the device, so that closing it has something to undo. */
static void use_once(xb_device *device, uint32_t word)
{
  xb_buffer *down;
  xb_commands *c;
  xb_point point;
  xb_error err;
  CHECK(xb_buffer_create(device, &(xb_buffer_desc){.mem = XB_MEM_READBACK, .bytes = 64}, &down, &err), &err);
  CHECK(xb_commands_create(device, &(xb_commands_desc){0}, &c, &err), &err);
  xb_cmd_fill(c, down, 0, 64, word);
  CHECK(xb_submit(device, &(xb_submission){.commands = c}, &point, &err), &err);
  CHECK(xb_wait(device, point, patience_ns(), &err), &err);
  SAME_WORD(0, *(uint32_t *)xb_buffer_host(down), word);
  xb_commands_destroy(c);
  xb_buffer_destroy(down);
}

CASE(open_and_close_again)
{
  const xb_device_desc desc = suite_desc();
  xb_error err;
  for (uint32_t i = 0; i < 5; i++) {
    xb_device *device;
    CHECK(xb_device_open(&desc, &device, &err), &err);
    use_once(device, i);
    CHECK(xb_device_close(device, &err), &err);
  }
  use_once(suite_device, 77); /* the device that stayed open still works */
}

CASE(two_at_once)
{
  const xb_device_desc desc = suite_desc();
  xb_device *other;
  xb_error err;
  CHECK(xb_device_open(&desc, &other, &err), &err);
  use_once(suite_device, 1);
  use_once(other, 2);
  use_once(suite_device, 3);
  CHECK(xb_device_close(other, &err), &err);
}

typedef struct asked {
  int calls;
  xb_code answer;
} asked;

static xb_code ask(const xb_native *native, void *user, xb_error *err)
{
  asked *a = user;
  a->calls++;
  assert_string_equal(native->backend, suite_info->backend);
  assert_non_null(native->device);
  assert_null(native->commands);
  return a->answer ? xb_fail(err, a->answer, "ask", "said no") : XB_OK;
}

/* A library prepares itself on each of two devices. The caller gets the library's error, and the device still works. */
CASE(native_without_a_list)
{
  const xb_device_desc desc = suite_desc();
  xb_device *other;
  xb_error err;
  asked a = {0};
  if (!suite_backend->device_native) {
    REFUSED(xb_device_native(suite_device, ask, &a, &err), &err, XB_UNSUPPORTED, "native");
    return;
  }
  CHECK(xb_device_open(&desc, &other, &err), &err);
  CHECK(xb_device_native(suite_device, ask, &a, &err), &err);
  CHECK(xb_device_native(other, ask, &a, &err), &err);
  assert_int_equal(a.calls, 2);
  a.answer = XB_NOMEM;
  REFUSED(xb_device_native(suite_device, ask, &a, &err), &err, XB_NOMEM, "said no");
  REFUSED(xb_device_native(suite_device, NULL, &a, &err), &err, XB_INVALID, "no function");
  assert_int_equal(a.calls, 3);
  use_once(suite_device, 5);
  CHECK(xb_device_close(other, &err), &err);
}

/* The kind of code has a name. */
CASE(code_is_named)
{
  assert_true(suite_info->code && *suite_info->code);
}

TEST_SOURCE(SUITE);
