/* vulkan_fakes: simulated devices. The backend works on each of them, or reports in one line what is missing. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/clock.h"
#include "scenario.h"
#include "support.h"

#define VK_NO_PROTOTYPES
#include <vulkan/vulkan_core.h>

static xb_device_info real; /* the real device */

static int fresh(void **state)
{
  (void)state;
  shim->bury();
  shim->reset();
  return 0;
}

static xb_code try_open(const xb_shim_fake *fake, xb_device **device, xb_error *err)
{
  shim->fake(fake);
  return xb_device_open(&(xb_device_desc){.backend = vulkan}, device, err);
}

static xb_device *open_fake(const xb_shim_fake *fake)
{
  shim->fake(fake);
  return open_device(false);
}

static void expect_refused(const xb_shim_fake *fake, xb_code wanted, const char *text)
{
  xb_device *device;
  xb_error err;
  expect_error(try_open(fake, &device, &err), &err, wanted, text);
  assert_null(device);
  expect_clean();
}

static void expect_works(xb_device *device)
{
  xb_error err;
  expect_ok(scenario_work(device, NULL, NULL, &err), &err);
}

/* ---- No usable device -------------------------------------------------------------------------------------------- */

static void test_no_devices(void **state)
{
  (void)state;
  expect_refused(&(xb_shim_fake){.no_devices = true}, XB_UNAVAILABLE, "no Vulkan device");
}

static void test_vulkan_1_0(void **state)
{
  (void)state;
  expect_refused(&(xb_shim_fake){.device_version = VK_API_VERSION_1_0}, XB_UNAVAILABLE, "no Vulkan device");
  expect_refused(&(xb_shim_fake){.loader_version = VK_API_VERSION_1_0}, XB_UNAVAILABLE,
                 "Vulkan 1.0, but 1.1 is needed");
}

