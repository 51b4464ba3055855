/* Searches for a configuration: the best so far over time, and the time over each parameter, APIs side by side. */
#include "page/model/tuning.h"
#include "page/charts/charts.h"

#include <math.h>
#include <string.h>

enum { HEIGHT = 260 };

typedef struct search {
  const xb_tuning *tunings; /* of one kernel */
  size_t count;
  const char *parameter; /* across; NULL: seconds of search */
} search;

/* An API has the colour that its results have on this page. */
static int slot_of(const xb_page *page, const search *s, size_t i)
{
  for (const xb_view_target *t = page->view->targets; t < page->view->targets + page->view->target_count; t++)
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
    json_object_foreach(json_object_get(s->tunings[i].root, "cache"), key, c) if (xb_tuning_time(c) > 0)
    {
      r.least = fmin(r.least, across(s, c));
      r.most = fmax(r.most, across(s, c));
      r.top = fmax(r.top, xb_tuning_time(c));
    }
  return r;
}

/* The best so far; or the best with each value of the parameter, in the order of the values. */
static void draw_best(FILE *script, const search *s, size_t i)
{
  const json_t *cache = json_object_get(s->tunings[i].root, "cache");
  const json_t *values =
      json_object_get(json_object_get(s->tunings[i].root, "tune_params"), s->parameter ? s->parameter : "");
  const char *key;
  json_t *c;
  double best = INFINITY;
  fprintf(script, "$best%zu << EOD\n", i);
  json_object_foreach((json_t *)(uintptr_t)cache, key, c) if (!s->parameter && xb_tuning_time(c) > 0)
  {
    best = fmin(best, xb_tuning_time(c));
    fprintf(script, "%.9g %.9g\n", across(s, c), best);
  }
  for (size_t v = 0; v < json_array_size(values); v++) {
    best = INFINITY;
    json_object_foreach((json_t *)(uintptr_t)cache, key,
                        c) if (xb_tuning_time(c) > 0 &&
                               json_equal(json_object_get(c, s->parameter), json_array_get(values, v))) best =
        fmin(best, xb_tuning_time(c));
    if (isfinite(best))
      fprintf(script, "%.9g %.9g\n", json_number_value(json_array_get(values, v)), best);
  }
  fprintf(script, "EOD\n$all%zu << EOD\n", i);
  json_object_foreach((json_t *)(uintptr_t)cache, key, c) if (xb_tuning_time(c) > 0)
      fprintf(script, "%.9g %.9g\n", across(s, c), xb_tuning_time(c));
  fputs("EOD\n", script);
}

static void draw(xb_page *page, xb_figure *figure, const search *s, const range *r)
{
  FILE *script = figure->chart.script;
  const double width = r->most - (s->parameter ? r->least : 0), space = width > 0 ? 0.03 * width : 1;
  if (s->parameter && r->least > 0 && r->most > 4 * r->least)
    xb_size_axis(&figure->chart, r->least, r->most);
  else {
    xb_chart_marks(&figure->chart, 'x', r->most > 0 ? r->most : 1);
    fprintf(script, "set xrange [%.9g:%.9g]\n", s->parameter ? r->least - space : 0, r->most + space);
  }
  fprintf(script, "set yrange [0:%.9g]\n", 1.06 * r->top);
  xb_chart_marks(&figure->chart, 'y', r->top);
  xb_chart_axes(&figure->chart, s->parameter ? s->parameter : "seconds of search", "ms");
  for (size_t i = 0; i < s->count; i++) {
    draw_best(script, s, i);
    xb_figure_legend(figure, XB_MARK_POINT, slot_of(page, s, i), (int)i, s->tunings[i].backend);
  }
  for (size_t i = 0; i < s->count; i++) {
    const int colour = XB_COLOUR_SERIES + slot_of(page, s, i);
    fprintf(script,
            "%s $best%zu using 1:2 with %s lw 2 lc rgb '#0000%02x', $all%zu using 1:2 with points pt %d ps 0.6 lc rgb "
            "'#0000%02x'",
            i ? "," : "plot", i, s->parameter ? "lines" : "steps", colour, i, xb_point_type((int)i), colour);
  }
  fputs("\n", script);
}

static void tabulate(xb_data_table *table, const search *s)
{
  const char *key;
  json_t *c;
  xb_data_table_begin(table, "ttnnt", "API", "candidate", s->parameter ? s->parameter : "seconds of search", "ms",
                      "invalid");
  for (size_t i = 0; i < s->count; i++)
    json_object_foreach(json_object_get(s->tunings[i].root, "cache"), key, c)
    {
      const char *reason = json_string_value(json_object_get(c, "reason"));
      xb_data_table_row(table, s->tunings[i].backend, key, across(s, c), xb_tuning_time(c), reason ? reason : "");
    }
}

/* "cuda: 0.01019 ms with 256 (block); vulkan: ..." */
static void describe(xb_figure *figure, const search *s)
{
  for (size_t i = 0; i < s->count; i++) {
    const char *key, *best = NULL;
    json_t *c;
    double least = INFINITY;
    json_object_foreach(json_object_get(s->tunings[i].root, "cache"), key, c) if (xb_tuning_time(c) < least)
    {
      least = xb_tuning_time(c);
      best = key;
    }
    char text[XB_NAME];
    XB_ADD(figure->takeaway, "%s%s: best %s ms, with %s", i ? "; " : "", s->tunings[i].backend,
           xb_name_figure(least, text), best ? best : "none");
  }
  XB_ADD(figure->takeaway, ". These are single measurements of the search; the verdict is from several runs.");
}

static void write_chart(xb_page *page, const search *s)
{
  xb_figure figure;
  const range r = range_of(s);
  if (!(r.top > 0) || !xb_figure_begin(page, &figure, HEIGHT, 0.14, 0.96, 1 - 30. / HEIGHT, 56. / HEIGHT))
    return;
  draw(page, &figure, s, &r);
  tabulate(&figure.table, s);
  XB_ADD(figure.title, "%s, %s: %s%s", s->tunings->kernel, s->tunings->dtype,
         s->parameter ? "time over " : "best so far", s->parameter ? s->parameter : "");
  XB_ADD(figure.source, "%s", s->tunings->name);
  describe(&figure, s);
  xb_figure_end(page, &figure);
}

void xb_tuning_charts(xb_page *page)
{
  for (size_t i = 0, end; i < page->tuning_count; i = end) {
    search s = {.tunings = &page->tunings[i]};
    const json_t *keys = json_object_get(page->tunings[i].root, "tune_params_keys");
    for (end = i; end < page->tuning_count && xb_tuning_alike(&page->tunings[i], &page->tunings[end]); end++)
      s.count++;
    write_chart(page, &s);
    for (size_t k = 0; k < json_array_size(keys); k++) {
      s.parameter = json_string_value(json_array_get(keys, k));
      write_chart(page, &s);
    }
  }
}
