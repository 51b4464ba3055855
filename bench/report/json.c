/* {"schema": "xbench/1", "host": {...}, "devices": [...], "results": [...]}; what is unknown is null. */
#include "report/format.h"
#include "report/results.h"
#include "version.h"

#include <jansson.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>

static json_t *known(uint64_t value)
{
  return value ? json_integer((json_int_t)value) : json_null();
}

static json_t *text(const char *value)
{
  return *value ? json_string(value) : json_null();
}

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

static json_t *host(void)
{
  struct utsname os = {0};
  char cpu[256];
  uname(&os);
  cpu_model(cpu, sizeof cpu);
  return json_pack("{s:s, s:s, s:s, s:o, s:s, s:s, s:s, s:s, s:o, s:o}", "version", XB_VERSION, "os", os.sysname,
                   "kernel", os.release, "cpu", text(cpu), "compiler", XB_COMPILER, "compiler_flags", XB_COMPILER_FLAGS,
                   "shader_compiler", XB_SHADER_COMPILER, "shader_flags", XB_SHADER_FLAGS, "cuda_compiler",
                   text(XB_CUDA_COMPILER), "cuda_flags", text(XB_CUDA_FLAGS));
}

static json_t *device(const xb_device_info *info)
{
  char uuid[40];
  xb_format_uuid(info, uuid);
  json_t *d = json_pack("{s:o, s:s, s:s, s:s, s:o, s:o, s:s}", "uuid", text(uuid), "backend", info->backend, "name",
                        info->name, "type", xb_device_type_name(info->type), "driver", text(info->driver),
                        "api_version", text(info->api_version), "launch_mode", xb_launch_mode_name(info->launch_mode));
  json_object_set_new(d, "pci", text(info->pci));
  json_object_set_new(d, "memory_bytes", known(info->memory_bytes));
  json_object_set_new(d, "max_binding_bytes", known(info->max_binding_bytes));
  json_object_set_new(d, "max_group_threads", known(info->max_group_threads));
  json_object_set_new(d, "shared_bytes", known(info->shared_bytes));
  json_object_set_new(d, "subgroup_size", known(info->subgroup_size));
  const bool families = xb_has_families(info);
  const xb_queue_info *compute = &info->queues[XB_QUEUE_COMPUTE];
  json_object_set_new(d, "queue_family", families ? json_integer(compute->family) : json_null());
  json_object_set_new(d, "queue_family_graphics", families ? json_boolean(compute->graphics) : json_null());
  json_object_set_new(d, "timestamp_period_ns", json_real(info->timestamp_period_ns));
  json_object_set_new(d, "multiprocessors", known(info->multiprocessors));
  json_object_set_new(d, "cache_bytes", known(info->cache_bytes));
  json_object_set_new(d, "clock_khz", known(info->clock_khz));
  json_object_set_new(d, "memory_clock_khz", known(info->memory_clock_khz));
  json_object_set_new(d, "memory_bus_bits", known(info->memory_bus_bits));
  if (!strcmp(info->backend, "vulkan"))
    json_object_set_new(d, "robust_buffer_access", json_false());
  return d;
}

xb_json *xb_json_begin(const xb_device_info *const *devices, size_t count)
{
  json_t *list = json_array();
  for (size_t i = 0; i < count; i++)
    json_array_append_new(list, device(devices[i]));
  return json_pack("{s:s, s:o, s:o, s:[]}", "schema", "xbench/1", "host", host(), "devices", list, "results");
}

static json_t *numbers(const double *values, size_t count)
{
  json_t *list = json_array();
  for (size_t i = 0; i < count; i++)
    json_array_append_new(list, json_real(values[i]));
  return list;
}

static void add_measured(json_t *r, const xb_group *group, const xb_cell *cell)
{
  const bool timed = cell->outcome == XB_CELL_OK;
  const double copy = timed ? xb_copy_gbps(group, cell->workload->device) : 0;
  json_object_set_new(r, "batch", timed ? json_integer(cell->batch) : json_null());
  json_object_set_new(r, "samples_ns", numbers(cell->samples_ns, cell->sample_count));
  json_object_set_new(r, "median_ns", timed ? json_real(cell->device.median) : json_null());
  json_object_set_new(r, "ci95_ns",
                      timed ? json_pack("[f, f]", cell->device.ci95_low, cell->device.ci95_high) : json_null());
  json_object_set_new(r, "spread_ns", timed ? json_real(cell->device.spread) : json_null());
  json_object_set_new(r, "stopped_by", timed && cell->stopped_by ? json_string(cell->stopped_by) : json_null());
  const bool host = timed && cell->cache == XB_CACHE_HOT; /* cold: the flush would be in it */
  json_object_set_new(r, "host_ns", host ? json_real(cell->host.median) : json_null());
  json_object_set_new(r, "host_samples_ns", numbers(cell->host_ns, cell->sample_count));
  const bool rate = timed && cell->plan.bytes;
  json_object_set_new(r, "gbps", rate ? json_real(xb_cell_gbps(cell)) : json_null());
  const double peak = rate ? xb_peak_gbps(cell->c.device) : 0;
  json_object_set_new(r, "percent_of_peak", peak > 0 ? json_real(100 * xb_cell_gbps(cell) / peak) : json_null());
  json_object_set_new(r, "percent_of_copy", copy > 0 ? json_real(100 * xb_cell_gbps(cell) / copy) : json_null());
}

