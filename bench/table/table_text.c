/* Tables on a terminal: the columns that fit or, where the terminal is too narrow for the most important ones, a record
 * for each row. */
#include "table/table.h"

#include "base/fold.h"
#include "base/terminal.h"

#include <stdarg.h>
#include <stdint.h>
#include <string.h>

enum { MOST_WIDTH = 100 }; /* of a column that is as wide as its widest text */

/* ---- Which columns fit ------------------------------------------------------------------------------------------- */

static bool beside(const xb_table *s)
{
  return xb_table_column_groups(s) > 1;
}

/* The head of a column: the long one where there is room. */
static void find_title(const xb_table *s, const xb_column *c, char text[XB_TABLE_TEXT])
{
  if (c->title_of && (s->records || xb_terminal_limit() == SIZE_MAX))
    c->title_of(s, c, text);
  else
    snprintf(text, XB_TABLE_TEXT, "%s", c->title ? c->title : "");
}

static int widest(const xb_table *s, const xb_column *c)
{
  char text[XB_TABLE_TEXT];
  find_title(s, c, text);
  size_t most = strlen(text);
  for (size_t i = 0; i < s->rows && !c->width; i++)
    for (size_t b = 0; b < xb_table_column_groups(s); b++) {
      const void *row = xb_table_row(s, i);
      xb_table_cell(s, c, xb_table_in_column_group(s, row, b), text);
      most = strlen(text) > most ? strlen(text) : most;
    }
  return most < MOST_WIDTH ? (int)most : MOST_WIDTH;
}

static int width_of(const xb_table *s, const xb_column *c)
{
  const int most = c->note || (c->width && !c->title_of) ? 0 : widest(s, c);
  return c->width > most ? c->width : most;
}

static unsigned bit(unsigned rank)
{
  return rank ? 1u << (rank - 1) : 0;
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
  if (c->before || !c->each || (last < s->count && s->columns[last].each))
    return c->before ? c->before : " ";
  return beside(s) ? " | " : "   ";
}

/* Shows the columns without a rank and with these. Returns true if they fit. */
static bool fits(xb_table *s, unsigned ranks)
{
  size_t total = (size_t)s->indent;
  for (size_t i = 0; i < s->count; i++) {
    const xb_column *c = &s->columns[i];
    s->shown[i] = s->widths[i] >= 0 && (!c->drop || ranks & bit(c->drop));
    if (s->shown[i] && !c->note)
      total += (c->each ? xb_table_column_groups(s) : 1) * ((size_t)s->widths[i] + strlen(before(s, i)));
  }
  return total <= xb_terminal_limit();
}

void xb_table_fit(xb_table *s)
{
  unsigned all = 0, ranks, rank = 1;
  s->records = s->left_out = false;
  for (size_t i = 0; i < s->count; i++) {
    const xb_column *c = &s->columns[i];
    s->widths[i] = xb_table_has(s, c, XB_IN_TEXT) ? width_of(s, c) : -1;
    all |= s->widths[i] >= 0 ? bit(c->drop) : 0;
  }
  for (ranks = all; rank <= all && !fits(s, ranks); rank <<= 1)
    ranks &= ~rank;
  for (; rank; rank >>= 1) /* a narrow column may fit where a wide one did not */
    if ((all & rank) && fits(s, ranks | rank))
      ranks |= rank;
  s->records = s->label_columns && !fits(s, ranks);
  fits(s, s->records ? all : ranks);
  for (size_t i = 0; i < s->count; i++)
    s->left_out |= s->widths[i] >= 0 && !s->shown[i];
  xb_table_share_remarks(s);
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
  while (to < s->count && (s->widths[to] < 0 || (s->columns[to].each && s->columns[to].note == s->columns[from].note)))
    to++;
  return to;
}

static bool has_failed(const xb_table *s, const void *row, bool in_few_words, char text[XB_TABLE_TEXT])
{
  return row && s->failed && s->failed(s, row, in_few_words, text);
}

/* What a row has in the column, or its head if `row` is NULL. */
static void find_text(const xb_table *s, const xb_column *c, const void *row, size_t column_group,
                      char text[XB_TABLE_TEXT])
{
  if (row)
    xb_table_cell(s, c, row, text);
  else
    find_title(s, c, text);
  if (row && c->note)
    xb_table_own_remarks(s, row, column_group, text);
}

/* Says whose remarks they are, unless they are why the row failed. */
static void put_note(line *l, const xb_table *s, const xb_column *c, const void *row, size_t column_group)
{
  char text[XB_TABLE_TEXT], failure[XB_TABLE_TEXT];
  find_text(s, c, row, column_group, text);
  if (!*text)
    return;
  put(l, "%s%s", xb_fold_here(), c->before ? c->before : "| ");
  if (c->each && beside(s) && !has_failed(s, row, false, failure))
    put(l, "%s: ", s->column_groups[column_group]);
  put(l, "%s", text);
}

static void put_columns(line *l, const xb_table *s, size_t from, size_t to, const void *row, size_t column_group)
{
  char text[XB_TABLE_TEXT];
  for (size_t i = from; i < to; i++) {
    const xb_column *c = &s->columns[i];
    if (s->shown[i] && c->note && row)
      put_note(l, s, c, row, column_group);
    if (!s->shown[i] || c->note)
      continue;
    find_text(s, c, row, column_group, text);
    const char *colour = row && c->style ? c->style(s, c, row) : "";
    const int most = c->cut || (!row && c->of && !c->title_of) ? s->widths[i] : XB_TABLE_TEXT;
    put(l, "%*s", (int)strlen(before(s, i)), *text ? before(s, i) : ""); /* no bar in front of nothing */
    put_colour(l, colour);
    put(l, "%*.*s", c->left ? -s->widths[i] : s->widths[i], most, text);
    put_colour(l, *colour ? XB_NO_COLOUR : "");
  }
}

