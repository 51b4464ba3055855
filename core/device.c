#include "core/clock.h"
#include "internal.h"
#include "os/child.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const uint64_t CLOSE_LIMIT_NS = 10ull * 1000 * 1000 * 1000;

const xb_backend *xb_backend_at(size_t i)
{
  for (size_t k = 0; xb_builtin_backends[k]; k++)
    if (k == i)
      return xb_builtin_backends[k];
  return NULL;
}

const xb_backend *xb_backend_find(const char *name)
{
  for (size_t i = 0; name && xb_builtin_backends[i]; i++)
    if (!strcmp(xb_builtin_backends[i]->name, name))
      return xb_builtin_backends[i];
  return NULL;
}

const char *xb_backend_name(const xb_backend *backend)
{
  return backend ? backend->name : "";
}

const char *xb_feature_name(uint32_t feature)
{
  switch (feature) {
  case XB_FEATURE_FLOAT64: return "float64";
  case XB_FEATURE_FLOAT16: return "float16";
  case XB_FEATURE_INT64: return "int64";
  case XB_FEATURE_INT16: return "int16";
  case XB_FEATURE_INT8: return "int8";
  case XB_FEATURE_INT64_ATOMICS: return "int64_atomics";
  case XB_FEATURE_FLOAT32_ATOMIC_ADD: return "float32_atomic_add";
  case XB_FEATURE_FLOAT64_ATOMIC_ADD: return "float64_atomic_add";
  case XB_FEATURE_SPECIALIZATION: return "specialization";
  case XB_FEATURE_INDIRECT: return "indirect";
  case XB_FEATURE_MATRICES: return "matrices_16x16x16";
  case XB_FEATURE_INT8_DOT: return "int8_dot";
  case XB_FEATURE_BFLOAT16_MATRICES: return "matrices_16x16x16_bfloat16";
  case XB_FEATURE_CONSTANTS: return "constants";
  case XB_FEATURE_DYNAMIC_SHARED: return "dynamic_shared";
  case XB_FEATURE_CACHE_SHARE: return "cache_share";
  case XB_FEATURE_TILES: return "tiles";
  case XB_FEATURE_WARPGROUP_MATRICES: return "warpgroup_matrices";
  case XB_FEATURE_GROUP_MATRICES: return "group_matrices";
  case XB_FEATURE_INT8_MATRICES: return "matrices_16x16x32_int8";
  case XB_FEATURE_FLOAT8_MATRICES: return "matrices_16x16x32_float8";
  case XB_FEATURE_MATRICES_16_8_16: return "matrices_16x8x16";
  case XB_FEATURE_MATRICES_16_8_8: return "matrices_16x8x8";
  case XB_FEATURE_EARLY_START: return "early_start";
  default: return NULL;
  }
}

static _Atomic uint32_t forks; /* that lead from the first process to this one */

static void note_fork(void)
{
  forks++;
}

static void watch_forks(void)
{
  static atomic_flag watched = ATOMIC_FLAG_INIT;
  if (!atomic_flag_test_and_set(&watched))
    xb_watch_forks(note_fork);
}

bool xb_device_is_foreign(const xb_device *device)
{
  return device->forks != forks;
}

static xb_code check_backend(const xb_backend *backend, const char *where, xb_error *err)
{
  if (!backend)
    return xb_fail(err, XB_INVALID, where, "no backend given");
  if (backend->version != XB_BACKEND_VERSION)
    return xb_fail(err, XB_INVALID, where, "backend '%s' has interface version %u, this library needs version %d",
                   backend->name, backend->version, XB_BACKEND_VERSION);
  return XB_OK;
}

xb_code xb_enumerate(const xb_backend *backend, xb_device_info *infos, uint32_t capacity, uint32_t *count,
                     xb_error *err)
{
  const char *const where = "xb_enumerate";
  const xb_code code = check_backend(backend, where, err);
  if (code)
    return code;
  if (!count || (capacity && !infos))
    return xb_fail(err, XB_INVALID, where, "the result pointer is NULL");
  *count = 0;
  if (capacity)
    memset(infos, 0, capacity * sizeof *infos);
  return backend->enumerate(infos, capacity, count, err);
}

