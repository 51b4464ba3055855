/* vulkan_lacks: simulated devices that lack something. The backend works without it, or says in one line what is
 * missing. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fake_device.h"
#include "test.h"

#define VK_NO_PROTOTYPES
#include <vulkan/vulkan_core.h>

/* ---- No usable device -------------------------------------------------------------------------------------------- */

TEST_WITH(test_no_devices, fresh, NULL)
{
  expect_refused(&(xb_shim_fake){.no_devices = true}, XB_UNAVAILABLE, "no Vulkan device");
}

TEST_WITH(test_vulkan_1_0, fresh, NULL)
{
  expect_refused(&(xb_shim_fake){.device_version = VK_API_VERSION_1_0}, XB_UNAVAILABLE, "no Vulkan device");
  expect_refused(&(xb_shim_fake){.loader_version = VK_API_VERSION_1_0}, XB_UNAVAILABLE,
                 "Vulkan 1.0, but 1.1 is needed");
}

TEST_WITH(test_no_compute_queue, fresh, NULL)
{
  char text[320];
  snprintf(text, sizeof text, "'%s' has no compute queue", real.name);
  expect_refused(&(xb_shim_fake){.no_compute = true}, XB_UNSUPPORTED, text);

  xb_device *device;
  xb_error err;
  const xb_device_desc desc = {.backend = vulkan, .choose_queue_family = true, .queue_family = 0};
  expect_error(xb_device_open(&desc, &device, &err), &err, XB_UNSUPPORTED, "queue family 0");
  expect_clean();

  uint32_t count; /* it is listed, without a compute queue */
  static xb_device_info info;
  expect_ok(xb_enumerate(vulkan, &info, 1, &count, &err), &err);
  assert_false(info.queues[XB_QUEUE_COMPUTE].present);
  expect_clean();
}

/* A driver that says that it filled all the room there was. */
TEST_WITH(test_families_that_do_not_exist, fresh, NULL)
{
  static xb_device_info info;
  uint32_t count;
  xb_device *device;
  xb_error err;
  shim->fake(&(xb_shim_fake){.fills_families = true});
  expect_ok(xb_enumerate(vulkan, &info, 1, &count, &err), &err);
  assert_int_equal(info.compute_families, real.compute_families);
  const xb_device_desc desc = {.backend = vulkan, .choose_queue_family = true, .queue_family = 31};
  expect_error(xb_device_open(&desc, &device, &err), &err, XB_UNSUPPORTED, "queue family 31");
  expect_clean();
}

/* A damaged driver's facts are checked when it is opened, and its lists when they are read. Wrong clocks are tried with
 * the whole program (results.kills), because only a measurement can see them. */
TEST_WITH(test_lies, fresh, NULL)
{
  static const struct {
    xb_code code;
    const char *text;
  } wanted[XB_SHIM_STOPPED_CLOCK] = {
      [XB_SHIM_NO_GROUPS] = {XB_INTERNAL, "reports 0 groups in x: update the driver"},
      [XB_SHIM_NO_ALIGNMENT] = {XB_INTERNAL,
                                "reports 48 bytes as the alignment of a binding, which is not a power of two"},
      [XB_SHIM_NO_SUBGROUPS] = {XB_INTERNAL, "reports 0 threads in a subgroup"},
      [XB_SHIM_NO_RANGE] = {XB_INTERNAL, "reports 0 bytes per binding"},
      [XB_SHIM_MANY_TYPES] = {XB_INTERNAL, "more than 32 memory types or 16 heaps"},
      [XB_SHIM_MANY_HEAPS] = {XB_INTERNAL, "more than 32 memory types or 16 heaps"},
      [XB_SHIM_NO_SUCH_HEAP] = {XB_INTERNAL, "a type without a heap"},
      [XB_SHIM_NO_FAMILIES] = {XB_UNSUPPORTED, "has no compute queue"},
      [XB_SHIM_NO_QUEUES] = {XB_INTERNAL, "queue 0 of family 0 is missing"},
      [XB_SHIM_SHRINKING_LISTS] = {XB_UNAVAILABLE, "no Vulkan device"},
  };
  static xb_device_info info;
  for (xb_shim_lie lie = XB_SHIM_HONEST + 1; lie < XB_SHIM_STOPPED_CLOCK; lie++) {
    const xb_shim_fake fake = {.lie = lie};
    uint32_t count;
    xb_error err;
    xb_buffer *buffer;
    shim->fake(&fake);
    xb_enumerate(vulkan, &info, 1, &count, &err);
    expect_clean();
    if (wanted[lie].code) {
      expect_refused(&fake, wanted[lie].code, wanted[lie].text);
      continue;
    }
    xb_device *device = open_fake(&fake);
    if (lie == XB_SHIM_NO_MAPS)
      expect_error(xb_buffer_create(device, &(xb_buffer_desc){.mem = XB_MEM_UPLOAD, .bytes = 4096}, &buffer, &err),
                   &err, XB_INTERNAL, "vkMapMemory: it returned no address");
    else
      expect_works(device);
    close_device(device);
  }
}

