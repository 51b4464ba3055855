#include "show/text_column.h"

#include "base/fold.h"
#include "base/terminal.h"

#include <ctype.h>
#include <stdint.h>
#include <string.h>

void xb_set_ink(FILE *out, const xb_text_style *style, xb_ink i)
{
  static const char *const codes[] = {[XB_INK_PLAIN] = "",     [XB_INK_BOLD] = "1",      [XB_INK_KEYWORD] = "36",
                                      [XB_INK_COMMENT] = "32", [XB_INK_MARKER] = "1;32", [XB_INK_DIFFERS] = "1;35",
                                      [XB_INK_NOTE] = "1;33",  [XB_INK_ADDED] = "32",    [XB_INK_REMOVED] = "31"};
  char sequence[16];
  snprintf(sequence, sizeof sequence, "\033[0%s%sm", *codes[i] ? ";" : "", codes[i]);
  if (style->colours)
    xb_print_ours(out, sequence);
}

static xb_ink sign_ink(char sign)
{
  return sign == '+' ? XB_INK_ADDED : sign == '-' ? XB_INK_REMOVED : XB_INK_PLAIN;
}

static xb_ink ink_of(const xb_line *line, const xb_piece *t)
{
  if (!line->number)
    return XB_INK_BOLD;
  if (sign_ink(line->sign) != XB_INK_PLAIN)
    return sign_ink(line->sign);
  if (!t)
    return XB_INK_PLAIN;
  if (t->kind == XB_PIECE_MARKER)
    return XB_INK_MARKER;
  if (t->differs)
    return t->kind == XB_PIECE_COMMENT ? XB_INK_NOTE : XB_INK_DIFFERS;
  return t->kind == XB_PIECE_COMMENT ? XB_INK_COMMENT : t->kind == XB_PIECE_KEYWORD ? XB_INK_KEYWORD : XB_INK_PLAIN;
}

size_t xb_line_columns(const xb_line *line)
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

/* Chooses the last of the best breaks after the first third of the row. */
size_t xb_fit(const xb_line *line, size_t at, size_t columns)
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

size_t xb_print_bytes(const xb_text_style *style, const xb_line *line, size_t begin, size_t end, FILE *out)
{
  size_t used = 0, t = piece_at(line, begin);
  end = without_blanks(line, begin, end);
  xb_ink now = XB_INK_PLAIN;
  for (size_t i = begin; i < end;) {
    const xb_glyph g = xb_glyph_at(line->text + i, line->length - i);
    while (t < line->piece_count && line->pieces[t].at + line->pieces[t].length <= i)
      t++;
    const bool inside = t < line->piece_count && line->pieces[t].at <= i;
    const xb_ink next = ink_of(line, inside ? &line->pieces[t] : NULL);
    if (next != now && line->text[i] != ' ')
      xb_set_ink(out, style, now = next);
    fprintf(out, "%.*s", g.instead ? (int)strlen(g.instead) : (int)g.bytes, g.instead ? g.instead : line->text + i);
    i += g.bytes;
    used += g.columns;
  }
  if (now != XB_INK_PLAIN)
    xb_set_ink(out, style, XB_INK_PLAIN);
  return used;
}

size_t xb_print_cell(const xb_text_style *style, xb_rest *c, size_t width, FILE *out)
{
  size_t used = 0;
  if (!c->line)
    return 0;
  if (c->line->sign) {
    xb_set_ink(out, style, sign_ink(c->line->sign));
    fprintf(out, "%c ", c->line->sign);
    xb_set_ink(out, style, XB_INK_PLAIN);
    used = 2;
  }
  if (c->at || xb_line_columns(c->line) > width) { /* keep the line's indentation if there is room */
    const size_t blanks = leading_blanks(c->line, c->at ? width : SIZE_MAX), in = blanks * 3 <= width ? blanks : 0;
    fprintf(out, c->at ? "%*s\\ " : "%*s", (int)in, "");
    used += in + (c->at ? 2 : 0);
    c->at = c->at ? c->at : blanks;
  }
  const size_t end = c->at + xb_fit(c->line, c->at, width > used ? width - used : 1);
  used += xb_print_bytes(style, c->line, c->at, end, out);
  for (c->at = end; c->at < c->line->length && c->line->text[c->at] == ' ';)
    c->at++;
  if (c->at >= c->line->length)
    c->line = NULL;
  return used;
}
