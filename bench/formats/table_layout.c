#include "formats/table_layout.h"

#include "base/fold.h"
#include "base/terminal.h"
#include "formats/published.h"

#include <inttypes.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { TITLE_WIDTH = 49, SHAPE_WIDTH = 20 };

bool xb_shows(const xb_columns *c, unsigned column)
{
  return c->shown & column;
}

const char *xb_format_name(const xb_columns *c, const xb_result *r, char out[96])
{
  const char *benchmark = r->yardstick == 1 ? r->benchmark : "", *slash = r->yardstick == 1 ? "/" : "";
  if (xb_shows(c, XB_SHOW_TITLES))
    snprintf(out, 96, "%s%s%" PRIu64 " %s", benchmark, slash, r->variant_number, r->title);
  else
    snprintf(out, 96, "%s%s%s", benchmark, slash, r->variant);
  return out;
}

int xb_target_width(const xb_columns *c)
{
  return 11 + 8 * xb_shows(c, XB_SHOW_INTERVAL) + 10 * xb_shows(c, XB_SHOW_METRIC) + 8 * xb_shows(c, XB_SHOW_OF_COPY) +
         8 * xb_shows(c, XB_SHOW_OF_PEAK) + 7 * xb_shows(c, XB_SHOW_STEP) +
         13 * xb_shows(c, XB_SHOW_MORE_METRICS) * ((int)c->metric_count - 1) + 18 * xb_shows(c, XB_SHOW_MODEL);
}

/* With the leading blanks of its columns. */
static size_t width(const void *table, unsigned shown)
{
  xb_columns c = *(const xb_columns *)table;
  c.shown = shown;
  const int target = 3 + xb_target_width(&c), others = (int)c.count - 1;
  int total = xb_shows(&c, XB_SHOW_TITLES) ? TITLE_WIDTH : c.short_name_width;
  total += 8 * xb_shows(&c, XB_SHOW_SAMPLES) + SHAPE_WIDTH * xb_shows(&c, XB_SHOW_SHAPE) +
           8 * (int)c.group->benchmark->axes.count + 6 * xb_shows(&c, XB_SHOW_GROUP) +
           10 * xb_shows(&c, XB_SHOW_PUBLISHED);
  if (!others)
    total += target + 11 * xb_shows(&c, XB_SHOW_CUMULATIVE) + 12 * xb_shows(&c, XB_SHOW_HOST_TIME);
  else
    total += xb_shows(&c, XB_SHOW_BESIDE) ? (others + 1) * target + 8 * others : 1 + c.on_width + target + 8;
  return (size_t)total;
}

/* Of each result that has any; 0: they differ. */
static size_t count_samples(const xb_group *group)
{
  size_t count = 0;
  for (const xb_result *r = group->results; r < group->results + group->count; r++)
    if (r->samples_ns.count && count && r->samples_ns.count != count)
      return 0;
    else if (r->samples_ns.count)
      count = r->samples_ns.count;
  return count;
}

static void survey(xb_columns *c)
{
  static const xb_metric bandwidth = {.name = "bandwidth", .unit = "GB/s"};
  char text[96];
  c->count = xb_group_targets(c->group, c->targets);
  for (size_t i = 0; i < c->group->count; i++) {
    const xb_result *r = &c->group->results[i];
    for (size_t m = c->metric_count; r->yardstick != 1 && m < r->metrics.count && m < XB_MOST_COLUMNS; m++)
      c->metrics[c->metric_count++] = &r->metrics.values[m];
    c->model |= !isnan(r->model.predicted);
    c->peak |= r->percent_of_peak > 0;
    c->published |= xb_format_published(c->group->benchmark, r, text);
    const int name = (int)strlen(xb_format_name(c, r, text)), on = (int)strlen(xb_format_target(r->on, text));
    c->short_name_width = name > c->short_name_width ? name : c->short_name_width;
    c->on_width = on > c->on_width ? on : c->on_width;
  }
  if (!c->metric_count)
    c->metrics[c->metric_count++] = &bandwidth;
}

