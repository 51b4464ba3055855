#include "tune/tune.h"

#include "base/exit_codes.h"
#include "base/value_text.h"
#include "benchmarks/registry.h"
#include "os/paths.h"
#include "result/fields.h"
#include "show/twins.h"
#include "source/fingerprint.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static const char SCHEMA[] = "xbench-presets/1";

/* False if no variable names a folder for it. */
static bool find_file(char path[XB_PRESET_PATH])
{
  const char *config = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME");
  const bool own = config && xb_is_absolute(config);
  snprintf(path, XB_PRESET_PATH, "%s%s/xbench/presets.json", own ? config : home ? home : "", own ? "" : "/.config");
  return own || (home && *home);
}

static void make_folders(char *path)
{
  for (char *p = path + 1; (p = strchr(p, '/')); p++) {
    *p = 0;
    mkdir(path, 0755);
    *p = '/';
  }
}

static const xb_fields preset_fields = XB_CHECKED_FIELDS(
    XB_CHECKED("benchmark", TEXT, NEEDED), XB_CHECKED("variant", TEXT, NEEDED), XB_CHECKED("backend", TEXT, NEEDED),
    XB_CHECKED("dtype", TEXT, NEEDED), XB_CHECKED("size", KNOWN, NEEDED), XB_CHECKED("device", TEXT, OPTIONAL),
    XB_CHECKED("model", TEXT, OPTIONAL), XB_CHECKED("driver", TEXT, OPTIONAL),
    XB_CHECKED("source_hash", TEXT, OPTIONAL));

/* The list; empty if there is no file. NULL if the file cannot be read or is damaged, and `why` says so. */
static json_t *load(json_t **root, xb_error *why)
{
  char path[XB_PRESET_PATH];
  const bool none = !find_file(path) || (access(path, F_OK) && errno == ENOENT);
  *root = none ? json_pack("{sss[]}", "schema", SCHEMA, "presets") : NULL;
  if (!none && xb_json_load(path, root, why))
    return NULL;
  const char *schema = json_string_value(json_object_get(*root, "schema"));
  json_t *list = json_object_get(*root, "presets");
  if (!json_is_array(list) || !schema || strcmp(schema, SCHEMA) != 0)
    xb_fail(why, XB_INVALID, path, "is not a preset file of this program");
  else if (!xb_check_objects(path, "presets", list, &preset_fields, why))
    return list;
  return NULL;
}

xb_code xb_presets_check(xb_error *err)
{
  char path[XB_PRESET_PATH];
  json_t *root = NULL;
  xb_error why;
  const xb_code code = !find_file(path)
                           ? xb_fail(err, XB_INVALID, "presets", "no folder to save them: set HOME or XDG_CONFIG_HOME")
                       : !load(&root, &why) ? xb_fail(err, XB_INVALID, "presets", "%s: move it away", why.message)
                                            : XB_OK;
  json_decref(root);
  return code;
}

static const char *text_of(const json_t *preset, const char *key)
{
  const char *text = json_string_value(json_object_get(preset, key));
  return text ? text : "";
}

static uint64_t number_of(const json_t *preset, const char *key)
{
  return (uint64_t)json_integer_value(json_object_get(preset, key));
}

/* What was found for a size is used for sizes of up to twice and half as many elements. */
static bool is_near(uint64_t n, uint64_t size)
{
  return n >= size / 2 && n <= 2 * size;
}

/* ---- Saving ----------------------------------------------------------------------------------------------------- */

static bool same(const json_t *a, const json_t *b)
{
  static const char *const keys[] = {"benchmark", "variant",     "backend", "device",
                                     "driver",    "source_hash", "dtype",   "size"};
  for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
    if (!json_equal(json_object_get(a, keys[i]), json_object_get(b, keys[i])))
      return false;
  return true;
}