static json_t *result(const xb_group *group, const xb_cell *cell)
{
  const xb_device_info *info = cell->c.device;
  const xb_variant *v = cell->c.variant;
  const xb_kernel_info *kernel = cell->kernel ? xb_kernel_get_info(cell->kernel) : NULL;
  char uuid[40], variant[64], hash[32] = "";
  xb_format_uuid(info, uuid);
  snprintf(variant, sizeof variant, "%u_%s", v->number, v->name);
  if (cell->code_hash)
    snprintf(hash, sizeof hash, "fnv1a64:%016llx", (unsigned long long)cell->code_hash);

  json_t *r = json_pack("{s:s, s:s, s:s, s:s, s:o, s:s, s:I}", "benchmark", v->benchmark, "variant", variant, "title",
                        v->title, "backend", info->backend, "device", text(uuid), "dtype", xb_dtype_name(cell->c.dtype),
                        "size", (json_int_t)cell->c.n);
  const bool matrix = cell->benchmark->matrix;
  json_object_set_new(r, "rows", matrix ? json_integer((json_int_t)cell->c.rows) : json_null());
  json_object_set_new(r, "columns", matrix ? json_integer((json_int_t)cell->c.columns) : json_null());
  json_object_set_new(r, "block", xb_has_kernel(v) ? json_integer(cell->c.block) : json_null());
  json_object_set_new(r, "windows", known(cell->plan.windows));
  json_object_set_new(r, "bytes", known(cell->plan.bytes));
  json_object_set_new(r, "flops", json_integer((json_int_t)cell->plan.flops));
  json_object_set_new(r, "cache", json_string(cell->cache == XB_CACHE_COLD ? "cold" : "hot"));
  json_object_set_new(r, "launch_mode", json_string(xb_launch_mode_name(info->launch_mode)));
  json_object_set_new(r, "queue", json_string(v->queue == XB_QUEUE_COPY ? "copy" : "compute"));
  json_object_set_new(r, "queue_family",
                      xb_has_families(info) ? json_integer(info->queues[v->queue].family) : json_null());
  json_object_set_new(r, "subgroup_size", kernel ? known(kernel->subgroup_size) : json_null());
  json_object_set_new(r, "registers", kernel ? known(kernel->registers) : json_null());
  json_object_set_new(r, "shared_bytes", kernel ? known(kernel->shared_bytes) : json_null());
  json_object_set_new(r, "spill_bytes",
                      kernel && kernel->spills_known ? json_integer(kernel->spill_bytes) : json_null());
  json_object_set_new(r, "code_bytes", kernel ? known(kernel->code_bytes) : json_null());
  json_object_set_new(r, "max_group_threads", kernel ? known(kernel->max_group_threads) : json_null());
  json_object_set_new(r, "groups_per_multiprocessor", kernel ? known(kernel->groups_per_multiprocessor) : json_null());
  json_object_set_new(r, "clock", json_string(v->clock == XB_CLOCK_DEVICE ? "device" : "host"));
  add_measured(r, group, cell);
  json_object_set_new(r, "seed", json_integer((json_int_t)cell->c.seed));
  json_object_set_new(r, "verified",
                      cell->benchmark->check ? json_boolean(cell->outcome == XB_CELL_OK && cell->verified)
                                             : json_null()); /* nothing to check: an empty kernel */
  json_object_set_new(r, "error", cell->error.code ? json_string(cell->error.message) : json_null());
  json_object_set_new(r, "code_hash", text(hash));
  return r;
}

void xb_json_group(xb_json *root, const xb_group *group)
{
  for (size_t i = 0; i < group->count; i++)
    json_array_append_new(json_object_get(root, "results"), result(group, &group->cells[i]));
}

bool xb_json_write(xb_json *root, FILE *file)
{
  return !json_dumpf(root, file, JSON_INDENT(1)) && fputc('\n', file) != EOF;
}

void xb_json_free(xb_json *root)
{
  json_decref(root);
}
