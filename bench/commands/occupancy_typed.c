#include "commands/occupancy_typed.h"

#include "base/exit_codes.h"
#include "base/fold.h"
#include "base/value_text.h"
#include "measure/occupancy.h"
#include "sheet/sheet.h"

#include <inttypes.h>
#include <stddef.h>
#include <string.h>

enum { BAR = 40, SHARED_STEP = 4096, REGISTER_STEP = 8, MOST_POINTS = 256 };

/* A point of a curve: one of the three numbers is another one. */
typedef struct point {
  const char *over; /* "group" */
  double value, groups, waves, percent;
  char bar[BAR + 16];
} point;

static point points[MOST_POINTS];
static size_t point_count;

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

static bool check(const xb_occupancy_typed *t, const xb_capability *c)
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

static xb_occupancy of(const xb_occupancy_typed *t, const xb_capability *c)
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

static void print_limits(const xb_occupancy_typed *t, const xb_capability *c)
{
  const xb_occupancy o = of(t, c);
  const uint32_t wave = c->has.wave, waves = (uint32_t)(t->block + wave - 1) / wave;
  char shared[32], registers[48] = "registers not said";
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

static void add_point(const char *over, uint64_t value, const xb_occupancy_typed *t, const xb_capability *c, bool typed)
{
  const xb_occupancy o = of(t, c);
  const uint64_t waves = (t->block + c->has.wave - 1) / c->has.wave;
  if (point_count == MOST_POINTS)
    return;
  point *p = &points[point_count++];
  *p = (point){over, (double)value, o.groups, (double)(o.groups * waves), 100 * o.share, ""};
  memset(p->bar, '#', (size_t)(o.share * BAR + 0.5));
  strcat(p->bar, typed ? (*p->bar ? " <- typed" : "<- typed") : "");
}

/* Steps of `by`, from `first` on, then `last`, and the value that was typed. `value` is one of the numbers of `t`. */
static void add_curve(const char *over, uint64_t first, uint64_t last, uint64_t by, xb_occupancy_typed *t,
                      uint64_t *value, const xb_capability *c)
{
  const uint64_t typed = *value;
  for (uint64_t v = first, before = 0; v <= last; before = v, v = v < last && v + by > last ? last : v + by) {
    if (typed > before && typed < v) {
      *value = typed;
      add_point(over, typed, t, c, true);
    }
    *value = v;
    add_point(over, v, t, c, v == typed);
  }
  *value = typed;
}

XB_COLUMN_NUMBER(member)
{
  return *(const double *)xb_sheet_member(c, row);
}

#define OF(name) .number = member, .offset = offsetof(point, name)
static void print_curves(const xb_occupancy_typed *typed, const xb_capability *c, unsigned in)
{
  static xb_sheet s = {XB_ROWS(points, 0)};
  static const xb_column columns[] = {
      {"over", 9, .left = true, .text = xb_text_member, .offset = offsetof(point, over)},
      {"value", 7, "%.0f", OF(value)},
      {"groups", 7, "%.0f", OF(groups)},
      {"waves", 6, "%.0f", OF(waves)},
      {"occupancy", 9, "%.1f %%", .in = XB_IN_TEXT | XB_IN_MARKDOWN, OF(percent)},
      {"percent", 9, "%.4g", .in = XB_IN_CSV, OF(percent)},
      {"", 0, .left = true, .in = XB_IN_TEXT, .drop = 1, .text = xb_string_member, .offset = offsetof(point, bar)},
  };
  xb_occupancy_typed t = *typed;
  point_count = 0;
  add_curve("group", c->has.wave, c->has.most_group, c->has.wave, &t, &t.block, c);
  add_curve("registers", REGISTER_STEP, c->most_registers, REGISTER_STEP, &t, &t.registers, c);
  add_curve("shared B", 0, c->most_shared_bytes, SHARED_STEP, &t, &t.shared_bytes, c);
  s.rows = point_count;
  s.count = 0;
  xb_sheet_add_all(&s, columns, sizeof columns / sizeof *columns);
  xb_sheet_write(&s, in);
}

int xb_occupancy_typed_run(const xb_occupancy_typed *typed, xb_format format)
{
  const xb_capability *c = find(typed->architecture);
  if (!c || !check(typed, c))
    return XB_EXIT_USAGE;
  xb_fold_stdout();
  if (format != XB_FORMAT_CSV) {
    print_limits(typed, c);
    printf("\nthe same, with another size of the group, number of registers, or size of shared memory:\n\n");
  }
  print_curves(typed, c, xb_format_writer(format));
  return XB_EXIT_OK;
}
