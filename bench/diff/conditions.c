/* What the two were measured under. Cells of other sizes, say, have no partner, and a gate that finds nothing to
 * compare would be green. */
#include "diff/diff.h"
#include "diff/identity.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SHOWN_VALUES = 4 };

/* Results in the order of benchmark and one dimension. */
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

/* The results of the first benchmark, one a value; taken off the list. */
static size_t take_values(ordered *list)
{
  size_t count = 0;
  const xb_result **r = list->results;
  for (size_t i = 0; i < list->count && !strcmp(r[i]->benchmark, r[0]->benchmark); i++)
    count++;
  list->results += count;
  list->count -= count;
  return count;
}

static size_t unique(const xb_result **r, size_t count)
{
  size_t kept = count ? 1 : 0;
  for (size_t i = 1; i < count; i++)
    if (ordered_by->compare(r[i], r[kept - 1]))
      r[kept++] = r[i];
  return kept;
}

static void format_values(const xb_result **r, size_t count, char *out, size_t out_bytes)
{
  char value[112];
  size_t at = 0;
  *out = 0;
  for (size_t i = 0; i < count && i < SHOWN_VALUES && at < out_bytes; i++) {
    ordered_by->format(r[i], value, sizeof value);
    at += (size_t)snprintf(out + at, out_bytes - at, "%s%s", i ? ", " : "", value);
  }
  if (count > SHOWN_VALUES && at < out_bytes)
    snprintf(out + at, out_bytes - at, " ... %zu in all", count);
}

static void add_difference(xb_diff *diff, const xb_result **base, size_t base_count, const xb_result **now,
                           size_t now_count)
{
  if (diff->difference_count++ >= XB_MAX_DIFFERENCES)
    return;
  xb_difference *d = &diff->differences[diff->difference_count - 1];
  *d = (xb_difference){.what = ordered_by->plural, .benchmark = base[0]->benchmark};
  format_values(base, base_count, d->base, sizeof d->base);
  format_values(now, now_count, d->now, sizeof d->now);
}

static void compare_values(xb_diff *diff, const xb_result **base, size_t base_count, const xb_result **now,
                           size_t now_count)
{
  base_count = unique(base, base_count);
  now_count = unique(now, now_count);
  bool same = base_count == now_count;
  for (size_t i = 0; i < base_count && same; i++)
    same = !ordered_by->compare(base[i], now[i]);
  if (!same)
    add_difference(diff, base, base_count, now, now_count);
}

/* Returns how many benchmarks both have. */
static size_t compare_benchmarks(xb_diff *diff, ordered base, ordered now)
{
  size_t common = 0;
  qsort(base.results, base.count, sizeof(*base.results), compare_condition);
  qsort(now.results, now.count, sizeof(*now.results), compare_condition);
  while (base.count && now.count) {
    const xb_result **b = base.results, **n = now.results;
    const int order = strcmp(b[0]->benchmark, n[0]->benchmark);
    const size_t b_count = order <= 0 ? take_values(&base) : 0, n_count = order >= 0 ? take_values(&now) : 0;
    if (order)
      continue;
    compare_values(diff, b, b_count, n, n_count);
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
      code = xb_fail(err, XB_INVALID, "diff", "the two have no benchmark in common");
    if (!i)
      diff->across_devices = diff->difference_count > before;
    free(base.results);
    free(now.results);
  }
  return code;
}
