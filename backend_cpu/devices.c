/* The one device: this machine's processors. */
#include "cpu.h"

#include "core/queues.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void name_of_processor(char *name, size_t bytes)
{
  char line[256];
  FILE *file = fopen("/proc/cpuinfo", "re");
  snprintf(name, bytes, "the processor");
  while (file && fgets(line, sizeof line, file)) {
    const char *colon = strchr(line, ':');
    if (strncmp(line, "model name", 10) != 0 || !colon)
      continue;
    snprintf(name, bytes, "%.*s", (int)strcspn(colon + 2, "\n"), colon + 2);
    break;
  }
  if (file)
    fclose(file);
}

/* As cudaGetDeviceProperties would tell of a GPU whose warps are 32 wide. Kernels may rely on these numbers. */
static void describe_cuda(xb_device_info *info)
{
  const long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE), processors = sysconf(_SC_NPROCESSORS_ONLN);
  const xb_queue_info queue = {.present = true, .timestamp_bits = 64, .count = XB_QUEUES_OF_A_KIND};
  *info = (xb_device_info){
      .backend = "cpu",
      .code = "cpu",
      .emulates = "cuda",
      .type = XB_DEVICE_CPU,
      .max_binding_bytes = (UINT64_C(1) << 32) - 4096, /* kernels use 32-bit indices */
      .max_uniform_bytes = UINT64_C(1) << 16,
      .uniform_align = 256,
      .binding_align = 256,
      .max_groups = {INT32_MAX, 65535, 65535},
      .max_group_threads = XB_CPU_MOST_THREADS,
      .max_group_size = {1024, 1024, 64},
      .shared_bytes = 48 << 10,
      .shared_optin_bytes = XB_CPU_MOST_SHARED,
      .max_arg_bytes = XB_MAX_ARG_BYTES,
      .features = XB_FEATURE_FLOAT64 | XB_FEATURE_FLOAT16 | XB_FEATURE_INT64 | XB_FEATURE_INT16 | XB_FEATURE_INT8 |
                  XB_FEATURE_INT64_ATOMICS | XB_FEATURE_FLOAT32_ATOMIC_ADD | XB_FEATURE_FLOAT64_ATOMIC_ADD |
                  XB_FEATURE_INDIRECT | XB_FEATURE_INT8_DOT | XB_FEATURE_CONSTANTS | XB_FEATURE_DYNAMIC_SHARED |
                  XB_FEATURE_MATRICES | XB_FEATURE_BFLOAT16_MATRICES | XB_FEATURE_INT8_MATRICES |
                  XB_FEATURE_FLOAT8_MATRICES | XB_FEATURE_CACHE_SHARE,
      .subgroup_size = XB_CPU_WARP,
      .subgroup_min = XB_CPU_WARP,
      .subgroup_max = XB_CPU_WARP,
      .memory_bytes = (uint64_t)pages * (uint64_t)page,
      .queues = {[XB_QUEUE_COMPUTE] = queue, [XB_QUEUE_COPY] = queue},
      .timestamp_period_ns = 1,
      .launch_modes = 1u << XB_LAUNCH_COMMAND_BUFFER,
      .multiprocessors = processors > 0 ? (uint32_t)processors : 1,
      .compute_capability = 80, /* as __CUDA_ARCH__ says */
      .calibrates = true,
      .import_align = (uint64_t)page,
      .exports_semaphores = true,
      .imports_semaphores = true,
      .max_texels = UINT64_C(1) << 27,
      .texel_align = 256,
      .max_image_size = {65536, 65536},
      .max_line = 65536,
      .max_volume = 4096,
      .linear_formats = 1u << XB_TEXEL_FLOAT32 | 1u << XB_TEXEL_FLOAT16 | 1u << XB_TEXEL_UNORM8,
      .filter_bits = 8,
      .shader_waves = XB_CPU_MOST_WAVE * 2 - XB_CPU_LEAST_WAVE,
  };
  info->max_buffer_bytes = info->memory_bytes;
  if (info->max_binding_bytes > info->memory_bytes)
    info->max_binding_bytes = info->memory_bytes & ~UINT64_C(255);
  name_of_processor(info->name, sizeof info->name);
  info->addresses = true;
  snprintf(info->driver, sizeof info->driver, "CUDA C++ compiled for the CPU");
  snprintf(info->api_version, sizeof info->api_version, "%d", XB_CPU_ABI);
}

