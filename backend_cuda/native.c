/* Commands that a library issues with CUDA's own calls. For a graph, the library is called once and its commands are
 * captured. For a stream, it is called at each submission, as in a program without graphs. */
#include "cu.h"

static xb_proc driver_proc(void *device, const char *name)
{
  (void)device;
  const cu_symbols *cu = cu_symbols_get(NULL);
  void *pointer = NULL;
  CUdriverProcAddressQueryResult status;
  if (!cu || cu->GetProcAddress(name, &pointer, CU_OLDEST_DRIVER, CU_GET_PROC_ADDRESS_DEFAULT, &status))
    return NULL;
  union {
    void *pointer;
    xb_proc proc;
  } cast = {.pointer = pointer};
  return cast.proc;
}

xb_code cu_call_native(xb_be_device *d, CUstream stream, xb_native_fn fn, void *user, xb_error *err)
{
  const xb_native native = {.backend = "cuda", .device = d->context, .commands = stream, .proc = driver_proc};
  const xb_code code = fn(&native, user, err);
  d->cu->CtxSetCurrent(d->context); /* the library may have changed it */
  return code;
}

xb_code cu_device_native(xb_be_device *d, xb_native_fn fn, void *user, xb_error *err)
{
  const xb_code code = cu_enter(d, err);
  return code ? code : cu_call_native(d, NULL, fn, user, err);
}

static xb_code capture(xb_be_device *d, CUstream stream, xb_native_fn fn, void *user, CUgraph *graph, xb_error *err)
{
  CUresult result = d->cu->StreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL);
  if (result)
    return cu_fail(d->cu, err, "cuStreamBeginCapture", result);
  xb_code code = cu_call_native(d, stream, fn, user, err);
  result = d->cu->StreamEndCapture(stream, graph);
  if (!code && result)
    code = cu_fail(d->cu, err, "cuStreamEndCapture", result);
  return code;
}

static xb_code add_captured(xb_be_commands *c, CUgraph graph, xb_error *err)
{
  const cu_symbols *cu = c->device->cu;
  size_t nodes = 0;
  const CUresult result = graph ? cu->GraphGetNodes(graph, NULL, &nodes) : CUDA_SUCCESS;
  if (!result && nodes) {
    cu_op op = {.kind = CU_OP_NATIVE};
    op.u.native.graph = graph;
    return cu_record(c, &op, err);
  }
  if (graph)
    cu->GraphDestroy(graph);
  return result ? cu_fail(cu, err, "cuGraphGetNodes", result) : XB_OK;
}

xb_code cu_cmd_native(xb_be_commands *c, xb_native_fn fn, void *user, xb_error *err)
{
  xb_be_device *d = c->device;
  if (d->launch_mode != XB_LAUNCH_GRAPH) {
    cu_op op = {.kind = CU_OP_NATIVE};
    op.u.native.fn = fn;
    op.u.native.user = user;
    return cu_record(c, &op, err);
  }
  CUgraph graph = NULL;
  xb_code code = cu_enter(d, err);
  if (!code)
    code = capture(d, d->side, fn, user, &graph, err);
  if (!code)
    return add_captured(c, graph, err);
  if (graph)
    d->cu->GraphDestroy(graph);
  return code;
}
