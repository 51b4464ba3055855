#include "benchmarks/interop/both.h"

#include "benchmarks/calls.h"
#include "benchmarks/family.h"
#include "core/clock.h"

#include <unistd.h>

enum { MOST_DEVICES = 16 };

/* The device of this API with the same UUID. */
static xb_code find(const xb_device_info *here, const char *api, xb_device_desc *desc, xb_error *err)
{
  xb_device_info infos[MOST_DEVICES];
  uint32_t count = 0;
  desc->backend = xb_backend_find(api);
  xb_code code = desc->backend ? xb_enumerate(desc->backend, infos, MOST_DEVICES, &count, err) : XB_OK;
  if (code && code != XB_UNAVAILABLE)
    return code;
  for (uint32_t i = 0; i < count && i < MOST_DEVICES; i++)
    if (infos[i].has_uuid && here->has_uuid && !memcmp(infos[i].uuid, here->uuid, sizeof here->uuid)) {
      desc->index = i;
      return infos[i].exports
                 ? XB_OK
                 : xb_fail(err, XB_UNSUPPORTED, "interop", "'%s' cannot export memory through %s", infos[i].name, api);
    }
  return xb_fail(err, XB_UNSUPPORTED, "interop", "'%s' is not available through %s, which must allocate the memory",
                 here->name, api);
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

static xb_code open_other(const xb_device_info *here, const char *api, xb_device **there, xb_error *err)
{
  xb_device_desc desc = {0};
  *there = xb_other_device_of(api, here);
  if (*there)
    return XB_OK;
  const xb_code code = find(here, api, &desc, err);
  return code ? code : xb_other_device(&desc, there, err);
}

xb_code xb_both_open(xb_device *here, const char *maker, uint64_t bytes, xb_both *both, xb_error *err)
{
  const xb_device_info *info = xb_device_get_info(here);
  const xb_buffer_desc desc = {.label = "theirs", .bytes = bytes, .exportable = true};
  *both = (xb_both){.here = here};
  if (!info->imports)
    return xb_fail(err, XB_UNSUPPORTED, "interop", "'%s' cannot import memory of other devices through %s", info->name,
                   info->backend);
  xb_code code = open_other(info, maker, &both->there, err);
  code = code ? code : xb_buffer_create(both->there, &desc, &both->theirs, err);
  return code ? code : import(both, bytes, err);
}

void xb_both_close(xb_both *both)
{
  xb_buffer_destroy(both->shared);
  xb_buffer_destroy(both->theirs);
}
