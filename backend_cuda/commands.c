/* Command lists. Each command becomes a cu_op, in a graph (graph.c) or in a list for a stream (stream.c). */
#include "cu.h"

#include <stdlib.h>
#include <string.h>

xb_code cu_commands_create(xb_be_device *d, const xb_commands_desc *desc, xb_be_commands **commands, xb_error *err)
{
  xb_be_commands *c = calloc(1, sizeof *c);
  if (!c)
    return cu_no_host_memory(err, "xb_commands_create");
  c->device = d;
  c->queue = desc->queue;
  xb_code code = cu_enter(d, err);
  if (!code)
    code = cu_timestamps_create(c, desc->timestamp_count, err);
  if (!code)
    code = cu_gate_create(c, err);
  if (!code && d->launch_mode == XB_LAUNCH_GRAPH)
    code = cu_graph_create(d, &c->graph, err);
  if (code) {
    cu_commands_destroy(d, c);
    return code;
  }
  *commands = c;
  return XB_OK;
}

void cu_commands_destroy(xb_be_device *d, xb_be_commands *c)
{
  cu_graph_free(d, &c->graph);
  cu_list_free(&c->list);
  cu_views_free(d, &c->views);
  cu_timestamps_free(c);
  cu_gate_free(c);
  free(c);
}

/* ---- Recording -------------------------------------------------------------------------------------------------- */

xb_code cu_record(xb_be_commands *c, cu_op *op, xb_error *err)
{
  xb_be_device *d = c->device;
  return d->launch_mode == XB_LAUNCH_GRAPH ? cu_graph_add(d, &c->graph, op, err) : cu_list_add(&c->list, op, err);
}

/* [dispatch] Copy addresses and arguments now, for the graph or for each submission. */
xb_code cu_cmd_dispatch(xb_be_commands *c, const xb_be_dispatch *dispatch, xb_error *err)
{
  cu_op op = {.kind = CU_OP_DISPATCH};
  op.u.dispatch.kernel = dispatch->kernel;
  memcpy(op.u.dispatch.groups, dispatch->groups, sizeof op.u.dispatch.groups);
  op.u.dispatch.window = cu_window_of(dispatch);
  op.u.dispatch.early = dispatch->early;
  if (dispatch->arg_bytes)
    memcpy(op.u.dispatch.args, dispatch->args, dispatch->arg_bytes);
  xb_code code = cu_enter(c->device, err);
  for (uint32_t i = 0; i < dispatch->binding_count && !code; i++) {
    const xb_be_binding *b = &dispatch->bindings[i];
    if (b->kind == XB_BINDING_TEXELS || b->kind == XB_BINDING_TILES || b->image)
      code = cu_find_view(c->device, &c->views, b, &op.u.dispatch.bindings[i], err);
    else if (b->buffer)
      op.u.dispatch.bindings[i] = b->buffer->address + b->offset;
  }
  return code ? code : cu_record(c, &op, err);
}

static void *host_address(const xb_be_binding *binding)
{
  return binding->buffer->host ? (char *)binding->buffer->host + binding->offset : NULL;
}

/* [copy] Keep host addresses, too: a copy node must know that its memory is on the host. */
xb_code cu_cmd_copy(xb_be_commands *c, const xb_be_binding *dst, const xb_be_binding *src, xb_error *err)
{
  cu_op op = {.kind = CU_OP_COPY};
  op.u.copy.dst = dst->buffer->address + dst->offset;
  op.u.copy.src = src->buffer->address + src->offset;
  op.u.copy.dst_host = host_address(dst);
  op.u.copy.src_host = host_address(src);
  op.u.copy.bytes = dst->size;
  const xb_code code = cu_enter(c->device, err);
  return code ? code : cu_record(c, &op, err);
}

xb_code cu_cmd_fill(xb_be_commands *c, const xb_be_binding *dst, uint32_t word, xb_error *err)
{
  cu_op op = {.kind = CU_OP_FILL};
  op.u.fill.dst = dst->buffer->address + dst->offset;
  op.u.fill.words = dst->size / sizeof word;
  op.u.fill.word = word;
  const xb_code code = cu_enter(c->device, err);
  return code ? code : cu_record(c, &op, err);
}

xb_code cu_cmd_barrier(xb_be_commands *c, xb_error *err)
{
  (void)err;
  cu_graph_barrier(&c->graph);
  return XB_OK;
}

xb_code cu_commands_finish(xb_be_commands *c, xb_error *err)
{
  xb_be_device *d = c->device;
  if (c->gate && c->list.count > XB_MOST_HELD + (size_t)c->stamp_count)
    return xb_fail(err, XB_UNSUPPORTED, "held stream", "the list has %zu commands, at most %d can be held",
                   c->list.count - c->stamp_count, XB_MOST_HELD);
  if (d->launch_mode != XB_LAUNCH_GRAPH)
    return XB_OK;
  const xb_code code = cu_enter(d, err);
  return code ? code : cu_graph_finish(d, &c->graph, err);
}
