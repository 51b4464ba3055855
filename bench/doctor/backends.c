#include "doctor/doctor.h"

#include "base/value_text.h"
#include "xb/backend.h"

#include <stdlib.h>
#include <string.h>

/* A machine should have the API. */
static bool is_expected(const xb_doctor *d, const xb_about *about)
{
  return about->install && (!about->vendor || d->has_nvidia); /* the only vendor with an API of its own */
}

static xb_finding weight(const xb_doctor *d, const xb_about *about, xb_code code)
{
  if (code != XB_UNAVAILABLE && code != XB_UNSUPPORTED)
    return XB_BROKEN;
  return is_expected(d, about) ? XB_MISSING : XB_REMARK;
}

static const char *advice_for(const xb_doctor *d, const xb_about *about, const xb_error *error)
{
  static const struct {
    const char *error, *advice;
  } known[] = {
      {"CUDA_ERROR_OPERATING_SYSTEM",
       "the device files are blocked: start the container with --gpus all, or ask the batch system for a GPU"},
      {"CUDA_ERROR_SYSTEM_NOT_READY",
       "start the Fabric Manager (nvidia-fabricmanager), which machines with NVSwitch need"},
      {"CUDA_ERROR_SYSTEM_DRIVER_MISMATCH",
       "the library and the kernel module differ: reboot, or remove a folder 'compat' from LD_LIBRARY_PATH"},
      {"CUDA_ERROR_UNKNOWN",
       "reload the module: sudo modprobe -r nvidia_uvm && sudo modprobe nvidia_uvm; then see dmesg"},
  };
  for (size_t k = 0; k < sizeof known / sizeof *known; k++)
    if (!strcmp(known[k].error, error->native_name))
      return known[k].advice;
  if (!about->install)
    return "nothing to do, unless you want to measure this API";
  return is_expected(d, about) ? about->install : "nothing to do without an NVIDIA GPU";
}

static void say_backend(xb_doctor *d, size_t b)
{
  const char *name = xb_backend_at(b)->name;
  const xb_about *about = &xb_backend_at(b)->about;
  if (d->inventory.code[b]) {
    xb_doctor_say(d, weight(d, about, d->inventory.code[b]), name, advice_for(d, about, &d->inventory.error[b]), "%s",
                  d->inventory.error[b].message);
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
                    : tried == XB_BROKEN ? "update the driver; do not trust this device until then"
                                         : "the message names the part that is missing or the call that failed",
                    "a kernel fails on it: %s", trial->error.message);
  }
}

bool xb_doctor_runs(const xb_doctor *d, const char *code)
{
  bool runs = false;
  for (size_t g = 0; g < d->inventory.gpu_count; g++)
    for (size_t b = 0; b < d->inventory.backend_count; b++) {
      const xb_device_info *info = d->inventory.gpus[g].by_backend[b];
      runs |= info && !strcmp(info->code, code);
    }
  return runs;
}

/* Empty hides all; a list hides what it does not name. */
static void say_visible(xb_doctor *d, size_t b)
{
  const xb_about *about = &xb_backend_at(b)->about;
  const char *visible = about->visible ? getenv(about->visible) : NULL;
  size_t count = 0;
  if (!visible)
    return;
  for (size_t g = 0; g < d->inventory.gpu_count; g++)
    count += d->inventory.gpus[g].by_backend[b] != NULL;
  const bool hides = !*visible || !strcmp(visible, "-1");
  xb_doctor_say(d, hides && is_expected(d, about) ? XB_MISSING : XB_REMARK, about->visible,
                xb_arena_text(&d->arena, "unset %s%s", about->visible, hides ? "" : " to see all"),
                hides ? "'%s' hides all GPUs from %s" : "'%s': %s sees %zu of %zu", visible, about->title, count,
                d->driver_devices);
}

/* A GPU that only other APIs reach. Mesa, too, has drivers for a vendor's GPUs: there the vendor's API is not expected.
 */
static void say_unreached(xb_doctor *d, size_t b, const xb_gpu *gpu)
{
  const xb_backend *api = xb_backend_at(b), *other = xb_backend_find(gpu->any->backend);
  const char *vendor = api->about.vendor, *variable = api->about.visible;
  if (gpu->by_backend[b] || !api->about.unreached || gpu->any->type == XB_DEVICE_CPU ||
      (vendor && strncmp(gpu->any->driver, vendor, strlen(vendor)) != 0))
    return;
  if (d->mig && !vendor)
    xb_doctor_say(d, XB_REMARK, api->name, "sudo nvidia-smi -mig 0 gives the whole GPU",
                  "%s has no parts of a GPU (MIG)", api->about.title);
  else
    xb_doctor_say(d, variable && getenv(variable) ? XB_REMARK : XB_MISSING, api->name, api->about.unreached,
                  "%s does not reach %s, but %s does", api->about.title, gpu->any->name,
                  other->about.title ? other->about.title : other->name);
}

static void say_none(xb_doctor *d)
{
  bool gpu = false;
  for (size_t g = 0; g < d->inventory.gpu_count; g++)
    gpu |= d->inventory.gpus[g].any->type != XB_DEVICE_CPU;
  if (!d->inventory.gpu_count)
    xb_doctor_say(d, XB_MISSING, "devices", "see above for each API", "no API reaches any device: nothing can run");
  else if (!gpu)
    xb_doctor_say(d, XB_REMARK, "devices", "for meaningful times, use a machine with a GPU",
                  "there is only a CPU device: results are right, times say nothing about GPUs");
}

/* Variables that change what is measured. */
static void say_variables(xb_doctor *d)
{
  static const struct {
    const char *name, *what;
  } known[] = {
      {"CUDA_LAUNCH_BLOCKING", "each launch waits for its end: streams become slower"},
      {"CUDA_CACHE_DISABLE", "PTX is compiled again in each process"},
      {"CUDA_FORCE_PTX_JIT", "machine code in the program is not used"},
      {"CUDA_MPS_PIPE_DIRECTORY", "MPS may share the GPU with other processes"},
      {"CUDA_DEVICE_MAX_CONNECTIONS", "it limits how many streams run at the same time"},
      {"VK_INSTANCE_LAYERS", "the layers' time is part of host times"},
      {"VK_LOADER_LAYERS_ENABLE", "the layers' time is part of host times"},
      {"VK_LOADER_LAYERS_DISABLE", "the loader skips layers, perhaps the validation layer"},
      {"VK_LAYER_PATH", "the loader searches layers only there"},
      {"VK_LOADER_DRIVERS_SELECT", "the loader loads only these drivers"},
      {"VK_LOADER_DRIVERS_DISABLE", "the loader skips these drivers"},
      {"CUDA_MPS_ACTIVE_THREAD_PERCENTAGE", "MPS gives this process a part of the GPU"},
      {"CUDA_INJECTION64_PATH", "a tool is loaded into each CUDA program: times are not those of the driver"},
      {"VK_LOADER_DEBUG", "the loader writes to stderr"},
      {"XB_VALIDATION", "the validation layer is on: times are not those of the driver"},
      {"XB_PIPELINE_CACHE", "pipelines are written to files"},
      {"MESA_SHADER_CACHE_DISABLE", "shaders are compiled again in each process"},
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
  for (size_t b = 0; b < d->inventory.backend_count; b++) {
    say_visible(d, b);
    for (size_t g = 0; g < d->inventory.gpu_count; g++)
      say_unreached(d, b, &d->inventory.gpus[g]);
  }
  say_none(d);
  say_variables(d);
}
