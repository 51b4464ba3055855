#include "sheet/sheet.h"

#include "base/value_text.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

xb_column *xb_sheet_add(xb_sheet *s, xb_column column)
{
  if (s->count == XB_SHEET_COLUMNS) /* more than any list has; the last one is lost */
    s->count--;
  s->columns[s->count] = column;
  return &s->columns[s->count++];
}

void xb_sheet_add_all(xb_sheet *s, const xb_column *columns, size_t count)
{
  for (size_t i = 0; i < count; i++)
    xb_sheet_add(s, columns[i]);
}

const void *xb_sheet_member(const xb_column *c, const void *row)
{
  return (const char *)row + c->offset;
}

bool xb_sheet_cell(const xb_sheet *s, const xb_column *c, const void *row, char out[XB_SHEET_TEXT])
{
  double value = NAN;
  *out = 0;
  if (row && c->text)
    c->text(s, c, row, out);
  else if (row)
    value = c->number ? c->number(s, c, row) : *(const double *)xb_sheet_member(c, row);
  const bool plain = value >= 1e4 && value < 1e7; /* no exponent where digits fit */
  if (isfinite(value) && c->format)
    snprintf(out, XB_SHEET_TEXT, plain && !strcmp(c->format, "%.4g") ? "%.0f" : c->format, value);
  else if (isfinite(value))
    xb_format_time(value, out, XB_SHEET_TEXT);
  if (*out)
    return true;
  snprintf(out, XB_SHEET_TEXT, "%s", row && s->unknown && !c->note && !c->loose ? s->unknown(row) : "");
  return false;
}

void xb_text_member(const xb_sheet *s XB_UNUSED, const xb_column *c, const void *row, char out[XB_SHEET_TEXT])
{
  const char *text = *(const char *const *)xb_sheet_member(c, row);
  snprintf(out, XB_SHEET_TEXT, "%s", text ? text : "");
}

void xb_string_member(const xb_sheet *s XB_UNUSED, const xb_column *c, const void *row, char out[XB_SHEET_TEXT])
{
  snprintf(out, XB_SHEET_TEXT, "%s", (const char *)xb_sheet_member(c, row));
}

void xb_count_member(const xb_sheet *s XB_UNUSED, const xb_column *c, const void *row, char out[XB_SHEET_TEXT])
{
  const uint64_t value = *(const uint64_t *)xb_sheet_member(c, row);
  if (value)
    snprintf(out, XB_SHEET_TEXT, "%" PRIu64, value);
}

const char *xb_dash(const void *row XB_UNUSED)
{
  return "-";
}

const char *xb_unknown(const void *row XB_UNUSED)
{
  return "unknown";
}

XB_COLUMN_TEXT(fact_of_thing)
{
  xb_sheet_cell(s, row, c->of, out);
}

static const void *fact_at(const xb_sheet *s, size_t i)
{
  const xb_column *fact = (const xb_column *)s->user + i;
  char text[XB_SHEET_TEXT];
  for (size_t c = 1; c < s->count; c++)
    if (xb_sheet_cell(s, fact, s->columns[c].of, text))
      return fact;
  return NULL;
}

void xb_sheet_of_facts(xb_sheet *s, const xb_column *facts, size_t count)
{
  const xb_column name = {"", .head = true, .left = true, .text = xb_text_member, .offset = offsetof(xb_column, title)};
  *s = (xb_sheet){.user = facts, .row = fact_at, .rows = count};
  xb_sheet_add(s, name);
}

void xb_sheet_add_thing(xb_sheet *s, const char *head, const void *thing)
{
  xb_sheet_add(s, (xb_column){head, .left = true, .text = fact_of_thing, .of = thing});
}

FILE *xb_sheet_file(const xb_sheet *s)
{
  return s->file ? s->file : stdout;
}

size_t xb_sheet_bands(const xb_sheet *s)
{
  return s->band_count ? s->band_count : 1;
}

const void *xb_sheet_row(const xb_sheet *s, size_t i)
{
  return s->row ? s->row(s, i) : (const char *)s->list + i * s->row_bytes;
}

const void *xb_sheet_in_band(const xb_sheet *s, const void *row, size_t band)
{
  return s->in_band && row ? s->in_band(s, row, band) : row;
}

static bool is_known(const xb_sheet *s, const xb_column *c)
{
  char text[XB_SHEET_TEXT];
  for (size_t i = 0; i < s->rows; i++)
    for (size_t b = 0; b < xb_sheet_bands(s); b++) {
      const void *row = xb_sheet_in_band(s, xb_sheet_row(s, i), b);
      if (row && !(c->each && s->failed && s->failed(s, row, false, text)) && xb_sheet_cell(s, c, row, text))
        return true;
    }
  return false;
}

bool xb_sheet_has(const xb_sheet *s, const xb_column *c, unsigned in)
{
  return (!c->in || c->in & in) && (!c->optional || is_known(s, c));
}

