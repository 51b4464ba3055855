#include "page/model/metric_lines.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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
      l->at[l->count++] = (xb_line){cell->variant, xb_view_target_of(l->file, cell)};
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
