#include "formats/matrix_table.h"

#include "base/value_text.h"
#include "formats/table_text.h"
#include "result/matrix.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static void print_matrix(const xb_matrix *m)
{
  char target[32], size[48];
  xb_format_size(m->of->size, size, sizeof size);
  printf("\n%s/%s through %s, n = %s: %s from device (row) to device (column)\n%4s", m->of->benchmark, m->of->variant,
         xb_format_target(m->of->on, target), size, m->unit, "");
  for (size_t c = 0; c < m->columns; c++)
    printf(" %8" PRId64, m->to[c]);
  printf("\n");
  for (size_t r = 0; r < m->rows; r++) {
    printf("%4" PRId64, m->from[r]);
    for (size_t c = 0; c < m->columns; c++)
      if (isnan(m->values[r][c]))
        printf(" %8s", "N/A");
      else
        printf(" %8.2f", m->values[r][c]);
    printf("\n");
  }
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
