/* The table of a run, with the columns of the DirectCompute slides: time, metrics, step speedup, cumulative speedup.
 * One line per variant and place on its axes, and a group of columns per target (an API, in one launch mode). With
 * several targets, the last columns are ratios of device time to the first target's. A narrow terminal gets fewer
 * columns, or a line per target. */
#include "base/value_text.h"
#include "formats/matrix_table.h"
#include "formats/published.h"
#include "formats/table_layout.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- Heading ---------------------------------------------------------------------------------------------------- */

static void print_heading(xb_table *table, const xb_columns *c)
{
  const xb_result_benchmark *b = c->group->benchmark;
  if (table->sweep && table->headed)
    return;
  for (size_t d = 0; d < c->count && !table->headed; d++)
    xb_print_target(c->targets[d]);
  xb_print_question(table, c->group);
  for (size_t a = 0; a < b->axes.count; a++)
    printf("; %s: %s", b->axes.values[a].name, b->axes.values[a].title);
  if (c->samples && !table->sweep)
    printf("; %zu samples each", c->samples);
  printf("\n");
  xb_print_left_out(c);
  printf("\n");
  xb_print_column_heads(c);
  table->headed = true;
}

/* ---- Lines ------------------------------------------------------------------------------------------------------ */

/* The last finished variant before this one, of the same benchmark and target; or the first one of all. */
static const xb_result *earlier(const xb_columns *c, const xb_result *r, bool first)
{
  const xb_result *found = NULL;
  for (const xb_result *other = c->group->results; other < r && !(first && found); other++)
    if (!strcmp(other->benchmark, r->benchmark) && other->on == r->on && other->outcome == XB_CELL_OK &&
        !xb_compare_at(other, r))
      found = other;
  return found;
}

static void format_speedup(const xb_columns *c, const xb_result *before, const xb_result *r, char out[16])
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

static void print_metric(const xb_columns *c, const xb_result *r, size_t m)
{
  const xb_metric *metric = find_metric(r, c->metrics[m]);
  if (metric)
    printf(" %*.4g", m ? 12 : 9, metric->value);
  else
    printf(" %*s", m ? 12 : 9, "");
}

static void print_measured(const xb_columns *c, const xb_result *r)
{
  char time[24], step[16];
  format_speedup(c, earlier(c, r, false), r, step);
  printf("%s%10s", r->counterpart ? "~" : " ", xb_format_time(r->median_ns, time, sizeof time));
  if (xb_shows(c, XB_SHOW_INTERVAL))
    printf(" %5.1f %%", xb_half_interval(r));
  if (xb_shows(c, XB_SHOW_METRIC))
    print_metric(c, r, 0);
  if (xb_shows(c, XB_SHOW_OF_COPY))
    print_part(r->percent_of_copy / 100, 7);
  if (xb_shows(c, XB_SHOW_OF_PEAK))
    print_part(r->percent_of_peak / 100, 7);
  if (xb_shows(c, XB_SHOW_STEP))
    printf(" %6s", step);
  for (size_t m = 1; m < c->metric_count && xb_shows(c, XB_SHOW_MORE_METRICS); m++)
    print_metric(c, r, m);
  if (xb_shows(c, XB_SHOW_MODEL)) {
    print_part(r->model.measured, 8);
    print_part(r->model.predicted, 8);
  }
}

/* The result with the same variant and conditions on each target; NULL if there is none. */
static void find_results(const xb_columns *c, const xb_result *like, const xb_result *found[XB_MOST_COLUMNS])
{
  for (size_t d = 0; d < c->count; d++) {
    found[d] = NULL;
    for (const xb_result *r = c->group->results; r < c->group->results + c->group->count && !found[d]; r++)
      if (r->on == c->targets[d] && r->yardstick == like->yardstick && !strcmp(r->variant, like->variant) &&
          !strcmp(r->benchmark, like->benchmark) && !xb_compare_at(r, like))
        found[d] = r;
  }
}

static void print_name(const xb_table *table, const xb_columns *c, const xb_result *r)
{
  char name[96], group_size[24] = "", published[XB_PUBLISHED];
  if (r->block)
    snprintf(group_size, sizeof group_size, "%" PRIu64, r->block);
  if (xb_shows(c, XB_SHOW_SHAPE))
    xb_print_shape(table, r);
  printf("%-*.*s", c->name_width, c->name_width, xb_format_name(c, r, name));
  for (size_t a = 0; a < c->group->benchmark->axes.count; a++)
    if (a < r->at.count)
      printf(" %7" PRId64, r->at.values[a].value);
    else
      printf(" %7s", "");
  if (xb_shows(c, XB_SHOW_GROUP))
    printf(" %5s", group_size);
  xb_format_published(c->group->benchmark, r, published);
  if (xb_shows(c, XB_SHOW_PUBLISHED))
    printf(" %9s", published);
}

