/* Tests the monitor of a GPU's clocks with a fake NVML. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <dlfcn.h>
#include <stdio.h>

#include "machine/monitor.h"
#include "test.h"

enum { NOT_SUPPORTED = 3, DRIVER_NOT_LOADED = 9, GPU_IS_LOST = 15 };

static const char *folder; /* of the libraries */
static void *held;         /* keeps the cells between monitors */
static unsigned long long *(*fake)(const char *name);

static const xb_device_info gpu = {
    .has_uuid = true,
    .type = XB_DEVICE_DISCRETE,
    .uuid = {0xA0, 0xA1, 0xA2, 0xA3, 0xA4, 0xA5, 0xA6, 0xA7, 0xA8, 0xA9, 0xAA, 0xAB, 0xAC, 0xAD, 0xAE, 0xAF},
};

static void set(const char *name, unsigned long long value)
{
  *fake(name) = value;
}

static const char *path_of(const char *library)
{
  static char path[1024];
  snprintf(path, sizeof path, "%s/%s.so", folder, library);
  return path;
}

/* Closes the library. Every monitor must be closed. */
static void drop(void)
{
  if (!held)
    return;
  assert_int_equal(*fake("initialized"), 0);
  assert_int_equal(*fake("shut down too often"), 0);
  dlclose(held);
  held = NULL;
}

/* Uses this library as NVML from now on: a busy GPU without throttling. */
static void take(const char *library)
{
  drop();
  setenv("XB_NVML", path_of(library), 1);
  held = dlopen(path_of(library), RTLD_NOW | RTLD_LOCAL);
  if (!held)
    fail_msg("%s", dlerror());
  void *symbol = dlsym(held, "fake_nvml");
  memcpy(&fake, &symbol, sizeof symbol);
  assert_non_null(fake);
  set("reset", 0);
  set("clock", 1980);
  set("memory clock", 3201);
  set("temperature", 41);
  set("milliwatts", 650250);
}

static int setup(void **state)
{
  (void)state;
  take("nvml");
  return 0;
}

static int teardown(void **state)
{
  (void)state;
  drop();
  return 0;
}

static xb_monitor *open_gpu(void)
{
  xb_monitor *monitor = xb_monitor_open(&gpu);
  assert_non_null(monitor);
  return monitor;
}

static void assert_state(xb_gpu_state got, xb_gpu_state expected)
{
  assert_int_equal(got.known, expected.known);
  assert_int_equal(got.clock_mhz, expected.clock_mhz);
  assert_int_equal(got.memory_clock_mhz, expected.memory_clock_mhz);
  assert_int_equal(got.temperature_c, expected.temperature_c);
  assert_true(got.power_w == expected.power_w);
  assert_int_equal(got.throttle_known, expected.throttle_known);
  assert_int_equal(got.counters_known, expected.counters_known);
  assert_int_equal(got.throttle, expected.throttle);
}

static const xb_gpu_state all_well = {
    .known = true,
    .clock_mhz = 1980,
    .memory_clock_mhz = 3201,
    .temperature_c = 41,
    .power_w = 650.25,
    .throttle_known = true,
    .counters_known = true,
};

TEST_WITH(test_all_well, setup, teardown)
{
  xb_monitor *monitor = open_gpu();
  assert_state(xb_monitor_read(monitor), all_well);
  assert_int_equal(xb_monitor_read(monitor).throttle, 0);
  assert_string_equal(xb_monitor_driver(monitor), "580.159.04");
  xb_monitor_close(monitor);
}

TEST_WITH(test_no_monitor, setup, teardown)
{
  assert_state(xb_monitor_read(NULL), (xb_gpu_state){0});
  assert_int_equal(xb_monitor_read(NULL).throttle, 0);
  assert_string_equal(xb_monitor_driver(NULL), "");
  xb_monitor_close(NULL);
}

static void assert_nothing_known(void)
{
  xb_monitor *monitor = open_gpu();
  set("reasons", 0x4);
  set("policy 00", 1);
  assert_state(xb_monitor_read(monitor), (xb_gpu_state){0});
  assert_int_equal(xb_monitor_read(monitor).throttle, 0);
  assert_string_equal(xb_monitor_driver(monitor), "");
  xb_monitor_close(monitor);
}