void xb_lay_out_columns(xb_columns *c, const xb_table *table, const xb_group *group)
{
  *c = (xb_columns){.group = group, .sweep = table->sweep};
  survey(c);
  c->samples = count_samples(group);
  c->all = XB_SHOW_TITLES | XB_SHOW_OF_COPY | XB_SHOW_GROUP | XB_SHOW_STEP | XB_SHOW_INTERVAL | XB_SHOW_METRIC;
  c->all |= c->count == 1 ? XB_SHOW_HOST_TIME | XB_SHOW_CUMULATIVE : XB_SHOW_BESIDE;
  c->all |= (c->model ? XB_SHOW_MODEL : 0) | (c->metric_count > 1 ? XB_SHOW_MORE_METRICS : 0) |
            (c->sweep ? XB_SHOW_SHAPE : 0) | (c->peak ? XB_SHOW_OF_PEAK : 0) | (c->published ? XB_SHOW_PUBLISHED : 0) |
            (c->sweep || !c->samples ? XB_SHOW_SAMPLES : 0);
  c->shown = xb_fit_columns(c->all, width, c);
  c->name_width = xb_shows(c, XB_SHOW_TITLES) ? TITLE_WIDTH : c->short_name_width;
}

void xb_print_left_out(const xb_columns *c)
{
  if (c->all & ~c->shown & ~(unsigned)(XB_SHOW_TITLES | XB_SHOW_SHAPE | XB_SHOW_BESIDE))
    printf("some columns are left out; --wide shows all\n");
}

/* ---- Heads ------------------------------------------------------------------------------------------------------- */

/* The columns of a target. */
static void print_target_heads(const xb_columns *c)
{
  printf("%11s", "time");
  if (xb_shows(c, XB_SHOW_INTERVAL))
    printf(" %7s", "+-95 %");
  if (xb_shows(c, XB_SHOW_METRIC))
    printf(" %9.9s", c->metrics[0]->unit);
  if (xb_shows(c, XB_SHOW_OF_COPY))
    printf(" %7s", "of copy");
  if (xb_shows(c, XB_SHOW_OF_PEAK))
    printf(" %7s", "of peak");
  if (xb_shows(c, XB_SHOW_STEP))
    printf(" %6s", "step");
  for (size_t m = 1; m < c->metric_count && xb_shows(c, XB_SHOW_MORE_METRICS); m++)
    printf(" %12.12s", c->metrics[m]->unit);
  if (xb_shows(c, XB_SHOW_MODEL))
    printf(" %8s %8s", "of base", "model");
}

void xb_print_column_heads(const xb_columns *c)
{
  const char *sweep = xb_shows(c, XB_SHOW_SHAPE) ? "          n dtype   " : "";
  const xb_result_benchmark *b = c->group->benchmark;
  const bool all = xb_terminal_limit() == SIZE_MAX, beside = c->count > 1 && xb_shows(c, XB_SHOW_BESIDE);
  const int before =
      c->name_width + 6 * xb_shows(c, XB_SHOW_GROUP) + 10 * xb_shows(c, XB_SHOW_PUBLISHED) + 8 * (int)b->axes.count;
  char name[32];
  if (beside) {
    printf("%*s%*s", (int)strlen(sweep), "", before, "");
    for (size_t d = 0; d < c->count; d++)
      printf(" | %-*s", xb_target_width(c), xb_format_target(c->targets[d], name));
    printf("%*s | ratio\n", 8 * xb_shows(c, XB_SHOW_SAMPLES), "");
  }
  printf("%s%-*s", sweep, c->name_width, "variant");
  for (size_t a = 0; a < b->axes.count; a++)
    printf(" %7.7s", b->axes.values[a].name);
  if (xb_shows(c, XB_SHOW_GROUP))
    printf(" %5s", "group");
  if (xb_shows(c, XB_SHOW_PUBLISHED))
    printf(" %9s", "other GPU"); /* its published figure */
  if (c->count > 1 && !beside)
    printf(" %-*s", c->on_width, "on");
  for (size_t d = 0; d < (beside ? c->count : 1); d++) {
    printf("%s", beside ? " | " : "   ");
    print_target_heads(c);
  }
  if (xb_shows(c, XB_SHOW_CUMULATIVE))
    printf(" %10s", "cumulative");
  if (xb_shows(c, XB_SHOW_HOST_TIME))
    printf(" %11s", "host time");
  if (xb_shows(c, XB_SHOW_SAMPLES))
    printf(" %7s", "samples");
  for (size_t d = 1; d < c->count && all; d++)
    printf(" | %s / %s", xb_format_target(c->targets[d], name), c->targets[0]->backend);
  for (size_t d = 1; d < c->count && !all && (beside || d == 1); d++)
    printf(" | ratio");
  printf("\n");
}
