#include "report/model/view.h"

#include "benchmarks/registry.h"
#include "judge/judge.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The file's description of a benchmark; NULL in files of schema xbench/1, which have none. */
static const xb_result_benchmark *find_benchmark(const xb_view_file *file, const char *name)
{
  for (size_t i = 0; i < file->document->benchmark_count; i++)
    if (!strcmp(file->document->benchmarks[i].name, name))
      return &file->document->benchmarks[i];
  return NULL;
}

const xb_result_benchmark *xb_view_benchmark(const xb_view *view, const char *name)
{
  const xb_result_benchmark *found = NULL;
  for (size_t f = 0; f < view->file_count && !found; f++)
    found = find_benchmark(&view->files[f], name);
  return found;
}

const char *xb_view_title(const xb_view *view, const char *benchmark)
{
  const xb_result_benchmark *b = xb_view_benchmark(view, benchmark);
  const xb_benchmark *own = xb_benchmark_find(benchmark);
  return b && b->title ? b->title : own ? own->title : "";
}

bool xb_view_is_ladder(const xb_view_file *file, const char *benchmark)
{
  const xb_result_benchmark *b = find_benchmark(file, benchmark);
  const xb_benchmark *own = xb_benchmark_find(benchmark);
  return b ? b->ladder == 1 : own && own->ladder;
}

/* ---- Cells ------------------------------------------------------------------------------------------------------ */

static int by_question(const void *a, const void *b)
{
  const xb_result *x = *(const xb_result *const *)a, *y = *(const xb_result *const *)b;
  int c = strcmp(x->benchmark, y->benchmark);
  c = c ? c : strcmp(x->dtype, y->dtype);
  c = c ? c : xb_compare_sizes(x, y);
  c = c ? c : xb_compare_at(x, y);
  c = c ? c : (x->variant_number > y->variant_number) - (x->variant_number < y->variant_number);
  c = c ? c : strcmp(x->variant, y->variant);
  c = c ? c : (x->on > y->on) - (x->on < y->on);
  return c ? c : (x > y) - (x < y);
}

static bool sort_cells(xb_view_file *file)
{
  const xb_document *document = file->document;
  file->cells = xb_arena_take(&file->arena, document->result_count, sizeof *file->cells);
  for (size_t i = 0; file->cells && i < document->result_count; i++)
    if (document->results[i].yardstick != 1)
      file->cells[file->cell_count++] = &document->results[i];
  if (file->cells)
    qsort(file->cells, file->cell_count, sizeof *file->cells, by_question);
  return file->cells;
}

/* In the order of measurement, not alphabetically. */
static bool find_benchmarks(xb_view *view)
{
  size_t cells = 0;
  for (size_t f = 0; f < view->file_count; f++)
    cells += view->files[f].document->result_count;
  view->benchmarks = xb_arena_take(&view->arena, cells, sizeof *view->benchmarks);
  for (size_t f = 0; view->benchmarks && f < view->file_count; f++)
    for (size_t i = 0; i < view->files[f].document->result_count; i++) {
      const xb_result *r = &view->files[f].document->results[i];
      size_t b = 0;
      while (b < view->benchmark_count && strcmp(view->benchmarks[b], r->benchmark) != 0)
        b++;
      if (b == view->benchmark_count && r->yardstick != 1)
        view->benchmarks[view->benchmark_count++] = r->benchmark;
    }
  return view->benchmarks;
}

/* ---- The view --------------------------------------------------------------------------------------------------- */

static bool ends_in(const char *path, const char *tail)
{
  const size_t length = strlen(path), tail_length = strlen(tail);
  return length >= tail_length && !strcmp(path + length - tail_length, tail) &&
         (length == tail_length || path[length - tail_length - 1] == '/');
}

/* Without folders, except those needed to distinguish it from other files: "monday/r.json". */
static const char *name_file(const xb_document *const *documents, size_t count, size_t i)
{
  const char *path = documents[i]->path, *name = path + strlen(path);
  bool alone = false;
  while (!alone && name > path) {
    do
      name--;
    while (name > path && name[-1] != '/');
    alone = true;
    for (size_t k = 0; k < count; k++)
      alone = alone && (k == i || !ends_in(documents[k]->path, name));
  }
  return name;
}

bool xb_view_make(xb_view *view, const xb_document *const *documents, size_t count)
{
  *view = (xb_view){.files = calloc(count, sizeof *view->files)};
  bool good = view->files;
  for (size_t i = 0; i < count && good; i++) {
    xb_view_file *file = &view->files[view->file_count++];
    file->document = documents[i];
    file->name = name_file(documents, count, i);
  }
  good = good && xb_view_find_targets(view);
  for (size_t i = 0; i < count && good; i++)
    good = sort_cells(&view->files[i]) && xb_view_find_ratios(view, &view->files[i]);
  good = good && find_benchmarks(view);
  if (!good)
    xb_view_free(view);
  return good;
}

void xb_view_free(xb_view *view)
{
  for (size_t i = 0; i < view->file_count; i++) {
    xb_means_free(&view->files[i].computed_means);
    xb_arena_free(&view->files[i].arena);
  }
  free(view->files);
  free(view->means);
  xb_arena_free(&view->arena);
  *view = (xb_view){0};
}

/* ---- Properties of cells, and of ranges of cells ---------------------------------------------------------------- */

bool xb_same_question(const xb_result *a, const xb_result *b)
{
  return !strcmp(a->benchmark, b->benchmark) && !strcmp(a->dtype, b->dtype);
}

bool xb_same_size(const xb_result *a, const xb_result *b)
{
  return xb_same_question(a, b) && !xb_compare_sizes(a, b);
}

