/* One line a cell or a pair. */
#include "report/format.h"
#include "report/markdown.h"
#include "report/show.h"

#include <stdio.h>

static void print_shape(const xb_cell *cell)
{
  char shape[48];
  xb_format_shape(cell->c.variant->benchmark->matrix, cell->c.rows, cell->c.columns, shape, sizeof shape);
  printf(" %s | %s |", xb_dtype_name(cell->c.dtype), shape);
}

static void print_heading(xb_table *table, const xb_group *group, const char *columns)
{
  const bool cold = group->count && group->cells[0].cache == XB_CACHE_COLD;
  if (!table->headed)
    printf("\n### %s: %s; %s cache\n\n%s\n", group->benchmark->name, group->benchmark->title, cold ? "cold" : "hot",
           columns);
  table->headed = true;
}

/* Half the interval, as a part of the median. */
static void print_time(const xb_cell *cell)
{
  char time[24];
  const xb_stats *s = &cell->device;
  xb_format_time(s->median, time, sizeof time);
  printf(" %s ± %.1f %% |", time, 50 * (s->ci95_high - s->ci95_low) / s->median);
}

/* ---- Runs ------------------------------------------------------------------------------------------------------- */

static void print_cell(const xb_group *group, const xb_cell *cell)
{
  char target[32], text[64];
  const double copy = xb_copy_gbps(group, cell->workload->device), gbps = xb_cell_gbps(cell);
  const bool timed = cell->outcome == XB_CELL_OK;
  snprintf(text, sizeof text, "%s/%u_%s", cell->c.variant->benchmark->name, cell->c.variant->number,
           cell->c.variant->name);
  xb_format_target(cell->c.device, target);
  printf("| ");
  xb_print_markdown(stdout, text);
  printf(" | %s |", target);
  print_shape(cell);
  if (xb_has_kernel(cell->c.variant))
    printf(" %u", cell->c.block);
  printf(" |");
  if (timed)
    print_time(cell);
  else
    printf(" |");
  if (gbps > 0)
    printf(" %.4g", gbps);
  printf(" |");
  if (gbps > 0 && copy > 0)
    printf(" %.0f %%", 100 * gbps / copy);
  printf(" | ");
  if (!timed) {
    printf("%s: ", xb_outcome_name(cell->outcome));
    xb_print_markdown(stdout, cell->error.code ? cell->error.message : "not measured");
  } else if (cell->throttle) {
    xb_throttle_names(cell->throttle, text, sizeof text);
    printf("throttled: %s", text);
  } else if (cell->crowded) {
    printf("placed once: memory was short");
  }
  printf(" |\n");
}

void xb_markdown_group(xb_table *table, const xb_group *group)
{
  print_heading(
      table, group,
      "| variant | API | type | size | group | time | GB/s | of copy | |\n|---|---|---|--:|--:|--:|--:|--:|---|");
  for (size_t i = 0; i < group->count; i++)
    print_cell(group, &group->cells[i]);
}

/* ---- Comparisons ------------------------------------------------------------------------------------------------ */

static void print_side(const xb_cell *cell)
{
  char text[128], target[32];
  if (!cell) {
    printf(" nothing |");
    return;
  }
  xb_format_target(cell->c.device, target);
  snprintf(text, sizeof text, "%u_%s %s", cell->c.variant->number, cell->c.variant->name, target);
  printf(" ");
  xb_print_markdown(stdout, text);
  printf(" |");
}

static void print_pair(const xb_pair *pair)
{
  const xb_cell *cells[] = {pair->subject, pair->base};
  printf("|");
  print_side(pair->subject);
  print_side(pair->base);
  print_shape(pair->subject);
  for (int i = 0; i < 2; i++)
    if (cells[i] && cells[i]->outcome == XB_CELL_OK)
      print_time(cells[i]);
    else
      printf(" |");
  if (pair->compared)
    printf(" %.3f | %.3f to %.3f | %s |", pair->ratio, pair->interval.low, pair->interval.high,
           xb_verdict_name(pair->verdict));
  else
    printf(" | | |");
  printf(" ");
  xb_print_markdown(stdout, pair->reason);
  printf(" |\n");
}

void xb_markdown_comparison(xb_table *table, const xb_group *group)
{
  print_heading(table, group,
                "| this | base | type | size | time | base's time | ratio | 95 % interval | verdict | |\n"
                "|---|---|---|--:|--:|--:|--:|---|---|---|");
  for (size_t i = 0; i < group->comparison.count; i++)
    print_pair(&group->comparison.pairs[i]);
}

void xb_markdown_means(const xb_means *means)
{
  for (size_t i = 0; i < means->count; i++) {
    const xb_mean *m = &means->means[i];
    char subject[32], base[32];
    if (!m->compared)
      continue;
    const xb_interval interval = xb_mean_interval(m);
    xb_format_target(m->subject, subject);
    xb_format_target(m->base, base);
    printf("%s- %s: %s / ", i ? "" : "\n", m->benchmark->name, subject);
    if (m->base_variant) {
      printf("%u\\_", m->base_variant->number);
      xb_print_markdown(stdout, m->base_variant->name);
      printf(" ");
    }
    printf("%s, geometric mean of %zu of %zu ratios: %.3f (%.3f to %.3f) %s\n", base, m->compared, m->of,
           xb_mean_ratio(m), interval.low, interval.high, xb_verdict_name(xb_judge(interval, m->margin)));
  }
}
