/* xbench occupancy: how many groups of a kernel a multiprocessor holds at a time, for each group size: computed from
 * what the kernel needs, told by the driver, and counted by kernels that count themselves (benchmarks/resident). */
#include "commands/selection.h"
#include "commands/subcommands.h"
#include "measure/cell_groups.h"
#include "measure/occupancy.h"
#include "measure/verify.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void print_count(uint64_t value, bool known, int width)
{
  if (known)
    printf(" %*llu", width, (unsigned long long)value);
  else
    printf(" %*s", width, "-");
}

/* What a limit allows; "-" if it does not limit. */
static void print_limit(uint32_t groups, bool known)
{
  print_count(groups, known && groups != UINT32_MAX, 9);
}

/* Groups that a multiprocessor held, if the kernel counted them; NAN otherwise. */
static double measured(const xb_cell *cell)
{
  xb_metric metrics[XB_MAX_METRICS];
  const xb_methods *methods = cell->c.variant->benchmark->methods;
  const size_t count =
      cell->verdict.verified && methods->metrics ? methods->metrics(&cell->c, &cell->plan, 1, metrics) : 0;
  for (size_t i = 0; i < count; i++)
    if (!strcmp(metrics[i].unit, "groups/SM"))
      return metrics[i].value;
  return NAN;
}

static void print_kernel(const xb_cell *cell)
{
  char at[XB_AT_TEXT] = "";
  const xb_benchmark *b = cell->c.variant->benchmark;
  const xb_kernel_info *k = xb_kernel_get_info(cell->buffers.kernels[0]);
  xb_multiprocessor m;
  const bool known = xb_multiprocessor_of(cell->c.device, k->subgroup_size, &m) && k->registers;
  const xb_occupancy o = known ? xb_occupancy_of(&m, cell->c.block, k->registers, k->shared_bytes) : (xb_occupancy){0};
  const double counted = measured(cell);
  for (size_t i = 0, end = 0; i < b->axis_count && end < sizeof at; i++)
    end += (size_t)snprintf(at + end, sizeof at - end, " %s=%u", b->axes[i].name, cell->c.at[i]);
  printf("%-8s %5u", cell->c.device->backend, cell->c.block);
  print_count(k->registers, k->registers, 9);
  print_count(k->shared_bytes, true, 9);
  print_count(k->spill_bytes, k->spills_known, 7);
  print_limit(o.by_threads, known);
  print_limit(o.by_registers, known);
  print_limit(o.by_shared, known);
  print_count(o.groups, known, 9);
  print_count(k->groups_per_multiprocessor, k->groups_per_multiprocessor, 6);
  if (isfinite(counted))
    printf(" %8.4g", counted);
  else
    printf(" %8s", "-");
  if (known)
    printf(" %9.1f %%", 100 * o.share);
  else
    printf(" %11s", "-");
  printf("  %u %s%s\n", cell->c.variant->number, cell->c.variant->name, at);
}

/* Returns the exit code. Only a counting kernel has to run: the others are created, which tells what they need. */
static int show_cell(xb_cell *cell)
{
  if (cell->yardstick || !xb_has_kernel(cell->c.variant))
    return XB_EXIT_OK;
  if (cell->verdict.outcome == XB_CELL_PENDING)
    xb_cell_create(cell);
  if (cell->verdict.outcome == XB_CELL_PENDING && cell->c.variant->benchmark->methods->observe)
    xb_cell_verify(cell);
  if (cell->verdict.outcome == XB_CELL_PENDING && cell->plan.kernel_count) {
    print_kernel(cell);
    return XB_EXIT_OK;
  }
  printf("%-8s %5u  %u %s: %s\n", cell->c.device->backend, cell->c.block, cell->c.variant->number,
         cell->c.variant->name, cell->verdict.error.message);
  const int code = cell->verdict.outcome == XB_CELL_WRONG    ? XB_EXIT_WRONG
                   : cell->verdict.outcome == XB_CELL_FAILED ? xb_exit_code(cell->verdict.error.code)
                                                             : XB_EXIT_OK;
  xb_keep_reason(code, "%s/%u on %s: %s", cell->c.variant->benchmark->name, cell->c.variant->number,
                 cell->c.device->backend, cell->verdict.error.message);
  return code;
}

