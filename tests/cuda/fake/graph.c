/* Graphs: nodes and edges, copied when instantiated. */
#include "fake.h"

#include <stdlib.h>
#include <string.h>

static fake_node *add(fake_graph *graph, const fake_work *work, fake_node *const *before, size_t count)
{
  fake_node *node = calloc(1, sizeof *node);
  *node = (fake_node){.owner = graph, .work = *work, .before_count = count};
  node->before = calloc(count + 1, sizeof *node->before);
  if (count)
    memcpy(node->before, before, count * sizeof *before);
  graph->nodes = realloc(graph->nodes, (graph->count + 1) * sizeof *graph->nodes);
  graph->nodes[graph->count++] = node;
  return node;
}

static void copy_nodes(const fake_graph *from, fake_graph *to)
{
  for (size_t i = 0; i < from->count; i++) {
    fake_node *node = from->nodes[i], *before[256];
    for (size_t k = 0; k < node->before_count && k < 256; k++)
      before[k] = node->before[k]->copy;
    node->copy = add(to, &node->work, before, node->before_count);
    if (node->work.child) {
      node->copy->work.child = calloc(1, sizeof(fake_graph));
      copy_nodes(node->work.child, node->copy->work.child);
    }
  }
}

void fake_free_nodes(fake_graph *graph)
{
  for (size_t i = 0; i < graph->count; i++) {
    if (graph->nodes[i]->work.child) {
      fake_free_nodes(graph->nodes[i]->work.child);
      free(graph->nodes[i]->work.child);
    }
    free(graph->nodes[i]->before);
    free(graph->nodes[i]);
  }
  free(graph->nodes);
  graph->nodes = NULL;
  graph->count = 0;
}

static bool ready(const fake_node *node)
{
  bool all = !node->done;
  for (size_t i = 0; i < node->before_count; i++)
    all &= node->before[i]->done;
  return all;
}

/* Nodes that were added last run first, as far as the edges allow: so a missing edge gives wrong results. */
void fake_run_graph(fake_graph *graph)
{
  for (size_t i = 0; i < graph->count; i++)
    graph->nodes[i]->done = false;
  for (size_t left = graph->count; left > 0; left--) {
    size_t i = graph->count - 1;
    while (!ready(graph->nodes[i]))
      i--;
    fake_do(&graph->nodes[i]->work);
    graph->nodes[i]->done = true;
  }
}

CUresult fake_capture(fake_graph *graph, const fake_work *work)
{
  add(graph, work, graph->count ? &graph->nodes[graph->count - 1] : NULL, graph->count ? 1 : 0);
  return CUDA_SUCCESS;
}

static CUdeviceptr array_data(CUarray handle)
{
  const fake_array *array = fake_get(handle, FAKE_ARRAY);
  return array ? (CUdeviceptr)(uintptr_t)array->data : 0;
}

/* ---- The driver's functions ------------------------------------------------------------------------------------- */

CUresult cuGraphCreate(CUgraph *handle, unsigned flags)
{
  (void)flags;
  const CUresult result = fake_enter_context("cuGraphCreate");
  if (!result)
    *handle = fake_new(FAKE_GRAPH, sizeof(fake_graph));
  return result;
}

CUresult cuGraphDestroy(CUgraph handle)
{
  fake_graph *graph = fake_get(handle, FAKE_GRAPH);
  if (graph)
    fake_free_nodes(graph);
  fake_end(handle, FAKE_GRAPH);
  return fake_enter_context("cuGraphDestroy");
}

static CUresult add_node(const char *name, CUgraphNode *node, CUgraph handle, const CUgraphNode *before, size_t count,
                         const fake_work *work)
{
  fake_graph *graph = fake_get(handle, FAKE_GRAPH);
  const CUresult result = fake_enter_context(name);
  if (result || !graph)
    return result;
  for (size_t i = 0; i < count; i++)
    if (((fake_node *)(void *)before[i])->owner != graph)
      fake_broken("an edge from another graph");
  *node = (CUgraphNode)(void *)add(graph, work, (fake_node *const *)(const void *)before, count);
  return CUDA_SUCCESS;
}

CUresult cuGraphAddKernelNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *before, size_t count,
                              const CUDA_KERNEL_NODE_PARAMS_v2 *p)
{
  fake_work work;
  fake_kernel_work(&work, p->func, p->kernelParams);
  if (p->sharedMemBytes > 49152 - 512 && p->sharedMemBytes > work.function.dynamic_bytes)
    fake_broken("more dynamic shared memory than was asked for");
  return add_node("cuGraphAddKernelNode", node, graph, before, count, &work);
}

