#include "measure/monitor.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- NVML ------------------------------------------------------------------------------------------------------- */

/* Names, numbers and units are those of NVIDIA's NVML API Reference Guide (docs.nvidia.com/deploy/nvml-api): Device
 * Queries, Device Enums, Device Structs, NvmlClocksEventReasons. NVML keeps both from release to release and puts what
 * is incompatible under a new name ("_v2"). Its enums travel as int. */

enum { NVML_SUCCESS = 0, NVML_CLOCK_SM = 1, NVML_CLOCK_MEM = 2, NVML_TEMPERATURE_GPU = 0, NVML_VERSION_BYTES = 80 };

/* Left out: idle 0x1, application clocks 0x2, display clocks 0x100. */
enum {
  NVML_REASON_SW_POWER_CAP = 0x4,
  NVML_REASON_HW_SLOWDOWN = 0x8,
  NVML_REASON_SYNC_BOOST = 0x10,
  NVML_REASON_SW_THERMAL = 0x20,
  NVML_REASON_HW_THERMAL = 0x40,
  NVML_REASON_HW_POWER_BRAKE = 0x80,
  NVML_REASON_BOARD_LIMIT = 0x200, /* this and the next: newer drivers only */
  NVML_REASON_RELIABILITY = 0x400,
};

/* Left out: low utilization 4, and the totals 10 and 11, which count it in. */
enum {
  NVML_POLICY_POWER = 0,
  NVML_POLICY_THERMAL = 1,
  NVML_POLICY_SYNC_BOOST = 2,
  NVML_POLICY_BOARD_LIMIT = 3,
  NVML_POLICY_RELIABILITY = 5,
};

typedef struct nvml_device_st *nvml_device; /* NVML's own */
/* nvmlViolationTime_t. */
typedef struct nvml_violation {
  unsigned long long reference_us; /* CPU time stamp */
  unsigned long long violation_ns; /* how long the policy held the clocks down, all in all */
} nvml_violation;

#define NVML_REQUIRED(X)                                                                                               \
  X(Init_v2, (void))                                                                                                   \
  X(Shutdown, (void))                                                                                                  \
  X(DeviceGetHandleByUUID, (const char *uuid, nvml_device *device))

/* NULL where the library has no such function. */
#define NVML_OPTIONAL(X)                                                                                               \
  X(SystemGetDriverVersion, (char *version, unsigned bytes))                                                           \
  X(DeviceGetClockInfo, (nvml_device device, int clock, unsigned *mhz))                                                \
  X(DeviceGetTemperature, (nvml_device device, int sensor, unsigned *celsius))                                         \
  X(DeviceGetPowerUsage, (nvml_device device, unsigned *milliwatts))                                                   \
  X(DeviceGetCurrentClocksEventReasons, (nvml_device device, unsigned long long *reasons))                             \
  X(DeviceGetCurrentClocksThrottleReasons, (nvml_device device, unsigned long long *reasons))                          \
  X(DeviceGetViolationStatus, (nvml_device device, int policy, nvml_violation *violation))

typedef struct nvml_symbols {
#define DECLARE(name, arguments) int(*name) arguments;
  NVML_REQUIRED(DECLARE)
  NVML_OPTIONAL(DECLARE)
#undef DECLARE
} nvml_symbols;

