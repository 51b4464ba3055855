/* What holds the clocks of a GPU down while it is measured, and the clocks, temperature and power themselves: what the
 * NVIDIA driver tells through NVML.
 *
 * libnvidia-ml.so.1 is opened at run time; the environment variable XB_NVML, unless empty, is the path of another
 * library to take instead (for tests). What NVML does not tell, on this GPU or in this virtual machine, is unknown;
 * nothing here makes a run fail.
 *
 * Thread rule: a monitor may be used from one thread at a time. Different monitors are independent, also those of one
 * device, but opening one while another thread changes the environment is a race.
 */
#ifndef XB_MONITOR_H
#define XB_MONITOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "xb/gpu.h"

/* Why the clocks are lower than they could be. That the GPU idles, or that someone set its application or display
 * clocks, is no throttling. */
typedef enum xb_throttle {
  XB_THROTTLE_POWER = 1,    /* the power limit */
  XB_THROTTLE_THERMAL = 2,  /* temperature: the driver's or the hardware's slowdown */
  XB_THROTTLE_HARDWARE = 4, /* the hardware's slowdown or power brake: clocks at half or less */
  XB_THROTTLE_OTHER = 8,    /* sync boost, board limit, reliability */
} xb_throttle;
/* What is no normal way for a board to run. */
enum { XB_THROTTLE_HELD_BACK = XB_THROTTLE_POWER | XB_THROTTLE_THERMAL | XB_THROTTLE_HARDWARE };

typedef struct xb_gpu_state {
  bool known; /* anything below is */
  /* 0 = unknown. */
  uint32_t clock_mhz; /* of the multiprocessors */
  uint32_t memory_clock_mhz;
  uint32_t temperature_c;
  double power_w;
  /* Bits of xb_throttle. */
  bool throttle_known;
  uint32_t throttle;
} xb_gpu_state;

typedef struct xb_monitor xb_monitor;

/* The GPU is found by its UUID, so it is the same one whichever API `info` comes from. NULL where nothing tells about
 * it: a CPU, no UUID, no NVML, no NVIDIA GPU. */
xb_monitor *xb_monitor_open(const xb_device_info *info);
/* NULL is a no-op. */
void xb_monitor_close(xb_monitor *monitor);

/* Bits of xb_throttle; 0 where that is unknown, and for NULL. One call into the driver, for each sample: in a virtual
 * machine it was seen to take 0.4 ms. */
uint32_t xb_monitor_active(xb_monitor *monitor);
/* All fields; `throttle` also has what has throttled, by the driver's counters of time, since the last call (at first:
 * since the monitor was opened). NULL: all is unknown. Ten calls. */
xb_gpu_state xb_monitor_read(xb_monitor *monitor);

/* The driver's version, "580.159.04"; "" = unknown, and for NULL. Valid until the monitor is closed. */
const char *xb_monitor_driver(const xb_monitor *monitor);

/* "power", "thermal": one for each bit that is set. Returns how many. */
enum { XB_THROTTLES = 4 };
size_t xb_throttle_names(uint32_t throttle, const char *out[XB_THROTTLES]);

#endif
