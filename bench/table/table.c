#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/value_text.h"
#include "table/table.h"

xb_column *xb_table_add(xb_table *s, xb_column column)
{
  if (s->count == XB_TABLE_COLUMNS) /* more than any list has; the last one is lost */
    s->count--;
  s->columns[s->count] = column;
  return &s->columns[s->count++];
}

void xb_table_add_all(xb_table *s, const xb_column *columns, size_t count)
{
  for (size_t i = 0; i < count; i++)
    xb_table_add(s, columns[i]);
}

bool xb_table_cell(const xb_table *s, const xb_column *c, const void *row, char out[XB_TABLE_TEXT])
{
  *out = 0;
  if (row && c->text)
    c->text(s, c, row, out);
  else if (row && c->number)
    xb_field_format(c, c->number(s, c, row), out, XB_TABLE_TEXT);
  else if (row)
    xb_field_text(c, row, out);
  if (*out)
    return true;
  snprintf(out, XB_TABLE_TEXT, "%s", row && s->unknown && !c->note ? s->unknown(row) : "");
  return false;
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
  xb_table_cell(s, row, c->of, out);
}

static const void *fact_at(const xb_table *s, size_t i)
{
  const xb_column *fact = (const xb_column *)s->user + i;
  char text[XB_TABLE_TEXT];
  for (size_t c = 1; c < s->count; c++)
    if (xb_table_cell(s, fact, s->columns[c].of, text))
      return fact;
  return NULL;
}

void xb_table_of_facts(xb_table *s, const xb_column *facts, size_t count)
{
  const xb_column name = {"", .head = true, .left = true, XB_AT(xb_column, TEXT, title)};
  *s = (xb_table){.user = facts, .row = fact_at, .rows = count};
  xb_table_add(s, name);
}

void xb_table_add_thing(xb_table *s, const char *head, const void *thing)
{
  xb_table_add(s, (xb_column){head, .left = true, .text = fact_of_thing, .of = thing});
}

FILE *xb_table_file(const xb_table *s)
{
  return s->file ? s->file : stdout;
}

size_t xb_table_column_groups(const xb_table *s)
{
  return s->column_group_count ? s->column_group_count : 1;
}

const void *xb_table_row(const xb_table *s, size_t i)
{
  return s->row ? s->row(s, i) : (const char *)s->list + i * s->row_bytes;
}

const void *xb_table_in_column_group(const xb_table *s, const void *row, size_t column_group)
{
  return s->in_column_group && row ? s->in_column_group(s, row, column_group) : row;
}

static bool is_known(const xb_table *s, const xb_column *c)
{
  char text[XB_TABLE_TEXT];
  for (size_t i = 0; i < s->rows; i++)
    for (size_t b = 0; b < xb_table_column_groups(s); b++) {
      const void *row = xb_table_in_column_group(s, xb_table_row(s, i), b);
      if (row && !(c->each && s->failed && s->failed(s, row, false, text)) && xb_table_cell(s, c, row, text))
        return true;
    }
  return false;
}

bool xb_table_has(const xb_table *s, const xb_column *c, unsigned in)
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
static void filter(const char *from, const char *other, bool not_in, char out[XB_TABLE_TEXT])
{
  size_t length = 0;
  *out = 0;
  for (const char *p = from; *p && length < XB_TABLE_TEXT; p = *end_of(p) ? end_of(p) + 1 : end_of(p))
    if (has(other, p, (size_t)(end_of(p) - p)) != not_in)
      length += (size_t)snprintf(out + length, XB_TABLE_TEXT - length, "%s%.*s", length ? XB_REMARK_BREAK : "",
                                 (int)(end_of(p) - p), p);
}

static const xb_column *note_of(const xb_table *s)
{
  for (size_t i = 0; i < s->count; i++)
    if (s->columns[i].note && (!s->columns[i].in || s->columns[i].in & XB_IN_TEXT))
      return &s->columns[i];
  return NULL;
}