/* ---- Remarks of a note: those that all rows share are said once -------------------------------------------------- */

/* Remarks of a note: those that all rows share are said once. */

static const char *end_of(const char *remark)
{
  return remark + strcspn(remark, XB_REMARK_BREAK);
}

static bool has(const char *remarks, const char *one, size_t length)
{
  for (const char *p = remarks; *p; p = *end_of(p) ? end_of(p) + 1 : end_of(p))
    if ((size_t)(end_of(p) - p) == length && !memcmp(p, one, length))
      return true;
  return false;
}

/* Those of `from` that are in `other`, or if `not_in`, the rest. */
static void filter(const char *from, const char *other, bool not_in, char out[XB_SHEET_TEXT])
{
  size_t length = 0;
  *out = 0;
  for (const char *p = from; *p && length < XB_SHEET_TEXT; p = *end_of(p) ? end_of(p) + 1 : end_of(p))
    if (has(other, p, (size_t)(end_of(p) - p)) != not_in)
      length += (size_t)snprintf(out + length, XB_SHEET_TEXT - length, "%s%.*s", length ? XB_REMARK_BREAK : "",
                                 (int)(end_of(p) - p), p);
}

static const xb_column *note_of(const xb_sheet *s)
{
  for (size_t i = 0; i < s->count; i++)
    if (s->columns[i].note && (!s->columns[i].in || s->columns[i].in & XB_IN_TEXT))
      return &s->columns[i];
  return NULL;
}

enum { ALL_BANDS = -1 };

/* Of all rows that have any, or of those that are not apart; in one band or in all. Two rows at least. */
static void find_shared(const xb_sheet *s, const xb_column *note, bool all, int band, char shared[XB_SHEET_TEXT])
{
  char text[XB_SHEET_TEXT], both[XB_SHEET_TEXT];
  size_t counted = 0;
  *shared = 0;
  for (size_t i = 0; i < s->rows; i++)
    for (size_t b = 0; b < xb_sheet_bands(s); b++) {
      const void *row = band == ALL_BANDS || band == (int)b ? xb_sheet_in_band(s, xb_sheet_row(s, i), b) : NULL;
      if (!row || (!all && s->apart(s, row)) || (s->failed && s->failed(s, row, false, text)))
        continue;
      xb_sheet_cell(s, note, row, text);
      filter(text, counted++ ? shared : text, false, both);
      memcpy(shared, both, sizeof both);
    }
  if (counted < 2)
    *shared = 0;
}

void xb_sheet_share_remarks(xb_sheet *s)
{
  char some[XB_SHEET_TEXT], rest[XB_SHEET_TEXT];
  const xb_column *note = s->apart ? note_of(s) : NULL;
  *s->of_all = *s->of_most = 0;
  if (!note)
    return;
  find_shared(s, note, true, ALL_BANDS, s->of_all);
  find_shared(s, note, false, ALL_BANDS, some);
  filter(some, s->of_all, true, s->of_most);
  for (size_t b = 0; b < s->band_count; b++) {
    find_shared(s, note, true, (int)b, some);
    filter(some, s->of_all, true, rest);
    filter(rest, s->of_most, true, s->of_band[b]);
  }
}

void xb_sheet_own_remarks(const xb_sheet *s, const void *row, size_t band, char text[XB_SHEET_TEXT])
{
  char own[XB_SHEET_TEXT], rest[XB_SHEET_TEXT];
  filter(text, s->of_all, true, own);
  filter(own, s->of_band[band], true, rest);
  filter(rest, s->apart && !s->apart(s, row) ? s->of_most : "", true, text);
  xb_sheet_join_remarks(text, own);
  memcpy(text, own, sizeof own);
}

void xb_sheet_print_shared(const xb_sheet *s)
{
  FILE *file = xb_sheet_file(s);
  char text[XB_SHEET_TEXT];
  xb_sheet_join_remarks(s->of_all, text);
  if (*text)
    fprintf(file, "all rows: %s\n", text);
  for (size_t b = 0; b < s->band_count; b++) {
    xb_sheet_join_remarks(s->of_band[b], text);
    if (*text)
      fprintf(file, "all rows of %s: %s\n", s->bands[b], text);
  }
  xb_sheet_join_remarks(s->of_most, text);
  if (*text)
    fprintf(file, "%s: %s\n", s->most, text);
}

void xb_sheet_join_remarks(const char *remarks, char out[XB_SHEET_TEXT])
{
  size_t length = 0;
  for (const char *p = remarks; *p && length + 3 < XB_SHEET_TEXT; p++) {
    if (*p == *XB_REMARK_BREAK)
      out[length++] = ',';
    out[length++] = *p == *XB_REMARK_BREAK ? ' ' : *p;
  }
  out[length] = 0;
}
