/* Submits work and waits for it. The host waits for fences, queues wait for each other with timeline semaphores. */
#include "vk.h"

#include <stdlib.h>
#include <string.h>

xb_code vk_queue_open(xb_be_device *d, const xb_queue_info *info, uint32_t index, bool timeline, vk_queue *queue,
                      xb_error *err)
{
  queue->family = info->family;
  queue->timestamp_bits = info->timestamp_bits;
  d->vk.GetDeviceQueue(d->handle, info->family, index, &queue->handle);
  if (!queue->handle)
    return xb_fail(err, XB_INTERNAL, "vkGetDeviceQueue", "queue %u of family %u is missing: update the driver", index,
                   info->family);
  if (!timeline)
    return XB_OK;
  const VkSemaphoreTypeCreateInfo type = {
      .sType = VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO,
      .semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE,
  };
  const VkSemaphoreCreateInfo semaphore = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO, .pNext = &type};
  const VkResult result = d->vk.CreateSemaphore(d->handle, &semaphore, NULL, &queue->timeline);
  return result ? vk_fail_made(err, "vkCreateSemaphore", result, queue->timeline) : XB_OK;
}

void vk_queue_close(xb_be_device *d, vk_queue *queue)
{
  for (size_t i = 0; i < queue->flight_count && !d->dead; i++)
    d->vk.DestroyFence(d->handle, queue->flights[i].fence, NULL);
  for (size_t i = 0; i < queue->idle_count && !d->dead; i++)
    d->vk.DestroyFence(d->handle, queue->idle[i], NULL);
  if (queue->timeline && !d->dead)
    d->vk.DestroySemaphore(d->handle, queue->timeline, NULL);
  free(queue->flights);
  free(queue->idle);
  *queue = (vk_queue){0};
}

/* Reserves memory for one more flight, and for its fence in `idle` afterwards. */
static bool reserve_flight(vk_queue *queue)
{
  const size_t count = queue->flight_count + queue->idle_count;
  size_t idle = queue->capacity;
  return xb_grow(&queue->idle, &idle, count, sizeof *queue->idle) &&
         xb_grow(&queue->flights, &queue->capacity, count, sizeof *queue->flights);
}

/* Makes sure that `idle` has an unsignalled fence. */
static xb_code prepare_fence(xb_be_device *d, vk_queue *queue, xb_error *err)
{
  if (queue->idle_count)
    return XB_OK;
  if (!reserve_flight(queue))
    return vk_no_host_memory(err, "vkQueueSubmit");
  const VkFenceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
  const VkResult result = d->vk.CreateFence(d->handle, &info, NULL, &queue->idle[queue->idle_count]);
  if (result)
    return vk_fail(err, "vkCreateFence", result);
  queue->idle_count++;
  return XB_OK;
}

/* [submit] Submit the list. It waits for other queues by semaphore values; the fence is for the host's wait. */
xb_code vk_submit(xb_be_device *d, xb_be_commands *commands, uint64_t value, const xb_point *after,
                  uint32_t after_count, const xb_be_handover *handover, xb_error *err)
{
  vk_queue *queue = &d->queues[commands->queue];
  const xb_code code = prepare_fence(d, queue, err);
  if (code)
    return code;
  vk_timestamps_reset(commands);

  VkSemaphore waits[XB_MAX_AFTER + 1], signals[2];
  uint64_t wait_values[XB_MAX_AFTER + 1], signal_values[2];
  VkPipelineStageFlags stages[XB_MAX_AFTER + 1];
  uint32_t wait_count = 0, signal_count = 0;
  for (uint32_t i = 0; i < after_count; i++, wait_count++) {
    waits[i] = d->queues[after[i].queue].timeline;
    wait_values[i] = after[i].value;
  }
  if (handover->wait) {
    waits[wait_count] = handover->wait->handle;
    wait_values[wait_count++] = handover->wait_value;
  }
  for (uint32_t i = 0; i < wait_count; i++)
    stages[i] = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;
  if (queue->timeline) {
    signals[signal_count] = queue->timeline;
    signal_values[signal_count++] = value;
  }
  if (handover->signal) {
    signals[signal_count] = handover->signal->handle;
    signal_values[signal_count++] = handover->signal_value;
  }
  const VkTimelineSemaphoreSubmitInfo values = {
      .sType = VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO,
      .waitSemaphoreValueCount = wait_count,
      .pWaitSemaphoreValues = wait_values,
      .signalSemaphoreValueCount = signal_count,
      .pSignalSemaphoreValues = signal_values,
  };
  const VkSubmitInfo info = {
      .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
      .pNext = wait_count || signal_count ? &values : NULL,
      .waitSemaphoreCount = wait_count,
      .pWaitSemaphores = waits,
      .pWaitDstStageMask = stages,
      .commandBufferCount = 1,
      .pCommandBuffers = &commands->handle,
      .signalSemaphoreCount = signal_count,
      .pSignalSemaphores = signals,
  };
  const VkFence fence = queue->idle[queue->idle_count - 1];
  const VkResult result = d->vk.QueueSubmit(queue->handle, 1, &info, fence);
  if (result)
    return vk_fail(err, "vkQueueSubmit", result);
  queue->idle_count--;
  queue->flights[queue->flight_count++] = (vk_flight){.value = value, .fence = fence};
  /* The work is in flight, so a later wait reports the validation layer's messages. */
  return XB_OK;
}

/* Reuses the fences up to `value`. They have signalled, because a queue completes in order. */
static xb_code retire(xb_be_device *d, vk_queue *queue, uint64_t value, xb_error *err)
{
  queue->reached = value;
  size_t done = 0;
  while (done < queue->flight_count && queue->flights[done].value <= value)
    queue->idle[queue->idle_count + done] = queue->flights[done].fence, done++;
  if (!done)
    return XB_OK;
  const VkResult result = d->vk.ResetFences(d->handle, (uint32_t)done, &queue->idle[queue->idle_count]);
  if (result)
    return vk_fail(err, "vkResetFences", result);
  queue->idle_count += done;
  queue->flight_count -= done;
  memmove(queue->flights, queue->flights + done, queue->flight_count * sizeof *queue->flights);
  return XB_OK;
}

/* [wait] Wait for the fence, with the time limit. */
xb_code vk_wait(xb_be_device *d, xb_point point, uint64_t limit_ns, bool *reached, xb_error *err)
{
  vk_queue *queue = &d->queues[point.queue];
  size_t i = 0;
  while (i < queue->flight_count && queue->flights[i].value < point.value)
    i++;
  xb_code code = XB_OK;
  if (point.value > queue->reached && i < queue->flight_count) {
    const VkResult result = d->vk.WaitForFences(d->handle, 1, &queue->flights[i].fence, VK_TRUE, limit_ns);
    if (result == VK_TIMEOUT)
      return XB_OK;
    if (result)
      return vk_fail(err, "vkWaitForFences", result);
    code = retire(d, queue, queue->flights[i].value, err);
  }
  *reached = !code;
  return vk_validated(d->instance.validation, code, "vkWaitForFences", err);
}