/* As a GPU that runs shaders, whose waves have this size. What is the same for both is as for CUDA. */
static void describe_shaders(uint32_t wave, xb_device_info *info)
{
  info->code = "spv";
  info->emulates = "vulkan";
  info->compute_capability = 0;
  info->subgroup_size = info->subgroup_min = info->subgroup_max = wave;
  info->queues[XB_QUEUE_COMPUTE].family = info->queues[XB_QUEUE_COPY].family = wave; /* tells results apart */
  info->queue_family_chosen = true;
  info->storage_texels = info->has_robust_access = info->robust_access = true;
  info->shared_bytes = info->shared_optin_bytes;
  const uint32_t of_a_warp = XB_FEATURE_MATRICES | XB_FEATURE_INT8_MATRICES; /* that SPIR-V has here, too */
  info->features &= ~(uint32_t)(XB_FEATURE_CONSTANTS | XB_FEATURE_DYNAMIC_SHARED | XB_FEATURE_BFLOAT16_MATRICES |
                                XB_FEATURE_FLOAT8_MATRICES | XB_FEATURE_CACHE_SHARE);
  if (wave == XB_CPU_WARP)
    info->features |= XB_FEATURE_MATRICES_16_8_16 | XB_FEATURE_MATRICES_16_8_8;
  else
    info->features &= ~of_a_warp;
  info->features |= XB_FEATURE_SPECIALIZATION;
  snprintf(info->driver, sizeof info->driver, "SPIR-V compiled for the CPU");
}

void cpu_describe(uint32_t wave, xb_device_info *info)
{
  describe_cuda(info);
  if (wave)
    describe_shaders(wave, info);
}

xb_code cpu_enumerate(xb_device_info *infos, uint32_t capacity, uint32_t *count, xb_error *err)
{
  const char *hidden = getenv("XB_NO_EMULATION");
  if (hidden && *hidden && strcmp(hidden, "0") != 0)
    return xb_fail(err, XB_UNAVAILABLE, "cpu", "XB_NO_EMULATION hides it");
  if (capacity)
    cpu_describe(0, infos);
  *count = 1;
  return XB_OK;
}

xb_code cpu_device_open(const xb_device_desc *desc, xb_be_device **device, xb_device_info *info, xb_error *err)
{
  const char *const where = "xb_device_open";
  if (desc->index)
    return xb_fail(err, XB_UNAVAILABLE, where, "cpu device %u does not exist: there is only device 0", desc->index);
  if (desc->compile_only)
    return xb_fail(err, XB_UNSUPPORTED, where, "compile_only: cpu has no null device");
  if (desc->launch_mode != XB_LAUNCH_DEFAULT && desc->launch_mode != XB_LAUNCH_COMMAND_BUFFER)
    return xb_fail(err, XB_UNSUPPORTED, where, "the only launch mode of cpu is 'command buffer'");
  if (desc->choose_queue_family && desc->queue_family)
    return xb_fail(err, XB_UNSUPPORTED, where, "cpu has no queue family %u", desc->queue_family);
  if (desc->wave & (desc->wave - 1) ||
      (desc->wave && (desc->wave < XB_CPU_LEAST_WAVE || desc->wave > XB_CPU_MOST_WAVE)))
    return xb_fail(err, XB_UNSUPPORTED, where, "waves of %u threads: cpu has powers of two from %d to %d", desc->wave,
                   XB_CPU_LEAST_WAVE, XB_CPU_MOST_WAVE);
  cpu_describe(desc->wave, info);
  info->shader_waves = desc->wave;
  info->launch_mode = XB_LAUNCH_COMMAND_BUFFER;
  xb_code code = xb_open_queues(desc, info, err);
  if (code)
    return code;
  xb_be_device *d = calloc(1, sizeof *d);
  if (!d)
    return xb_fail(err, XB_NOMEM, where, "out of host memory");
  d->info = *info;
  d->checks = desc->checks;
  code = cpu_queues_start(d, err);
  if (code) {
    free(d);
    return code;
  }
  *device = d;
  return XB_OK;
}

xb_code cpu_device_close(xb_be_device *d, xb_error *err)
{
  (void)err;
  cpu_queues_stop(d);
  if (!d->stuck)
    free(d);
  return XB_OK;
}

/* Its work is this process's own, so it can be ended. */
void cpu_device_abandon(xb_be_device *d)
{
  cpu_queues_stop(d);
}
