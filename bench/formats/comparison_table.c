/* The table of a comparison: one line per pair (both times, ratio, interval, verdict), then the facts that explain the
 * ratios, for both sides. */
#include "formats/formats.h"
#include "formats/table_text.h"
#include "value_text.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { SWEEP_WIDTH = 20 }; /* width of the columns for size and element type */

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

static void print_fact_heads(const xb_table *table)
{
  printf("%*s  %-46s %5s %9s %7s %6s %9s %6s %5s %6s %11s\n", table->sweep ? SWEEP_WIDTH : 0, "",
         "facts ('?': the API does not report it)", "group", "registers", "shared", "spills", "groups/SM", "code",
         "wave", "floor", "outliers");
}

static void print_heading(xb_table *table, const xb_group *group)
{
  if (table->sweep && table->headed)
    return;
  if (!table->headed)
    print_targets(group);
  table->headed = true;
  xb_print_question(table, group);
  if (group->comparison_count)
    printf("; margin %.3g %%", 100 * group->comparisons[0].margin);
  printf("\n\n%s%-54s %21s %21s %7s %17s  %-8s %s\n", table->sweep ? "          n dtype   " : "", "this / base", "time",
         "base's time", "ratio", "95 % interval", "verdict", "less floors");
  if (table->sweep)
    print_fact_heads(table);
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

static void print_sides(const xb_comparison *c)
{
  char subject[XB_SIDE_TEXT], base[XB_SIDE_TEXT], sides[2 * XB_SIDE_TEXT];
  const bool same = c->base && !strcmp(c->base->variant, c->subject->variant);
  if (same && c->base->on == c->subject->on)
    snprintf(base, sizeof base, "itself");
  else if (same)
    format_target(c->base->on, c->subject->on, base, sizeof base);
  else if (c->base)
    xb_format_side(c->base, base);
  else
    snprintf(base, sizeof base, "nothing");
  snprintf(sides, sizeof sides, "%s / %s", xb_format_side(c->subject, subject), base);
  printf("%-54s", sides);
}

static void print_time(const xb_result *r)
{
  char time[24];
  printf(" %12s +-%4.1f %%", xb_format_time(r->median_ns, time, sizeof time), xb_half_interval(r));
}

static void print_pair(const xb_table *table, const xb_comparison *c)
{
  char reason[XB_PAIR_TEXT];
  xb_print_shape(table, c->subject);
  print_sides(c);
  xb_format_reason(c, reason);
  if (!c->verdict) {
    printf(" not compared: %s\n", reason);
    return;
  }
  print_time(c->subject);
  print_time(c->base);
  printf(" %7.3f  [%6.3f, %6.3f]  %-8s", c->ratio, c->ci95_ratio.low, c->ci95_ratio.high, c->verdict);
  if (c->ratio_less_floors > 0)
    printf(" %.3f", c->ratio_less_floors);
  if (*reason)
    printf(" (%s)", reason);
  if (c->subject->stopped_by && !strcmp(c->subject->stopped_by, "interrupted"))
    printf(" interrupted");
  printf("\n");
}

/* ---- Facts ------------------------------------------------------------------------------------------------------ */

static const char *number(uint64_t value, const char *unknown, char out[32])
{
  snprintf(out, 32, "%" PRIu64, value);
  return value ? out : unknown;
}

/* The columns are those of print_fact_heads(). */
static void print_fact_line(const xb_table *table, const xb_result *r)
{
  const char *unknown = r->block ? "?" : "-", *once = xb_result_placed_once(r);
  char side[XB_SIDE_TEXT], registers[32], shared[32], spills[32], groups[32], code[32], wave[32], floor[32] = "";
  snprintf(shared, sizeof shared, "%" PRIu64, r->shared_bytes);
  snprintf(spills, sizeof spills, "%" PRId64, r->spill_bytes);
  if (r->floor_ns > 0)
    snprintf(floor, sizeof floor, "%.0f %%", 100 * r->floor_ns / r->median_ns);
  printf("%*s  %-46s %5" PRIu64 " %9s %7s %6s %9s %6s %5s", table->sweep ? SWEEP_WIDTH : 0, "", xb_format_side(r, side),
         r->block, number(r->registers, unknown, registers), r->registers ? shared : unknown,
         r->spill_bytes >= 0 ? spills : unknown, number(r->groups_per_multiprocessor, unknown, groups),
         number(r->code_bytes, unknown, code), number(r->subgroup_size, unknown, wave));
  printf(" %6s %5" PRId64 "/%-5zu %s%s%s%s", floor, r->outliers, r->samples_ns.count,
         r->warm == 1 ? "" : "not settled ", once ? once : "", once ? " " : "", r->throttle.count ? "throttled: " : "");
  xb_print_throttle(r);
  printf("\n");
}

static bool already_printed(const xb_group *group, size_t pair, const xb_result *r)
{
  for (size_t i = 0; i < pair; i++)
    if (group->comparisons[i].base == r)
      return true;
  return false;
}

static void print_facts(const xb_table *table, const xb_group *group)
{
  if (!table->sweep) {
    printf("\n");
    print_fact_heads(table);
  }
  for (size_t i = 0; i < group->comparison_count; i++) {
    const xb_comparison *c = &group->comparisons[i];
    if (c->subject->outcome == XB_CELL_OK)
      print_fact_line(table, c->subject);
    if (c->base && c->base->outcome == XB_CELL_OK && !already_printed(group, i, c->base))
      print_fact_line(table, c->base);
  }
}

void xb_comparison_table(xb_table *table, const xb_group *group)
{
  print_heading(table, group);
  for (size_t i = 0; i < group->comparison_count; i++)
    print_pair(table, &group->comparisons[i]);
  print_facts(table, group);
}
