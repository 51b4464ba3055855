#include "report/html/grid.h"

#include "html_text.h"
#include "report/html/labels.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LONG_NAME = 16 }; /* characters: it may be broken, but not at each blank */

void xb_grid_column(xb_grid *grid, const char *head, bool number)
{
  if (grid->columns == XB_GRID_COLUMNS)
    return;
  grid->heads[grid->columns] = head;
  grid->numbers[grid->columns++] = number;
}

static void add(xb_grid *grid, const char *text, double value)
{
  if (grid->count == grid->room) {
    const size_t room = grid->room ? 2 * grid->room : 64;
    xb_grid_cell *more = realloc(grid->cells, room * sizeof *more);
    grid->lacking |= !more;
    if (!more)
      return;
    grid->cells = more;
    grid->room = room;
  }
  char *copy = text ? strdup(text) : NULL;
  grid->lacking |= text && !copy;
  grid->cells[grid->count++] = (xb_grid_cell){copy, value};
}

void xb_grid_text(xb_grid *grid, const char *text)
{
  add(grid, text, NAN);
}

void xb_grid_number(xb_grid *grid, int digits, double value)
{
  char text[XB_NAME];
  if (digits < 0)
    xb_name_figure(value, text);
  else
    snprintf(text, sizeof text, "%.*f", digits, value);
  add(grid, isfinite(value) ? text : NULL, value);
}

void xb_grid_free(xb_grid *grid)
{
  for (size_t i = 0; i < grid->count; i++)
    free(grid->cells[i].text);
  free(grid->cells);
  *grid = (xb_grid){0};
}

/* ---- CSV -------------------------------------------------------------------------------------------------------- */

static void write_csv(const xb_grid *grid, FILE *file)
{
  for (size_t c = 0; c < grid->columns; c++) {
    fputs(c ? "," : "", file);
    xb_csv_text(file, grid->heads[c]);
  }
  for (size_t i = 0; i < grid->count; i++) {
    const xb_grid_cell *cell = &grid->cells[i];
    fputs(i % grid->columns ? "," : "\r\n", file);
    if (isfinite(cell->value))
      fprintf(file, "%.10g", cell->value);
    else if (cell->text)
      xb_csv_text(file, cell->text);
  }
  fputs("\r\n", file);
}

static void write_link(const xb_grid *grid, FILE *page, const char *name)
{
  char *csv = NULL;
  size_t length = 0;
  FILE *file = open_memstream(&csv, &length);
  if (!file)
    return;
  write_csv(grid, file);
  if (!fclose(file)) {
    fprintf(page, "<p class=\"download\"><a download=\"%s.csv\" href=\"data:text/csv;charset=utf-8,", name);
    xb_html_csv(page, csv, length);
    fputs("\">These figures as CSV</a></p>\n", page);
  }
  free(csv);
}

/* ---- HTML ------------------------------------------------------------------------------------------------------- */

static void write_cell(const xb_grid *grid, size_t i, FILE *page)
{
  const size_t column = i % grid->columns;
  const bool is_long = !column && grid->cells[i].text && strlen(grid->cells[i].text) > LONG_NAME;
  fprintf(page, "%s%s>", column ? "<td" : "<tr><th scope=\"row\"",
          grid->numbers[column] ? " class=\"n\""
          : is_long             ? " class=\"long\""
                                : "");
  xb_html_format(page, column ? "%s</td>" : "%s</th>", grid->cells[i].text);
  fputs(column + 1 == grid->columns ? "</tr>\n" : "", page);
}

void xb_grid_write(const xb_grid *grid, FILE *page, const char *title, const char *name)
{
  xb_html_format(page, "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"%s\"><table>\n<thead><tr>",
                 title);
  for (size_t c = 0; c < grid->columns; c++)
    xb_html_format(page, grid->numbers[c] ? "<th scope=\"col\" class=\"n\">%s</th>" : "<th scope=\"col\">%s</th>",
                   grid->heads[c]);
  fputs("</tr></thead>\n<tbody>\n", page);
  for (size_t i = 0; i < grid->count; i++)
    write_cell(grid, i, page);
  fputs("</tbody></table></div>\n", page);
  write_link(grid, page, name);
}
