/* Where it was measured: the program, the machine, its devices, and how samples were taken. */
#include "report/format.h"
#include "report/json.h"
#include "version.h"

#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>

static void cpu_model(char *out, size_t out_bytes)
{
  char line[256];
  *out = 0;
  FILE *file = fopen("/proc/cpuinfo", "r");
  while (file && !*out && fgets(line, sizeof line, file)) {
    const char *colon = strchr(line, ':');
    if (colon && !strncmp(line, "model name", 10))
      snprintf(out, out_bytes, "%.*s", (int)strcspn(colon + 2, "\n"), colon + 2);
  }
  if (file)
    fclose(file);
}

json_t *xb_json_host(void)
{
  struct utsname os = {0};
  char cpu[256];
  uname(&os);
  cpu_model(cpu, sizeof cpu);
  json_t *h = json_object();
  json_object_set_new(h, "version", json_string(XB_VERSION));
  json_object_set_new(h, "os", xb_json_text(os.sysname));
  json_object_set_new(h, "kernel", xb_json_text(os.release));
  json_object_set_new(h, "cpu", xb_json_text(cpu));
  json_object_set_new(h, "compiler", json_string(XB_COMPILER));
  json_object_set_new(h, "compiler_flags", json_string(XB_COMPILER_FLAGS));
  json_object_set_new(h, "shader_compiler", json_string(XB_SHADER_COMPILER));
  json_object_set_new(h, "shader_flags", json_string(XB_SHADER_FLAGS));
  json_object_set_new(h, "cuda_compiler", xb_json_text(XB_CUDA_COMPILER));
  json_object_set_new(h, "cuda_flags", xb_json_text(XB_CUDA_FLAGS));
  return h;
}

static void add_limits(json_t *d, const xb_device_info *info)
{
  json_object_set_new(d, "memory_bytes", xb_json_known(info->memory_bytes));
  json_object_set_new(d, "max_binding_bytes", xb_json_known(info->max_binding_bytes));
  json_object_set_new(d, "max_group_threads", xb_json_known(info->max_group_threads));
  json_object_set_new(d, "shared_bytes", xb_json_known(info->shared_bytes));
  json_object_set_new(d, "subgroup_size", xb_json_known(info->subgroup_size));
  json_object_set_new(d, "timestamp_period_ns", xb_json_number(info->timestamp_period_ns));
  json_object_set_new(d, "multiprocessors", xb_json_known(info->multiprocessors));
  json_object_set_new(d, "cache_bytes", xb_json_known(info->cache_bytes));
  json_object_set_new(d, "clock_khz", xb_json_known(info->clock_khz));
  json_object_set_new(d, "memory_clock_khz", xb_json_known(info->memory_clock_khz));
  json_object_set_new(d, "memory_bus_bits", xb_json_known(info->memory_bus_bits));
}

json_t *xb_json_device(const xb_device_info *info)
{
  const bool families = xb_has_families(info);
  const xb_queue_info *compute = &info->queues[XB_QUEUE_COMPUTE];
  json_t *d = json_object();
  json_object_set_new(d, "uuid", xb_json_uuid(info));
  json_object_set_new(d, "backend", json_string(info->backend));
  json_object_set_new(d, "name", xb_json_text(info->name));
  json_object_set_new(d, "type", json_string(xb_device_type_name(info->type)));
  json_object_set_new(d, "driver", xb_json_text(info->driver));
  json_object_set_new(d, "api_version", xb_json_text(info->api_version));
  json_object_set_new(d, "launch_mode", json_string(xb_launch_mode_name(info->launch_mode)));
  json_object_set_new(d, "pci", xb_json_text(info->pci));
  json_object_set_new(d, "queue_family", families ? json_integer(compute->family) : json_null());
  json_object_set_new(d, "queue_family_graphics", families ? json_boolean(compute->graphics) : json_null());
  add_limits(d, info);
  json_object_set_new(d, "robust_buffer_access",
                      info->has_robust_access ? json_boolean(info->robust_access) : json_null());
  return d;
}

json_t *xb_json_sampling(const xb_sampling *sampling)
{
  json_t *s = json_object();
  json_object_set_new(s, "min_time_s", xb_json_number(sampling->min_time_s));
  json_object_set_new(s, "max_time_s", xb_json_number(sampling->max_time_s));
  json_object_set_new(s, "width", xb_json_number(sampling->width));
  json_object_set_new(s, "min_rounds", json_integer((json_int_t)sampling->min_rounds));
  json_object_set_new(s, "seed", json_integer((json_int_t)sampling->seed));
  return s;
}
