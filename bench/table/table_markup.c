/* Sheets as Markdown, HTML and CSV. */
#include "table/table.h"

#include "base/html_text.h"
#include "base/safe_text.h"

#include <math.h>
#include <string.h>

enum { LONG_NAME = 16 }; /* characters: longer names may wrap, but not at every blank */

void xb_print_markdown(FILE *file, const char *text)
{
  static const char markup[] = "\\`*_{}[]()<>#+!|~&@:";
  char safe[4096];
  for (const char *c = xb_safe_text(text, safe, sizeof safe); *c; c++) {
    if (strchr(markup, *c))
      fputc('\\', file);
    fputc(*c, file);
  }
}

static bool cell(const xb_table *s, const xb_column *c, const void *row, char out[XB_TABLE_TEXT])
{
  char text[XB_TABLE_TEXT];
  const bool any = xb_table_cell(s, c, row, text);
  xb_table_join_remarks(text, out);
  return any;
}

/* ---- Markdown --------------------------------------------------------------------------------------------------- */

void xb_table_markdown_heads(const xb_table *s, FILE *file)
{
  fputs("|", file);
  for (size_t i = 0; i < s->count; i++)
    if (xb_table_has(s, &s->columns[i], XB_IN_MARKDOWN)) {
      fputs(*s->columns[i].title ? " " : "", file);
      xb_print_markdown(file, s->columns[i].title);
      fputs(" |", file);
    }
  fputs("\n|", file);
  for (size_t i = 0; i < s->count; i++)
    if (xb_table_has(s, &s->columns[i], XB_IN_MARKDOWN))
      fputs(s->columns[i].left ? "---|" : "--:|", file);
  fputs("\n", file);
}

void xb_table_markdown_rows(const xb_table *s, FILE *file)
{
  char text[XB_TABLE_TEXT];
  for (size_t r = 0; r < s->rows; r++) {
    const void *row = xb_table_row(s, r);
    fputs(row ? "|" : "", file);
    for (size_t i = 0; i < s->count && row; i++) {
      const xb_column *c = &s->columns[i];
      if (!xb_table_has(s, c, XB_IN_MARKDOWN))
        continue;
      fputs(cell(s, c, row, text) ? " " : "", file);
      if (c->markup)
        c->markup(s, row, file);
      else
        xb_print_markdown(file, text);
      fputs(" |", file);
    }
    fputs(row ? "\n" : "", file);
  }
}

/* ---- HTML ------------------------------------------------------------------------------------------------------- */

static const char *class_of(const xb_column *c, const char *text)
{
  return c->note                                           ? " class=\"wide\""
         : !c->left                                        ? " class=\"n\""
         : c->head && strlen(text ? text : "") > LONG_NAME ? " class=\"long\""
                                                           : "";
}

/* What there is instead of columns [from, end of the row's figures). Returns the column behind them. */
static size_t write_failed(const xb_table *s, const bool *has, size_t from, const char *text, FILE *file)
{
  const size_t said = strcspn(text, ":");
  int span = 0;
  for (; from < s->count && !s->columns[from].note; from++)
    span += has[from];
  fprintf(file, "<td class=\"wide\" colspan=\"%d\"><strong>", span ? span : 1);
  for (size_t i = 0; i < said; i++)
    xb_html_char(file, text[i]);
  xb_html_format(file, "</strong>%s</td>", text + said);
  return from - 1;
}

static void write_row(const xb_table *s, const bool *has, const void *row, FILE *file)
{
  char text[XB_TABLE_TEXT], failure[XB_TABLE_TEXT];
  const bool failed = s->failed && s->failed(s, row, false, failure);
  fputs("<tr", file);
  if (s->row_markup)
    s->row_markup(s, row, file);
  fputs(">", file);
  for (size_t i = 0; i < s->count; i++) {
    const xb_column *c = &s->columns[i];
    if (c->fails && failed)
      i = write_failed(s, has, i, failure, file);
    else if (has[i]) {
      cell(s, c, row, text);
      const char *shade = c->style ? c->style(s, c, row) : "";
      fputs(c->head ? "<th scope=\"row\"" : "<td", file);
      if (*shade)
        fprintf(file, " class=\"n %s\">", shade);
      else
        fprintf(file, "%s>", c->markup ? "" : class_of(c, text));
      if (c->markup)
        c->markup(s, row, file);
      else
        xb_html_text(file, text);
      fputs(c->head ? "</th>" : "</td>", file);
    }
  }
  fputs("</tr>\n", file);
}

void xb_table_html(const xb_table *s, FILE *file, const char *label, const char *class)
{
  bool has[XB_TABLE_COLUMNS];
  xb_html_format(file, "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"%.120s\"><table", label);
  xb_html_format(file, class ? " class=\"%s\">\n<thead><tr>" : ">\n<thead><tr>", class);
  for (size_t i = 0; i < s->count; i++) {
    has[i] = xb_table_has(s, &s->columns[i], XB_IN_HTML);
    if (has[i]) {
      fprintf(file, "<th scope=\"col\"%s>", s->columns[i].head ? "" : class_of(&s->columns[i], NULL));
      xb_html_format(file, "%.80s</th>", s->columns[i].title);
    }
  }
  fputs("</tr></thead>\n<tbody>\n", file);
  for (size_t r = 0; r < s->rows; r++)
    if (xb_table_row(s, r))
      write_row(s, has, xb_table_row(s, r), file);
  fputs("</tbody></table></div>\n", file);
}

/* ---- CSV -------------------------------------------------------------------------------------------------------- */

/* A number is not quoted: tools would read it as text. */
static void write_value(const xb_table *s, const xb_column *c, const void *row, FILE *file)
{
  char text[XB_TABLE_TEXT];
  const double value = c->number ? c->number(s, c, row) : NAN;
  if (isfinite(value))
    fprintf(file, "%.10g", value);
  else if ((c->number && !c->text) || !xb_table_cell(s, c, row, text))
    return;
  else if (c->left || text[strspn(text, "0123456789.")])
    xb_csv_text(file, text);
  else
    fputs(text, file);
}

void xb_table_csv(const xb_table *s, FILE *file)
{
  for (size_t r = 0; r <= s->rows; r++) {
    const char *between = "";
    for (size_t i = 0; i < s->count; i++) {
      const xb_column *c = &s->columns[i];
      if (c->in && !(c->in & XB_IN_CSV))
        continue;
      fputs(between, file);
      between = ",";
      if (r)
        write_value(s, c, xb_table_row(s, r - 1), file);
      else
        xb_csv_text(file, c->title);
    }
    fputs("\r\n", file);
  }
}

void xb_table_write(xb_table *s, unsigned in)
{
  FILE *file = xb_table_file(s);
  if (in == XB_IN_CSV) {
    xb_table_csv(s, file);
  } else if (in == XB_IN_MARKDOWN) {
    xb_table_markdown_heads(s, file);
    xb_table_markdown_rows(s, file);
  } else {
    xb_table_fit(s);
    xb_table_print_heads(s);
    xb_table_print_rows(s);
  }
}
