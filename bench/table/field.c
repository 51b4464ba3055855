#include "table/field.h"

#include "base/value_text.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

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
