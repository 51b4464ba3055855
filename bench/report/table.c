/* The deck's table: rung, time, bandwidth, step speedup, cumulative speedup; one line a variant, and a group of columns
 * for each target (an API, in one launch mode). With several targets, the last columns are ratios of device time to the
 * first target's. */
#include "report/format.h"
#include "report/results.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { MAX_COLUMNS = 4 };
static const double FLOOR_MATTERS = 10; /* percent of the time */

/* The devices of a group, in the order of its cells. */
static size_t columns(const xb_group *group, const xb_device_info *devices[MAX_COLUMNS])
{
  size_t count = 0;
  for (size_t i = 0; i < group->count; i++) {
    const xb_device_info *info = group->cells[i].c.device;
    if ((!count || devices[count - 1] != info) && count < MAX_COLUMNS)
      devices[count++] = info;
  }
  return count;
}

/* ---- Heading ---------------------------------------------------------------------------------------------------- */

static void print_column_heads(const xb_table *table, const xb_device_info *const *devices, size_t count)
{
  const char *sweep = table->sweep ? "          n dtype   " : "";
  char name[32];
  if (count > 1) {
    printf("%*s%55s", (int)strlen(sweep), "", "");
    for (size_t d = 0; d < count; d++) {
      xb_format_target(devices[d], name);
      printf(" | %-43s", name);
    }
    printf(" | ratio\n");
  }
  printf("%s%-49s %5s", sweep, "variant", "group");
  for (size_t d = 0; d < count; d++)
    printf("%s%11s %7s %9s %7s %6s", count > 1 ? " | " : "   ", "time", "+-95 %", "GB/s", "of copy", "step");
  if (count == 1)
    printf(" %10s %11s", "cumulative", "host time");
  for (size_t d = 1; d < count; d++) {
    xb_format_target(devices[d], name);
    printf(" | %s / %s", name, devices[0]->backend);
  }
  printf("\n");
}

static void print_heading(xb_table *table, const xb_group *group, const xb_device_info *const *devices, size_t count)
{
  char size[48];
  if (table->sweep && table->headed)
    return;
  for (size_t d = 0; d < count && !table->headed; d++)
    xb_print_target(devices[d]);
  if (group->benchmark->matrix)
    xb_format_shape(true, group->rows, group->columns, size, sizeof size);
  else
    xb_format_size(group->n, size, sizeof size);
  printf("\n%s: %s; %s cache", group->benchmark->name, group->benchmark->title,
         group->cells[0].cache == XB_CACHE_COLD ? "cold" : "hot");
  if (!table->sweep)
    printf("; %s, %s%s", xb_dtype_name(group->dtype), group->benchmark->matrix ? "" : "n = ", size);
  printf("\n\n");
  print_column_heads(table, devices, count);
  table->headed = true;
}

/* ---- Lines ------------------------------------------------------------------------------------------------------ */

static const char *outcome_text(const xb_cell *cell)
{
  switch (cell->outcome) {
  case XB_CELL_WRONG: return "WRONG";
  case XB_CELL_FAILED: return "FAILED";
  case XB_CELL_UNSUPPORTED: return "not here";
  case XB_CELL_NO_COUNTERPART: return "no counterpart";
  default: return "interrupted";
  }
}

/* The next finished variant of the same benchmark and device before this one, or the first one of all. */
static const xb_cell *earlier(const xb_group *group, const xb_cell *cell, bool first)
{
  const xb_cell *found = NULL;
  for (const xb_cell *c = group->cells; c < cell && !(first && found); c++)
    if (c->c.variant->benchmark == cell->c.variant->benchmark && c->c.device == cell->c.device &&
        c->outcome == XB_CELL_OK)
      found = c;
  return found;
}

static void format_speedup(const xb_cell *before, const xb_cell *cell, char *out, size_t out_bytes)
{
  *out = 0;
  if (before && cell->c.variant->benchmark->ladder)
    snprintf(out, out_bytes, "%.2fx", before->device.median / cell->device.median);
}

static void print_measured(const xb_group *group, const xb_cell *cell)
{
  char time[24], step[16];
  const double median = cell->device.median, copy = xb_copy_gbps(group, cell->workload->device);
  xb_format_time(median, time, sizeof time);
  format_speedup(earlier(group, cell, false), cell, step, sizeof step);
  printf("%11s %5.1f %% ", time, 50 * (cell->device.ci95_high - cell->device.ci95_low) / median);
  if (cell->plan.bytes)
    printf("%9.4g ", xb_cell_gbps(cell));
  else
    printf("%9s ", "");
  if (copy > 0 && cell->plan.bytes)
    printf("%5.0f %% ", 100 * xb_cell_gbps(cell) / copy);
  else
    printf("%7s ", "");
  printf("%6s", step);
}

