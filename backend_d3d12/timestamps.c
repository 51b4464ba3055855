/* Timestamps of one command list: queries, which the list itself copies to memory of the host at its end. */
#include "dx.h"

#include <stdlib.h>

/* [timestamp] Create a heap of queries, and memory for their ticks. */
xb_code dx_timestamps_create(xb_be_commands *c, uint32_t count, xb_error *err)
{
  if (!count)
    return XB_OK;
  const D3D12_QUERY_HEAP_DESC desc = {.Type = D3D12_QUERY_HEAP_TYPE_TIMESTAMP, .Count = count};
  void *queries = NULL, *host = NULL;
  const HRESULT result = ID3D12Device_CreateQueryHeap(c->device->handle, &desc, &IID_ID3D12QueryHeap, &queries);
  if (FAILED(result))
    return dx_device_fail(c->device, err, "ID3D12Device::CreateQueryHeap", result);
  c->queries = queries;
  c->timestamp_count = count;
  const xb_buffer_desc ticks = {.mem = XB_MEM_READBACK, .bytes = count * sizeof *c->tick};
  const xb_code code = dx_buffer_create(c->device, &ticks, &c->ticks, &host, err);
  c->tick = host;
  return code;
}

void dx_timestamps_free(xb_be_commands *c)
{
  if (!c->device->dead)
    DX_RELEASE(c->queries);
  if (c->ticks)
    dx_buffer_destroy(c->device, c->ticks);
}

/* [timestamp] Write a query, between two full barriers. */
xb_code dx_cmd_timestamp(xb_be_commands *c, uint32_t index, xb_error *err)
{
  (void)err;
  dx_full_barrier(c);
  ID3D12GraphicsCommandList_EndQuery(c->handle, c->queries, D3D12_QUERY_TYPE_TIMESTAMP, index);
  dx_full_barrier(c);
  return XB_OK;
}

/* [timestamp] Copy the ticks to memory of the host. */
xb_code dx_timestamps_resolve(xb_be_commands *c, xb_error *err)
{
  if (!c->timestamp_count)
    return XB_OK;
  const xb_code code = dx_use_buffer(c, c->ticks, D3D12_RESOURCE_STATE_COPY_DEST, err);
  if (!code)
    ID3D12GraphicsCommandList_ResolveQueryData(c->handle, c->queries, D3D12_QUERY_TYPE_TIMESTAMP, 0, c->timestamp_count,
                                               c->ticks->handle, 0);
  return code;
}

/* [timestamp] The difference of ticks, by the queue's frequency. */
xb_code dx_timestamps(xb_be_commands *c, double *ns, uint32_t count, xb_error *err)
{
  (void)err;
  for (uint32_t i = 0; i < count; i++)
    ns[i] = (double)(int64_t)(c->tick[i] - c->tick[0]) * c->device->queues[c->queue].tick_ns;
  return XB_OK;
}