CUresult cuGraphAddDependencies(CUgraph handle, const CUgraphNode *from, const CUgraphNode *to,
                                const CUgraphEdgeData *data, size_t count)
{
  const CUresult result = fake_enter_context("cuGraphAddDependencies");
  for (size_t i = 0; i < count && !result && fake_get(handle, FAKE_GRAPH); i++) {
    fake_node *before = (fake_node *)(void *)from[i], *node = (fake_node *)(void *)to[i];
    if (before->work.kind != FAKE_KERNEL || node->work.kind != FAKE_KERNEL)
      fake_broken("a programmatic edge that is not between kernels");
    fake.early_starts += data[i].from_port == CU_GRAPH_KERNEL_NODE_PORT_PROGRAMMATIC &&
                         data[i].type == CU_GRAPH_DEPENDENCY_TYPE_PROGRAMMATIC;
    node->before = realloc(node->before, (node->before_count + 2) * sizeof *node->before);
    node->before[node->before_count++] = before;
  }
  return result;
}

CUresult cuGraphKernelNodeSetAttribute(CUgraphNode node, CUkernelNodeAttrID which, const CUkernelNodeAttrValue *value)
{
  const CUresult result = fake_enter_context("cuGraphKernelNodeSetAttribute");
  if (!node)
    fake_broken("no node");
  if (!result && which == CU_KERNEL_NODE_ATTRIBUTE_ACCESS_POLICY_WINDOW)
    fake_window(&value->accessPolicyWindow);
  return result;
}

fake_work fake_copy_work(const CUDA_MEMCPY3D *p)
{
  return (fake_work){
      .kind = FAKE_COPY,
      .dst = p->dstMemoryType == CU_MEMORYTYPE_ARRAY  ? array_data(p->dstArray)
             : p->dstMemoryType == CU_MEMORYTYPE_HOST ? (CUdeviceptr)p->dstHost
                                                      : p->dstDevice,
      .src = p->srcMemoryType == CU_MEMORYTYPE_ARRAY  ? array_data(p->srcArray)
             : p->srcMemoryType == CU_MEMORYTYPE_HOST ? (CUdeviceptr)p->srcHost
                                                      : p->srcDevice,
      .bytes = p->WidthInBytes * p->Height * p->Depth,
  };
}

CUresult cuGraphAddMemcpyNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *before, size_t count,
                              const CUDA_MEMCPY3D *p, CUcontext context)
{
  (void)context;
  const fake_work work = fake_copy_work(p);
  return add_node("cuGraphAddMemcpyNode", node, graph, before, count, &work);
}

CUresult cuGraphAddMemsetNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *before, size_t count,
                              const CUDA_MEMSET_NODE_PARAMS *p, CUcontext context)
{
  (void)context;
  const fake_work work = {
      .kind = FAKE_FILL, .dst = p->dst, .bytes = p->width * p->elementSize * p->height, .word = p->value};
  return add_node("cuGraphAddMemsetNode", node, graph, before, count, &work);
}

CUresult cuGraphAddEventRecordNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *before, size_t count,
                                   CUevent event)
{
  const fake_work work = {.kind = FAKE_RECORD, .event = event};
  fake_get(event, FAKE_EVENT);
  return add_node("cuGraphAddEventRecordNode", node, graph, before, count, &work);
}

CUresult cuGraphAddEmptyNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *before, size_t count)
{
  const fake_work work = {.kind = FAKE_NOTHING};
  return add_node("cuGraphAddEmptyNode", node, graph, before, count, &work);
}

CUresult cuGraphAddChildGraphNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *before, size_t count,
                                  CUgraph child)
{
  const fake_graph *from = fake_get(child, FAKE_GRAPH);
  fake_work work = {.kind = FAKE_NOTHING};
  const CUresult result = add_node("cuGraphAddChildGraphNode", node, graph, before, count, &work);
  if (result || !from)
    return result;
  fake_node *added = (fake_node *)(void *)*node;
  added->work.child = calloc(1, sizeof(fake_graph));
  copy_nodes(from, added->work.child);
  return CUDA_SUCCESS;
}

CUresult cuGraphGetNodes(CUgraph handle, CUgraphNode *nodes, size_t *count)
{
  (void)nodes;
  const fake_graph *graph = fake_get(handle, FAKE_GRAPH);
  *count = graph ? graph->count : 0;
  return fake_enter_context("cuGraphGetNodes");
}

CUresult cuGraphInstantiateWithFlags(CUgraphExec *handle, CUgraph from, unsigned long long flags)
{
  (void)flags;
  fake_graph *graph = fake_get(from, FAKE_GRAPH);
  const CUresult result = fake_enter_context("cuGraphInstantiateWithFlags");
  if (result || !graph)
    return result;
  fake_exec *exec = fake_new(FAKE_EXEC, sizeof *exec);
  exec->graph = calloc(1, sizeof *exec->graph);
  copy_nodes(graph, exec->graph);
  fake.graph_nodes = graph->count;
  fake.graph_edges = fake.empty_nodes = 0;
  for (size_t i = 0; i < graph->count; i++) {
    fake.graph_edges += graph->nodes[i]->before_count;
    fake.empty_nodes += graph->nodes[i]->work.kind == FAKE_NOTHING && !graph->nodes[i]->work.child;
  }
  *handle = (CUgraphExec)(void *)exec;
  return CUDA_SUCCESS;
}
