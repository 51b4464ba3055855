#include "show/view_text.h"

#include "show/text_column.h"

#include <stdio.h>
#include <string.h>

static void print_prose(const xb_text_style *style, xb_ink i, const char *text, FILE *out)
{
  const xb_line line = {.text = text, .length = strlen(text), .number = 1};
  size_t at = 0;
  do {
    const size_t indent = at ? 2 : 0, bytes = xb_fit(&line, at, style->width - indent);
    fprintf(out, "%*s", (int)indent, "");
    xb_set_ink(out, style, i);
    xb_print_bytes(style, &line, at, at + bytes, out);
    xb_set_ink(out, style, XB_INK_PLAIN);
    fputc('\n', out);
    at += bytes;
    while (at < line.length && text[at] == ' ')
      at++;
  } while (at < line.length);
}

/* ---- Rows ------------------------------------------------------------------------------------------------------- */

static const xb_line *line_of(const xb_section *s, const xb_row *row, int side)
{
  return row->line[side] >= 0 ? &s->lines[side][row->line[side]] : NULL;
}

static void print_mark(const xb_text_style *style, char mark, FILE *out)
{
  if (mark != ' ')
    xb_set_ink(out, style, mark == XB_MARK_NOTE ? XB_INK_NOTE : XB_INK_DIFFERS);
  fputc(mark, out);
  if (mark != ' ')
    xb_set_ink(out, style, XB_INK_PLAIN);
}

/* Cells, each of `width` columns, and the mark between the first two. */
static void print_cells(const xb_text_style *style, xb_rest cells[XB_COLUMNS], char mark, size_t width, FILE *out)
{
  bool more;
  do {
    size_t gap = width - xb_print_cell(style, &cells[0], width, out);
    more = cells[0].line;
    for (int i = 1; i < XB_COLUMNS; i++) {
      xb_rest *cell = &cells[i];
      const char shown = i == 1 ? mark : ' ';
      if (cell->line && !cell->line->length && !cell->line->sign)
        cell->line = NULL;
      if (shown == ' ' && !cell->line) {
        gap += width + 3;
        continue;
      }
      fprintf(out, "%*s ", (int)gap, "");
      print_mark(style, shown, out);
      gap = width + 1;
      if (cell->line) {
        fputc(' ', out);
        gap = width - xb_print_cell(style, cell, width, out);
      }
      more |= cell->line != NULL;
    }
    fputc('\n', out);
  } while (more);
}

/* One side, with its marks, if there are any, at the left. */
static void print_side(const xb_show_view *view, const xb_text_style *style, const xb_section *s, int side, FILE *out)
{
  const bool marks = view->marked && !s->whole;
  for (size_t i = 0; i < s->row_count; i++) {
    xb_rest c = {.line = line_of(s, &s->rows[i], side)};
    while (c.line) {
      if (marks && c.line->length) {
        print_mark(style, (char)s->rows[i].mark, out);
        fputc(' ', out);
      }
      xb_print_cell(style, &c, marks ? style->width - 2 : style->width, out);
      fputc('\n', out);
    }
  }
}

static void print_facing(const xb_text_style *style, const xb_section *s, size_t width, FILE *out)
{
  for (size_t i = 0; i < s->row_count; i++) {
    xb_rest cells[XB_COLUMNS] = {{0}};
    for (int column = 0; column < XB_COLUMNS; column++)
      if (s->counts[column])
        cells[column].line = line_of(s, &s->rows[i], column);
    print_cells(style, cells, (char)s->rows[i].mark, width, out);
  }
}

static void print_stacked(const xb_show_view *view, const xb_text_style *style, const xb_section *s, FILE *out)
{
  for (int side = 0; side < XB_COLUMNS; side++) {
    if (!s->counts[side])
      continue;
    if (xb_show_view_columns(view) > 1 && !s->whole)
      print_prose(style, XB_INK_BOLD, view->columns[side], out);
    print_side(view, style, s, side, out);
    if (s->lines[side][s->counts[side] - 1].length)
      fputc('\n', out);
  }
}

/* ---- The view --------------------------------------------------------------------------------------------------- */

/* The width of a column: its share of the total width, but at most that of the longest line. */
static size_t column_width(const xb_show_view *view, const xb_text_style *style)
{
  const size_t columns = (size_t)xb_show_view_columns(view), most = (style->width - 3 * (columns - 1)) / columns;
  size_t longest = 0;
  for (int side = 0; side < XB_COLUMNS; side++)
    if (view->shown[side] && strlen(view->columns[side]) > longest)
      longest = strlen(view->columns[side]);
  for (size_t i = 0; i < view->section_count; i++)
    for (int side = 0; side < XB_COLUMNS; side++)
      for (size_t k = 0; k < view->sections[i].counts[side] && !view->sections[i].whole; k++) {
        const size_t used = xb_line_columns(&view->sections[i].lines[side][k]);
        longest = used > longest ? used : longest;
      }
  return longest < most ? longest : most;
}

static void print_words(const xb_show_view *view, const xb_text_style *style, FILE *out)
{
  size_t width = 0;
  for (size_t i = 0; i < view->word_count; i++) {
    const size_t length = strlen(view->words[i].text[0]);
    width = length > width ? length : width;
  }
  width = width > style->width / 2 ? style->width / 2 : width;
  print_prose(style, XB_INK_BOLD, "Corresponding words:", out);
  for (size_t i = 0; i < view->word_count; i++) {
    const xb_word *w = &view->words[i];
    char text[512];
    snprintf(text, sizeof text, "  %-*s  %s", (int)width, w->text[0], w->text[1]);
    if (w->times > 1)
      snprintf(text + strlen(text), sizeof text - strlen(text), "  (%zu times)", w->times);
    print_prose(style, XB_INK_PLAIN, text, out);
  }
}

void xb_show_view_text(const xb_show_view *view, const xb_text_style *style, FILE *out)
{
  const bool both = view->shown[0] && view->shown[1], facing = both && !style->stacked;
  const size_t width = facing ? column_width(view, style) : style->width;
  print_prose(style, XB_INK_BOLD, view->title, out);
  for (size_t i = 0; i < view->remark_count; i++)
    print_prose(style, XB_INK_PLAIN, view->remarks[i], out);
  if (view->marked)
    print_prose(style, XB_INK_PLAIN, "| differs  < > one side only  * the comment differs  \\ continued line", out);
  fputc('\n', out);
  if (facing && !view->sections[0].heading) {
    const xb_line left = {.text = view->columns[0], .length = strlen(view->columns[0])};
    const xb_line right = {.text = view->columns[1], .length = strlen(view->columns[1])};
    print_cells(style, (xb_rest[XB_COLUMNS]){{.line = &left}, {.line = &right}}, ' ', width, out);
  } else if (!both && !view->sections[0].heading) {
    print_prose(style, XB_INK_BOLD, view->columns[view->shown[1]], out);
  }
  bool apart = true; /* the last line is blank */
  for (size_t i = 0; i < view->section_count; i++) {
    const xb_section *s = &view->sections[i];
    if (s->heading) {
      if (!apart && (s->row_count || view->sections[i - 1].row_count))
        fputc('\n', out);
      print_prose(style, XB_INK_BOLD, s->heading, out);
    }
    const bool beside = facing && !s->whole;
    if (beside)
      print_facing(style, s, width, out);
    else
      print_stacked(view, style, s, out);
    apart = !beside && s->row_count;
  }
  if (view->word_count) {
    if (!apart)
      fputc('\n', out);
    print_words(view, style, out);
  }
}