xb_code xb_preset_save(const xb_result *r, const xb_space *space, size_t candidate, const xb_gain *gain,
                       char path[XB_PRESET_PATH], xb_error *err)
{
  char date[32];
  const time_t now = time(NULL);
  json_t *root, *old;
  size_t i;
  xb_code code = xb_presets_check(err);
  if (code)
    return code;
  find_file(path);
  json_t *list = load(&root, NULL);
  strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%SZ", gmtime(&now));
  json_t *preset =
      json_pack("{ss?ss?ss?ss?ss?ss?ss?ss?sIsosfs[ff]siss}", "benchmark", r->benchmark, "variant", r->variant,
                "backend", r->backend, "device", r->on->uuid, "model", r->on->name, "driver", r->on->driver,
                "source_hash", r->code.source_hash, "dtype", r->dtype, "size", (json_int_t)r->work.size, "values",
                xb_space_values(space, candidate), "ratio", gain->ratio, "ci95_ratio", gain->interval.low,
                gain->interval.high, "runs", (int)gain->runs, "date", date);
  json_array_foreach(list, i, old) if (same(old, preset)) json_array_remove(list, i--);
  const bool whole = !json_array_append_new(list, preset);
  make_folders(path);
  code = xb_json_write(path, whole ? root : NULL, JSON_COMPACT, err);
  json_decref(root);
  return code;
}

/* ---- Finding ---------------------------------------------------------------------------------------------------- */

static bool is_hashed_otherwise(const json_t *preset)
{
  const char *hash = text_of(preset, "source_hash");
  return *hash && strncmp(hash, XB_SOURCE_HASH_START, strlen(XB_SOURCE_HASH_START)) != 0;
}

/* Why the preset is for something else; NULL if it is not. */
static const char *misfit(const json_t *preset, const xb_device_info *info, const char *hash, xb_dtype dtype,
                          uint64_t n)
{
  char uuid[40];
  xb_format_uuid(info, uuid);
  const bool device = *uuid && !strcmp(text_of(preset, "device"), uuid);
  return !device && strcmp(text_of(preset, "model"), info->name) != 0 ? "it is for another device"
         : strcmp(text_of(preset, "driver"), info->driver) != 0       ? "it is for another driver"
         : is_hashed_otherwise(preset) ? "an older xbench wrote it, with another kind of source hash"
         : strcmp(text_of(preset, "source_hash"), hash) != 0           ? "it is for another source of the kernel"
         : strcmp(text_of(preset, "dtype"), xb_dtype_name(dtype)) != 0 ? "it is for another element type"
         : !is_near(n, number_of(preset, "size"))                      ? "it is for another size"
                                                                       : NULL;
}

/* The value of this name, if there is one. False if it is not a whole number of 32 bits. */
static bool read_value(const json_t *values, const char *name, uint32_t *value, size_t *known)
{
  const json_t *given = json_object_get(values, name);
  const json_int_t number = json_integer_value(given);
  if (!given)
    return true;
  *value = (uint32_t)number;
  ++*known;
  return json_is_integer(given) && number >= 0 && number <= UINT32_MAX;
}

/* Returns why its values cannot be used; NULL if they can. */
static const char *configure(const json_t *preset, const xb_variant *v, const xb_device_info *info, xb_configuration *c)
{
  const xb_benchmark *b = v->benchmark;
  const json_t *values = json_object_get(preset, "values");
  size_t known = 0;
  *c = (xb_configuration){.variant = v, .backend = info->backend, .preset = true};
  bool good = read_value(values, "block", &c->block, &known);
  const bool grouped = known;
  for (size_t a = 0; a < b->axis_count; a++) {
    c->at[a] = b->axes[a].base;
    good = read_value(values, b->axes[a].name, &c->at[a], &known) && good;
  }
  return !json_object_size(values)                 ? "it has no values"
         : !good                                   ? "it has a value that is not a whole number of 32 bits"
         : known != json_object_size(values)       ? "it has a value that this version of the benchmark does not know"
         : grouped && !xb_takes_block(v, c->block) ? "the kernel is not built for its group size"
         : c->block > info->max_group_threads      ? "the device has no groups of its size"
                                                   : NULL;
}

