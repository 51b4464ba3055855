/* What a machine has, lacks and holds back, as far as it matters for a run. Each finding is one line, with what to do
 * about it. */
#ifndef XB_DOCTOR_H
#define XB_DOCTOR_H

#include "base/arena.h"
#include "machine/inventory.h"

/* In the order of their weight. */
typedef enum xb_finding {
  XB_FOUND,   /* it is there, and fine */
  XB_REMARK,  /* good to know: it is optional, or it changes times */
  XB_MISSING, /* hardware or a device cannot be used without it */
  XB_BROKEN,  /* results may be wrong, or the device refuses work */
} xb_finding;

/* What came of a kernel on a device: XB_MISSING: it takes none; XB_BROKEN: its result is wrong, or the driver crashed.
 */
typedef struct xb_doctor_trial {
  xb_finding finding;
  xb_error error; /* why */
} xb_doctor_trial;

typedef struct xb_doctor {
  xb_error crashed[XB_MAX_BACKENDS];                       /* APIs whose driver crashes when it lists its devices */
  xb_doctor_trial trials[XB_MAX_BACKENDS][XB_MAX_DEVICES]; /* by API, and by its device's index */
  xb_inventory inventory;
  xb_arena arena;
  const char *root;           /* of /proc, /sys and /dev: "", or another folder (for tests) */
  const struct xb_nvml *nvml; /* while xb_doctor_gpus runs */
  bool has_nvidia;            /* an NVIDIA GPU or its kernel module is there */
  bool mig;                   /* on one of its GPUs */
  size_t driver_devices;      /* GPUs that the NVIDIA driver lists; 0: unknown */
  xb_finding worst;
  const char *topic; /* of the last line */
  void *user;        /* for a function that is called back */
} xb_doctor;

/* Prints a finding. `topic` is printed where it differs from that of the line before; `advice`, which may be NULL,
 * is not printed of what is fine. */
#if defined(__GNUC__)
__attribute__((format(printf, 5, 6)))
#endif
void xb_doctor_say(xb_doctor *d, xb_finding finding, const char *topic, const char *advice, const char *format, ...);

/* A device runs code of this format, as in xb_device_info. */
bool xb_doctor_runs(const xb_doctor *d, const char *code);
void xb_doctor_try(xb_doctor *d); /* first: runs a kernel on each device, in other processes; prints nothing */
/* What that does in a process that it started: the command `doctor try API FIRST`, by their indices. */
void xb_doctor_try_for_other(const char *api, const char *first);
void xb_doctor_machine(xb_doctor *d);  /* system, container, GPUs on the bus, kernel module, device files */
void xb_doctor_backends(xb_doctor *d); /* each API's devices, and devices that only one API reaches */
void xb_doctor_vulkan(xb_doctor *d);   /* drivers (ICDs) and layers */
/* Calls it with the manifest of each driver that the loader finds, or that a variable names. Returns their number. */
size_t xb_doctor_each_driver(xb_doctor *d, void (*say)(xb_doctor *d, const char *path));
void xb_doctor_gpus(xb_doctor *d);  /* what NVML tells: ECC, MIG, persistence, processes, power, clocks */
void xb_doctor_tools(xb_doctor *d); /* compilers, libraries and programs that commands use */

#endif
