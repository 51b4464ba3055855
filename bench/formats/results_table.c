/* The table of a run, with the columns of the DirectCompute slides: time, metrics, step speedup, cumulative speedup.
 * One line per variant and place on its axes, and a group of columns per target (an API, in one launch mode). With
 * several targets, the last columns are ratios of device time to the first target's. */
#include "formats/formats.h"
#include "formats/table_text.h"
#include "value_text.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const double ABOVE_COPY = 150;   /* percent: reads alone can be faster than a copy, but not by this much */
static const double FLOOR_MATTERS = 10; /* percent of the time: from here on the floor is shown */

/* The columns, the same for all lines of a group. */
typedef struct columns {
  const xb_group *group;
  const xb_result_device *targets[XB_MOST_COLUMNS];
  size_t count;
  const xb_metric *metrics[XB_MOST_COLUMNS]; /* from the first result that has any */
  size_t metric_count;
  bool model;
  int target_width;
} columns;

static columns survey(const xb_group *group)
{
  static const xb_metric bandwidth = {.name = "bandwidth", .unit = "GB/s"};
  columns c = {.group = group};
  c.count = xb_group_targets(group, c.targets);
  for (size_t i = 0; i < group->count; i++) {
    const xb_result *r = &group->results[i];
    for (size_t m = c.metric_count; r->yardstick != 1 && m < r->metrics.count && m < XB_MOST_COLUMNS; m++)
      c.metrics[c.metric_count++] = &r->metrics.values[m];
    c.model |= !isnan(r->model.predicted);
  }
  if (!c.metric_count)
    c.metrics[c.metric_count++] = &bandwidth;
  c.target_width = 43 + 13 * ((int)c.metric_count - 1) + (c.model ? 18 : 0);
  return c;
}

/* ---- Heading ---------------------------------------------------------------------------------------------------- */

static void print_column_heads(const xb_table *table, const columns *c)
{
  const char *sweep = table->sweep ? "          n dtype   " : "";
  const xb_result_benchmark *b = c->group->benchmark;
  char name[32];
  if (c->count > 1) {
    printf("%*s%*s", (int)strlen(sweep), "", 55 + 8 * (int)b->axes.count, "");
    for (size_t d = 0; d < c->count; d++)
      printf(" | %-*s", c->target_width, xb_format_target(c->targets[d], name));
    printf(" | ratio\n");
  }
  printf("%s%-49s", sweep, "variant");
  for (size_t a = 0; a < b->axes.count; a++)
    printf(" %7.7s", b->axes.values[a].name);
  printf(" %5s", "group");
  for (size_t d = 0; d < c->count; d++) {
    printf("%s%11s %7s %9.9s %7s %6s", c->count > 1 ? " | " : "   ", "time", "+-95 %", c->metrics[0]->unit, "of copy",
           "step");
    for (size_t m = 1; m < c->metric_count; m++)
      printf(" %12.12s", c->metrics[m]->unit);
    if (c->model)
      printf(" %8s %8s", "of base", "model");
  }
  if (c->count == 1)
    printf(" %10s %11s", "cumulative", "host time");
  for (size_t d = 1; d < c->count; d++)
    printf(" | %s / %s", xb_format_target(c->targets[d], name), c->targets[0]->backend);
  printf("\n");
}

static void print_heading(xb_table *table, const columns *c)
{
  const xb_result_benchmark *b = c->group->benchmark;
  if (table->sweep && table->headed)
    return;
  for (size_t d = 0; d < c->count && !table->headed; d++)
    xb_print_target(c->targets[d]);
  xb_print_question(table, c->group);
  for (size_t a = 0; a < b->axes.count; a++)
    printf("; %s: %s", b->axes.values[a].name, b->axes.values[a].title);
  printf("\n\n");
  print_column_heads(table, c);
  table->headed = true;
}

/* ---- Lines ------------------------------------------------------------------------------------------------------ */

static const char *outcome_text(const xb_result *r)
{
  static const char *const texts[] = {[XB_CELL_WRONG] = "WRONG",
                                      [XB_CELL_FAILED] = "FAILED",
                                      [XB_CELL_UNSUPPORTED] = "not here",
                                      [XB_CELL_NO_COUNTERPART] = "no counterpart",
                                      [XB_CELL_INTERRUPTED] = "interrupted"};
  return texts[r->outcome];
}

/* The last finished variant before this one, of the same benchmark and target; or the first one of all. */
static const xb_result *earlier(const columns *c, const xb_result *r, bool first)
{
  const xb_result *found = NULL;
  for (const xb_result *other = c->group->results; other < r && !(first && found); other++)
    if (!strcmp(other->benchmark, r->benchmark) && other->on == r->on && other->outcome == XB_CELL_OK &&
        !xb_compare_at(other, r))
      found = other;
  return found;
}

static void format_speedup(const columns *c, const xb_result *before, const xb_result *r, char out[16])
{
  *out = 0;
  if (before && c->group->benchmark->ladder == 1 && !strcmp(r->benchmark, c->group->benchmark->name))
    snprintf(out, 16, "%.2fx", before->median_ns / r->median_ns);
}

static const xb_metric *find_metric(const xb_result *r, const xb_metric *like)
{
  for (size_t i = 0; i < r->metrics.count; i++)
    if (!strcmp(r->metrics.values[i].name, like->name) && !strcmp(r->metrics.values[i].unit, like->unit))
      return &r->metrics.values[i];
  return NULL;
}

static void print_part(double part, int width)
{
  if (isnan(part))
    printf(" %*s", width, "");
  else
    printf(" %*.0f %%", width - 2, 100 * part);
}

