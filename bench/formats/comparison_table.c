/* The table of a comparison: one line per pair (both times, ratio, interval, verdict), then the facts that explain the
 * ratios, for both sides. */
#include "formats/comparison_table.h"

#include "fold.h"
#include "terminal.h"
#include "value_text.h"

#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { SWEEP_WIDTH = 20, MOST_SIDES = 54, FACT_NAME = 46 }; /* SWEEP_WIDTH: of the columns for size and element type */

/* The least important first. The sides, the ratio and the verdict always stay. */
enum {
  WIDE_SIDES = 1 << 0,
  LESS_FLOORS = 1 << 1,
  TIME_INTERVALS = 1 << 2,
  BASE_TIME = 1 << 3,
  TIME = 1 << 4,
  SHAPE = 1 << 5, /* otherwise: on a line above the group */
  ONE_LINE = 1 << 6,
  INTERVAL = 1 << 7,
  ALL = 2 * INTERVAL - 1
};

/* ---- Heading ---------------------------------------------------------------------------------------------------- */

/* Each target of the group once, with the facts that all of its cells share. */
static void print_targets(const xb_group *group)
{
  const xb_result_device *targets[XB_MOST_COLUMNS];
  const size_t count = xb_group_targets(group, targets);
  for (size_t t = 0; t < count; t++) {
    xb_print_target(targets[t]);
    for (size_t i = 0; i < group->count; i++) {
      const xb_result *r = &group->results[i];
      char text[24];
      if (r->on != targets[t] || r->yardstick != 1 || r->floor != 1 || r->outcome != XB_CELL_OK)
        continue;
      printf("  a dispatch takes at least %s (%s/%" PRIu64 ")\n", xb_format_time(r->median_ns, text, sizeof text),
             r->benchmark, r->variant_number);
    }
  }
}

static void print_heads(const xb_table *table, const xb_pair_columns *c)
{
  const int time = c->pairs & TIME_INTERVALS ? 21 : 12;
  printf("%s%-*s", table->sweep && c->pairs & SHAPE ? "          n dtype   " : "", c->sides_width, "this / base");
  printf(c->pairs & ONE_LINE ? "" : "\n   ");
  if (c->pairs & TIME)
    printf(" %*s", time, "time");
  if (c->pairs & BASE_TIME)
    printf(" %*s", time, "base's time");
  printf(" %7s", "ratio");
  if (c->pairs & INTERVAL)
    printf(" %17s", "95 % interval");
  printf(c->pairs & LESS_FLOORS ? "  %-8s less floors\n" : "  %s\n", "verdict");
}

static void print_heading(xb_table *table, const xb_pair_columns *c)
{
  const xb_group *group = c->group;
  if (table->sweep && table->headed)
    return;
  if (!table->headed)
    print_targets(group);
  table->headed = true;
  xb_print_question(table, group);
  if (group->comparison_count)
    printf("; margin %.3g %%", 100 * group->comparisons[0].margin);
  printf("\n%s\n", c->left_out ? "some columns are left out; --wide shows all\n" : "");
  print_heads(table, c);
  if (table->sweep)
    xb_print_fact_heads(c);
}

/* ---- Pairs ------------------------------------------------------------------------------------------------------ */

/* With the device's name if both sides have the same API. */
static void format_target(const xb_result_device *on, const xb_result_device *other, char *out, size_t out_bytes)
{
  char target[32], other_target[32];
  xb_format_target(on, target);
  if (!strcmp(target, xb_format_target(other, other_target)))
    snprintf(out, out_bytes, "%s on %s", target, on->name);
  else
    snprintf(out, out_bytes, "%s", target);
}

static const char *format_sides(const xb_comparison *c, char out[2 * XB_SIDE_TEXT])
{
  char subject[XB_SIDE_TEXT], base[XB_SIDE_TEXT];
  const bool same = c->base && !strcmp(c->base->variant, c->subject->variant);
  if (same && c->base->on == c->subject->on)
    snprintf(base, sizeof base, "itself");
  else if (same)
    format_target(c->base->on, c->subject->on, base, sizeof base);
  else if (c->base)
    xb_format_side(c->base, base);
  else
    snprintf(base, sizeof base, "nothing");
  snprintf(out, 2 * XB_SIDE_TEXT, "%s / %s", xb_format_side(c->subject, subject), base);
  return out;
}

static void print_time(const xb_pair_columns *c, unsigned column, const xb_result *r)
{
  char time[24];
  if (c->pairs & column)
    printf(" %12s", xb_format_time(r->median_ns, time, sizeof time));
  if (c->pairs & column && c->pairs & TIME_INTERVALS)
    printf(" +-%4.1f %%", xb_half_interval(r));
}

static const char *colour_of(const char *verdict)
{
  return xb_terminal_colour(!strcmp(verdict, "slower")    ? XB_RED
                            : !strcmp(verdict, "faster")  ? XB_GREEN
                            : !strcmp(verdict, "unclear") ? XB_YELLOW
                                                          : "");
}

