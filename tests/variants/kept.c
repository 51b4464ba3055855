#include "kept.h"

#include "base/fnv.h"

#include <stdlib.h>
#include <string.h>

typedef struct kept_kernel {
  uint64_t key; /* of its description */
  xb_be_kernel *kernel;
  xb_kernel_info info;
} kept_kernel;

static struct {
  const xb_backend *original;
  kept_kernel *kernels;
  size_t count;
} kept;

static bool can_keep(const xb_kernel_desc *desc)
{
  return !desc->binary_form && !desc->binary && !desc->constant_count;
}

/* Of all that makes a difference to a kernel. Locations and parameters have no padding. */
static uint64_t key_of(const xb_kernel_desc *desc)
{
  uint64_t key = xb_fnv1a(XB_FNV_START, desc->code, desc->code_bytes);
  key = xb_fnv1a(key, desc->entry, strlen(desc->entry));
  const uint64_t numbers[] = {desc->code_bytes,    desc->group_size[0],        desc->group_size[1],
                              desc->group_size[2], desc->dynamic_shared_bytes, desc->subgroup_size,
                              desc->binding_count, desc->unused_bindings,      desc->arg_bytes,
                              desc->args_unused,   desc->locations != NULL,    desc->parameter_count,
                              desc->features,      desc->no_statistics,        desc->specialization_count,
                              desc->cache_percent};
  key = xb_fnv1a(key, numbers, sizeof numbers);
  if (desc->locations)
    key = xb_fnv1a(key, desc->locations, desc->binding_count * sizeof *desc->locations);
  if (desc->parameters)
    key = xb_fnv1a(key, desc->parameters, desc->parameter_count * sizeof *desc->parameters);
  for (uint32_t i = 0; i < desc->specialization_count; i++) {
    const xb_specialization *s = &desc->specializations[i];
    const uint64_t value[] = {s->id, s->bytes, s->value};
    key = xb_fnv1a(key, value, sizeof value);
  }
  return key;
}

static xb_code kernel_create(xb_be_device *device, const xb_kernel_desc *desc, xb_be_kernel **kernel,
                             xb_kernel_info *info, xb_error *err)
{
  const uint64_t key = can_keep(desc) ? key_of(desc) : 0;
  for (size_t i = 0; key && i < kept.count; i++)
    if (kept.kernels[i].key == key) {
      *kernel = kept.kernels[i].kernel;
      *info = kept.kernels[i].info;
      return XB_OK;
    }
  const xb_code code = kept.original->kernel_create(device, desc, kernel, info, err);
  kept_kernel *more = code || !key ? NULL : realloc(kept.kernels, (kept.count + 1) * sizeof *more);
  if (more) {
    more[kept.count++] = (kept_kernel){key, *kernel, *info};
    kept.kernels = more;
  }
  return code;
}

static void kernel_destroy(xb_be_device *device, xb_be_kernel *kernel)
{
  for (size_t i = 0; i < kept.count; i++)
    if (kept.kernels[i].kernel == kernel)
      return;
  kept.original->kernel_destroy(device, kernel);
}

static xb_code device_close(xb_be_device *device, xb_error *err)
{
  for (size_t i = 0; i < kept.count; i++)
    kept.original->kernel_destroy(device, kept.kernels[i].kernel);
  free(kept.kernels);
  kept.kernels = NULL;
  kept.count = 0;
  return kept.original->device_close(device, err);
}

const xb_backend *backend_that_keeps_kernels(const xb_backend *original)
{
  static xb_backend backend;
  backend = *original;
  backend.kernel_create = kernel_create;
  backend.kernel_destroy = kernel_destroy;
  backend.device_close = device_close;
  kept.original = original;
  return &backend;
}
