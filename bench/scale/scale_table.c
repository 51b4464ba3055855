#include "base/safe_text.h"
#include "base/value_text.h"
#include "scale/scale.h"
#include "table/table.h"

#include <inttypes.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *members_word(const xb_scale_series *s, uint32_t count)
{
  static const char *const words[2][2] = {{"member", "members"}, {"multiprocessor", "multiprocessors"}};
  return words[s->scaling->over_groups][count != 1];
}

static void format_error(const xb_scaled *r, char out[XB_TABLE_TEXT])
{
  char safe[XB_TABLE_TEXT - 16];
  snprintf(out, XB_TABLE_TEXT, "%s: %s",
           xb_scaled_wrong(r)          ? "WRONG"
           : r->code == XB_UNSUPPORTED ? "unsupported"
                                       : "FAILED",
           xb_safe_text(r->error.message, safe, sizeof safe));
}

void xb_scale_print_point(const xb_scale_series *s, size_t point)
{
  const xb_scaled *r = &s->points[point];
  char text[XB_TABLE_TEXT];
  if (r->code == XB_UNSUPPORTED)
    return; /* the table says so */
  printf("%s: %s, %" PRIu32 " %s%s%s: ", s->on->backend, r->point.weak ? "weak" : "strong", r->point.members,
         members_word(s, r->point.members), r->point.allreduce ? ", " : "",
         r->point.allreduce ? xb_route_name(r->point.route) : "");
  if (r->code)
    format_error(r, text);
  printf("%s\n", r->code ? text : r->count ? xb_format_time(r->stats.median, text, sizeof text) : "interrupted");
  fflush(stdout);
}

/* ---- The table -------------------------------------------------------------------------------------------------- */

/* The points of one kind, in order of their members. */
typedef struct kind {
  const xb_scale_series *series;
  const xb_scaled **points, *one; /* one: the point of one member, if it has a time */
  size_t count;
} kind;

/* Of the column's row, as compared with one member; unknown without that. */
static xb_estimate speedup(const xb_table *s, const xb_scaled *r)
{
  const kind *k = s->user;
  return k->one && r->count ? xb_scale_speedup(k->one, r) : (xb_estimate){NAN, {NAN, NAN}};
}

static double speed(const xb_table *s, const xb_scaled *r)
{
  return r->count ? xb_scale_speed(((const kind *)s->user)->series, r) : NAN;
}

static const void *point_at(const xb_table *s, size_t i)
{
  return ((const kind *)s->user)->points[i];
}

XB_COLUMN_VALUE(half_interval, xb_scaled, 50 * (r->stats.ci95_high - r->stats.ci95_low) / r->stats.median)
XB_COLUMN_VALUE(times, xb_scaled, speedup(s, r).value)
XB_COLUMN_VALUE(efficiency, xb_scaled, 100 * speedup(s, r).value / r->point.members)
XB_COLUMN_VALUE(all_speed, xb_scaled, speed(s, r))
XB_COLUMN_VALUE(bus_speed, xb_scaled, xb_scale_bus_speed(speed(s, r), r->point.members))
XB_COLUMN_PRINT(interval, xb_scaled, isfinite(speedup(s, r).value), "[%.1f, %.1f]",
                100 * speedup(s, r).ci95.low / r->point.members, 100 * speedup(s, r).ci95.high / r->point.members)
XB_COLUMN_PRINT(slowest, xb_scaled, true, r->point.members > 1 ? "%2" PRIu32 " %3.0f%%" : " ", r->slowest,
                100 * r->slowest_share)

static bool failed(const xb_table *s XB_UNUSED, const void *row, bool column_group XB_UNUSED, char out[XB_TABLE_TEXT])
{
  const xb_scaled *r = row;
  snprintf(out, XB_TABLE_TEXT, "%s", r->count ? "" : "interrupted");
  if (r->code)
    format_error(r, out);
  return *out;
}

#define OF(kind, member) XB_AT(xb_scaled, kind, member)
static void print_rows(const kind *k)
{
  const bool groups = k->series->scaling->over_groups, allreduce = k->points[0]->point.allreduce;
  const unsigned shared = allreduce ? XB_IN_CSV : XB_IN_TEXT, members = groups ? XB_IN_CSV : XB_IN_TEXT;
  const xb_column columns[] = {
      {groups ? "SMs" : "N", 4, OF(KNOWN32, point.members)},
      {"time", 8, .fails = true, OF(REAL, stats.median)},
      {"+-%", 4, "%.1f", .number = half_interval},
      {"faster", 6, "%.3f", times, .in = shared},
      {"eff.%", 5, "%.1f", efficiency, .in = shared},
      {"95 %", 14, .in = shared, .text = interval},
      {k->series->scaling->variant->benchmark->product ? "GFLOP/s" : "GB/s", 8, "%.4g", .number = all_speed},
      {"bus GB/s", 8, "%.4g", bus_speed, .in = allreduce ? XB_IN_TEXT : XB_IN_CSV},
      {"start us", 8, "%.1f", .in = members, OF(REAL, start_ns), .per = 1e3},
      {"comb.us", 7, "%.1f", .in = groups ? XB_IN_CSV : shared, OF(REAL, combine_ns), .per = 1e3},
      {"slowest", 7, .in = groups ? XB_IN_CSV : shared, .text = slowest},
  };
  xb_table s = {.user = k, .row = point_at, .rows = k->count, .failed = failed, .unknown = xb_dash};
  xb_table_add_all(&s, columns, sizeof columns / sizeof *columns);
  xb_table_write(&s, XB_IN_TEXT);
}