static void print_pair(const xb_table *table, const xb_pair_columns *columns, const xb_comparison *c)
{
  char reason[XB_PAIR_TEXT], sides[2 * XB_SIDE_TEXT];
  if (columns->pairs & SHAPE)
    xb_print_shape(table, c->subject);
  printf("%-*s", columns->sides_width, format_sides(c, sides));
  printf(columns->pairs & ONE_LINE ? "" : "\n   ");
  xb_format_reason(c, reason);
  if (!c->verdict) {
    printf(" not compared: %s\n", reason);
    return;
  }
  print_time(columns, TIME, c->subject);
  print_time(columns, BASE_TIME, c->base);
  printf(" %7.3f", c->ratio);
  if (columns->pairs & INTERVAL)
    printf("  [%6.3f, %6.3f]", c->ci95_ratio.low, c->ci95_ratio.high);
  const char *colour = colour_of(c->verdict);
  printf("  %s%-8s%s", colour, c->verdict, *colour ? XB_NO_COLOUR : "");
  if (c->ratio_less_floors > 0 && columns->pairs & LESS_FLOORS)
    printf(" %.3f", c->ratio_less_floors);
  if (*reason)
    printf(XB_FOLD "(%s)", reason);
  if (c->subject->stopped_by && !strcmp(c->subject->stopped_by, "interrupted"))
    printf(" interrupted");
  printf("\n");
}

/* ---- Layout ----------------------------------------------------------------------------------------------------- */

static size_t width(const void *table, unsigned shown)
{
  const xb_pair_columns *c = table;
  const size_t time = shown & TIME_INTERVALS ? 22 : 13, shape = shown & SHAPE ? (size_t)c->before_facts : 0;
  const size_t sides = shape + (shown & WIDE_SIDES ? MOST_SIDES : (size_t)c->sides_width);
  const size_t numbers = (shown & TIME ? time : 0) + (shown & BASE_TIME ? time : 0) + 8 + (shown & INTERVAL ? 18 : 0) +
                         10 + (shown & LESS_FLOORS ? 12 : 0);
  if (shown & ONE_LINE)
    return sides + numbers;
  return shape && sides > 3 + numbers ? sides : 3 + numbers;
}

bool xb_is_side(const xb_group *group, const xb_result *r)
{
  for (size_t i = 0; i < group->comparison_count; i++)
    if (group->comparisons[i].subject == r || group->comparisons[i].base == r)
      return r->outcome == XB_CELL_OK;
  return false;
}

static void lay_out(xb_pair_columns *c, const xb_table *table, const xb_group *group)
{
  *c = (xb_pair_columns){.group = group, .before_facts = table->sweep ? SWEEP_WIDTH : 0};
  char text[2 * XB_SIDE_TEXT];
  for (size_t i = 0; i < group->comparison_count; i++) {
    const int sides = (int)strlen(format_sides(&group->comparisons[i], text));
    c->sides_width = sides > c->sides_width ? sides : c->sides_width;
  }
  for (size_t i = 0; i < group->count; i++) {
    const int side = xb_is_side(group, &group->results[i]) ? (int)strlen(xb_format_side(&group->results[i], text)) : 0;
    c->fact_name_width = side > c->fact_name_width ? side : c->fact_name_width;
  }
  c->pairs = xb_fit_columns(ALL, width, c);
  c->left_out = !(c->pairs & LESS_FLOORS);
  c->has_times = c->pairs & TIME && c->pairs & BASE_TIME && c->pairs & TIME_INTERVALS;
  c->sides_width = !(c->pairs & ONE_LINE) ? 0 : c->pairs & WIDE_SIDES ? MOST_SIDES : c->sides_width;
  if (xb_terminal_limit() == SIZE_MAX)
    c->fact_name_width = FACT_NAME;
  else
    c->before_facts = 0;
  xb_lay_out_facts(c);
}

/* ---- Facts ------------------------------------------------------------------------------------------------------ */

static bool already_printed(const xb_group *group, size_t pair, const xb_result *r)
{
  for (size_t i = 0; i < pair; i++)
    if (group->comparisons[i].base == r)
      return true;
  return false;
}

static void print_facts(const xb_table *table, const xb_pair_columns *columns)
{
  const xb_group *group = columns->group;
  if (!table->sweep) {
    printf("\n");
    xb_print_fact_heads(columns);
  }
  for (size_t i = 0; i < group->comparison_count; i++) {
    const xb_comparison *c = &group->comparisons[i];
    if (c->subject->outcome == XB_CELL_OK)
      xb_print_facts(columns, c->subject);
    if (c->base && c->base->outcome == XB_CELL_OK && !already_printed(group, i, c->base))
      xb_print_facts(columns, c->base);
  }
}

void xb_comparison_table(xb_table *table, const xb_group *group)
{
  xb_pair_columns c;
  char shape[48];
  lay_out(&c, table, group);
  print_heading(table, &c);
  if (table->sweep && !(c.pairs & SHAPE))
    printf("%s, %s:\n", xb_format_result_shape(&group->results[0], shape, sizeof shape), group->results[0].dtype);
  for (size_t i = 0; i < group->comparison_count; i++)
    print_pair(table, &c, &group->comparisons[i]);
  print_facts(table, &c);
}