/* Of the presets that fit, the one of the nearest size; else why the last one does not. */
static bool find(const json_t *list, const xb_variant *v, const xb_target *target, xb_dtype dtype, uint64_t n,
                 bool said, xb_configuration *c)
{
  char name[XB_VARIANT_NAME], hash[40];
  const char *backend = target->info.backend, *why = NULL;
  const json_t *preset;
  xb_configuration fitting;
  double nearest = INFINITY;
  size_t i;
  xb_variant_name(v, name);
  snprintf(hash, sizeof hash, XB_SOURCE_HASH_FORMAT, xb_source_hash(v, backend));
  json_array_foreach(list, i, preset)
  {
    if (strcmp(text_of(preset, "benchmark"), v->benchmark->name) != 0 ||
        strcmp(text_of(preset, "variant"), name) != 0 || strcmp(text_of(preset, "backend"), backend) != 0)
      continue;
    why = misfit(preset, &target->info, hash, dtype, n);
    why = why ? why : configure(preset, v, &target->info, &fitting);
    if (!why) {
      char uuid[40]; /* of two that are as near, the one of this device */
      xb_format_uuid(&target->info, uuid);
      const double other = strcmp(text_of(preset, "device"), uuid) != 0 ? 1e-9 : 0;
      const double distance = fabs(log2((double)n / (double)number_of(preset, "size"))) + other;
      *c = distance < nearest ? fitting : *c;
      nearest = fmin(nearest, distance);
    }
  }
  if (nearest < INFINITY) {
    if (said) /* the table says it itself */
      xb_report_error(0, "preset tuned: %s/%s on %s has groups of %u", v->benchmark->name, name, backend, c->block);
    return true;
  }
  xb_report_error(0, "preset tuned: %s/%s on %s has its defaults: %s%s", v->benchmark->name, name, backend,
                  why ? "the preset is ignored: " : "nothing was saved for it", why ? why : "");
  return false;
}

size_t xb_presets_find(const xb_setup *setup, const xb_request *request, bool said, xb_configuration *found,
                       size_t most)
{
  xb_error why;
  json_t *root, *list = load(&root, &why);
  size_t count = 0;
  if (!list)
    xb_report_error(0, "preset tuned: %s; it is ignored", why.message);
  for (size_t i = 0; i < setup->selection->selected_count; i++) {
    const xb_variant *v = setup->selection->selected[i].variant;
    for (size_t t = 0; t < setup->target_count && list; t++)
      if (v->benchmark == request->benchmark && xb_has_kernel(v) && count < most)
        count += find(list, v, &setup->targets[t], request->dtype, request->n, said, &found[count]);
  }
  json_decref(root);
  return count;
}

/* ---- Other devices ---------------------------------------------------------------------------------------------- */

/* False if no candidate has all of these values. */
static bool candidate_of(const json_t *values, const xb_space *space, size_t *candidate)
{
  size_t known = 0;
  for (size_t p = 0; p < space->count; p++)
    known += json_object_get(values, space->parameters[p].name) != NULL;
  return known && known == json_object_size(values) && xb_space_find(space, values, true, candidate);
}

size_t xb_presets_elsewhere(const xb_result *r, const xb_space *space, xb_arena *arena, size_t *candidates,
                            const char **names, size_t count, size_t most)
{
  json_t *root, *list = load(&root, NULL), *preset;
  size_t i;
  json_array_foreach(list, i, preset)
  {
    const char *model = text_of(preset, "model");
    if (count == most || strcmp(text_of(preset, "benchmark"), r->benchmark) != 0 ||
        strcmp(text_of(preset, "variant"), r->variant) != 0 || strcmp(text_of(preset, "backend"), r->backend) != 0 ||
        strcmp(text_of(preset, "dtype"), r->dtype) != 0 || !strcmp(model, r->on->name) ||
        !is_near(r->work.size, number_of(preset, "size")))
      continue;
    if (candidate_of(json_object_get(preset, "values"), space, &candidates[count]))
      names[count++] = xb_arena_text(arena, "%s", model);
    else
      xb_report_error(0, "the preset of %s is ignored: its values are not a candidate here", model);
  }
  json_decref(root);
  return count;
}
