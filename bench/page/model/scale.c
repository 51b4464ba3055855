#include "page/model/scale.h"

#include <math.h>
#include <string.h>

double xb_predicted(const xb_result *cell)
{
  return xb_result_value(cell) * cell->model.predicted / cell->model.measured;
}

static bool belongs(const xb_result *like, const xb_result *cell, int axis)
{
  return !strcmp(xb_result_unit(like), xb_result_unit(cell)) &&
         (axis < 0 ||
          (axis < (int)cell->at.count && xb_same_text(like->at.values[axis].axis, cell->at.values[axis].axis)));
}

static void add_cell(xb_scale *s, const xb_result *cell, int axis)
{
  const double x = axis < 0 ? (double)cell->size : (double)cell->at.values[axis].value;
  if (cell->outcome == XB_CELL_OK && cell->median_ns > 0) {
    s->shortest_ns = fmin(s->shortest_ns, cell->median_ns);
    s->longest_ns = fmax(s->longest_ns, cell->median_ns);
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
