#include "page/model/tuning.h"

#include "result/json_file.h"
#include "tune/tune.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

bool xb_is_tuning(const char *path)
{
  static const char end[] = ".cache.json";
  const size_t length = strlen(path);
  return length >= sizeof end - 1 && !strcmp(path + length - (sizeof end - 1), end);
}

/* Each candidate has a whole number for each parameter. */
static bool is_whole(const json_t *root)
{
  const json_t *keys = json_object_get(root, "tune_params_keys"), *key;
  const char *name;
  json_t *candidate;
  size_t i;
  if (!json_array_size(keys) || !json_array_size(json_object_get(root, "problem_size")) ||
      !json_is_string(json_object_get(root, "device_name")))
    return false;
  json_object_foreach(json_object_get(root, "cache"), name, candidate) json_array_foreach(
      keys, i, key) if (!json_is_string(key) ||
                        !json_is_integer(json_object_get(candidate, json_string_value(key)))) return false;
  return true;
}

xb_code xb_tuning_load(const char *path, xb_tuning *t, xb_error *err)
{
  const char *slash = strrchr(path, '/');
  *t = (xb_tuning){.name = slash ? slash + 1 : path};
  xb_code code = xb_json_load(path, &t->root, err);
  code = code ? code : xb_cache_check(path, t->root, err);
  const char *kernel = json_string_value(json_object_get(t->root, "kernel_name"));
  t->device = json_string_value(json_object_get(t->root, "device_name"));
  if (!code && kernel && sscanf(kernel, "%95s %95s %95s", t->kernel, t->backend, t->dtype) == 3 && is_whole(t->root))
    return XB_OK;
  xb_tuning_free(t);
  return code ? code : xb_fail(err, XB_INVALID, path, "is no cache file of 'xbench tune'");
}

void xb_tuning_free(xb_tuning *t)
{
  json_decref(t->root);
  t->root = NULL;
}

bool xb_tuning_alike(const xb_tuning *a, const xb_tuning *b)
{
  return !strcmp(a->kernel, b->kernel) && !strcmp(a->dtype, b->dtype) && !strcmp(a->device, b->device) &&
         json_equal(json_object_get(a->root, "problem_size"), json_object_get(b->root, "problem_size")) &&
         json_equal(json_object_get(a->root, "tune_params_keys"), json_object_get(b->root, "tune_params_keys"));
}

double xb_tuning_time(const json_t *candidate)
{
  const double time = json_number_value(json_object_get(candidate, "time"));
  return time > 0 && isfinite(time) ? time : NAN;
}
