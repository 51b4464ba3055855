#include "doctor/doctor.h"

#include <ctype.h>
#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

enum { LINE_BYTES = 256 };

static const char *path_of(const xb_doctor *d, const char *path, char out[PATH_MAX])
{
  snprintf(out, PATH_MAX, "%s%s", d->root, path);
  return out;
}

static bool exists(const xb_doctor *d, const char *path)
{
  char full[PATH_MAX];
  return !access(path_of(d, path, full), F_OK);
}

/* The first line of a file; "" if there is none. */
static const char *first_line(const xb_doctor *d, const char *path, char out[LINE_BYTES])
{
  char full[PATH_MAX];
  FILE *file = fopen(path_of(d, path, full), "r");
  if (!file || !fgets(out, LINE_BYTES, file))
    *out = 0;
  if (file)
    fclose(file);
  out[strcspn(out, "\n")] = 0;
  return out;
}

/* ---- System ----------------------------------------------------------------------------------------------------- */

static const char *container_of(const xb_doctor *d)
{
  char line[LINE_BYTES];
  if (exists(d, "/.dockerenv"))
    return "Docker";
  if (exists(d, "/run/.containerenv"))
    return "Podman";
  if (getenv("KUBERNETES_SERVICE_HOST"))
    return "Kubernetes";
  first_line(d, "/proc/1/cgroup", line);
  return strstr(line, "docker") || strstr(line, "kubepods") || strstr(line, "lxc") ? "a container" : NULL;
}

static void say_system(xb_doctor *d)
{
  struct utsname name = {0};
  uname(&name);
  const char *container = container_of(d);
  xb_doctor_say(d, XB_FOUND, "machine", NULL, "%s %s, %s, %ld processors", name.sysname, name.release, name.machine,
                sysconf(_SC_NPROCESSORS_ONLN));
  if (container)
    xb_doctor_say(d, XB_FOUND, "machine", NULL, "inside %s: it sees only the GPUs and drivers that it was given",
                  container);
}

/* ---- GPUs on the bus -------------------------------------------------------------------------------------------- */

static const char *vendor_name(unsigned vendor)
{
  return vendor == 0x10DE ? "NVIDIA" : vendor == 0x1002 ? "AMD" : vendor == 0x8086 ? "Intel" : "other";
}

/* The kernel driver of a device on the bus; "" if it has none. */
static const char *bound_driver(const xb_doctor *d, const char *device, char out[LINE_BYTES])
{
  char path[LINE_BYTES * 2], full[PATH_MAX], target[PATH_MAX] = "";
  snprintf(path, sizeof path, "/sys/bus/pci/devices/%.200s/driver", device);
  const ssize_t length = readlink(path_of(d, path, full), target, sizeof target - 1);
  const char *slash = length > 0 ? strrchr(target, '/') : NULL;
  snprintf(out, LINE_BYTES, "%s", slash ? slash + 1 : "");
  return out;
}

/* Class 03 are displays: GPUs, and simple adapters of servers and virtual machines. */
static void say_device(xb_doctor *d, const char *device)
{
  char path[LINE_BYTES * 2], line[LINE_BYTES], driver[LINE_BYTES];
  snprintf(path, sizeof path, "/sys/bus/pci/devices/%.200s/class", device);
  const unsigned long class = strtoul(first_line(d, path, line), NULL, 16);
  snprintf(path, sizeof path, "/sys/bus/pci/devices/%.200s/vendor", device);
  const unsigned vendor = (unsigned)strtoul(first_line(d, path, line), NULL, 16);
  const bool nvidia = vendor == 0x10DE;
  if (class >> 16 != 3 || (!nvidia && vendor != 0x1002 && vendor != 0x8086))
    return;
  d->has_nvidia |= nvidia;
  bound_driver(d, device, driver);
  const bool good = nvidia ? !strcmp(driver, "nvidia") : *driver;
  const bool reached = nvidia && xb_doctor_runs(d, "fatbin"); /* a sandbox may hide which driver is bound */
  xb_doctor_say(d,
                good      ? XB_FOUND
                : reached ? XB_REMARK
                          : XB_MISSING,
                "GPUs on the bus",
                nvidia ? "install NVIDIA's kernel module; xbench does not run on nouveau or on a GPU that is passed "
                         "through to a virtual machine"
                       : "load its kernel driver",
                "%s GPU at %s, kernel driver %s", vendor_name(vendor), device, *driver ? driver : "none");
}

