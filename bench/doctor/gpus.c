/* What NVML tells of each GPU besides its clocks during a run (measure/monitor.c). Names, numbers and units are from
 * NVIDIA's NVML API Reference Guide. What it does not report, on this GPU or in this virtual machine, is left out. */
#include "doctor/doctor.h"

#include "value_text.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

enum { SUCCESS = 0, INSUFFICIENT_SIZE = 7, TEXT_BYTES = 96, CLOCK_SM = 1, UNCORRECTED = 1, SINCE_LOAD = 0 };
enum { ANY_PROCESS = 0, NO_PROCESS = 2 }; /* nvmlComputeMode_t */

typedef struct nvml_device_st *nvml_device; /* NVML's own */
typedef struct nvml_memory {
  unsigned long long total, free, used;
} nvml_memory;
typedef struct nvml_utilization {
  unsigned gpu, memory; /* percent */
} nvml_utilization;

#define NVML_FUNCTIONS(X)                                                                                              \
  X(Init_v2, (void))                                                                                                   \
  X(Shutdown, (void))                                                                                                  \
  X(SystemGetDriverVersion, (char *version, unsigned bytes))                                                           \
  X(SystemGetCudaDriverVersion_v2, (int *version))                                                                     \
  X(DeviceGetCount_v2, (unsigned *count))                                                                              \
  X(DeviceGetHandleByIndex_v2, (unsigned index, nvml_device *device))                                                  \
  X(DeviceGetName, (nvml_device device, char *name, unsigned bytes))                                                   \
  X(DeviceGetPersistenceMode, (nvml_device device, int *mode))                                                         \
  X(DeviceGetComputeMode, (nvml_device device, int *mode))                                                             \
  X(DeviceGetEccMode, (nvml_device device, int *current, int *pending))                                                \
  X(DeviceGetTotalEccErrors, (nvml_device device, int kind, int counter, unsigned long long *errors))                  \
  X(DeviceGetMigMode, (nvml_device device, unsigned *current, unsigned *pending))                                      \
  X(DeviceGetComputeRunningProcesses_v3, (nvml_device device, unsigned *count, void *processes))                       \
  X(DeviceGetUtilizationRates, (nvml_device device, nvml_utilization * rates))                                         \
  X(DeviceGetMemoryInfo, (nvml_device device, nvml_memory * memory))                                                   \
  X(DeviceGetPowerManagementLimit, (nvml_device device, unsigned *milliwatts))                                         \
  X(DeviceGetPowerManagementDefaultLimit, (nvml_device device, unsigned *milliwatts))                                  \
  X(DeviceGetApplicationsClock, (nvml_device device, int clock, unsigned *mhz))                                        \
  X(DeviceGetMaxClockInfo, (nvml_device device, int clock, unsigned *mhz))                                             \
  X(DeviceGetTemperature, (nvml_device device, int sensor, unsigned *celsius))                                         \
  X(DeviceGetCurrPcieLinkWidth, (nvml_device device, unsigned *lanes))                                                 \
  X(DeviceGetMaxPcieLinkWidth, (nvml_device device, unsigned *lanes))                                                  \
  X(DeviceGetCurrentClocksEventReasons, (nvml_device device, unsigned long long *reasons))

static struct {
#define DECLARE(name, arguments) int(*name) arguments;
  NVML_FUNCTIONS(DECLARE)
} nvml;