/* ---- Functions that fail ---------------------------------------------------------------------------------------- */

static const char *const required[] = {"nvmlInit_v2", "nvmlShutdown", "nvmlDeviceGetHandleByUUID"};
static const char *const optional[] = {
    "nvmlSystemGetDriverVersion", "nvmlDeviceGetClockInfo",       "nvmlDeviceGetTemperature",
    "nvmlDeviceGetPowerUsage",    "nvmlDeviceGetViolationStatus", "nvmlDeviceGetCurrentClocksEventReasons",
};
enum { REQUIRED = sizeof required / sizeof required[0], OPTIONAL = sizeof optional / sizeof optional[0] };

/* Everything is known except the values from this function. */
static void assert_only_lacks(const char *function)
{
  xb_gpu_state expected = all_well;
  if (strstr(function, "ClockInfo"))
    expected.clock_mhz = expected.memory_clock_mhz = 0;
  if (strstr(function, "Temperature"))
    expected.temperature_c = 0;
  if (strstr(function, "PowerUsage"))
    expected.power_w = 0;
  expected.counters_known = !strstr(function, "ViolationStatus");
  xb_monitor *monitor = open_gpu();
  assert_state(xb_monitor_read(monitor), expected);
  assert_string_equal(xb_monitor_driver(monitor), strstr(function, "Version") ? "" : "580.159.04");
  /* Each of the two sources of throttling is enough. */
  set("reasons", 0x4);
  set("policy 01", 1);
  const bool sees_reasons = !strstr(function, "EventReasons"), sees_counters = !strstr(function, "ViolationStatus");
  assert_int_equal(xb_monitor_read(monitor).throttle,
                   (sees_reasons ? XB_THROTTLE_POWER : 0) | (sees_counters ? XB_THROTTLE_THERMAL : 0));
  xb_monitor_close(monitor);
}

TEST_WITH(test_missing, setup, teardown)
{
  char library[64];
  for (int i = 0; i < REQUIRED; i++) {
    snprintf(library, sizeof library, "lacks_%s", required[i]);
    take(library);
    assert_null(xb_monitor_open(&gpu));
    assert_int_equal(*fake("calls"), 0);
  }
  for (int i = 0; i < OPTIONAL; i++) {
    snprintf(library, sizeof library, "lacks_%s", optional[i]);
    take(library);
    assert_only_lacks(optional[i]);
  }
  take("bare");
  assert_nothing_known();
}

TEST_WITH(test_not_supported, setup, teardown)
{
  for (int i = 0; i < OPTIONAL; i++) {
    take("nvml");
    set(optional[i], NOT_SUPPORTED);
    assert_only_lacks(optional[i]);
  }
  for (int i = 0; i < OPTIONAL; i++)
    set(optional[i], NOT_SUPPORTED);
  assert_nothing_known();
}

/* A driver with the old name of the function for the reasons. */
TEST_WITH(test_old_name, setup, teardown)
{
  take("old");
  xb_monitor *monitor = open_gpu();
  set("reasons", 0x20);
  assert_int_equal(xb_monitor_read(monitor).throttle, XB_THROTTLE_THERMAL);
  xb_monitor_close(monitor);
}

/* A GPU that is lost while it is monitored. */
TEST_WITH(test_lost, setup, teardown)
{
  xb_monitor *monitor = open_gpu();
  for (int i = 0; i < OPTIONAL; i++)
    set(optional[i], GPU_IS_LOST);
  assert_state(xb_monitor_read(monitor), (xb_gpu_state){0});
  assert_string_equal(xb_monitor_driver(monitor), "580.159.04");
  xb_monitor_close(monitor);
}

/* ---- Missing devices and libraries ------------------------------------------------------------------------------ */

TEST_WITH(test_no_device, setup, teardown)
{
  xb_device_info other = gpu;
  other.uuid[15] ^= 1;
  assert_null(xb_monitor_open(&other));
  assert_int_equal(*fake("calls"), 2);
  set("nvmlInit_v2", DRIVER_NOT_LOADED);
  assert_null(xb_monitor_open(&gpu));
  assert_int_equal(*fake("calls"), 2);
}

