/* A command list as calls on a stream, repeated for each submission. */
#include "cu.h"

#include <stdlib.h>

void cu_list_free(cu_list *list)
{
  free(list->ops);
  *list = (cu_list){0};
}

xb_code cu_list_add(cu_list *list, const cu_op *op, xb_error *err)
{
  if (!xb_grow(&list->ops, &list->capacity, list->count, sizeof *list->ops))
    return cu_no_host_memory(err, "xb_commands");
  list->ops[list->count++] = *op;
  return XB_OK;
}

static CUresult set_window(xb_be_device *d, const CUaccessPolicyWindow *window, CUstream stream)
{
  const CUstreamAttrValue value = {.accessPolicyWindow = *window};
  return d->cu->StreamSetAttribute(stream, CU_STREAM_ATTRIBUTE_ACCESS_POLICY_WINDOW, &value);
}

/* [dispatch] Launch the kernel on a stream. */
static CUresult launch(xb_be_device *d, cu_op *op, CUstream stream)
{
  const xb_be_kernel *k = op->u.dispatch.kernel;
  const uint32_t *groups = op->u.dispatch.groups, *size = k->group_size;
  void *parameters[XB_MAX_PARAMETERS];
  cu_op_parameters(op, parameters);
  if (op->u.dispatch.early) {
    CUlaunchAttribute attribute = {CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION,
                                   {.programmaticStreamSerializationAllowed = 1}};
    const CUlaunchConfig config = {groups[0], groups[1],  groups[2], size[0], size[1], size[2], k->dynamic_shared_bytes,
                                   stream,    &attribute, 1};
    return d->cu->LaunchKernelEx(&config, k->function, parameters, NULL);
  }
  return d->cu->LaunchKernel(k->function, groups[0], groups[1], groups[2], size[0], size[1], size[2],
                             k->dynamic_shared_bytes, stream, parameters, NULL);
}

/* [submit] Without a graph, each command is one call. */
static xb_code play(xb_be_device *d, cu_op *op, CUstream stream, xb_error *err)
{
  const char *call = "";
  CUresult result = CUDA_SUCCESS;
  switch (op->kind) {
  case CU_OP_DISPATCH:
    if (op->u.dispatch.window.num_bytes) {
      call = "cuStreamSetAttribute";
      result = set_window(d, &op->u.dispatch.window, stream);
    }
    if (!result) {
      call = op->u.dispatch.early ? "cuLaunchKernelEx" : "cuLaunchKernel";
      result = launch(d, op, stream);
    }
    if (!result && op->u.dispatch.window.num_bytes) { /* later launches have none */
      call = "cuStreamSetAttribute";
      result = set_window(d, &(CUaccessPolicyWindow){0}, stream);
    }
    break;
  case CU_OP_COPY:
    call = "cuMemcpyAsync";
    result = d->cu->MemcpyAsync(op->u.copy.dst, op->u.copy.src, op->u.copy.bytes, stream);
    break;
  case CU_OP_FILL:
    call = "cuMemsetD32Async";
    result = d->cu->MemsetD32Async(op->u.fill.dst, op->u.fill.word, op->u.fill.words, stream);
    break;
  case CU_OP_STAMP:
    call = "cuEventRecord";
    result = d->cu->EventRecord(op->u.stamp, stream);
    break;
  case CU_OP_IMAGE:
    call = "cuMemcpy3DAsync";
    result = d->cu->Memcpy3DAsync(&op->u.image, stream);
    break;
  case CU_OP_NATIVE: return cu_call_native(d, stream, op->u.native.fn, op->u.native.user, err);
  }
  return result ? cu_fail(d->cu, err, call, result) : XB_OK;
}

xb_code cu_list_play(xb_be_device *d, cu_list *list, CUstream stream, xb_error *err)
{
  xb_code code = XB_OK;
  for (size_t i = 0; i < list->count && !code; i++)
    code = play(d, &list->ops[i], stream, err);
  return code;
}
