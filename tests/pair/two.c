/* xbench with a second API of the name cuda, which takes PTX: Vulkan, with the SPIR-V of the file XB_TWO in place of
 * the PTX.
 * XB_TWO_SLOW gives the device a memory or a processor that is very slow. It prints the parameters that it was told of.
 * With XB_THREE, Direct3D 12 is there, too. */
#include "xb/backend.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern const xb_backend xb_backend_vulkan;

static void rename_device(xb_device_info *info)
{
  info->backend = "cuda";
  info->code = "fatbin";
  info->compute_capability = 90;
  const char *slow = getenv("XB_TWO_SLOW"); /* what no kernel here can be as slow as */
  if (slow && !strcmp(slow, "memory")) {
    info->memory_clock_khz = 1000;
    info->memory_bus_bits = 8;
    info->cache_bytes = 1024;
  }
  if (slow && !strcmp(slow, "processor")) {
    info->multiprocessors = 1;
    info->clock_khz = 1;
  }
}

static xb_code enumerate(xb_device_info *infos, uint32_t capacity, uint32_t *count, xb_error *err)
{
  const xb_code code = xb_backend_vulkan.enumerate(infos, capacity, count, err);
  for (uint32_t i = 0; i < capacity && i < *count; i++)
    rename_device(&infos[i]);
  return code;
}

static xb_code device_open(const xb_device_desc *desc, xb_be_device **device, xb_device_info *info, xb_error *err)
{
  const xb_code code = xb_backend_vulkan.device_open(desc, device, info, err);
  rename_device(info);
  return code;
}

static xb_code kernel_create(xb_be_device *device, const xb_kernel_desc *desc, xb_be_kernel **kernel,
                             xb_kernel_info *info, xb_error *err)
{
  static char code[1 << 20];
  xb_kernel_desc other = *desc;
  if (desc->code_bytes < 8 || !strstr(desc->code, ".version")) /* xbench's own kernels */
    return xb_fail(err, XB_UNSUPPORTED, "two", "only PTX");
  FILE *file = fopen(getenv("XB_TWO"), "rb");
  if (!file)
    return xb_fail(err, XB_INTERNAL, "two", "no file XB_TWO");
  other.code_bytes = fread(code, 1, sizeof code, file);
  fclose(file);
  other.code = code;
  fprintf(stderr, "two: %s", desc->entry);
  for (uint32_t i = 0; i < desc->parameter_count; i++)
    if (desc->parameters[i].bytes)
      fprintf(stderr, " %u+%u", desc->parameters[i].offset, desc->parameters[i].bytes);
    else
      fprintf(stderr, " b%u", desc->parameters[i].binding);
  fprintf(stderr, "\n");
  other.entry = "saxpy";
  other.parameters = NULL;
  other.parameter_count = 0;
  return xb_backend_vulkan.kernel_create(device, &other, kernel, info, err);
}

static xb_backend cuda;
#ifdef XB_THREE
extern const xb_backend xb_backend_d3d12;
const xb_backend *const xb_builtin_backends[] = {&cuda, &xb_backend_vulkan, &xb_backend_d3d12, NULL};
#else
const xb_backend *const xb_builtin_backends[] = {&cuda, &xb_backend_vulkan, NULL};
#endif

static __attribute__((constructor)) void make(void)
{
  cuda = xb_backend_vulkan;
  cuda.name = "cuda";
  cuda.about.title = NULL;
  cuda.enumerate = enumerate;
  cuda.device_open = device_open;
  cuda.kernel_create = kernel_create;
}
