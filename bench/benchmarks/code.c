#include "benchmarks/registry.h"
#include "blob.h"
#include "compile/compile.h"
#include "version.h"

#include <stdio.h>
#include <string.h>

/* The kernel of the plan's number. */
static void choose_number(const xb_case *c, const xb_plan_kernel *kernel, xb_kernel_desc *desc)
{
  char prefix[64];
  snprintf(prefix, sizeof prefix, "%s_%u", c->variant->benchmark->name, (unsigned)kernel->number.value);
  if (xb_choose_entry(c, prefix, desc) ||
      (kernel->number_optional && !(c->device->features & XB_FEATURE_SPECIALIZATION)))
    return;
  desc->specializations = &kernel->number;
  desc->specialization_count = 1;
}

xb_code xb_find_code(const xb_case *c, const xb_plan_kernel *kernel, xb_kernel_desc *desc, xb_error *err)
{
  const xb_methods *methods = c->variant->benchmark->methods;
  if (c->variant->full_waves)
    desc->subgroup_size = xb_full_wave(c);
  if (c->device->features & XB_FEATURE_DYNAMIC_SHARED)
    desc->dynamic_shared_bytes = kernel->dynamic_shared;
  desc->cache_percent = kernel->cache_percent;
  desc->features |= kernel->features;
  desc->unused_bindings |= kernel->unused_bindings;
  const xb_code code =
      methods->find_code ? methods->find_code(c, kernel, desc, err) : xb_find_embedded(c, kernel, desc, err);
  if (!code && kernel->numbered)
    choose_number(c, kernel, desc);
  desc->dynamic_shared_bytes += c->idle_shared;
  return code;
}

uint32_t xb_full_wave(const xb_case *c)
{
  const xb_device_info *d = c->device;
  uint32_t size = c->variant->full_waves ? d->subgroup_size : 0;
  while (size && (size > c->variant->full_waves || c->block % size))
    size /= 2;
  return size && size < d->subgroup_min ? UINT32_MAX : size;
}

static _Thread_local char entry[96];

bool xb_choose_entry(const xb_case *c, const char *prefix, xb_kernel_desc *desc)
{
  if (desc->entry != entry || !strcmp(entry, c->variant->benchmark->name))
    return false;
  snprintf(entry, sizeof entry, "%s_%s_%u", prefix, xb_dtype_name(c->dtype), c->block);
  return true;
}

/* It emulates CUDA; the code of one that emulates shaders is that of the API. */
static bool runs_modules(const xb_device_info *device)
{
  return device->emulates && !device->shader_waves;
}

/* The build left it to the run: for NVIDIA's GPUs without nvcc, for the processor with XB_CPU_FIRST_RUN. */
static bool compiled_now(const xb_device_info *device)
{
  return runs_modules(device) ? XB_CPU_FIRST_RUN : !strcmp(device->code, "fatbin") && xb_first_run_needed();
}

/* Some compilers make one file for each element type and group size, with the benchmark's name as its entry point.
 * Others make one file with an entry point for each of them. */
xb_code xb_find_embedded(const xb_case *c, const xb_plan_kernel *kernel, xb_kernel_desc *desc, xb_error *err)
{
  const xb_benchmark *benchmark = c->variant->benchmark;
  const char *const dtype = xb_dtype_name(c->dtype);
  char source[160], name[256], variant[XB_VARIANT_NAME];
  snprintf(source, sizeof source, "%s/%s", benchmark->name,
           kernel->name ? kernel->name : xb_variant_name(xb_variant_of_kernel(c->variant), variant));
  snprintf(name, sizeof name, "%s.%s.%u.%s", source, dtype, c->block, c->device->code);
  snprintf(entry, sizeof entry, "%s", benchmark->name);
  const bool now = compiled_now(c->device);
  const xb_blob *blob = xb_blob_find(name);
  if (!blob) {
    snprintf(name, sizeof name, "%s%s.%s", now ? "kernels/" : "", source, now ? "cu" : c->device->code);
    snprintf(entry, sizeof entry, "%s_%s_%u", c->variant->entry ? c->variant->entry : benchmark->name, dtype, c->block);
    blob = xb_blob_find(name);
  }
  if (!blob)
    return xb_fail(err, XB_UNSUPPORTED, benchmark->name, "this program has no code %s for groups of %u threads, %s",
                   name, c->block, dtype);
  if (xb_blob_left_out(blob))
    return xb_fail(err, XB_UNSUPPORTED, benchmark->name, "%s", xb_blob_left_out(blob));
  desc->entry = entry;
  desc->code = blob->data;
  desc->code_bytes = blob->bytes;
  if (now)
    return xb_find_at_first_run(c, source, runs_modules(c->device) ? 0 : c->device->compute_capability, desc, err);
  if (runs_modules(c->device) && xb_checks_in_code())
    return xb_find_at_first_run(c, source, 0, desc, err);
  return XB_OK;
}

xb_code xb_create_embedded(const xb_case *c, const xb_plan_kernel *kernel, xb_device *device, xb_kernel **created,
                           xb_error *err)
{
  xb_kernel_desc desc = {.label = c->variant->benchmark->name,
                         .group_size = {c->block, 1, 1},
                         .binding_count = kernel->binding_count,
                         .arg_bytes = kernel->arg_bytes};
  const xb_code code = xb_find_embedded(c, kernel, &desc, err);
  return code ? code : xb_kernel_create(device, &desc, created, err);
}
