/* A command list as a CUDA graph. Edges cost time on the device, so there are as few as possible: a barrier between two
 * single nodes is one edge. A barrier between several nodes and several others needs an empty node in between. */
#include "cu.h"

#include <stdlib.h>

enum { CU_COPY_PIECE = 256 << 20 };

/* [begin] Create a graph. In stream mode there is nothing to begin. */
xb_code cu_graph_create(xb_be_device *d, cu_graph *graph, xb_error *err)
{
  CUgraph handle = NULL;
  const CUresult result = d->cu->GraphCreate(&handle, 0);
  if (result)
    return cu_fail(d->cu, err, "cuGraphCreate", result);
  graph->handle = handle;
  return XB_OK;
}

static void destroy_recording(xb_be_device *d, cu_graph *graph)
{
  if (graph->handle && cu_enter_to_free(d))
    d->cu->GraphDestroy(graph->handle);
  free(graph->before.list);
  free(graph->open.list);
  graph->handle = NULL;
  graph->before = graph->open = (cu_nodes){0};
}

void cu_graph_free(xb_be_device *d, cu_graph *graph)
{
  if (graph->exec && cu_enter_to_free(d))
    d->cu->GraphExecDestroy(graph->exec);
  destroy_recording(d, graph);
  graph->exec = NULL;
}

static bool reserve_node(cu_nodes *nodes)
{
  return xb_grow(&nodes->list, &nodes->capacity, nodes->count, sizeof *nodes->list);
}

/* [barrier] Later nodes depend on all nodes since the previous barrier. */
void cu_graph_barrier(cu_graph *graph)
{
  if (!graph->open.count)
    return;
  const cu_nodes before = graph->before;
  graph->before = graph->open;
  graph->open = before;
  graph->open.count = 0;
}

/* [barrier] If several nodes follow several, join the earlier ones in an empty node, from the second later node on. */
static xb_code join(xb_be_device *d, cu_graph *graph, xb_error *err)
{
  if (!graph->open.count || graph->before.count < 2)
    return XB_OK;
  CUgraphNode node;
  const CUresult result = d->cu->GraphAddEmptyNode(&node, graph->handle, graph->before.list, graph->before.count);
  if (result)
    return cu_fail(d->cu, err, "cuGraphAddEmptyNode", result);
  graph->before.list[0] = node;
  graph->before.count = 1;
  graph->before.kernels = false;
  return XB_OK;
}

/* ---- Nodes ------------------------------------------------------------------------------------------------------ */

/* [dispatch] An edge that lets the node start before the kernel in front of it ends. */
static xb_code add_early_edge(xb_be_device *d, cu_graph *g, const CUgraphNode *node, xb_error *err)
{
  const CUgraphEdgeData early = {.from_port = CU_GRAPH_KERNEL_NODE_PORT_PROGRAMMATIC,
                                 .type = CU_GRAPH_DEPENDENCY_TYPE_PROGRAMMATIC};
  const CUresult result = d->cu->GraphAddDependencies(g->handle, g->before.list, node, &early, 1);
  return result ? cu_fail(d->cu, err, "cuGraphAddDependencies", result) : XB_OK;
}

