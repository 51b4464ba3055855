#include "cu.h"
#include "image.h"

#include "core/clock.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { LOG_BYTES = 256 };

/* ---- Loading ---------------------------------------------------------------------------------------------------- */

static xb_code no_binary(const xb_be_device *d, const xb_kernel_desc *desc, CUresult result, xb_error *err)
{
  char built_for[160];
  cu_fatbin_architectures(desc, built_for, sizeof built_for);
  return xb_fail_native(err, XB_UNSUPPORTED, cu_kernel_label(desc), (int)result, cu_result_name(d->cu, result),
                        "the device is sm_%u, but the kernel was built for %s: compile it for sm_%u, too (xbench's own "
                        "kernels: configure with -DXB_CUDA_ARCHITECTURES=%u)",
                        d->compute_capability, built_for, d->compute_capability, d->compute_capability);
}

static xb_code not_loaded(const xb_be_device *d, const xb_kernel_desc *desc, CUresult result, const char *log,
                          xb_error *err)
{
  const char *const name = cu_result_name(d->cu, result);
  const int driver = d->cu->driver_version;
  const bool old_driver = driver < 13000; /* it may not know compressed code */
  if (result == CUDA_ERROR_NO_BINARY_FOR_GPU)
    return no_binary(d, desc, result, err);
  if (result == CUDA_ERROR_UNSUPPORTED_PTX_VERSION || (result == CUDA_ERROR_INVALID_IMAGE && old_driver))
    return xb_fail_native(err, XB_UNSUPPORTED, cu_kernel_label(desc), (int)result, name,
                          "the driver supports CUDA %d.%d, the kernel was compiled by a newer CUDA: update the NVIDIA "
                          "driver; xbench also takes an older libnvrtc.so that XB_NVRTC names",
                          driver / 1000, driver % 1000 / 10);
  const bool bad = result == CUDA_ERROR_INVALID_IMAGE || result == CUDA_ERROR_INVALID_PTX ||
                   result == CUDA_ERROR_INVALID_SOURCE ||
                   (result == CUDA_ERROR_UNKNOWN && *log); /* "Uncompress failed" is only in the log */
  if (bad)
    return xb_fail_native(err, XB_INVALID, cu_kernel_label(desc), (int)result, name, "the driver refuses the code%s%s",
                          *log ? ": " : "", log);
  return xb_fail_native(err, cu_code(result), "cuModuleLoadDataEx", (int)result, name, "%s%s%s", cu_kernel_label(desc),
                        *log ? ": " : "", log);
}

/* [kernel] Load the fat binary: the driver picks its machine code or compiles its PTX. */
static xb_code load_module(xb_be_device *d, const xb_kernel_desc *desc, xb_be_kernel *k, double *ns, xb_error *err)
{
  cu_image image;
  const xb_code code = cu_image_open(desc, &image, err);
  if (code)
    return code;
  char log[LOG_BYTES] = "";
  CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
  void *values[] = {log, (void *)(uintptr_t)(sizeof log - 1)};
  CUmodule module = NULL;
  const double begin = xb_clock_ns();
  const CUresult result = d->cu->ModuleLoadDataEx(&module, image.bytes, 2, options, values);
  *ns += xb_clock_ns() - begin;
  cu_image_close(&image);
  if (result)
    return not_loaded(d, desc, result, log, err);
  k->module = module;
  return XB_OK;
}

/* [kernel] Fill the arrays of constant memory: each loaded module has its own. */
static xb_code set_constants(xb_be_device *d, const xb_kernel_desc *desc, const xb_be_kernel *k, xb_error *err)
{
  xb_code code = XB_OK;
  for (uint32_t i = 0; i < desc->constant_count && !code; i++) {
    const xb_constant *c = &desc->constants[i];
    xb_be_buffer array = {0};
    size_t bytes = 0;
    const CUresult result = d->cu->ModuleGetGlobal(&array.address, &bytes, k->module, c->symbol);
    if (result == CUDA_ERROR_NOT_FOUND || (!result && bytes < c->bytes))
      return xb_fail(err, XB_INVALID, cu_kernel_label(desc), "the code has no __constant__ array '%s' of %llu bytes",
                     c->symbol, (unsigned long long)c->bytes);
    code = result ? cu_fail(d->cu, err, "cuModuleGetGlobal", result)
                  : cu_upload(d, &(xb_be_binding){.buffer = &array, .size = c->bytes}, c->data, err);
  }
  return code;
}

