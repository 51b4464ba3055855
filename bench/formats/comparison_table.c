/* The table of a comparison: one line per pair (both times, ratio, interval, verdict), then the facts that explain the
 * ratios, for both sides. */
#include "formats/comparison_table.h"

#include "base/fold.h"
#include "base/terminal.h"
#include "base/value_text.h"

#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { SWEEP_WIDTH = 20, SIDES_WIDTH = 54, FACT_NAME = 46 }; /* SWEEP_WIDTH: of the columns for size and element type */

/* The least important first. Without WIDE, a pair has two lines: its numbers are below its name. */
enum { WIDE = 1 << 0, LESS_FLOORS = 1 << 1, SAME_BITS = 1 << 2, BASE_TIME = 1 << 3 };

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
  const int time = c->pairs & WIDE ? 21 : 12;
  printf("%s%-*s%s", table->sweep ? "          n dtype   " : "", c->pairs & WIDE ? SIDES_WIDTH : 0, "this / base",
         c->pairs & WIDE ? "" : "\n   ");
  printf(" %*s", time, "time");
  if (c->pairs & BASE_TIME)
    printf(" %*s", time, "base's time");
  printf(" %7s %17s  ", "ratio", "95 % interval");
  printf("%-8s%s%s\n", "verdict", c->pairs & SAME_BITS ? " same bits" : "",
         c->pairs & LESS_FLOORS ? " less floors" : "");
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

static void print_time(const xb_pair_columns *c, const xb_result *r)
{
  char time[24];
  printf(" %12s", xb_format_time(r->median_ns, time, sizeof time));
  if (c->pairs & WIDE)
    printf(" +-%4.1f %%", xb_half_interval(r));
}

static void print_pair(const xb_table *table, const xb_pair_columns *columns, const xb_comparison *c)
{
  char reason[XB_PAIR_TEXT], sides[2 * XB_SIDE_TEXT];
  const bool wide = columns->pairs & WIDE;
  xb_print_shape(table, c->subject);
  printf("%-*s%s", wide ? SIDES_WIDTH : 0, format_sides(c, sides), wide ? "" : "\n   ");
  xb_format_reason(c, reason);
  if (!c->verdict) {
    printf(" not compared: %s%s%s\n", reason, c->same_bits >= 0 ? "; same bits: " : "",
           c->same_bits >= 0 ? xb_yes_no(c->same_bits) : "");
    return;
  }
  print_time(columns, c->subject);
  if (columns->pairs & BASE_TIME)
    print_time(columns, c->base);
  printf(" %7.3f  [%6.3f, %6.3f]  %-8s", c->ratio, c->ci95_ratio.low, c->ci95_ratio.high, c->verdict);
  if (columns->pairs & SAME_BITS)
    printf(" %-9s", xb_yes_no(c->same_bits));
  if (c->ratio_less_floors > 0 && columns->pairs & LESS_FLOORS)
    printf(" %.3f [%.3f, %.3f]", c->ratio_less_floors, c->ci95_ratio_less_floors.low, c->ci95_ratio_less_floors.high);
  if (*reason)
    printf("%s(%s)", xb_fold_here(), reason);
  if (c->subject->stopped_by && !strcmp(c->subject->stopped_by, "interrupted"))
    printf(" interrupted");
  printf("\n");
}

/* ---- Layout ----------------------------------------------------------------------------------------------------- */

static size_t width(const void *table, unsigned shown)
{
  const xb_pair_columns *c = table;
  const size_t time = shown & WIDE ? 22 : 13, before = shown & WIDE ? (size_t)c->before_facts + SIDES_WIDTH : 3;
  return before + time + (shown & BASE_TIME ? time : 0) + 36 + (shown & SAME_BITS ? 10 : 0) +
         (shown & LESS_FLOORS ? 21 : 0);
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
  const unsigned all = WIDE | LESS_FLOORS | SAME_BITS | BASE_TIME;
  char text[XB_SIDE_TEXT];
  *c = (xb_pair_columns){.group = group, .before_facts = table->sweep ? SWEEP_WIDTH : 0, .fact_name_width = FACT_NAME};
  c->pairs = xb_fit_columns(all, width, c);
  c->left_out = (c->pairs | WIDE) != all;
  c->has_times = c->pairs & WIDE;
  if (xb_terminal_limit() != SIZE_MAX) {
    c->before_facts = c->fact_name_width = 0;
    for (size_t i = 0; i < group->count; i++)
      if (xb_is_side(group, &group->results[i])) {
        const int side = (int)strlen(xb_format_side(&group->results[i], text));
        c->fact_name_width = side > c->fact_name_width ? side : c->fact_name_width;
      }
  }
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
  lay_out(&c, table, group);
  print_heading(table, &c);
  for (size_t i = 0; i < group->comparison_count; i++)
    print_pair(table, &c, &group->comparisons[i]);
  print_facts(table, &c);
}
