/* xbench occupancy: how many groups of a kernel a multiprocessor holds at a time, for each group size: computed from
 * what the kernel needs, told by the driver, and counted by kernels that count themselves (benchmarks/resident). */
#include "base/fold.h"
#include "commands/subcommands.h"
#include "core/grow.h"
#include "measure/cell_groups.h"
#include "measure/occupancy.h"
#include "measure/verify.h"
#include "sheet/sheet.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A kernel with groups of one size on one API; NAN: unknown. */
typedef struct kernel_row {
  const char *api;
  double block, registers, shared_bytes, spill_bytes, by_threads, by_registers, by_shared, computed, told, counted,
      percent;
  char name[128], error[sizeof((xb_error *)0)->message]; /* error: why there is nothing */
} kernel_row;

static const kernel_row NOTHING_KNOWN = {.registers = NAN,
                                         .shared_bytes = NAN,
                                         .spill_bytes = NAN,
                                         .by_threads = NAN,
                                         .by_registers = NAN,
                                         .by_shared = NAN,
                                         .computed = NAN,
                                         .told = NAN,
                                         .counted = NAN,
                                         .percent = NAN};
static kernel_row *rows;
static size_t row_count, row_capacity;

/* What a limit allows; NAN if it does not limit. */
static double limit(uint32_t groups, bool known)
{
  return known && groups != UINT32_MAX ? groups : NAN;
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

static void name_row(const xb_cell *cell, kernel_row *r)
{
  const xb_benchmark *b = cell->c.variant->benchmark;
  size_t end = (size_t)snprintf(r->name, sizeof r->name, "%u %s", cell->c.variant->number, cell->c.variant->name);
  for (size_t i = 0; i < b->axis_count && end < sizeof r->name; i++)
    end += (size_t)snprintf(r->name + end, sizeof r->name - end, " %s=%u", b->axes[i].name, cell->c.at[i]);
}

static void describe_kernel(const xb_cell *cell, kernel_row *r)
{
  const xb_kernel_info *k = xb_kernel_get_info(cell->buffers.kernels[0]);
  xb_multiprocessor m;
  const uint32_t shared = k->shared_bytes + cell->c.idle_shared;
  const bool known = xb_multiprocessor_of(cell->c.device, k->subgroup_size, &m) && k->registers;
  const xb_occupancy o = known ? xb_occupancy_of(&m, cell->c.block, k->registers, shared) : (xb_occupancy){0};
  r->registers = k->registers ? k->registers : NAN;
  r->shared_bytes = shared;
  r->spill_bytes = k->spills_known ? (double)k->spill_bytes : NAN;
  r->by_threads = limit(o.by_threads, known);
  r->by_registers = limit(o.by_registers, known);
  r->by_shared = limit(o.by_shared, known);
  r->computed = known ? o.groups : NAN;
  r->told = k->groups_per_multiprocessor ? k->groups_per_multiprocessor : NAN;
  r->counted = measured(cell);
  r->percent = known ? 100 * o.share : NAN;
}

/* Returns the exit code. Only a counting kernel has to run: the others are created, which tells what they need. */
static int take_cell(xb_cell *cell)
{
  if (cell->yardstick || !xb_has_kernel(cell->c.variant))
    return XB_EXIT_OK;
  if (cell->verdict.outcome == XB_CELL_PENDING)
    xb_cell_create(cell);
  if (cell->verdict.outcome == XB_CELL_PENDING && cell->c.variant->benchmark->methods->observe)
    xb_cell_verify(cell);
  if (!xb_grow(&rows, &row_capacity, row_count, sizeof *rows))
    return xb_report_error(XB_EXIT_DEVICE, "out of host memory");
  kernel_row *r = &rows[row_count++];
  *r = NOTHING_KNOWN;
  r->api = cell->c.device->backend;
  r->block = cell->c.block;
  name_row(cell, r);
  if (cell->verdict.outcome == XB_CELL_PENDING && cell->plan.kernel_count) {
    describe_kernel(cell, r);
    return XB_EXIT_OK;
  }
  snprintf(r->error, sizeof r->error, "%s", cell->verdict.error.message);
  const int code = cell->verdict.outcome == XB_CELL_WRONG    ? XB_EXIT_WRONG
                   : cell->verdict.outcome == XB_CELL_FAILED ? xb_exit_code(cell->verdict.error.code)
                                                             : XB_EXIT_OK;
  xb_keep_reason(code, "%s/%u on %s: %s", cell->c.variant->benchmark->name, cell->c.variant->number,
                 cell->c.device->backend, cell->verdict.error.message);
  return code;
}

/* All selected variants of the benchmark, with groups of one size. */
static int take_block(const xb_choice *what, const xb_conditions *how, const xb_target *targets, size_t target_count,
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
    const int code = group.cells[i].shared ? XB_EXIT_OK : take_cell(&group.cells[i]);
    worst = code ? code : worst;
    xb_cell_destroy(&group.cells[i]);
  }
  for (size_t t = 0; t < target_count; t++)
    xb_workload_destroy(&workloads[t]);
  free(group.cells);
  return worst;
}

/* ---- The table -------------------------------------------------------------------------------------------------- */

