#include "internal.h"

#include <stdlib.h>

static xb_code check_locations(const char *where, const xb_kernel_desc *desc, xb_error *err)
{
  const xb_location *all = desc->locations;
  for (uint32_t i = 0; all && i < desc->binding_count; i++) {
    bool follows = !all[i].element;
    if (all[i].set >= XB_MAX_SETS || all[i].binding >= XB_MAX_LOCATIONS)
      return xb_fail(err, XB_INVALID, where, "binding %u is at set %u, binding %u: they must be below %d and %d", i,
                     all[i].set, all[i].binding, XB_MAX_SETS, XB_MAX_LOCATIONS);
    for (uint32_t k = 0; k < desc->binding_count; k++) {
      if (all[k].set != all[i].set || all[k].binding != all[i].binding)
        continue;
      if (k < i && all[k].element == all[i].element)
        return xb_fail(err, XB_INVALID, where,
                       "bindings %u and %u are both at set %u, binding %u: only elements of one array may be", k, i,
                       all[i].set, all[i].binding);
      follows |= all[k].element + 1 == all[i].element;
    }
    if (!follows)
      return xb_fail(err, XB_INVALID, where, "the array at set %u, binding %u has an element %u, but no element %u",
                     all[i].set, all[i].binding, all[i].element, all[i].element - 1);
  }
  return XB_OK;
}

static xb_code check_parameters(const char *where, const xb_kernel_desc *desc, xb_error *err)
{
  if (desc->parameter_count > XB_MAX_PARAMETERS || (desc->parameter_count && !desc->parameters))
    return xb_fail(err, XB_INVALID, where, "%u parameters%s, at most %d are allowed", desc->parameter_count,
                   desc->parameters ? "" : " given, but `parameters` is NULL", XB_MAX_PARAMETERS);
  uint32_t named = desc->unused_bindings;
  for (uint32_t i = 0; i < desc->parameter_count; i++) {
    const xb_parameter p = desc->parameters[i];
    if (!p.bytes && p.binding >= desc->binding_count)
      return xb_fail(err, XB_INVALID, where, "parameter %u is binding %u, the description has %u bindings", i,
                     p.binding, desc->binding_count);
    if (p.bytes && (p.offset > desc->arg_bytes || p.bytes > desc->arg_bytes - p.offset))
      return xb_fail(err, XB_INVALID, where, "parameter %u: offset %u, %u bytes go past the %u bytes of arguments", i,
                     p.offset, p.bytes, desc->arg_bytes);
    if (!p.bytes)
      named |= 1u << p.binding;
  }
  for (uint32_t i = 0; desc->parameter_count && i < desc->binding_count; i++)
    if (!(named >> i & 1))
      return xb_fail(err, XB_INVALID, where, "no parameter is binding %u: add one, or mark the binding as unused", i);
  return XB_OK;
}

static xb_code check_specializations(const char *where, const xb_kernel_desc *desc, xb_error *err)
{
  if (desc->specialization_count > XB_MAX_SPECIALIZATIONS || (desc->specialization_count && !desc->specializations))
    return xb_fail(err, XB_INVALID, where, "%u specialization constants%s, at most %d are allowed",
                   desc->specialization_count, desc->specializations ? "" : " given, but `specializations` is NULL",
                   XB_MAX_SPECIALIZATIONS);
  for (uint32_t i = 0; i < desc->specialization_count; i++) {
    const xb_specialization *s = &desc->specializations[i];
    if (s->bytes > 8 || (s->bytes & (s->bytes - 1)))
      return xb_fail(err, XB_INVALID, where, "specialization constant %u: %u bytes, a type has 1, 2, 4 or 8", s->id,
                     s->bytes);
    for (uint32_t k = 0; k < i; k++)
      if (desc->specializations[k].id == s->id)
        return xb_fail(err, XB_INVALID, where, "specialization constant %u is given twice", s->id);
  }
  return XB_OK;
}

static xb_code check_constants(const char *where, const xb_kernel_desc *desc, xb_error *err)
{
  for (uint32_t i = 0; i < desc->constant_count; i++) {
    const xb_constant *c = desc->constants ? &desc->constants[i] : NULL;
    if (!c || !c->symbol || !*c->symbol || !c->data || !c->bytes)
      return xb_fail(err, XB_INVALID, where, "constant %u of %u has no name or no contents", i, desc->constant_count);
  }
  return XB_OK;
}