/* ---- Below and above the table ---------------------------------------------------------------------------------- */

static void print_fit(const xb_scale_series *s, const kind *k)
{
  xb_fit f;
  char predicted[32], low[32], high[32], measured[32];
  if (s->shared) {
    printf("no serial part is fitted: members share a device\n");
  } else if (xb_scale_fit(k->points, k->count, &f)) {
    printf("serial part, from the %zu smaller counts: %.4f [%.4f, %.4f] (%s). For %" PRIu32
           " %s that predicts %s [%s, %s]; measured: %s, %+.1f %%\n",
           f.points, f.serial.value, f.serial.ci95.low, f.serial.ci95.high,
           k->points[0]->point.weak ? "Gustafson" : "Amdahl", f.members, members_word(s, f.members),
           xb_format_time(f.predicted_ns.value, predicted, sizeof predicted),
           xb_format_time(f.predicted_ns.ci95.low, low, sizeof low),
           xb_format_time(f.predicted_ns.ci95.high, high, sizeof high),
           xb_format_time(f.measured_ns.value, measured, sizeof measured),
           100 * (f.measured_ns.value / f.predicted_ns.value - 1));
    if (!f.holds)
      printf("THE LAW DOES NOT HOLD: the prediction is more than %.0f %% outside of the measured 95 %% interval, [%s, "
             "%s]\n",
             100 * XB_LAW_BOUND, xb_format_time(f.measured_ns.ci95.low, low, sizeof low),
             xb_format_time(f.measured_ns.ci95.high, measured, sizeof measured));
  } else {
    printf("no serial part is fitted: it needs three counts of %s: 1, another, and a larger one\n", members_word(s, 2));
  }
}

/* Of one device: is the largest count the kernel by itself? */
static void print_own(const xb_scaled *largest)
{
  if (!largest->count)
    return;
  if (!largest->batch)
    printf("the host timed this: the largest count also includes the cost of submitting and waiting\n");
  else if (!largest->own_plan)
    printf("the largest count is not the kernel's own time: alone%s it would have different groups\n",
           largest->point.weak ? ", with as many elements," : "");
}

static void print_heading(const xb_scale_series *s, const xb_scale_point *p)
{
  const xb_case *c = &s->scaling->like;
  char name[XB_VARIANT_NAME], shape[64];
  xb_format_shape(c->variant->benchmark->matrix ? c->rows : 0, c->columns, c->inner, shape, sizeof shape);
  printf("\n%s/%s on ", c->variant->benchmark->name, xb_variant_name(c->variant, name));
  xb_print_safe(stdout, s->on->name);
  printf(" through %s, %s, %s elements %s%s%s%s\n", s->on->backend, xb_dtype_name(c->dtype), shape,
         p->allreduce ? "for each member"
         : p->weak    ? "for each: weak scaling"
                      : "in all: strong scaling",
         p->allreduce ? ", route " : "", p->allreduce ? xb_route_name(p->route) : "",
         s->shared ? "; MEMBERS SHARE A DEVICE: the times say nothing about scaling" : "");
}

static int by_members(const void *a, const void *b)
{
  const xb_scaled *const *x = a, *const *y = b;
  return ((*x)->point.members > (*y)->point.members) - ((*x)->point.members < (*y)->point.members);
}

static void print_kind(const xb_scale_series *s, bool weak, xb_route route)
{
  kind k = {.series = s, .points = calloc(s->count + 1, sizeof *k.points)};
  char text[XB_TABLE_TEXT];
  bool here = false;
  for (size_t i = 0; k.points && i < s->count; i++)
    if (s->points[i].point.weak == weak && s->points[i].point.route == route) {
      k.points[k.count++] = &s->points[i];
      here |= s->points[i].code != XB_UNSUPPORTED;
    }
  const xb_scaled *first = k.count ? k.points[0] : NULL;
  const bool allreduce = first && first->point.allreduce;
  if (first && !here) {
    format_error(first, text);
    printf("\n%s%s: %s\n",
           allreduce ? "route "
           : weak    ? "weak scaling"
                     : "strong scaling",
           allreduce ? xb_route_name(route) : "", text);
  } else if (first) {
    qsort(k.points, k.count, sizeof *k.points, by_members);
    first = k.points[0];
    k.one = first->point.members == 1 && !first->code && first->count ? first : NULL;
    print_heading(s, &first->point);
    print_rows(&k);
    if (!allreduce)
      print_fit(s, &k);
    if (s->scaling->over_groups)
      print_own(k.points[k.count - 1]);
  }
  free(k.points);
}

void xb_scale_print(const xb_scale_series *s)
{
  for (int route = 0; route < XB_ROUTES; route++)
    for (int weak = 0; weak < 2; weak++)
      print_kind(s, weak, (xb_route)route);
  double worst_ns = 0;
  for (size_t i = 0; i < s->count; i++)
    worst_ns = fmax(worst_ns, s->points[i].clock_error_ns);
  if (worst_ns > 0)
    printf("the ranks' clocks are compared within %.2f us\n", worst_ns / 1e3);
}
