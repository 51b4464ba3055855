/* The registry, listing, opening and closing. */
#include "support.h"

#include <stdlib.h>
#include <string.h>

UNIT_BARE(registry)
{
  assert_ptr_equal(xb_backend_at(0), &xb_backend_host);
  assert_ptr_equal(xb_backend_at(1), &unit_other_version);
  assert_null(xb_backend_at(2));
  assert_null(xb_backend_at(SIZE_MAX));
  assert_ptr_equal(xb_backend_find("host"), &xb_backend_host);
  assert_null(xb_backend_find("hos"));
  assert_null(xb_backend_find(NULL));
  assert_string_equal(xb_backend_name(&xb_backend_host), "host");
  assert_string_equal(xb_backend_name(NULL), "");
}

UNIT_BARE(listing)
{
  xb_error err;
  xb_device_info infos[3];
  uint32_t count = 9;
  memset(infos, 0xff, sizeof infos);
  assert_int_equal(xb_enumerate(&xb_backend_host, infos, 3, &count, &err), XB_OK);
  assert_int_equal(count, 2);
  assert_int_equal(infos[1].index, 1);
  assert_null(infos[2].backend);
  memset(infos, 0xff, sizeof infos);
  assert_int_equal(xb_enumerate(&xb_backend_host, infos, 1, &count, &err), XB_OK);
  assert_int_equal(count, 2);
  assert_int_equal(infos[1].index, UINT32_MAX);
  assert_int_equal(xb_enumerate(&xb_backend_host, NULL, 0, &count, &err), XB_OK);
  assert_int_equal(count, 2);
}

UNIT_BARE(listing_refused)
{
  xb_error err;
  xb_device_info info;
  uint32_t count;
  REFUSED(xb_enumerate(NULL, &info, 1, &count, &err), &err, XB_INVALID, "no backend");
  REFUSED(xb_enumerate(&unit_other_version, &info, 1, &count, &err), &err, XB_INVALID,
          "'other' has interface version 9");
  REFUSED(xb_enumerate(&xb_backend_host, &info, 1, NULL, &err), &err, XB_INVALID, "the result pointer is NULL");
  REFUSED(xb_enumerate(&xb_backend_host, NULL, 1, &count, &err), &err, XB_INVALID, "the result pointer is NULL");
  host_fail_call(1, XB_UNAVAILABLE);
  REFUSED(xb_enumerate(&xb_backend_host, &info, 1, &count, &err), &err, XB_UNAVAILABLE, "HOST_FAULT");
}

UNIT_BARE(opening_refused)
{
  xb_error err;
  xb_device *device = (xb_device *)&err;
  xb_device_desc desc = {.backend = &xb_backend_host};
  REFUSED(xb_device_open(NULL, &device, &err), &err, XB_INVALID, "the description or the result pointer is NULL");
  REFUSED(xb_device_open(&desc, NULL, &err), &err, XB_INVALID, "the result pointer is NULL");
  desc.backend = NULL;
  REFUSED(xb_device_open(&desc, &device, &err), &err, XB_INVALID, "no backend");
  assert_null(device);
  desc.backend = &unit_other_version;
  REFUSED(xb_device_open(&desc, &device, &err), &err, XB_INVALID, "'other' has interface version 9");
  desc = (xb_device_desc){.backend = &xb_backend_host, .index = 2};
  device = (xb_device *)&err;
  REFUSED(xb_device_open(&desc, &device, &err), &err, XB_UNAVAILABLE, "no device 2");
  assert_null(device);
  desc = (xb_device_desc){.backend = &xb_backend_host, .launch_mode = XB_LAUNCH_STREAM};
  REFUSED(xb_device_open(&desc, &device, &err), &err, XB_UNSUPPORTED, "launch mode");
}

static bool opened_with_validation(bool asked)
{
  xb_device *device;
  const xb_device_desc desc = {.backend = &xb_backend_host, .validation = asked};
  assert_int_equal(xb_device_open(&desc, &device, NULL), XB_OK);
  unit_close(device);
  return host_opened_with().validation;
}

UNIT_BARE(validation_by_environment)
{
  unsetenv("XB_VALIDATION");
  assert_false(opened_with_validation(false));
  assert_true(opened_with_validation(true));
  setenv("XB_VALIDATION", "1", 1);
  assert_true(opened_with_validation(false));
  setenv("XB_VALIDATION", "0", 1);
  assert_false(opened_with_validation(false));
  assert_true(opened_with_validation(true));
  setenv("XB_VALIDATION", "", 1);
  assert_false(opened_with_validation(false));
  unsetenv("XB_VALIDATION");
}

UNIT_BARE(facts)
{
  xb_device *device = unit_open(1);
  const xb_device_info *info = xb_device_get_info(device);
  assert_string_equal(info->name, "host device 1");
  assert_int_equal(info->launch_mode, XB_LAUNCH_GRAPH);
  assert_int_equal(xb_device_free_bytes(device), HOST_MEMORY);
  xb_buffer *buffer = unit_buffer(device, XB_MEM_DEVICE, 4096);
  assert_int_equal(xb_device_free_bytes(device), HOST_MEMORY - 4096);
  assert_int_equal(xb_device_status(device), XB_OK);
  xb_buffer_destroy(buffer);
  unit_close(device);
}

static void close_refused(xb_device *device)
{
  xb_error err;
  REFUSED(xb_device_close(device, &err), &err, XB_INVALID, "1 buffers, kernels or command lists");
  assert_int_equal(xb_device_status(device), XB_OK);
  assert_int_equal(host_alive().devices, 1);
}

UNIT_BARE(closing_with_something_alive)
{
  xb_device *device = unit_open(0);
  xb_buffer *buffer = unit_buffer(device, XB_MEM_UPLOAD, 4);
  close_refused(device);
  xb_buffer_destroy(buffer);
  xb_kernel *kernel = unit_kernel(device, "k", 1, 0, 0);
  close_refused(device);
  xb_kernel_destroy(kernel);
  xb_commands *c = unit_commands(device, XB_QUEUE_COMPUTE, 0);
  close_refused(device);
  xb_commands_destroy(c);
  unit_close(device);
}

UNIT_BARE(nothing_is_fine)
{
  assert_int_equal(xb_device_close(NULL, NULL), XB_OK);
  xb_buffer_destroy(NULL);
  xb_kernel_destroy(NULL);
  xb_commands_destroy(NULL);
}
