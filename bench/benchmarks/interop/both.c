#include "benchmarks/interop/both.h"

#include "core/clock.h"

#include <string.h>
#include <unistd.h>

enum { MOST_DEVICES = 16 };

/* Vulkan's device with the same UUID. */
static xb_code find(const xb_device_info *here, xb_device_desc *desc, xb_error *err)
{
  static xb_device_info infos[MOST_DEVICES]; /* too large for a stack */
  uint32_t count = 0;
  desc->backend = xb_backend_find("vulkan");
  xb_code code = desc->backend ? xb_enumerate(desc->backend, infos, MOST_DEVICES, &count, err) : XB_OK;
  if (code && code != XB_UNAVAILABLE)
    return code;
  for (uint32_t i = 0; i < count && i < MOST_DEVICES; i++)
    if (infos[i].has_uuid && here->has_uuid && !memcmp(infos[i].uuid, here->uuid, sizeof here->uuid)) {
      desc->index = i;
      return infos[i].exports
                 ? XB_OK
                 : xb_fail(err, XB_UNSUPPORTED, "interop", "'%s' exports no memory through Vulkan", infos[i].name);
    }
  return xb_fail(err, XB_UNSUPPORTED, "interop", "Vulkan does not have '%s'", here->name);
}

static xb_code import(xb_both *both, uint64_t bytes, xb_error *err)
{
  xb_buffer_desc desc = {.label = "shared", .mem = XB_MEM_SHARED, .bytes = bytes};
  xb_code code = xb_buffer_export(both->theirs, &desc.shared, err);
  if (code)
    return code;
  const double begin = xb_clock_ns();
  code = xb_buffer_create(both->here, &desc, &both->shared, err);
  both->import_ns = xb_clock_ns() - begin;
  if (code)
    close(desc.shared.fd);
  return code;
}

xb_code xb_both_open(xb_device *here, uint64_t bytes, xb_both *both, xb_error *err)
{
  const xb_device_info *info = xb_device_get_info(here);
  const xb_buffer_desc desc = {.label = "theirs", .bytes = bytes, .exportable = true};
  xb_device_desc there = {0};
  *both = (xb_both){.here = here};
  if (!info->imports)
    return xb_fail(err, XB_UNSUPPORTED, "interop", "'%s' imports no memory of other devices through %s", info->name,
                   info->backend);
  xb_code code = find(info, &there, err);
  code = code ? code : xb_device_open(&there, &both->there, err);
  code = code ? code : xb_buffer_create(both->there, &desc, &both->theirs, err);
  return code ? code : import(both, bytes, err);
}

xb_code xb_both_close(xb_both *both, xb_code code, xb_error *err)
{
  xb_buffer_destroy(both->shared);
  xb_buffer_destroy(both->theirs);
  const xb_code closed = xb_device_close(both->there, code ? NULL : err);
  return code ? code : closed;
}