/* XB_INTERNAL for facts that no device can have: callers divide by them, and take them as sizes. */
static xb_code check_facts(const xb_device_info *info, const char *where, xb_error *err)
{
  const struct {
    const char *name;
    uint64_t value;
    bool needed, power;
  } facts[] = {
      {"groups in x", info->max_groups[0], true, false},
      {"groups in y", info->max_groups[1], true, false},
      {"groups in z", info->max_groups[2], true, false},
      {"threads per group", info->max_group_threads, true, false},
      {"threads per group in x", info->max_group_size[0], true, false},
      {"threads per group in y", info->max_group_size[1], true, false},
      {"threads per group in z", info->max_group_size[2], true, false},
      {"bytes per binding", info->max_binding_bytes, true, false},
      {"bytes as the alignment of a binding", info->binding_align, true, true},
      {"bytes as the alignment of a uniform buffer", info->uniform_align, info->max_uniform_bytes, true},
      {"bytes as the alignment of texels", info->texel_align, info->max_texels, true},
      {"bytes as the alignment of imported memory", info->import_align, false, true},
      {"threads in a subgroup", info->subgroup_size, true, true},
      {"threads in the smallest subgroup", info->subgroup_min, true, true},
      {"threads in the largest subgroup", info->subgroup_max, true, true},
  };
  for (size_t i = 0; i < sizeof facts / sizeof *facts; i++) {
    const uint64_t value = facts[i].value;
    if ((facts[i].needed && !value) || (facts[i].power && (value & (value - 1))))
      return xb_fail(err, XB_INTERNAL, where, "the driver of '%s' reports %" PRIu64 " %s%s: update the driver",
                     info->name, value, facts[i].name, value ? ", which is not a power of two" : "");
  }
  return XB_OK;
}

/* A backend that does not know waves opened another device than was asked for. */
static xb_code check_wave(const xb_device_desc *desc, const xb_device_info *info, const char *where, xb_error *err)
{
  if (!desc->wave || info->shader_waves == desc->wave)
    return XB_OK;
  return xb_fail(err, XB_UNSUPPORTED, where, "waves of %u threads: %s emulates no device that runs shaders", desc->wave,
                 info->backend);
}

xb_code xb_device_open(const xb_device_desc *desc, xb_device **device, xb_error *err)
{
  const char *const where = "xb_device_open";
  if (!desc || !device)
    return xb_fail(err, XB_INVALID, where, "the description or the result pointer is NULL");
  *device = NULL;
  xb_code code = check_backend(desc->backend, where, err);
  if (code)
    return code;

  xb_device_desc full = *desc;
  const char *validation = getenv("XB_VALIDATION");
  full.validation |= validation && strcmp(validation, "0") != 0 && *validation;

  xb_device *d = calloc(1, sizeof *d);
  if (!d)
    return xb_fail(err, XB_NOMEM, where, "out of host memory");
  watch_forks();
  d->backend = desc->backend;
  d->forks = forks;
  const double begin = xb_clock_ns();
  code = desc->backend->device_open(&full, &d->be, &d->info, err);
  d->info.open_ns = xb_clock_ns() - begin;
  if (!code && ((code = check_facts(&d->info, where, err)) || (code = check_wave(desc, &d->info, where, err))))
    desc->backend->device_close(d->be, NULL);
  if (code) {
    free(d);
    return code;
  }
  *device = d;
  return XB_OK;
}