static bool resolve(void *library)
{
  void *pointer; /* ISO C has no cast from an object pointer to a function pointer */
#define LOAD(name, arguments)                                                                                          \
  pointer = dlsym(library, "nvml" #name);                                                                              \
  memcpy(&nvml.name, &pointer, sizeof pointer);
  NVML_FUNCTIONS(LOAD)
  return nvml.Init_v2 && nvml.Shutdown && nvml.DeviceGetCount_v2 && nvml.DeviceGetHandleByIndex_v2;
}

#define ANSWERS(function, ...) (nvml.function && nvml.function(__VA_ARGS__) == SUCCESS)

/* ---- Health ----------------------------------------------------------------------------------------------------- */

static void say_ecc(xb_doctor *d, nvml_device gpu, const char *topic)
{
  int on, pending;
  unsigned long long errors;
  if (!ANSWERS(DeviceGetEccMode, gpu, &on, &pending))
    return;
  xb_doctor_say(d, on ? XB_FOUND : XB_REMARK, topic,
                on ? NULL : "sudo nvidia-smi -e 1, then reboot, for results to trust", "ECC is %s%s", on ? "on" : "off",
                on != pending ? "; that changes with the next reboot" : "");
  if (ANSWERS(DeviceGetTotalEccErrors, gpu, UNCORRECTED, SINCE_LOAD, &errors) && errors)
    xb_doctor_say(d, XB_BROKEN, topic, "see nvidia-smi -q -d ECC,ROW_REMAPPER; reset the GPU or replace it",
                  "%llu uncorrected memory errors since the driver was loaded", errors);
}

static void say_modes(xb_doctor *d, nvml_device gpu, const char *topic)
{
  unsigned mig, pending;
  int mode;
  if (ANSWERS(DeviceGetMigMode, gpu, &mig, &pending) && mig)
    xb_doctor_say(d, XB_REMARK, topic, "sudo nvidia-smi -mig 0 gives the whole GPU",
                  "MIG is on: CUDA sees a part of the GPU, and Vulkan none");
  if (ANSWERS(DeviceGetComputeMode, gpu, &mode) && mode != ANY_PROCESS)
    xb_doctor_say(d, mode == NO_PROCESS ? XB_BROKEN : XB_REMARK, topic, "sudo nvidia-smi -c 0", "compute mode: %s",
                  mode == NO_PROCESS ? "no process may use it" : "one process at a time");
  if (ANSWERS(DeviceGetPersistenceMode, gpu, &mode) && !mode)
    xb_doctor_say(d, XB_REMARK, topic, "sudo nvidia-smi -pm 1, or start nvidia-persistenced",
                  "persistence is off: the first use loads the driver, which takes seconds");
}

/* ---- What takes speed ------------------------------------------------------------------------------------------- */

static void say_others(xb_doctor *d, nvml_device gpu, const char *topic)
{
  unsigned processes = 0;
  nvml_memory memory;
  nvml_utilization rates;
  char used[32], total[32];
  const int code = nvml.DeviceGetComputeRunningProcesses_v3
                       ? nvml.DeviceGetComputeRunningProcesses_v3(gpu, &processes, NULL)
                       : SUCCESS;
  if (code == INSUFFICIENT_SIZE && processes)
    xb_doctor_say(d, XB_REMARK, topic, "see nvidia-smi; measure on a GPU that nobody else uses", "%u other process%s",
                  processes, processes == 1 ? " uses it" : "es use it");
  if (ANSWERS(DeviceGetUtilizationRates, gpu, &rates) && rates.gpu)
    xb_doctor_say(d, XB_REMARK, topic, "wait until it is idle", "it is busy for %u %% of the time", rates.gpu);
  if (!ANSWERS(DeviceGetMemoryInfo, gpu, &memory) || !memory.total)
    return;
  xb_format_bytes(memory.used, used, sizeof used);
  xb_format_bytes(memory.total, total, sizeof total);
  const bool full = memory.free < memory.total / 4;
  xb_doctor_say(d, full ? XB_REMARK : XB_FOUND, topic, full ? "see nvidia-smi; large sizes will not fit" : NULL,
                "%s of %s in use", used, total);
}

static void say_power(xb_doctor *d, nvml_device gpu, const char *topic)
{
  unsigned limit, normal, clock, most, celsius, lanes;
  if (ANSWERS(DeviceGetPowerManagementLimit, gpu, &limit) &&
      ANSWERS(DeviceGetPowerManagementDefaultLimit, gpu, &normal))
    xb_doctor_say(d, limit < normal ? XB_REMARK : XB_FOUND, topic,
                  limit < normal ? "sudo nvidia-smi -pl with the default" : NULL, "power limit %u W, default %u W",
                  limit / 1000, normal / 1000);
  if (ANSWERS(DeviceGetApplicationsClock, gpu, CLOCK_SM, &clock) &&
      ANSWERS(DeviceGetMaxClockInfo, gpu, CLOCK_SM, &most))
    xb_doctor_say(d, clock < most ? XB_REMARK : XB_FOUND, topic,
                  clock < most ? "sudo nvidia-smi -rac (and -rgc) removes limits that were set" : NULL,
                  "clock of applications %u MHz, highest %u MHz", clock, most);
  if (ANSWERS(DeviceGetTemperature, gpu, 0, &celsius))
    xb_doctor_say(d, XB_FOUND, topic, NULL, "%u degrees Celsius", celsius);
  if (ANSWERS(DeviceGetCurrPcieLinkWidth, gpu, &lanes) && ANSWERS(DeviceGetMaxPcieLinkWidth, gpu, &most) &&
      lanes < most)
    xb_doctor_say(d, XB_REMARK, topic, "check the slot", "%u of %u PCIe lanes: transfers are slower", lanes, most);
}

/* The reasons that a run would call throttling. */
static void say_held_back(xb_doctor *d, nvml_device gpu, const char *topic)
{
  unsigned long long reasons;
  const char *names[XB_THROTTLES];
  if (!ANSWERS(DeviceGetCurrentClocksEventReasons, gpu, &reasons))
    return;
  const size_t count = xb_throttle_names(xb_throttle_of(reasons), names);
  for (size_t i = 0; i < count; i++)
    xb_doctor_say(d, XB_REMARK, topic, "see nvidia-smi -q -d PERFORMANCE", "clocks are held back: %s", names[i]);
}

static void say_gpu(xb_doctor *d, unsigned index)
{
  nvml_device gpu;
  char name[TEXT_BYTES] = "", topic[TEXT_BYTES + 16];
  if (!ANSWERS(DeviceGetHandleByIndex_v2, index, &gpu))
    return;
  if (!ANSWERS(DeviceGetName, gpu, name, sizeof name))
    snprintf(name, sizeof name, "GPU");
  snprintf(topic, sizeof topic, "GPU %u, %s", index, name);
  const char *kept = xb_arena_text(&d->arena, "%s", topic);
  say_ecc(d, gpu, kept);
  say_modes(d, gpu, kept);
  say_others(d, gpu, kept);
  say_power(d, gpu, kept);
  say_held_back(d, gpu, kept);
}

static void say_all(xb_doctor *d)
{
  char version[TEXT_BYTES];
  int cuda;
  unsigned count = 0;
  if (ANSWERS(SystemGetDriverVersion, version, sizeof version))
    xb_doctor_say(d, XB_FOUND, "NVIDIA driver", NULL, "%s", version);
  if (ANSWERS(SystemGetCudaDriverVersion_v2, &cuda))
    xb_doctor_say(d, XB_FOUND, "NVIDIA driver", NULL, "it runs CUDA up to %d.%d", cuda / 1000, cuda % 1000 / 10);
  if (ANSWERS(DeviceGetCount_v2, &count))
    d->driver_devices = count;
  for (unsigned i = 0; i < count; i++)
    say_gpu(d, i);
}

void xb_doctor_gpus(xb_doctor *d)
{
  void *library = xb_nvml_open();
  if (library && resolve(library) && nvml.Init_v2() == SUCCESS) {
    d->has_nvidia = true;
    say_all(d);
    nvml.Shutdown();
  } else if (d->has_nvidia)
    xb_doctor_say(d, XB_REMARK, "NVML",
                  "install the driver's libnvidia-ml.so.1, or give the container the capability "
                  "'utility'",
                  "%s: clocks and throttling are unknown", library ? "it does not start" : "it is not there");
  if (library)
    dlclose(library);
}