static void test_no_compute_queue(void **state)
{
  (void)state;
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
static void test_families_that_do_not_exist(void **state)
{
  (void)state;
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

static void test_portability(void **state)
{
  (void)state;
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

static void test_vulkan_1_1_loader_or_device(void **state)
{
  (void)state;
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

static void test_no_extensions(void **state)
{
  (void)state;
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
static void test_largest_allocation(void **state)
{
  (void)state;
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

static void test_without_one_extension(void **state)
{
  (void)state;
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
static void test_no_debug_utils(void **state)
{
  (void)state;
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
static void test_environment(void **state)
{
  (void)state;
  if (!support_has_layer())
    return;
  unsetenv("VK_LAYER_ENABLES");
  xb_device *device = open_device(true);
  assert_null(getenv("VK_LAYER_ENABLES"));
  close_device(device);
}

/* Without subgroup size control nothing promises that subgroups are full. */
static void test_no_full_subgroups(void **state)
{
  (void)state;
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
static void test_waves_asked_for(void **state)
{
  (void)state;
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
static void test_labels_by_layer(void **state)
{
  (void)state;
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

/* ---- Queues ------------------------------------------------------------------------------------------------------ */

static void test_copy_queue(void **state)
{
  (void)state;
  xb_device *device = open_fake(&(xb_shim_fake){.copy_queue = true});
  const xb_queue_info *queues = xb_device_get_info(device)->queues;
  assert_true(queues[XB_QUEUE_COPY].present);
  assert_int_not_equal(queues[XB_QUEUE_COPY].family, queues[XB_QUEUE_COMPUTE].family);
  expect_works(device);
  assert_int_equal(shim->calls("vkCreateSemaphore"), 2); /* a timeline for each queue */
  assert_true(shim->calls("vkResetQueryPool") + shim->calls("vkResetQueryPoolEXT") > 0);
  close_device(device);
}

/* As many as were asked for; those of a kind are of one family. */
static void test_several_queues(void **state)
{
  (void)state;
  xb_error err;
  xb_device *device;
  shim->fake(&(xb_shim_fake){.queue_count = 3, .copy_queue = true});
  xb_device_desc desc = {.backend = vulkan, .compute_queues = XB_ALL_QUEUES, .copy_queues = 2};
  expect_ok(xb_device_open(&desc, &device, &err), &err);
  const xb_queue_info *queues = xb_device_get_info(device)->queues;
  for (int q = 0; q < XB_MAX_QUEUES; q++)
    assert_int_equal(queues[q].present, q < 3 || (q >= XB_QUEUE_COPY && q < XB_QUEUE_COPY + 2));
  assert_int_equal(queues[2].family, queues[0].family);
  assert_int_equal(shim->calls("vkGetDeviceQueue"), 5);
  assert_int_equal(shim->calls("vkCreateSemaphore"), 5);
  expect_works(device);
  close_device(device);
  desc.copy_queues = 4;
  expect_error(xb_device_open(&desc, &device, &err), &err, XB_UNSUPPORTED, "has 3 copy queues, 4 requested");
  expect_clean();
  shim->fake(&(xb_shim_fake){.device_version = VK_API_VERSION_1_1,
                             .queue_count = 3,
                             .no_extension = VK_KHR_TIMELINE_SEMAPHORE_EXTENSION_NAME});
  desc = (xb_device_desc){.backend = vulkan, .compute_queues = 2};
  expect_error(xb_device_open(&desc, &device, &err), &err, XB_UNSUPPORTED, "has 1 compute queue, 2 requested");
  expect_clean();
}

/* ---- Timestamps -------------------------------------------------------------------------------------------------- */

static void test_no_timestamps(void **state)
{
  (void)state;
  xb_device *device = open_fake(&(xb_shim_fake){.set_timestamp_bits = true});
  xb_commands *commands;
  xb_error err;
  expect_error(xb_commands_create(device, &(xb_commands_desc){.timestamp_count = 2}, &commands, &err), &err,
               XB_UNSUPPORTED, "does not support timestamps");
  expect_works(device);
  assert_int_equal(shim->calls("vkCreateQueryPool"), 0);
  close_device(device);
}

/* The times that the backend computes from four ticks; index 3 is written before index 0. */
static void read_ticks_of(xb_device *device, xb_queue queue, double ns[XB_SHIM_TICKS])
{
  static const uint32_t ORDER[XB_SHIM_TICKS] = {3, 0, 1, 2};
  xb_commands *commands;
  xb_point point;
  xb_error err;
  expect_ok(xb_commands_create(device, &(xb_commands_desc){.queue = queue, .timestamp_count = XB_SHIM_TICKS}, &commands,
                               &err),
            &err);
  for (int i = 0; i < XB_SHIM_TICKS; i++)
    xb_cmd_timestamp(commands, ORDER[i]);
  expect_ok(xb_submit(device, &(xb_submission){.commands = commands}, &point, &err), &err);
  expect_ok(xb_wait(device, point, UINT64_C(20000000000), &err), &err);
  expect_ok(xb_commands_timestamps(commands, ns, XB_SHIM_TICKS, &err), &err);
  xb_commands_destroy(commands);
}

static void read_ticks(xb_device *device, double ns[XB_SHIM_TICKS])
{
  read_ticks_of(device, XB_QUEUE_COMPUTE, ns);
}

static void test_ticks_wrap(void **state)
{
  (void)state;
  static const uint32_t BITS[] = {32, 36, 48, 63, 64};
  for (size_t b = 0; b < sizeof BITS / sizeof *BITS; b++) {
    const uint64_t last = BITS[b] == 64 ? UINT64_MAX : (UINT64_C(1) << BITS[b]) - 1;
    xb_shim_fake fake = {
        .set_timestamp_bits = true,
        .timestamp_bits = BITS[b],
        .tick_count = XB_SHIM_TICKS,
        .ticks = {last - 999, last, 500, last - 1999}, /* by index; the counter wraps between 1 and 2 */
    };
    const double wanted[XB_SHIM_TICKS] = {0, 999, 1500, -1000};
    double ns[XB_SHIM_TICKS];
    xb_device *device = open_fake(&fake);
    read_ticks(device, ns);
    fake.ticks[0] = 100; /* it wraps between 3 and 0 */
    fake.ticks[1] = fake.ticks[2] = 100;
    fake.ticks[3] = last - 99;
    shim->fake(&fake);
    double again[XB_SHIM_TICKS];
    read_ticks(device, again);
    const double period = xb_device_get_info(device)->timestamp_period_ns;
    for (int i = 0; i < XB_SHIM_TICKS; i++)
      if (fabs(ns[i] - wanted[i] * period) > 1e-3)
        fail_msg("%u bits, index %d: %g ns, expected %g", BITS[b], i, ns[i], wanted[i] * period);
    assert_true(again[1] == 0 && again[2] == 0);
    if (fabs(again[3] + 200 * period) > 1e-3)
      fail_msg("%u bits, before index 0: %g ns, expected %g", BITS[b], again[3], -200 * period);
    close_device(device);
  }
}

/* The counter of another queue has other bits. A tick is as long as the device says. */
static void test_ticks_of_a_copy_queue(void **state)
{
  (void)state;
  const xb_shim_fake fake = {.copy_queue = true,
                             .set_timestamp_bits = true,
                             .timestamp_bits = 64,
                             .copy_timestamp_bits = 36,
                             .timestamp_period = 2.5f,
                             .tick_count = XB_SHIM_TICKS,
                             .ticks = {(UINT64_C(1) << 36) - 1000, (UINT64_C(1) << 36) - 1, 500, 7}};
  double ns[XB_SHIM_TICKS];
  xb_device *device = open_fake(&fake);
  read_ticks_of(device, XB_QUEUE_COPY, ns);
  assert_true(ns[0] == 0 && ns[1] == 999 * 2.5 && ns[2] == 1500 * 2.5);
  close_device(device);
}

/* Times of the device are the host's, whichever clock of the host the driver reads. */
static void test_host_clocks(void **state)
{
  (void)state;
  for (int raw = 0; raw < 2; raw++) {
    xb_device *device = open_fake(&(xb_shim_fake){.raw_clock = raw});
    xb_commands *commands;
    xb_point point;
    xb_error err;
    double ns, deviation;
    if (xb_device_get_info(device)->calibrates) {
      expect_ok(xb_commands_create(device, &(xb_commands_desc){.timestamp_count = 1}, &commands, &err), &err);
      xb_cmd_timestamp(commands, 0);
      expect_ok(xb_device_calibrate(device, &deviation, &err), &err);
      const double before = xb_clock_ns();
      expect_ok(xb_submit(device, &(xb_submission){.commands = commands}, &point, &err), &err);
      expect_ok(xb_wait(device, point, UINT64_C(20000000000), &err), &err);
      const double after = xb_clock_ns();
      expect_ok(xb_commands_times(commands, &ns, 1, &err), &err);
      if (ns < before - deviation || ns > after + deviation)
        fail_msg("clock %d: the timestamp is %g ns after the submission, which took %g", raw, ns - before,
                 after - before);
      xb_commands_destroy(commands);
    }
    close_device(device);
  }
}

/* ---- Memory ------------------------------------------------------------------------------------------------------ */

/* The host sees a copy that only flush and invalidate update: the scenario's data test both. */
static void test_non_coherent_memory(void **state)
{
  (void)state;
  xb_device *device = open_fake(&(xb_shim_fake){.memory = XB_SHIM_MEMORY_NON_COHERENT});
  expect_works(device);
  assert_true(shim->calls("vkFlushMappedMemoryRanges") > 0);
  assert_true(shim->calls("vkInvalidateMappedMemoryRanges") > 0);
  close_device(device);
}

static void test_coherent_memory(void **state)
{
  (void)state;
  xb_device *device = open_fake(&(xb_shim_fake){0});
  expect_works(device);
  assert_int_equal(shim->calls("vkFlushMappedMemoryRanges"), 0);
  assert_int_equal(shim->calls("vkInvalidateMappedMemoryRanges"), 0);
  close_device(device);
}

static void test_two_heaps(void **state)
{
  (void)state;
  static const struct {
    xb_mem mem;
    uint32_t type;
  } wanted[] = {
      {XB_MEM_DEVICE, XB_SHIM_TYPE_DEVICE},
      {XB_MEM_UPLOAD, XB_SHIM_TYPE_HOST},
      {XB_MEM_READBACK, XB_SHIM_TYPE_HOST_CACHED},
      {XB_MEM_UPLOAD_COMBINED, XB_SHIM_TYPE_HOST},
      {XB_MEM_DEVICE_MAPPED, XB_SHIM_TYPE_DEVICE_HOST},
      {XB_MEM_IMPORTED, XB_SHIM_TYPE_HOST_CACHED},
  };
  static _Alignas(4096) unsigned char page[4096];
  xb_device *device = open_fake(&(xb_shim_fake){.memory = XB_SHIM_MEMORY_TWO_HEAPS});
  const bool split = real.type == XB_DEVICE_CPU; /* lavapipe has one type; a device with more types keeps them */
  for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
    xb_buffer *buffer;
    xb_error err;
    xb_buffer_desc desc = {.mem = wanted[i].mem, .bytes = 4096};
    desc.host = desc.mem == XB_MEM_IMPORTED ? page : NULL;
    if (!split && desc.mem > XB_MEM_READBACK)
      continue;
    expect_ok(xb_buffer_create(device, &desc, &buffer, &err), &err);
    if (split)
      assert_int_equal(shim->last_memory_type(), wanted[i].type);
    assert_int_equal(xb_buffer_host(buffer) == NULL, wanted[i].mem == XB_MEM_DEVICE);
    xb_buffer_destroy(buffer);
  }
  if (split) /* system memory is not the device's own */
    assert_int_equal(xb_device_get_info(device)->memory_bytes, real.memory_bytes);
  expect_works(device);
  close_device(device);
}

/* Memory that the host's cache does not hold is found where all memory is device-local, too. */
static void test_integrated_memory(void **state)
{
  (void)state;
  static const struct {
    xb_mem mem;
    uint32_t type;
  } wanted[] = {{XB_MEM_UPLOAD, XB_SHIM_TYPE_LOCAL},
                {XB_MEM_UPLOAD_COMBINED, XB_SHIM_TYPE_LOCAL},
                {XB_MEM_READBACK, XB_SHIM_TYPE_LOCAL_CACHED}};
  if (real.type != XB_DEVICE_CPU)
    return;
  xb_device *device = open_fake(&(xb_shim_fake){.memory = XB_SHIM_MEMORY_INTEGRATED});
  for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
    xb_buffer *buffer;
    xb_error err;
    expect_ok(xb_buffer_create(device, &(xb_buffer_desc){.mem = wanted[i].mem, .bytes = 4096}, &buffer, &err), &err);
    assert_int_equal(shim->last_memory_type(), wanted[i].type);
    xb_buffer_destroy(buffer);
  }
  expect_works(device);
  close_device(device);
}

static void test_memory_that_the_host_cannot_see(void **state)
{
  (void)state;
  xb_device *device = open_fake(&(xb_shim_fake){.memory = XB_SHIM_MEMORY_NO_HOST});
  xb_buffer *buffer;
  xb_error err;
  expect_ok(xb_buffer_create(device, &(xb_buffer_desc){.mem = XB_MEM_DEVICE, .bytes = 4096}, &buffer, &err), &err);
  xb_buffer_destroy(buffer);
  for (int mem = XB_MEM_UPLOAD; mem < XB_MEM_IMPORTED; mem++)
    expect_error(xb_buffer_create(device, &(xb_buffer_desc){.mem = (xb_mem)mem, .bytes = 4096}, &buffer, &err), &err,
                 XB_UNSUPPORTED,
                 mem == XB_MEM_DEVICE_MAPPED ? "host-visible and coherent memory" : "the device has no ");
  close_device(device);
}

int main(int argc, char **argv)
{
  (void)argc;
  const int code = support_start(argv, false);
  if (code)
    return code;
  xb_device *device = open_device(false);
  real = *xb_device_get_info(device);
  close_device(device);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup(test_no_devices, fresh),
      cmocka_unit_test_setup(test_vulkan_1_0, fresh),
      cmocka_unit_test_setup(test_no_compute_queue, fresh),
      cmocka_unit_test_setup(test_portability, fresh),
      cmocka_unit_test_setup(test_vulkan_1_1_loader_or_device, fresh),
      cmocka_unit_test_setup(test_no_extensions, fresh),
      cmocka_unit_test_setup(test_largest_allocation, fresh),
      cmocka_unit_test_setup(test_without_one_extension, fresh),
      cmocka_unit_test_setup(test_no_debug_utils, fresh),
      cmocka_unit_test_setup(test_environment, fresh),
      cmocka_unit_test_setup(test_no_full_subgroups, fresh),
      cmocka_unit_test_setup(test_waves_asked_for, fresh),
      cmocka_unit_test_setup(test_labels_by_layer, fresh),
      cmocka_unit_test_setup(test_families_that_do_not_exist, fresh),
      cmocka_unit_test_setup(test_copy_queue, fresh),
      cmocka_unit_test_setup(test_several_queues, fresh),
      cmocka_unit_test_setup(test_no_timestamps, fresh),
      cmocka_unit_test_setup(test_ticks_wrap, fresh),
      cmocka_unit_test_setup(test_ticks_of_a_copy_queue, fresh),
      cmocka_unit_test_setup(test_host_clocks, fresh),
      cmocka_unit_test_setup(test_non_coherent_memory, fresh),
      cmocka_unit_test_setup(test_coherent_memory, fresh),
      cmocka_unit_test_setup(test_two_heaps, fresh),
      cmocka_unit_test_setup(test_integrated_memory, fresh),
      cmocka_unit_test_setup(test_memory_that_the_host_cannot_see, fresh),
  };
  return cmocka_run_group_tests_name("fakes", tests, NULL, NULL);
}
