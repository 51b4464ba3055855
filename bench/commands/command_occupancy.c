/* xbench occupancy: how many groups of a kernel a multiprocessor holds at a time, for each group size: computed from
 * what the kernel needs, told by the driver, and counted by kernels that count themselves (benchmarks/resident). */
#include "base/exit_codes.h"
#include "base/fold.h"
#include "base/value_text.h"
#include "commands/subcommands.h"
#include "core/grow.h"
#include "measure/cell.h"
#include "measure/cell_groups.h"
#include "measure/occupancy.h"
#include "table/table.h"

#include <inttypes.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Numbers that are typed -------------------------------------------------------------------------------------- */

/* What was typed in, to know what it comes to on a GPU that need not be here. */
typedef struct numbers {
  const char *architecture; /* "sm_90"; NULL: none was named */
  uint64_t block, registers, shared_bytes;
} numbers;

enum { BAR = 40, SHARED_STEP = 4096, REGISTER_STEP = 8, MOST_POINTS = 256 };

/* A point of a curve: one of the three numbers is another one. */
typedef struct point {
  const char *over; /* "group" */
  double value, groups, waves, percent;
  char bar[BAR + 16];
} point;

typedef struct curve {
  point points[MOST_POINTS];
  size_t count;
} curve;

static const xb_capability *find(const char *architecture)
{
  char known[256] = "";
  for (const xb_capability *c = xb_capabilities; c->name; c++) {
    char name[16];
    snprintf(name, sizeof name, "sm_%" PRIu32, c->number);
    if (architecture && !strcmp(architecture, name))
      return c;
    snprintf(known + strlen(known), sizeof known - strlen(known), "%s%s", *known ? ", " : "", name);
  }
  if (architecture)
    xb_report_error(XB_EXIT_USAGE, "occupancy: --for: '%s': expected one of %s", architecture, known);
  else
    xb_report_error(XB_EXIT_USAGE, "occupancy: name the GPU that these numbers are for: --for sm_90, or another of %s",
                    known);
  return NULL;
}

static bool check(const numbers *t, const xb_capability *c)
{
  const xb_multiprocessor *m = &c->has;
  const bool block = t->block && t->block <= m->most_group, registers = t->registers <= c->most_registers;
  if (!block)
    xb_report_error(XB_EXIT_USAGE, "occupancy: --block: %s has groups of 1 to %" PRIu32 " threads, not %" PRIu64,
                    t->architecture, m->most_group, t->block);
  else if (!registers)
    xb_report_error(XB_EXIT_USAGE, "occupancy: --registers: %s gives a thread at most %" PRIu32 ", not %" PRIu64,
                    t->architecture, c->most_registers, t->registers);
  else if (t->shared_bytes > c->most_shared_bytes)
    xb_report_error(XB_EXIT_USAGE, "occupancy: --shared: %s gives a group at most %" PRIu32 " bytes, not %" PRIu64,
                    t->architecture, c->most_shared_bytes, t->shared_bytes);
  return block && registers && t->shared_bytes <= c->most_shared_bytes;
}

static xb_occupancy of(const numbers *t, const xb_capability *c)
{
  return xb_occupancy_of(&c->has, (uint32_t)t->block, (uint32_t)t->registers, (uint32_t)t->shared_bytes);
}

/* ---- The limits ------------------------------------------------------------------------------------------------- */

static void print_limit(const char *name, uint32_t groups, uint32_t least)
{
  if (groups == UINT32_MAX)
    printf("  %-16s %6s\n", name, "-");
  else
    printf("  %-16s %6" PRIu32 "%s\n", name, groups, groups == least ? "  <- the limit" : "");
}

