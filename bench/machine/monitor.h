/* Monitors a GPU during a measurement: its clocks, temperature and power, and the reasons why its clocks are reduced,
 * as the NVIDIA driver reports them through NVML.
 *
 * Values that NVML does not report, on this GPU or in this virtual machine, are unknown; they never make a run fail.
 *
 * Thread rule: use a monitor from one thread at a time. Different monitors are independent, even those of one device,
 * but no other thread may change the environment while one is being opened.
 */
#ifndef XB_MONITOR_H
#define XB_MONITOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "xb/gpu.h"

/* Why the clocks are reduced. An idle GPU, or application or display clocks that the user set, do not count as
 * throttling. */
typedef enum xb_throttle {
  XB_THROTTLE_POWER = 1,    /* the power limit */
  XB_THROTTLE_THERMAL = 2,  /* temperature: the driver's or the hardware's slowdown */
  XB_THROTTLE_HARDWARE = 4, /* the hardware's slowdown or power brake: clocks at half or less */
  XB_THROTTLE_OTHER = 8,    /* sync boost, board limit, reliability */
} xb_throttle;
/* Reasons that are not part of normal operation. */
enum { XB_THROTTLE_HELD_BACK = XB_THROTTLE_POWER | XB_THROTTLE_THERMAL | XB_THROTTLE_HARDWARE };

typedef struct xb_gpu_state {
  bool known; /* anything below is known */
  /* 0 = unknown. */
  uint32_t clock_mhz; /* of the multiprocessors */
  uint32_t memory_clock_mhz;
  uint32_t temperature_c;
  double power_w;
  /* Bits of xb_throttle. */
  bool throttle_known;
  bool counters_known; /* the driver's time counters answered: throttling since the last read is known, too */
  uint32_t throttle;
} xb_gpu_state;

typedef struct xb_monitor xb_monitor;

/* Finds the GPU by its UUID, so `info` may come from any API. NULL if there is no information: a CPU, no UUID, no NVML,
 * no NVIDIA GPU. */
xb_monitor *xb_monitor_open(const xb_device_info *info);
/* Does nothing for NULL. */
void xb_monitor_close(xb_monitor *monitor);

/* The current xb_throttle bits; 0 if unknown or if `monitor` is NULL. One driver call, for use during each sample: in a
 * virtual machine it took up to 0.4 ms. */
uint32_t xb_monitor_active(xb_monitor *monitor);
/* Reads all fields. `throttle` also includes past throttling, from the driver's time counters, since the last call (or
 * since the monitor was opened). For NULL all is unknown. Ten driver calls. */
xb_gpu_state xb_monitor_read(xb_monitor *monitor);

/* The driver version, "580.159.04"; "" if unknown or if `monitor` is NULL. Valid until the monitor is closed. */
const char *xb_monitor_driver(const xb_monitor *monitor);

/* The xb_throttle bits of what NVML calls clocks event reasons. */
uint32_t xb_throttle_of(unsigned long long reasons);

/* Writes one name for each set bit, such as "power" or "thermal". Returns their number. */
enum { XB_THROTTLES = 4 };
size_t xb_throttle_names(uint32_t throttle, const char *out[XB_THROTTLES]);

#endif
