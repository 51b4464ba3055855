#include "page/model/data_table.h"

#include "base/html_text.h"
#include "core/grow.h"
#include "os/memory_file.h"
#include "page/model/labels.h"
#include "sheet/sheet.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

void xb_data_table_begin(xb_data_table *table, const char *kinds, ...)
{
  va_list heads;
  va_start(heads, kinds);
  table->kinds = kinds;
  table->columns = strlen(kinds);
  for (size_t c = 0; c < table->columns; c++)
    table->heads[c] = va_arg(heads, const char *);
  va_end(heads);
}

static void add(xb_data_table *table, const char *text, double value)
{
  if (!xb_grow(&table->cells, &table->capacity, table->count, sizeof *table->cells)) {
    table->out_of_memory = true;
    return;
  }
  const char *copy = text ? xb_arena_text(&table->texts, "%s", text) : NULL;
  table->out_of_memory |= text && !copy;
  table->cells[table->count++] = (xb_data_table_cell){copy, value};
}

void xb_data_table_row(xb_data_table *table, ...)
{
  char text[XB_NAME];
  va_list cells;
  va_start(cells, table);
  for (const char *kind = table->kinds; *kind; kind++) {
    if (*kind == 't') {
      add(table, va_arg(cells, const char *), NAN);
      continue;
    }
    const double value = va_arg(cells, double);
    if (*kind == 'n')
      xb_name_figure(value, text);
    else
      snprintf(text, sizeof text, "%.*f", *kind - '0', value);
    add(table, isfinite(value) ? text : NULL, value);
  }
  va_end(cells);
}

void xb_data_table_describe(const xb_data_table *table, char *out, size_t bytes)
{
  const size_t texts = strspn(table->kinds, "t");
  for (size_t row = 0; row + table->columns <= table->count; row += table->columns) {
    for (size_t c = 0; c < texts; c++)
      if (table->cells[row + c].text)
        xb_append(out, bytes, "%s%s", c ? ", " : "", table->cells[row + c].text);
    if (texts < table->columns && table->cells[row + texts].text)
      xb_append(out, bytes, ": %s %s", table->cells[row + texts].text, table->heads[texts]);
    xb_append(out, bytes, ". ");
  }
}

void xb_data_table_free(xb_data_table *table)
{
  xb_arena_free(&table->texts);
  free(table->cells);
  *table = (xb_data_table){0};
}

/* ---- Output ----------------------------------------------------------------------------------------------------- */

static const xb_data_table_cell *cell_of(const xb_column *c, const void *row)
{
  return (const xb_data_table_cell *)row + c->offset;
}

XB_COLUMN_NUMBER(cell_value)
{
  return cell_of(c, row)->value;
}

XB_COLUMN_TEXT(cell_text)
{
  const char *text = cell_of(c, row)->text;
  snprintf(out, XB_SHEET_TEXT, "%s", text ? text : "");
}

static bool write_link(const xb_sheet *s, FILE *page, const char *name)
{
  xb_memory csv = {0};
  if (xb_memory_begin(&csv))
    xb_sheet_csv(s, csv.file);
  const bool good = xb_memory_whole(&csv);
  if (good) {
    fprintf(page, "<p class=\"download\"><a download=\"%s.csv\" href=\"data:text/csv;charset=utf-8,", name);
    xb_html_csv(page, csv.text, csv.length);
    fputs("\">This table as CSV</a></p>\n", page);
  }
  xb_memory_end(&csv);
  return good;
}

bool xb_data_table_write(const xb_data_table *table, FILE *page, const char *title, const char *name)
{
  static xb_sheet s; /* too large for a stack */
  s = (xb_sheet){.list = table->cells,
                 .row_bytes = table->columns * sizeof *table->cells,
                 .rows = table->columns ? table->count / table->columns : 0};
  for (size_t c = 0; c < table->columns; c++)
    xb_sheet_add(&s, (xb_column){table->heads[c], .left = table->kinds[c] == 't', .head = !c, .number = cell_value,
                                 .text = cell_text, .offset = c});
  xb_sheet_html(&s, page, title, NULL);
  return write_link(&s, page, name);
}
