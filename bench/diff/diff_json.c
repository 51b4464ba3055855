#include "diff/diff.h"
#include "result/json_file.h"

#include <jansson.h>
#include <math.h>

static json_t *text(const char *value)
{
  return value ? json_string(value) : json_null();
}

static json_t *known(uint64_t value)
{
  return value ? json_integer((json_int_t)value) : json_null();
}

static json_t *number(bool is_known, double value)
{
  return is_known && isfinite(value) ? json_real(value) : json_null();
}

static json_t *interval(bool is_known, xb_interval value)
{
  return is_known ? json_pack("[f, f]", value.low, value.high) : json_null();
}

static json_t *document(const xb_document *d)
{
  return json_pack("{s:o*, s:s?, s:s?, s:s?}", "path", text(d->path), "version", d->host.version, "commit",
                   d->host.commit, "date", d->host.date); /* omits a path that is not UTF-8 */
}

static json_t *differences(const xb_diff *diff)
{
  json_t *list = json_array();
  for (size_t i = 0; i < diff->difference_count && i < XB_MAX_DIFFERENCES; i++) {
    const xb_difference *d = &diff->differences[i];
    json_array_append_new(list, json_pack("{s:s, s:s, s:s, s:s}", "what", d->what, "benchmark", d->benchmark, "base",
                                          d->base, "new", d->now));
  }
  return list;
}

static json_t *side(const xb_result *r, double ns, size_t samples)
{
  if (!r)
    return json_null();
  return json_pack("{s:s?, s:s, s:s?, s:o, s:I, s:s?}", "device", r->device, "outcome", xb_outcome_name(r->outcome),
                   "error", r->error, "median_ns", number(true, ns), "samples", (json_int_t)samples, "code_hash",
                   r->code_hash);
}

/* Of all runs. */
static size_t new_samples(const xb_diff_cell *cell)
{
  size_t count = 0;
  for (size_t i = 0; i < cell->run_count; i++)
    count += cell->runs[i]->samples_ns.count;
  return count;
}

static json_t *at(const xb_result *r)
{
  json_t *list = json_array();
  for (size_t i = 0; i < r->at.count; i++)
    json_array_append_new(
        list, json_pack("{s:s, s:I}", "axis", r->at.values[i].axis, "value", (json_int_t)r->at.values[i].value));
  return list;
}

static json_t *cell_object(const xb_diff_cell *cell)
{
  const xb_result *r = cell->now ? cell->now : cell->base;
  json_t *o = json_object();
  json_object_set_new(o, "verdict", text(xb_change_name(cell->change)));
  json_object_set_new(o, "reason", text(*cell->reason ? cell->reason : NULL));
  json_object_set_new(o, "benchmark", text(r->benchmark));
  json_object_set_new(o, "variant", text(r->variant));
  json_object_set_new(o, "backend", text(r->backend));
  json_object_set_new(o, "launch_mode", text(r->launch_mode));
  json_object_set_new(o, "queue_family", r->on->queue_family >= 0 ? json_integer(r->on->queue_family) : json_null());
  json_object_set_new(o, "dtype", text(r->dtype));
  json_object_set_new(o, "size", known(r->size));
  json_object_set_new(o, "rows", known(r->rows));
  json_object_set_new(o, "columns", known(r->columns));
  json_object_set_new(o, "inner", known(r->inner));
  json_object_set_new(o, "at", at(r));
  json_object_set_new(o, "block", known(r->block));
  json_object_set_new(o, "cache", text(r->cache));
  json_object_set_new(o, "loop", text(r->loop));
  json_object_set_new(o, "base", side(cell->base, cell->base_ns, cell->base ? cell->base->samples_ns.count : 0));
  json_object_set_new(o, "new", side(cell->now, cell->now_ns, new_samples(cell)));
  json_object_set_new(o, "runs", json_integer((json_int_t)cell->run_count));
  json_object_set_new(o, "decided", json_boolean(cell->decided));
  json_object_set_new(o, "ratio", number(cell->compared, cell->ratio));
  json_object_set_new(o, "ci95_ratio", interval(cell->compared, cell->interval));
  return o;
}

static json_t *cells(const xb_diff *diff)
{
  json_t *list = json_array();
  for (size_t i = 0; i < diff->cell_count; i++)
    json_array_append_new(list, cell_object(&diff->cells[i]));
  return list;
}

static json_t *means(const xb_diff *diff)
{
  json_t *list = json_array();
  for (size_t i = 0; i < diff->mean_count; i++) {
    const xb_diff_mean *m = &diff->means[i];
    json_array_append_new(list,
                          json_pack("{s:s, s:o, s:o, s:I}", "benchmark", m->benchmark, "ratio", number(true, m->ratio),
                                    "ci95_ratio", interval(true, m->interval), "compared", (json_int_t)m->compared));
  }
  return list;
}

static json_t *counts(const xb_diff *diff)
{
  json_t *o = json_object();
  for (int c = 0; c < XB_CHANGES; c++)
    json_object_set_new(o, xb_change_name((xb_change)c), json_integer((json_int_t)diff->counts[c]));
  return o;
}

bool xb_diff_json(const xb_diff *diff, FILE *file)
{
  json_t *root = json_object();
  json_object_set_new(root, "schema", json_string("xbench-diff/1"));
  json_object_set_new(root, "base", document(diff->base));
  json_object_set_new(root, "new", document(diff->now));
  json_object_set_new(root, "threshold", json_real(diff->threshold));
  json_object_set_new(root, "seed", json_integer((json_int_t)diff->seed));
  json_object_set_new(root, "differences", differences(diff));
  json_object_set_new(root, "warning", text(xb_diff_warning(diff)));
  json_object_set_new(root, "cells", cells(diff));
  json_object_set_new(root, "geometric_means", means(diff));
  json_object_set_new(root, "counts", counts(diff));
  json_object_set_new(root, "timed", json_integer((json_int_t)diff->timed));
  json_object_set_new(root, "decided", json_integer((json_int_t)diff->decided));
  json_object_set_new(root, "exit_code", json_integer(xb_diff_exit_code(diff)));
  const bool good = !json_dumpf(root, file, JSON_INDENT(1) | JSON_ENSURE_ASCII) && fputc('\n', file) != EOF;
  json_decref(root);
  return good && !xb_json_ran_out();
}
