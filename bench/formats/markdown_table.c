/* Tables in Markdown: one line per cell or per pair. */
#include "base/value_text.h"
#include "formats/markdown_text.h"
#include "formats/printer.h"
#include "formats/table_text.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static void print_shape(const xb_result *r)
{
  char shape[48];
  printf(" %s | %s |", r->dtype, xb_format_result_shape(r, shape, sizeof shape));
}

/* The time, with half of its interval in percent. */
static void print_time(const xb_result *r)
{
  char time[24];
  printf(" %s%s ± %.1f %% |", r->counterpart ? "~ " : "", xb_format_time(r->median_ns, time, sizeof time),
         xb_half_interval(r));
}

static void print_heading(xb_table *table, const xb_group *group)
{
  if (!table->headed)
    printf("\n### %s: %s; %s cache\n\n", group->benchmark->name, group->benchmark->title, group->results[0].cache);
}

/* ---- Runs ------------------------------------------------------------------------------------------------------- */

/* The unit of the heading is not repeated. */
static void print_metrics(const xb_table *table, const xb_result *r)
{
  for (size_t m = 0; m < r->metrics.count; m++) {
    const xb_metric *metric = &r->metrics.values[m];
    const bool said = !m && !strcmp(metric->unit, table->unit);
    printf("%s %.4g%s", m ? "," : "", metric->value, said ? "" : " ");
    if (!said)
      xb_print_markdown(stdout, metric->unit);
  }
}

static void print_model(const xb_result_model *model)
{
  if (!isnan(model->measured))
    printf("%.0f %% of base, ", 100 * model->measured);
  printf("model %.0f %%", 100 * model->predicted);
}

static void print_result(const xb_table *table, const xb_group *group, const xb_result *r)
{
  char target[32], text[XB_SIDE_TEXT];
  const bool timed = r->outcome == XB_CELL_OK;
  snprintf(text, sizeof text, "%s/%s", r->benchmark, r->variant);
  printf("| ");
  xb_print_markdown(stdout, text);
  printf(" | %s |", xb_format_target(r->on, target));
  print_shape(r);
  for (size_t a = 0; a < group->benchmark->axes.count; a++)
    if (a < r->at.count)
      printf(" %" PRId64 " |", r->at.values[a].value);
    else
      printf(" |");
  if (r->block)
    printf(" %" PRIu64, r->block);
  printf(" |");
  if (timed)
    print_time(r);
  else
    printf(" |");
  if (timed)
    print_metrics(table, r);
  printf(" |");
  if (r->percent_of_copy > 0)
    printf(" %.0f %%", r->percent_of_copy);
  printf(" | ");
  if (!timed) {
    printf("%s: ", xb_outcome_name(r->outcome));
    xb_print_markdown(stdout, xb_result_why(r));
  } else if (r->on->emulated == 1) {
    printf("emulated");
  } else if (r->remark) {
    xb_print_markdown(stdout, r->remark);
  } else if (r->throttle.count) {
    printf("throttled: ");
    xb_print_throttle(r);
  } else if (r->crowded == 1) {
    printf("placed once: not enough memory");
  } else if (r->counterpart) {
    printf("nearest: ");
    xb_print_markdown(stdout, r->reason);
  } else if (!isnan(r->model.predicted)) {
    print_model(&r->model);
  } else if (xb_result_placed_once(r)) {
    printf("%s", xb_result_placed_once(r));
  }
  printf(" |\n");
}

/* The unit of the first result that has a metric. */
static void choose_unit(xb_table *table, const xb_group *group)
{
  snprintf(table->unit, sizeof table->unit, "GB/s");
  for (size_t i = group->count; i-- > 0;)
    if (group->results[i].yardstick != 1 && group->results[i].metrics.count)
      snprintf(table->unit, sizeof table->unit, "%s", xb_result_unit(&group->results[i]));
}

void xb_markdown_group(xb_table *table, const xb_group *group)
{
  const xb_result_benchmark *b = group->benchmark;
  print_heading(table, group);
  if (!table->headed) {
    choose_unit(table, group);
    printf("| variant | API | type | size |");
    for (size_t a = 0; a < b->axes.count; a++)
      printf(" %s |", b->axes.values[a].name);
    printf(" group | time | ");
    xb_print_markdown(stdout, table->unit);
    printf(" | of copy | |\n|---|---|---|--:|");
    for (size_t a = 0; a < b->axes.count; a++)
      printf("--:|");
    printf("--:|--:|--:|--:|---|\n");
  }
  table->headed = true;
  for (size_t i = 0; i < group->count; i++)
    print_result(table, group, &group->results[i]);
}

/* ---- Comparisons ------------------------------------------------------------------------------------------------ */

static void print_side(const xb_result *r)
{
  char text[XB_SIDE_TEXT];
  printf(" ");
  xb_print_markdown(stdout, r ? xb_format_side(r, text) : "nothing");
  printf(" |");
}

static void print_pair(const xb_comparison *c)
{
  const xb_result *sides[] = {c->subject, c->base};
  char reason[XB_PAIR_TEXT];
  printf("|");
  print_side(c->subject);
  print_side(c->base);
  print_shape(c->subject);
  for (int i = 0; i < 2; i++)
    if (sides[i] && sides[i]->outcome == XB_CELL_OK)
      print_time(sides[i]);
    else
      printf(" |");
  if (c->verdict)
    printf(" %.3f | %.3f to %.3f | %s | %s |", c->ratio, c->ci95_ratio.low, c->ci95_ratio.high, c->verdict,
           xb_yes_no(c->same_bits));
  else
    printf(" | | | %s |", xb_yes_no(c->same_bits));
  printf(" ");
  xb_print_markdown(stdout, xb_format_reason(c, reason));
  printf(" |\n");
}

void xb_markdown_comparison(xb_table *table, const xb_group *group)
{
  print_heading(table, group);
  if (!table->headed)
    printf("| this | base | type | size | time | base's time | ratio | 95 %% interval | verdict | same bits | |\n"
           "|---|---|---|--:|--:|--:|--:|---|---|---|---|\n");
  table->headed = true;
  for (size_t i = 0; i < group->comparison_count; i++)
    print_pair(&group->comparisons[i]);
}
