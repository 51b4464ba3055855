/* vulkan_fakes: simulated devices with other queues, timestamps and memory than the real one. */
#include <math.h>

#include "core/clock.h"
#include "fake_device.h"
#include "patience.h"
#include "test.h"

#define VK_NO_PROTOTYPES
#include <vulkan/vulkan_core.h>

/* ---- Queues ------------------------------------------------------------------------------------------------------ */

TEST_WITH(test_copy_queue, fresh, NULL)
{
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
TEST_WITH(test_several_queues, fresh, NULL)
{
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

TEST_WITH(test_no_timestamps, fresh, NULL)
{
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
  expect_ok(xb_wait(device, point, patience_ns(), &err), &err);
  expect_ok(xb_commands_timestamps(commands, ns, XB_SHIM_TICKS, &err), &err);
  xb_commands_destroy(commands);
}

static void read_ticks(xb_device *device, double ns[XB_SHIM_TICKS])
{
  read_ticks_of(device, XB_QUEUE_COMPUTE, ns);
}

TEST_WITH(test_ticks_wrap, fresh, NULL)
{
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
TEST_WITH(test_ticks_of_a_copy_queue, fresh, NULL)
{
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
TEST_WITH(test_host_clocks, fresh, NULL)
{
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
      expect_ok(xb_wait(device, point, patience_ns(), &err), &err);
      const double after = xb_clock_ns();
      expect_ok(xb_commands_times(commands, &ns, 1, &err), &err);
      deviation += (after - before) / 1000; /* two clocks of the host drift apart, by less than this */
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
TEST_WITH(test_non_coherent_memory, fresh, NULL)
{
  xb_device *device = open_fake(&(xb_shim_fake){.memory = XB_SHIM_MEMORY_NON_COHERENT});
  expect_works(device);
  assert_true(shim->calls("vkFlushMappedMemoryRanges") > 0);
  assert_true(shim->calls("vkInvalidateMappedMemoryRanges") > 0);
  close_device(device);
}

TEST_WITH(test_coherent_memory, fresh, NULL)
{
  xb_device *device = open_fake(&(xb_shim_fake){0});
  expect_works(device);
  assert_int_equal(shim->calls("vkFlushMappedMemoryRanges"), 0);
  assert_int_equal(shim->calls("vkInvalidateMappedMemoryRanges"), 0);
  close_device(device);
}

TEST_WITH(test_two_heaps, fresh, NULL)
{
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
TEST_WITH(test_integrated_memory, fresh, NULL)
{
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

TEST_WITH(test_memory_that_the_host_cannot_see, fresh, NULL)
{
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

TEST_SOURCE(.begin = fake_begin);
