#include "result/matrix.h"

#include <math.h>
#include <string.h>

bool xb_is_of_pairs(const xb_result_benchmark *b)
{
  return b && b->axes.count == 2 && !strcmp(b->axes.values[0].name, "from") && !strcmp(b->axes.values[1].name, "to");
}

bool xb_same_matrix(const xb_result *a, const xb_result *b)
{
  return a->on == b->on && a->size == b->size && !strcmp(a->benchmark, b->benchmark) &&
         !strcmp(a->variant, b->variant) && !strcmp(a->dtype, b->dtype);
}

void xb_matrix_begin(xb_matrix *m, const xb_result *first)
{
  m->of = first;
  m->unit = NULL;
  m->rows = m->columns = 0;
  for (size_t r = 0; r < XB_MATRIX_MOST; r++)
    for (size_t c = 0; c < XB_MATRIX_MOST; c++)
      m->values[r][c] = NAN;
  xb_matrix_add(m, first);
}

/* The place of the number in the list; it is added if it is new. XB_MATRIX_MOST: the list is full. */
static size_t place(int64_t *list, size_t *count, int64_t number)
{
  for (size_t i = 0; i < *count; i++)
    if (list[i] == number)
      return i;
  if (*count < XB_MATRIX_MOST)
    list[(*count)++] = number;
  else
    return XB_MATRIX_MOST;
  return *count - 1;
}

void xb_matrix_add(xb_matrix *m, const xb_result *r)
{
  if (!xb_same_matrix(m->of, r) || r->at.count != 2)
    return;
  const size_t row = place(m->from, &m->rows, r->at.values[0].value);
  const size_t column = place(m->to, &m->columns, r->at.values[1].value);
  if (r->outcome != XB_CELL_OK || !(xb_result_value(r) > 0) || row == XB_MATRIX_MOST || column == XB_MATRIX_MOST)
    return;
  m->unit = xb_result_unit(r);
  m->values[row][column] = xb_result_value(r);
}