static bool failed(const xb_sheet *s, const void *row, bool band, char out[XB_SHEET_TEXT])
{
  const kernel_row *r = row;
  (void)s, (void)band;
  snprintf(out, XB_SHEET_TEXT, " %s: %s", r->name, r->error);
  return *r->error;
}

#define OF(name) .offset = offsetof(kernel_row, name)
static void print_table(xb_format format)
{
  static xb_sheet s = {.failed = failed, .unknown = xb_dash};
  static const xb_column columns[] = {
      {"API", 8, .left = true, .text = xb_text_member, OF(api)},
      {"group", 5, "%.0f", OF(block)},
      {"registers", 9, "%.0f", .drop = 4, .fails = true, OF(registers)},
      {"shared B", 9, "%.0f", .drop = 3, OF(shared_bytes)},
      {"spill B", 7, "%.0f", .drop = 2, OF(spill_bytes)},
      {"by threads", 0, "%.0f", .drop = 1, OF(by_threads)},
      {"by registers", 0, "%.0f", .drop = 1, OF(by_registers)},
      {"by shared", 0, "%.0f", .drop = 1, OF(by_shared)},
      {"computed", 9, "%.0f", OF(computed)},
      {"told", 6, "%.0f", OF(told)},
      {"counted", 8, "%.4g", OF(counted)},
      {"occupancy", 11, "%.1f %%", OF(percent)},
      {"kernel", 0, .left = true, .before = "  ", .text = xb_string_member, OF(name)},
      {"error", .in = XB_IN_MARKDOWN | XB_IN_CSV, .left = true, .optional = true, .text = xb_string_member, OF(error)},
  };
  s.list = rows;
  s.row_bytes = sizeof *rows;
  s.rows = row_count;
  xb_sheet_add_all(&s, columns, sizeof columns / sizeof *columns);
  xb_sheet_fit(&s);
  if (format == XB_FORMAT_TABLE && s.left_out)
    printf("some columns are left out; --wide shows all\n");
  xb_sheet_write(&s, xb_format_writer(format));
}

/* What keeps the kernel from more groups. */
static const char *limit_of(const kernel_row *r)
{
  return r->by_registers == r->computed ? "registers"
         : r->by_shared == r->computed  ? "shared memory"
         : r->by_threads == r->computed ? "threads"
                                        : "the most groups";
}

/* An API's kernels in one line. */
static void print_summary(const char *api_name)
{
  const kernel_row *least = NULL, *most = NULL;
  size_t kernels = 0, computed = 0, without = 0;
  for (const kernel_row *r = rows; r < rows + row_count; r++) {
    if (strcmp(r->api, api_name) != 0)
      continue;
    kernels += !*r->error;
    without += *r->error != 0;
    if (*r->error || !isfinite(r->percent))
      continue;
    computed++;
    least = !least || r->percent < least->percent ? r : least;
    most = !most || r->percent > most->percent ? r : most;
  }
  printf("%s: %zu kernel%s", api_name, kernels, kernels == 1 ? "" : "s");
  if (without)
    printf(", %zu not here", without);
  if (!computed)
    printf("; occupancy is unknown: the API does not say what a kernel needs\n");
  else if (least->percent < most->percent)
    printf("; occupancy %.0f %% (%s, groups of %.0f: limited by %s) to %.0f %% (%s, groups of %.0f)\n", least->percent,
           least->name, least->block, limit_of(least), most->percent, most->name, most->block);
  else
    printf("; occupancy %.0f %%, limited by %s\n", most->percent, limit_of(most));
}

static void print_rows(const xb_benchmark *b)
{
  printf("%s: groups that a multiprocessor holds at a time\n", b->name);
  for (size_t i = 0; i < row_count; i++) {
    size_t before = 0;
    while (strcmp(rows[before].api, rows[i].api) != 0)
      before++;
    if (before == i)
      print_summary(rows[i].api);
  }
  printf("computed from what a kernel needs and what a multiprocessor has; told by the driver; counted by kernels that "
         "count themselves\n\n");
  print_table(XB_FORMAT_TABLE);
}

int xb_command_occupancy_run(const xb_options *options)
{
  xb_target targets[XB_MAX_TARGETS] = {0};
  size_t count = 0;
  const xb_choice *what = options->what;
  xb_conditions how = options->how;
  const xb_benchmark *b = what->selected[0].variant->benchmark;
  bool any = false;
  if (options->json || options->csv || options->format == XB_FORMAT_GBENCH)
    return xb_report_error(
        XB_EXIT_USAGE,
        "occupancy: %s: expected --format table, csv or markdown; 'xbench isa --json FILE' writes what "
        "kernels need",
        options->json  ? "--json"
        : options->csv ? "--csv"
                       : "--format");
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
  xb_fold_stdout();
  for (size_t i = 0; xb_block_at(b, i); i++) {
    if (options->how.block && options->how.block != xb_block_at(b, i))
      continue;
    how.block = xb_block_at(b, i);
    const int code = take_block(what, &how, targets, count, b);
    worst = code ? code : worst;
  }
  if (options->format == XB_FORMAT_TABLE)
    print_rows(b);
  else
    print_table(options->format);
  free(rows);
  return xb_leave_targets(targets, count, worst) ? worst : XB_EXIT_DEVICE;
}
