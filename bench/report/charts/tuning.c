/* Searches for a configuration: the best so far over time, and the time over each parameter, APIs side by side. */
#include "report/charts/charts.h"
#include "report/report.h"
#include "result/json_file.h"
#include "tune/tune.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- Files of searches ------------------------------------------------------------------------------------------ */

bool xb_is_tuning(const char *path)
{
  static const char end[] = ".cache.json";
  const size_t length = strlen(path);
  return length >= sizeof end - 1 && !strcmp(path + length - (sizeof end - 1), end);
}

/* Each candidate has a whole number for each parameter. */
static bool is_whole(const json_t *root)
{
  const json_t *keys = json_object_get(root, "tune_params_keys"), *key;
  const char *name;
  json_t *candidate;
  size_t i;
  if (!json_array_size(keys) || !json_array_size(json_object_get(root, "problem_size")) ||
      !json_is_string(json_object_get(root, "device_name")))
    return false;
  json_object_foreach(json_object_get(root, "cache"), name, candidate) json_array_foreach(
      keys, i, key) if (!json_is_string(key) ||
                        !json_is_integer(json_object_get(candidate, json_string_value(key)))) return false;
  return true;
}

xb_code xb_tuning_load(const char *path, xb_tuning *t, xb_error *err)
{
  const char *slash = strrchr(path, '/');
  *t = (xb_tuning){.name = slash ? slash + 1 : path};
  xb_code code = xb_json_load(path, &t->root, err);
  code = code ? code : xb_cache_check(path, t->root, err);
  const char *kernel = json_string_value(json_object_get(t->root, "kernel_name"));
  t->device = json_string_value(json_object_get(t->root, "device_name"));
  if (!code && kernel && sscanf(kernel, "%95s %95s %95s", t->kernel, t->backend, t->dtype) == 3 && is_whole(t->root))
    return XB_OK;
  xb_tuning_free(t);
  return code ? code : xb_fail(err, XB_INVALID, path, "is not a cache file of 'xbench tune'");
}

void xb_tuning_free(xb_tuning *t)
{
  json_decref(t->root);
  t->root = NULL;
}

/* True if both are of one kernel, type, size and device, through whatever API. */
static bool is_alike(const xb_tuning *a, const xb_tuning *b)
{
  return !strcmp(a->kernel, b->kernel) && !strcmp(a->dtype, b->dtype) && !strcmp(a->device, b->device) &&
         json_equal(json_object_get(a->root, "problem_size"), json_object_get(b->root, "problem_size")) &&
         json_equal(json_object_get(a->root, "tune_params_keys"), json_object_get(b->root, "tune_params_keys"));
}

/* Milliseconds; NAN if the candidate is invalid. */
static double time_of(const json_t *candidate)
{
  const double time = json_number_value(json_object_get(candidate, "time"));
  return time > 0 && isfinite(time) ? time : NAN;
}

/* ---- Charts of one kernel --------------------------------------------------------------------------------------- */

typedef struct search {
  const xb_tuning *tunings; /* of one kernel */
  size_t count;
  const char *parameter; /* across; NULL: seconds of search */
} search;

/* An API has the colour that its results have on this report. */
static int slot_of(const xb_report *report, const search *s, size_t i)
{
  for (const xb_view_target *t = report->view->targets; t && t < report->view->targets + report->view->target_count;
       t++)
    if (!strcmp(t->device->backend, s->tunings[i].backend))
      return t->slot;
  return (int)i % XB_VIEW_SLOTS;
}

static double across(const search *s, const json_t *candidate)
{
  return s->parameter ? (double)json_integer_value(json_object_get(candidate, s->parameter))
                      : json_number_value(json_object_get(candidate, "search_seconds"));
}

typedef struct range {
  double least, most, top;
} range;

static range range_of(const search *s)
{
  range r = {INFINITY, 0, 0};
  const char *key;
  json_t *c;
  for (size_t i = 0; i < s->count; i++)
    json_object_foreach(json_object_get(s->tunings[i].root, "cache"), key, c) if (time_of(c) > 0)
    {
      r.least = fmin(r.least, across(s, c));
      r.most = fmax(r.most, across(s, c));
      r.top = fmax(r.top, time_of(c));
    }
  return r;
}