/* ---- A table ---------------------------------------------------------------------------------------------------- */

static int column_group_width(const xb_table *s, size_t from, size_t to)
{
  int total = 0;
  for (size_t i = from; i < to; i++)
    total += s->shown[i] ? s->widths[i] + (i > from ? (int)strlen(before(s, i)) : 0) : 0;
  return total;
}

static void put_column_groups(line *l, const xb_table *s, size_t from, size_t to, const void *row)
{
  char text[XB_TABLE_TEXT];
  const bool note = s->columns[from].note;
  for (size_t b = 0; b < xb_table_column_groups(s); b++) {
    const void *in = row ? xb_table_in_column_group(s, row, b) : NULL;
    if (row && !note && beside(s) && (!in || has_failed(s, in, true, text)))
      put(l, "%s%-*s", before(s, from), column_group_width(s, from, to), in ? text : "");
    else if (!row || in)
      put_columns(l, s, from, to, in, b);
  }
}

/* The names of the column groups, above their columns; blanks above the others. */
static void put_names(line *l, const xb_table *s, size_t from, size_t to)
{
  const xb_column *c = &s->columns[from];
  if (c->each && !c->note)
    for (size_t b = 0; b < xb_table_column_groups(s); b++)
      put(l, "%s%-*s", before(s, from), column_group_width(s, from, to), s->column_groups[b]);
  else if (s->shown[from] && !c->note)
    put(l, "%*s", s->widths[from] + (int)strlen(before(s, from)), "");
}

/* Without a row: the heads, or the names of the column groups. */
static void put_line(line *l, const xb_table *s, const void *row, bool names)
{
  char text[XB_TABLE_TEXT];
  const void *own = row && !beside(s) ? xb_table_in_column_group(s, row, 0) : row;
  const bool failed = !beside(s) && has_failed(s, own, false, text);
  put(l, "%*s", s->indent, "");
  for (size_t i = 0, to; i < s->count; i = to) {
    const xb_column *c = &s->columns[i];
    to = c->each && s->widths[i] >= 0 ? column_group_end(s, i) : i + 1;
    if (s->widths[i] < 0)
      continue;
    if (names) {
      put_names(l, s, i, to);
    } else if (c->fails && failed) {
      put(l, "%s%s", before(s, i), text);
      break;
    } else if (c->each) {
      put_column_groups(l, s, i, to, row);
    } else {
      put_columns(l, s, i, to, own, 0);
    }
  }
  end(l);
}

/* ---- Records ---------------------------------------------------------------------------------------------------- */

/* "time: 8.062 us; GB/s: 997.2", or why the row failed; what is unknown is left out. */
static void put_values(line *l, const xb_table *s, const void *row, bool each, const char *name)
{
  char title[XB_TABLE_TEXT], text[XB_TABLE_TEXT];
  const char *between = "";
  put(l, "%*s%s%s", s->indent + 4, "", name, *name ? " | " : "");
  const bool failed = (each || !beside(s)) && has_failed(s, row, false, text);
  if (failed)
    put(l, "%s", text);
  for (size_t i = s->label_columns; i < s->count && !failed; i++) {
    const xb_column *c = &s->columns[i];
    if (!s->shown[i] || c->note || (beside(s) && c->each != each) || !xb_table_cell(s, c, row, text))
      continue;
    find_title(s, c, title);
    put(l, "%s%s%s%s", between, title, *title ? ": " : "", text + strspn(text, " "));
    between = "; ";
  }
  if (failed || *between)
    end(l);
  l->length = 0;
}

static void put_remarks(line *l, const xb_table *s, const void *row, size_t column_group)
{
  char text[XB_TABLE_TEXT];
  for (size_t i = 0; i < s->count && !has_failed(s, row, false, text); i++)
    if (s->shown[i] && s->columns[i].note) {
      find_text(s, &s->columns[i], row, column_group, text);
      if (!text[strspn(text, " ")])
        continue;
      put(l, "%*s%s%s", s->indent + 4, "", s->columns[i].before ? "" : "| ", text);
      end(l);
    }
}

static void put_record(line *l, const xb_table *s, const void *row)
{
  const void *own = beside(s) ? row : xb_table_in_column_group(s, row, 0);
  put(l, "%*s", s->indent, "");
  for (size_t i = 0; i < s->label_columns; i++)
    put_columns(l, s, i, i + 1, own, 0);
  end(l);
  put_values(l, s, own, false, "");
  for (size_t b = 0; b < xb_table_column_groups(s); b++) {
    const void *in = xb_table_in_column_group(s, row, b);
    if (in && beside(s))
      put_values(l, s, in, true, s->column_groups[b]);
    if (in)
      put_remarks(l, s, in, b);
  }
}

/* ---- The whole --------------------------------------------------------------------------------------------------- */

void xb_table_print_heads(const xb_table *s)
{
  line l = {.file = xb_table_file(s)};
  if (s->records)
    return;
  if (beside(s))
    put_line(&l, s, NULL, true);
  put_line(&l, s, NULL, false);
}

void xb_table_print_row(const xb_table *s, const void *row)
{
  line l = {.file = xb_table_file(s)};
  if (s->records)
    put_record(&l, s, row);
  else
    put_line(&l, s, row, false);
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