static void say_bus(xb_doctor *d)
{
  char path[PATH_MAX];
  struct dirent *entry;
  DIR *folder = opendir(path_of(d, "/sys/bus/pci/devices", path));
  while (folder && (entry = readdir(folder)))
    if (*entry->d_name != '.')
      say_device(d, entry->d_name);
  if (folder)
    closedir(folder);
}

/* ---- Kernel module and device files ----------------------------------------------------------------------------- */

static void say_module(xb_doctor *d)
{
  char line[LINE_BYTES];
  first_line(d, "/proc/driver/nvidia/version", line);
  const bool loaded = *line || exists(d, "/sys/module/nvidia");
  d->has_nvidia |= loaded || exists(d, "/dev/nvidiactl");
  if (loaded)
    xb_doctor_say(d, XB_FOUND, "kernel module", NULL, "%s",
                  *line ? line + strspn(line, " ") : "nvidia is loaded, without a version");
  else if (d->has_nvidia)
    xb_doctor_say(d, exists(d, "/dev/nvidiactl") ? XB_REMARK : XB_MISSING, "kernel module",
                  "sudo modprobe nvidia; if it is not found, install the NVIDIA driver for this kernel",
                  "nvidia is not loaded, as far as this process sees");
  if (loaded && !exists(d, "/dev/nvidiactl"))
    xb_doctor_say(d, XB_MISSING, "device files",
                  "run nvidia-smi once as root; start a container with --gpus all (NVIDIA Container Toolkit)",
                  "/dev/nvidiactl is missing");
  if (loaded && exists(d, "/dev/nvidiactl") && !exists(d, "/dev/nvidia-uvm"))
    xb_doctor_say(d, XB_MISSING, "device files", "sudo modprobe nvidia-uvm, or run a CUDA program once as root",
                  "/dev/nvidia-uvm is missing: CUDA needs it");
}

/* What CUDA and Vulkan open, of all that the drivers make. NVIDIA's Vulkan needs no render node. */
static bool is_needed(const char *name)
{
  return (!strncmp(name, "nvidia", 6) && isdigit((unsigned char)name[6])) || !strcmp(name, "nvidiactl") ||
         !strcmp(name, "nvidia-uvm") || !strncmp(name, "renderD", 7);
}

/* Files of `folder` that this user may not open. */
static void say_closed(xb_doctor *d, const char *folder, xb_finding finding, const char *advice)
{
  char path[PATH_MAX], file[PATH_MAX + LINE_BYTES + 8];
  struct dirent *entry;
  DIR *files = opendir(path_of(d, folder, path));
  while (files && (entry = readdir(files))) {
    snprintf(file, sizeof file, "%s/%s", path, entry->d_name);
    if (is_needed(entry->d_name) && access(file, R_OK | W_OK))
      xb_doctor_say(d, finding, "device files", advice, "%s: this user may not read and write it", file);
  }
  if (files)
    closedir(files);
}

void xb_doctor_machine(xb_doctor *d)
{
  say_system(d);
  say_bus(d);
  say_module(d);
  say_closed(d, "/dev", XB_MISSING, "sudo usermod -aG video $USER, then log in again");
  say_closed(d, "/dev/dri", d->has_nvidia ? XB_REMARK : XB_MISSING, "sudo usermod -aG render $USER, then log in again");
  if (!d->has_nvidia)
    xb_doctor_say(d, XB_FOUND, "GPUs on the bus", NULL, "no NVIDIA GPU, as far as this process sees");
}
