#include "formats/matrix_table.h"

#include "base/value_text.h"
#include "formats/table_text.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

XB_COLUMN_NUMBER(from)
{
  return (double)*(const int64_t *)row;
}

XB_COLUMN_NUMBER(value)
{
  const xb_matrix *m = s->user;
  return m->values[(const int64_t *)row - m->from][c->offset];
}

static const char *unknown(const void *row XB_UNUSED)
{
  return "N/A";
}

void xb_matrix_sheet(xb_sheet *s, const xb_matrix *m)
{
  static char heads[XB_MATRIX_MOST][24];
  *s = (xb_sheet){.user = m, XB_ROWS(m->from, m->rows), .unknown = unknown};
  xb_sheet_add(s, (xb_column){"", 4, "%.0f", .number = from, .head = true});
  for (size_t c = 0; c < m->columns; c++) {
    snprintf(heads[c], sizeof heads[c], "%" PRId64, m->to[c]);
    xb_sheet_add(s, (xb_column){heads[c], 8, "%.2f", .number = value, .offset = c});
  }
}

static void print_matrix(const xb_matrix *m)
{
  static xb_sheet s; /* too large for a stack */
  char target[32], size[48];
  xb_format_size(m->of->size, size, sizeof size);
  printf("\n%s/%s through %s, n = %s: %s from device (row) to device (column)\n", m->of->benchmark, m->of->variant,
         xb_format_target(m->of->on, target), size, m->unit);
  xb_matrix_sheet(&s, m);
  xb_sheet_write(&s, XB_IN_TEXT);
}

static bool begins(const xb_group *group, const xb_result *r)
{
  for (const xb_result *before = group->results; before < r; before++)
    if (xb_same_matrix(before, r))
      return false;
  return !strcmp(r->benchmark, group->benchmark->name);
}

void xb_print_matrices(const xb_group *group)
{
  static xb_matrix m; /* too large for a stack */
  if (!xb_is_of_pairs(group->benchmark))
    return;
  for (const xb_result *r = group->results; r < group->results + group->count; r++) {
    if (!begins(group, r))
      continue;
    xb_matrix_begin(&m, r);
    for (const xb_result *other = r + 1; other < group->results + group->count; other++)
      xb_matrix_add(&m, other);
    if (m.unit)
      print_matrix(&m);
  }
}