/* [dispatch] Add a kernel node. The launch sets the group size; HLSL sets it at compile time. */
static xb_code add_kernel(xb_be_device *d, cu_graph *g, cu_op *op, CUgraphNode *node, xb_error *err)
{
  const xb_be_kernel *k = op->u.dispatch.kernel;
  void *parameters[XB_MAX_PARAMETERS];
  cu_op_parameters(op, parameters);
  const CUDA_KERNEL_NODE_PARAMS_v2 kernel = {
      .func = k->function,
      .gridDimX = op->u.dispatch.groups[0],
      .gridDimY = op->u.dispatch.groups[1],
      .gridDimZ = op->u.dispatch.groups[2],
      .blockDimX = k->group_size[0],
      .blockDimY = k->group_size[1],
      .blockDimZ = k->group_size[2],
      .sharedMemBytes = k->dynamic_shared_bytes,
      .kernelParams = parameters, /* copied by the call */
  };
  const bool early = op->u.dispatch.early && g->before.count == 1 && g->before.kernels;
  CUresult result = d->cu->GraphAddKernelNode(node, g->handle, g->before.list, early ? 0 : g->before.count, &kernel);
  if (result)
    return cu_fail(d->cu, err, "cuGraphAddKernelNode", result);
  const xb_code code = early ? add_early_edge(d, g, node, err) : XB_OK;
  if (code || !op->u.dispatch.window.num_bytes)
    return code;
  const CUkernelNodeAttrValue value = {.accessPolicyWindow = op->u.dispatch.window};
  result = d->cu->GraphKernelNodeSetAttribute(*node, CU_KERNEL_NODE_ATTRIBUTE_ACCESS_POLICY_WINDOW, &value);
  return result ? cu_fail(d->cu, err, "cuGraphKernelNodeSetAttribute", result) : XB_OK;
}

static CUDA_MEMCPY3D copy_piece(const cu_op *op, size_t at, size_t bytes)
{
  const char *src = op->u.copy.src_host;
  char *dst = op->u.copy.dst_host;
  return (CUDA_MEMCPY3D){
      .srcMemoryType = src ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE,
      .srcHost = src ? src + at : NULL,
      .srcDevice = src ? 0 : op->u.copy.src + at,
      .dstMemoryType = dst ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE,
      .dstHost = dst ? dst + at : NULL,
      .dstDevice = dst ? 0 : op->u.copy.dst + at,
      .WidthInBytes = bytes,
      .Height = 1,
      .Depth = 1,
  };
}

/* [copy] Add copy nodes. Inside device memory, large copies are split into a chain: on an H200 (driver 580) a node of
 * 1 GiB or more moved 1.39 TB/s, a node of 256 MiB 2.11, a chain of those 2.12, as cuMemcpyAsync does at any size. */
static xb_code add_copy(xb_be_device *d, cu_graph *g, const cu_op *op, CUgraphNode *node, xb_error *err)
{
  const bool on_device = !op->u.copy.dst_host && !op->u.copy.src_host;
  const CUgraphNode *before = g->before.list;
  size_t count = g->before.count;
  CUgraphNode last;
  for (size_t at = 0, bytes; at < op->u.copy.bytes; at += bytes) {
    bytes = op->u.copy.bytes - at;
    if (on_device && bytes > CU_COPY_PIECE)
      bytes = CU_COPY_PIECE;
    const CUDA_MEMCPY3D copy = copy_piece(op, at, bytes);
    const CUresult result = d->cu->GraphAddMemcpyNode(node, g->handle, before, count, &copy, d->context);
    if (result)
      return cu_fail(d->cu, err, "cuGraphAddMemcpyNode", result);
    last = *node;
    before = &last;
    count = 1;
  }
  return XB_OK;
}

static xb_code add_fill(xb_be_device *d, cu_graph *g, const cu_op *op, CUgraphNode *node, xb_error *err)
{
  const CUDA_MEMSET_NODE_PARAMS fill = {
      .dst = op->u.fill.dst,
      .value = op->u.fill.word,
      .elementSize = sizeof op->u.fill.word,
      .width = op->u.fill.words,
      .height = 1,
  };
  const CUresult result =
      d->cu->GraphAddMemsetNode(node, g->handle, g->before.list, g->before.count, &fill, d->context);
  return result ? cu_fail(d->cu, err, "cuGraphAddMemsetNode", result) : XB_OK;
}

/* [timestamp] Add a node that records the event. */
static xb_code add_stamp(xb_be_device *d, cu_graph *g, const cu_op *op, CUgraphNode *node, xb_error *err)
{
  const CUresult result = d->cu->GraphAddEventRecordNode(node, g->handle, g->before.list, g->before.count, op->u.stamp);
  return result ? cu_fail(d->cu, err, "cuGraphAddEventRecordNode", result) : XB_OK;
}