/* The best so far, in steps; or the best with each value of the parameter, in the order of the values. */
static void draw_best(xb_chart *chart, const search *s, size_t i, xb_pen pen)
{
  const json_t *values =
      json_object_get(json_object_get(s->tunings[i].root, "tune_params"), s->parameter ? s->parameter : "");
  json_t *cache = json_object_get(s->tunings[i].root, "cache"), *c;
  const char *key;
  double best = INFINITY;
  xb_path path = xb_path_begin(chart, pen, XB_NO_SHAPE);
  json_object_foreach(cache, key, c) if (!s->parameter && time_of(c) > 0)
  {
    if (isfinite(best))
      xb_path_to(&path, across(s, c), best);
    best = fmin(best, time_of(c));
    xb_path_to(&path, across(s, c), best);
  }
  for (size_t v = 0; v < json_array_size(values); v++) {
    best = INFINITY;
    json_object_foreach(cache, key, c) if (json_equal(json_object_get(c, s->parameter), json_array_get(values, v)))
        best = fmin(best, time_of(c)); /* NAN changes nothing */
    if (isfinite(best))
      xb_path_to(&path, json_number_value(json_array_get(values, v)), best);
  }
  xb_path_end(&path);
}

static void draw(xb_report *report, xb_figure *figure, const search *s, const range *r)
{
  xb_chart *chart = &figure->chart;
  const double width = r->most - (s->parameter ? r->least : 0), space = width > 0 ? 0.03 * width : 1;
  const char *key;
  json_t *c;
  xb_chart_size(chart, 260, 59, 17, 30, 56);
  if (s->parameter && r->least > 0 && r->most > 4 * r->least)
    xb_size_axis(chart, r->least, r->most);
  else
    xb_linear_axis(chart, 'x', s->parameter ? r->least - space : 0, r->most + space, 0);
  xb_linear_axis(chart, 'y', 0, 1.06 * r->top, 0);
  xb_chart_titles(chart, s->parameter ? s->parameter : "seconds of search", "ms");
  for (size_t i = 0; i < s->count; i++) {
    const int slot = slot_of(report, s, i);
    draw_best(chart, s, i, (xb_pen){XB_COLOUR_SERIES + slot, 2, false});
    json_object_foreach(json_object_get(s->tunings[i].root, "cache"), key, c)
        xb_draw_point(chart, XB_COLOUR_SERIES + slot, (int)i, across(s, c), time_of(c));
    xb_figure_legend(figure, XB_MARK_POINT, slot, (int)i, s->tunings[i].backend);
  }
}

static void tabulate(xb_figure *figure, const search *s)
{
  const char *key;
  json_t *c;
  xb_figure_table(figure, "ttnnt", "API", "candidate", s->parameter ? s->parameter : "seconds of search", "ms",
                  "invalid");
  for (size_t i = 0; i < s->count; i++)
    json_object_foreach(json_object_get(s->tunings[i].root, "cache"), key, c)
    {
      const char *reason = json_string_value(json_object_get(c, "reason"));
      xb_figure_row(figure, s->tunings[i].backend, key, across(s, c), time_of(c), reason ? reason : "");
    }
}

/* "cuda: 0.01019 ms with 256 (block); vulkan: ..." */
static void describe(xb_figure *figure, const search *s)
{
  for (size_t i = 0; i < s->count; i++) {
    const char *key, *best = NULL;
    json_t *c;
    double least = INFINITY;
    json_object_foreach(json_object_get(s->tunings[i].root, "cache"), key, c) if (time_of(c) < least)
    {
      least = time_of(c);
      best = key;
    }
    char text[XB_NAME];
    XB_ADD(figure->takeaway, "%s%s: best %s ms, with %s", i ? "; " : "", s->tunings[i].backend,
           xb_name_figure(least, text), best ? best : "none");
  }
  XB_ADD(figure->takeaway, ". These are single measurements of the search; the verdict is from several runs.");
}

static void write_chart(xb_report *report, const search *s)
{
  xb_figure figure;
  const range r = range_of(s);
  if (!(r.top > 0) || !xb_figure_begin(report, &figure))
    return;
  draw(report, &figure, s, &r);
  tabulate(&figure, s);
  XB_ADD(figure.title, "%s, %s: %s%s", s->tunings->kernel, s->tunings->dtype,
         s->parameter ? "time over " : "best so far", s->parameter ? s->parameter : "");
  XB_ADD(figure.source, "%s", s->tunings->name);
  describe(&figure, s);
  xb_figure_end(report, &figure);
}

void xb_tuning_charts(xb_report *report)
{
  for (size_t i = 0, end; i < report->tuning_count; i = end) {
    search s = {.tunings = &report->tunings[i]};
    const json_t *keys = json_object_get(report->tunings[i].root, "tune_params_keys");
    for (end = i; end < report->tuning_count && is_alike(&report->tunings[i], &report->tunings[end]); end++)
      s.count++;
    write_chart(report, &s);
    for (size_t k = 0; k < json_array_size(keys); k++) {
      s.parameter = json_string_value(json_array_get(keys, k));
      write_chart(report, &s);
    }
  }
}
