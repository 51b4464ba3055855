#include "formats/table_text.h"

#include "base/safe_text.h"
#include "base/value_text.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

const char *xb_format_target(const xb_result_device *on, char out[32])
{
  if (on->emulates)
    snprintf(out, 32, "%.12s on %.14s", on->emulates, on->backend);
  else if (on->queue_family_chosen == 1)
    snprintf(out, 32, "%.12s, family %u", on->backend, (unsigned)on->queue_family);
  else if (!on->launch_mode || !strcmp(on->launch_mode, "command_buffer"))
    snprintf(out, 32, "%.31s", on->backend);
  else
    snprintf(out, 32, "%.12s, %.14s", on->backend, on->launch_mode);
  return out;
}

void xb_print_target(const xb_result_device *on)
{
  char target[32], family[64], name[256], driver[256];
  xb_format_family(on->queue_family, on->queue_family_graphics == 1, family);
  printf("%s %s on %s, %s%s, subgroups of %" PRIu64 "%s\n", xb_format_target(on, target), on->api_version,
         xb_safe_text(on->name, name, sizeof name), xb_safe_text(on->driver, driver, sizeof driver), family,
         on->subgroup_size, on->emulated == 1 ? ", emulated: right or wrong, but no times to compare" : "");
}

size_t xb_group_targets(const xb_group *group, const xb_result_device *targets[XB_MOST_COLUMNS])
{
  size_t count = 0;
  for (size_t i = 0; i < group->count; i++) {
    const xb_result_device *on = group->results[i].on;
    if ((!count || targets[count - 1] != on) && count < XB_MOST_COLUMNS)
      targets[count++] = on;
  }
  return count;
}

void xb_print_question(const xb_group *group, bool sweep)
{
  const xb_result *r = &group->results[0];
  char size[48], inputs[480];
  printf("\n%s: %s; %s cache", group->benchmark->name, group->benchmark->title, r->cache);
  if (r->idle_shared_bytes)
    printf("; each group takes %" PRIu64 " bytes of shared memory that it does not use", r->idle_shared_bytes);
  if (sweep)
    return;
  if (r->rows)
    xb_format_shape(r->rows, r->columns, r->inner, size, sizeof size);
  else
    xb_format_size(r->size, size, sizeof size);
  printf("; %s, %s%s", r->dtype, r->rows ? "" : "n = ", size);
  if (r->inputs)
    printf("; inputs %s", xb_safe_text(r->inputs, inputs, sizeof inputs));
}

const char *xb_format_result_shape(const xb_result *r, char *out, size_t out_bytes)
{
  xb_format_shape(r->rows, r->rows ? r->columns : r->size, r->inner, out, out_bytes);
  return out;
}

const char *xb_format_side(const xb_result *r, char out[XB_SIDE_TEXT])
{
  char target[32], at[XB_AT_TEXT];
  xb_result_at(r, at);
  snprintf(out, XB_SIDE_TEXT, "%s%s%s %s", r->variant, *at ? " " : "", at, xb_format_target(r->on, target));
  return out;
}

const char *xb_format_reason(const xb_comparison *c, char out[XB_PAIR_TEXT])
{
  const xb_result *sides[] = {c->base, c->subject};
  const char *before = ": ", *said = NULL;
  size_t length = (size_t)snprintf(out, XB_PAIR_TEXT, "%s", c->reason ? c->reason : "");
  for (int i = 0; i < 2 && !c->verdict; i++) {
    const xb_result *r = sides[i];
    const char *why = !r || r->outcome == XB_CELL_OK ? NULL : r->error ? r->error : r->reason;
    if (!why || (said && strstr(said, why)) || length >= XB_PAIR_TEXT)
      continue;
    length += (size_t)snprintf(out + length, XB_PAIR_TEXT - length, "%s%s", before, why);
    before = "; this side: ";
    said = why;
  }
  return out;
}

double xb_half_interval(const xb_result *r)
{
  return 50 * (r->ci95_ns.high - r->ci95_ns.low) / r->median_ns;
}
