/* Of a comparison: a line a pair (both times, ratio, interval, verdict), then the facts that explain it, from both
 * sides. */
#include "report/format.h"
#include "report/results.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { SWEEP_WIDTH = 20 }; /* of the columns for size and element type */

/* ---- Heading ---------------------------------------------------------------------------------------------------- */

/* Each target of the group once, with what is true of all its cells. */
static void print_targets(const xb_group *group)
{
  const xb_device_info *last = NULL;
  for (size_t i = 0; i < group->count; i++) {
    const xb_device_info *info = group->cells[i].c.device;
    if (info == last)
      continue;
    last = info;
    xb_print_target(info);
    const xb_cell *floor = xb_floor_cell(group->cells, group->count, info);
    char text[24];
    xb_format_time(floor ? floor->device.median : 0, text, sizeof text);
    if (floor)
      printf("  a dispatch takes at least %s (launch/1)\n", text);
  }
}

static void print_fact_heads(const xb_table *table)
{
  printf("%*s  %-46s %5s %9s %7s %6s %9s %6s %5s %6s %11s\n", table->sweep ? SWEEP_WIDTH : 0, "",
         "facts ('?': the API does not tell)", "group", "registers", "shared", "spills", "groups/SM", "code", "wave",
         "floor", "outliers");
}

static void print_heading(xb_table *table, const xb_group *group)
{
  char size[48];
  const xb_pair *first = group->comparison.count ? &group->comparison.pairs[0] : NULL;
  if (table->sweep && table->headed)
    return;
  if (!table->headed)
    print_targets(group);
  table->headed = true;
  if (group->benchmark->matrix)
    xb_format_shape(true, group->rows, group->columns, size, sizeof size);
  else
    xb_format_size(group->n, size, sizeof size);
  printf("\n%s: %s; %s cache", group->benchmark->name, group->benchmark->title,
         group->cells[0].cache == XB_CACHE_COLD ? "cold" : "hot");
  if (!table->sweep)
    printf("; %s, %s%s", xb_dtype_name(group->dtype), group->benchmark->matrix ? "" : "n = ", size);
  if (first)
    printf("; margin %.3g %%", 100 * first->margin);
  printf("\n\n%s%-54s %21s %21s %7s %17s  %-8s %s\n", table->sweep ? "          n dtype   " : "", "this / base", "time",
         "base's time", "ratio", "95 % interval", "verdict", "less floors");
  if (table->sweep)
    print_fact_heads(table);
}

/* ---- Pairs ------------------------------------------------------------------------------------------------------ */

static void format_side(const xb_cell *cell, char *out, size_t out_bytes)
{
  char target[32];
  xb_format_target(cell->c.device, target);
  snprintf(out, out_bytes, "%u_%s %s", cell->c.variant->number, cell->c.variant->name, target);
}

/* With the device's number where the other side's API is the same. */
static void format_target(const xb_device_info *info, const xb_device_info *other, char *out, size_t out_bytes)
{
  char target[32], other_target[32];
  xb_format_target(info, target);
  xb_format_target(other, other_target);
  if (!strcmp(target, other_target))
    snprintf(out, out_bytes, "%s device %u", target, info->index);
  else
    snprintf(out, out_bytes, "%s", target);
}

static void format_sides(const xb_pair *pair, char *out, size_t out_bytes)
{
  char subject[96], base[96];
  format_side(pair->subject, subject, sizeof subject);
  if (pair->base && pair->base->workload == pair->subject->workload &&
      pair->base->c.variant == pair->subject->c.variant)
    snprintf(base, sizeof base, "itself");
  else if (pair->base && pair->base->c.variant == pair->subject->c.variant)
    format_target(pair->base->c.device, pair->subject->c.device, base, sizeof base);
  else if (pair->base)
    format_side(pair->base, base, sizeof base);
  else
    snprintf(base, sizeof base, "nothing");
  snprintf(out, out_bytes, "%s / %s", subject, base);
}

static void print_time(const xb_cell *cell)
{
  char time[24];
  xb_format_time(cell->device.median, time, sizeof time);
  printf(" %12s +-%4.1f %%", time, 50 * (cell->device.ci95_high - cell->device.ci95_low) / cell->device.median);
}

