/* A table: shown as HTML and, behind a link, as CSV. */
#ifndef XB_DATA_TABLE_H
#define XB_DATA_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum { XB_DATA_TABLE_COLUMNS = 24 };

typedef struct xb_data_table_cell {
  char *text;   /* as shown; NULL: nothing is known */
  double value; /* as the CSV has it; NAN: no number */
} xb_data_table_cell;

typedef struct xb_data_table {
  const char *heads[XB_DATA_TABLE_COLUMNS]; /* with units; borrowed */
  bool numbers[XB_DATA_TABLE_COLUMNS];
  size_t columns;
  xb_data_table_cell *cells; /* row after row */
  size_t count, capacity;
  bool out_of_memory;
} xb_data_table;

void xb_data_table_column(xb_data_table *table, const char *head, bool number);
/* The next cell of the row. NULL leaves it empty. */
void xb_data_table_text(xb_data_table *table, const char *text);
/* What is not finite leaves the cell empty. `digits`: behind the point; -1: four in all. */
void xb_data_table_number(xb_data_table *table, int digits, double value);
void xb_data_table_free(xb_data_table *table);

/* The table, in a container that scrolls when it is too wide, and the link. `title` says what it is of; `name` is the
 * file's that the link saves: letters, digits, '-'. */
void xb_data_table_write(const xb_data_table *table, FILE *page, const char *title, const char *name);

#endif
