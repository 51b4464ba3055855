/* What NVML tells of each GPU besides its clocks during a run (machine/monitor.c). Names, numbers and units are from
 * NVIDIA's NVML API Reference Guide. What it does not report, on this GPU or in this virtual machine, is left out. */
#include "doctor/doctor.h"

#include "base/value_text.h"
#include "machine/monitor.h"
#include "machine/nvml.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define ANSWERS(function, ...) XB_NVML_ANSWERS(d->nvml, function, __VA_ARGS__)

static const char *text_of(const xb_nvml *nvml, int code)
{
  return nvml->ErrorString ? nvml->ErrorString(code) : "NVML reports no reason";
}

/* ---- Health ----------------------------------------------------------------------------------------------------- */

static void say_ecc(xb_doctor *d, nvml_device gpu, const char *topic)
{
  int on, pending;
  unsigned corrected, uncorrected, waiting, failed;
  unsigned long long errors;
  if (!ANSWERS(DeviceGetEccMode, gpu, &on, &pending))
    return;
  xb_doctor_say(d, on ? XB_FOUND : XB_REMARK, topic, "sudo nvidia-smi -e 1, then reboot, for reliable results",
                "ECC is %s%s", on ? "on" : "off", on != pending ? "; that changes with the next reboot" : "");
  /* NVIDIA GPU Memory Error Management: a program that meets such an error is ended, and the others go on. */
  if (ANSWERS(DeviceGetTotalEccErrors, gpu, NVML_UNCORRECTED, NVML_SINCE_LOAD, &errors) && errors)
    xb_doctor_say(d, XB_REMARK, topic, "see nvidia-smi -q -d ECC,ROW_REMAPPER",
                  "%llu uncorrected memory errors since the driver was loaded", errors);
  if (!ANSWERS(DeviceGetRemappedRows, gpu, &corrected, &uncorrected, &waiting, &failed))
    return;
  if (failed)
    xb_doctor_say(d, XB_BROKEN, topic, "replace the GPU", "rows of its memory are bad and could not be remapped");
  else if (waiting)
    xb_doctor_say(d, XB_REMARK, topic, "sudo nvidia-smi -r resets the GPU, while nobody uses it",
                  "rows of its memory will be remapped when it is reset");
}

static void say_modes(xb_doctor *d, nvml_device gpu, const char *topic)
{
  unsigned mig, pending, parts = 0, most = 0;
  nvml_device part;
  int mode;
  if (ANSWERS(DeviceGetMigMode, gpu, &mig, &pending) && mig) {
    d->mig = true;
    if (ANSWERS(DeviceGetMaxMigDeviceCount, gpu, &most))
      for (unsigned i = 0; i < most; i++)
        parts += ANSWERS(DeviceGetMigDeviceHandleByIndex, gpu, i, &part);
    xb_doctor_say(d, most && !parts ? XB_MISSING : XB_REMARK, topic,
                  most && !parts ? "sudo nvidia-smi mig -cgi 0 -C makes one; sudo nvidia-smi -mig 0 gives the whole GPU"
                                 : "sudo nvidia-smi -mig 0 gives the whole GPU",
                  most && !parts ? "MIG is on, and there is no MIG device: nothing can use this GPU"
                                 : "MIG is on: CUDA sees a part of the GPU, Vulkan sees none");
  }
  if (ANSWERS(DeviceGetComputeMode, gpu, &mode) && mode != NVML_ANY_PROCESS)
    xb_doctor_say(d, mode == NVML_NO_PROCESS ? XB_BROKEN : XB_REMARK, topic, "sudo nvidia-smi -c 0", "compute mode: %s",
                  mode == NVML_NO_PROCESS ? "no process may use it" : "one process at a time");
  if (ANSWERS(DeviceGetPersistenceMode, gpu, &mode) && !mode)
    xb_doctor_say(d, XB_REMARK, topic, "sudo nvidia-smi -pm 1, or start nvidia-persistenced",
                  "persistence is off: the first use loads the driver, which takes seconds");
}

/* ---- What takes speed ------------------------------------------------------------------------------------------- */

static void say_others(xb_doctor *d, nvml_device gpu, const char *topic)
{
  unsigned processes = 0, drawing = 0;
  nvml_memory memory = {.version = sizeof memory | 2u << 24};
  nvml_utilization rates;
  char used[32], total[32];
  if (d->nvml->DeviceGetComputeRunningProcesses_v3 &&
      d->nvml->DeviceGetComputeRunningProcesses_v3(gpu, &processes, NULL) != NVML_INSUFFICIENT_SIZE)
    processes = 0;
  if (d->nvml->DeviceGetGraphicsRunningProcesses_v3 &&
      d->nvml->DeviceGetGraphicsRunningProcesses_v3(gpu, &drawing, NULL) == NVML_INSUFFICIENT_SIZE)
    processes += drawing;
  if (processes)
    xb_doctor_say(d, XB_REMARK, topic, "see nvidia-smi; measure on a GPU that nobody else uses", "%u other process%s",
                  processes, processes == 1 ? " uses it" : "es use it");
  bool busy = ANSWERS(DeviceGetUtilizationRates, gpu, &rates) && rates.gpu;
  if (busy) { /* loading the driver looks like work, too */
    sleep(1);
    busy = ANSWERS(DeviceGetUtilizationRates, gpu, &rates) && rates.gpu;
  }
  if (busy)
    xb_doctor_say(d, XB_REMARK, topic, "wait until it is idle", "it is busy for %u %% of the time", rates.gpu);
  if (!ANSWERS(DeviceGetMemoryInfo_v2, gpu, &memory) || !memory.total)
    return;
  xb_format_bytes(memory.used, used, sizeof used);
  xb_format_bytes(memory.total, total, sizeof total);
  const bool full = memory.free < memory.total / 4;
  xb_doctor_say(d, full ? XB_REMARK : XB_FOUND, topic, "see nvidia-smi; large sizes will not fit", "%s of %s in use",
                used, total);
}