static void print_pair(const xb_table *table, const xb_pair *pair)
{
  char sides[208], shape[48];
  const xb_case *c = &pair->subject->c;
  format_sides(pair, sides, sizeof sides);
  xb_format_shape(pair->subject->c.variant->benchmark->matrix, c->rows, c->columns, shape, sizeof shape);
  if (table->sweep)
    printf("%11s %-7s ", shape, xb_dtype_name(c->dtype));
  printf("%-54s", sides);
  if (!pair->compared) {
    const xb_cell *bad = pair->subject->outcome != XB_CELL_OK || !pair->base ? pair->subject : pair->base;
    printf(" not compared: %s%s%s\n", pair->reason, bad->error.code ? ": " : "",
           bad->error.code ? bad->error.message : "");
    return;
  }
  print_time(pair->subject);
  print_time(pair->base);
  printf(" %7.3f  [%6.3f, %6.3f]  %-8s", pair->ratio, pair->interval.low, pair->interval.high,
         xb_verdict_name(pair->verdict));
  if (pair->ratio_less_floors > 0)
    printf(" %.3f", pair->ratio_less_floors);
  if (*pair->reason)
    printf(" (%s)", pair->reason);
  if (pair->subject->stopped_by && !strcmp(pair->subject->stopped_by, "interrupted"))
    printf(" interrupted");
  printf("\n");
}

/* ---- Facts ------------------------------------------------------------------------------------------------------ */

static void number(uint64_t value, char out[32])
{
  snprintf(out, 32, "%" PRIu64, value);
  if (!value)
    snprintf(out, 32, "?");
}

/* Columns as in the heading of print_facts. */
static void print_fact_line(const xb_table *table, const xb_group *group, const xb_cell *cell)
{
  char side[96], registers[32], groups[32], code[32], wave[32], spills[32] = "?", shared[32], floor[32] = "",
                                                                throttle[64] = "";
  const xb_kernel_info *k = xb_cell_kernel(cell) ? xb_kernel_get_info(xb_cell_kernel(cell)) : NULL;
  format_side(cell, side, sizeof side);
  printf("%*s  %-46s %5u", table->sweep ? SWEEP_WIDTH : 0, "", side,
         xb_has_kernel(cell->c.variant) ? cell->c.block : 0);
  if (k) {
    number(k->registers, registers);
    number(k->groups_per_multiprocessor, groups);
    number(k->code_bytes, code);
    number(k->subgroup_size, wave);
    if (k->spills_known)
      snprintf(spills, sizeof spills, "%u", k->spill_bytes);
    snprintf(shared, sizeof shared, "%u", k->shared_bytes);
    printf(" %9s %7s %6s %9s %6s %5s", registers, k->registers ? shared : "?", spills, groups, code, wave);
  } else {
    printf(" %9s %7s %6s %9s %6s %5s", "-", "-", "-", "-", "-", "-");
  }
  const double floor_ns = xb_floor_ns(group->cells, group->count, cell);
  if (floor_ns > 0)
    snprintf(floor, sizeof floor, "%.0f %%", 100 * floor_ns / cell->device.median);
  xb_throttle_names(cell->throttle, throttle, sizeof throttle);
  printf(" %6s %5zu/%-5zu %s%s%s%s\n", floor, cell->device.outliers, cell->sample_count,
         cell->warm ? "" : "not settled ", cell->crowded ? "placed once: memory was short " : "",
         *throttle ? "throttled: " : "", throttle);
}

static bool told(const xb_group *group, size_t pair, const xb_cell *cell)
{
  for (size_t i = 0; i < pair; i++)
    if (group->comparison.pairs[i].base == cell)
      return true;
  return false;
}

static void print_facts(const xb_table *table, const xb_group *group)
{
  if (!table->sweep) {
    printf("\n");
    print_fact_heads(table);
  }
  for (size_t i = 0; i < group->comparison.count; i++) {
    const xb_pair *pair = &group->comparison.pairs[i];
    if (pair->subject->outcome == XB_CELL_OK)
      print_fact_line(table, group, pair->subject);
    if (pair->base && pair->base->outcome == XB_CELL_OK && !told(group, i, pair->base))
      print_fact_line(table, group, pair->base);
  }
}

void xb_comparison_table(xb_table *table, const xb_group *group)
{
  print_heading(table, group);
  for (size_t i = 0; i < group->comparison.count; i++)
    print_pair(table, &group->comparison.pairs[i]);
  print_facts(table, group);
  fflush(stdout);
}

void xb_means_table(const xb_means *means)
{
  for (size_t i = 0; i < means->count; i++) {
    const xb_mean *m = &means->means[i];
    char subject[32], base[32], variant[64] = "";
    if (!m->compared)
      continue;
    const xb_interval interval = xb_mean_interval(m);
    xb_format_target(m->subject, subject);
    xb_format_target(m->base, base);
    if (m->base_variant)
      snprintf(variant, sizeof variant, "%u_%s ", m->base_variant->number, m->base_variant->name);
    printf("%s%s: %s / %s%s, geometric mean of %zu of %zu ratios: %.3f [%.3f, %.3f] %s\n", i ? "" : "\n",
           m->benchmark->name, subject, variant, base, m->compared, m->of, xb_mean_ratio(m), interval.low,
           interval.high, xb_verdict_name(xb_judge(interval, m->margin)));
  }
  fflush(stdout);
}
