#include "diff/diff.h"
#include "result/fields.h"
#include "result/json_file.h"

#include <jansson.h>
#include <math.h>

static json_t *number(bool is_known, double value)
{
  return is_known && isfinite(value) ? json_real(value) : json_null();
}

static json_t *list(const xb_fields *fields, const void *values, size_t count)
{
  json_t *array = json_array();
  for (size_t i = 0; i < count; i++)
    json_array_append_new(array, xb_write_fields(fields, (const char *)values + i * fields->bytes));
  return array;
}

static json_t *document(const xb_document *d)
{
  return json_pack("{s:o*, s:s?, s:s?, s:s?}", "path", json_string(d->path), "version", d->host.version, "commit",
                   d->host.commit, "date", d->host.date); /* omits a path that is not UTF-8 */
}

static const xb_fields difference_fields =
    XB_FIELDS(xb_difference, {.key = "what", XB_AT(xb_difference, TEXT, what)},
              {.key = "benchmark", XB_AT(xb_difference, TEXT, benchmark)},
              {.key = "base", XB_AT(xb_difference, CHARS, base)}, {.key = "new", XB_AT(xb_difference, CHARS, now)});

static json_t *side(const xb_result *r, double ns, size_t samples)
{
  if (!r)
    return json_null();
  return json_pack("{s:s?, s:s, s:s?, s:o, s:I, s:s?}", "device", r->device, "outcome", xb_outcome_name(r->outcome),
                   "error", r->check.error, "median_ns", number(true, ns), "samples", (json_int_t)samples, "code_hash",
                   r->code.code_hash);
}

/* Of all runs. */
static size_t new_samples(const xb_diff_cell *cell)
{
  size_t count = 0;
  for (size_t i = 0; i < cell->run_count; i++)
    count += cell->runs[i]->time.samples_ns.count;
  return count;
}

static json_t *cell_object(const xb_diff_cell *cell)
{
  const xb_result *r = cell->now ? cell->now : cell->base;
  json_t *o =
      json_pack("{s:s, s:s?}", "verdict", xb_change_name(cell->change), "reason", *cell->reason ? cell->reason : NULL);
  xb_write_named(&xb_result_fields, r, "benchmark variant backend launch_mode", o);
  xb_write_named(&xb_device_fields, r->on, "queue_family", o);
  xb_write_named(&xb_result_fields, r, "dtype size rows columns inner at block cache loop", o);
  xb_write_shown(&xb_result_fields, r, XB_IN_DIFF, o);
  json_object_update_new(
      o, json_pack("{s:o, s:o, s:I, s:b, s:o, s:o}", "base",
                   side(cell->base, cell->base_ns, cell->base ? cell->base->time.samples_ns.count : 0), "new",
                   side(cell->now, cell->now_ns, new_samples(cell)), "runs", (json_int_t)cell->run_count, "decided",
                   cell->decided, "ratio", number(cell->compared, cell->ratio), "ci95_ratio",
                   cell->compared ? json_pack("[f, f]", cell->interval.low, cell->interval.high) : json_null()));
  return o;
}

static json_t *cells(const xb_diff *diff)
{
  json_t *array = json_array();
  for (size_t i = 0; i < diff->cell_count; i++)
    json_array_append_new(array, cell_object(&diff->cells[i]));
  return array;
}

static const xb_fields mean_fields = XB_FIELDS(xb_diff_mean, {.key = "benchmark", XB_AT(xb_diff_mean, TEXT, benchmark)},
                                               {.key = "ratio", XB_AT(xb_diff_mean, REAL, ratio)},
                                               {.key = "ci95_ratio", XB_AT(xb_diff_mean, INTERVAL, interval)},
                                               {.key = "compared", XB_AT(xb_diff_mean, COUNT, compared)});

static json_t *counts(const xb_diff *diff)
{
  json_t *o = json_object();
  for (int c = 0; c < XB_CHANGES; c++)
    json_object_set_new(o, xb_change_name((xb_change)c), json_integer((json_int_t)diff->counts[c]));
  return o;
}

bool xb_diff_json(const xb_diff *diff, FILE *file)
{
  json_t *root =
      json_pack("{s:s, s:o, s:o, s:f, s:I, s:o, s:s?, s:o, s:o, s:o, s:I, s:I, s:i}", "schema", "xbench-diff/1", "base",
                document(diff->base), "new", document(diff->now), "threshold", diff->threshold, "seed",
                (json_int_t)diff->seed, "differences",
                list(&difference_fields, diff->differences,
                     diff->difference_count < XB_MAX_DIFFERENCES ? diff->difference_count : XB_MAX_DIFFERENCES),
                "warning", xb_diff_warning(diff), "cells", cells(diff), "geometric_means",
                list(&mean_fields, diff->means, diff->mean_count), "counts", counts(diff), "timed",
                (json_int_t)diff->timed, "decided", (json_int_t)diff->decided, "exit_code", xb_diff_exit_code(diff));
  const bool good = !json_dumpf(root, file, JSON_INDENT(1) | JSON_ENSURE_ASCII) && fputc('\n', file) != EOF;
  json_decref(root);
  return good && !xb_json_ran_out();
}
