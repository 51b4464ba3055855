/* A view as text, for a terminal or a pipe. A line that is longer than its column goes on in the next row. */
#include "show/view.h"

#include "base/fold.h"
#include "base/terminal.h"

#include <ctype.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* ---- A line in a column ----------------------------------------------------------------------------------------- */

typedef enum ink {
  INK_PLAIN,
  INK_BOLD,
  INK_KEYWORD,
  INK_COMMENT,
  INK_MARKER,
  INK_DIFFERS,
  INK_NOTE,
  INK_ADDED,
  INK_REMOVED,
} ink;

/* The rest of a line. */
typedef struct rest {
  const xb_line *line; /* NULL: nothing */
  size_t at;           /* bytes already printed */
} rest;

/* Does nothing if the style has no colours. */
static void set_ink(FILE *out, const xb_text_style *style, ink i)
{
  static const char *const codes[] = {
      [INK_PLAIN] = "",       [INK_BOLD] = "1",    [INK_KEYWORD] = "36", [INK_COMMENT] = "32", [INK_MARKER] = "1;32",
      [INK_DIFFERS] = "1;35", [INK_NOTE] = "1;33", [INK_ADDED] = "32",   [INK_REMOVED] = "31"};
  char sequence[16];
  snprintf(sequence, sizeof sequence, "\033[0%s%sm", *codes[i] ? ";" : "", codes[i]);
  if (style->colours)
    xb_print_ours(out, sequence);
}

static ink sign_ink(char sign)
{
  return sign == '+' ? INK_ADDED : sign == '-' ? INK_REMOVED : INK_PLAIN;
}

static ink ink_of(const xb_line *line, const xb_piece *t)
{
  if (!line->number)
    return INK_BOLD;
  if (sign_ink(line->sign) != INK_PLAIN)
    return sign_ink(line->sign);
  if (!t)
    return INK_PLAIN;
  if (t->kind == XB_PIECE_MARKER)
    return INK_MARKER;
  if (t->differs)
    return t->kind == XB_PIECE_COMMENT ? INK_NOTE : INK_DIFFERS;
  return t->kind == XB_PIECE_COMMENT ? INK_COMMENT : t->kind == XB_PIECE_KEYWORD ? INK_KEYWORD : INK_PLAIN;
}

/* The columns of the line in one row, with its sign. */
static size_t line_columns(const xb_line *line)
{
  size_t columns = line->sign ? 2 : 0;
  for (size_t i = 0; i < line->length;) {
    const xb_glyph g = xb_glyph_at(line->text + i, line->length - i);
    columns += g.columns;
    i += g.bytes;
  }
  return columns;
}

static size_t leading_blanks(const xb_line *line, size_t most)
{
  size_t i = 0;
  while (i < line->length && i < most && line->text[i] == ' ')
    i++;
  return i;
}

/* How good a line break before byte `i` is: best at spaces, then at operators, then inside names. */
static int break_rank(const xb_line *line, size_t i)
{
  const unsigned char c = (unsigned char)line->text[i - 1];
  if (c == '-' && i < line->length && line->text[i] == '>')
    return 0;
  if (c == ' ' || (i < line->length && line->text[i] == ' '))
    return 3;
  return c >= 0x80 || isalnum(c) ? 0 : c == '_' || c == '.' ? 1 : 2;
}

/* How many bytes from `at` on fit in a row, at least one character: up to the last of the best breaks after the first
 * third of the row. */
static size_t fit(const xb_line *line, size_t at, size_t columns)
{
  size_t i = at, used = 0, place = 0;
  int rank = -1;
  while (i < line->length) {
    const xb_glyph g = xb_glyph_at(line->text + i, line->length - i);
    if (used + g.columns > columns)
      break;
    i += g.bytes;
    used += g.columns;
    if (used * 3 < columns || break_rank(line, i) < rank)
      continue;
    rank = break_rank(line, i);
    place = i;
  }
  if (i == line->length)
    return i - at;
  if (rank > 0)
    return place - at;
  return i > at ? i - at : xb_glyph_at(line->text + at, line->length - at).bytes;
}

/* The end without trailing spaces. */
static size_t without_blanks(const xb_line *line, size_t begin, size_t end)
{
  while (end > begin && line->text[end - 1] == ' ')
    end--;
  return end;
}

