/* Finds missing barriers. A stream hides them, and with a command buffer they may show only on another device. So each
 * command's ranges are compared with all ranges used since the last barrier. */
#include "internal.h"

#include <inttypes.h>
#include <stdlib.h>

bool xb_conflict(const xb_touch *a, const xb_touch *b)
{
  if (a->object != b->object || a->end <= b->begin || b->end <= a->begin)
    return false;
  const bool self_compatible = a->access == XB_READ || a->access == XB_ATOMIC || a->access == XB_DISJOINT_WRITE;
  return !(a->access == b->access && self_compatible);
}

const char *xb_access_verb(xb_access access)
{
  switch (access) {
  case XB_READ: return "reads";
  case XB_WRITE: return "writes";
  case XB_READ_WRITE: return "reads and writes";
  case XB_ATOMIC: return "updates atomically";
  case XB_DISJOINT_WRITE: return "writes (disjointly)";
  }
  return "uses";
}

/* Adds a range to those of the list, if possible to one of the last few. */
static bool note_use(xb_hazards *hazards, const xb_touch *touch)
{
  const size_t few = XB_MAX_BINDINGS, first = hazards->use_count > few ? hazards->use_count - few : 0;
  for (size_t i = first; i < hazards->use_count; i++) {
    xb_touch *u = &hazards->uses[i];
    if (u->object != touch->object || u->access != touch->access || touch->begin > u->end || u->begin > touch->end)
      continue;
    u->begin = touch->begin < u->begin ? touch->begin : u->begin;
    u->end = touch->end > u->end ? touch->end : u->end;
    return true;
  }
  if (!xb_grow(&hazards->uses, &hazards->use_capacity, hazards->use_count, sizeof *hazards->uses))
    return false;
  hazards->uses[hazards->use_count++] = *touch;
  return true;
}

static bool known(const xb_hazards *hazards, const xb_touch *touch)
{
  for (size_t i = 0; i < hazards->count; i++) {
    const xb_touch *t = &hazards->touches[i];
    if (t->object == touch->object && t->begin <= touch->begin && touch->end <= t->end && t->access == touch->access)
      return true;
  }
  return false;
}

xb_code xb_hazards_add(xb_hazards *hazards, const xb_touch *touches, size_t count, xb_error *err)
{
  for (size_t n = 0; n < count; n++) {
    const xb_touch *touch = &touches[n];
    for (size_t i = 0; i < n; i++)
      if (xb_conflict(&touches[i], touch))
        return xb_fail(err, XB_INVALID, touch->by,
                       "binds bytes %" PRIu64 " to %" PRIu64 " of '%s' twice, and %s them: "
                       "bind a range that is written only once",
                       touch->begin, touch->end, touch->label,
                       xb_access_verb(touch->access == XB_READ ? touches[i].access : touch->access));
    for (size_t i = 0; i < hazards->count; i++) {
      const xb_touch *t = &hazards->touches[i];
      if (xb_conflict(t, touch))
        return xb_fail(err, XB_INVALID, touch->by,
                       "%s '%s', which '%s' %s since the last barrier: put "
                       "xb_cmd_barrier between them",
                       xb_access_verb(touch->access), touch->label, t->by, xb_access_verb(t->access));
    }
  }
  for (size_t n = 0; n < count; n++) {
    if (known(hazards, &touches[n]))
      continue;
    if (!note_use(hazards, &touches[n]) ||
        !xb_grow(&hazards->touches, &hazards->capacity, hazards->count, sizeof *hazards->touches))
      return xb_fail(err, XB_NOMEM, touches[n].by, "out of host memory");
    hazards->touches[hazards->count++] = touches[n];
  }
  return XB_OK;
}

void xb_hazards_barrier(xb_hazards *hazards)
{
  hazards->count = 0;
}

void xb_hazards_free(xb_hazards *hazards)
{
  free(hazards->touches);
  free(hazards->uses);
  *hazards = (xb_hazards){0};
}