static bool resolve(void *library, nvml_symbols *nvml)
{
  bool complete = true;
  /* ISO C has no cast from a data pointer to a function. */
#define LOAD(name, arguments)                                                                                          \
  {                                                                                                                    \
    void *pointer = dlsym(library, "nvml" #name);                                                                      \
    memcpy(&nvml->name, &pointer, sizeof pointer);                                                                     \
  }
#define REQUIRE(name, arguments) complete = complete && nvml->name;
  NVML_REQUIRED(LOAD)
  NVML_OPTIONAL(LOAD)
  NVML_REQUIRED(REQUIRE)
#undef LOAD
#undef REQUIRE
  if (!nvml->DeviceGetCurrentClocksEventReasons) /* its older name */
    nvml->DeviceGetCurrentClocksEventReasons = nvml->DeviceGetCurrentClocksThrottleReasons;
  return complete;
}

/* ---- Opening and closing ---------------------------------------------------------------------------------------- */

static const struct {
  int policy;
  xb_throttle throttle;
} counted[] = {
    {NVML_POLICY_POWER, XB_THROTTLE_POWER},       {NVML_POLICY_THERMAL, XB_THROTTLE_THERMAL},
    {NVML_POLICY_SYNC_BOOST, XB_THROTTLE_OTHER},  {NVML_POLICY_BOARD_LIMIT, XB_THROTTLE_OTHER},
    {NVML_POLICY_RELIABILITY, XB_THROTTLE_OTHER},
};
enum { COUNTERS = sizeof counted / sizeof counted[0] };

struct xb_monitor {
  void *library;
  nvml_symbols nvml;
  bool initialized;
  nvml_device device;
  char driver[NVML_VERSION_BYTES];
  struct {
    bool present; /* answered when the monitor was opened; else it is not asked again */
    uint64_t ns;  /* when it was read last */
  } counters[COUNTERS];
};

static bool open_library(xb_monitor *m)
{
  const char *path = getenv("XB_NVML");
  m->library = dlopen(path && *path ? path : "libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
  return m->library && resolve(m->library, &m->nvml);
}

/* As NVML words it: "GPU-" and five groups of lower-case digits. */
static void write_uuid(const uint8_t uuid[XB_UUID_BYTES], char text[48])
{
  char *end = text + sprintf(text, "GPU");
  for (int i = 0; i < XB_UUID_BYTES; i++) {
    const bool starts_group = i == 0 || i == 4 || i == 6 || i == 8 || i == 10;
    end += sprintf(end, starts_group ? "-%02x" : "%02x", uuid[i]);
  }
}

static bool find_device(xb_monitor *m, const uint8_t uuid[XB_UUID_BYTES])
{
  char text[48];
  write_uuid(uuid, text);
  m->initialized = m->nvml.Init_v2() == NVML_SUCCESS;
  return m->initialized && m->nvml.DeviceGetHandleByUUID(text, &m->device) == NVML_SUCCESS;
}

static void read_driver(xb_monitor *m)
{
  if (!m->nvml.SystemGetDriverVersion || m->nvml.SystemGetDriverVersion(m->driver, sizeof m->driver) != NVML_SUCCESS)
    m->driver[0] = '\0';
}

static bool read_counter(xb_monitor *m, int policy, uint64_t *ns)
{
  nvml_violation violation = {0};
  if (!m->nvml.DeviceGetViolationStatus ||
      m->nvml.DeviceGetViolationStatus(m->device, policy, &violation) != NVML_SUCCESS)
    return false;
  *ns = violation.violation_ns;
  return true;
}

xb_monitor *xb_monitor_open(const xb_device_info *info)
{
  if (!info->has_uuid || info->type == XB_DEVICE_CPU)
    return NULL;
  xb_monitor *m = calloc(1, sizeof *m);
  if (!m)
    return NULL;
  if (!open_library(m) || !find_device(m, info->uuid)) {
    xb_monitor_close(m);
    return NULL;
  }
  read_driver(m);
  for (int i = 0; i < COUNTERS; i++)
    m->counters[i].present = read_counter(m, counted[i].policy, &m->counters[i].ns);
  return m;
}

void xb_monitor_close(xb_monitor *monitor)
{
  if (!monitor)
    return;
  if (monitor->initialized)
    monitor->nvml.Shutdown(); /* NVML counts: it ends with the last monitor */
  if (monitor->library)
    dlclose(monitor->library);
  free(monitor);
}

/* ---- Reading ---------------------------------------------------------------------------------------------------- */

static uint32_t throttle_of(unsigned long long reasons)
{
  static const struct {
    unsigned long long reasons;
    xb_throttle throttle;
  } map[] = {
      {NVML_REASON_SW_POWER_CAP, XB_THROTTLE_POWER},
      {NVML_REASON_SW_THERMAL | NVML_REASON_HW_THERMAL, XB_THROTTLE_THERMAL},
      {NVML_REASON_HW_SLOWDOWN | NVML_REASON_HW_POWER_BRAKE, XB_THROTTLE_HARDWARE},
      {NVML_REASON_SYNC_BOOST | NVML_REASON_BOARD_LIMIT | NVML_REASON_RELIABILITY, XB_THROTTLE_OTHER},
  };
  uint32_t throttle = 0;
  for (size_t i = 0; i < sizeof map / sizeof map[0]; i++)
    if (reasons & map[i].reasons)
      throttle |= map[i].throttle;
  return throttle;
}

static bool read_active(xb_monitor *m, uint32_t *throttle)
{
  unsigned long long reasons = 0;
  if (!m->nvml.DeviceGetCurrentClocksEventReasons ||
      m->nvml.DeviceGetCurrentClocksEventReasons(m->device, &reasons) != NVML_SUCCESS)
    return false;
  *throttle |= throttle_of(reasons);
  return true;
}

/* A counter that went back was started anew, with the driver or the GPU: it tells nothing about this time. */
static bool read_counted(xb_monitor *m, uint32_t *throttle)
{
  bool known = false;
  for (int i = 0; i < COUNTERS; i++) {
    uint64_t ns;
    if (!m->counters[i].present || !read_counter(m, counted[i].policy, &ns))
      continue;
    known = true;
    if (ns > m->counters[i].ns)
      *throttle |= counted[i].throttle;
    m->counters[i].ns = ns;
  }
  return known;
}

/* Adds to `*throttle`. Either way of knowing will do: the counters see what is over by now, the reasons may be there
 * where counters are not. */
static bool read_throttle(xb_monitor *m, uint32_t *throttle)
{
  const bool active = read_active(m, throttle);
  const bool counters = read_counted(m, throttle);
  return active || counters;
}

static uint32_t read_clock(xb_monitor *m, int clock)
{
  unsigned mhz = 0;
  return m->nvml.DeviceGetClockInfo && m->nvml.DeviceGetClockInfo(m->device, clock, &mhz) == NVML_SUCCESS ? mhz : 0;
}

static uint32_t read_temperature(xb_monitor *m)
{
  unsigned celsius = 0;
  return m->nvml.DeviceGetTemperature &&
                 m->nvml.DeviceGetTemperature(m->device, NVML_TEMPERATURE_GPU, &celsius) == NVML_SUCCESS
             ? celsius
             : 0;
}

static double read_power(xb_monitor *m)
{
  unsigned milliwatts = 0;
  return m->nvml.DeviceGetPowerUsage && m->nvml.DeviceGetPowerUsage(m->device, &milliwatts) == NVML_SUCCESS
             ? milliwatts / 1e3
             : 0;
}

xb_gpu_state xb_monitor_read(xb_monitor *monitor)
{
  xb_gpu_state state = {0};
  if (!monitor)
    return state;
  state.clock_mhz = read_clock(monitor, NVML_CLOCK_SM);
  state.memory_clock_mhz = read_clock(monitor, NVML_CLOCK_MEM);
  state.temperature_c = read_temperature(monitor);
  state.power_w = read_power(monitor);
  state.throttle_known = read_throttle(monitor, &state.throttle);
  state.known =
      state.clock_mhz || state.memory_clock_mhz || state.temperature_c || state.power_w > 0 || state.throttle_known;
  return state;
}

uint32_t xb_monitor_active(xb_monitor *monitor)
{
  uint32_t throttle = 0;
  if (monitor)
    read_active(monitor, &throttle);
  return throttle;
}

uint32_t xb_monitor_throttle(xb_monitor *monitor)
{
  uint32_t throttle = 0;
  if (monitor)
    read_throttle(monitor, &throttle);
  return throttle;
}

const char *xb_monitor_driver(const xb_monitor *monitor)
{
  return monitor ? monitor->driver : "";
}

void xb_throttle_names(uint32_t throttle, char *out, size_t out_bytes)
{
  static const char *const names[] = {"power", "thermal", "hardware", "other"}; /* by bit */
  size_t used = 0;
  if (out_bytes)
    out[0] = '\0';
  for (size_t i = 0; i < sizeof names / sizeof names[0] && used < out_bytes; i++)
    if (throttle >> i & 1)
      used += (size_t)snprintf(out + used, out_bytes - used, "%s%s", used ? ", " : "", names[i]);
}
