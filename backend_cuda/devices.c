/* Lists the devices and their properties. */
#include "cu.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { WARP = 32 };

/* Kernels use 32-bit indices. The value gives the same windows as on Vulkan: aligned for all, below 4 GiB. */
static const uint64_t MAX_BINDING_BYTES = (UINT64_C(1) << 32) - 4096;
/* CUDA's documentation says "around 0.5 us" (cuEventElapsedTime). On an H200 the steps were 32 ns, but that is not
 * guaranteed. */
static const double EVENT_RESOLUTION_NS = 500;

static xb_code no_device(xb_error *err)
{
  return xb_fail(err, XB_UNAVAILABLE, "cuda", "no CUDA device: none is installed, or CUDA_VISIBLE_DEVICES hides it");
}

xb_code cu_start(const cu_symbols **cu, uint32_t *count, xb_error *err)
{
  *cu = cu_symbols_get(err);
  if (!*cu)
    return XB_UNAVAILABLE;
  CUresult result = (*cu)->Init(0);
  if (result == CUDA_ERROR_NO_DEVICE)
    return no_device(err);
  if (cu_code(result) == XB_LOST || result == CUDA_ERROR_OPERATING_SYSTEM) /* no device is in use yet */
    return xb_fail_native(err, XB_UNAVAILABLE, "cuInit", (int)result, cu_result_name(*cu, result),
                          "the NVIDIA driver does not start: does nvidia-smi work?");
  if (result)
    return cu_fail(*cu, err, "cuInit", result);
  int found = 0;
  result = (*cu)->DeviceGetCount(&found);
  if (result)
    return cu_fail(*cu, err, "cuDeviceGetCount", result);
  if (found <= 0)
    return no_device(err);
  *count = (uint32_t)found;
  return XB_OK;
}

/* Reads attributes and keeps the first error. */
typedef struct reader {
  const cu_symbols *cu;
  CUdevice device;
  CUresult result;
  const char *call; /* the call that returned `result` */
} reader;

static bool keep(reader *r, const char *call, CUresult result)
{
  if (result && !r->result) {
    r->result = result;
    r->call = call;
  }
  return !r->result;
}

static uint32_t attribute(reader *r, CUdevice_attribute which)
{
  int value = 0;
  keep(r, "cuDeviceGetAttribute", r->cu->DeviceGetAttribute(&value, which, r->device));
  return value > 0 ? (uint32_t)value : 0;
}

static void describe_identity(reader *r, xb_device_info *info)
{
  const int version = r->cu->driver_version;
  info->addresses = true;
  info->type = attribute(r, CU_DEVICE_ATTRIBUTE_INTEGRATED) ? XB_DEVICE_INTEGRATED : XB_DEVICE_DISCRETE;
  keep(r, "cuDeviceGetName", r->cu->DeviceGetName(info->name, (int)sizeof info->name, r->device));
  snprintf(info->driver, sizeof info->driver, "CUDA driver %d.%d", version / 1000, version % 1000 / 10);
  snprintf(info->api_version, sizeof info->api_version, "%d.%d", version / 1000, version % 1000 / 10);
  CUuuid uuid;
  info->has_uuid = keep(r, "cuDeviceGetUuid", r->cu->DeviceGetUuid(&uuid, r->device));
  if (info->has_uuid)
    memcpy(info->uuid, uuid.bytes, sizeof info->uuid);
  unsigned nodes;
  info->has_luid = r->cu->DeviceGetLuid && !r->cu->DeviceGetLuid((char *)info->luid, &nodes, r->device);
  keep(r, "cuDeviceGetPCIBusId", r->cu->DeviceGetPCIBusId(info->pci, (int)sizeof info->pci, r->device));
  for (char *c = info->pci; *c; c++) /* lower case, as in the Vulkan backend */
    *c = (char)tolower((unsigned char)*c);
}

static void describe_limits(reader *r, xb_device_info *info)
{
  info->max_buffer_bytes = info->memory_bytes;
  info->max_binding_bytes =
      info->memory_bytes < MAX_BINDING_BYTES ? info->memory_bytes & ~UINT64_C(255) : MAX_BINDING_BYTES;
  info->max_uniform_bytes = UINT64_C(1) << 16; /* as much as __constant__ memory */
  info->uniform_align = 256;
  info->binding_align = 256; /* as cuMemAlloc aligns */
  info->max_groups[0] = attribute(r, CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X);
  info->max_groups[1] = attribute(r, CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y);
  info->max_groups[2] = attribute(r, CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z);
  info->max_group_size[0] = attribute(r, CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X);
  info->max_group_size[1] = attribute(r, CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y);
  info->max_group_size[2] = attribute(r, CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z);
  info->max_group_threads = attribute(r, CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK);
  info->shared_bytes = attribute(r, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK);
  info->shared_optin_bytes = attribute(r, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN);
  if (info->shared_optin_bytes < info->shared_bytes)
    info->shared_optin_bytes = info->shared_bytes;
  info->max_arg_bytes = XB_MAX_ARG_BYTES;
  info->imports = info->imports_peers = true;
  info->exports = attribute(r, CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED) &&
                  attribute(r, CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR_SUPPORTED);
  info->imports_semaphores = attribute(r, CU_DEVICE_ATTRIBUTE_TIMELINE_SEMAPHORE_INTEROP_SUPPORTED);
  /* The driver pins whole pages, and no page twice. */
  info->import_align = attribute(r, CU_DEVICE_ATTRIBUTE_HOST_REGISTER_SUPPORTED) ? (uint64_t)sysconf(_SC_PAGESIZE) : 0;
  info->subgroup_size = info->subgroup_min = info->subgroup_max = WARP;
}

