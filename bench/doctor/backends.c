#include "doctor/doctor.h"

#include "base/value_text.h"

#include <stdlib.h>
#include <string.h>

/* Drivers of APIs that a machine should have. Others are optional. */
static const struct {
  const char *backend;
  bool of_nvidia; /* only for NVIDIA's GPUs; else it also runs on a CPU */
  const char *advice;
} drivers[] = {
    {"vulkan", false,
     "install a Vulkan driver: the GPU's own, or lavapipe (Debian: apt-get install mesa-vulkan-drivers); check "
     "VK_DRIVER_FILES and VK_ICD_FILENAMES"},
    {"cuda", true,
     "install libcuda1 of the version of the kernel module, or start the container with --gpus all; check "
     "CUDA_VISIBLE_DEVICES"},
};
enum { DRIVERS = sizeof drivers / sizeof *drivers };

/* DRIVERS: none of these. */
static size_t driver_of(const char *name)
{
  size_t i = 0;
  while (i < DRIVERS && strcmp(drivers[i].backend, name) != 0)
    i++;
  return i;
}

static xb_finding weight(const xb_doctor *d, const char *name, xb_code code)
{
  const size_t i = driver_of(name);
  if (code != XB_UNAVAILABLE && code != XB_UNSUPPORTED)
    return XB_BROKEN;
  return i < DRIVERS && (!drivers[i].of_nvidia || d->has_nvidia) ? XB_MISSING : XB_REMARK;
}

static const char *advice_for(const xb_doctor *d, const char *name, int native)
{
  static const struct {
    int native; /* CUresult */
    const char *advice;
  } known[] = {
      {304, "the device files are blocked: start the container with --gpus all, or ask the batch system for a GPU"},
      {802, "start the Fabric Manager (nvidia-fabricmanager), which machines with NVSwitch need"},
      {803, "the library and the kernel module differ: reboot, or remove a folder 'compat' from LD_LIBRARY_PATH"},
      {999, "reload the module: sudo modprobe -r nvidia_uvm && sudo modprobe nvidia_uvm; then see dmesg"},
  };
  const size_t i = driver_of(name);
  for (size_t k = 0; i < DRIVERS && drivers[i].of_nvidia && k < sizeof known / sizeof *known; k++)
    if (known[k].native == native)
      return known[k].advice;
  if (i == DRIVERS)
    return "nothing to do, unless this API is to be measured";
  return drivers[i].of_nvidia && !d->has_nvidia ? "nothing to do without an NVIDIA GPU" : drivers[i].advice;
}

static void say_backend(xb_doctor *d, size_t b)
{
  const char *name = xb_backend_name(xb_backend_at(b));
  if (d->inventory.code[b]) {
    xb_doctor_say(d, weight(d, name, d->inventory.code[b]), name, advice_for(d, name, d->inventory.error[b].native),
                  "%s", d->inventory.error[b].message);
    return;
  }
  for (size_t g = 0; g < d->inventory.gpu_count; g++) {
    const xb_device_info *info = d->inventory.gpus[g].by_backend[b];
    const xb_doctor_trial *trial = info ? &d->trials[b][info->index] : NULL;
    const xb_finding tried = trial ? trial->finding : XB_FOUND;
    if (info)
      xb_doctor_say(d, XB_FOUND, name, NULL, "%s (%s), API %s, %s%s", info->name, xb_device_type_name(info->type),
                    info->api_version, info->driver, tried ? "" : ": a kernel ran, its result is right");
    if (tried)
      xb_doctor_say(d, tried, name,
                    tried == XB_BROKEN && trial->error.code == XB_LOST
                        ? "raise the limits of memory and stack (ulimit -v, ulimit -s); if it "
                          "happens without limits, update the driver"
                    : tried == XB_BROKEN ? "update the driver; do not trust this device before"
                                         : "the message names the part that is missing or the call that failed",
                    "a kernel fails on it: %s", trial->error.message);
  }
}

static bool reaches(const xb_doctor *d, const xb_gpu *gpu, const char *backend)
{
  for (size_t b = 0; b < d->inventory.backend_count; b++)
    if (gpu->by_backend[b] && !strcmp(gpu->by_backend[b]->backend, backend))
      return true;
  return false;
}

size_t xb_doctor_count(const xb_doctor *d, const char *backend)
{
  size_t count = 0;
  for (size_t g = 0; g < d->inventory.gpu_count; g++)
    count += reaches(d, &d->inventory.gpus[g], backend);
  return count;
}