static void print_limits(const numbers *t, const xb_capability *c)
{
  const xb_occupancy o = of(t, c);
  const uint32_t wave = c->has.wave, waves = (uint32_t)(t->block + wave - 1) / wave;
  char shared[32], registers[48] = "registers not given";
  if (t->registers)
    snprintf(registers, sizeof registers, "%" PRIu64 " registers a thread", t->registers);
  xb_format_bytes(t->shared_bytes, shared, sizeof shared);
  printf("%s (%s): groups of %" PRIu64 " threads, %s, %s of shared memory a group\n", t->architecture, c->name,
         t->block, registers, t->shared_bytes ? shared : "no bytes");
  printf("groups that a multiprocessor holds, by each limit:\n");
  print_limit("threads", o.by_threads, o.groups);
  print_limit("registers", o.by_registers, o.groups);
  print_limit("shared memory", o.by_shared, o.groups);
  print_limit("the most groups", c->has.groups, o.groups);
  printf("occupancy %.1f %%: %" PRIu32 " groups, %" PRIu32 " of %" PRIu32 " waves\n", 100 * o.share, o.groups,
         o.groups * waves, c->has.threads / wave);
}

/* ---- The curves ------------------------------------------------------------------------------------------------- */

static void add_point(curve *all, const char *over, uint64_t value, const numbers *t, const xb_capability *c,
                      bool typed)
{
  const xb_occupancy o = of(t, c);
  const uint64_t waves = (t->block + c->has.wave - 1) / c->has.wave;
  if (all->count == MOST_POINTS)
    return;
  point *p = &all->points[all->count++];
  *p = (point){over, (double)value, o.groups, (double)(o.groups * waves), 100 * o.share, ""};
  memset(p->bar, '#', (size_t)(o.share * BAR + 0.5));
  strcat(p->bar, typed ? (*p->bar ? " <- typed" : "<- typed") : "");
}

/* Steps of `by`, from `first` on, then `last`, and the value that was typed. `value` is one of the numbers of `t`. */
static void add_curve(curve *all, const char *over, uint64_t first, uint64_t last, uint64_t by, numbers *t,
                      uint64_t *value, const xb_capability *c)
{
  const uint64_t typed = *value;
  for (uint64_t v = first, before = 0; v <= last; before = v, v = v < last && v + by > last ? last : v + by) {
    if (typed > before && typed < v) {
      *value = typed;
      add_point(all, over, typed, t, c, true);
    }
    *value = v;
    add_point(all, over, v, t, c, v == typed);
  }
  *value = typed;
}

#define OF(name) .offset = offsetof(point, name)
static void print_curves(const numbers *given, const xb_capability *c, unsigned in)
{
  static const xb_column columns[] = {
      {"over", 9, .left = true, .kind = XB_FIELD_TEXT, OF(over)},
      {"value", 7, "%.0f", .number = xb_number_member, OF(value)},
      {"groups", 7, "%.0f", .number = xb_number_member, OF(groups)},
      {"waves", 6, "%.0f", .number = xb_number_member, OF(waves)},
      {"occupancy", 9, "%.1f %%", .in = XB_IN_TEXT | XB_IN_MARKDOWN, .number = xb_number_member, OF(percent)},
      {"percent", 9, "%.4g", .in = XB_IN_CSV, .number = xb_number_member, OF(percent)},
      {"", 0, .left = true, .in = XB_IN_TEXT, .drop = 1, .kind = XB_FIELD_CHARS, OF(bar)},
  };
  numbers t = *given;
  curve all = {.count = 0};
  add_curve(&all, "group", c->has.wave, c->has.most_group, c->has.wave, &t, &t.block, c);
  add_curve(&all, "registers", REGISTER_STEP, c->most_registers, REGISTER_STEP, &t, &t.registers, c);
  add_curve(&all, "shared B", 0, c->most_shared_bytes, SHARED_STEP, &t, &t.shared_bytes, c);
  xb_table s = {XB_ROWS(all.points, all.count)};
  xb_table_add_all(&s, columns, sizeof columns / sizeof *columns);
  xb_table_write(&s, in);
}

static int run_numbers(const numbers *given, xb_format format)
{
  const xb_capability *c = find(given->architecture);
  if (!c || !check(given, c))
    return XB_EXIT_USAGE;
  xb_fold_stdout();
  if (format != XB_FORMAT_CSV) {
    print_limits(given, c);
    printf("\nthe same, with another size of the group, number of registers, or size of shared memory:\n\n");
  }
  print_curves(given, c, xb_format_writer(format));
  return XB_EXIT_OK;
}

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

