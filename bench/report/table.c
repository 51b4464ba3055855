/* The deck's table: rung, time, bandwidth, step speedup, cumulative speedup; one line a cell. */
#include "report/format.h"
#include "report/results.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const char *const QUEUE_WORDS[] = {"", " (compute only)", " (with graphics)"};

static void print_device(const xb_device_info *info)
{
  const xb_queue_info *queue = &info->queues[XB_QUEUE_COMPUTE];
  printf("%s on %s, %s %s; queue family %u%s, subgroups of %u\n", info->backend, info->name, info->driver,
         info->api_version, queue->family, QUEUE_WORDS[queue->graphics ? 2 : 1], info->subgroup_size);
}

static void print_heading(xb_table *table, const xb_group *group)
{
  char size[48];
  const xb_device *device = NULL;
  for (size_t i = 0; i < group->count && !table->headed; i++) {
    if (group->cells[i].workload->device != device)
      print_device(xb_device_get_info(group->cells[i].workload->device));
    device = group->cells[i].workload->device;
  }
  xb_format_size(group->n, size, sizeof size);
  const char *cache = group->cells[0].cache == XB_CACHE_COLD ? "cold" : "hot";
  if (!table->sweep || !table->headed)
    printf("\n%s: %s; %s cache", group->entry->benchmark->name, group->entry->title, cache);
  if (!table->sweep)
    printf("; %s, n = %s", xb_dtype_name(group->dtype), size);
  if (!table->sweep || !table->headed)
    printf("\n\n%s%-49s %5s %11s %7s %12s %8s %7s %10s\n", table->sweep ? "          n dtype   " : "", "variant",
           "group", "time", "+-95 %", "bandwidth", "of copy", "step", "cumulative");
  table->headed = true;
}

static void format_ratio(double ratio, char *out, size_t out_bytes)
{
  snprintf(out, out_bytes, ratio > 0 ? "%.2fx" : "", ratio);
}

static const char *outcome_text(const xb_cell *cell)
{
  switch (cell->outcome) {
  case XB_CELL_WRONG: return "WRONG";
  case XB_CELL_FAILED: return "FAILED";
  default: return "interrupted";
  }
}

/* The next finished variant of the same benchmark and device before this one, or the first one of all. */
static const xb_cell *earlier(const xb_group *group, const xb_cell *cell, bool first)
{
  const xb_cell *found = NULL;
  for (const xb_cell *c = group->cells; c < cell && !(first && found); c++)
    if (c->benchmark == cell->benchmark && c->workload->device == cell->workload->device && c->outcome == XB_CELL_OK)
      found = c;
  return found;
}

static void print_cell(const xb_table *table, const xb_group *group, const xb_cell *cell)
{
  char title[80], group_size[16] = "", time[24] = "", step[16] = "", cumulative[16] = "";
  snprintf(title, sizeof title, "%s%s%u %s", cell->ceiling ? cell->benchmark->name : "", cell->ceiling ? "/" : "",
           cell->c.variant->number, cell->c.variant->title);
  if (cell->c.variant->has_kernel)
    snprintf(group_size, sizeof group_size, "%u", cell->c.block);
  if (table->sweep)
    printf("%11" PRIu64 " %-7s ", cell->c.n, xb_dtype_name(cell->c.dtype));
  printf("%-49.49s %5s ", title, group_size);
  if (cell->outcome != XB_CELL_OK) {
    printf("%s: %s\n", outcome_text(cell), cell->error.code ? cell->error.message : "not measured");
    return;
  }
  const double median = cell->device.median, copy = xb_copy_gbps(group, cell->workload->device);
  const xb_cell *before = cell->ceiling ? NULL : earlier(group, cell, false);
  const xb_cell *first = cell->ceiling ? NULL : earlier(group, cell, true);
  xb_format_time(median, time, sizeof time);
  format_ratio(before ? before->device.median / median : 0, step, sizeof step);
  format_ratio(first ? first->device.median / median : 0, cumulative, sizeof cumulative);
  printf("%11s %5.1f %% %7.4g GB/s ", time, 50 * (cell->device.ci95_high - cell->device.ci95_low) / median,
         xb_cell_gbps(cell));
  if (copy > 0)
    printf("%6.0f %% ", 100 * xb_cell_gbps(cell) / copy);
  else
    printf("%8s ", "");
  printf("%7s %10s\n", step, cumulative);
}

void xb_table_group(xb_table *table, const xb_group *group)
{
  print_heading(table, group);
  for (size_t i = 0; i < group->count; i++)
    print_cell(table, group, &group->cells[i]);
  fflush(stdout);
}
