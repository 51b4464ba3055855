#include "base/safe_text.h"
#include "diff/diff.h"
#include "formats/result_columns.h"
#include "result/fields.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Dimensions -------------------------------------------------------------------------------------------------- */

int xb_compare_texts(const char *a, const char *b)
{
  if (!a || !b)
    return (a != NULL) - (b != NULL);
  return strcmp(a, b);
}

static int compare_devices(const xb_result *a, const xb_result *b)
{
  const int uuid = xb_compare_texts(a->device, b->device);
  return uuid || a->device ? uuid : xb_compare_texts(a->on->name, b->on->name);
}

static const char *format_device(const xb_result *r, char *out, size_t out_bytes)
{
  char name[48], uuid[48];
  xb_safe_text(r->on->name, name, sizeof name);
  xb_safe_text(r->device ? r->device : "without a UUID", uuid, sizeof uuid);
  snprintf(out, out_bytes, "%s (%s)", name, uuid);
  return out;
}

static const char *format_at(const xb_result *r, char *out, size_t out_bytes)
{
  char at[XB_AT_TEXT];
  return xb_safe_text(*xb_result_at(r, at) ? at : "none", out, out_bytes);
}

/* A condition of a cell: by functions, or by a field of the result. */
typedef struct dimension {
  const char *plural;
  int (*compare)(const xb_result *a, const xb_result *b);
  const char *(*format)(const xb_result *r, char *out, size_t out_bytes); /* safe for a terminal */
  xb_field field;
  bool any;            /* unknown in some files; such a one is compared with any */
  const char *unknown; /* NULL: "unknown" */
} dimension;

/* The first ones are of the device: its identity and its queue family. The last one is the compiler: each API has its
 * own. */
#define OF(kind, member) .field = {XB_AT(xb_result, kind, member)}
static const dimension dimensions[] = {
    {"devices", .compare = compare_devices, .format = format_device},
    {"queue families", .field = {XB_VIA(xb_result, on, xb_result_device, COUNT, queue_family)}, .unknown = "none"},
    {"APIs", OF(TEXT, backend)},
    {"element types", OF(TEXT, dtype)},
    {"sizes", .compare = xb_compare_sizes, .format = xb_format_result_shape},
    {"axis points", .compare = xb_compare_at, .format = format_at},
    {"group sizes", OF(KNOWN, work.block), .unknown = "none"},
    {"launch modes", OF(TEXT, launch_mode)},
    {"caches", OF(TEXT, conditions.cache)},
    {"loops", OF(TEXT, conditions.loop)},
    {"flushed bytes", OF(COUNT, conditions.flush_bytes), .any = true},
    {"ways of flushing", OF(TEXT, conditions.flush), .unknown = "writes"},
    {"reserved shared memory", OF(KNOWN, conditions.idle_shared_bytes), .unknown = "none"},
    {"compilers", OF(TEXT, compiler), .any = true},
};
enum { DIMENSIONS = sizeof dimensions / sizeof *dimensions };

/* True if one of the cells is of a file that does not have it, and so compares with any. */
static bool is_open(const dimension *d, const xb_result *a, const xb_result *b)
{
  char text[XB_TABLE_TEXT];
  return d->any && (!xb_field_text(&d->field, a, text) || !xb_field_text(&d->field, b, text));
}

static int compare_by(const dimension *d, const xb_result *a, const xb_result *b)
{
  if (d->compare)
    return d->compare(a, b);
  const int api = d->any && d->field.kind == XB_FIELD_TEXT ? xb_compare_texts(a->backend, b->backend) : 0;
  return api || is_open(d, a, b) ? api : xb_field_compare(&d->field, a, b);
}

static void format_by(const dimension *d, const xb_result *r, char *out, size_t out_bytes)
{
  char text[XB_TABLE_TEXT];
  if (d->format)
    d->format(r, out, out_bytes);
  else
    xb_safe_text(xb_field_text(&d->field, r, text) ? text : d->unknown ? d->unknown : "unknown", out, out_bytes);
}

/* ---- Cells ------------------------------------------------------------------------------------------------------ */

int xb_compare_identity(const xb_result *a, const xb_result *b, size_t first_dimension)
{
  int order = xb_compare_texts(a->benchmark, b->benchmark);
  for (size_t i = first_dimension; i < DIMENSIONS - 1 && !order; i++)
    order = compare_by(&dimensions[i], a, b);
  return order ? order : xb_compare_texts(a->variant, b->variant);
}

/* Yardsticks are not compared, but a wrong result of one is still reported. */
static bool counts(const xb_result *r)
{
  return r->yardstick != 1 || r->outcome == XB_CELL_WRONG;
}

const xb_result **xb_diff_results(const xb_document *document, size_t *count)
{
  const xb_result **results = calloc(document->result_count + 1, sizeof(*results));
  *count = 0;
  for (size_t i = 0; i < document->result_count && results; i++)
    if (counts(&document->results[i]))
      results[(*count)++] = &document->results[i];
  return results;
}

/* ---- Conditions -------------------------------------------------------------------------------------------------- */

