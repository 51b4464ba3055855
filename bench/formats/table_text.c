#include "base/safe_text.h"
#include "base/value_text.h"
#include "base/word_list.h"
#include "formats/result_columns.h"
#include "judge/judge.h"
#include "judge/stats.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *xb_format_target(const xb_result_device *on, char out[32])
{
  if (xb_emulates_shaders(on))
    snprintf(out, 32, on->subgroup_size == 32 ? "hlsl on %.10s" : "hlsl on %.10s, %" PRIu64, on->backend,
             on->subgroup_size);
  else if (on->emulates)
    snprintf(out, 32, "%.12s on %.14s", on->emulates, on->backend);
  else if (on->queue_family_chosen == 1)
    snprintf(out, 32, "%.12s, family %u", on->backend, (unsigned)on->queue_family);
  else if (!on->launch_mode || !strcmp(on->launch_mode, "command_buffer"))
    snprintf(out, 32, "%.31s", on->backend);
  else
    snprintf(out, 32, "%.12s, %.14s", on->backend, on->launch_mode);
  return out;
}

void xb_print_target(FILE *file, const xb_result_device *on)
{
  char target[32], family[64] = "", name[256], driver[256];
  if (on->emulated != 1)
    xb_format_family(on->queue_family, on->queue_family_graphics == 1, family);
  fprintf(file, "%s %s on %s, %s%s, subgroups of %" PRIu64 "%s\n", xb_format_target(on, target), on->api_version,
          xb_safe_text(on->name, name, sizeof name), xb_safe_text(on->driver, driver, sizeof driver), family,
          on->subgroup_size, on->emulated == 1 ? ", emulated: results checked, times ignored" : "");
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

void xb_print_question(FILE *file, const xb_group *group, bool sweep)
{
  const xb_result *r = &group->results[0];
  char size[48], inputs[480];
  fprintf(file, "\n%s: %s; %s cache", group->benchmark->name, group->benchmark->title, r->conditions.cache);
  if (r->conditions.idle_shared_bytes)
    fprintf(file, "; each group reserves %" PRIu64 " bytes of unused shared memory", r->conditions.idle_shared_bytes);
  if (sweep)
    return;
  if (r->work.rows)
    xb_format_shape(r->work.rows, r->work.columns, r->work.inner, size, sizeof size);
  else
    xb_format_size(r->work.size, size, sizeof size);
  fprintf(file, "; %s, %s%s", r->dtype, r->work.rows ? "" : "n = ", size);
  if (r->check.inputs)
    fprintf(file, "; inputs %s", xb_safe_text(r->check.inputs, inputs, sizeof inputs));
}

const char *xb_format_result_shape(const xb_result *r, char *out, size_t out_bytes)
{
  xb_format_shape(r->work.rows, r->work.rows ? r->work.columns : r->work.size, r->work.inner, out, out_bytes);
  return out;
}

void xb_print_shape(FILE *file, const xb_result *r)
{
  char shape[48];
  fprintf(file, "%s, %s:\n", xb_format_result_shape(r, shape, sizeof shape), r->dtype);
}

/* Appends, and cuts what does not fit. Nothing if there is no text. */
static void add_part(char *out, size_t out_bytes, const char *before, const char *text)
{
  char safe[XB_AT_TEXT];
  const size_t at = strlen(out);
  if (text && *text && at < out_bytes)
    snprintf(out + at, out_bytes - at, "%s%s", before, xb_safe_text(text, safe, sizeof safe));
}

const char *xb_format_label(const xb_result *r, xb_label style, char *out, size_t out_bytes)
{
  const bool path = style == XB_LABEL_PATH;
  const char *next = path ? "/" : ", ";
  char size[64], number[24], at[XB_AT_TEXT], target[32];
  *out = 0;
  if (style == XB_LABEL_SIDE) {
    add_part(out, out_bytes, "", r->variant);
    add_part(out, out_bytes, " ", xb_result_at(r, at));
    add_part(out, out_bytes, " ", xb_format_target(r->on, target));
    return out;
  }
  add_part(out, out_bytes, "", r->benchmark);
  add_part(out, out_bytes, "/", r->variant);
  add_part(out, out_bytes, path ? "/" : " ", r->backend);
  if (path || strcmp(r->launch_mode, "command_buffer") != 0)
    add_part(out, out_bytes, next, r->launch_mode);
  snprintf(number, sizeof number, "%" PRId64, r->on->queue_family);
  if (path ? r->on->queue_family_chosen == 1 : r->on->one_of_families)
    add_part(out, out_bytes, path ? "/family:" : ", family ", number);
  add_part(out, out_bytes, next, r->dtype);
  if (path || r->work.rows)
    xb_format_result_shape(r, size, sizeof size);
  else
    xb_format_size(r->work.size, size, sizeof size);
  add_part(out, out_bytes, next, size);
  for (size_t i = 0; i < r->at.count && path; i++) {
    snprintf(at, sizeof at, "%s:%" PRId64, r->at.values[i].axis, r->at.values[i].value);
    add_part(out, out_bytes, next, at);
  }
  add_part(out, out_bytes, next, path ? NULL : xb_result_at(r, at));
  snprintf(number, sizeof number, "%" PRIu64, r->work.block);
  add_part(out, out_bytes, path ? "/block:" : ", groups of ", r->work.block ? number : NULL);
  add_part(out, out_bytes, next, strcmp(r->conditions.cache, "hot") ? r->conditions.cache : NULL);
  add_part(out, out_bytes, path ? "/loop:" : ", loop in the ",
           r->conditions.loop && strcmp(r->conditions.loop, "launch") ? r->conditions.loop : NULL);
  return out;
}

const char *xb_format_reason(const xb_comparison *c, char out[XB_PAIR_TEXT])
{
  const xb_result *sides[] = {c->base, c->subject};
  const char *before = ": ", *said = NULL;
  size_t length = (size_t)snprintf(out, XB_PAIR_TEXT, "%s", c->reason ? c->reason : "");
  for (int i = 0; i < 2 && !c->verdict; i++) {
    const xb_result *r = sides[i];
    const char *why = !r || r->outcome == XB_CELL_OK || xb_is_alone(r) ? NULL
                      : r->check.error                                 ? r->check.error
                                                                       : r->check.reason;
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
  return 50 * (r->time.ci95_ns.high - r->time.ci95_ns.low) / r->time.median_ns;
}

/* ---- Remarks ----------------------------------------------------------------------------------------------------- */

static const double ABOVE_COPY = 150;      /* percent: reads alone can be faster than a copy, but not by this much */
static const double OVERHEAD_MATTERS = 10; /* percent of the time: from here on the overhead is shown */
static const double OUTLIERS_MATTER = 10;  /* from one sample of so many on they are shown */

const char *xb_outcome_text(const xb_result *r)
{
  static const char *const texts[] = {[XB_CELL_WRONG] = "WRONG",          [XB_CELL_FAILED] = "FAILED",
                                      [XB_CELL_UNSUPPORTED] = "not here", [XB_CELL_NO_COUNTERPART] = "no counterpart",
                                      [XB_CELL_PENDING] = "interrupted",  [XB_CELL_INTERRUPTED] = "interrupted"};
  return texts[r->outcome];
}

void xb_add_remark(char out[XB_TABLE_TEXT], const char *format, ...)
{
  size_t length = strlen(out);
  va_list arguments;
  va_start(arguments, format);
  if (length + 2 < XB_TABLE_TEXT)
    length += (size_t)snprintf(out + length, XB_TABLE_TEXT - length, "%s", length ? XB_REMARK_BREAK : "");
  vsnprintf(out + length, XB_TABLE_TEXT - length, format, arguments);
  va_end(arguments);
}

static void add_slow_placements(const xb_result *r, char out[XB_TABLE_TEXT])
{
  const size_t count = r->time.samples_ns.count;
  double *scratch =
      r->time.placements > 1 && r->time.placements <= XB_MOST_PLACEMENTS ? malloc(count * sizeof *scratch) : NULL;
  double slower;
  const size_t slow =
      scratch ? xb_slow_placements(r->time.samples_ns.values, count, (uint32_t)r->time.placements, &slower, scratch)
              : 0;
  if (slow)
    xb_add_remark(out, "%zu of %" PRIu64 " placements %.0f %% slower", slow, r->time.placements, 100 * (slower - 1));
  free(scratch);
}

void xb_format_remarks(const xb_result *r, bool counted, char out[XB_TABLE_TEXT])
{
  char time[32], reasons[256];
  const double floor = r->time.floor_ns > 0 ? 100 * r->time.floor_ns / r->time.median_ns : 0;
  const char *stopped = r->time.stopped_by ? r->time.stopped_by : "";
  const char *once = xb_result_placed_once(r);
  const bool launched = xb_as_launched(r);
  *out = 0;
  if (r->on->emulated == 1)
    xb_add_remark(out, "emulated");
  if (r->conditions.preset)
    xb_add_remark(out, "preset %s: groups of %" PRIu64, r->conditions.preset, r->work.block);
  if (r->check.remark)
    xb_add_remark(out, "%s", r->check.remark);
  if (launched)
    xb_add_remark(out, "as launched");
  if (xb_host_bound(r))
    xb_add_remark(out, "host-bound%s", launched ? "" : " if not held");
  if (floor >= OVERHEAD_MATTERS && !counted)
    xb_add_remark(out, "overhead %.0f %%", floor);
  if (r->time.ci95_ns.low <= 0 && r->time.median_ns > 0) /* a half width above 100 % has no negative end */
    xb_add_remark(out, "interval from 0");
  if (OUTLIERS_MATTER * (double)r->time.outliers >= (double)r->time.samples_ns.count && r->time.outliers > 0 &&
      !counted)
    xb_add_remark(out, "outliers: %" PRId64 " of %zu", r->time.outliers, r->time.samples_ns.count);
  xb_join((const char *const *)r->throttling.throttle.values, r->throttling.throttle.count, reasons, sizeof reasons);
  if (r->throttling.throttle.count)
    xb_add_remark(out, "THROTTLED in %" PRId64 " of %zu (%s)", r->throttling.throttled_samples,
                  r->time.samples_ns.count, reasons);
  if (!isnan(r->time.restore_ns))
    xb_add_remark(out, "contents restored: %s taken off", xb_format_time(r->time.restore_ns, time, sizeof time));
  if (r->rates.percent_of_copy > ABOVE_COPY)
    xb_add_remark(out, "faster than a copy: from cache?");
  if (once)
    xb_add_remark(out, "%s", once);
  add_slow_placements(r, out);
  if (r->time.warm == 0)
    xb_add_remark(out, "not settled");
  if (xb_autocorrelated(r))
    xb_add_remark(out, "autocorrelated %.1f", r->time.autocorrelation);
  if (!strcmp(stopped, "time limit") || !strcmp(stopped, "interrupted"))
    xb_add_remark(out, "%s", stopped);
  if (r->check.counterpart)
    xb_add_remark(out, "~ nearest: %s", r->check.reason);
}
