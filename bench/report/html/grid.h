/* A table: shown as HTML and, behind a link, as CSV. */
#ifndef XB_HTML_GRID_H
#define XB_HTML_GRID_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum { XB_GRID_COLUMNS = 24 };

typedef struct xb_grid_cell {
  char *text;   /* as shown; NULL: nothing is known */
  double value; /* as the CSV has it; NAN: no number */
} xb_grid_cell;

typedef struct xb_grid {
  const char *heads[XB_GRID_COLUMNS]; /* with units; borrowed */
  bool numbers[XB_GRID_COLUMNS];
  size_t columns;
  xb_grid_cell *cells; /* row after row */
  size_t count, room;
  bool lacking; /* host memory ran out */
} xb_grid;

void xb_grid_column(xb_grid *grid, const char *head, bool number);
/* The next cell of the row. NULL leaves it empty. */
void xb_grid_text(xb_grid *grid, const char *text);
/* What is not finite leaves the cell empty. `digits`: behind the point; -1: four in all. */
void xb_grid_number(xb_grid *grid, int digits, double value);
void xb_grid_free(xb_grid *grid);

/* The table, in a container that scrolls when it is too wide, and the link. `title` says what it is of; `name` is the
 * file's that the link saves: letters, digits, '-'. */
void xb_grid_write(const xb_grid *grid, FILE *page, const char *title, const char *name);

#endif