/* Compares the conditions of the two documents. Cells with different conditions, such as sizes, are not compared, so
 * without this check a CI gate could pass although it compared nothing. */

enum { SHOWN_VALUES = 4 };

/* Results, sorted by benchmark and one dimension. */
typedef struct ordered {
  const xb_result **results;
  size_t count;
} ordered;

static const dimension *ordered_by; /* for qsort */

static int compare_condition(const void *a, const void *b)
{
  const xb_result *x = *(const xb_result *const *)a, *y = *(const xb_result *const *)b;
  const int benchmark = xb_compare_texts(x->benchmark, y->benchmark);
  return benchmark ? benchmark : compare_by(ordered_by, x, y);
}

/* Removes the results of the first benchmark from the list. Returns them, one per value. */
static ordered take_values(ordered *list)
{
  const xb_result **r = list->results;
  size_t of_benchmark = 0, kept = 0;
  for (; of_benchmark < list->count && !strcmp(r[of_benchmark]->benchmark, r[0]->benchmark); of_benchmark++)
    if (!kept || compare_by(ordered_by, r[of_benchmark], r[kept - 1]))
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
    format_by(ordered_by, values->results[i], value, sizeof value);
    at += (size_t)snprintf(out + at, out_bytes - at, "%s%s", i ? ", " : "", value);
  }
  if (values->count > SHOWN_VALUES && at < out_bytes)
    snprintf(out + at, out_bytes - at, " ... %zu in all", values->count);
}

static void compare_values(xb_diff *diff, const ordered *base, const ordered *now)
{
  bool same = base->count == now->count;
  for (size_t i = 0; i < base->count && same; i++)
    same = !compare_by(ordered_by, base->results[i], now->results[i]);
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
  for (size_t i = 0; i < DIMENSIONS && !code; i++) {
    ordered base, now;
    base.results = xb_diff_results(diff->base, &base.count);
    now.results = xb_diff_results(diff->now, &now.count);
    ordered_by = &dimensions[i];
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

/* XB_DEVICE_DIMENSIONS: the device is ignored. */
static size_t first_dimension(const xb_diff *diff)
{
  return diff->across_devices ? XB_DEVICE_DIMENSIONS : 0;
}

static int compare_cells(const xb_result *x, const xb_result *y, size_t first)
{
  const int order = xb_compare_identity(x, y, first);
  return order ? order : (x > y) - (x < y); /* in the order of the document */
}

static int compare_with_device(const void *a, const void *b)
{
  return compare_cells(*(const xb_result *const *)a, *(const xb_result *const *)b, 0);
}

static int compare_without_device(const void *a, const void *b)
{
  return compare_cells(*(const xb_result *const *)a, *(const xb_result *const *)b, XB_DEVICE_DIMENSIONS);
}

/* True if one run measured the cell more often than the other. */
static bool is_left_over(const xb_diff *diff, const xb_result *base, const xb_result *now)
{
  const xb_diff_cell *last = diff->cell_count ? &diff->cells[diff->cell_count - 1] : NULL;
  return last && (!base || !now) &&
         !xb_compare_identity(last->now ? last->now : last->base, base ? base : now, first_dimension(diff));
}

static void add_cell(xb_diff *diff, const xb_result *base, const xb_result *now)
{
  xb_diff_cell *cell = &diff->cells[diff->cell_count];
  *cell = (xb_diff_cell){.base = base,
                         .now = now,
                         .runs = {now},
                         .run_count = now ? 1 : 0,
                         .base_runs = {base},
                         .base_count = base ? 1 : 0,
                         .base_ns = base ? base->time.median_ns : 0,
                         .now_ns = now ? now->time.median_ns : 0};
  if (is_left_over(diff, base, now))
    snprintf(cell->reason, sizeof cell->reason, "measured again, but fewer times in %s: not compared",
             base ? "new" : "the base");
  diff->cell_count++;
}

xb_code xb_diff_match(xb_diff *diff, xb_error *err)
{
  size_t base_count, now_count, b = 0, n = 0;
  const xb_result **base = xb_diff_results(diff->base, &base_count);
  const xb_result **now = xb_diff_results(diff->now, &now_count);
  xb_code code = XB_OK;
  diff->cells = base && now ? calloc(base_count + now_count + 1, sizeof *diff->cells) : NULL;
  if (!diff->cells) {
    code = xb_fail(err, XB_NOMEM, "diff", "out of host memory");
    goto fail;
  }
  int (*compare)(const void *, const void *) = diff->across_devices ? compare_without_device : compare_with_device;
  qsort(base, base_count, sizeof(*base), compare);
  qsort(now, now_count, sizeof(*now), compare);
  while (b < base_count || n < now_count) {
    const int order = b == base_count  ? 1
                      : n == now_count ? -1
                                       : xb_compare_identity(base[b], now[n], first_dimension(diff));
    add_cell(diff, order <= 0 ? base[b] : NULL, order >= 0 ? now[n] : NULL);
    b += order <= 0;
    n += order >= 0;
  }
fail:
  free(base);
  free(now);
  return code;
}
