/* Finds missing points between queues, as hazards.c finds missing barriers. A fast list hides them: it is complete
 * before the next one begins. So a list stays in flight here until the host has waited for it. */
#include "internal.h"

#include <inttypes.h>
#include <string.h>

static void raise_to(uint64_t known[XB_MAX_QUEUES], const uint64_t by[XB_MAX_QUEUES])
{
  for (int q = 0; q < XB_MAX_QUEUES; q++)
    if (by[q] > known[q])
      known[q] = by[q];
}

/* Everything up to this point is reached, and what its list came after. */
static void add_point(const xb_device *device, xb_point point, uint64_t known[XB_MAX_QUEUES])
{
  for (size_t i = 0; i < device->pending_count; i++) {
    const xb_pending *p = &device->pending[i];
    if (p->point.queue == point.queue && p->point.value == point.value)
      raise_to(known, p->after);
  }
  if (point.value > known[point.queue])
    known[point.queue] = point.value;
}

void xb_order_reached(xb_device *device, xb_point point)
{
  add_point(device, point, device->known);
}

static xb_code missing_point(const xb_commands *c, const xb_touch *use, const xb_pending *p, const xb_touch *there,
                             xb_error *err)
{
  const uint64_t begin = use->begin > there->begin ? use->begin : there->begin;
  const uint64_t end = use->end < there->end ? use->end : there->end;
  return xb_fail(err, XB_INVALID, "xb_submit",
                 "'%s' (%s queue %d) %s bytes %" PRIu64 " to %" PRIu64
                 " of '%s', which '%s' (%s queue %d), still in flight, "
                 "%s: add the point of '%s' to xb_submission.after",
                 c->label, xb_queue_kind(c->queue), c->queue % XB_QUEUES_OF_A_KIND, xb_access_verb(use->access), begin,
                 end, use->label, p->commands->label, xb_queue_kind(p->point.queue),
                 p->point.queue % XB_QUEUES_OF_A_KIND, xb_access_verb(there->access), p->commands->label);
}

static xb_code check_pair(const xb_commands *c, const xb_pending *p, xb_error *err)
{
  const xb_hazards *here = &c->hazards, *there = &p->commands->hazards;
  for (size_t i = 0; i < here->use_count; i++)
    for (size_t k = 0; k < there->use_count; k++)
      if (xb_conflict(&here->uses[i], &there->uses[k]))
        return missing_point(c, &here->uses[i], p, &there->uses[k], err);
  return XB_OK;
}

xb_code xb_order_check(const xb_device *device, const xb_submission *s, uint64_t known[XB_MAX_QUEUES], xb_error *err)
{
  const xb_queue queue = s->commands->queue;
  memcpy(known, device->known, sizeof device->known);
  add_point(device, (xb_point){.queue = queue, .value = device->submitted[queue]}, known);
  for (uint32_t i = 0; i < s->after_count; i++)
    add_point(device, s->after[i], known);
  xb_code code = XB_OK;
  for (size_t i = 0; i < device->pending_count && !code; i++)
    if (device->pending[i].point.value > known[device->pending[i].point.queue])
      code = check_pair(s->commands, &device->pending[i], err);
  return code;
}
