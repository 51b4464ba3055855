#include "sheet/sheet.h"

#include "base/value_text.h"

#include <inttypes.h>
#include <math.h>

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
  if (isfinite(value) && c->format)
    snprintf(out, XB_SHEET_TEXT, c->format, value);
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