xb_code xb_device_close(xb_device *device, xb_error *err)
{
  const char *const where = "xb_device_close";
  if (!device)
    return XB_OK;
  if (xb_device_is_foreign(device))
    return xb_device_usable(device, where, err);
  if (device->alive)
    return xb_fail(err, XB_INVALID, where, "%zu buffers, kernels or command lists still exist: destroy them first",
                   device->alive);
  xb_code code = XB_OK;
  for (int q = 0; q < XB_MAX_QUEUES && !device->status; q++) {
    const xb_point last = {.queue = (xb_queue)q, .value = device->submitted[q]};
    const xb_code waited = xb_wait(device, last, CLOSE_LIMIT_NS, code ? NULL : err);
    code = code ? code : waited;
  }
  if (device->pending_count)
    xb_device_result(device, XB_LOST); /* a wait failed: work may still be running */
  xb_device_drop_pending(device);
  xb_staging_release(device);
  const xb_code closed = device->backend->device_close(device->be, code ? NULL : err);
  free(device->pending);
  free(device);
  return code ? code : closed;
}

const xb_device_info *xb_device_get_info(const xb_device *device)
{
  return device ? &device->info : NULL;
}

uint64_t xb_device_free_bytes(xb_device *device)
{
  if (xb_device_status(device) || !device->backend->device_free_bytes)
    return 0;
  return device->backend->device_free_bytes(device->be);
}

xb_code xb_device_persist(xb_device *device, uint64_t bytes, uint64_t *set, xb_error *err)
{
  const char *const where = "xb_device_persist";
  const xb_code code = xb_device_usable(device, where, err);
  if (code)
    return code;
  if (!set)
    return xb_fail(err, XB_INVALID, where, "the result pointer is NULL");
  *set = 0;
  if (bytes > device->info.persisting_bytes)
    return xb_fail(err, XB_UNSUPPORTED, where,
                   "%" PRIu64 " bytes of the last-level cache cannot be set aside: '%s' allows %" PRIu64 " through %s",
                   bytes, device->info.name, device->info.persisting_bytes, device->info.backend);
  return device->info.persisting_bytes ? xb_device_result(device, device->backend->persist(device->be, bytes, set, err))
                                       : XB_OK;
}

xb_code xb_device_native(xb_device *device, xb_native_fn fn, void *user, xb_error *err)
{
  const char *const where = "xb_device_native";
  const xb_code code = xb_device_usable(device, where, err);
  if (code)
    return code;
  if (!fn)
    return xb_fail(err, XB_INVALID, where, "no function given");
  if (!device->backend->device_native)
    return xb_fail(err, XB_UNSUPPORTED, where, "the backend %s has no native calls", device->backend->name);
  return xb_device_result(device, device->backend->device_native(device->be, fn, user, err));
}

xb_code xb_device_status(const xb_device *device)
{
  return device && !xb_device_is_foreign(device) ? device->status : XB_INVALID;
}

xb_code xb_device_usable(const xb_device *device, const char *where, xb_error *err)
{
  if (!device)
    return xb_fail(err, XB_INVALID, where, "no device given");
  if (xb_device_is_foreign(device))
    return xb_fail(err, XB_INVALID, where,
                   "the device belongs to the process that opened it: a forked process opens devices of its own");
  if (!device->status)
    return XB_OK;
  return xb_fail(err, device->status, where, "the device is unusable: %s earlier",
                 device->status == XB_TIMEOUT ? "its work did not finish within a time limit" : "it was lost");
}

xb_code xb_device_result(xb_device *device, xb_code code)
{
  if ((code == XB_LOST || code == XB_TIMEOUT) && !device->status) {
    device->status = code;
    device->backend->device_abandon(device->be);
  }
  return code;
}

/* A character of several bytes is copied whole, or not at all. */
void xb_label_copy(char label[XB_LABEL_BYTES], const char *given, const char *otherwise)
{
  const char *from = given && *given ? given : otherwise;
  int bytes = snprintf(label, XB_LABEL_BYTES, "%s", from);
  if (bytes < XB_LABEL_BYTES)
    return;
  for (bytes = XB_LABEL_BYTES - 1; bytes > XB_LABEL_BYTES - 4 && (from[bytes] & 0xC0) == 0x80;)
    label[--bytes] = '\0';
}
