#include "base/fold.h"
#include "base/value_text.h"
#include "formats/table_layout.h"
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
  static const char *const texts[] = {[XB_CELL_WRONG] = "WRONG",
                                      [XB_CELL_FAILED] = "FAILED",
                                      [XB_CELL_UNSUPPORTED] = "not here",
                                      [XB_CELL_NO_COUNTERPART] = "no counterpart",
                                      [XB_CELL_INTERRUPTED] = "interrupted"};
  return texts[r->outcome];
}

/* Remarks on the numbers of one result, after the columns. */
typedef struct notes {
  const char *target; /* printed before the first remark */
  bool any;
} notes;

static void note(notes *n, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void note(notes *n, const char *format, ...)
{
  va_list arguments;
  if (n->any)
    fputs(", ", stdout);
  else
    printf("%s| %s%s", xb_fold_here(), n->target, *n->target ? ": " : "");
  n->any = true;
  va_start(arguments, format);
  vprintf(format, arguments);
  va_end(arguments);
}

static void print_notes(const xb_result *r, bool several)
{
  char target[32], time[32];
  notes n = {.target = several ? xb_format_target(r->on, target) : ""};
  const double floor = r->floor_ns > 0 ? 100 * r->floor_ns / r->median_ns : 0;
  const char *stopped = r->stopped_by ? r->stopped_by : "";
  const char *once = xb_result_placed_once(r);
  const bool launched = xb_as_launched(r);
  if (r->on->emulated == 1)
    note(&n, "emulated");
  if (r->preset)
    note(&n, "preset %s: groups of %" PRIu64, r->preset, r->block);
  if (r->remark)
    note(&n, "%s", r->remark);
  if (launched)
    note(&n, "as launched");
  if (xb_host_bound(r))
    note(&n, "host-bound%s", launched ? "" : " if not held");
  if (floor >= FLOOR_MATTERS)
    note(&n, "floor %.0f %%", floor);
  if (r->outliers > 0)
    note(&n, "outliers: %" PRId64 " of %zu", r->outliers, r->samples_ns.count);
  if (r->throttle.count) {
    note(&n, "THROTTLED in %" PRId64 " of %zu (", r->throttled_samples, r->samples_ns.count);
    xb_print_throttle(r);
    printf(")");
  }
  if (!isnan(r->restore_ns))
    note(&n, "contents restored: %s taken off", xb_format_time(r->restore_ns, time, sizeof time));
  if (r->percent_of_copy > ABOVE_COPY)
    note(&n, "faster than a copy: from cache?");
  if (once)
    note(&n, "%s", once);
  if (r->warm == 0)
    note(&n, "not settled");
  if (xb_autocorrelated(r))
    note(&n, "autocorrelated %.1f", r->autocorrelation);
  if (!strcmp(stopped, "time limit") || !strcmp(stopped, "interrupted"))
    note(&n, "%s", stopped);
  if (r->counterpart)
    note(&n, "~ nearest: %s", r->reason);
}

void xb_print_remarks(const xb_result *r, bool several)
{
  if (r && r->outcome == XB_CELL_OK)
    print_notes(r, several);
  else if (r)
    printf("%s%s%s: %s", several ? xb_fold_here() : "", several ? "| " : "", xb_outcome_text(r), xb_result_why(r));
}
