/* NVIDIA's management library, opened at run time. The environment variable XB_NVML, unless empty, is the path of
 * another library to use instead (for tests). Names, numbers and units are from the NVML API Reference Guide
 * (docs.nvidia.com/deploy/nvml-api). NVML keeps them between releases; incompatible functions get a new name ("_v2").
 * Its enums are passed as int. */
#ifndef XB_NVML_H
#define XB_NVML_H

#include <stdbool.h>

enum { NVML_SUCCESS = 0, NVML_NO_PERMISSION = 4, NVML_INSUFFICIENT_SIZE = 7, NVML_BLOCKED = 17 }; /* nvmlReturn_t */
enum { NVML_ANY_PROCESS = 0, NVML_NO_PROCESS = 2 }; /* nvmlComputeMode_t */
enum { NVML_CLOCK_SM = 1, NVML_CLOCK_MEM = 2, NVML_TEMPERATURE_GPU = 0, NVML_TEXT_BYTES = 96 };
enum { NVML_UNCORRECTED = 1, NVML_SINCE_LOAD = 0 };

typedef struct nvml_device_st *nvml_device; /* NVML's own */
typedef struct nvml_memory {
  unsigned version; /* of this struct */
  unsigned long long total, reserved, free, used;
} nvml_memory;
typedef struct nvml_utilization {
  unsigned gpu, memory; /* percent */
} nvml_utilization;
/* nvmlViolationTime_t. */
typedef struct nvml_violation {
  unsigned long long reference_us; /* CPU time stamp */
  unsigned long long violation_ns; /* total time for which the policy reduced the clocks */
} nvml_violation;

/* A pointer is NULL if the library lacks the function. */
#define XB_NVML_FUNCTIONS(X)                                                                                           \
  X(Init_v2, (void))                                                                                                   \
  X(Shutdown, (void))                                                                                                  \
  X(SystemGetDriverVersion, (char *version, unsigned bytes))                                                           \
  X(SystemGetCudaDriverVersion_v2, (int *version))                                                                     \
  X(DeviceGetCount_v2, (unsigned *count))                                                                              \
  X(DeviceGetHandleByIndex_v2, (unsigned index, nvml_device *device))                                                  \
  X(DeviceGetUUID, (nvml_device device, char *uuid, unsigned bytes))                                                   \
  X(DeviceGetName, (nvml_device device, char *name, unsigned bytes))                                                   \
  X(DeviceGetPersistenceMode, (nvml_device device, int *mode))                                                         \
  X(DeviceGetComputeMode, (nvml_device device, int *mode))                                                             \
  X(DeviceGetEccMode, (nvml_device device, int *current, int *pending))                                                \
  X(DeviceGetTotalEccErrors, (nvml_device device, int kind, int counter, unsigned long long *errors))                  \
  X(DeviceGetRemappedRows,                                                                                             \
    (nvml_device device, unsigned *corrected, unsigned *uncorrected, unsigned *pending, unsigned *failed))             \
  X(DeviceGetMigMode, (nvml_device device, unsigned *current, unsigned *pending))                                      \
  X(DeviceGetMaxMigDeviceCount, (nvml_device device, unsigned *count))                                                 \
  X(DeviceGetMigDeviceHandleByIndex, (nvml_device device, unsigned index, nvml_device *part))                          \
  X(DeviceGetComputeRunningProcesses_v3, (nvml_device device, unsigned *count, void *processes))                       \
  X(DeviceGetGraphicsRunningProcesses_v3, (nvml_device device, unsigned *count, void *processes))                      \
  X(DeviceGetUtilizationRates, (nvml_device device, nvml_utilization * rates))                                         \
  X(DeviceGetMemoryInfo_v2, (nvml_device device, nvml_memory * memory))                                                \
  X(DeviceGetPowerManagementLimit, (nvml_device device, unsigned *milliwatts))                                         \
  X(DeviceGetPowerManagementDefaultLimit, (nvml_device device, unsigned *milliwatts))                                  \
  X(DeviceGetEnforcedPowerLimit, (nvml_device device, unsigned *milliwatts))                                           \
  X(DeviceGetDefaultApplicationsClock, (nvml_device device, int clock, unsigned *mhz))                                 \
  X(DeviceGetApplicationsClock, (nvml_device device, int clock, unsigned *mhz))                                        \
  X(DeviceGetMaxClockInfo, (nvml_device device, int clock, unsigned *mhz))                                             \
  X(DeviceGetTemperature, (nvml_device device, int sensor, unsigned *celsius))                                         \
  X(DeviceGetCurrPcieLinkWidth, (nvml_device device, unsigned *lanes))                                                 \
  X(DeviceGetMaxPcieLinkWidth, (nvml_device device, unsigned *lanes))                                                  \
  X(DeviceGetCurrentClocksEventReasons, (nvml_device device, unsigned long long *reasons))                             \
  X(DeviceGetHandleByUUID, (const char *uuid, nvml_device *device))                                                    \
  X(DeviceGetDeviceHandleFromMigDeviceHandle, (nvml_device part, nvml_device * device))                                \
  X(DeviceGetClockInfo, (nvml_device device, int clock, unsigned *mhz))                                                \
  X(DeviceGetPowerUsage, (nvml_device device, unsigned *milliwatts))                                                   \
  X(DeviceGetCurrentClocksThrottleReasons, (nvml_device device, unsigned long long *reasons))                          \
  X(DeviceGetViolationStatus, (nvml_device device, int policy, nvml_violation *violation))

typedef struct xb_nvml {
  void *library;
#define XB_NVML_DECLARE(name, arguments) int(*name) arguments;
  XB_NVML_FUNCTIONS(XB_NVML_DECLARE)
  const char *(*ErrorString)(int code);
} xb_nvml;

/* False: it is not there, or lacks what everything else needs. Close it either way. (monitor.c) */
bool xb_nvml_open(xb_nvml *nvml);
void xb_nvml_close(xb_nvml *nvml);

/* True if NVML has the function and the call succeeded. */
#define XB_NVML_ANSWERS(nvml, function, ...) ((nvml)->function && (nvml)->function(__VA_ARGS__) == NVML_SUCCESS)

#endif