/* MIG: a part of a GPU has a UUID of its own, and the clocks of the whole. */
TEST_WITH(test_part, setup, teardown)
{
  xb_device_info part = gpu;
  part.uuid[0] = 0xb0;
  xb_monitor *monitor = xb_monitor_open(&part);
  assert_non_null(monitor);
  assert_state(xb_monitor_read(monitor), all_well);
  xb_monitor_close(monitor);
}

TEST_WITH(test_no_library, setup, teardown)
{
  setenv("XB_NVML", path_of("absent"), 1);
  assert_null(xb_monitor_open(&gpu));
  setenv("XB_NVML", path_of("damaged"), 1);
  assert_null(xb_monitor_open(&gpu));
}

static bool opened(void)
{
  return getenv("FAKE_NVML_OPENED");
}

TEST_WITH(test_not_opened, setup, teardown)
{
  drop();
  unsetenv("FAKE_NVML_OPENED");
  xb_device_info cpu = gpu, nameless = gpu;
  cpu.type = XB_DEVICE_CPU;
  nameless.has_uuid = false;
  assert_null(xb_monitor_open(&cpu));
  assert_null(xb_monitor_open(&nameless));
  assert_false(opened());
  xb_monitor *monitor = open_gpu();
  assert_true(opened());
  xb_monitor_close(monitor);
  assert_null(dlopen(path_of("nvml"), RTLD_NOW | RTLD_NOLOAD)); /* nor is it open */
}

/* ---- Reasons of throttling -------------------------------------------------------------------------------------- */

TEST_WITH(test_reasons, setup, teardown)
{
  static const struct {
    unsigned long long reasons;
    uint32_t throttle;
  } cases[] = {
      {0x1, 0},   /* idle */
      {0x2, 0},   /* application clocks */
      {0x100, 0}, /* display clocks */
      {0x4, XB_THROTTLE_POWER},
      {0x8, XB_THROTTLE_HARDWARE},
      {0x10, XB_THROTTLE_OTHER},
      {0x20, XB_THROTTLE_THERMAL},
      {0x40, XB_THROTTLE_THERMAL},
      {0x80, XB_THROTTLE_HARDWARE},
      {0x200, XB_THROTTLE_OTHER},
      {0x400, XB_THROTTLE_OTHER},
      {0x8000000000000000, 0}, /* of a future driver */
      {0x103, 0},
      {0x48, XB_THROTTLE_THERMAL | XB_THROTTLE_HARDWARE},
      {0x7FF, XB_THROTTLE_POWER | XB_THROTTLE_THERMAL | XB_THROTTLE_HARDWARE | XB_THROTTLE_OTHER},
      {0, 0},
  };
  xb_monitor *monitor = open_gpu();
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    set("reasons", cases[i].reasons);
    for (int again = 0; again < 2; again++) { /* no change in the second round */
      assert_int_equal(xb_monitor_read(monitor).throttle, cases[i].throttle);
      xb_gpu_state expected = all_well;
      expected.throttle = cases[i].throttle;
      assert_state(xb_monitor_read(monitor), expected);
    }
  }
  xb_monitor_close(monitor);
}

TEST_WITH(test_counters, setup, teardown)
{
  static const struct {
    const char *policy;
    uint32_t throttle;
  } cases[] = {
      {"policy 00", XB_THROTTLE_POWER},
      {"policy 01", XB_THROTTLE_THERMAL},
      {"policy 02", XB_THROTTLE_OTHER},
      {"policy 03", XB_THROTTLE_OTHER},
      {"policy 04", 0}, /* low utilization */
      {"policy 05", XB_THROTTLE_OTHER},
      {"policy 10", 0},
      {"policy 11", 0}, /* the totals */
  };
  enum { CASES = sizeof cases / sizeof cases[0] };
  for (int i = 0; i < CASES; i++)
    set(cases[i].policy, 1ull << 40); /* before the monitor was opened */
  xb_monitor *monitor = open_gpu();
  assert_int_equal(xb_monitor_read(monitor).throttle, 0);
  for (int i = 0; i < CASES; i++) {
    ++*fake(cases[i].policy);
    assert_int_equal(xb_monitor_read(monitor).throttle, cases[i].throttle);
    assert_int_equal(xb_monitor_read(monitor).throttle, 0);
    ++*fake(cases[i].policy);
    assert_int_equal(xb_monitor_read(monitor).throttle, cases[i].throttle);
    assert_int_equal(xb_monitor_read(monitor).throttle, 0);
  }
  set("policy 00", 5); /* the driver was restarted */
  assert_int_equal(xb_monitor_read(monitor).throttle, 0);
  set("policy 00", 6);
  set("policy 01", 1ull << 41);
  set("reasons", 0x81);
  assert_int_equal(xb_monitor_read(monitor).throttle, XB_THROTTLE_POWER | XB_THROTTLE_THERMAL | XB_THROTTLE_HARDWARE);
  assert_int_equal(xb_monitor_read(monitor).throttle, XB_THROTTLE_HARDWARE);
  xb_monitor_close(monitor);
}

