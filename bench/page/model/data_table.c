#include "page/model/data_table.h"

#include "base/html_text.h"
#include "base/memory_file.h"
#include "core/grow.h"
#include "page/model/labels.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LONG_NAME = 16 }; /* characters: longer names may wrap, but not at every space */

void xb_data_table_column(xb_data_table *table, const char *head, bool number)
{
  if (table->columns == XB_DATA_TABLE_COLUMNS)
    return;
  table->heads[table->columns] = head;
  table->numbers[table->columns++] = number;
}

static void add(xb_data_table *table, const char *text, double value)
{
  if (!xb_grow(&table->cells, &table->capacity, table->count, sizeof *table->cells)) {
    table->out_of_memory = true;
    return;
  }
  char *copy = text ? strdup(text) : NULL;
  table->out_of_memory |= text && !copy;
  table->cells[table->count++] = (xb_data_table_cell){copy, value};
}

void xb_data_table_text(xb_data_table *table, const char *text)
{
  add(table, text, NAN);
}

void xb_data_table_number(xb_data_table *table, int digits, double value)
{
  char text[XB_NAME];
  if (digits < 0)
    xb_name_figure(value, text);
  else
    snprintf(text, sizeof text, "%.*f", digits, value);
  add(table, isfinite(value) ? text : NULL, value);
}

void xb_data_table_free(xb_data_table *table)
{
  for (size_t i = 0; i < table->count; i++)
    free(table->cells[i].text);
  free(table->cells);
  *table = (xb_data_table){0};
}

/* ---- CSV -------------------------------------------------------------------------------------------------------- */

static void write_csv(const xb_data_table *table, FILE *file)
{
  for (size_t c = 0; c < table->columns; c++) {
    fputs(c ? "," : "", file);
    xb_csv_text(file, table->heads[c]);
  }
  for (size_t i = 0; i < table->count; i++) {
    const xb_data_table_cell *cell = &table->cells[i];
    fputs(i % table->columns ? "," : "\r\n", file);
    if (isfinite(cell->value))
      fprintf(file, "%.10g", cell->value);
    else if (cell->text)
      xb_csv_text(file, cell->text);
  }
  fputs("\r\n", file);
}

static bool write_link(const xb_data_table *table, FILE *page, const char *name)
{
  char *csv = NULL;
  size_t length = 0;
  FILE *file = xb_memory_open(&csv, &length);
  if (!file)
    return false;
  write_csv(table, file);
  const bool good = !fflush(file) && !ferror(file);
  fclose(file);
  if (good) {
    fprintf(page, "<p class=\"download\"><a download=\"%s.csv\" href=\"data:text/csv;charset=utf-8,", name);
    xb_html_csv(page, csv, length);
    fputs("\">This table as CSV</a></p>\n", page);
  }
  free(csv);
  return good;
}

/* ---- HTML ------------------------------------------------------------------------------------------------------- */

static void write_cell(const xb_data_table *table, size_t i, FILE *page)
{
  const size_t column = i % table->columns;
  const bool is_long = !column && table->cells[i].text && strlen(table->cells[i].text) > LONG_NAME;
  fprintf(page, "%s%s>", column ? "<td" : "<tr><th scope=\"row\"",
          table->numbers[column] ? " class=\"n\""
          : is_long              ? " class=\"long\""
                                 : "");
  xb_html_format(page, column ? "%s</td>" : "%s</th>", table->cells[i].text);
  fputs(column + 1 == table->columns ? "</tr>\n" : "", page);
}

bool xb_data_table_write(const xb_data_table *table, FILE *page, const char *title, const char *name)
{
  xb_html_format(page, "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"%s\"><table>\n<thead><tr>",
                 title);
  for (size_t c = 0; c < table->columns; c++)
    xb_html_format(page, table->numbers[c] ? "<th scope=\"col\" class=\"n\">%s</th>" : "<th scope=\"col\">%s</th>",
                   table->heads[c]);
  fputs("</tr></thead>\n<tbody>\n", page);
  for (size_t i = 0; i < table->count; i++)
    write_cell(table, i, page);
  fputs("</tbody></table></div>\n", page);
  return write_link(table, page, name);
}