static xb_code check_features(const char *where, const xb_device_info *info, const xb_kernel_desc *desc, xb_error *err)
{
  const uint32_t needed = desc->features | (desc->tile_bindings ? XB_FEATURE_TILES : 0);
  const uint32_t missing = needed & ~info->features, first = missing & (0 - missing);
  if (desc->specialization_count && !(info->features & XB_FEATURE_SPECIALIZATION))
    return xb_fail(err, XB_UNSUPPORTED, where,
                   "%s has no specialization constants: compile the code once for each value, as a macro, or with an "
                   "entry point for each value",
                   info->backend);
  if (desc->constant_count && !(info->features & XB_FEATURE_CONSTANTS))
    return xb_fail(err, XB_UNSUPPORTED, where, "%s has no __constant__ arrays: bind a uniform buffer", info->backend);
  if (desc->dynamic_shared_bytes && !(info->features & XB_FEATURE_DYNAMIC_SHARED))
    return xb_fail(err, XB_UNSUPPORTED, where, "%u bytes of dynamic shared memory: %s has none, declare a static size",
                   desc->dynamic_shared_bytes, info->backend);
  if (desc->cache_percent > 100)
    return xb_fail(err, XB_INVALID, where, "%u per cent of a multiprocessor's memory as its cache",
                   desc->cache_percent);
  if (desc->cache_percent && !(info->features & XB_FEATURE_CACHE_SHARE))
    return xb_fail(err, XB_UNSUPPORTED, where, "%s cannot set the size of a multiprocessor's cache", info->backend);
  if (missing && !xb_feature_name(first))
    return xb_fail(err, XB_INVALID, where, "feature 0x%x does not exist", first);
  if (missing)
    return xb_fail(err, XB_UNSUPPORTED, where, "the kernel needs %s, which '%s' lacks", xb_feature_name(first),
                   info->name);
  return XB_OK;
}

static xb_code check(const xb_device_info *info, const xb_kernel_desc *desc, xb_error *err)
{
  const char *const where = desc->label ? desc->label : "xb_kernel_create";
  if (!desc->code || !desc->code_bytes || !desc->entry || !*desc->entry)
    return xb_fail(err, XB_INVALID, where, "a kernel needs code and an entry point");
  uint64_t threads = 1;
  for (int i = 0; i < 3; i++) {
    if (!desc->group_size[i])
      return xb_fail(err, XB_INVALID, where, "group size %u x %u x %u has no threads", desc->group_size[0],
                     desc->group_size[1], desc->group_size[2]);
    if (desc->group_size[i] > info->max_group_size[i])
      return xb_fail(err, XB_UNSUPPORTED, where, "%u threads in dimension %d of a group, this device allows %u",
                     desc->group_size[i], i, info->max_group_size[i]);
    threads *= desc->group_size[i];
  }
  if (threads > info->max_group_threads)
    return xb_fail(err, XB_UNSUPPORTED, where, "%llu threads per group, this device allows %u",
                   (unsigned long long)threads, info->max_group_threads);
  if (desc->dynamic_shared_bytes > info->shared_optin_bytes)
    return xb_fail(err, XB_UNSUPPORTED, where, "%u bytes of shared memory, this device allows %u",
                   desc->dynamic_shared_bytes, info->shared_optin_bytes);
  if (desc->binding_count > XB_MAX_BINDINGS)
    return xb_fail(err, XB_INVALID, where, "%u bindings, at most %d are allowed", desc->binding_count, XB_MAX_BINDINGS);
  if ((uint64_t)desc->unused_bindings >> desc->binding_count)
    return xb_fail(err, XB_INVALID, where, "unused_bindings has a bit beyond the %u bindings", desc->binding_count);
  if ((uint64_t)desc->tile_bindings >> desc->binding_count)
    return xb_fail(err, XB_INVALID, where, "tile_bindings has a bit beyond the %u bindings", desc->binding_count);
  if (desc->arg_bytes % 4 || desc->arg_bytes > XB_MAX_ARG_BYTES || desc->arg_bytes > info->max_arg_bytes)
    return xb_fail(err, XB_INVALID, where, "%u bytes of arguments: must be a multiple of 4, at most %d",
                   desc->arg_bytes,
                   info->max_arg_bytes < XB_MAX_ARG_BYTES ? (int)info->max_arg_bytes : (int)XB_MAX_ARG_BYTES);
  const uint32_t size = desc->subgroup_size;
  if (size && ((size & (size - 1)) || size < info->subgroup_min || size > info->subgroup_max))
    return xb_fail(err, XB_UNSUPPORTED, where, "subgroups of %u, this device supports powers of two from %u to %u",
                   size, info->subgroup_min, info->subgroup_max);
  if (size && desc->group_size[0] % size)
    return xb_fail(err, XB_UNSUPPORTED, where, "groups of %u threads in x: full subgroups of %u need a multiple of %u",
                   desc->group_size[0], size, size);
  xb_code code = check_locations(where, desc, err);
  if (!code)
    code = check_parameters(where, desc, err);
  if (!code)
    code = check_specializations(where, desc, err);
  if (!code)
    code = check_constants(where, desc, err);
  return code ? code : check_features(where, info, desc, err);
}

