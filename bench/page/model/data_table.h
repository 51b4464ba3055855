/* A table of the page, as HTML and as a CSV file in a link. */
#ifndef XB_DATA_TABLE_H
#define XB_DATA_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum { XB_DATA_TABLE_COLUMNS = 24 };

typedef struct xb_data_table_cell {
  char *text;   /* as shown; NULL if unknown */
  double value; /* for the CSV; NAN: not a number */
} xb_data_table_cell;

typedef struct xb_data_table {
  const char *heads[XB_DATA_TABLE_COLUMNS]; /* with units; not copied */
  bool numbers[XB_DATA_TABLE_COLUMNS];
  size_t columns;
  xb_data_table_cell *cells; /* row after row */
  size_t count, capacity;
  bool out_of_memory;
} xb_data_table;

void xb_data_table_column(xb_data_table *table, const char *head, bool number);
/* Adds the next cell of the row; NULL: empty. */
void xb_data_table_text(xb_data_table *table, const char *text);
/* Adds the next cell; empty if `value` is not finite. `digits`: decimal places; -1: four significant digits. */
void xb_data_table_number(xb_data_table *table, int digits, double value);
void xb_data_table_free(xb_data_table *table);

/* Writes the table, in a container that scrolls if it is too wide, and the link. `title` is the table's label; `name`
 * is the name of the CSV file: letters, digits, '-'. False: out of host memory. */
bool xb_data_table_write(const xb_data_table *table, FILE *page, const char *title, const char *name);

#endif