static void say_power(xb_doctor *d, nvml_device gpu, const char *topic)
{
  unsigned limit, normal, enforced, clock, standard, most, celsius, lanes;
  if (ANSWERS(DeviceGetPowerManagementLimit, gpu, &limit) &&
      ANSWERS(DeviceGetPowerManagementDefaultLimit, gpu, &normal))
    xb_doctor_say(d, limit < normal ? XB_REMARK : XB_FOUND, topic, "sudo nvidia-smi -pl with the default",
                  "power limit %u W, default %u W", limit / 1000, normal / 1000);
  if (ANSWERS(DeviceGetPowerManagementLimit, gpu, &limit) && ANSWERS(DeviceGetEnforcedPowerLimit, gpu, &enforced) &&
      enforced < limit)
    xb_doctor_say(d, XB_REMARK, topic, "ask the administrator of this machine: its management limits the power",
                  "the power limit in force is %u W", enforced / 1000);
  if (ANSWERS(DeviceGetApplicationsClock, gpu, NVML_CLOCK_SM, &clock) &&
      ANSWERS(DeviceGetDefaultApplicationsClock, gpu, NVML_CLOCK_SM, &standard))
    xb_doctor_say(d, clock < standard ? XB_REMARK : XB_FOUND, topic,
                  "sudo nvidia-smi -rac (and -rgc) removes limits that were set",
                  "clock of applications %u MHz, default %u MHz", clock, standard);
  if (ANSWERS(DeviceGetMaxClockInfo, gpu, NVML_CLOCK_SM, &most))
    xb_doctor_say(d, XB_FOUND, topic, NULL, "highest clock %u MHz", most);
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
    xb_doctor_say(d, XB_REMARK, topic, "see nvidia-smi -q -d PERFORMANCE", "clocks are reduced: %s", names[i]);
}

/* NVML lists all GPUs in the order of the bus; CUDA and Vulkan may be given some of them, in other orders. */
static bool is_used(const xb_doctor *d, const char *uuid)
{
  char own[40];
  bool any = false;
  for (size_t g = 0; g < d->inventory.gpu_count; g++) {
    const xb_device_info *info = d->inventory.gpus[g].any;
    xb_format_uuid(info, own);
    any |= info->type != XB_DEVICE_CPU;
    if (*own && strstr(uuid, own))
      return true;
  }
  return !any; /* no API reaches a GPU: each may be the reason */
}

static void say_gpu(xb_doctor *d, unsigned index)
{
  nvml_device gpu;
  char name[NVML_TEXT_BYTES] = "", uuid[NVML_TEXT_BYTES] = "", topic[NVML_TEXT_BYTES + 16];
  unsigned mig, pending;
  const int code = d->nvml->DeviceGetHandleByIndex_v2(index, &gpu);
  if (code == NVML_NO_PERMISSION || code == NVML_BLOCKED) /* somebody else's */
    return;
  if (code != NVML_SUCCESS) {
    xb_doctor_say(d, XB_BROKEN, "NVIDIA driver", "see dmesg; sudo nvidia-smi -r, or reboot", "GPU %u: %s", index,
                  text_of(d->nvml, code));
    return;
  }
  if (!ANSWERS(DeviceGetName, gpu, name, sizeof name))
    snprintf(name, sizeof name, "GPU");
  snprintf(topic, sizeof topic, "GPU %u, %s", index, name);
  const char *kept = xb_arena_text(&d->arena, "%s", topic);
  if (ANSWERS(DeviceGetUUID, gpu, uuid, sizeof uuid))
    xb_doctor_say(d, XB_FOUND, kept, NULL, "%s", uuid);
  const bool parted = ANSWERS(DeviceGetMigMode, gpu, &mig, &pending) && mig; /* its parts have UUIDs of their own */
  if (*uuid && !parted && !is_used(d, uuid)) {
    xb_doctor_say(d, XB_FOUND, kept, NULL, "no API of this program reaches it");
    return;
  }
  say_ecc(d, gpu, kept);
  say_modes(d, gpu, kept);
  say_others(d, gpu, kept);
  say_power(d, gpu, kept);
  say_held_back(d, gpu, kept);
}

static void say_all(xb_doctor *d)
{
  char version[NVML_TEXT_BYTES];
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
  xb_nvml nvml;
  const bool usable = xb_nvml_open(&nvml) && nvml.DeviceGetCount_v2 && nvml.DeviceGetHandleByIndex_v2;
  const int code = usable ? nvml.Init_v2() : -1;
  d->nvml = &nvml;
  if (code == NVML_SUCCESS) {
    d->has_nvidia = true;
    say_all(d);
    nvml.Shutdown();
  } else if (d->has_nvidia)
    xb_doctor_say(d, XB_REMARK, "NVML",
                  "install the driver's libnvidia-ml.so.1, or give the container the capability "
                  "'utility'",
                  "%s: clocks and throttling are unknown", nvml.library ? text_of(&nvml, code) : "it is not there");
  xb_nvml_close(&nvml);
  d->nvml = NULL;
}