static xb_code check_binary(const xb_device *device, const char *where, const xb_kernel_desc *desc, xb_error *err)
{
  if (desc->binary_form > XB_BINARY_PIPELINE || (!desc->binary_form && desc->binary) ||
      (desc->binary && !desc->binary_bytes))
    return xb_fail(err, XB_INVALID, where, "a binary of form %d with %zu bytes: pass the result of xb_kernel_binary",
                   (int)desc->binary_form, desc->binary_bytes);
  if (desc->binary_form && !(device->info.binary_forms >> desc->binary_form & 1))
    return xb_fail(err, XB_UNSUPPORTED, where, "'%s' has no %s through %s", device->info.name,
                   desc->binary_form == XB_BINARY_CACHE ? "pipeline caches" : "pipeline binaries",
                   device->info.backend);
  return XB_OK;
}

xb_code xb_kernel_create(xb_device *device, const xb_kernel_desc *desc, xb_kernel **kernel, xb_error *err)
{
  const char *const where = "xb_kernel_create";
  if (!device || !desc || !kernel)
    return xb_fail(err, XB_INVALID, where, "the device, the description or the result pointer is NULL");
  *kernel = NULL;
  xb_code code = xb_device_usable(device, where, err);
  if (!code)
    code = check(&device->info, desc, err);
  if (code)
    return code;

  code = check_binary(device, where, desc, err);
  if (code)
    return code;
  xb_kernel *k = calloc(1, sizeof *k);
  if (!k)
    return xb_fail(err, XB_NOMEM, where, "out of host memory");
  xb_label_copy(k->label, desc->label, desc->entry);
  code = device->backend->kernel_create(device->be, desc, &k->be, &k->info, err);
  if (code) {
    free(k);
    return xb_device_result(device, code);
  }
  k->device = device;
  k->refs = 1;
  k->binding_count = desc->binding_count;
  k->unused_bindings = desc->unused_bindings;
  k->tile_bindings = desc->tile_bindings;
  k->arg_bytes = desc->arg_bytes;
  k->has_binary = desc->binary_form && !desc->binary;
  device->alive++;
  *kernel = k;
  return XB_OK;
}

void xb_kernel_release(xb_kernel *kernel)
{
  if (--kernel->refs)
    return;
  kernel->device->backend->kernel_destroy(kernel->device->be, kernel->be);
  free(kernel);
}

void xb_kernel_destroy(xb_kernel *kernel)
{
  if (!kernel || xb_device_is_foreign(kernel->device))
    return;
  kernel->device->alive--;
  xb_kernel_release(kernel);
}

const xb_kernel_info *xb_kernel_get_info(const xb_kernel *kernel)
{
  return kernel ? &kernel->info : NULL;
}

xb_code xb_kernel_binary(const xb_kernel *kernel, const void **data, size_t *bytes, xb_error *err)
{
  const char *const where = "xb_kernel_binary";
  if (!kernel || !data || !bytes)
    return xb_fail(err, XB_INVALID, where, "the kernel or the result pointer is NULL");
  if (!kernel->has_binary)
    return xb_fail(err, XB_INVALID, where, "'%s' keeps no binary: create it with xb_kernel_desc.binary_form",
                   kernel->label);
  kernel->device->backend->kernel_binary(kernel->be, data, bytes);
  return XB_OK;
}
