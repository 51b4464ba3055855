#include "machine/monitor.h"

#include "base/value_text.h"
#include "machine/nvml.h"
#include "os/library.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Reasons ----------------------------------------------------------------------------------------------------- */

/* Bits of nvmlClocksEventReasons. Not used: idle 0x1, application clocks 0x2, display clocks 0x100. */
static const struct {
  unsigned long long reason;
  xb_throttle throttle;
} active[] = {
    {0x4, XB_THROTTLE_POWER},     /* software power cap */
    {0x8, XB_THROTTLE_HARDWARE},  /* hardware slowdown */
    {0x10, XB_THROTTLE_OTHER},    /* sync boost */
    {0x20, XB_THROTTLE_THERMAL},  /* software thermal slowdown */
    {0x40, XB_THROTTLE_THERMAL},  /* hardware thermal slowdown */
    {0x80, XB_THROTTLE_HARDWARE}, /* hardware power brake */
    {0x200, XB_THROTTLE_OTHER},   /* board limit; this one and the next exist in newer drivers only */
    {0x400, XB_THROTTLE_OTHER},   /* reliability */
};

/* Values of nvmlPerfPolicyType_t: power, thermal, sync boost, board limit, reliability. Not used: low utilization 4,
 * and the totals 10 and 11, which include it. */
static const struct {
  int policy;
  xb_throttle throttle;
} counted[] = {
    {0, XB_THROTTLE_POWER}, {1, XB_THROTTLE_THERMAL}, {2, XB_THROTTLE_OTHER},
    {3, XB_THROTTLE_OTHER}, {5, XB_THROTTLE_OTHER},
};
enum { ACTIVE = sizeof active / sizeof active[0], COUNTERS = sizeof counted / sizeof counted[0] };

/* ---- Opening and closing ---------------------------------------------------------------------------------------- */

