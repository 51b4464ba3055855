/* Properties of the cells of a view, and of ranges of cells. */
#include "page/model/page_view.h"

#include <math.h>
#include <string.h>

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
  const double copy = xb_is_bandwidth(cell) ? 100 * xb_result_value(cell) / cell->percent_of_copy : NAN;
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
  const bool less = a->metrics.count && a->metrics.values[0].more_is_better == 0;
  return less ? xb_result_value(a) < xb_result_value(b) : xb_result_value(a) > xb_result_value(b);
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
