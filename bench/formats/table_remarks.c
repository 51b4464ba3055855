#include "base/nearest.h"
#include "base/value_text.h"
#include "formats/result_columns.h"
#include "judge/judge.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const double ABOVE_COPY = 150;   /* percent: reads alone can be faster than a copy, but not by this much */
static const double FLOOR_MATTERS = 10; /* percent of the time: from here on the floor is shown */

const char *xb_outcome_text(const xb_result *r)
{
  static const char *const texts[] = {[XB_CELL_WRONG] = "WRONG",          [XB_CELL_FAILED] = "FAILED",
                                      [XB_CELL_UNSUPPORTED] = "not here", [XB_CELL_NO_COUNTERPART] = "no counterpart",
                                      [XB_CELL_PENDING] = "interrupted",  [XB_CELL_INTERRUPTED] = "interrupted"};
  return texts[r->outcome];
}

void xb_add_remark(char out[XB_SHEET_TEXT], const char *format, ...)
{
  size_t length = strlen(out);
  va_list arguments;
  va_start(arguments, format);
  if (length + 2 < XB_SHEET_TEXT)
    length += (size_t)snprintf(out + length, XB_SHEET_TEXT - length, "%s", length ? XB_REMARK_BREAK : "");
  vsnprintf(out + length, XB_SHEET_TEXT - length, format, arguments);
  va_end(arguments);
}

void xb_format_remarks(const xb_result *r, bool counted, char out[XB_SHEET_TEXT])
{
  char time[32], reasons[256];
  const double floor = r->floor_ns > 0 ? 100 * r->floor_ns / r->median_ns : 0;
  const char *stopped = r->stopped_by ? r->stopped_by : "";
  const char *once = xb_result_placed_once(r);
  const bool launched = xb_as_launched(r);
  *out = 0;
  if (r->on->emulated == 1)
    xb_add_remark(out, "emulated");
  if (r->preset)
    xb_add_remark(out, "preset %s: groups of %" PRIu64, r->preset, r->block);
  if (r->remark)
    xb_add_remark(out, "%s", r->remark);
  if (launched)
    xb_add_remark(out, "as launched");
  if (xb_host_bound(r))
    xb_add_remark(out, "host-bound%s", launched ? "" : " if not held");
  if (floor >= FLOOR_MATTERS && !counted)
    xb_add_remark(out, "floor %.0f %%", floor);
  if (r->outliers > 0 && !counted)
    xb_add_remark(out, "outliers: %" PRId64 " of %zu", r->outliers, r->samples_ns.count);
  xb_join((const char *const *)r->throttle.values, r->throttle.count, reasons, sizeof reasons);
  if (r->throttle.count)
    xb_add_remark(out, "THROTTLED in %" PRId64 " of %zu (%s)", r->throttled_samples, r->samples_ns.count, reasons);
  if (!isnan(r->restore_ns))
    xb_add_remark(out, "contents restored: %s taken off", xb_format_time(r->restore_ns, time, sizeof time));
  if (r->percent_of_copy > ABOVE_COPY)
    xb_add_remark(out, "faster than a copy: from cache?");
  if (once)
    xb_add_remark(out, "%s", once);
  if (r->warm == 0)
    xb_add_remark(out, "not settled");
  if (xb_autocorrelated(r))
    xb_add_remark(out, "autocorrelated %.1f", r->autocorrelation);
  if (!strcmp(stopped, "time limit") || !strcmp(stopped, "interrupted"))
    xb_add_remark(out, "%s", stopped);
  if (r->counterpart)
    xb_add_remark(out, "~ nearest: %s", r->reason);
}