bool xb_nvml_open(xb_nvml *nvml)
{
  const char *path = getenv("XB_NVML");
  void *pointer; /* ISO C has no cast from an object pointer to a function pointer */
  *nvml = (xb_nvml){.library = dlopen(path && *path ? path : XB_NVML_LIBRARY, RTLD_NOW | RTLD_LOCAL)};
  if (!nvml->library)
    return false;
#define LOAD(name, arguments)                                                                                          \
  pointer = dlsym(nvml->library, "nvml" #name);                                                                        \
  memcpy(&nvml->name, &pointer, sizeof pointer);
  XB_NVML_FUNCTIONS(LOAD)
  LOAD(ErrorString, )
  if (!nvml->DeviceGetCurrentClocksEventReasons) /* its older name */
    nvml->DeviceGetCurrentClocksEventReasons = nvml->DeviceGetCurrentClocksThrottleReasons;
  return nvml->Init_v2 && nvml->Shutdown;
}

void xb_nvml_close(xb_nvml *nvml)
{
  if (nvml->library)
    dlclose(nvml->library);
  nvml->library = NULL;
}

struct xb_monitor {
  xb_nvml nvml;
  bool initialized;
  nvml_device device;
  char driver[NVML_TEXT_BYTES];
  struct {
    bool present; /* it worked when the monitor was opened; else it is never read */
    uint64_t ns;  /* value of the last read */
  } counters[COUNTERS];
};

/* The monitor's NVML has the function, and the call succeeded. */
#define ANSWERS(m, ...) XB_NVML_ANSWERS(&(m)->nvml, __VA_ARGS__)

static bool find_device(xb_monitor *m, const xb_device_info *info)
{
  char uuid[40], text[48];
  nvml_device part;
  xb_format_uuid(info, uuid);
  snprintf(text, sizeof text, "GPU-%s", uuid);
  m->initialized = m->nvml.Init_v2() == NVML_SUCCESS;
  if (m->initialized && ANSWERS(m, DeviceGetHandleByUUID, text, &m->device))
    return true;
  snprintf(text, sizeof text, "MIG-%s", uuid); /* clocks are those of the whole GPU */
  return m->initialized && ANSWERS(m, DeviceGetHandleByUUID, text, &part) &&
         ANSWERS(m, DeviceGetDeviceHandleFromMigDeviceHandle, part, &m->device);
}

static bool read_counter(xb_monitor *m, int policy, uint64_t *ns)
{
  nvml_violation violation = {0};
  const bool answered = ANSWERS(m, DeviceGetViolationStatus, m->device, policy, &violation);
  if (answered)
    *ns = violation.violation_ns;
  return answered;
}

xb_monitor *xb_monitor_open(const xb_device_info *info)
{
  if (!info->has_uuid || info->type == XB_DEVICE_CPU)
    return NULL;
  xb_monitor *m = calloc(1, sizeof *m);
  if (!m)
    return NULL;
  if (!xb_nvml_open(&m->nvml) || !m->nvml.DeviceGetHandleByUUID || !find_device(m, info)) {
    xb_monitor_close(m);
    return NULL;
  }
  if (!ANSWERS(m, SystemGetDriverVersion, m->driver, sizeof m->driver))
    *m->driver = 0;
  for (int i = 0; i < COUNTERS; i++)
    m->counters[i].present = read_counter(m, counted[i].policy, &m->counters[i].ns);
  return m;
}

void xb_monitor_close(xb_monitor *monitor)
{
  if (!monitor)
    return;
  if (monitor->initialized)
    monitor->nvml.Shutdown(); /* NVML counts its users: the last Shutdown ends it */
  xb_nvml_close(&monitor->nvml);
  free(monitor);
}

/* ---- Reading ---------------------------------------------------------------------------------------------------- */

uint32_t xb_throttle_of(unsigned long long reasons)
{
  uint32_t throttle = 0;
  for (int i = 0; i < ACTIVE; i++)
    if (reasons & active[i].reason)
      throttle |= active[i].throttle;
  return throttle;
}

/* This function and the next add to `*throttle`. They return false if throttling is unknown. */
static bool read_active(xb_monitor *m, uint32_t *throttle)
{
  unsigned long long reasons = 0;
  const bool answered = ANSWERS(m, DeviceGetCurrentClocksEventReasons, m->device, &reasons);
  if (answered)
    *throttle |= xb_throttle_of(reasons);
  return answered;
}

/* A counter below its last value was reset, with the driver or the GPU: it gives no information about this period. */
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

xb_gpu_state xb_monitor_read(xb_monitor *monitor)
{
  xb_gpu_state state = {0};
  if (!monitor)
    return state;
  unsigned value;
  if (ANSWERS(monitor, DeviceGetClockInfo, monitor->device, NVML_CLOCK_SM, &value))
    state.clock_mhz = value;
  if (ANSWERS(monitor, DeviceGetClockInfo, monitor->device, NVML_CLOCK_MEM, &value))
    state.memory_clock_mhz = value;
  if (ANSWERS(monitor, DeviceGetTemperature, monitor->device, NVML_TEMPERATURE_GPU, &value))
    state.temperature_c = value;
  if (ANSWERS(monitor, DeviceGetPowerUsage, monitor->device, &value))
    state.power_w = value / 1e3;
  /* One of the two is enough: counters include past throttling; the reasons may exist where counters do not. */
  const bool now = read_active(monitor, &state.throttle);
  state.counters_known = read_counted(monitor, &state.throttle);
  state.throttle_known = now || state.counters_known;
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

const char *xb_monitor_driver(const xb_monitor *monitor)
{
  return monitor ? monitor->driver : "";
}

size_t xb_throttle_names(uint32_t throttle, const char *out[XB_THROTTLES])
{
  static const char *const names[XB_THROTTLES] = {"power", "thermal", "hardware", "other"}; /* by bit */
  size_t count = 0;
  for (int i = 0; i < XB_THROTTLES; i++)
    if (throttle >> i & 1)
      out[count++] = names[i];
  return count;
}
