/* Compares the conditions of the two documents. Cells with different conditions, such as sizes, are not compared, so
 * without this check a CI gate could pass although it compared nothing. */
#include "diff/diff.h"
#include "diff/identity.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SHOWN_VALUES = 4 };

/* Results, sorted by benchmark and one dimension. */
typedef struct ordered {
  const xb_result **results;
  size_t count;
} ordered;

static const xb_dimension *ordered_by; /* for qsort */

static int compare_condition(const void *a, const void *b)
{
  const xb_result *x = *(const xb_result *const *)a, *y = *(const xb_result *const *)b;
  const int benchmark = xb_compare_texts(x->benchmark, y->benchmark);
  return benchmark ? benchmark : ordered_by->compare(x, y);
}

/* Removes the results of the first benchmark from the list. Returns them, one per value. */
static ordered take_values(ordered *list)
{
  const xb_result **r = list->results;
  size_t of_benchmark = 0, kept = 0;
  for (; of_benchmark < list->count && !strcmp(r[of_benchmark]->benchmark, r[0]->benchmark); of_benchmark++)
    if (!kept || ordered_by->compare(r[of_benchmark], r[kept - 1]))
      r[kept++] = r[of_benchmark];
  list->results += of_benchmark;
  list->count -= of_benchmark;
  return (ordered){r, kept};
}

static void format_values(const ordered *values, char *out, size_t out_bytes)
{
  char value[112];
  size_t at = 0;
  *out = 0;
  for (size_t i = 0; i < values->count && i < SHOWN_VALUES && at < out_bytes; i++) {
    ordered_by->format(values->results[i], value, sizeof value);
    at += (size_t)snprintf(out + at, out_bytes - at, "%s%s", i ? ", " : "", value);
  }
  if (values->count > SHOWN_VALUES && at < out_bytes)
    snprintf(out + at, out_bytes - at, " ... %zu in all", values->count);
}

static void compare_values(xb_diff *diff, const ordered *base, const ordered *now)
{
  bool same = base->count == now->count;
  for (size_t i = 0; i < base->count && same; i++)
    same = !ordered_by->compare(base->results[i], now->results[i]);
  if (same || diff->difference_count++ >= XB_MAX_DIFFERENCES)
    return;
  xb_difference *d = &diff->differences[diff->difference_count - 1];
  *d = (xb_difference){.what = ordered_by->plural, .benchmark = base->results[0]->benchmark};
  format_values(base, d->base, sizeof d->base);
  format_values(now, d->now, sizeof d->now);
}

/* Returns the number of common benchmarks. */
static size_t compare_benchmarks(xb_diff *diff, ordered base, ordered now)
{
  size_t common = 0;
  qsort(base.results, base.count, sizeof(*base.results), compare_condition);
  qsort(now.results, now.count, sizeof(*now.results), compare_condition);
  while (base.count && now.count) {
    const int order = strcmp(base.results[0]->benchmark, now.results[0]->benchmark);
    const ordered b = order <= 0 ? take_values(&base) : base, n = order >= 0 ? take_values(&now) : now;
    if (order)
      continue;
    compare_values(diff, &b, &n);
    common++;
  }
  return common;
}

xb_code xb_diff_conditions(xb_diff *diff, xb_error *err)
{
  xb_code code = XB_OK;
  diff->difference_count = 0;
  for (size_t i = 0; i < xb_dimension_count && !code; i++) {
    ordered base, now;
    base.results = xb_diff_results(diff->base, &base.count);
    now.results = xb_diff_results(diff->now, &now.count);
    ordered_by = &xb_dimensions[i];
    const size_t before = diff->difference_count;
    if (!base.results || !now.results)
      code = xb_fail(err, XB_NOMEM, "diff", "out of host memory");
    else if (!compare_benchmarks(diff, base, now))
      code = xb_fail(err, XB_INVALID, "diff", "the two documents have no benchmark in common");
    if (!i)
      diff->across_devices = diff->difference_count > before;
    diff->of_compilers = diff->difference_count - before; /* compilers are the last dimension */
    free(base.results);
    free(now.results);
  }
  return code;
}
