#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/safe_text.h"
#include "base/value_text.h"
#include "diff/diff.h"
#include "formats/result_columns.h"
#include "result/fields.h"
#include "result/json_file.h"

const char *xb_change_name(xb_change change)
{
  static const char *const names[] = {
      [XB_CHANGE_FAILING] = "failing", [XB_CHANGE_REGRESSION] = "regression", [XB_CHANGE_IMPROVEMENT] = "improvement",
      [XB_CHANGE_UNCLEAR] = "unclear", [XB_CHANGE_UNCHANGED] = "unchanged",   [XB_CHANGE_FIXED] = "fixed",
      [XB_CHANGE_NO_TIME] = "no time", [XB_CHANGE_MISSING] = "missing",       [XB_CHANGE_NEW] = "new"};
  return names[change];
}

/* Appends, and cuts what does not fit. `out` remains terminated and safe for a terminal. */
static void append(char out[XB_DIFF_TEXT], const char *separator, const char *text)
{
  char safe[XB_DIFF_TEXT];
  const size_t at = strlen(out);
  if (text && *text)
    snprintf(out + at, XB_DIFF_TEXT - at, "%s%s", at ? separator : "", xb_safe_text(text, safe, 64));
}

const char *xb_diff_label(const xb_diff_cell *cell, char out[XB_DIFF_TEXT])
{
  return xb_format_label(cell->now ? cell->now : cell->base, XB_LABEL_WORDS, out, XB_DIFF_TEXT);
}

const char *xb_diff_time(const xb_result *side, double ns, char out[XB_DIFF_TEXT])
{
  *out = 0;
  if (xb_is_timed(side))
    xb_format_time(ns, out, XB_DIFF_TEXT);
  return out;
}

/* "new WRONG: the sum is 41". */
static void append_failure(char out[XB_DIFF_TEXT], const char *side, const xb_result *r)
{
  char safe[160];
  const size_t at = strlen(out);
  if (r && r->outcome != XB_CELL_OK)
    snprintf(out + at, XB_DIFF_TEXT - at, "%s%s %s%s%s", at ? "; " : "", side, xb_outcome_text(r),
             r->check.error || r->check.reason ? ": " : "",
             r->check.error || r->check.reason
                 ? xb_safe_text(r->check.error ? r->check.error : r->check.reason, safe, sizeof safe)
                 : "");
}

const char *xb_diff_note(const xb_diff_cell *cell, char out[XB_DIFF_TEXT])
{
  const bool moved = cell->change == XB_CHANGE_REGRESSION || cell->change == XB_CHANGE_IMPROVEMENT;
  snprintf(out, XB_DIFF_TEXT, "%s", cell->reason);
  if (moved && cell->base->code.code_hash && cell->now->code.code_hash)
    append(out, ", ", strcmp(cell->base->code.code_hash, cell->now->code.code_hash) ? "other code" : "same code");
  if (cell->run_count > 1) {
    char runs[32];
    snprintf(runs, sizeof runs, "%zu runs", cell->run_count);
    append(out, ", ", runs);
  }
  append_failure(out, "new", cell->now);
  append_failure(out, "base", cell->base);
  return out;
}

const char *xb_diff_condition(const xb_difference *d, char out[XB_DIFFERENCE_TEXT])
{
  char benchmark[64];
  snprintf(out, XB_DIFFERENCE_TEXT, "other %s of %s: base %s; new %s", d->what,
           xb_safe_text(d->benchmark, benchmark, sizeof benchmark), d->base, d->now);
  return out;
}

bool xb_diff_is_hidden(const xb_diff_cell *cell)
{
  if (cell->change != XB_CHANGE_NO_TIME || !cell->base || !cell->now)
    return cell->change == XB_CHANGE_NO_TIME;
  const xb_outcome outcome = cell->now->outcome; /* a cell that fails twice still fails, so it is shown */
  return (outcome == XB_CELL_NO_COUNTERPART || outcome == XB_CELL_UNSUPPORTED) && cell->base->outcome == outcome &&
         xb_same_text(cell->base->check.error, cell->now->check.error) &&
         xb_same_text(cell->base->check.reason, cell->now->check.reason);
}

const char *xb_diff_hidden(const xb_diff *diff, char out[XB_DIFF_TEXT])
{
  size_t count = 0;
  for (size_t i = 0; i < diff->cell_count; i++)
    count += xb_diff_is_hidden(&diff->cells[i]);
  *out = 0;
  if (count)
    snprintf(out, XB_DIFF_TEXT, "%zu cell%s without a time in both files, for the same reason%s", count,
             count == 1 ? " is" : "s are", count == 1 ? "" : "s");
  return out;
}

