#include "../scenario/scenario.h"

#include <stdlib.h>
#include <string.h>

#include "backend_cuda/driver.h"
#include "support.h"

/* A fat binary: the fake driver makes the kernel from its name. */
static xb_kernel_desc kernel_desc(const char *entry, uint32_t arg_bytes)
{
  static const uint32_t contents[4] = {1, 2, 3, 4};
  static const xb_constant constant = {"table", contents, sizeof contents};
  return (xb_kernel_desc){.label = entry,
                          .entry = entry,
                          .group_size = {64, 1, 1},
                          .binding_count = 2,
                          .arg_bytes = arg_bytes,
                          .dynamic_shared_bytes = 100000,
                          .cache_percent = 25,
                          .constants = &constant,
                          .constant_count = 1};
}

static xb_code make_step(xb_device *device, xb_kernel **kernel, xb_error *err)
{
  xb_kernel_desc desc = kernel_desc("p2a12t64step", sizeof(struct step_args));
  void *code = make_fatbin(FATBIN_ELF, 90, "good", &desc.code_bytes);
  desc.code = code;
  desc.dynamic_shared_bytes = 0;
  const xb_code result = xb_kernel_create(device, &desc, kernel, err);
  free(code);
  return result;
}

/* Records as a library would. */
static xb_code library(const xb_native *native, void *user, xb_error *err)
{
  const xb_proc proc = native->proc(native->device, "cuMemsetD32Async");
  const CUdeviceptr at = xb_buffer_native(user) + 240 * 4;
  CUresult (*fill)(CUdeviceptr, unsigned, size_t, CUstream) = NULL;
  memcpy(&fill, &proc, sizeof fill);
  const CUresult result = fill(at, 7, 16, native->commands);
  return result ? xb_fail(err, result == CUDA_ERROR_OUT_OF_MEMORY ? XB_NOMEM : XB_LOST, "library", "failed") : XB_OK;
}

static void forbid_calls(xb_device *device)
{
  find_fake()->forbidden = device && xb_device_status(device);
}

void scenario(xb_launch_mode mode, scenario_outcome *outcome)
{
  xb_kernel_desc copy = kernel_desc("p2a4t64", 4);
  void *code = make_fatbin(FATBIN_ELF, 90, "good", &copy.code_bytes);
  const xb_binding out = {.access = XB_WRITE};
  copy.code = code;
  const scenario_kernel kernels[] = {
      {copy, {{.kind = XB_BINDING_IMAGE, .sampler = {XB_FILTER_LINEAR, XB_ADDRESS_BORDER, false}}, out}, {0}, false},
      {copy, {{.kind = XB_BINDING_IMAGE}, out}, {0}, false},
      {copy, {{.kind = XB_BINDING_STORAGE_IMAGE, .access = XB_READ_WRITE}, out}, {0}, false},
      {copy, {{.kind = XB_BINDING_TEXELS, .format = XB_TEXEL_FLOAT32}, out}, {0}, false}};
  const scenario_backend backend = {.open = {.backend = &xb_backend_cuda, .launch_mode = mode},
                                    .step = make_step,
                                    .kernels = kernels,
                                    .fill = library,
                                    .last_first = true,
                                    .any_file = true,
                                    .wait_after_failure = true,
                                    .again = true,
                                    .failed = forbid_calls};
  scenario_run(&backend, outcome);
  free(code);
}
