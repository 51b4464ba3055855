/* Submits work and waits for it. A fence for each queue counts its submissions; other queues and the host wait for it.
 */
#include "dx.h"

#include "core/clock.h"

xb_code dx_queue_open(xb_be_device *d, D3D12_COMMAND_LIST_TYPE type, dx_queue *queue, xb_error *err)
{
  const D3D12_COMMAND_QUEUE_DESC desc = {.Type = type};
  void *handle = NULL, *fence = NULL;
  queue->type = type;
  HRESULT result = ID3D12Device_CreateCommandQueue(d->handle, &desc, &IID_ID3D12CommandQueue, &handle);
  if (FAILED(result))
    return dx_device_fail(d, err, "ID3D12Device::CreateCommandQueue", result);
  queue->handle = handle;
  result = ID3D12Device_CreateFence(d->handle, 0, D3D12_FENCE_FLAG_NONE, &IID_ID3D12Fence, &fence);
  if (FAILED(result))
    return dx_device_fail(d, err, "ID3D12Device::CreateFence", result);
  queue->fence = fence;
  UINT64 frequency = 0;
  if (SUCCEEDED(ID3D12CommandQueue_GetTimestampFrequency(queue->handle, &frequency)) && frequency)
    queue->tick_ns = 1e9 / (double)frequency;
  return XB_OK;
}

void dx_queue_close(dx_queue *queue)
{
  DX_RELEASE(queue->fence);
  DX_RELEASE(queue->handle);
}

static xb_code check_submitted(xb_be_device *d, xb_error *err)
{
  const xb_code code = dx_device_check(d, "ID3D12CommandQueue::ExecuteCommandLists", err);
  return code ? code : dx_validated(d->handle, err);
}

/* [submit] Execute the list, behind the one that brings its buffers into their first states. Signal the fence. */
xb_code dx_submit(xb_be_device *d, xb_be_commands *c, uint64_t value, const xb_point *after, uint32_t after_count,
                  const xb_be_handover *handover, xb_error *err)
{
  (void)handover; /* the device has no semaphores */
  const dx_queue *queue = &d->queues[c->queue];
  bool reached = true;
  /* A command list must have completed before it is submitted again. */
  const xb_code code = dx_wait(d, (xb_point){c->queue, c->last}, UINT64_MAX, &reached, err);
  if (code)
    return code;
  for (uint32_t i = 0; i < after_count; i++) {
    const HRESULT result = ID3D12CommandQueue_Wait(queue->handle, d->queues[after[i].queue].fence, after[i].value);
    if (FAILED(result))
      return dx_device_fail(d, err, "ID3D12CommandQueue::Wait", result);
  }
  ID3D12CommandList *const lists[] = {(ID3D12CommandList *)c->before, (ID3D12CommandList *)c->handle};
  ID3D12CommandQueue_ExecuteCommandLists(queue->handle, 2, lists);
  c->last = value;
  const HRESULT result = ID3D12CommandQueue_Signal(queue->handle, queue->fence, value);
  return FAILED(result) ? dx_device_fail(d, err, "ID3D12CommandQueue::Signal", result) : check_submitted(d, err);
}

/* [wait] Ask for the fence's value until it is reached, or the time limit. An event would have no time limit in vkd3d.
 */
xb_code dx_wait(xb_be_device *d, xb_point point, uint64_t limit_ns, bool *reached, xb_error *err)
{
  ID3D12Fence *const fence = d->queues[point.queue].fence;
  const double begin = xb_clock_ns();
  struct timespec pause = {.tv_nsec = 1000};
  for (;;) {
    const UINT64 value = ID3D12Fence_GetCompletedValue(fence);
    if (value == UINT64_MAX) /* the device was removed */
      return dx_device_check(d, "ID3D12Fence::GetCompletedValue", err);
    *reached = value >= point.value;
    if (*reached)
      return XB_OK;
    const xb_code code = dx_device_check(d, "ID3D12Fence::GetCompletedValue", err);
    if (code || xb_clock_ns() - begin >= (double)limit_ns)
      return code;
    nanosleep(&pause, NULL);
    if (pause.tv_nsec < 100000)
      pause.tv_nsec *= 2;
  }
}
