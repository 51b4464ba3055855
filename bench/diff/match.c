#include "base/safe_text.h"
#include "base/value_text.h"
#include "diff/diff.h"

#include <inttypes.h>
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

static int compare_numbers(uint64_t a, uint64_t b)
{
  return (a > b) - (a < b);
}

/* ---- Dimensions ------------------------------------------------------------------------------------------------- */

static int compare_devices(const xb_result *a, const xb_result *b)
{
  const int uuid = xb_compare_texts(a->device, b->device);
  return uuid || a->device ? uuid : xb_compare_texts(a->on->name, b->on->name);
}

static void format_device(const xb_result *r, char *out, size_t out_bytes)
{
  char name[48], uuid[48];
  xb_safe_text(r->on->name, name, sizeof name);
  xb_safe_text(r->device ? r->device : "without a UUID", uuid, sizeof uuid);
  snprintf(out, out_bytes, "%s (%s)", name, uuid);
}

static void format_size(const xb_result *r, char *out, size_t out_bytes)
{
  const bool matrix = r->rows && r->columns;
  xb_format_shape(matrix ? r->rows : 0, matrix ? r->columns : r->size, r->inner, out, out_bytes);
}

static void format_at(const xb_result *r, char *out, size_t out_bytes)
{
  char at[XB_AT_TEXT];
  xb_safe_text(*xb_result_at(r, at) ? at : "none", out, out_bytes);
}

#define NUMBER_DIMENSION(name)                                                                                         \
  static int compare_##name(const xb_result *a, const xb_result *b)                                                    \
  {                                                                                                                    \
    return compare_numbers(a->name, b->name);                                                                          \
  }                                                                                                                    \
  static void format_##name(const xb_result *r, char *out, size_t out_bytes)                                           \
  {                                                                                                                    \
    snprintf(out, out_bytes, r->name ? "%" PRIu64 : "none", r->name);                                                  \
  }
NUMBER_DIMENSION(block)
NUMBER_DIMENSION(idle_shared_bytes)

/* The compute queue's family. */
static int compare_families(const xb_result *a, const xb_result *b)
{
  return (a->on->queue_family > b->on->queue_family) - (a->on->queue_family < b->on->queue_family);
}

static void format_family(const xb_result *r, char *out, size_t out_bytes)
{
  snprintf(out, out_bytes, r->on->queue_family >= 0 ? "%" PRId64 : "none", r->on->queue_family);
}

#define TEXT_DIMENSION(name)                                                                                           \
  static int compare_##name(const xb_result *a, const xb_result *b)                                                    \
  {                                                                                                                    \
    return xb_compare_texts(a->name, b->name);                                                                         \
  }                                                                                                                    \
  static void format_##name(const xb_result *r, char *out, size_t out_bytes)                                           \
  {                                                                                                                    \
    xb_safe_text(r->name ? r->name : "unknown", out, out_bytes);                                                       \
  }
TEXT_DIMENSION(backend)
TEXT_DIMENSION(dtype)
TEXT_DIMENSION(launch_mode)
TEXT_DIMENSION(cache)
TEXT_DIMENSION(loop)

/* Unknown in older files: such a one is compared with any. */
static int compare_flushes(const xb_result *a, const xb_result *b)
{
  if (a->flush_bytes < 0 || b->flush_bytes < 0)
    return 0;
  return (a->flush_bytes > b->flush_bytes) - (a->flush_bytes < b->flush_bytes);
}

static void format_flush(const xb_result *r, char *out, size_t out_bytes)
{
  snprintf(out, out_bytes, r->flush_bytes >= 0 ? "%" PRId64 : "unknown", r->flush_bytes);
}

/* Each API has its own. Unknown in some files: such a one is compared with any. */
static int compare_compilers(const xb_result *a, const xb_result *b)
{
  const int backend = xb_compare_texts(a->backend, b->backend);
  return backend || !a->compiler || !b->compiler ? backend : strcmp(a->compiler, b->compiler);
}

static void format_compiler(const xb_result *r, char *out, size_t out_bytes)
{
  xb_safe_text(r->compiler ? r->compiler : "unknown", out, out_bytes);
}

const xb_dimension xb_dimensions[] = {
    {"devices", compare_devices, format_device},
    {"queue families", compare_families, format_family},
    {"APIs", compare_backend, format_backend},
    {"element types", compare_dtype, format_dtype},
    {"sizes", xb_compare_sizes, format_size},
    {"places on axes", xb_compare_at, format_at},
    {"group sizes", compare_block, format_block},
    {"launch modes", compare_launch_mode, format_launch_mode},
    {"caches", compare_cache, format_cache},
    {"loops", compare_loop, format_loop},
    {"flushed bytes", compare_flushes, format_flush},
    {"idle bytes of shared memory", compare_idle_shared_bytes, format_idle_shared_bytes},
    {"compilers", compare_compilers, format_compiler},
};
const size_t xb_dimension_count = sizeof xb_dimensions / sizeof xb_dimensions[0];

/* ---- Cells ------------------------------------------------------------------------------------------------------ */

int xb_compare_identity(const xb_result *a, const xb_result *b, size_t first_dimension)
{
  int order = xb_compare_texts(a->benchmark, b->benchmark);
  for (size_t i = first_dimension; i < xb_dimension_count - 1 && !order; i++)
    order = xb_dimensions[i].compare(a, b);
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

static size_t first_dimension; /* for qsort(): XB_DEVICE_DIMENSIONS to ignore the device */

static int compare_cells(const void *a, const void *b)
{
  const xb_result *x = *(const xb_result *const *)a, *y = *(const xb_result *const *)b;
  const int order = xb_compare_identity(x, y, first_dimension);
  return order ? order : (x > y) - (x < y); /* in the order of the document */
}

/* True if one run measured the cell more often than the other. */
static bool is_left_over(const xb_diff *diff, const xb_result *base, const xb_result *now)
{
  const xb_diff_cell *last = diff->cell_count ? &diff->cells[diff->cell_count - 1] : NULL;
  return last && (!base || !now) &&
         !xb_compare_identity(last->now ? last->now : last->base, base ? base : now, first_dimension);
}

static void add_cell(xb_diff *diff, const xb_result *base, const xb_result *now)
{
  xb_diff_cell *cell = &diff->cells[diff->cell_count];
  *cell = (xb_diff_cell){.base = base,
                         .now = now,
                         .runs = {now},
                         .run_count = now ? 1 : 0,
                         .base_ns = base ? base->median_ns : 0,
                         .now_ns = now ? now->median_ns : 0};
  if (is_left_over(diff, base, now))
    snprintf(cell->reason, sizeof cell->reason, "measured again, and fewer times in %s: not compared",
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
  first_dimension = diff->across_devices ? XB_DEVICE_DIMENSIONS : 0;
  qsort(base, base_count, sizeof(*base), compare_cells);
  qsort(now, now_count, sizeof(*now), compare_cells);
  while (b < base_count || n < now_count) {
    const int order = b == base_count ? 1 : n == now_count ? -1 : xb_compare_identity(base[b], now[n], first_dimension);
    add_cell(diff, order <= 0 ? base[b] : NULL, order >= 0 ? now[n] : NULL);
    b += order <= 0;
    n += order >= 0;
  }
fail:
  free(base);
  free(now);
  return code;
}
