#include "report/model/view.h"

#include "table/table.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { MOST_TIES = 3 }; /* with a name */

static void append(char *out, size_t bytes, const char *format, va_list args)
{
  const size_t length = strlen(out);
  if (length < bytes)
    vsnprintf(out + length, bytes - length, format, args);
}

void xb_append(char *out, size_t bytes, const char *format, ...)
{
  va_list args;
  va_start(args, format);
  append(out, bytes, format, args);
  va_end(args);
}

void xb_ties_add(xb_ties *ties, const char *format, ...)
{
  va_list args;
  if (ties->count++ >= MOST_TIES)
    return;
  XB_ADD(ties->text, "; ");
  va_start(args, format);
  append(ties->text, sizeof ties->text, format, args);
  va_end(args);
}

const char *xb_ties_text(xb_ties *ties)
{
  if (ties->count > MOST_TIES)
    XB_ADD(ties->text, "; and %zu more", ties->count - MOST_TIES);
  return ties->text;
}

const char *xb_name_size(const xb_result *cell, char out[XB_NAME])
{
  int exponent = 0;
  while (exponent < 63 && cell->work.size >> exponent > 1)
    exponent++;
  if (cell->work.rows && cell->work.columns && cell->work.inner)
    snprintf(out, XB_NAME, "%" PRIu64 " x %" PRIu64 " x %" PRIu64, cell->work.rows, cell->work.columns,
             cell->work.inner);
  else if (cell->work.rows && cell->work.columns)
    snprintf(out, XB_NAME, "%" PRIu64 " x %" PRIu64, cell->work.rows, cell->work.columns);
  else if (cell->work.size == 1ull << exponent && exponent >= 10)
    snprintf(out, XB_NAME, "2^%d", exponent);
  else
    snprintf(out, XB_NAME, "%" PRIu64, cell->work.size);
  return out;
}

const char *xb_name_question(const xb_result *cell, char out[XB_NAME])
{
  char at[XB_AT_TEXT];
  xb_name_size(cell, out);
  xb_append(out, XB_NAME, " %s%s%s", cell->dtype, cell->at.count ? ", " : "", xb_result_at(cell, at));
  return out;
}

const char *xb_name_variant(const char *variant, char out[XB_NAME])
{
  snprintf(out, XB_NAME, "%s", variant);
  char *mark = strchr(out, '_');
  if (mark)
    *mark = ' ';
  return out;
}

const char *xb_name_figure(double value, char out[XB_NAME])
{
  xb_field_format(&(xb_field){.format = xb_as_figure}, value, out, XB_NAME);
  return out;
}

const char *xb_name_time(double ns, char out[XB_NAME])
{
  xb_field_format(&(xb_field){.format = NULL}, ns, out, XB_NAME);
  return out;
}

const char *xb_name_ratio(double ratio, xb_interval interval, char out[XB_NAME])
{
  *out = 0;
  if (isfinite(ratio) && isfinite(interval.low) && isfinite(interval.high))
    snprintf(out, XB_NAME, "%.3f [%.3f, %.3f]", ratio, interval.low, interval.high);
  else if (isfinite(ratio))
    snprintf(out, XB_NAME, "%.3f", ratio);
  return out;
}

const char *xb_name_sides(const xb_view_target *subject, const char *subject_variant, const xb_view_target *base,
                          const char *base_variant, char out[XB_NAME])
{
  char a[XB_NAME] = "", b[XB_NAME] = "";
  if (subject_variant)
    xb_name_variant(subject_variant, a);
  if (base_variant)
    xb_name_variant(base_variant, b);
  const bool same = !strcmp(a, b), one_device = !strcmp(subject->model, base->model) && subject->nth == base->nth;
  const char *of = one_device ? subject->api : subject->name, *over = one_device ? base->api : base->name;
  *out = 0;
  if (same)
    xb_append(out, XB_NAME, "%s / %s%s%s", of, over, *a ? ", " : "", a);
  else if (subject == base)
    xb_append(out, XB_NAME, "%s / %s, %s", *a ? a : "each", *b ? b : "each", of);
  else
    xb_append(out, XB_NAME, "%s %s / %s %s", *a ? a : "each", of, *b ? b : "each", over);
  if (one_device && *subject->model)
    xb_append(out, XB_NAME, ", %s", subject->model);
  if (one_device && subject->nth)
    xb_append(out, XB_NAME, ", device %zu", subject->nth);
  return out;
}

const char *xb_ratio_name(const xb_view_file *file, const xb_comparison *r, char out[XB_NAME])
{
  return xb_name_sides(xb_view_target_of(file, r->subject), r->subject->variant, xb_view_target_of(file, r->base),
                       r->base->variant, out);
}
