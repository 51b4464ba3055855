#include "base/safe_text.h"
#include "base/value_text.h"
#include "scale/scale_results.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *members_word(const xb_scale_series *s, uint32_t count)
{
  static const char *const words[2][2] = {{"member", "members"}, {"multiprocessor", "multiprocessors"}};
  return words[s->scaling->over_groups][count != 1];
}

static void print_error(const xb_scaled *r)
{
  printf("%s: ", xb_scaled_wrong(r) ? "WRONG" : r->code == XB_UNSUPPORTED ? "unsupported" : "FAILED");
  xb_print_safe(stdout, r->error.message);
  printf("\n");
}

void xb_scale_print_point(const xb_scale_series *s, size_t point)
{
  const xb_scaled *r = &s->points[point];
  char text[32];
  if (r->code == XB_UNSUPPORTED)
    return; /* the table says so */
  printf("%s: %s, %" PRIu32 " %s%s%s: ", s->on->backend, r->point.weak ? "weak" : "strong", r->point.members,
         members_word(s, r->point.members), r->point.allreduce ? ", " : "",
         r->point.allreduce ? xb_route_name(r->point.route) : "");
  if (r->code)
    print_error(r);
  else
    printf("%s\n", r->count ? xb_format_time(r->stats.median, text, sizeof text) : "interrupted");
  fflush(stdout);
}

static void print_speedup(const xb_scaled *r, const xb_scaled *one)
{
  const xb_estimate e = one ? xb_scale_speedup(one, r) : (xb_estimate){NAN, {NAN, NAN}};
  const double p = r->point.members;
  char interval[32] = "-";
  if (one)
    snprintf(interval, sizeof interval, "[%.1f, %.1f]", 100 * e.ci95.low / p, 100 * e.ci95.high / p);
  if (one)
    printf(" %6.3f %5.1f %14s", e.value, 100 * e.value / p, interval);
  else
    printf(" %6s %5s %14s", "-", "-", "-");
}

static void print_row(const xb_scale_series *s, const xb_scaled *r, const xb_scaled *one)
{
  char time[32];
  printf("%4" PRIu32 " ", r->point.members);
  if (r->code) {
    print_error(r);
    return;
  }
  if (!r->count) {
    printf("interrupted\n");
    return;
  }
  printf("%8s %4.1f", xb_format_time(r->stats.median, time, sizeof time),
         50 * (r->stats.ci95_high - r->stats.ci95_low) / r->stats.median);
  if (!r->point.allreduce)
    print_speedup(r, one);
  const double speed = xb_scale_speed(s, r);
  printf(" %8.4g", speed);
  if (r->point.allreduce)
    printf(" %8.4g", xb_scale_bus_speed(speed, r->point.members));
  if (!s->scaling->over_groups)
    printf(" %8.1f", r->start_ns / 1e3);
  if (!r->point.allreduce && !s->scaling->over_groups)
    printf(" %7.1f", r->combine_ns / 1e3);
  if (!r->point.allreduce && !s->scaling->over_groups && r->point.members > 1)
    printf(" %2" PRIu32 " %3.0f%%", r->slowest, 100 * r->slowest_share);
  printf("\n");
}

static void print_fit(const xb_scale_series *s, bool weak, xb_route route)
{
  xb_fit f;
  const xb_scaled **points = calloc(s->count + 1, sizeof *points);
  size_t count = 0;
  char predicted[32], low[32], high[32], measured[32];
  for (size_t i = 0; points && i < s->count; i++)
    if (s->points[i].point.route == route && s->points[i].count)
      points[count++] = &s->points[i];
  if (s->shared) {
    printf("no serial part is fitted: members share a device\n");
  } else if (points && xb_scale_fit(points, count, weak, &f)) {
    printf("serial part, from the %zu smaller counts: %.4f [%.4f, %.4f] (%s). For %" PRIu32
           " %s that predicts %s [%s, %s]; measured: %s, %+.1f %%\n",
           f.points, f.serial.value, f.serial.ci95.low, f.serial.ci95.high, weak ? "Gustafson" : "Amdahl", f.members,
           members_word(s, f.members), xb_format_time(f.predicted_ns.value, predicted, sizeof predicted),
           xb_format_time(f.predicted_ns.ci95.low, low, sizeof low),
           xb_format_time(f.predicted_ns.ci95.high, high, sizeof high),
           xb_format_time(f.measured_ns.value, measured, sizeof measured),
           100 * (f.measured_ns.value / f.predicted_ns.value - 1));
    if (!f.holds)
      printf("THE LAW DOES NOT HOLD: the prediction is more than %.0f %% outside of the measured 95 %% interval, [%s, "
             "%s]\n",
             100 * XB_LAW_BOUND, xb_format_time(f.measured_ns.ci95.low, low, sizeof low),
             xb_format_time(f.measured_ns.ci95.high, measured, sizeof measured));
  } else if (!s->points[0].point.allreduce) {
    printf("no serial part is fitted: that takes 1, another and a larger count of %s\n", members_word(s, 2));
  }
  free(points);
}

