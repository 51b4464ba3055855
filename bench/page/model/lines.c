#include "page/model/lines.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- Scales ------------------------------------------------------------------------------------------------------ */

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

/* ---- Lines of a metric ------------------------------------------------------------------------------------------- */

bool xb_line_has(const xb_lines *l, const xb_result *cell)
{
  bool same = (!l->only || xb_view_target_of(l->file, cell) == l->only) &&
              (!l->variant || !strcmp(l->variant, cell->variant)) && l->axis < (int)cell->at.count &&
              cell->at.count == l->like->at.count;
  for (size_t a = 0; a < cell->at.count && same; a++)
    same = (int)a == l->axis || cell->at.values[a].value == l->like->at.values[a].value;
  return same;
}

bool xb_line_is(const xb_lines *l, size_t k, const xb_result *cell)
{
  return xb_view_target_of(l->file, cell) == l->at[k].target && !strcmp(cell->variant, l->at[k].variant) &&
         xb_line_has(l, cell);
}

double xb_line_x(const xb_lines *l, const xb_result *cell)
{
  return l->axis < 0 ? (double)cell->size : (double)cell->at.values[l->axis].value;
}

int xb_line_slot(const xb_lines *l, size_t k)
{
  for (size_t i = 1; i < l->count; i++)
    if (l->at[i].target != l->at[0].target)
      return l->at[k].target->slot;
  return l->count > 1 ? (int)k % XB_VIEW_SLOTS : l->at[k].target->slot;
}

static void find_roofs(xb_lines *l, const xb_result *cell)
{
  const xb_view_target *target = xb_view_target_of(l->file, cell);
  l->peak = isfinite(target->peak) && xb_is_bandwidth(cell) ? target->peak : l->peak;
  l->cache = isfinite(target->cache) ? target->cache : l->cache;
  l->copy = fmax(l->copy, xb_view_copy(cell));
  /* Without a number of bytes, the elements are what the kernel walks through: "int32" has 4 bytes. */
  l->bytes_each = cell->bytes ? (double)cell->bytes / (double)cell->size
                              : strtod(cell->dtype + strcspn(cell->dtype, "0123456789"), NULL) / 8;
}

void xb_lines_find(xb_lines *l)
{
  l->least = INFINITY;
  l->across = l->axis < 0 ? "size" : l->like->at.values[l->axis].axis;
  l->peak = l->copy = l->cache = l->bytes_each = NAN;
  for (size_t i = l->from; i < l->to; i++) {
    const xb_result *cell = l->file->cells[i];
    if (!xb_has_value(cell) || !xb_line_has(l, cell))
      continue;
    size_t k = 0;
    while (k < l->count && !xb_line_is(l, k, cell))
      k++;
    if (k == l->count && l->count < XB_LINES_MOST)
      l->at[l->count++] = (xb_metric_line){cell->variant, xb_view_target_of(l->file, cell)};
    else if (k == l->count)
      l->in_all++;
    l->least = fmin(l->least, xb_line_x(l, cell));
    l->most = fmax(l->most, xb_line_x(l, cell));
    l->mixed |= l->metric && strcmp(l->metric->unit, cell->metrics.values[0].unit) != 0;
    l->metric = &cell->metrics.values[0];
    l->drawn = cell;
    l->model |= l->axis >= 0 && xb_predicted(cell) > 0;
    if (l->axis < 0)
      find_roofs(l, cell);
  }
  l->in_all += l->count;
}

/* ---- Lines of ratios --------------------------------------------------------------------------------------------- */

bool xb_same_line(const xb_comparison *a, const xb_comparison *b)
{
  return a->subject->on == b->subject->on && a->base->on == b->base->on &&
         !strcmp(a->subject->variant, b->subject->variant) && !strcmp(a->base->variant, b->base->variant) &&
         !strcmp(a->subject->dtype, b->subject->dtype);
}

const char *xb_ratio_name(const xb_view_file *file, const xb_comparison *r, char out[XB_NAME])
{
  return xb_name_sides(xb_view_target_of(file, r->subject), r->subject->variant, xb_view_target_of(file, r->base),
                       r->base->variant, out);
}

xb_interval xb_drawn_interval(double ratio, xb_interval interval)
{
  const bool good = isfinite(interval.low) && isfinite(interval.high) && interval.low > 0 && interval.low <= ratio &&
                    interval.high >= ratio;
  return good ? interval : (xb_interval){ratio, ratio};
}

static void widen(xb_ratio_set *s, const xb_comparison *r)
{
  const xb_interval ends = xb_drawn_interval(r->ratio, r->ci95_ratio);
  s->least = fmin(s->least, (double)r->subject->size);
  s->most = fmax(s->most, (double)r->subject->size);
  s->low = fmin(s->low, ends.low);
  s->high = fmax(s->high, ends.high);
}

void xb_ratio_ranges_widen(xb_ratio_set *s, const xb_view *view)
{
  const xb_result *like = s->at[0]->subject;
  for (size_t f = 0; f < view->file_count; f++)
    for (size_t i = 0; i < view->files[f].ratio_count; i++) {
      const xb_comparison *r = &view->files[f].ratios[i];
      if (r->verdict && !strcmp(r->subject->benchmark, like->benchmark) && (s->sizes || xb_same_size(r->subject, like)))
        widen(s, r);
    }
}

void xb_ratio_lines_find(xb_ratio_set *s)
{
  s->line_count = s->lines_in_all = 0;
  s->least = INFINITY;
  s->low = s->high = 1;
  for (size_t i = 0; i < s->count; i++) {
    const xb_comparison *r = s->at[i];
    size_t k = 0;
    while (k < s->line_count && !xb_same_line(r, s->lines[k]))
      k++;
    if (k == s->line_count && k < XB_LINES_MOST)
      s->lines[s->line_count++] = r;
    s->lines_in_all += k == s->line_count;
    s->sizes |= !xb_same_size(r->subject, s->at[0]->subject) && xb_same_question(r->subject, s->at[0]->subject);
    s->dtypes |= strcmp(r->subject->dtype, s->at[0]->subject->dtype) != 0;
    s->variants |= strcmp(r->subject->variant, s->at[0]->subject->variant) != 0;
    widen(s, r);
    s->margin = r->margin;
  }
  s->lines_in_all += s->line_count;
}

int xb_ratio_slot(const xb_ratio_set *s, const xb_view_file *file, size_t k)
{
  for (size_t i = 1; i < s->line_count; i++)
    if (s->lines[i]->subject->on != s->lines[0]->subject->on)
      return xb_view_target_of(file, s->lines[k]->subject)->slot;
  return s->line_count > 1 ? (int)k % XB_VIEW_SLOTS : xb_view_target_of(file, s->lines[k]->subject)->slot;
}

void xb_ratio_set_take(xb_ratio_set *part, const xb_ratio_set *all, const char *variant)
{
  uint64_t largest = 0;
  for (size_t i = 0; i < all->count; i++)
    largest = all->at[i]->subject->size > largest ? all->at[i]->subject->size : largest;
  *part = (xb_ratio_set){.at = part->at};
  for (size_t i = 0; i < all->count; i++)
    if (variant ? !strcmp(all->at[i]->subject->variant, variant) : all->at[i]->subject->size == largest)
      part->at[part->count++] = all->at[i];
}
