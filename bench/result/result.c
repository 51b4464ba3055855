#include "result/result.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

const char *xb_outcome_name(xb_outcome outcome)
{
  static const char *const names[] = {"interrupted",    "ok",         "wrong", "failed", "unsupported",
                                      "no_counterpart", "interrupted"};
  return names[outcome];
}

double xb_result_value(const xb_result *result)
{
  return result->metrics.count ? result->metrics.values[0].value : NAN;
}

const char *xb_result_unit(const xb_result *result)
{
  return result->metrics.count ? result->metrics.values[0].unit : "";
}

bool xb_is_timed(const xb_result *result)
{
  return result && result->outcome == XB_CELL_OK;
}

const char *xb_result_why(const xb_result *result)
{
  return result->error ? result->error : result->reason ? result->reason : "not measured";
}

const char *xb_result_placed_once(const xb_result *result)
{
  return result->crowded == 1 ? "placed once: not enough memory" : result->placements == 1 ? "placed once" : NULL;
}

const char *xb_result_at(const xb_result *result, char out[XB_AT_TEXT])
{
  size_t at = 0;
  *out = 0;
  for (size_t i = 0; i < result->at.count && at < XB_AT_TEXT; i++)
    at += (size_t)snprintf(out + at, XB_AT_TEXT - at, "%s%.32s %lld", i ? ", " : "", result->at.values[i].axis,
                           (long long)result->at.values[i].value);
  return out;
}

int xb_compare_at(const xb_result *a, const xb_result *b)
{
  int order = (a->at.count > b->at.count) - (a->at.count < b->at.count);
  for (size_t i = 0; i < a->at.count && !order; i++) {
    const xb_at *x = &a->at.values[i], *y = &b->at.values[i];
    order = strcmp(x->axis, y->axis);
    order = order ? order : (x->value > y->value) - (x->value < y->value);
  }
  return order;
}

int xb_compare_sizes(const xb_result *a, const xb_result *b)
{
  const uint64_t x[] = {a->size, a->rows, a->columns, a->inner}, y[] = {b->size, b->rows, b->columns, b->inner};
  int order = 0;
  for (size_t i = 0; i < sizeof x / sizeof *x && !order; i++)
    order = (x[i] > y[i]) - (x[i] < y[i]);
  return order;
}

bool xb_same_text(const char *a, const char *b)
{
  return a && b ? !strcmp(a, b) : a == b;
}
