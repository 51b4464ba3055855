#include "page/model/metric_lines.h"

#include <math.h>
#include <string.h>

bool xb_line_has(const xb_lines *l, const xb_result *cell)
{
  const xb_result *first = l->file->cells[l->from];
  bool same = (!l->only || xb_view_target_of(l->file, cell) == l->only) && l->axis < (int)cell->at.count;
  for (size_t a = 0; l->axis >= 0 && a < cell->at.count && same; a++)
    same = (int)a == l->axis || cell->at.values[a].value == first->at.values[a].value;
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
  l->bytes_each = cell->bytes ? (double)cell->bytes / (double)cell->size : l->bytes_each;
}

xb_lines xb_lines_find(const xb_view_file *file, size_t from, size_t to, const xb_view_target *only, int axis)
{
  xb_lines l = {.file = file, .from = from, .to = to, .only = only, .axis = axis, .least = INFINITY};
  l.across = axis < 0 ? "size" : file->cells[from]->at.values[axis].axis;
  l.peak = l.copy = l.cache = l.bytes_each = NAN;
  for (size_t i = from; i < to; i++) {
    const xb_result *cell = file->cells[i];
    if (!xb_has_value(cell) || !xb_line_has(&l, cell))
      continue;
    size_t k = 0;
    while (k < l.count && !xb_line_is(&l, k, cell))
      k++;
    if (k == l.count && l.count < XB_LINES_MOST)
      l.at[l.count++] = (xb_line){cell->variant, xb_view_target_of(file, cell)};
    else if (k == l.count)
      l.in_all++;
    l.least = fmin(l.least, xb_line_x(&l, cell));
    l.most = fmax(l.most, xb_line_x(&l, cell));
    l.metric = &cell->metrics.values[0];
    l.like = cell;
    l.model |= axis >= 0 && xb_predicted(cell) > 0;
    if (axis < 0)
      find_roofs(&l, cell);
  }
  l.in_all += l.count;
  return l;
}