enum { ALL_COLUMN_GROUPS = -1 };

/* Of all rows that have any, or of those whose remark may not be missing; in one column group or in all. Two rows at
 * least. */
static void find_shared(const xb_table *s, const xb_column *note, bool all, int column_group,
                        char shared[XB_TABLE_TEXT])
{
  char text[XB_TABLE_TEXT], both[XB_TABLE_TEXT];
  size_t counted = 0;
  *shared = 0;
  for (size_t i = 0; i < s->rows; i++)
    for (size_t b = 0; b < xb_table_column_groups(s); b++) {
      const void *row = column_group == ALL_COLUMN_GROUPS || column_group == (int)b
                            ? xb_table_in_column_group(s, xb_table_row(s, i), b)
                            : NULL;
      if (!row || (!all && s->may_be_missing(s, row)) || (s->failed && s->failed(s, row, false, text)))
        continue;
      xb_table_cell(s, note, row, text);
      filter(text, counted++ ? shared : text, false, both);
      memcpy(shared, both, sizeof both);
    }
  if (counted < 2)
    *shared = 0;
}

void xb_table_share_remarks(xb_table *s)
{
  char some[XB_TABLE_TEXT], rest[XB_TABLE_TEXT];
  const xb_column *note = s->may_be_missing ? note_of(s) : NULL;
  *s->of_all = *s->of_common = 0;
  if (!note)
    return;
  find_shared(s, note, true, ALL_COLUMN_GROUPS, s->of_all);
  find_shared(s, note, false, ALL_COLUMN_GROUPS, some);
  filter(some, s->of_all, true, s->of_common);
  for (size_t b = 0; b < s->column_group_count; b++) {
    find_shared(s, note, true, (int)b, some);
    filter(some, s->of_all, true, rest);
    filter(rest, s->of_common, true, s->of_column_group[b]);
  }
}

void xb_table_own_remarks(const xb_table *s, const void *row, size_t column_group, char text[XB_TABLE_TEXT])
{
  char own[XB_TABLE_TEXT], rest[XB_TABLE_TEXT];
  filter(text, s->of_all, true, own);
  filter(own, s->of_column_group[column_group], true, rest);
  filter(rest, s->may_be_missing && !s->may_be_missing(s, row) ? s->of_common : "", true, text);
  xb_table_join_remarks(text, own);
  memcpy(text, own, sizeof own);
}

void xb_table_print_shared(const xb_table *s)
{
  FILE *file = xb_table_file(s);
  char text[XB_TABLE_TEXT];
  xb_table_join_remarks(s->of_all, text);
  if (*text)
    fprintf(file, "all rows: %s\n", text);
  for (size_t b = 0; b < s->column_group_count; b++) {
    xb_table_join_remarks(s->of_column_group[b], text);
    if (*text)
      fprintf(file, "all rows of %s: %s\n", s->column_groups[b], text);
  }
  xb_table_join_remarks(s->of_common, text);
  if (*text)
    fprintf(file, "%s: %s\n", s->common_remark, text);
}

void xb_table_join_remarks(const char *remarks, char out[XB_TABLE_TEXT])
{
  size_t length = 0;
  for (const char *p = remarks; *p && length + 3 < XB_TABLE_TEXT; p++) {
    if (*p == *XB_REMARK_BREAK)
      out[length++] = ',';
    out[length++] = *p == *XB_REMARK_BREAK ? ' ' : *p;
  }
  out[length] = 0;
}

const char xb_as_bytes[] = "bytes", xb_as_figure[] = "figure";

const void *xb_field_member(const xb_field *f, const void *object)
{
  if (f->via && object)
    object = *(const void *const *)((const char *)object + f->via - 1);
  return object ? (const char *)object + f->offset : NULL;
}