TEST_WITH(test_portability, fresh, NULL)
{
  xb_device *device = open_fake(&(xb_shim_fake){.portability = true, .more_extension = "VK_KHR_portability_subset"});
  assert_true(shim->enabled("VK_KHR_portability_subset"));
  expect_works(device);
  close_device(device);
  device = open_fake(&(xb_shim_fake){0});
  assert_false(shim->enabled("VK_KHR_portability_subset"));
  close_device(device);
  shim->make_fail("vkCreateInstance", 1 + shim->calls("vkCreateInstance"), VK_ERROR_EXTENSION_NOT_PRESENT, true);
  device = open_fake(&(xb_shim_fake){0}); /* an older loader */
  close_device(device);
}

/* ---- Older devices ----------------------------------------------------------------------------------------------- */

TEST_WITH(test_vulkan_1_1_loader_or_device, fresh, NULL)
{
  const xb_shim_fake fakes[] = {
      {.device_version = VK_API_VERSION_1_1, .copy_queue = true},
      {.loader_version = VK_API_VERSION_1_1, .copy_queue = true},
      {.device_version = VK_API_VERSION_1_2, .copy_queue = true},
  };
  for (size_t i = 0; i < sizeof fakes / sizeof *fakes; i++) {
    xb_device *device = open_fake(&fakes[i]);
    const bool v11 = i < 2; /* features of 1.2 are extensions in 1.1 */
    assert_true(shim->enabled(VK_EXT_SUBGROUP_SIZE_CONTROL_EXTENSION_NAME));
    assert_int_equal(shim->enabled(VK_KHR_TIMELINE_SEMAPHORE_EXTENSION_NAME), v11);
    assert_int_equal(shim->enabled(VK_EXT_HOST_QUERY_RESET_EXTENSION_NAME), v11);
    expect_works(device);
    close_device(device);
  }
}

TEST_WITH(test_no_extensions, fresh, NULL)
{
  xb_device *device =
      open_fake(&(xb_shim_fake){.device_version = VK_API_VERSION_1_1, .no_extension = "", .copy_queue = true});
  const xb_device_info *info = xb_device_get_info(device);
  assert_int_equal(info->subgroup_min, info->subgroup_size);
  assert_int_equal(info->subgroup_max, info->subgroup_size);
  assert_false(info->queues[XB_QUEUE_COPY].present); /* without timelines, queues cannot synchronize */
  assert_string_equal(info->pci, "");
  assert_int_equal(info->multiprocessors, 0);
  assert_int_equal(xb_device_free_bytes(device), 0);
  expect_works(device);

  xb_buffer *buffer; /* no budget: the message has the heap size only */
  xb_error err;
  shim->make_fail("vkAllocateMemory", 1 + shim->calls("vkAllocateMemory"), VK_ERROR_OUT_OF_DEVICE_MEMORY, true);
  expect_error(xb_buffer_create(device, &(xb_buffer_desc){.bytes = 4096}, &buffer, &err), &err, XB_NOMEM,
               "4096 bytes requested, this memory has ");
  close_device(device);
}

