/* Tables on a terminal: the columns that fit, or column groups below each other, or a row on two lines. */
#include "table/table.h"

#include "base/fold.h"
#include "base/terminal.h"

#include <stdarg.h>
#include <stdint.h>
#include <string.h>

enum { MOST_WIDTH = 100 }; /* of a column that is as wide as its widest text */

/* ---- Which columns fit ----------------------------------------------------------------------------------------------
 */

static bool beside(const xb_table *s)
{
  return xb_table_column_groups(s) > 1 && !s->stacked;
}

static int widest(const xb_table *s, const xb_column *c)
{
  char text[XB_TABLE_TEXT];
  size_t most = c->title ? strlen(c->title) : 0;
  for (size_t i = 0; i < s->rows; i++)
    for (size_t b = 0; b < xb_table_column_groups(s); b++) {
      const void *row = xb_table_row(s, i);
      xb_table_cell(s, c, xb_table_in_column_group(s, row, b), text);
      most = strlen(text) > most ? strlen(text) : most;
    }
  return most < MOST_WIDTH ? (int)most : MOST_WIDTH;
}

static unsigned bit(unsigned rank)
{
  return rank ? 1u << (rank - 1) : 0;
}

static void show(xb_table *s, unsigned ranks)
{
  s->stacked = s->stack_drop && !(ranks & bit(s->stack_drop));
  s->two_lines = s->lines_drop && !(ranks & bit(s->lines_drop));
  for (size_t i = 0; i < s->count; i++) {
    const xb_column *c = &s->columns[i];
    s->shown[i] = s->widths[i] >= 0 && (!c->drop || ranks & bit(c->drop)) &&
                  (!c->instead || s->widths[i - 1] < 0 || !s->shown[i - 1]);
  }
}

/* The column before this one that belongs to the table, and is shown unless `any`; or s->count. */
static size_t previous(const xb_table *s, size_t i, bool any)
{
  while (i-- > 0)
    if (any ? s->widths[i] >= 0 : s->shown[i])
      return i;
  return s->count;
}

static const char *before(const xb_table *s, size_t i)
{
  const xb_column *c = &s->columns[i];
  const size_t last = previous(s, i, true);
  if (previous(s, i, false) == s->count)
    return "";
  if (c->before || !c->each || c->loose || (last < s->count && s->columns[last].each))
    return c->before ? c->before : " ";
  return beside(s) ? " | " : "   ";
}

static int on_width(const xb_table *s)
{
  size_t most = 0;
  for (size_t b = 0; b < xb_table_column_groups(s); b++)
    most = strlen(s->column_groups[b]) > most ? strlen(s->column_groups[b]) : most;
  return (int)most;
}

static bool fits(xb_table *s, unsigned ranks)
{
  size_t total = (size_t)s->indent;
  show(s, ranks);
  for (size_t i = 0; i < s->count; i++) {
    const xb_column *c = &s->columns[i];
    if (!s->shown[i] || c->note || (s->two_lines && i < s->label_columns))
      continue;
    const size_t times = !c->each     ? 1
                         : !beside(s) ? !c->loose || xb_table_column_groups(s) > 1
                                      : xb_table_column_groups(s) - c->loose;
    total += times * ((size_t)s->widths[i] + strlen(before(s, i)));
  }
  return total + (s->stacked ? (size_t)on_width(s) + 1 : 0) + (s->two_lines ? 3 : 0) <= xb_terminal_limit();
}

/* The ranks of `all` that fit. The first one goes first. */
static unsigned choose(xb_table *s, unsigned all)
{
  unsigned ranks = all, rank = 1;
  for (; rank <= all && !fits(s, ranks); rank <<= 1)
    ranks &= ~rank;
  for (; rank; rank >>= 1) /* a narrow column may fit where a wide one did not */
    if ((all & rank) && fits(s, ranks | rank))
      ranks |= rank;
  return ranks;
}

void xb_table_fit(xb_table *s)
{
  unsigned all = bit(s->lines_drop) | (xb_table_column_groups(s) > 1 ? bit(s->stack_drop) : 0);
  s->stack_drop = xb_table_column_groups(s) > 1 ? s->stack_drop : 0;
  for (size_t i = 0; i < s->count; i++) {
    const xb_column *c = &s->columns[i];
    const bool has = xb_table_has(s, c, XB_IN_TEXT);
    s->widths[i] = !has ? -1 : c->width ? c->width : c->note ? 0 : widest(s, c);
    all |= has ? bit(c->drop) : 0;
  }
  show(s, choose(s, all));
  xb_table_share_remarks(s);
  s->left_out = false;
  for (size_t i = 0; i < s->count; i++)
    s->left_out |= s->widths[i] >= 0 && !s->shown[i] && !s->columns[i].aside && !s->columns[i].instead &&
                   !(i + 1 < s->count && s->columns[i + 1].instead);
}

