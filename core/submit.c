/* Submits work, waits for it, and releases what completed work used. */
#include "internal.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* So many submissions that the host has not waited for are kept, before their points are polled. */
enum { MOST_PENDING = 64 };

static xb_code check_point(const xb_device *device, const char *where, xb_point point, xb_error *err)
{
  if (point.queue < XB_MAX_QUEUES && point.value <= device->submitted[point.queue])
    return XB_OK;
  if (point.queue >= XB_MAX_QUEUES)
    return xb_fail(err, XB_INVALID, where, "queue %d does not exist", (int)point.queue);
  return xb_fail(err, XB_INVALID, where, "point %" PRIu64 " of %s queue %d was never submitted", point.value,
                 xb_queue_kind(point.queue), point.queue % XB_QUEUES_OF_A_KIND);
}

/* Work on one queue completes in order, so the list only has to wait for points of other queues not yet reached. */
static xb_code collect_after(const xb_device *device, const xb_submission *s, xb_point *after, uint32_t *count,
                             xb_error *err)
{
  const char *const where = "xb_submit";
  *count = 0;
  if (s->after_count > XB_MAX_AFTER || (s->after_count && !s->after))
    return xb_fail(err, XB_INVALID, where, "%u points to wait for, at most %d are allowed", s->after_count,
                   XB_MAX_AFTER);
  for (uint32_t i = 0; i < s->after_count; i++) {
    const xb_point p = s->after[i];
    const xb_code code = check_point(device, where, p, err);
    if (code)
      return code;
    if (p.value > device->reached[p.queue] && p.queue != s->commands->queue)
      after[(*count)++] = p;
  }
  return XB_OK;
}

static xb_code flush_uploads(xb_commands *c, xb_error *err)
{
  xb_code code = XB_OK;
  for (size_t i = 0; i < c->buffer_count && !code; i++)
    if (c->buffers[i]->mem == XB_MEM_UPLOAD)
      code = c->device->backend->buffer_flush(c->device->be, c->buffers[i]->be, err);
  return code;
}

xb_code xb_submit(xb_device *device, const xb_submission *s, xb_point *done, xb_error *err)
{
  const char *const where = "xb_submit";
  if (!device || !s || !s->commands || s->commands->device != device)
    return xb_fail(err, XB_INVALID, where, "no device, or no command list of this device, given");
  xb_commands *c = s->commands;
  xb_point after[XB_MAX_AFTER];
  uint32_t after_count = 0;
  uint64_t known[XB_MAX_QUEUES];
  xb_code code = xb_commands_finish(c, err);
  if (!code)
    code = collect_after(device, s, after, &after_count, err);
  if (!code && c->unread)
    code = xb_fail(err, XB_INVALID, where,
                   "'%s' has timestamps of its last submission that were not read: call xb_commands_timestamps first",
                   c->label);
  if (!code)
    code = xb_semaphores_check(device, s, err);
  if (!code)
    code = xb_check_filled(c, err);
  if (!code)
    code = xb_order_check(device, s, known, err);
  if (!code && device->pending_count >= MOST_PENDING)
    code = xb_device_collect(device, err);
  if (!code)
    code = flush_uploads(c, err);
  if (code)
    return xb_device_result(device, code);
  if (!xb_grow(&device->pending, &device->pending_capacity, device->pending_count, sizeof(xb_pending)))
    return xb_fail(err, XB_NOMEM, where, "out of host memory");

  const xb_point point = {.queue = c->queue, .value = device->submitted[c->queue] + 1};
  const xb_be_handover handover = {.wait = s->wait ? s->wait->be : NULL,
                                   .signal = s->signal ? s->signal->be : NULL,
                                   .wait_value = s->wait_value,
                                   .signal_value = s->signal_value};
  code = device->backend->submit(device->be, c->be, point.value, after, after_count, &handover, err);
  if (code)
    return xb_device_result(device, code);
  device->submitted[c->queue] = point.value;
  xb_note_filled(c);
  xb_pending *pending = &device->pending[device->pending_count++];
  *pending = (xb_pending){
      .point = point, .commands = c, .wait = xb_semaphore_retain(s->wait), .signal = xb_semaphore_retain(s->signal)};
  if (s->signal)
    s->signal->signalled = s->signal_value;
  memcpy(pending->after, known, sizeof known);
  c->refs++;
  c->unread = c->timestamp_count > 0;
  c->last_value = point.value;
  if (done)
    *done = point;
  return XB_OK;
}