/* The driver may allocate more than it promises. If it does not, the message has the promise. */
TEST_WITH(test_largest_allocation, fresh, NULL)
{
  xb_device *device = open_fake(&(xb_shim_fake){.max_allocation_bytes = 4096});
  assert_int_equal(xb_device_get_info(device)->max_allocation_bytes, 4096);
  xb_buffer *buffer;
  xb_error err;
  expect_ok(xb_buffer_create(device, &(xb_buffer_desc){.bytes = 8192}, &buffer, &err), &err);
  xb_buffer_destroy(buffer);
  shim->make_fail("vkAllocateMemory", 1 + shim->calls("vkAllocateMemory"), VK_ERROR_OUT_OF_DEVICE_MEMORY, true);
  expect_error(xb_buffer_create(device, &(xb_buffer_desc){.bytes = 8192}, &buffer, &err), &err, XB_NOMEM,
               "8192 bytes requested, the driver promises at most 4096 in one allocation: use smaller buffers");
  close_device(device);
}

TEST_WITH(test_without_one_extension, fresh, NULL)
{
  static const char *const names[] = {
      VK_EXT_SUBGROUP_SIZE_CONTROL_EXTENSION_NAME, VK_KHR_TIMELINE_SEMAPHORE_EXTENSION_NAME,
      VK_EXT_HOST_QUERY_RESET_EXTENSION_NAME,      VK_KHR_PIPELINE_EXECUTABLE_PROPERTIES_EXTENSION_NAME,
      VK_EXT_MEMORY_BUDGET_EXTENSION_NAME,         VK_KHR_DRIVER_PROPERTIES_EXTENSION_NAME,
      VK_KHR_MAINTENANCE_4_EXTENSION_NAME,         VK_EXT_CALIBRATED_TIMESTAMPS_EXTENSION_NAME,
  };
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    xb_device *device =
        open_fake(&(xb_shim_fake){.device_version = VK_API_VERSION_1_1, .no_extension = names[i], .copy_queue = true});
    const xb_queue_info *copy = &xb_device_get_info(device)->queues[XB_QUEUE_COPY];
    assert_int_equal(copy->present, strcmp(names[i], VK_KHR_TIMELINE_SEMAPHORE_EXTENSION_NAME) != 0);
    if (!strcmp(names[i], VK_EXT_CALIBRATED_TIMESTAMPS_EXTENSION_NAME))
      assert_false(xb_device_get_info(device)->calibrates);
    if (!strcmp(names[i], VK_EXT_HOST_QUERY_RESET_EXTENSION_NAME))
      assert_int_equal(copy->timestamp_bits, 0); /* they could not be reset */
    expect_works(device);
    close_device(device);
  }
}

/* The backend uses debug utils for validation only. */
TEST_WITH(test_no_debug_utils, fresh, NULL)
{
  xb_device *device = open_fake(&(xb_shim_fake){.no_function = "vkSetDebugUtilsObjectNameEXT"});
  expect_works(device);
  close_device(device);
  if (!support_has_layer())
    return;
  xb_error err;
  shim->make_fail("vkCreateInstance", 1 + shim->calls("vkCreateInstance"), VK_ERROR_EXTENSION_NOT_PRESENT, false);
  expect_error(xb_device_open(&(xb_device_desc){.backend = vulkan, .validation = true}, &device, &err), &err,
               XB_UNSUPPORTED, "vkCreateInstance: VK_ERROR_EXTENSION_NOT_PRESENT");
  expect_clean();
}

/* The environment belongs to the program: other threads may read it. */
TEST_WITH(test_environment, fresh, NULL)
{
  if (!support_has_layer())
    return;
  unsetenv("VK_LAYER_ENABLES");
  xb_device *device = open_device(true);
  assert_null(getenv("VK_LAYER_ENABLES"));
  close_device(device);
}