/* Some counters exist, some do not, and one fails for a while. */
TEST_WITH(test_counters_missing, setup, teardown)
{
  set("policy 01 returns", NOT_SUPPORTED);
  xb_monitor *monitor = open_gpu();
  set("policy 01 returns", 0); /* its start value is not known */
  set("policy 01", 7);
  assert_int_equal(xb_monitor_read(monitor).throttle, 0);
  set("policy 00", 7);
  set("policy 00 returns", GPU_IS_LOST);
  assert_int_equal(xb_monitor_read(monitor).throttle, 0);
  set("policy 00 returns", 0);
  assert_int_equal(xb_monitor_read(monitor).throttle, XB_THROTTLE_POWER);
  assert_int_equal(xb_monitor_read(monitor).throttle, 0);
  xb_monitor_close(monitor);
}

TEST_WITH(test_two_monitors, setup, teardown)
{
  xb_monitor *first = open_gpu();
  set("policy 00", 1);
  xb_monitor *second = open_gpu();
  assert_int_equal(xb_monitor_read(second).throttle, 0);
  assert_int_equal(xb_monitor_read(first).throttle, XB_THROTTLE_POWER);
  set("policy 00", 2);
  assert_int_equal(xb_monitor_read(first).throttle, XB_THROTTLE_POWER);
  xb_monitor_close(first);
  assert_int_equal(xb_monitor_read(second).throttle, XB_THROTTLE_POWER);
  assert_state(xb_monitor_read(second), all_well);
  xb_monitor_close(second);
}

/* One call after each sample, ten after each round: more calls would affect the host's time. */
TEST_WITH(test_calls, setup, teardown)
{
  xb_monitor *monitor = open_gpu();
  unsigned long long before = *fake("calls");
  xb_monitor_active(monitor);
  assert_int_equal(*fake("calls") - before, 1);
  xb_monitor_read(monitor);
  assert_int_equal(*fake("calls") - before, 1 + 10);
  xb_monitor_close(monitor);
  set("nvmlDeviceGetViolationStatus", NOT_SUPPORTED);
  monitor = open_gpu();
  before = *fake("calls");
  xb_monitor_read(monitor);
  assert_int_equal(*fake("calls") - before, 5);
  xb_monitor_close(monitor);
}

static const char *names(uint32_t throttle)
{
  static char text[64];
  const char *list[XB_THROTTLES];
  const size_t count = xb_throttle_names(throttle, list);
  *text = 0;
  for (size_t i = 0; i < count; i++)
    snprintf(text + strlen(text), sizeof text - strlen(text), "%s%s", i ? ", " : "", list[i]);
  return text;
}

TEST_WITH(test_names, setup, teardown)
{
  assert_string_equal(names(0), "");
  assert_string_equal(names(XB_THROTTLE_POWER), "power");
  assert_string_equal(names(XB_THROTTLE_POWER | XB_THROTTLE_THERMAL), "power, thermal");
  assert_string_equal(names(XB_THROTTLE_HARDWARE | XB_THROTTLE_OTHER), "hardware, other");
  assert_string_equal(names(15), "power, thermal, hardware, other");
  assert_string_equal(names(16), "");
}

static int begin(void)
{
  if (test_argument_count != 1) {
    printf("FAILED: the argument is FOLDER\n");
    return 2;
  }
  folder = test_arguments[0];
  return 0;
}

TEST_SOURCE(.begin = begin);
