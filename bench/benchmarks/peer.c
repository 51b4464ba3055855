#include "peer.h"

#include "peers/peers.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

static struct {
  void *handle;
  xb_cub_sum_bytes_fn *cub_sum_bytes;
  xb_cub_sum_fn *cub_sum;
  xb_peer_error_fn *error;
  xb_cublas_open_fn *cublas_open;
  xb_cublas_transpose_fn *cublas_transpose;
  xb_cublas_error_fn *cublas_error;
} peers;

static xb_code find(const char *name, void *function, xb_error *err)
{
  void *symbol = dlsym(peers.handle, name);
  if (!symbol)
    return xb_fail(err, XB_UNSUPPORTED, "peers", "libxb_peers.so has no %s: it belongs to another build", name);
  memcpy(function, &symbol, sizeof symbol); /* C has no cast between the two kinds of pointer */
  return XB_OK;
}

static xb_code open_peers(const xb_case *c, xb_error *err)
{
  if (strcmp(c->device->backend, "cuda") != 0)
    return xb_fail(err, XB_UNSUPPORTED, c->variant->name, "is a CUDA library: it runs with --backend cuda");
  if (!peers.handle)
    peers.handle = dlopen("libxb_peers.so", RTLD_NOW | RTLD_LOCAL);
  if (!peers.handle)
    return xb_fail(err, XB_UNSUPPORTED, c->variant->name,
                   "%s (it is built where nvcc is; it lies beside xbench, or in lib/xbench where that is installed)",
                   dlerror());
  xb_code code = find("xb_cub_sum_bytes", &peers.cub_sum_bytes, err);
  if (!code)
    code = find("xb_cub_sum", &peers.cub_sum, err);
  if (!code)
    code = find("xb_peer_error", &peers.error, err);
  if (!code)
    code = find("xb_cublas_open", &peers.cublas_open, err);
  if (!code)
    code = find("xb_cublas_transpose", &peers.cublas_transpose, err);
  return code ? code : find("xb_cublas_error", &peers.cublas_error, err);
}

static xb_code peer_fail(xb_error *err, const char *call, int error)
{
  return xb_fail_native(err, XB_INTERNAL, call, error, peers.error(error), "the library failed");
}

static xb_code cub_sum(const xb_native *native, const xb_peer_call *call, xb_error *err)
{
  const int error = peers.cub_sum((int)call->dtype, call->n, call->address[0], call->address[1], call->address[2],
                                  call->size[2], native->commands);
  return error ? peer_fail(err, "cub::DeviceReduce::Sum", error) : XB_OK;
}

xb_code xb_plan_cub_sum(const xb_case *c, xb_plan *plan, uint32_t input, uint32_t output, xb_error *err)
{
  uint64_t bytes = 0;
  const xb_code code = open_peers(c, err);
  if (code)
    return code;
  const int error = peers.cub_sum_bytes((int)c->dtype, c->n, &bytes);
  if (error)
    return peer_fail(err, "cub::DeviceReduce::Sum", error);
  bytes = (bytes + 3) / 4 * 4 + 4; /* a buffer has 4 bytes at least */
  const uint32_t temporary =
      xb_plan_slot(plan, (xb_slot){.name = "temporary", .role = XB_ROLE_SCRATCH, .bytes = bytes});
  xb_step *step = xb_plan_step(plan, XB_STEP_PEER);
  step->peer = cub_sum;
  step->binding_count = 3;
  step->bindings[0] = (xb_plan_binding){input, 0, c->n * XB_ELEMENT_BYTES, XB_READ};
  step->bindings[1] = (xb_plan_binding){output, 0, XB_ELEMENT_BYTES, XB_WRITE};
  step->bindings[2] = (xb_plan_binding){temporary, 0, bytes, XB_READ_WRITE};
  plan->windows = 1;
  plan->depth = 4096; /* how CUB adds is its own business; its threads take fewer in a row than this */
  return XB_OK;
}

static xb_code cublas_transpose(const xb_native *native, const xb_peer_call *call, xb_error *err)
{
  const int status = peers.cublas_transpose(call->rows, call->columns, call->address[0], call->address[1],
                                            call->address[2], call->size[2], native->commands);
  if (!status)
    return XB_OK;
  return xb_fail_native(err, XB_INTERNAL, "cublasSgeam", status, peers.cublas_error(status), "the library failed");
}

xb_code xb_plan_cublas_transpose(const xb_case *c, xb_plan *plan, uint32_t input, uint32_t output, xb_error *err)
{
  enum { WORKSPACE_BYTES = 4 << 20 }; /* what cuBLAS takes by default on most devices */
  const uint64_t bytes = c->n * XB_ELEMENT_BYTES;
  const xb_code code = open_peers(c, err);
  if (code)
    return code;
  if (c->dtype != XB_FLOAT32)
    return xb_fail(err, XB_UNSUPPORTED, c->variant->name, "cublasSgeam takes float32 only");
  const char *why = peers.cublas_open();
  if (why)
    return xb_fail(err, XB_UNSUPPORTED, c->variant->name, "%s", why);
  const uint32_t workspace =
      xb_plan_slot(plan, (xb_slot){.name = "workspace", .role = XB_ROLE_SCRATCH, .bytes = WORKSPACE_BYTES});
  xb_step *step = xb_plan_step(plan, XB_STEP_PEER);
  step->peer = cublas_transpose;
  step->binding_count = 3;
  step->bindings[0] = (xb_plan_binding){input, 0, bytes, XB_READ};
  step->bindings[1] = (xb_plan_binding){output, 0, bytes, XB_WRITE};
  step->bindings[2] = (xb_plan_binding){workspace, 0, WORKSPACE_BYTES, XB_READ_WRITE};
  plan->windows = 1;
  return XB_OK;
}