/* Without subgroup size control nothing promises that subgroups are full. */
TEST_WITH(test_no_full_subgroups, fresh, NULL)
{
  xb_error err;
  xb_kernel *kernel = NULL;
  xb_device *device = open_fake(&(xb_shim_fake){.device_version = VK_API_VERSION_1_1,
                                                .no_extension = VK_EXT_SUBGROUP_SIZE_CONTROL_EXTENSION_NAME});
  xb_kernel_desc desc = step_desc();
  desc.subgroup_size = xb_device_get_info(device)->subgroup_size;
  expect_error(xb_kernel_create(device, &desc, &kernel, &err), &err, XB_UNSUPPORTED, "cannot promise them");
  close_device(device);
}

/* Asks for subgroups of `size` of a device with these; NULL: it gets them, or why not. */
static void expect_waves(const xb_shim_fake *fake, uint32_t size, uint32_t required, const char *refused)
{
  xb_error err;
  xb_kernel *kernel = NULL;
  xb_device *device = open_fake(fake);
  xb_kernel_desc desc = step_desc();
  desc.subgroup_size = size;
  const xb_code code = xb_kernel_create(device, &desc, &kernel, &err);
  if (refused)
    expect_error(code, &err, XB_UNSUPPORTED, refused);
  else {
    bool full;
    expect_ok(code, &err);
    assert_int_equal(shim->waves_asked(&full), required);
    assert_int_equal(full, size != 0);
    assert_int_equal(xb_kernel_get_info(kernel)->subgroup_size, size ? size : fake->waves);
  }
  xb_kernel_destroy(kernel);
  close_device(device);
}

/* A size is required where the device has several. Full subgroups are asked for in any case. */
TEST_WITH(test_waves_asked_for, fresh, NULL)
{
  const xb_shim_fake intel = {.least_waves = 8, .waves = 32, .most_waves = 32};
  const xb_shim_fake rdna = {.least_waves = 32, .waves = 64, .most_waves = 64};
  const xb_shim_fake vega = {.least_waves = 64, .waves = 64, .most_waves = 64, .no_sizes = true};
  const xb_shim_fake few = {.least_waves = 8, .waves = 32, .most_waves = 32, .most_waves_of_group = 1};
  expect_waves(&intel, 0, 0, NULL);
  expect_waves(&intel, 32, 32, NULL);
  expect_waves(&intel, 16, 16, NULL);
  expect_waves(&rdna, 32, 32, NULL);
  expect_waves(&rdna, 64, 64, NULL);
  expect_waves(&vega, 64, 0, NULL);
  expect_waves(&vega, 32, 0, "subgroups of 32");
  expect_waves(&few, 32, 0, NULL); /* its own size, which needs no request */
  expect_waves(&few, 8, 0, "64 threads in subgroups of 8, this device allows 1 subgroups per group");
}

/* Older layers corrupt the heap if command buffers have labels. */
TEST_WITH(test_labels_by_layer, fresh, NULL)
{
  static const uint32_t versions[] = {VK_MAKE_API_VERSION(0, 1, 3, 242), VK_MAKE_API_VERSION(0, 1, 3, 243)};
  if (!support_has_layer())
    return;
  for (int i = 0; i < 2; i++) {
    shim->reset();
    shim->fake(&(xb_shim_fake){.layer_version = versions[i]});
    xb_device *device = open_device(true);
    expect_works(device);
    close_device(device);
    const uint32_t begun = shim->calls("vkCmdBeginDebugUtilsLabelEXT");
    assert_int_equal(begun, i ? shim->calls("vkCmdDispatch") + shim->calls("vkCmdDispatchIndirect") : 0);
    assert_int_equal(begun, shim->calls("vkCmdEndDebugUtilsLabelEXT"));
    assert_true(shim->calls("vkCmdDispatch") > 0);
  }
}

TEST_SOURCE(.begin = fake_begin);