/* All selected variants of the benchmark, with groups of one size. */
static int show_block(const xb_choice *what, const xb_conditions *how, const xb_target *targets, size_t target_count,
                      const xb_benchmark *b)
{
  xb_workload workloads[XB_MAX_TARGETS] = {0};
  uint64_t window = how->window_bytes ? how->window_bytes : UINT64_MAX, cache = 0;
  int worst = XB_EXIT_OK;
  for (size_t t = 0; t < target_count; t++) {
    const xb_device_info *info = &targets[t].info;
    window = xb_largest_window(info) < window ? xb_largest_window(info) : window;
    cache = info->cache_bytes > cache ? info->cache_bytes : cache;
  }
  const xb_size size = xb_size_for(what, b, cache, 0);
  xb_cell_group group = {.benchmark = b,
                         .dtype = what->dtypes[0],
                         .n = size.rows * size.columns,
                         .rows = size.rows,
                         .columns = size.columns,
                         .inner = size.inner};
  group.cells = calloc(xb_cells_capacity(what, how, b, target_count), sizeof *group.cells);
  if (!group.cells)
    return xb_report_error(XB_EXIT_DEVICE, "out of host memory");
  xb_create_workloads(what, how, targets, target_count, window, 0, &group, workloads);
  for (size_t i = 0; i < group.count; i++) {
    const int code = group.cells[i].shared ? XB_EXIT_OK : show_cell(&group.cells[i]);
    worst = code ? code : worst;
    xb_cell_destroy(&group.cells[i]);
  }
  for (size_t t = 0; t < target_count; t++)
    xb_workload_destroy(&workloads[t]);
  free(group.cells);
  return worst;
}

int xb_command_occupancy_run(const xb_options *options)
{
  xb_target targets[XB_MAX_TARGETS] = {0};
  size_t count = 0;
  const xb_choice *what = options->what;
  xb_conditions how = options->how;
  const xb_benchmark *b = what->selected[0].variant->benchmark;
  bool any = false;
  for (size_t i = 0; i < what->selected_count; i++) {
    const xb_variant *v = what->selected[i].variant;
    if (v->benchmark != b)
      return xb_report_error(XB_EXIT_USAGE, "occupancy: name variants of one benchmark: %s or %s", b->name,
                             v->benchmark->name);
    if (what->selected[i].named && !xb_has_kernel(v))
      return xb_report_error(XB_EXIT_USAGE, "occupancy: %s/%u has no kernel: name one that has", b->name, v->number);
    any |= xb_has_kernel(v);
  }
  if (!any)
    return xb_report_error(XB_EXIT_USAGE, "occupancy: %s has no kernels: name another benchmark", b->name);
  int worst = xb_open_targets(&options->on, targets, &count);
  if (worst >= 0)
    return worst;
  worst = XB_EXIT_OK;
  printf("%s: groups that a multiprocessor holds at a time: computed, told by the driver, counted by the kernel\n"
         "%-8s %5s %9s %9s %7s %9s %9s %9s %9s %6s %8s %11s\n",
         b->name, "API", "group", "registers", "shared B", "spill B", "threads", "registers", "shared", "computed",
         "told", "counted", "occupancy");
  for (size_t i = 0; xb_block_at(b, i); i++) {
    if (options->how.block && options->how.block != xb_block_at(b, i))
      continue;
    how.block = xb_block_at(b, i);
    const int code = show_block(what, &how, targets, count, b);
    worst = code ? code : worst;
  }
  return xb_leave_targets(targets, count, worst) ? worst : XB_EXIT_DEVICE;
}