typedef struct kernel_rows {
  kernel_row *list;
  size_t count, capacity;
} kernel_rows;

/* What a limit allows; NAN if it does not limit. */
static double limit(uint32_t groups, bool known)
{
  return known && groups != UINT32_MAX ? groups : NAN;
}

/* Groups that a multiprocessor held, if the kernel counted them; NAN otherwise. */
static double measured(const xb_cell *cell)
{
  xb_metric metrics[XB_MAX_METRICS];
  const size_t count = cell->verdict.verified ? xb_metrics_of_run(&cell->c, &cell->plan, 1, metrics) : 0;
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
static int take_cell(kernel_rows *rows, xb_cell *cell)
{
  if (cell->is_control || !xb_has_kernel(cell->c.variant))
    return XB_EXIT_OK;
  if (cell->verdict.outcome == XB_CELL_PENDING)
    xb_cell_create(cell);
  if (cell->verdict.outcome == XB_CELL_PENDING && cell->c.variant->benchmark->methods->observe)
    xb_cell_verify(cell);
  if (!xb_grow(&rows->list, &rows->capacity, rows->count, sizeof *rows->list))
    return xb_report_error(XB_EXIT_DEVICE, "out of host memory");
  kernel_row *r = &rows->list[rows->count++];
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
  xb_exit_set(code, "%s/%u on %s: %s", cell->c.variant->benchmark->name, cell->c.variant->number,
              cell->c.device->backend, cell->verdict.error.message);
  return code;
}

/* All selected variants of the benchmark, with groups of one size. */
static int take_block(kernel_rows *rows, const xb_setup *setup, const xb_request *request)
{
  xb_cell_group group;
  int worst = XB_EXIT_OK;
  if (!xb_cell_group_create(&group, setup, request))
    return xb_report_error(XB_EXIT_DEVICE, "out of host memory");
  for (size_t i = 0; i < group.count; i++) {
    const int code = group.cells[i].shared ? XB_EXIT_OK : take_cell(rows, &group.cells[i]);
    worst = code ? code : worst;
  }
  xb_cell_group_destroy(&group);
  return worst;
}

/* ---- The table -------------------------------------------------------------------------------------------------- */

static bool failed(const xb_table *s, const void *row, bool column_group, char out[XB_TABLE_TEXT])
{
  const kernel_row *r = row;
  (void)s, (void)column_group;
  snprintf(out, XB_TABLE_TEXT, " %s: %s", r->name, r->error);
  return *r->error;
}

#undef OF
#define OF(name) .offset = offsetof(kernel_row, name)
static void print_table(const kernel_rows *rows, xb_format format)
{
  xb_table s = {XB_ROWS(rows->list, rows->count), .failed = failed, .unknown = xb_dash};
  static const xb_column columns[] = {
      {"API", 8, .left = true, .kind = XB_FIELD_TEXT, OF(api)},
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
      {"kernel", 0, .left = true, .before = "  ", .kind = XB_FIELD_CHARS, OF(name)},
      {"error", .in = XB_IN_MARKDOWN | XB_IN_CSV, .left = true, .optional = true, .kind = XB_FIELD_CHARS, OF(error)},
  };
  xb_table_add_all(&s, columns, sizeof columns / sizeof *columns);
  xb_table_fit(&s);
  if (format == XB_FORMAT_TABLE && s.left_out)
    printf("some columns are hidden; --wide shows all\n");
  xb_table_write(&s, xb_format_writer(format));
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
static void print_summary(const kernel_rows *rows, const char *api_name)
{
  const kernel_row *least = NULL, *most = NULL;
  size_t kernels = 0, computed = 0, without = 0;
  for (const kernel_row *r = rows->list; r < rows->list + rows->count; r++) {
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
    printf("; occupancy is unknown: the API does not report the kernel's needs\n");
  else if (least->percent < most->percent)
    printf("; occupancy %.0f %% (%s, groups of %.0f: limited by %s) to %.0f %% (%s, groups of %.0f)\n", least->percent,
           least->name, least->block, limit_of(least), most->percent, most->name, most->block);
  else
    printf("; occupancy %.0f %%, limited by %s\n", most->percent, limit_of(most));
}

static void print_rows(const kernel_rows *rows, const xb_benchmark *b)
{
  printf("%s: groups that a multiprocessor holds at a time\n", b->name);
  for (size_t i = 0; i < rows->count; i++) {
    size_t before = 0;
    while (strcmp(rows->list[before].api, rows->list[i].api) != 0)
      before++;
    if (before == i)
      print_summary(rows, rows->list[i].api);
  }
  printf("computed from the kernel's needs and the multiprocessor's limits; reported by the driver; counted by running "
         "kernels\n\n");
  print_table(rows, XB_FORMAT_TABLE);
}

int xb_command_occupancy_run(const xb_options *options)
{
  kernel_rows rows = {.count = 0};
  xb_target targets[XB_MAX_TARGETS] = {0};
  size_t count = 0, request_count;
  const xb_choice *what = options->selection;
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
  int worst = xb_open_targets(&options->devices, targets, &count);
  if (worst >= 0)
    return worst;
  xb_setup setup = {.selection = what, .conditions = options->conditions, .targets = targets, .target_count = count};
  xb_setup_targets(&setup);
  xb_request *requests = xb_requests_of(&setup, &request_count);
  worst = requests ? XB_EXIT_OK : xb_report_error(XB_EXIT_DEVICE, "out of host memory");
  xb_fold_stdout();
  for (size_t i = 0; requests && xb_block_at(b, i); i++) {
    if (options->conditions.block && options->conditions.block != xb_block_at(b, i))
      continue;
    setup.conditions.block = xb_block_at(b, i);
    const int code = take_block(&rows, &setup, &requests[0]);
    worst = code ? code : worst;
  }
  free(requests);
  if (options->format == XB_FORMAT_TABLE)
    print_rows(&rows, b);
  else
    print_table(&rows, options->format);
  free(rows.list);
  return xb_leave_targets(targets, count, worst) ? worst : XB_EXIT_DEVICE;
}

/* ---- The command ------------------------------------------------------------------------------------------------ */

enum { USUAL_BLOCK = 256 }; /* of a group that is not there */

static const xb_option options[] = {{"for", 0, XB_OPT_TEXT, offsetof(numbers, architecture),
                                     "compute from numbers instead of a kernel: the GPU", .value = "sm_NN"},
                                    {"registers", 0, XB_OPT_COUNT, offsetof(numbers, registers),
                                     "compute from numbers: registers of a thread", .value = "N"},
                                    {"shared", 0, XB_OPT_BYTES, offsetof(numbers, shared_bytes),
                                     "compute from numbers: shared memory of a group", .value = "BYTES"},
                                    {0}};
static int take(xb_invocation *in, const char *const *words)
{
  numbers *typed = in->own; /* block 0: kernels were named */
  const xb_options *o = &in->options;
  typed->block = 0;
  if (!typed->architecture && !typed->registers && !typed->shared_bytes)
    return xb_complete_words(in, words);
  if (words[0])
    return xb_report_error(XB_EXIT_USAGE, "occupancy: '%s': name kernels, or give numbers: not both", words[0]);
  const int code = xb_complete_values(in);
  if (code >= 0)
    return code;
  if (o->format == XB_FORMAT_GBENCH)
    return xb_report_error(XB_EXIT_USAGE, "occupancy: --format gbench: expected table, csv or markdown with --for");
  typed->block = o->conditions.block ? o->conditions.block : USUAL_BLOCK;
  return -1;
}

static int run(xb_invocation *in)
{
  numbers *typed = in->own;
  const xb_options *o = &in->options;
  return typed->block ? run_numbers(typed, o->format) : xb_command_occupancy_run(o);
}

const xb_subcommand xb_command_occupancy = {
    .name = "occupancy",
    .usage = "[OPTION...] BENCHMARK[/VARIANT]...\n       xbench occupancy --for sm_NN [--block N] [--registers N] "
             "[--shared BYTES]",
    .options = options,
    .own_bytes = sizeof(numbers),
    .runs = true,
    .take = take,
    .run = run};