const char *xb_diff_summary(const xb_diff *diff, char out[XB_DIFF_TEXT])
{
  size_t at = (size_t)snprintf(out, XB_DIFF_TEXT, "%zu cell%s", diff->cell_count, diff->cell_count == 1 ? "" : "s");
  const char *before = ": ";
  for (int c = 0; c < XB_CHANGES; c++) {
    const bool noun = c == XB_CHANGE_REGRESSION || c == XB_CHANGE_IMPROVEMENT;
    if (!diff->counts[c] && c != XB_CHANGE_REGRESSION)
      continue;
    at += (size_t)snprintf(out + at, XB_DIFF_TEXT - at, "%s%zu %s%s", before, diff->counts[c],
                           c == XB_CHANGE_NO_TIME ? "without a time" : xb_change_name((xb_change)c),
                           noun && diff->counts[c] != 1 ? "s" : "");
    before = ", ";
  }
  size_t not_slower = 0;
  for (size_t i = 0; i < diff->cell_count; i++)
    not_slower += diff->cells[i].decided && diff->cells[i].change != XB_CHANGE_REGRESSION;
  snprintf(out + at, XB_DIFF_TEXT - at, "; threshold %.3g %%; %zu of %zu certainly no regression",
           100 * diff->threshold, not_slower, diff->timed);
  return out;
}

const char *xb_diff_advice(const xb_diff *diff, char out[XB_DIFF_TEXT])
{
  size_t open = 0;
  for (size_t i = 0; i < diff->cell_count; i++)
    open += diff->cells[i].change == XB_CHANGE_UNCLEAR && !diff->cells[i].decided;
  *out = 0;
  if (open)
    snprintf(out, XB_DIFF_TEXT,
             "%zu cell%s may be slower by more than %.3g %%: %ssample longer (--max-time), or on a "
             "quieter machine",
             open, open == 1 ? "" : "s", 100 * diff->threshold,
             diff->again_count ? "" : "measure again (xbench diff BASE --again -- RUN), ");
  return out;
}

/* ---- The two sides ----------------------------------------------------------------------------------------------- */

/* What the two sides of a diff are: files, devices, dates. */

const char *xb_diff_file(const xb_document *d, char out[XB_DIFF_TEXT])
{
  char path[100], version[24], text[24]; /* together shorter than `out` */
  size_t controls = 0;                   /* these are not compared */
  for (size_t i = 0; i < d->result_count; i++)
    controls += d->results[i].yardstick == 1;
  int at = snprintf(out, XB_DIFF_TEXT, "%s: xbench %s", xb_safe_text(d->path, path, sizeof path),
                    xb_safe_text(d->host.version ? d->host.version : "?", version, sizeof version));
  if (d->host.commit)
    at += snprintf(out + at, XB_DIFF_TEXT - (size_t)at, " (%.12s%s)", xb_safe_text(d->host.commit, text, sizeof text),
                   d->host.modified == 1 ? ", modified" : "");
  if (d->host.date)
    at += snprintf(out + at, XB_DIFF_TEXT - (size_t)at, ", %s", xb_safe_text(d->host.date, text, sizeof text));
  at += snprintf(out + at, XB_DIFF_TEXT - (size_t)at, ", %zu results", d->result_count);
  if (controls)
    snprintf(out + at, XB_DIFF_TEXT - (size_t)at, ", %zu of them controls", controls);
  return out;
}

static const xb_result_device *device_of_base(const xb_diff *diff, const xb_result_device *device)
{
  for (size_t i = 0; i < diff->base->device_count; i++) {
    const xb_result_device *d = &diff->base->devices[i];
    if (!xb_compare_texts(d->backend, device->backend) && !xb_compare_texts(d->launch_mode, device->launch_mode) &&
        (diff->across_devices || (!xb_compare_texts(d->uuid, device->uuid) && d->queue_family == device->queue_family)))
      return d;
  }
  return NULL;
}

const char *xb_diff_device(const xb_diff *diff, const xb_result_device *device, char out[XB_DIFF_TEXT])
{
  char backend[32], name[64], driver[64], family[32] = "";
  const xb_result_device *base = device_of_base(diff, device);
  if (device->one_of_families)
    snprintf(family, sizeof family, ", family %" PRId64, device->queue_family);
  const int at = snprintf(out, XB_DIFF_TEXT, "%s on %s%s, %s", xb_safe_text(device->backend, backend, sizeof backend),
                          xb_safe_text(device->name, name, sizeof name), family,
                          xb_safe_text(device->driver ? device->driver : "driver unknown", driver, sizeof driver));
  const bool other_device = base && xb_compare_texts(base->name, device->name);
  if (base && base->driver && (other_device || xb_compare_texts(base->driver, device->driver)))
    snprintf(out + at, XB_DIFF_TEXT - (size_t)at, "; base: %s%s%s",
             other_device ? xb_safe_text(base->name, name, sizeof name) : "", other_device ? ", " : "",
             xb_safe_text(base->driver, driver, sizeof driver));
  return out;
}

static bool same_samples(const xb_diff *diff)
{
  size_t same = 0;
  for (size_t i = 0; i < diff->cell_count; i++) {
    const xb_result *b = diff->cells[i].base, *n = diff->cells[i].now;
    if (!b || !n || b->time.samples_ns.count != n->time.samples_ns.count)
      return false;
    same += b->time.samples_ns.count;
    if (b->time.samples_ns.count &&
        memcmp(b->time.samples_ns.values, n->time.samples_ns.values, b->time.samples_ns.count * sizeof(double)) != 0)
      return false;
  }
  return same;
}

const char *xb_diff_warning(const xb_diff *diff)
{
  const char *base = diff->base->host.date, *now = diff->now->host.date;
  if (same_samples(diff))
    return "base and new have the same samples: both come from one run";
  return base && now && strcmp(now, base) < 0 ? "new is older than base: are the two swapped?" : NULL;
}

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
