/* Timestamps, relative to each other or on the host's clock. */
#include "internal.h"

#include <string.h>

static xb_code check(const xb_commands *c, const char *where, const double *ns, uint32_t count, xb_error *err)
{
  if (!c || !ns || count != c->timestamp_count || !count)
    return xb_fail(err, XB_INVALID, where, "%u timestamps requested, the list has %u", count,
                   c ? c->timestamp_count : 0);
  const xb_code code = xb_device_usable(c->device, where, err);
  if (code)
    return code;
  if (!c->last_value || c->last_value > c->device->reached[c->queue])
    return xb_fail(err, XB_INVALID, where, "'%s' was %s: wait for its point first", c->label,
                   c->last_value ? "not waited for" : "never submitted");
  return XB_OK;
}

static xb_code have_read(xb_commands *c, xb_code code)
{
  if (!code)
    c->unread = false;
  return xb_device_result(c->device, code);
}

xb_code xb_commands_timestamps(xb_commands *c, double *ns, uint32_t count, xb_error *err)
{
  const xb_code code = check(c, "xb_commands_timestamps", ns, count, err);
  return code ? code : have_read(c, c->device->backend->timestamps(c->be, ns, count, err));
}

xb_code xb_device_calibrate(xb_device *device, double *deviation_ns, xb_error *err)
{
  const char *const where = "xb_device_calibrate";
  xb_code code = xb_device_usable(device, where, err);
  if (code)
    return code;
  if (!deviation_ns)
    return xb_fail(err, XB_INVALID, where, "the result pointer is NULL");
  if (!device->info.calibrates)
    return xb_fail(err, XB_UNSUPPORTED, where, "'%.100s' has no calibrated timestamps", device->info.name);
  code = device->backend->calibrate(device->be, deviation_ns, err);
  device->calibrated = !code;
  memcpy(device->at_calibration, device->submitted, sizeof device->submitted);
  return xb_device_result(device, code);
}

xb_code xb_commands_times(xb_commands *c, double *ns, uint32_t count, xb_error *err)
{
  const char *const where = "xb_commands_times";
  const xb_code code = check(c, where, ns, count, err);
  if (code)
    return code;
  if (!c->device->calibrated || c->last_value <= c->device->at_calibration[c->queue])
    return xb_fail(err, XB_INVALID, where, "'%s' was submitted before xb_device_calibrate: call that first", c->label);
  return have_read(c, c->device->backend->times(c->be, ns, count, err));
}
