/* Kernel Tuner's formats: its cache file, with which a search resumes, and T4 results. Times are milliseconds. */
#include "tune/tune.h"

#include "result/fields.h"
#include "result/json_file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *const names[] = {"correct", "timeout", "compile", "runtime", "correctness", "constraints"};

const char *xb_validity_name(xb_validity validity)
{
  return names[validity];
}

/* What the cache file has instead of a time. */
static const char *error_name(xb_validity validity)
{
  return validity == XB_BAD_COMPILE       ? "CompilationFailedConfig"
         : validity == XB_BAD_CONSTRAINTS ? "InvalidConfig"
                                          : "RuntimeFailedConfig";
}

/* ---- The cache -------------------------------------------------------------------------------------------------- */

static json_t *entry_of(const xb_space *space, const xb_trial *t)
{
  json_t *entry = xb_space_values(space, t->candidate);
  const double spent_ms = 1e3 * t->spent_s;
  json_object_set_new(entry, "time", t->validity ? json_string(error_name(t->validity)) : json_real(t->ns / 1e6));
  json_object_update_new(entry, json_pack("{sfsfsfsfsfsssssssfs[]}", "compile_time", 0.0, "verification_time", 0.0,
                                          "benchmark_time", spent_ms, "strategy_time", 0.0, "framework_time", 0.0,
                                          "timestamp", t->date, "invalidity", names[t->validity], "reason", t->reason,
                                          "search_seconds", t->at_s, "times"));
  if (!t->validity)
    json_array_append_new(json_object_get(entry, "times"), json_real(t->ns / 1e6));
  return entry;
}

static json_t *header_of(const xb_tune_header *h, const xb_space *space)
{
  json_t *keys = json_array(), *parameters = json_object();
  for (size_t p = 0; p < space->count; p++) {
    json_t *values = json_array();
    for (size_t i = 0; i < space->parameters[p].count; i++)
      json_array_append_new(values, json_integer((json_int_t)space->parameters[p].values[i]));
    json_array_append_new(keys, json_string(space->parameters[p].name));
    json_object_set_new(parameters, space->parameters[p].name, values);
  }
  return json_pack("{sssssss[III]sososs}", "device_name", h->device, "search", h->search, "kernel_name", h->kernel,
                   "problem_size", (json_int_t)h->columns, (json_int_t)h->rows, (json_int_t)(h->inner ? h->inner : 1),
                   "tune_params_keys", keys, "tune_params", parameters, "objective", "time");
}

/* The entries come last: Kernel Tuner appends to the file. */
xb_code xb_cache_write(const char *path, const xb_tune_header *h, const xb_space *space, const xb_trials *trials,
                       xb_error *err)
{
  json_t *root = header_of(h, space), *cache = json_object();
  for (size_t i = 0; i < trials->count; i++) {
    char key[XB_TUNE_PARAMETERS * 24] = "";
    for (size_t p = 0, at = 0; p < space->count; p++)
      at += (size_t)snprintf(key + at, sizeof key - at, "%s%llu", p ? "," : "",
                             (unsigned long long)xb_space_value(space, trials->list[i].candidate, p));
    json_object_set_new(cache, key, entry_of(space, &trials->list[i]));
  }
  json_object_set_new(root, "cache", cache);
  const xb_code code = xb_json_write(path, root, JSON_COMPACT, err);
  json_decref(root);
  return code;
}

static bool read_entry(const json_t *entry, const xb_space *space, xb_trials *trials)
{
  xb_trial t = {.validity = XB_BAD_RUNTIME};
  const char *validity = json_string_value(json_object_get(entry, "invalidity"));
  const char *date = json_string_value(json_object_get(entry, "timestamp"));
  const char *reason = json_string_value(json_object_get(entry, "reason"));
  const json_t *time = json_object_get(entry, "time");
  if (!xb_space_find(space, entry, false, &t.candidate) || xb_trial_of(trials, t.candidate))
    return true;
  if (validity && !strcmp(validity, names[XB_BAD_RUNTIME]))
    return true; /* perhaps the machine was busy: it is tried again */
  if (validity && !strcmp(validity, names[XB_CORRECT]) && !(json_number_value(time) > 0))
    return true; /* damaged: it is measured again */
  for (size_t i = 1; validity && i < sizeof names / sizeof *names; i++)
    t.validity = !strcmp(names[i], validity) ? (xb_validity)i : t.validity;
  if (json_is_number(time) && json_number_value(time) > 0) {
    t.validity = XB_CORRECT;
    t.ns = 1e6 * json_number_value(time);
  }
  t.at_s = json_number_value(json_object_get(entry, "search_seconds"));
  t.spent_s = json_number_value(json_object_get(entry, "benchmark_time")) / 1e3;
  snprintf(t.date, sizeof t.date, "%s", date ? date : "");
  snprintf(t.reason, sizeof t.reason, "%s", reason ? reason : "");
  return xb_trials_add(trials, &t);
}

