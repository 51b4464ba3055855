#include "fold.h"
#include "formats/table_layout.h"
#include "judge/judge.h"
#include "value_text.h"

#include <inttypes.h>
#include <math.h>
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

/* Remarks on the numbers, after the columns: floor, outliers, throttling, ... */
static void print_notes(const xb_result *r, bool several)
{
  char target[32];
  const char *comma = "";
  const double floor = r->floor_ns > 0 ? 100 * r->floor_ns / r->median_ns : 0;
  const char *early = r->stopped_by ? r->stopped_by : "";
  const bool wide = !strcmp(early, "time limit") || !strcmp(early, "interrupted");
  const bool above_copy = r->percent_of_copy > ABOVE_COPY;
  const char *once = xb_result_placed_once(r);
  const char *launched = xb_as_launched(r) ? "as launched" : NULL, *bound = xb_host_bound(r) ? "host-bound" : NULL;
  if (!launched && !bound && !above_copy && floor < FLOOR_MATTERS && r->outliers <= 0 && !r->throttle.count && !wide &&
      !once && !r->counterpart && !r->preset && !r->remark && isnan(r->restore_ns))
    return;
  printf("%s| %s%s", xb_fold_here(), several ? xb_format_target(r->on, target) : "", several ? ": " : "");
  if (r->preset)
    printf("preset %s: groups of %" PRIu64, r->preset, r->block), comma = ", ";
  if (r->remark)
    printf("%s%s", comma, r->remark), comma = ", ";
  if (launched)
    printf("%s%s", comma, launched), comma = ", ";
  if (bound)
    printf("%s%s%s", comma, bound, launched ? "" : " if not held"), comma = ", ";
  if (floor >= FLOOR_MATTERS)
    printf("%sfloor %.0f %%", comma, floor), comma = ", ";
  if (r->outliers > 0)
    printf("%soutliers: %" PRId64 " of %zu", comma, r->outliers, r->samples_ns.count), comma = ", ";
  if (r->throttle.count) {
    printf("%sTHROTTLED in %" PRId64 " of %zu (", comma, r->throttled_samples, r->samples_ns.count), comma = ", ";
    xb_print_throttle(r);
    printf(")");
  }
  if (!isnan(r->restore_ns)) {
    char time[32];
    printf("%scontents restored: %s taken off", comma, xb_format_time(r->restore_ns, time, sizeof time)), comma = ", ";
  }
  if (above_copy)
    printf("%sfaster than a copy: from cache?", comma), comma = ", ";
  if (once)
    printf("%s%s", comma, once), comma = ", ";
  if (wide)
    printf("%s%s", comma, early), comma = ", ";
  if (r->counterpart)
    printf("%s~ nearest: %s", comma, r->reason);
}

void xb_print_remarks(const xb_result *r, bool several)
{
  if (r && r->outcome == XB_CELL_OK)
    print_notes(r, several);
  else if (r)
    printf("%s%s%s: %s", several ? xb_fold_here() : "", several ? "| " : "", xb_outcome_text(r), xb_result_why(r));
}