/* [image] Add a copy to an array. */
static xb_code add_image(xb_be_device *d, cu_graph *g, const cu_op *op, CUgraphNode *node, xb_error *err)
{
  const CUresult result =
      d->cu->GraphAddMemcpyNode(node, g->handle, g->before.list, g->before.count, &op->u.image, d->context);
  return result ? cu_fail(d->cu, err, "cuGraphAddMemcpyNode", result) : XB_OK;
}

static xb_code add_native(xb_be_device *d, cu_graph *g, const cu_op *op, CUgraphNode *node, xb_error *err)
{
  const CUresult result =
      d->cu->GraphAddChildGraphNode(node, g->handle, g->before.list, g->before.count, op->u.native.graph);
  d->cu->GraphDestroy(op->u.native.graph); /* the node has its own copy */
  return result ? cu_fail(d->cu, err, "cuGraphAddChildGraphNode", result) : XB_OK;
}

static xb_code add_node(xb_be_device *d, cu_graph *g, cu_op *op, CUgraphNode *node, xb_error *err)
{
  switch (op->kind) {
  case CU_OP_DISPATCH: return add_kernel(d, g, op, node, err);
  case CU_OP_COPY: return add_copy(d, g, op, node, err);
  case CU_OP_FILL: return add_fill(d, g, op, node, err);
  case CU_OP_STAMP: return add_stamp(d, g, op, node, err);
  case CU_OP_NATIVE: return add_native(d, g, op, node, err);
  case CU_OP_IMAGE: return add_image(d, g, op, node, err);
  }
  return XB_OK;
}

xb_code cu_graph_add(xb_be_device *d, cu_graph *graph, cu_op *op, xb_error *err)
{
  xb_code code = reserve_node(&graph->open) ? join(d, graph, err) : cu_no_host_memory(err, "xb_commands");
  if (code) {
    if (op->kind == CU_OP_NATIVE)
      d->cu->GraphDestroy(op->u.native.graph);
    return code;
  }
  CUgraphNode node = NULL;
  code = add_node(d, graph, op, &node, err);
  if (code)
    return code;
  graph->open.kernels = op->kind == CU_OP_DISPATCH && (!graph->open.count || graph->open.kernels);
  graph->open.list[graph->open.count++] = node;
  return XB_OK;
}

/* ---- Finishing -------------------------------------------------------------------------------------------------- */

/* [end] Upload the graph, on a separate stream so that it does not wait for other work, and wait until it is done. */
static xb_code upload(xb_be_device *d, cu_graph *graph, xb_error *err)
{
  const char *call = "cuGraphUpload";
  CUresult result = d->cu->GraphUpload(graph->exec, d->side);
  if (!result) {
    call = "cuStreamQuery";
    result = cu_poll(d, d->side, NULL, CU_SETTLE_NS);
  }
  if (result == CUDA_ERROR_NOT_READY)
    return xb_fail(err, XB_LOST, "cuGraphUpload", "the upload of a graph does not finish: the device hangs");
  return result ? cu_fail(d->cu, err, call, result) : XB_OK;
}

/* [end] Instantiate the graph. This is expensive; launching it is cheap. */
xb_code cu_graph_finish(xb_be_device *d, cu_graph *graph, xb_error *err)
{
  xb_code code = XB_OK;
  if (graph->open.count || graph->before.count) {
    CUgraphExec exec = NULL;
    const CUresult result = d->cu->GraphInstantiateWithFlags(&exec, graph->handle, 0);
    graph->exec = result ? NULL : exec;
    code = result ? cu_fail(d->cu, err, "cuGraphInstantiate", result) : upload(d, graph, err);
  }
  destroy_recording(d, graph);
  return code;
}