static xb_code invalidate_readbacks(xb_commands *c, xb_error *err)
{
  xb_code code = XB_OK;
  for (size_t i = 0; i < c->buffer_count && !code; i++)
    if (c->buffers[i]->mem == XB_MEM_READBACK)
      code = c->device->backend->buffer_invalidate(c->device->be, c->buffers[i]->be, err);
  return code;
}

static void release(const xb_pending *p)
{
  xb_commands_release(p->commands);
  xb_semaphore_release(p->wait);
  xb_semaphore_release(p->signal);
}

xb_code xb_device_retire(xb_device *device, xb_point point, xb_error *err)
{
  xb_code first = XB_OK;
  if (point.value > device->reached[point.queue])
    device->reached[point.queue] = point.value;
  xb_order_reached(device, point);
  size_t kept = 0;
  for (size_t i = 0; i < device->pending_count; i++) {
    const xb_pending p = device->pending[i];
    if (p.point.queue != point.queue || p.point.value > point.value) {
      device->pending[kept++] = p;
      continue;
    }
    const xb_code code = first ? XB_OK : invalidate_readbacks(p.commands, err);
    if (code)
      first = xb_device_result(device, code); /* before objects are released */
    release(&p);
  }
  device->pending_count = kept;
  return first;
}

static uint64_t oldest_pending(const xb_device *device, xb_queue queue)
{
  for (size_t i = 0; i < device->pending_count; i++)
    if (device->pending[i].point.queue == queue)
      return device->pending[i].point.value;
  return 0;
}

xb_code xb_device_collect(xb_device *device, xb_error *err)
{
  xb_code code = XB_OK;
  for (int q = 0; q < XB_MAX_QUEUES && !code; q++) {
    bool reached = true;
    for (uint64_t value; !code && reached && (value = oldest_pending(device, (xb_queue)q));)
      code = xb_poll(device, (xb_point){.queue = (xb_queue)q, .value = value}, &reached, err);
  }
  return code;
}

void xb_device_drop_pending(xb_device *device)
{
  for (size_t i = 0; i < device->pending_count; i++)
    release(&device->pending[i]);
  device->pending_count = 0;
}

static xb_code wait_for(xb_device *device, const char *where, xb_point point, uint64_t limit_ns, bool *reached,
                        xb_error *err)
{
  *reached = false;
  xb_code code = xb_device_usable(device, where, err);
  if (!code)
    code = check_point(device, where, point, err);
  if (code)
    return code;
  *reached = point.value <= device->reached[point.queue];
  if (*reached)
    return XB_OK;
  code = device->backend->wait(device->be, point, limit_ns, reached, err);
  if (*reached) { /* the work is done, also where the backend has something to report */
    const xb_code retired = xb_device_retire(device, point, code ? NULL : err);
    code = code ? code : retired;
  }
  return xb_device_result(device, code);
}

xb_code xb_wait(xb_device *device, xb_point point, uint64_t limit_ns, xb_error *err)
{
  bool reached;
  const xb_code code = wait_for(device, "xb_wait", point, limit_ns, &reached, err);
  if (code || reached)
    return code;
  xb_fail(err, XB_TIMEOUT, "xb_wait", "the work did not finish within %.3g s; the device is now unusable",
          (double)limit_ns / 1e9);
  return xb_device_result(device, XB_TIMEOUT);
}

xb_code xb_poll(xb_device *device, xb_point point, bool *reached, xb_error *err)
{
  if (!reached)
    return xb_fail(err, XB_INVALID, "xb_poll", "the result pointer is NULL");
  return wait_for(device, "xb_poll", point, 0, reached, err);
}
