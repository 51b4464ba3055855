/* The states of buffers, and the barriers between them. The runtime promotes a buffer from COMMON to the state of its
 * first use and lets it fall back at the end of a submission, but vkd3d does this without a barrier: so both are
 * recorded. */
#include "dx.h"

static const D3D12_RESOURCE_STATES COMMON = D3D12_RESOURCE_STATE_COMMON;

static void transition(ID3D12GraphicsCommandList *list, const xb_be_buffer *buffer, D3D12_RESOURCE_STATES from,
                       D3D12_RESOURCE_STATES to)
{
  const D3D12_RESOURCE_BARRIER barrier = {
      .Type = D3D12_RESOURCE_BARRIER_TYPE_TRANSITION,
      .Transition = {.pResource = buffer->handle,
                     .Subresource = D3D12_RESOURCE_BARRIER_ALL_SUBRESOURCES,
                     .StateBefore = from,
                     .StateAfter = to},
  };
  ID3D12GraphicsCommandList_ResourceBarrier(list, 1, &barrier);
}

/* [barrier] Later dispatches see the earlier writes of all dispatches. */
static void uav_barrier(xb_be_commands *c)
{
  const D3D12_RESOURCE_BARRIER barrier = {.Type = D3D12_RESOURCE_BARRIER_TYPE_UAV};
  ID3D12GraphicsCommandList_ResourceBarrier(c->handle, 1, &barrier);
}

/* [barrier] A buffer that changes its state needs a transition; one that is copied to once more needs two. */
xb_code dx_use_buffer(xb_be_commands *c, xb_be_buffer *buffer, D3D12_RESOURCE_STATES state, xb_error *err)
{
  size_t i = 0;
  while (i < c->use_count && c->uses[i].buffer != buffer)
    i++;
  if (i == c->use_count) {
    if (!xb_grow(&c->uses, &c->use_capacity, c->use_count, sizeof *c->uses))
      return dx_no_host_memory(err, "xb_commands");
    c->uses[c->use_count++] = (dx_use){.buffer = buffer, .first = state, .state = state, .part = c->part};
    return XB_OK;
  }
  dx_use *use = &c->uses[i];
  if (use->state != state) {
    transition(c->handle, buffer, use->state, state);
  } else if (use->part != c->part && state == D3D12_RESOURCE_STATE_COPY_DEST) {
    transition(c->handle, buffer, state, COMMON);
    transition(c->handle, buffer, COMMON, state);
  }
  use->state = state;
  use->part = c->part;
  return XB_OK;
}

/* [barrier] Later dispatches wait for all earlier ones, also for those without buffers. What else a buffer needs is
 * recorded with its next use: only then is its state known. */
xb_code dx_cmd_barrier(xb_be_commands *c, xb_error *err)
{
  (void)err;
  c->part++;
  if (c->queue == XB_QUEUE_COMPUTE)
    uav_barrier(c);
  return XB_OK;
}

void dx_full_barrier(xb_be_commands *c)
{
  for (size_t i = 0; i < c->use_count; i++) {
    dx_use *use = &c->uses[i];
    if (use->state != D3D12_RESOURCE_STATE_COPY_DEST)
      continue;
    transition(c->handle, use->buffer, use->state, COMMON);
    use->state = COMMON;
  }
  c->part++;
  if (c->queue == XB_QUEUE_COMPUTE)
    uav_barrier(c);
}

void dx_end_uses(xb_be_commands *c)
{
  for (size_t i = 0; i < c->use_count; i++) {
    if (c->uses[i].state != COMMON)
      transition(c->handle, c->uses[i].buffer, c->uses[i].state, COMMON);
    c->uses[i].state = COMMON;
  }
}

void dx_begin_uses(const xb_be_commands *c, ID3D12GraphicsCommandList *before)
{
  for (size_t i = 0; i < c->use_count; i++)
    if (c->uses[i].first != COMMON)
      transition(before, c->uses[i].buffer, COMMON, c->uses[i].first);
}
