/* Timestamps of one command list: queries, read after the submission has completed. */
#include "vk.h"

#include <stdlib.h>

/* [timestamp] Create a pool of queries. */
xb_code vk_timestamps_create(xb_be_commands *c, uint32_t count, xb_error *err)
{
  if (!count)
    return XB_OK;
  c->before_first = calloc(count, sizeof *c->before_first);
  if (!c->before_first)
    return vk_no_host_memory(err, "vkCreateQueryPool");
  const VkQueryPoolCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
      .queryType = VK_QUERY_TYPE_TIMESTAMP,
      .queryCount = count,
  };
  const VkResult result = c->device->vk.CreateQueryPool(c->device->handle, &info, NULL, &c->queries);
  if (result)
    return vk_fail_made(err, "vkCreateQueryPool", result, c->queries);
  c->timestamp_count = count;
  return XB_OK;
}

void vk_timestamps_reset(xb_be_commands *c)
{
  const vk_device_symbols *vk = &c->device->vk;
  if (!c->timestamp_count || c->queue < XB_QUEUE_COPY)
    return;
  if (c->device->traits.api_version >= VK_API_VERSION_1_2)
    vk->ResetQueryPool(c->device->handle, c->queries, 0, c->timestamp_count);
  else
    vk->ResetQueryPoolEXT(c->device->handle, c->queries, 0, c->timestamp_count);
}

/* [timestamp] Write a query, between two full barriers. */
xb_code vk_cmd_timestamp(xb_be_commands *c, uint32_t index, xb_error *err)
{
  (void)err;
  /* Without barriers, the timestamp may be taken before earlier work or after later work. */
  vk_full_barrier(c);
  c->device->vk.CmdWriteTimestamp(c->handle, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, c->queries, index);
  vk_full_barrier(c);
  if (index == 0)
    c->first_stamped = true;
  else
    c->before_first[index] = !c->first_stamped;
  return XB_OK;
}

/* [timestamp] Subtract with wrap-around at `bits` valid bits. */
uint64_t vk_ticks_between(const xb_be_commands *c, uint64_t from, uint64_t to)
{
  const uint32_t bits = c->device->queues[c->queue].timestamp_bits;
  const uint64_t mask = bits >= 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1;
  return (to - from) & mask;
}

/* [timestamp] The recording order gives the sign. */
static double elapsed_ns(const xb_be_commands *c, const uint64_t *ticks, uint32_t i)
{
  const double period = c->device->timestamp_period_ns;
  if (c->before_first[i])
    return -(double)vk_ticks_between(c, ticks[i], ticks[0]) * period;
  return (double)vk_ticks_between(c, ticks[0], ticks[i]) * period;
}

/* [timestamp] Read the device's ticks after the submission has completed. */
xb_code vk_ticks(xb_be_commands *c, uint64_t *ticks, uint32_t count, xb_error *err)
{
  const char *const call = "vkGetQueryPoolResults";
  const VkResult result = c->device->vk.GetQueryPoolResults(
      c->device->handle, c->queries, 0, count, count * sizeof *ticks, ticks, sizeof *ticks, VK_QUERY_RESULT_64_BIT);
  const xb_code code = result ? vk_fail(err, call, result) : XB_OK;
  return vk_validated(c->device->instance.validation, code, call, err);
}

xb_code vk_timestamps(xb_be_commands *c, double *ns, uint32_t count, xb_error *err)
{
  uint64_t *ticks = calloc(count, sizeof *ticks);
  if (!ticks)
    return vk_no_host_memory(err, "xb_commands_timestamps");
  const xb_code code = vk_ticks(c, ticks, count, err);
  for (uint32_t i = 0; i < count && !code; i++)
    ns[i] = elapsed_ns(c, ticks, i);
  free(ticks);
  return code;
}