/* Empty hides all; a list hides what it does not name. */
static void say_visible(xb_doctor *d)
{
  const char *visible = getenv("CUDA_VISIBLE_DEVICES");
  if (!visible)
    return;
  const bool hides = !*visible || !strcmp(visible, "-1");
  xb_doctor_say(d, hides && d->has_nvidia ? XB_MISSING : XB_REMARK, "CUDA_VISIBLE_DEVICES",
                hides ? "unset CUDA_VISIBLE_DEVICES" : "unset CUDA_VISIBLE_DEVICES to see all",
                hides ? "'%s' hides all GPUs from CUDA" : "'%s': CUDA sees %zu of %zu", visible,
                xb_doctor_count(d, "cuda"), d->driver_devices);
}

/* A GPU that CUDA reaches and Vulkan does not, or the reverse. */
static void say_unpaired(xb_doctor *d)
{
  for (size_t g = 0; g < d->inventory.gpu_count; g++) {
    const xb_gpu *gpu = &d->inventory.gpus[g];
    const bool cuda = reaches(d, gpu, "cuda"), vulkan = reaches(d, gpu, "vulkan");
    if (cuda && !vulkan && d->mig)
      xb_doctor_say(d, XB_REMARK, "vulkan", "sudo nvidia-smi -mig 0 gives the whole GPU",
                    "Vulkan has no parts of a GPU (MIG)");
    else if (cuda && !vulkan)
      xb_doctor_say(d, XB_MISSING, "vulkan",
                    "install nvidia_icd.json with the driver's Vulkan part; in a container set "
                    "NVIDIA_DRIVER_CAPABILITIES=all",
                    "Vulkan does not reach %s, which CUDA does", gpu->any->name);
    if (!cuda && vulkan && !strncmp(gpu->any->driver, "NVIDIA ", 7)) /* Mesa has a driver for such GPUs, too */
      xb_doctor_say(d, getenv("CUDA_VISIBLE_DEVICES") ? XB_REMARK : XB_MISSING, "cuda",
                    "check CUDA_VISIBLE_DEVICES and /dev/nvidia-uvm", "CUDA does not reach %s, which Vulkan does",
                    gpu->any->name);
  }
}

static void say_none(xb_doctor *d)
{
  bool gpu = false;
  for (size_t g = 0; g < d->inventory.gpu_count; g++)
    gpu |= d->inventory.gpus[g].any->type != XB_DEVICE_CPU;
  if (!d->inventory.gpu_count)
    xb_doctor_say(d, XB_MISSING, "devices", "see above for each API", "no API reaches any device: nothing can run");
  else if (!gpu)
    xb_doctor_say(d, XB_REMARK, "devices", "for times that mean something, run it on a machine with a GPU",
                  "there is only a CPU device: results are right, times say nothing about GPUs");
}

/* Variables that change what is measured. */
static void say_variables(xb_doctor *d)
{
  static const struct {
    const char *name, *what;
  } known[] = {
      {"CUDA_LAUNCH_BLOCKING", "each launch waits for its end: streams become slower"},
      {"CUDA_CACHE_DISABLE", "PTX is compiled anew in each process"},
      {"CUDA_FORCE_PTX_JIT", "machine code in the program is not used"},
      {"CUDA_MPS_PIPE_DIRECTORY", "MPS may share the GPU with other processes"},
      {"CUDA_DEVICE_MAX_CONNECTIONS", "it limits how many streams run at the same time"},
      {"VK_INSTANCE_LAYERS", "the layers' time is part of host times"},
      {"VK_LOADER_LAYERS_ENABLE", "the layers' time is part of host times"},
      {"VK_LOADER_LAYERS_DISABLE", "the loader leaves out layers, perhaps the validation layer"},
      {"VK_LAYER_PATH", "the loader searches layers only there"},
      {"VK_LOADER_DRIVERS_SELECT", "the loader takes only these drivers"},
      {"VK_LOADER_DRIVERS_DISABLE", "the loader leaves out these drivers"},
      {"CUDA_MPS_ACTIVE_THREAD_PERCENTAGE", "MPS gives this process a part of the GPU"},
      {"CUDA_INJECTION64_PATH", "a tool is loaded into each CUDA program: times are not those of the driver"},
      {"VK_LOADER_DEBUG", "the loader writes to stderr"},
      {"XB_VALIDATION", "the validation layer is on: times are not those of the driver"},
      {"XB_PIPELINE_CACHE", "pipelines are written to files"},
      {"MESA_SHADER_CACHE_DISABLE", "shaders are compiled anew in each process"},
  };
  for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
    const char *value = getenv(known[i].name);
    if (value && *value && strcmp(value, "0") != 0)
      xb_doctor_say(d, XB_REMARK, "environment",
                    xb_arena_text(&d->arena, "unset %s to measure without it", known[i].name), "%s=%s: %s",
                    known[i].name, value, known[i].what);
  }
}

void xb_doctor_backends(xb_doctor *d)
{
  for (size_t b = 0; b < d->inventory.backend_count; b++)
    say_backend(d, b);
  say_visible(d);
  say_unpaired(d);
  say_none(d);
  say_variables(d);
}