static void print_ratio(const xb_result *r, const xb_result *first)
{
  if (!r || r->outcome != XB_CELL_OK || first->outcome != XB_CELL_OK)
    return;
  if (r->on->emulated == 1 || first->on->emulated == 1)
    printf(" | emulated");
  else if (r->counterpart || first->counterpart)
    printf(" | ~");
  else
    printf(" | %.3f", r->median_ns / first->median_ns);
}

/* "24", or "24/80" where two targets differ. */
static void print_samples(const xb_columns *c, const xb_result *const found[], size_t count)
{
  char text[24 * XB_MOST_COLUMNS] = "";
  size_t length = 0, last = 0;
  for (size_t d = 0; d < count && xb_shows(c, XB_SHOW_SAMPLES); d++) {
    const size_t samples = found[d] ? found[d]->samples_ns.count : 0;
    if (samples && samples != last)
      length += (size_t)snprintf(text + length, sizeof text - length, "%s%zu", length ? "/" : "", samples);
    last = samples ? samples : last;
  }
  if (xb_shows(c, XB_SHOW_SAMPLES))
    printf(" %7s", text);
}

/* One variant, with its result on each target. Errors are shown in full after the columns. */
static void print_line(const xb_table *table, const xb_columns *c, const xb_result *first)
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
      printf("%-*s", xb_target_width(c), found[d] ? xb_outcome_text(found[d]) : "");
  }
  if (!several && first->outcome == XB_CELL_OK) {
    format_speedup(c, earlier(c, first, true), first, speedup);
    if (!isnan(first->host_ns))
      xb_format_time(first->host_ns, host, sizeof host);
    if (xb_shows(c, XB_SHOW_CUMULATIVE))
      printf(" %10s", speedup);
    if (xb_shows(c, XB_SHOW_HOST_TIME))
      printf(" %11s", host);
  }
  print_samples(c, found, c->count);
  for (size_t d = 1; d < c->count; d++)
    print_ratio(found[d], first);
  for (size_t d = 0; d < c->count; d++)
    xb_print_remarks(found[d], several);
  printf("\n");
}

/* The same, one line per target. */
static void print_lines(const xb_table *table, const xb_columns *c, const xb_result *first)
{
  const xb_result *found[XB_MOST_COLUMNS];
  char target[32];
  find_results(c, first, found);
  for (size_t d = 0; d < c->count; d++) {
    if (!found[d])
      continue;
    print_name(table, c, found[d]);
    printf(" %-*s   ", c->on_width, xb_format_target(c->targets[d], target));
    if (found[d]->outcome == XB_CELL_OK)
      print_measured(c, found[d]);
    print_samples(c, &found[d], 1);
    if (d)
      print_ratio(found[d], first);
    xb_print_remarks(found[d], false);
    printf("\n");
  }
}

/* True if all results failed for one reason, as they do if the device has too little memory for the input. */
static bool failed_alike(const xb_group *group)
{
  const xb_result *first = &group->results[0];
  for (size_t i = 0; i < group->count; i++) {
    const xb_result *r = &group->results[i];
    if (r->outcome != XB_CELL_FAILED || strcmp(xb_result_why(r), xb_result_why(first)) != 0)
      return false;
  }
  return group->count > 1;
}

void xb_table_group(xb_table *table, const xb_group *group)
{
  xb_columns c;
  char shape[48];
  xb_lay_out_columns(&c, table, group);
  print_heading(table, &c);
  if (c.sweep && !xb_shows(&c, XB_SHOW_SHAPE))
    printf("%s, %s:\n", xb_format_result_shape(&group->results[0], shape, sizeof shape), group->results[0].dtype);
  if (failed_alike(group)) {
    if (xb_shows(&c, XB_SHOW_SHAPE))
      xb_print_shape(table, &group->results[0]);
    printf("all %zu: %s: %s\n", group->count, xb_outcome_text(&group->results[0]), xb_result_why(&group->results[0]));
    return;
  }
  const bool beside = c.count == 1 || xb_shows(&c, XB_SHOW_BESIDE);
  for (size_t i = 0; i < group->count && group->results[i].on == c.targets[0]; i++)
    (beside ? print_line : print_lines)(table, &c, &group->results[i]);
  xb_print_matrices(group);
  if (!table->quoted)
    xb_print_published(group);
  table->quoted = true;
}