/* [kernel] Find an entry point. Its signature defines its bindings, so no layout is needed. */
static xb_code find_function(xb_be_device *d, const xb_kernel_desc *desc, xb_be_kernel *k, double *ns, xb_error *err)
{
  const double begin = xb_clock_ns();
  const char *call = "cuModuleGetFunction";
  CUresult result = d->cu->ModuleGetFunction(&k->function, k->module, desc->entry);
  if (result == CUDA_ERROR_NOT_FOUND)
    return xb_fail_native(err, XB_INVALID, cu_kernel_label(desc), (int)result, cu_result_name(d->cu, result),
                          "the code has no entry point '%s'", desc->entry);
  /* Loading is lazy by default: the first launch would include it. Older drivers load when attributes are read. */
  if (!result && d->cu->FuncLoad) {
    call = "cuFuncLoad";
    result = d->cu->FuncLoad(k->function);
  }
  *ns += xb_clock_ns() - begin;
  return result ? cu_fail(d->cu, err, call, result) : XB_OK;
}

/* ---- Checks against the description ----------------------------------------------------------------------------- */

static xb_code check_threads(const xb_kernel_desc *desc, const xb_kernel_info *info, xb_error *err)
{
  const uint32_t threads = desc->group_size[0] * desc->group_size[1] * desc->group_size[2];
  if (threads <= info->max_group_threads)
    return XB_OK;
  return xb_fail(err, XB_INVALID, cu_kernel_label(desc),
                 "a group has %u x %u x %u threads, the code allows %u (limited by __launch_bounds__ or its registers)",
                 desc->group_size[0], desc->group_size[1], desc->group_size[2], info->max_group_threads);
}

/* CUDA needs an opt-in for more shared memory than the default limit. */
static xb_code ask_for_shared(xb_be_device *d, const xb_kernel_desc *desc, const xb_kernel_info *info, xb_be_kernel *k,
                              xb_error *err)
{
  k->dynamic_shared_bytes = desc->dynamic_shared_bytes;
  const uint64_t bytes = (uint64_t)info->shared_bytes + desc->dynamic_shared_bytes;
  if (bytes > d->shared_optin_bytes)
    return xb_fail(err, XB_UNSUPPORTED, cu_kernel_label(desc),
                   "%u + %u bytes of shared memory (static + dynamic), this device allows %u", info->shared_bytes,
                   desc->dynamic_shared_bytes, d->shared_optin_bytes);
  if (bytes <= d->shared_bytes)
    return XB_OK;
  const CUresult result = d->cu->FuncSetAttribute(k->function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
                                                  (int)desc->dynamic_shared_bytes);
  return result ? cu_fail(d->cu, err, "cuFuncSetAttribute", result) : XB_OK;
}

/* The driver takes the nearest share that it has, and at least what a group needs. */
static xb_code ask_for_cache(xb_be_device *d, const xb_kernel_desc *desc, xb_be_kernel *k, xb_error *err)
{
  if (!desc->cache_percent)
    return XB_OK;
  const CUresult result = d->cu->FuncSetAttribute(k->function, CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT,
                                                  (int)(100 - desc->cache_percent));
  return result ? cu_fail(d->cu, err, "cuFuncSetAttribute", result) : XB_OK;
}

static xb_code read_occupancy(xb_be_device *d, const xb_kernel_desc *desc, const xb_be_kernel *k, xb_kernel_info *info,
                              xb_error *err)
{
  const uint32_t threads = desc->group_size[0] * desc->group_size[1] * desc->group_size[2];
  int groups = 0;
  const CUresult result =
      d->cu->OccupancyMaxActiveBlocksPerMultiprocessor(&groups, k->function, (int)threads, desc->dynamic_shared_bytes);
  if (result)
    return cu_fail(d->cu, err, "cuOccupancyMaxActiveBlocksPerMultiprocessor", result);
  info->groups_per_multiprocessor = groups > 0 ? (uint32_t)groups : 0;
  return XB_OK;
}

xb_code cu_kernel_create(xb_be_device *d, const xb_kernel_desc *desc, xb_be_kernel **kernel, xb_kernel_info *info,
                         xb_error *err)
{
  xb_be_kernel *k = calloc(1, sizeof *k);
  if (!k)
    return cu_no_host_memory(err, cu_kernel_label(desc));
  memcpy(k->group_size, desc->group_size, sizeof k->group_size);
  cu_parameters_copy(desc, k);
  xb_code code = cu_enter(d, err);
  if (!code)
    code = load_module(d, desc, k, &info->create_ns, err);
  if (!code)
    code = set_constants(d, desc, k, err);
  if (!code)
    code = find_function(d, desc, k, &info->create_ns, err);
  if (!code)
    code = cu_parameters_check(d, desc, k, err);
  if (!code)
    code = cu_read_statistics(d, k, info, err);
  if (!code)
    code = check_threads(desc, info, err);
  if (!code)
    code = ask_for_shared(d, desc, info, k, err);
  if (!code)
    code = ask_for_cache(d, desc, k, err);
  if (!code)
    code = read_occupancy(d, desc, k, info, err);
  if (code) {
    cu_kernel_destroy(d, k);
    return code;
  }
  *kernel = k;
  return XB_OK;
}

void cu_kernel_destroy(xb_be_device *d, xb_be_kernel *k)
{
  if (k->module && cu_enter_to_free(d))
    d->cu->ModuleUnload(k->module);
  free(k);
}