static const xb_cell *find_cell(const xb_group *group, const xb_cell *like, const xb_device_info *device)
{
  for (size_t i = 0; i < group->count; i++)
    if (group->cells[i].c.variant == like->c.variant && group->cells[i].c.device == device &&
        group->cells[i].yardstick == like->yardstick)
      return &group->cells[i];
  return NULL;
}

static void print_name(const xb_table *table, const xb_cell *cell)
{
  char title[80], group_size[16] = "", shape[48];
  snprintf(title, sizeof title, "%s%s%u %s", cell->yardstick ? cell->c.variant->benchmark->name : "",
           cell->yardstick ? "/" : "", cell->c.variant->number, cell->c.variant->title);
  if (xb_has_kernel(cell->c.variant))
    snprintf(group_size, sizeof group_size, "%u", cell->c.block);
  xb_format_shape(cell->c.variant->benchmark->matrix, cell->c.rows, cell->c.columns, shape, sizeof shape);
  if (table->sweep)
    printf("%11s %-7s ", shape, xb_dtype_name(cell->c.dtype));
  printf("%-49.49s %5s", title, group_size);
}

/* What a reader of the numbers should know beside them. */
static void print_notes(const xb_group *group, const xb_cell *cell, bool several)
{
  char target[32], throttle[64];
  const char *comma = "";
  const double floor = 100 * xb_floor_ns(group->cells, group->count, cell) / cell->device.median;
  const char *early = cell->stopped_by ? cell->stopped_by : "";
  const bool wide = !strcmp(early, "time limit") || !strcmp(early, "interrupted");
  if (floor < FLOOR_MATTERS && !cell->device.outliers && !cell->throttle && !wide && !cell->crowded)
    return;
  xb_format_target(cell->c.device, target);
  printf(" | %s%s", several ? target : "", several ? ": " : "");
  if (floor >= FLOOR_MATTERS)
    printf("%sfloor %.0f %%", comma, floor), comma = ", ";
  if (cell->device.outliers)
    printf("%s%zu of %zu far out", comma, cell->device.outliers, cell->sample_count), comma = ", ";
  xb_throttle_names(cell->throttle, throttle, sizeof throttle);
  if (cell->throttle)
    printf("%sTHROTTLED in %zu of %zu (%s)", comma, cell->throttled_samples, cell->sample_count, throttle),
        comma = ", ";
  if (cell->crowded)
    printf("%splaced once: memory was short", comma), comma = ", ";
  if (wide)
    printf("%s%s", comma, early);
}

/* One variant: its cell on each device; failures are told in full, behind the columns. */
static void print_line(const xb_table *table, const xb_group *group, const xb_cell *first,
                       const xb_device_info *const *devices, size_t count)
{
  char speedup[16], host[24];
  print_name(table, first);
  for (size_t d = 0; d < count; d++) {
    const xb_cell *cell = find_cell(group, first, devices[d]);
    printf("%s", count > 1 ? " | " : "   ");
    if (cell && cell->outcome == XB_CELL_OK)
      print_measured(group, cell);
    else if (count > 1)
      printf("%-44s", cell ? outcome_text(cell) : "");
  }
  if (count == 1 && first->outcome == XB_CELL_OK) {
    format_speedup(earlier(group, first, true), first, speedup, sizeof speedup);
    xb_format_time(first->host.median, host, sizeof host);
    printf(" %10s %11s", speedup, first->cache == XB_CACHE_COLD ? "" : host); /* cold: the flush would be in it */
  }
  for (size_t d = 1; d < count; d++) {
    const xb_cell *cell = find_cell(group, first, devices[d]);
    if (cell && cell->outcome == XB_CELL_OK && first->outcome == XB_CELL_OK)
      printf(" | %.3f", cell->device.median / first->device.median);
  }
  for (size_t d = 0; d < count; d++) {
    const xb_cell *cell = find_cell(group, first, devices[d]);
    if (cell && cell->outcome == XB_CELL_OK)
      print_notes(group, cell, count > 1);
    if (cell && cell->outcome != XB_CELL_OK)
      printf("%s%s: %s", count > 1 ? " | " : "", outcome_text(cell),
             cell->error.code ? cell->error.message : "not measured");
  }
  printf("\n");
}

void xb_table_group(xb_table *table, const xb_group *group)
{
  const xb_device_info *devices[MAX_COLUMNS];
  const size_t count = columns(group, devices);
  print_heading(table, group, devices, count);
  for (size_t i = 0; i < group->count && group->cells[i].c.device == devices[0]; i++)
    print_line(table, group, &group->cells[i], devices, count);
  fflush(stdout);
}