bool xb_table_shows(const xb_table *s, const char *title)
{
  for (size_t i = 0; i < s->count; i++)
    if (s->shown[i] && s->columns[i].title && !strcmp(s->columns[i].title, title))
      return true;
  return false;
}

/* ---- A line ----------------------------------------------------------------------------------------------------- */

/* Without the blanks at its end. */
typedef struct line {
  FILE *file;
  char text[8192];
  size_t length;
} line;

static void put(line *l, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void put(line *l, const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  const int length = vsnprintf(l->text + l->length, sizeof l->text - l->length, format, arguments);
  va_end(arguments);
  const size_t begin = l->length;
  l->length += length > 0 ? (size_t)length : 0;
  l->length = l->length < sizeof l->text ? l->length : sizeof l->text - 1;
  for (char *c = l->text + begin; (c = strchr(c, '\033'));)
    *c = '?'; /* only colours are ours */
}

static void put_colour(line *l, const char *colour)
{
  const size_t length = strlen(colour);
  if (l->length + length >= sizeof l->text)
    return;
  memcpy(l->text + l->length, colour, length + 1);
  l->length += length;
}

static void end(line *l)
{
  while (l->length && (l->text[l->length - 1] == ' ' || l->text[l->length - 1] == *xb_fold_here()))
    l->length--;
  l->text[l->length] = 0;
  if (strchr(l->text, '\033'))
    xb_print_ours(l->file, l->text);
  else
    fputs(l->text, l->file);
  fputc('\n', l->file);
  l->length = 0;
}

/* Of the columns that repeat together, from this one on. */
static size_t column_group_end(const xb_table *s, size_t from)
{
  size_t to = from + 1;
  while (to < s->count &&
         (s->widths[to] < 0 || (s->columns[to].each && s->columns[to].loose == s->columns[from].loose &&
                                s->columns[to].note == s->columns[from].note)))
    to++;
  return to;
}

/* What a row has in the column, or its head if `row` is NULL. */
static void find_text(const xb_table *s, const xb_column *c, const void *row, size_t column_group,
                      char text[XB_TABLE_TEXT])
{
  if (row)
    xb_table_cell(s, c, row, text);
  else if (c->title_of && xb_terminal_limit() == SIZE_MAX)
    c->title_of(s, column_group, text);
  else
    snprintf(text, XB_TABLE_TEXT, "%s", c->title ? c->title : "");
  if (row && c->note)
    xb_table_own_remarks(s, row, column_group, text);
}

/* Says whose remarks they are, unless they are why the row failed. */
static void put_note(line *l, const xb_table *s, const xb_column *c, const void *row, size_t column_group,
                     const char *text)
{
  char failure[XB_TABLE_TEXT];
  put(l, "%s%s", xb_fold_here(), c->before ? c->before : "| ");
  if (c->each && beside(s) && !(s->failed && s->failed(s, row, false, failure)))
    put(l, "%s: ", s->column_groups[column_group]);
  put(l, "%s", text);
}

/* Begins the second line of a row in front of the first column that is not a part of its label. A blank label has no
 * line. */
static void break_line(line *l, const xb_table *s, size_t i)
{
  const size_t last = previous(s, i, false);
  if (!s->two_lines || i < s->label_columns || (last < s->count && last >= s->label_columns))
    return;
  if (strspn(l->text, " ") < l->length)
    end(l);
  l->length = 0;
  put(l, "   ");
}

static void put_columns(line *l, const xb_table *s, size_t from, size_t to, const void *row, size_t column_group)
{
  char text[XB_TABLE_TEXT];
  for (size_t i = from; i < to; i++) {
    const xb_column *c = &s->columns[i];
    if (!s->shown[i] || (c->note && !row))
      continue;
    find_text(s, c, row, column_group, text);
    break_line(l, s, i);
    if (c->note && *text)
      put_note(l, s, c, row, column_group, text);
    if (c->note || (c->loose && !*text))
      continue;
    const char *colour = row && c->style ? c->style(s, c, row) : "";
    const bool whole = c->loose || (s->two_lines && i + 1 == s->label_columns); /* nothing follows that it would meet */
    const int columns = whole ? 0 : s->widths[i], most = c->cut || (!row && c->of) ? columns : XB_TABLE_TEXT;
    put(l, "%s", before(s, i));
    put_colour(l, colour);
    put(l, "%*.*s", c->left ? -columns : columns, most, text);
    put_colour(l, *colour ? XB_NO_COLOUR : "");
  }
}

static int column_group_width(const xb_table *s, size_t from, size_t to)
{
  int total = 0;
  for (size_t i = from; i < to; i++)
    total += s->shown[i] ? s->widths[i] + (i > from ? (int)strlen(before(s, i)) : 0) : 0;
  return total;
}

/* On a line with all column groups, or with one. */
static void put_column_groups(line *l, const xb_table *s, size_t from, size_t to, const void *row, size_t only)
{
  char text[XB_TABLE_TEXT];
  const bool all = beside(s), loose = s->columns[from].loose, note = s->columns[from].note;
  if (s->stacked && !loose && !note)
    put(l, " %-*s", on_width(s), row ? s->column_groups[only] : "on");
  for (size_t b = all ? loose : only; b < (all ? xb_table_column_groups(s) : only + 1); b++) {
    const void *in = row ? xb_table_in_column_group(s, row, b) : NULL;
    if (!row && !(loose && !all && xb_table_column_groups(s) < 2))
      put_columns(l, s, from, to, NULL, loose && !all ? 1 : b);
    else if (in && (loose || note))
      put_columns(l, s, from, to, in, b);
    else if (row && all && (!in || (s->failed && s->failed(s, in, true, text))))
      put(l, "%s%-*s", before(s, from), column_group_width(s, from, to), in ? text : "");
    else if (in)
      put_columns(l, s, from, to, in, b);
  }
}

/* The names of the column groups, above their columns; blanks above the others. */
static void put_names(line *l, const xb_table *s, size_t from, size_t to)
{
  const xb_column *c = &s->columns[from];
  if (c->loose)
    put(l, "%s%s", before(s, from), c->title);
  else if (c->each && !c->note)
    for (size_t b = 0; b < xb_table_column_groups(s); b++)
      put(l, "%s%-*s", before(s, from), column_group_width(s, from, to), s->column_groups[b]);
  else if (s->shown[from] && !c->note)
    put(l, "%*s", s->widths[from] + (int)strlen(before(s, from)), "");
}

/* Without a row: the heads, or The names of the column groups. */
static void put_line(line *l, const xb_table *s, const void *row, size_t column_group, bool names)
{
  char text[XB_TABLE_TEXT];
  const void *own = row && !beside(s) ? xb_table_in_column_group(s, row, column_group) : row;
  const bool failed = own && !beside(s) && s->failed && s->failed(s, own, false, text);
  put(l, "%*s", s->indent, "");
  for (size_t i = 0, to; i < s->count; i = to) {
    const xb_column *c = &s->columns[i];
    to = c->each && s->widths[i] >= 0 ? column_group_end(s, i) : i + 1;
    if (s->widths[i] < 0)
      continue;
    if (names)
      put_names(l, s, i, to);
    else if (c->fails && failed) {
      if (s->stacked)
        put(l, " %-*s", on_width(s), s->column_groups[column_group]);
      break_line(l, s, i);
      put(l, "%s%s", before(s, i), text);
      return;
    } else if (c->each)
      put_column_groups(l, s, i, to, row, column_group);
    else
      put_columns(l, s, i, to, own, column_group);
  }
}

/* ---- The table -------------------------------------------------------------------------------------------------- */

void xb_table_print_heads(const xb_table *s)
{
  line l = {.file = xb_table_file(s)};
  if (beside(s)) {
    put_line(&l, s, NULL, 0, true);
    end(&l);
  }
  put_line(&l, s, NULL, 0, false);
  end(&l);
}

void xb_table_print_row(const xb_table *s, const void *row)
{
  line l = {.file = xb_table_file(s)};
  for (size_t b = 0; b < (s->stacked ? xb_table_column_groups(s) : 1); b++)
    if (!s->stacked || xb_table_in_column_group(s, row, b)) {
      put_line(&l, s, row, b, false);
      end(&l);
    }
}

bool xb_table_has_rows(const xb_table *s)
{
  size_t i = 0;
  while (i < s->rows && !xb_table_row(s, i))
    i++;
  return i < s->rows;
}

void xb_table_print_rows(const xb_table *s)
{
  for (size_t i = 0; i < s->rows; i++) {
    const void *row = xb_table_row(s, i);
    if (row)
      xb_table_print_row(s, row);
  }
  xb_table_print_shared(s);
}
