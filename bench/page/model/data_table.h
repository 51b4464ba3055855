/* A table of the page, as HTML and as a CSV file in a link. */
#ifndef XB_DATA_TABLE_H
#define XB_DATA_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "base/arena.h"

enum { XB_DATA_TABLE_COLUMNS = 24 };

typedef struct xb_data_table_cell {
  const char *text; /* as shown; NULL if unknown */
  double value;     /* for the CSV; NAN: not a number */
} xb_data_table_cell;

typedef struct xb_data_table {
  const char *kinds, *heads[XB_DATA_TABLE_COLUMNS]; /* with units; not copied */
  size_t columns;
  xb_data_table_cell *cells; /* row after row */
  size_t count, capacity;
  xb_arena texts;
  bool out_of_memory;
} xb_data_table;

/* `kinds` has a letter for each column: t is text, n a number with four significant digits, a digit a number with so
 * many decimal places. The columns' heads follow. */
void xb_data_table_begin(xb_data_table *table, const char *kinds, ...);
/* Adds a row: for each column a `const char *`, NULL if unknown, or a double, not finite if unknown. */
void xb_data_table_row(xb_data_table *table, ...);
/* Appends in words, of each row, the texts in front of its first number, and that: "8_vectors, Vulkan: 4083 GB/s. " */
void xb_data_table_describe(const xb_data_table *table, char *out, size_t bytes);
void xb_data_table_free(xb_data_table *table);

/* Writes the table, in a container that scrolls if it is too wide, and the link. `title` is the table's label; `name`
 * is the name of the CSV file: letters, digits, '-'. False: out of host memory. */
bool xb_data_table_write(const xb_data_table *table, FILE *page, const char *title, const char *name);

#endif