/* Of one device: is the largest count the kernel by itself? */
static void print_own(const xb_scaled *largest, bool weak)
{
  if (!largest->count)
    return;
  if (!largest->batch)
    printf("the host timed this: the largest count is not the kernel's own time, but also what submitting and waiting "
           "cost\n");
  else if (!largest->own_plan)
    printf("the largest count is not the kernel's own time: by itself%s it has other groups\n",
           weak ? ", with as many elements," : "");
}

static void print_heading(const xb_scale_series *s, bool weak, xb_route route, bool allreduce)
{
  const xb_case *c = &s->scaling->like;
  char name[XB_VARIANT_NAME], shape[64];
  xb_format_shape(c->variant->benchmark->matrix ? c->rows : 0, c->columns, c->inner, shape, sizeof shape);
  printf("\n%s/%s on ", c->variant->benchmark->name, xb_variant_name(c->variant, name));
  xb_print_safe(stdout, s->on->name);
  printf(" through %s, %s, %s elements %s%s%s%s\n", s->on->backend, xb_dtype_name(c->dtype), shape,
         allreduce ? "for each member"
         : weak    ? "for each: weak scaling"
                   : "in all: strong scaling",
         allreduce ? ", route " : "", allreduce ? xb_route_name(route) : "",
         s->shared ? "; MEMBERS SHARE A DEVICE: the times say nothing about scaling" : "");
  const char *unit = c->variant->benchmark->product ? "GFLOP/s" : "GB/s";
  printf("%4s %8s %4s", s->scaling->over_groups ? "SMs" : "N", "time", "+-%");
  if (allreduce)
    printf(" %8s %8s %8s", unit, "bus GB/s", "start us");
  else
    printf(" %6s %5s %14s %8s", "times", "eff.%", "95 %", unit);
  printf("%s\n", allreduce || s->scaling->over_groups ? "" : " start us comb.us slowest");
}

static int by_members(const void *a, const void *b)
{
  const xb_scaled *const *x = a, *const *y = b;
  return ((*x)->point.members > (*y)->point.members) - ((*x)->point.members < (*y)->point.members);
}

/* The points of one kind, in order of their members. */
static void print_kind(const xb_scale_series *s, bool weak, xb_route route)
{
  const xb_scaled **points = calloc(s->count + 1, sizeof *points), *one = NULL;
  size_t count = 0;
  for (size_t i = 0; points && i < s->count; i++)
    if (s->points[i].point.weak == weak && s->points[i].point.route == route)
      points[count++] = &s->points[i];
  bool here = false;
  for (size_t i = 0; i < count; i++)
    here |= points[i]->code != XB_UNSUPPORTED;
  if (count && !here) {
    printf("\n%s%s",
           points[0]->point.allreduce ? "route "
           : weak                     ? "weak scaling"
                                      : "strong scaling",
           points[0]->point.allreduce ? xb_route_name(route) : "");
    printf(": ");
    print_error(points[0]);
  } else if (count) {
    qsort(points, count, sizeof *points, by_members);
    one = points[0]->point.members == 1 && !points[0]->code && points[0]->count ? points[0] : NULL;
    print_heading(s, weak, route, points[0]->point.allreduce);
    for (size_t i = 0; i < count; i++)
      print_row(s, points[i], one);
    if (!points[0]->point.allreduce)
      print_fit(s, weak, route);
    if (s->scaling->over_groups)
      print_own(points[count - 1], weak);
  }
  free(points);
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