/* Code for other devices is refused when it is loaded. */
static uint32_t features_of(const cu_symbols *cu, uint32_t compute_capability)
{
  uint32_t features = XB_FEATURE_FLOAT64 | XB_FEATURE_INT64 | XB_FEATURE_INT16 | XB_FEATURE_INT8 |
                      XB_FEATURE_INT64_ATOMICS | XB_FEATURE_FLOAT32_ATOMIC_ADD | XB_FEATURE_CONSTANTS |
                      XB_FEATURE_DYNAMIC_SHARED | XB_FEATURE_CACHE_SHARE;
  if (compute_capability >= 53)
    features |= XB_FEATURE_FLOAT16;
  if (compute_capability >= 60)
    features |= XB_FEATURE_FLOAT64_ATOMIC_ADD;
  if (compute_capability >= 61)
    features |= XB_FEATURE_INT8_DOT;
  if (compute_capability >= 70)
    features |= XB_FEATURE_MATRICES;
  if (compute_capability >= 80)
    features |= XB_FEATURE_BFLOAT16_MATRICES | XB_FEATURE_INT8_MATRICES;
  if (compute_capability >= 89)
    features |= XB_FEATURE_FLOAT8_MATRICES;
  if (compute_capability >= 90 && cu->TensorMapEncodeTiled)
    features |= XB_FEATURE_TILES;
  if (compute_capability >= 90 && cu->GraphAddDependencies)
    features |= XB_FEATURE_EARLY_START;
  if (compute_capability == 90)
    features |= XB_FEATURE_WARPGROUP_MATRICES;
  return features;
}

static void describe_images(reader *r, xb_device_info *info)
{
  size_t texels = 0;
  keep(r, "cuDeviceGetTexture1DLinearMaxWidth",
       r->cu->DeviceGetTexture1DLinearMaxWidth(&texels, CU_AD_FORMAT_FLOAT, 1, r->device));
  info->max_texels = texels;
  info->texel_align = attribute(r, CU_DEVICE_ATTRIBUTE_TEXTURE_ALIGNMENT);
  info->max_image_size[0] = attribute(r, CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_WIDTH);
  info->max_image_size[1] = attribute(r, CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_HEIGHT);
  info->max_line = attribute(r, CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_WIDTH);
  info->max_volume = attribute(r, CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_WIDTH);
  info->linear_formats = 1u << XB_TEXEL_FLOAT32 | 1u << XB_TEXEL_FLOAT16 | 1u << XB_TEXEL_UNORM8;
  info->filter_bits = 8; /* CUDA C++ Programming Guide, Linear Filtering: 9-bit fixed point with 8 bits of fraction */
}

static void describe_speed(reader *r, xb_device_info *info)
{
  info->multiprocessors = attribute(r, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
  info->threads_per_multiprocessor = attribute(r, CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR);
  info->groups_per_multiprocessor = attribute(r, CU_DEVICE_ATTRIBUTE_MAX_BLOCKS_PER_MULTIPROCESSOR);
  info->registers_per_multiprocessor = attribute(r, CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR);
  info->shared_per_multiprocessor = attribute(r, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR);
  info->shared_per_group = attribute(r, CU_DEVICE_ATTRIBUTE_RESERVED_SHARED_MEMORY_PER_BLOCK);
  info->cache_bytes = attribute(r, CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE);
  info->persisting_bytes = attribute(r, CU_DEVICE_ATTRIBUTE_MAX_PERSISTING_L2_CACHE_SIZE);
  info->window_bytes = info->persisting_bytes ? attribute(r, CU_DEVICE_ATTRIBUTE_MAX_ACCESS_POLICY_WINDOW_SIZE) : 0;
  info->clock_khz = attribute(r, CU_DEVICE_ATTRIBUTE_CLOCK_RATE);
  info->memory_clock_khz = attribute(r, CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE);
  info->memory_bus_bits = attribute(r, CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH);
  info->compute_capability = 10 * attribute(r, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR) +
                             attribute(r, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
  info->features = features_of(r->cu, info->compute_capability);
}

xb_code cu_describe_device(const cu_symbols *cu, uint32_t index, CUdevice *device, xb_device_info *info, xb_error *err)
{
  reader r = {.cu = cu};
  *info = (xb_device_info){.backend = "cuda", .code = "fatbin", .index = index};
  if (keep(&r, "cuDeviceGet", cu->DeviceGet(&r.device, (int)index))) {
    size_t bytes = 0;
    keep(&r, "cuDeviceTotalMem", cu->DeviceTotalMem(&bytes, r.device));
    info->memory_bytes = bytes;
    describe_identity(&r, info);
    describe_limits(&r, info);
    describe_speed(&r, info);
    describe_images(&r, info);
    const xb_queue_info stream = {.present = true, .timestamp_bits = 64, .count = XB_QUEUES_OF_A_KIND};
    info->queues[XB_QUEUE_COMPUTE] = info->queues[XB_QUEUE_COPY] = stream;
    info->calibrates = true;
    info->launch_modes = 1u << XB_LAUNCH_GRAPH | 1u << XB_LAUNCH_STREAM | 1u << XB_LAUNCH_HELD_STREAM;
    info->timestamp_period_ns = EVENT_RESOLUTION_NS;
  }
  *device = r.device;
  return r.result ? cu_fail(cu, err, r.call, r.result) : XB_OK;
}

xb_code cu_enumerate(xb_device_info *infos, uint32_t capacity, uint32_t *count, xb_error *err)
{
  const cu_symbols *cu;
  xb_code code = cu_start(&cu, count, err);
  for (uint32_t i = 0; i < *count && i < capacity && !code; i++) {
    CUdevice device;
    code = cu_describe_device(cu, i, &device, &infos[i], err);
  }
  if (code)
    *count = 0;
  return code;
}
