#include "benchmarks/links/links.h"

#include <string.h>
#include <unistd.h>

enum { MOST_DEVICES = 64 };

/* Opening a device takes longer than all that is measured here, so they stay open. */
static xb_device *kept[MOST_DEVICES];
static size_t kept_count;

void xb_links_close(void)
{
  for (; kept_count; kept_count--)
    xb_device_close(kept[kept_count - 1], NULL);
}

static bool is_like(const xb_device *device, const xb_device_info *own, uint32_t index)
{
  const xb_device_info *info = xb_device_get_info(device);
  return !xb_device_status(device) && info->index == index && !strcmp(info->backend, own->backend) &&
         info->launch_mode == own->launch_mode;
}

static xb_code open_another(const xb_device_info *own, uint32_t index, xb_device **device, xb_error *err)
{
  xb_device_info ignored;
  uint32_t count = 0;
  const xb_device_desc desc = {.backend = xb_backend_find(own->backend),
                               .index = index,
                               .launch_mode = own->launch_mode,
                               .compute_queues = XB_ALL_QUEUES,
                               .copy_queues = XB_ALL_QUEUES};
  xb_code code = xb_enumerate(desc.backend, &ignored, 1, &count, err);
  if (!code && index >= count)
    return xb_fail(err, XB_UNSUPPORTED, "links", "there is no device %u through %s", index, own->backend);
  if (!code && kept_count == MOST_DEVICES)
    return xb_fail(err, XB_UNSUPPORTED, "links", "more than %d devices and launch modes", MOST_DEVICES);
  code = code ? code : xb_device_open(&desc, device, err);
  if (!code)
    kept[kept_count++] = *device;
  return code;
}

xb_code xb_links_open(const xb_call *call, uint32_t index, xb_device **device, xb_error *err)
{
  const xb_device_info *own = xb_device_get_info(call->device);
  *device = own->index == index ? call->device : NULL;
  for (size_t i = 0; i < kept_count && !*device; i++)
    if (is_like(kept[i], own, index))
      *device = kept[i];
  return *device ? XB_OK : open_another(own, index, device, err);
}

static xb_code share(xb_reach *reach, uint64_t bytes, xb_error *err)
{
  xb_buffer_desc desc = {.label = "seen", .mem = XB_MEM_SHARED, .bytes = bytes};
  xb_code code = xb_buffer_export(reach->source, &desc.shared, err);
  if (code)
    return code;
  code = xb_buffer_create(reach->to, &desc, &reach->seen, err);
  if (code)
    close(desc.shared.fd);
  return code;
}

xb_code xb_reach_open(xb_reach *reach, xb_mem mem, uint64_t bytes, xb_error *err)
{
  const bool same = reach->from == reach->to;
  const xb_buffer_desc desc = {.label = "source", .mem = mem, .bytes = bytes, .exportable = !same};
  const xb_code code = xb_buffer_create(reach->from, &desc, &reach->source, err);
  if (same)
    reach->seen = reach->source;
  return code || same ? code : share(reach, bytes, err);
}

void xb_reach_close(xb_reach *reach)
{
  if (reach->seen != reach->source)
    xb_buffer_destroy(reach->seen);
  xb_buffer_destroy(reach->source);
}