static void print_measured(const columns *c, const xb_result *r)
{
  char time[24], step[16];
  format_speedup(c, earlier(c, r, false), r, step);
  printf("%s%10s %5.1f %%", r->counterpart ? "~" : " ", xb_format_time(r->median_ns, time, sizeof time),
         xb_half_interval(r));
  for (size_t m = 0; m < c->metric_count; m++) {
    const xb_metric *metric = find_metric(r, c->metrics[m]);
    if (metric)
      printf(" %*.4g", m ? 12 : 9, metric->value);
    else
      printf(" %*s", m ? 12 : 9, "");
    if (m)
      continue;
    print_part(r->percent_of_copy / 100, 7);
    printf(" %6s", step);
  }
  if (c->model) {
    print_part(r->model.measured, 8);
    print_part(r->model.predicted, 8);
  }
}

/* The result with the same variant and conditions on each target; NULL if there is none. */
static void find_results(const columns *c, const xb_result *like, const xb_result *found[XB_MOST_COLUMNS])
{
  for (size_t d = 0; d < c->count; d++) {
    found[d] = NULL;
    for (const xb_result *r = c->group->results; r < c->group->results + c->group->count && !found[d]; r++)
      if (r->on == c->targets[d] && r->yardstick == like->yardstick && !strcmp(r->variant, like->variant) &&
          !strcmp(r->benchmark, like->benchmark) && !xb_compare_at(r, like))
        found[d] = r;
  }
}

static void print_name(const xb_table *table, const columns *c, const xb_result *r)
{
  char title[80], group_size[24] = "";
  const bool yardstick = r->yardstick == 1;
  snprintf(title, sizeof title, "%s%s%" PRIu64 " %s", yardstick ? r->benchmark : "", yardstick ? "/" : "",
           r->variant_number, r->title);
  if (r->block)
    snprintf(group_size, sizeof group_size, "%" PRIu64, r->block);
  xb_print_shape(table, r);
  printf("%-49.49s", title);
  for (size_t a = 0; a < c->group->benchmark->axes.count; a++)
    if (a < r->at.count)
      printf(" %7" PRId64, r->at.values[a].value);
    else
      printf(" %7s", "");
  printf(" %5s", group_size);
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
  if (!above_copy && floor < FLOOR_MATTERS && r->outliers <= 0 && !r->throttle.count && !wide && !once &&
      !r->counterpart)
    return;
  printf(" | %s%s", several ? xb_format_target(r->on, target) : "", several ? ": " : "");
  if (floor >= FLOOR_MATTERS)
    printf("%sfloor %.0f %%", comma, floor), comma = ", ";
  if (r->outliers > 0)
    printf("%soutliers: %" PRId64 " of %zu", comma, r->outliers, r->samples_ns.count), comma = ", ";
  if (r->throttle.count) {
    printf("%sTHROTTLED in %" PRId64 " of %zu (", comma, r->throttled_samples, r->samples_ns.count), comma = ", ";
    xb_print_throttle(r);
    printf(")");
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

/* One variant, with its result on each target. Errors are shown in full after the columns. */
static void print_line(const xb_table *table, const columns *c, const xb_result *first)
{
  const bool several = c->count > 1;
  const xb_result *found[XB_MOST_COLUMNS];
  char speedup[16], host[24] = "";
  find_results(c, first, found);
  print_name(table, c, first);
  for (size_t d = 0; d < c->count; d++) {
    printf("%s", several ? " | " : "   ");
    if (found[d] && found[d]->outcome == XB_CELL_OK)
      print_measured(c, found[d]);
    else if (several)
      printf("%-*s", c->target_width + 1, found[d] ? outcome_text(found[d]) : "");
  }
  if (!several && first->outcome == XB_CELL_OK) {
    format_speedup(c, earlier(c, first, true), first, speedup);
    if (!isnan(first->host_ns))
      xb_format_time(first->host_ns, host, sizeof host);
    printf(" %10s %11s", speedup, host);
  }
  for (size_t d = 1; d < c->count; d++)
    if (found[d] && found[d]->outcome == XB_CELL_OK && first->outcome == XB_CELL_OK) {
      if (found[d]->counterpart || first->counterpart)
        printf(" | ~");
      else
        printf(" | %.3f", found[d]->median_ns / first->median_ns);
    }
  for (size_t d = 0; d < c->count; d++)
    if (found[d] && found[d]->outcome == XB_CELL_OK)
      print_notes(found[d], several);
    else if (found[d])
      printf("%s%s: %s", several ? " | " : "", outcome_text(found[d]), xb_result_why(found[d]));
  printf("\n");
}

/* Published values, printed once. They are not in the table, because they are for other hardware. */
static void print_quoted(xb_table *table, const xb_result_benchmark *b)
{
  for (size_t i = 0; i < b->quoted.count && !table->quoted; i++) {
    const xb_quoted *q = &b->quoted.values[i];
    printf("%s  %" PRId64 " at %s: %g %s (%s; %s; %s)\n", i ? "" : "\npublished values, for other hardware:\n",
           q->variant, q->at, q->value, q->unit, q->hardware, q->size, q->source);
  }
  table->quoted = true;
}

void xb_table_group(xb_table *table, const xb_group *group)
{
  const columns c = survey(group);
  print_heading(table, &c);
  for (size_t i = 0; i < group->count && group->results[i].on == c.targets[0]; i++)
    print_line(table, &c, &group->results[i]);
  print_quoted(table, group->benchmark);
}
