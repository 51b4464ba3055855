/* The parameters of a kernel, in its own order: addresses of bindings, and values from the arguments. */
#include "cu.h"
#include "image.h"

#include <stdio.h>
#include <string.h>

/* Without a list, the kernel ABI's: one pointer per binding, then the struct. */
void cu_parameters_copy(const xb_kernel_desc *desc, xb_be_kernel *k)
{
  k->parameter_count = desc->parameter_count;
  k->tile_bindings = desc->tile_bindings;
  if (desc->parameter_count) {
    memcpy(k->parameters, desc->parameters, desc->parameter_count * sizeof *desc->parameters);
    return;
  }
  for (uint32_t i = 0; i < desc->binding_count; i++)
    k->parameters[k->parameter_count++] = (xb_parameter){.binding = i};
  if (desc->arg_bytes)
    k->parameters[k->parameter_count++] = (xb_parameter){.bytes = desc->arg_bytes};
}

static xb_code other_count(const xb_kernel_desc *desc, const char *found, xb_error *err)
{
  if (desc->parameter_count)
    return xb_fail(err, XB_INVALID, cu_kernel_label(desc), "the code has %s parameters, the description has %u", found,
                   desc->parameter_count);
  return xb_fail(err, XB_INVALID, cu_kernel_label(desc),
                 "the code has %s parameters, the description has %u bindings and %s", found, desc->binding_count,
                 desc->arg_bytes ? "arguments" : "no arguments");
}

/* CUDA keeps unused parameters, so all must exist, in order. Drivers before 12.4 do not report parameters: they are
 * then not checked. */
xb_code cu_parameters_check(const xb_be_device *d, const xb_kernel_desc *desc, const xb_be_kernel *k, xb_error *err)
{
  for (uint32_t i = 0; d->cu->FuncGetParamInfo; i++) {
    const xb_parameter p = i < k->parameter_count ? k->parameters[i] : (xb_parameter){0};
    const bool tiles = !p.bytes && i < k->parameter_count && k->tile_bindings >> p.binding & 1;
    const size_t expected = p.bytes ? p.bytes : tiles ? sizeof(CUtensorMap) : sizeof(CUdeviceptr);
    size_t offset = 0, size = 0;
    const CUresult result = d->cu->FuncGetParamInfo(k->function, i, &offset, &size);
    const bool dropped = p.bytes && !desc->parameter_count && desc->args_unused;
    if (result == CUDA_ERROR_INVALID_VALUE && (i == k->parameter_count || dropped))
      return XB_OK;
    char found[24];
    snprintf(found, sizeof found, i < k->parameter_count ? "%u" : "more than %u", i);
    if (result == CUDA_ERROR_INVALID_VALUE || (!result && i == k->parameter_count))
      return other_count(desc, found, err);
    if (result)
      return cu_fail(d->cu, err, "cuFuncGetParamInfo", result);
    if (size != expected)
      return xb_fail(err, XB_INVALID, cu_kernel_label(desc),
                     "parameter %u has %zu bytes in the code, %zu in the description (%s)", i, size, expected,
                     p.bytes ? "a value"
                     : tiles ? "a tensor map"
                             : "an address");
  }
  return XB_OK;
}

/* [dispatch] Each parameter is an address or a value. The driver copies as many bytes as the kernel declares. */
void cu_op_parameters(cu_op *op, void *parameters[XB_MAX_PARAMETERS])
{
  const xb_be_kernel *k = op->u.dispatch.kernel;
  for (uint32_t i = 0; i < k->parameter_count; i++) {
    const xb_parameter p = k->parameters[i];
    CUdeviceptr *const binding = &op->u.dispatch.bindings[p.binding];
    parameters[i] = p.bytes                             ? (void *)(op->u.dispatch.args + p.offset)
                    : k->tile_bindings >> p.binding & 1 ? (void *)(uintptr_t)*binding
                                                        : binding;
  }
}
