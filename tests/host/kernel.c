#include "internal.h"

#include <stdlib.h>
#include <string.h>

static const uint64_t MAGIC = 0x68736f7463656478u;

static uint64_t sum_of(host_code code)
{
  const unsigned char *bytes = (const unsigned char *)&code;
  uint64_t sum = 14695981039346656037u;
  code.sum = 0;
  for (size_t i = 0; i < sizeof code; i++)
    sum = (sum ^ bytes[i]) * 1099511628211u;
  return sum;
}

void host_seal(host_code *code)
{
  code->magic = MAGIC;
  code->sum = sum_of(*code);
}

void host_describe(host_code code, xb_kernel_desc *desc)
{
  static host_code kept;
  kept = code;
  host_seal(&kept);
  desc->code = &kept;
  desc->code_bytes = sizeof kept;
  desc->entry = kept.entry;
}

static xb_code check(const host_code *code, const xb_kernel_desc *desc, xb_error *err)
{
  const char *const where = desc->label ? desc->label : desc->entry;
  if (strcmp(code->entry, desc->entry) != 0)
    return xb_fail(err, XB_INVALID, where, "no entry point '%s', the code has '%s'", desc->entry, code->entry);
  if (memcmp(code->group_size, desc->group_size, sizeof code->group_size) != 0)
    return xb_fail(err, XB_INVALID, where, "group size %u x %u x %u described, the code has %u x %u x %u",
                   desc->group_size[0], desc->group_size[1], desc->group_size[2], code->group_size[0],
                   code->group_size[1], code->group_size[2]);
  for (uint32_t i = 0; i < 32; i++) {
    const bool used = code->used_bindings >> i & 1;
    if (used && i >= desc->binding_count)
      return xb_fail(err, XB_INVALID, where, "the code uses binding %u, %u are described", i, desc->binding_count);
    if (!used && i < desc->binding_count && !(desc->unused_bindings >> i & 1))
      return xb_fail(err, XB_INVALID, where, "the code does not use binding %u", i);
  }
  if (code->arg_bytes != desc->arg_bytes && !(desc->args_unused && !code->arg_bytes))
    return xb_fail(err, XB_INVALID, where, "%u bytes of arguments described, the code has %u", desc->arg_bytes,
                   code->arg_bytes);
  return XB_OK;
}

xb_code host_kernel_create(xb_be_device *device, const xb_kernel_desc *desc, xb_be_kernel **kernel,
                           xb_kernel_info *info, xb_error *err)
{
  const char *const where = "kernel_create";
  xb_code code = host_call(device, where, err);
  if (code)
    return code;
  host_code given;
  if (desc->code_bytes != sizeof given)
    return xb_fail(err, XB_INVALID, where, "the code is damaged: %zu bytes", desc->code_bytes);
  memcpy(&given, desc->code, sizeof given);
  if (given.magic != MAGIC || given.sum != sum_of(given))
    return xb_fail(err, XB_INVALID, where, "the code is damaged");
  code = check(&given, desc, err);
  if (code)
    return code;

  xb_be_kernel *k = calloc(1, sizeof *k);
  if (!k)
    return xb_fail(err, XB_NOMEM, where, "out of host memory");
  *k = (xb_be_kernel){.device = device,
                      .code = given,
                      .subgroup_size = desc->subgroup_size ? desc->subgroup_size : device->info.subgroup_size};
  *info = (xb_kernel_info){.access_known = device->info.index == 0,
                           .create_ns = HOST_CREATE_NS,
                           .read_only_bindings = given.read_only_bindings | given.uniform_bindings,
                           .uniform_bindings = given.uniform_bindings,
                           .subgroup_size = k->subgroup_size,
                           .max_group_threads = HOST_MAX_THREADS};
  for (uint32_t i = 0; i < XB_MAX_BINDINGS; i++)
    info->uniform_bytes[i] = given.uniform_bindings >> i & 1 ? given.uniform_bytes : 0;
  *kernel = k;
  host_counters.kernels++;
  return XB_OK;
}

void host_kernel_destroy(xb_be_device *device, xb_be_kernel *k)
{
  host_free_call(device, "kernel_destroy");
  if (!host_promise(!host_kernel_in_flight(k), "kernel_destroy", "the kernel is in flight"))
    return;
  host_counters.kernels--;
  free(k);
}
