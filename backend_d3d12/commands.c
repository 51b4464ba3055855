/* Command lists. Each has its own allocator, and a second, short list that is executed before it. */
#include "dx.h"

#include <stdlib.h>
#include <string.h>

/* [begin] Create an allocator, for one kind of queue, and a list. */
static xb_code create_list(xb_be_commands *c, ID3D12GraphicsCommandList **list, xb_error *err)
{
  const D3D12_COMMAND_LIST_TYPE type = c->device->queues[c->queue].type;
  void *made = NULL;
  if (!c->allocator) {
    const HRESULT result =
        ID3D12Device_CreateCommandAllocator(c->device->handle, type, &IID_ID3D12CommandAllocator, &made);
    if (FAILED(result))
      return dx_device_fail(c->device, err, "ID3D12Device::CreateCommandAllocator", result);
    c->allocator = made;
  }
  made = NULL;
  const HRESULT result = ID3D12Device_CreateCommandList(c->device->handle, 0, type, c->allocator, NULL,
                                                        &IID_ID3D12GraphicsCommandList, &made);
  *list = FAILED(result) ? NULL : made;
  return FAILED(result) ? dx_device_fail(c->device, err, "ID3D12Device::CreateCommandList", result) : XB_OK;
}

xb_code dx_commands_create(xb_be_device *d, const xb_commands_desc *desc, xb_be_commands **commands, xb_error *err)
{
  xb_be_commands *c = calloc(1, sizeof *c);
  if (!c)
    return dx_no_host_memory(err, "xb_commands_create");
  c->device = d;
  c->queue = desc->queue;
  xb_code code = create_list(c, &c->handle, err);
  if (!code)
    code = dx_timestamps_create(c, desc->timestamp_count, err);
  if (code) {
    dx_commands_destroy(d, c);
    return code;
  }
  *commands = c;
  return XB_OK;
}

void dx_commands_destroy(xb_be_device *d, xb_be_commands *c)
{
  dx_patterns_free(c);
  dx_views_free(c);
  if (c->scratch)
    dx_buffer_destroy(d, c->scratch);
  dx_timestamps_free(c);
  if (!d->dead) {
    DX_RELEASE(c->handle);
    DX_RELEASE(c->before);
    DX_RELEASE(c->allocator);
  }
  free(c->uses);
  free(c);
}

/* ---- Recording -------------------------------------------------------------------------------------------------- */

/* A buffer that has a second binding that writes must have the state of that one. */
static D3D12_RESOURCE_STATES state_of(const xb_be_dispatch *dispatch, uint32_t i)
{
  const xb_be_kernel *k = dispatch->kernel;
  const xb_be_buffer *buffer = dispatch->bindings[k->registers[i].binding].buffer;
  for (uint32_t other = 0; other < k->count; other++)
    if (k->registers[other].class == DX_UAV && dispatch->bindings[k->registers[other].binding].buffer == buffer)
      return D3D12_RESOURCE_STATE_UNORDERED_ACCESS;
  return k->registers[i].class == DX_CBV ? D3D12_RESOURCE_STATE_VERTEX_AND_CONSTANT_BUFFER
                                         : D3D12_RESOURCE_STATE_NON_PIXEL_SHADER_RESOURCE;
}

/* [dispatch] A buffer is an address, a typed one that of its descriptor. */
static void set_address(xb_be_commands *c, uint32_t parameter, const dx_register *r, uint64_t address)
{
  if (r->typed) {
    ID3D12GraphicsCommandList_SetComputeRootDescriptorTable(c->handle, parameter,
                                                            (D3D12_GPU_DESCRIPTOR_HANDLE){address});
    return;
  }
  switch (r->class) {
  case DX_CBV: ID3D12GraphicsCommandList_SetComputeRootConstantBufferView(c->handle, parameter, address); break;
  case DX_SRV: ID3D12GraphicsCommandList_SetComputeRootShaderResourceView(c->handle, parameter, address); break;
  case DX_UAV: ID3D12GraphicsCommandList_SetComputeRootUnorderedAccessView(c->handle, parameter, address); break;
  }
}

/* [dispatch] Set the pipeline and the addresses, if they are not set already, and the arguments. */
static xb_code bind(xb_be_commands *c, const xb_be_dispatch *dispatch, xb_error *err)
{
  const xb_be_kernel *k = dispatch->kernel;
  uint64_t addresses[XB_MAX_BINDINGS];
  uint32_t typed = 0;
  for (uint32_t i = 0; i < k->count; i++)
    typed += k->registers[i].typed;
  xb_code code = dx_reserve_views(c, typed, err);
  for (uint32_t i = 0; i < k->count && !code; i++) {
    const xb_be_binding *binding = &dispatch->bindings[k->registers[i].binding];
    addresses[i] = binding->buffer->address + binding->offset;
    if (k->registers[i].typed)
      code = dx_find_view(c, binding, &addresses[i], err);
  }
  if (code)
    return code;
  if (c->bound != k) {
    ID3D12GraphicsCommandList_SetComputeRootSignature(c->handle, k->root);
    ID3D12GraphicsCommandList_SetPipelineState(c->handle, k->pipeline);
    memset(c->addresses, 0, sizeof c->addresses);
  }
  c->bound = k;
  for (uint32_t i = 0; i < k->count; i++) {
    if (c->addresses[i] != addresses[i])
      set_address(c, i, &k->registers[i], addresses[i]);
    c->addresses[i] = addresses[i];
  }
  if (k->arg_words)
    ID3D12GraphicsCommandList_SetComputeRoot32BitConstants(c->handle, k->count, k->arg_words, dispatch->args, 0);
  return XB_OK;
}