static const xb_fields entry_fields =
    XB_CHECKED_FIELDS(XB_CHECKED("timestamp", TEXT, OPTIONAL), XB_CHECKED("invalidity", TEXT, OPTIONAL),
                      XB_CHECKED("reason", TEXT, OPTIONAL), XB_CHECKED("search_seconds", REAL, OPTIONAL),
                      XB_CHECKED("benchmark_time", REAL, OPTIONAL));
static const xb_fields time_fields = XB_CHECKED_FIELDS(XB_CHECKED("time", REAL, OPTIONAL));

xb_code xb_cache_check(const char *path, const json_t *root, xb_error *err)
{
  const char *key;
  json_t *cache = json_object_get(root, "cache"), *entry;
  if (!json_is_object(cache))
    return xb_fail(err, XB_INVALID, path, "is not a cache file of 'xbench tune'");
  xb_code code = xb_check_objects(path, "cache", cache, &entry_fields, err);
  json_object_foreach(cache, key, entry) if (!code && !json_is_string(json_object_get(entry, "time")))
  {
    json_t *one = json_pack("{sO}", key, entry); /* instead of a time, an error has its name */
    code = xb_check_objects(path, "cache", one, &time_fields, err);
    json_decref(one);
  }
  return code;
}

xb_code xb_cache_read(const char *path, const xb_tune_header *h, const xb_space *space, xb_trials *trials,
                      xb_error *err)
{
  const char *key;
  json_t *entry, *root;
  if (access(path, F_OK) && errno == ENOENT)
    return XB_OK;
  xb_code code = xb_json_load(path, &root, err);
  code = code ? code : xb_cache_check(path, root, err);
  json_t *wanted = header_of(h, space);
  json_object_foreach(wanted, key, entry) if (!code && !json_equal(entry, json_object_get(root, key))) code =
      xb_fail(err, XB_INVALID, path, "is of another search: its %s differs; name another file", key);
  json_object_foreach(json_object_get(root, "cache"), key, entry) if (!code && !read_entry(entry, space, trials)) code =
      xb_fail(err, XB_NOMEM, path, "out of host memory");
  json_decref(root);
  json_decref(wanted);
  return code;
}

/* ---- T4 --------------------------------------------------------------------------------------------------------- */

static json_t *result_of(const xb_space *space, const xb_trial *t)
{
  const bool good = t->validity == XB_CORRECT;
  json_t *result = json_pack("{sssos{sfsfs[]}sssis[]s[s]}", "timestamp", t->date, "configuration",
                             xb_space_values(space, t->candidate), "times", "compilation_time", 0.0, "framework",
                             1e3 * t->spent_s, "runtimes", "invalidity", names[t->validity], "correctness", good,
                             "measurements", "objectives", "time");
  json_t *measurements = json_object_get(result, "measurements");
  if (good) {
    json_array_append_new(json_object_get(json_object_get(result, "times"), "runtimes"), json_real(t->ns / 1e6));
    json_array_append_new(measurements, json_pack("{sssfss}", "name", "time", "value", t->ns / 1e6, "unit", "ms"));
  } else
    json_array_append_new(measurements, json_pack("{ssssss}", "name", "reason", "value", t->reason, "unit", ""));
  return result;
}

xb_code xb_t4_write(const char *path, const xb_space *space, const xb_trials *trials, xb_error *err)
{
  json_t *results = json_array();
  for (size_t i = 0; i < trials->count; i++)
    json_array_append_new(results, result_of(space, &trials->list[i]));
  json_t *root =
      json_pack("{sss{ss}so}", "schema_version", "1.0.0", "metadata", "timeunit", "milliseconds", "results", results);
  const xb_code code = xb_json_write(path, root, JSON_COMPACT, err);
  json_decref(root);
  return code;
}