size_t xb_view_end(const xb_view_file *file, size_t from, bool (*same)(const xb_result *a, const xb_result *b))
{
  size_t end = from;
  while (end < file->cell_count && same(file->cells[from], file->cells[end]))
    end++;
  return end;
}

const xb_view_target *xb_view_target_of(const xb_view_file *file, const xb_result *cell)
{
  return &file->targets[cell->on - file->document->devices];
}

double xb_view_copy(const xb_result *cell)
{
  const double copy = xb_is_bandwidth(cell) ? 100 * xb_result_value(cell) / cell->rates.percent_of_copy : NAN;
  return isfinite(copy) && copy > 0 ? copy : NAN;
}

bool xb_lacks_time(const xb_result *cell)
{
  return cell->outcome != XB_CELL_OK && cell->outcome != XB_CELL_NO_COUNTERPART;
}

const char *xb_outcome_words(const xb_result *cell)
{
  return cell->outcome == XB_CELL_NO_COUNTERPART ? "no counterpart" : xb_outcome_name(cell->outcome);
}

bool xb_is_bandwidth(const xb_result *cell)
{
  return !strcmp(xb_result_unit(cell), "GB/s");
}

bool xb_has_value(const xb_result *cell)
{
  return xb_result_value(cell) > 0;
}

bool xb_is_better(const xb_result *a, const xb_result *b)
{
  const bool less = a->rates.metrics.count && a->rates.metrics.values[0].more_is_better == 0;
  return less ? xb_result_value(a) < xb_result_value(b) : xb_result_value(a) > xb_result_value(b);
}

xb_interval xb_value_interval(const xb_result *cell)
{
  const char *unit = xb_result_unit(cell);
  const size_t length = strlen(unit);
  const double value = xb_result_value(cell), median = cell->time.median_ns;
  const xb_interval *ns = &cell->time.ci95_ns;
  if (!(value > 0 && median > 0 && ns->low > 0 && ns->high >= ns->low) || !isfinite(ns->high))
    return (xb_interval){NAN, NAN};
  if (length > 2 && !strcmp(unit + length - 2, "/s"))
    return (xb_interval){value * median / ns->high, value * median / ns->low};
  const bool time = !strncmp(unit, "ns", 2) && (!unit[2] || unit[2] == ' ');
  return time ? (xb_interval){value * ns->low / median, value * ns->high / median} : (xb_interval){NAN, NAN};
}

bool xb_is_tied(const xb_result *a, const xb_result *b)
{
  const bool valued = xb_has_value(a) && xb_has_value(b);
  const xb_interval x = valued ? xb_value_interval(a) : a->time.ci95_ns,
                    y = valued ? xb_value_interval(b) : b->time.ci95_ns;
  if (xb_has_value(a) != xb_has_value(b) || strcmp(xb_result_unit(a), xb_result_unit(b)) != 0)
    return false;
  return (x.low <= y.high && y.low <= x.high) || (valued && !(xb_is_better(a, b) || xb_is_better(b, a)));
}

bool xb_begins_variant(const xb_view_file *file, size_t from, size_t i)
{
  return i == from || strcmp(file->cells[i]->variant, file->cells[i - 1]->variant) != 0;
}

bool xb_axis_varies(const xb_view_file *file, size_t from, size_t to)
{
  for (size_t i = from + 1; i < to; i++)
    if (xb_same_size(file->cells[i], file->cells[i - 1]) && xb_compare_at(file->cells[i], file->cells[i - 1]))
      return true;
  return false;
}

/* ---- Scales ---------------------------------------------------------------------------------------------------- */

double xb_predicted(const xb_result *cell)
{
  return xb_result_value(cell) * cell->rates.model.predicted / cell->rates.model.measured;
}

static bool belongs(const xb_result *like, const xb_result *cell, int axis)
{
  return !strcmp(xb_result_unit(like), xb_result_unit(cell)) &&
         (axis < 0 ||
          (axis < (int)cell->at.count && xb_same_text(like->at.values[axis].axis, cell->at.values[axis].axis)));
}

static void add_cell(xb_scale *s, const xb_result *cell, int axis)
{
  const double x = axis < 0 ? (double)cell->work.size : (double)cell->at.values[axis].value;
  if (cell->outcome == XB_CELL_OK && cell->time.median_ns > 0) {
    s->shortest_ns = fmin(s->shortest_ns, cell->time.median_ns);
    s->longest_ns = fmax(s->longest_ns, cell->time.median_ns);
  }
  if (!xb_has_value(cell))
    return;
  s->least = fmin(s->least, x);
  s->most = fmax(s->most, x);
  s->low = fmin(s->low, xb_result_value(cell));
  s->high = fmax(s->high, xb_result_value(cell));
  if (axis >= 0)
    s->high = fmax(s->high, xb_predicted(cell));
}

xb_scale xb_scale_find(const xb_view *view, const xb_result *like, bool (*same)(const xb_result *a, const xb_result *b),
                       int axis, double beyond)
{
  xb_scale s = {.least = INFINITY, .low = INFINITY, .shortest_ns = INFINITY};
  double copy = 0, peak = 0;
  for (size_t f = 0; f < view->file_count; f++)
    for (size_t i = 0; i < view->files[f].cell_count; i++) {
      const xb_result *cell = view->files[f].cells[i];
      if (!same(like, cell) || !belongs(like, cell, axis))
        continue;
      add_cell(&s, cell, axis);
      if (axis < 0 && xb_is_bandwidth(cell)) {
        copy = fmax(copy, xb_view_copy(cell));
        peak = fmax(peak, xb_view_target_of(&view->files[f], cell)->peak);
      }
    }
  s.top = s.high > beyond * copy ? fmax(s.high, copy) : s.high;
  s.top = s.top > beyond * peak ? fmax(s.top, peak) : s.top;
  return s;
}