double xb_field_number(const xb_field *f, const void *object)
{
  const void *m = xb_field_member(f, object);
  double value = NAN;
  if (m && f->kind == XB_FIELD_REAL)
    value = *(const double *)m;
  else if (m && f->kind == XB_FIELD_KNOWN && *(const uint64_t *)m)
    value = (double)*(const uint64_t *)m;
  else if (m && f->kind == XB_FIELD_KNOWN32 && *(const uint32_t *)m)
    value = *(const uint32_t *)m;
  else if (m && f->kind == XB_FIELD_COUNT && *(const int64_t *)m >= 0)
    value = (double)*(const int64_t *)m;
  return f->per ? value / f->per : value;
}

double xb_number_member(const xb_table *table, const xb_field *f, const void *row)
{
  (void)table;
  return xb_field_number(f, row);
}

static const char *digits_of(double size)
{
  return size >= 1e7    ? "%.4g"
         : size >= 1000 ? "%.0f"
         : size >= 100  ? "%.1f"
         : size >= 10   ? "%.2f"
         : size >= 1    ? "%.3f"
                        : "%.4g";
}

void xb_field_format(const xb_field *f, double value, char *out, size_t out_bytes)
{
  *out = 0;
  if (!isfinite(value))
    return;
  if (!f->format)
    xb_format_time(value, out, out_bytes);
  else if (f->format != xb_as_bytes)
    snprintf(out, out_bytes,
             f->format == xb_as_figure                                   ? digits_of(fabs(value))
             : value >= 1e4 && value < 1e7 && !strcmp(f->format, "%.4g") ? "%.0f" /* no exponent where digits fit */
                                                                         : f->format,
             value);
  else if (value >= 0 && value < 1e19)
    xb_format_bytes((uint64_t)value, out, out_bytes);
}

bool xb_field_text(const xb_field *f, const void *object, char out[XB_TABLE_TEXT])
{
  const void *m = xb_field_member(f, object);
  const double value = xb_field_number(f, object);
  *out = 0;
  if (!m)
    return false;
  switch (f->kind) {
  case XB_FIELD_TEXT: snprintf(out, XB_TABLE_TEXT, "%s", *(const char *const *)m ? *(const char *const *)m : ""); break;
  case XB_FIELD_CHARS: snprintf(out, XB_TABLE_TEXT, "%s", (const char *)m); break;
  case XB_FIELD_FLAG: snprintf(out, XB_TABLE_TEXT, "%s", *(const int *)m < 0 ? "" : xb_yes_no(*(const int *)m)); break;
  case XB_FIELD_BOOL: snprintf(out, XB_TABLE_TEXT, "%s", xb_yes_no(*(const bool *)m)); break;
  case XB_FIELD_INTERVAL:
    if (isfinite(((const double *)m)[0]))
      snprintf(out, XB_TABLE_TEXT, f->format ? f->format : "%.3f to %.3f", ((const double *)m)[0],
               ((const double *)m)[1]);
    break;
  case XB_FIELD_KNOWN:
  case XB_FIELD_KNOWN32:
  case XB_FIELD_COUNT:
    if (!f->format && isfinite(value)) {
      snprintf(out, XB_TABLE_TEXT, "%" PRIu64,
               f->kind == XB_FIELD_KNOWN32 ? *(const uint32_t *)m : *(const uint64_t *)m);
      break;
    } /* fall through */
  default: xb_field_format(f, value, out, XB_TABLE_TEXT);
  }
  return *out;
}

int xb_field_compare(const xb_field *f, const void *a, const void *b)
{
  const double x = xb_field_number(f, a), y = xb_field_number(f, b);
  if (f->kind != XB_FIELD_TEXT)
    return isnan(x) || isnan(y) ? isnan(y) - isnan(x) : (x > y) - (x < y);
  const char *const *s = xb_field_member(f, a), *const *t = xb_field_member(f, b);
  const char *left = s ? *s : NULL, *right = t ? *t : NULL;
  return left && right ? strcmp(left, right) : (left != NULL) - (right != NULL);
}