/* [dispatch] Dispatch groups. The shader defines the number of threads per group. */
static xb_code dispatch_groups(xb_be_commands *c, const xb_be_dispatch *dispatch, const xb_be_binding *groups,
                               xb_error *err)
{
  const xb_be_kernel *k = dispatch->kernel;
  xb_code code = XB_OK;
  for (uint32_t i = 0; i < k->count && !code; i++)
    code = dx_use_buffer(c, dispatch->bindings[k->registers[i].binding].buffer, state_of(dispatch, i), err);
  if (!code && groups)
    code = dx_use_buffer(c, groups->buffer, D3D12_RESOURCE_STATE_INDIRECT_ARGUMENT, err);
  code = code ? code : bind(c, dispatch, err);
  if (code)
    return code;
  if (groups)
    ID3D12GraphicsCommandList_ExecuteIndirect(c->handle, c->device->indirect, 1, groups->buffer->handle, groups->offset,
                                              NULL, 0);
  else
    ID3D12GraphicsCommandList_Dispatch(c->handle, dispatch->groups[0], dispatch->groups[1], dispatch->groups[2]);
  return XB_OK;
}

xb_code dx_cmd_dispatch(xb_be_commands *c, const xb_be_dispatch *dispatch, xb_error *err)
{
  return dispatch_groups(c, dispatch, NULL, err);
}

xb_code dx_cmd_dispatch_indirect(xb_be_commands *c, const xb_be_dispatch *dispatch, const xb_be_binding *groups,
                                 xb_error *err)
{
  return dispatch_groups(c, dispatch, groups, err);
}

/* A buffer is not source and destination at once, so its parts go through another one. */
static xb_code copy_inside(xb_be_commands *c, const xb_be_binding *dst, const xb_be_binding *src, xb_error *err)
{
  enum { SCRATCH_BYTES = 1 << 20 };
  void *host = NULL;
  xb_code code = c->scratch
                     ? XB_OK
                     : dx_buffer_create(c->device, &(xb_buffer_desc){.bytes = SCRATCH_BYTES}, &c->scratch, &host, err);
  for (uint64_t done = 0; !code && done < dst->size; done += SCRATCH_BYTES) {
    const uint64_t left = dst->size - done, size = left < SCRATCH_BYTES ? left : SCRATCH_BYTES;
    const xb_be_binding scratch = {.buffer = c->scratch, .size = size};
    code = dx_cmd_copy(c, &scratch, &(xb_be_binding){.buffer = src->buffer, .offset = src->offset + done, .size = size},
                       err);
    if (!code)
      code = dx_cmd_copy(c, &(xb_be_binding){.buffer = dst->buffer, .offset = dst->offset + done, .size = size},
                         &scratch, err);
  }
  return code;
}

/* [copy] Copy between buffers; host memory is a buffer, too. */
xb_code dx_cmd_copy(xb_be_commands *c, const xb_be_binding *dst, const xb_be_binding *src, xb_error *err)
{
  if (dst->buffer == src->buffer)
    return copy_inside(c, dst, src, err);
  xb_code code = dx_use_buffer(c, src->buffer, D3D12_RESOURCE_STATE_COPY_SOURCE, err);
  if (!code)
    code = dx_use_buffer(c, dst->buffer, D3D12_RESOURCE_STATE_COPY_DEST, err);
  if (!code)
    ID3D12GraphicsCommandList_CopyBufferRegion(c->handle, dst->buffer->handle, dst->offset, src->buffer->handle,
                                               src->offset, dst->size);
  return code;
}

/* `fn` finds all buffers in the state COMMON, and has to leave them so. */
xb_code dx_cmd_native(xb_be_commands *c, xb_native_fn fn, void *user, xb_error *err)
{
  dx_full_barrier(c);
  dx_end_uses(c);
  c->bound = NULL;
  return fn(&(xb_native){.backend = "d3d12", .device = c->device->handle, .commands = c->handle}, user, err);
}

/* [end] Make writes visible to the host, and close the list. Record the one before it. */
xb_code dx_commands_finish(xb_be_commands *c, xb_error *err)
{
  const char *const call = "ID3D12GraphicsCommandList::Close";
  xb_code code = dx_timestamps_resolve(c, err);
  dx_end_uses(c);
  HRESULT result = ID3D12GraphicsCommandList_Close(c->handle);
  if (!code && FAILED(result))
    code = dx_device_fail(c->device, err, call, result);
  if (!code)
    code = create_list(c, &c->before, err);
  if (code)
    return code;
  dx_begin_uses(c, c->before);
  result = ID3D12GraphicsCommandList_Close(c->before);
  return FAILED(result) ? dx_device_fail(c->device, err, call, result) : XB_OK;
}