/* The first piece that ends behind byte `at`. */
static size_t piece_at(const xb_line *line, size_t at)
{
  size_t low = 0, high = line->piece_count;
  while (low < high) {
    const size_t middle = (low + high) / 2;
    if (line->pieces[middle].at + line->pieces[middle].length <= at)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

/* Prints bytes [begin, end) without trailing spaces. Returns their columns. */
static size_t print_bytes(const xb_text_style *style, const xb_line *line, size_t begin, size_t end, FILE *out)
{
  size_t used = 0, t = piece_at(line, begin);
  end = without_blanks(line, begin, end);
  ink now = INK_PLAIN;
  for (size_t i = begin; i < end;) {
    const xb_glyph g = xb_glyph_at(line->text + i, line->length - i);
    while (t < line->piece_count && line->pieces[t].at + line->pieces[t].length <= i)
      t++;
    const bool inside = t < line->piece_count && line->pieces[t].at <= i;
    const ink next = ink_of(line, inside ? &line->pieces[t] : NULL);
    if (next != now && line->text[i] != ' ')
      set_ink(out, style, now = next);
    fprintf(out, "%.*s", g.instead ? (int)strlen(g.instead) : (int)g.bytes, g.instead ? g.instead : line->text + i);
    i += g.bytes;
    used += g.columns;
  }
  if (now != INK_PLAIN)
    set_ink(out, style, INK_PLAIN);
  return used;
}

/* Prints one row of at most `width` columns, without padding. Returns its columns. */
static size_t print_cell(const xb_text_style *style, rest *c, size_t width, FILE *out)
{
  size_t used = 0;
  if (!c->line)
    return 0;
  if (c->line->sign) {
    set_ink(out, style, sign_ink(c->line->sign));
    fprintf(out, "%c ", c->line->sign);
    set_ink(out, style, INK_PLAIN);
    used = 2;
  }
  if (c->at || line_columns(c->line) > width) { /* keep the line's indentation if there is room */
    const size_t blanks = leading_blanks(c->line, c->at ? width : SIZE_MAX), in = blanks * 3 <= width ? blanks : 0;
    fprintf(out, c->at ? "%*s\\ " : "%*s", (int)in, "");
    used += in + (c->at ? 2 : 0);
    c->at = c->at ? c->at : blanks;
  }
  const size_t end = c->at + fit(c->line, c->at, width > used ? width - used : 1);
  used += print_bytes(style, c->line, c->at, end, out);
  for (c->at = end; c->at < c->line->length && c->line->text[c->at] == ' ';)
    c->at++;
  if (c->at >= c->line->length)
    c->line = NULL;
  return used;
}

static void print_prose(const xb_text_style *style, ink i, const char *text, FILE *out)
{
  const xb_line line = {.text = text, .length = strlen(text), .number = 1};
  size_t at = 0;
  do {
    const size_t indent = at ? 2 : 0, bytes = fit(&line, at, style->width - indent);
    fprintf(out, "%*s", (int)indent, "");
    set_ink(out, style, i);
    print_bytes(style, &line, at, at + bytes, out);
    set_ink(out, style, INK_PLAIN);
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
    set_ink(out, style, mark == XB_MARK_NOTE ? INK_NOTE : INK_DIFFERS);
  fputc(mark, out);
  if (mark != ' ')
    set_ink(out, style, INK_PLAIN);
}

/* Cells, each of `width` columns, and the mark between the first two. */
static void print_cells(const xb_text_style *style, rest cells[XB_COLUMNS], char mark, size_t width, FILE *out)
{
  bool more;
  do {
    size_t gap = width - print_cell(style, &cells[0], width, out);
    more = cells[0].line;
    for (int i = 1; i < XB_COLUMNS; i++) {
      rest *cell = &cells[i];
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
        gap = width - print_cell(style, cell, width, out);
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
    rest c = {.line = line_of(s, &s->rows[i], side)};
    while (c.line) {
      if (marks && c.line->length) {
        print_mark(style, (char)s->rows[i].mark, out);
        fputc(' ', out);
      }
      print_cell(style, &c, marks ? style->width - 2 : style->width, out);
      fputc('\n', out);
    }
  }
}

static void print_facing(const xb_text_style *style, const xb_section *s, size_t width, FILE *out)
{
  for (size_t i = 0; i < s->row_count; i++) {
    rest cells[XB_COLUMNS] = {{0}};
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
      print_prose(style, INK_BOLD, view->columns[side], out);
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
        const size_t used = line_columns(&view->sections[i].lines[side][k]);
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
  print_prose(style, INK_BOLD, "Corresponding words:", out);
  for (size_t i = 0; i < view->word_count; i++) {
    const xb_word *w = &view->words[i];
    char text[512];
    snprintf(text, sizeof text, "  %-*s  %s", (int)width, w->text[0], w->text[1]);
    if (w->times > 1)
      snprintf(text + strlen(text), sizeof text - strlen(text), "  (%zu times)", w->times);
    print_prose(style, INK_PLAIN, text, out);
  }
}

void xb_show_view_text(const xb_show_view *view, const xb_text_style *style, FILE *out)
{
  const bool both = view->shown[0] && view->shown[1], facing = both && !style->stacked;
  const size_t width = facing ? column_width(view, style) : style->width;
  print_prose(style, INK_BOLD, view->title, out);
  for (size_t i = 0; i < view->remark_count; i++)
    print_prose(style, INK_PLAIN, view->remarks[i], out);
  if (view->marked)
    print_prose(style, INK_PLAIN, "| differs  < > one side only  * the comment differs  \\ continued line", out);
  fputc('\n', out);
  if (facing && !view->sections[0].heading) {
    const xb_line left = {.text = view->columns[0], .length = strlen(view->columns[0])};
    const xb_line right = {.text = view->columns[1], .length = strlen(view->columns[1])};
    print_cells(style, (rest[XB_COLUMNS]){{.line = &left}, {.line = &right}}, ' ', width, out);
  } else if (!both && !view->sections[0].heading) {
    print_prose(style, INK_BOLD, view->columns[view->shown[1]], out);
  }
  bool apart = true; /* the last line is blank */
  for (size_t i = 0; i < view->section_count; i++) {
    const xb_section *s = &view->sections[i];
    if (s->heading) {
      if (!apart && (s->row_count || view->sections[i - 1].row_count))
        fputc('\n', out);
      print_prose(style, INK_BOLD, s->heading, out);
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
