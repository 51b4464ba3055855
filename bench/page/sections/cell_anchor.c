/* Anchors of cells: always the same for the same files. */
#include "page/sections/sections.h"

#include <inttypes.h>
#include <stdio.h>

enum { BENCHMARK = 24, TARGET = 40, TYPE = 12 }; /* most bytes of each in an anchor */

static char anchor_letter(char c)
{
  const bool plain = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
  return plain ? c : c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : '-';
}

static bool same_in_anchor(const char *a, const char *b, size_t bytes)
{
  for (; bytes && *a && *b && anchor_letter(*a) == anchor_letter(*b); a++, b++)
    bytes--;
  return !bytes || (!*a && !*b);
}

static bool same_anchor(const xb_view_file *file, const xb_result *a, const xb_result *b)
{
  return a->variant_number == b->variant_number && a->size == b->size && a->rows == b->rows && a->inner == b->inner &&
         same_in_anchor(a->benchmark, b->benchmark, BENCHMARK) && same_in_anchor(a->dtype, b->dtype, TYPE) &&
         same_in_anchor(xb_view_target_of(file, a)->name, xb_view_target_of(file, b)->name, TARGET);
}

void xb_cell_anchor(const xb_view_file *file, const xb_result *cell, size_t file_number, char out[XB_NAME])
{
  size_t nth = 1;
  for (const xb_result *r = file->document->results; r < cell; r++)
    nth += same_anchor(file, r, cell);
  snprintf(out, XB_NAME, "cell-f%zu-%.*s-%" PRIu64 "-%.*s-%.*s-%" PRIu64, file_number, BENCHMARK, cell->benchmark,
           cell->variant_number, TARGET, xb_view_target_of(file, cell)->name, TYPE, cell->dtype, cell->size);
  if (cell->rows)
    xb_append(out, XB_NAME, "-%" PRIu64, cell->rows);
  if (cell->inner)
    xb_append(out, XB_NAME, "-%" PRIu64, cell->inner);
  for (char *p = out; *p; p++)
    *p = anchor_letter(*p);
  if (nth > 1)
    xb_append(out, XB_NAME, "-n%zu", nth);
}
