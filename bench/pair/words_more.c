/* What a command line adds to a manifest: compilers, tolerances and references. */
#include "pair/words.h"

#include "tune/tune.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- Results ---------------------------------------------------------------------------------------------------- */

/* The result of this buffer, or of all that are written if the length is 0. */
static void set_result(json_t *root, const char *name, size_t length, const json_t *keys)
{
  json_t *results = json_object_get(root, "Results"), *buffer;
  size_t i;
  if (!results)
    json_object_set_new(root, "Results", results = json_array());
  json_array_foreach(json_object_get(root, "Buffers"), i, buffer)
  {
    const char *own = json_string_value(json_object_get(buffer, "Name"));
    const char *access = json_string_value(json_object_get(buffer, "Access"));
    json_t *result = NULL;
    if (!own || !access || !strcmp(access, "in") || !strcmp(access, "scratch") ||
        (length && (strlen(own) != length || strncmp(own, name, length) != 0)))
      continue;
    for (size_t k = 0; k < json_array_size(results) && !result; k++) {
      const char *actual = json_string_value(json_object_get(json_array_get(results, k), "Actual"));
      result = actual && !strcmp(actual, own) ? json_array_get(results, k) : NULL;
    }
    if (!result)
      json_array_append_new(results, result = json_pack("{ss}", "Actual", own));
    json_object_update(result, (json_t *)(uintptr_t)keys);
  }
}

static xb_code add_tolerance(const char *word, json_t *root, xb_error *err)
{
  const char *equals = strchr(word, '='), *rule = equals ? equals + 1 : word;
  char *end;
  const double limit = strtod(rule, &end);
  json_t *keys = !strcmp(rule, "exact")              ? json_pack("{ss}", "Rule", "BufferExact")
                 : end > rule && !strcmp(end, "ulp") ? json_pack("{sssf}", "Rule", "BufferFloatULP", "ULPT", limit)
                 : end > rule && !*end && limit >= 0
                     ? json_pack("{sssf}", "Rule", "BufferFloatEpsilon", "Epsilon", limit)
                     : NULL;
  if (!keys)
    return xb_fail(err, XB_INVALID, "--tolerance", "'%s': expected exact, 4ulp, or a difference such as 1e-6", rule);
  set_result(root, word, equals ? (size_t)(equals - word) : 0, keys);
  json_decref(keys);
  return XB_OK;
}

/* Files of a command line start at the current folder, those of a manifest at its own. */
static json_t *from_here(const char *file)
{
  char here[4096];
  return *file == '/' || !getcwd(here, sizeof here) ? json_string(file) : json_sprintf("%s/%s", here, file);
}

xb_code xb_pair_add_results(const xb_pair_words *words, json_t *root, xb_error *err)
{
  xb_code code = XB_OK;
  for (size_t i = 0; i < words->references.count; i++) {
    const char *word = words->references.texts[i], *equals = strchr(word, '=');
    const size_t length = strlen(word);
    if (length > 4 && !strcmp(word + length - 4, ".npy")) {
      json_t *keys = json_pack("{so}", "Expected", from_here(equals ? equals + 1 : word));
      set_result(root, word, equals ? (size_t)(equals - word) : 0, keys);
      json_decref(keys);
    } else {
      json_object_set_new(root, "Reference", strchr(word, ':') ? from_here(word) : json_string(word));
    }
  }
  for (size_t i = 0; i < words->tolerances.count && !code; i++)
    code = add_tolerance(words->tolerances.texts[i], root, err);
  return code;
}

/* ---- Sides ------------------------------------------------------------------------------------------------------ */

static void add_side(json_t *sides, const json_t *side, const char *compiler, const xb_pair_words *words)
{
  json_t *added = json_is_object(side) ? json_deep_copy(side) : json_pack("{sO}", "Source", side);
  json_t *flags = json_object_get(added, "Flags");
  if (!flags && words->flags.count)
    json_object_set_new(added, "Flags", flags = json_array());
  for (size_t i = 0; i < words->flags.count; i++)
    json_array_append_new(flags, json_string(words->flags.texts[i]));
  if (compiler)
    json_object_set_new(added, "Compiler", json_string(compiler));
  json_array_append_new(sides, added);
}

xb_code xb_pair_add_compilers(const xb_pair_words *words, json_t *root, xb_error *err)
{
  json_t *sides = json_array(), *side;
  bool used[XB_PAIR_SOURCES * 4] = {0};
  size_t i;
  xb_code code = XB_OK;
  json_array_foreach(json_object_get(root, "Sides"), i, side)
  {
    const char *path = json_string_value(json_is_object(side) ? json_object_get(side, "Source") : side);
    const size_t before = json_array_size(sides);
    for (size_t k = 0; path && k < words->compilers.count; k++)
      if (!xb_pair_check_compiler(words->compilers.texts[k], path, NULL)) {
        add_side(sides, side, words->compilers.texts[k], words);
        used[k % (sizeof used)] = true;
      }
    if (json_array_size(sides) == before)
      add_side(sides, side, NULL, words);
  }
  json_object_set_new(root, "Sides", sides);
  for (size_t k = 0; k < words->compilers.count && !code; k++)
    if (!used[k % (sizeof used)])
      code = xb_fail(err, XB_INVALID, "--compiler",
                     "%s compiles none of the sources; there are nvrtc, nvcc, glslc, dxc "
                     "and slangc",
                     words->compilers.texts[k]);
  return code;
}

/* ---- Macros ----------------------------------------------------------------------------------------------------- */

static xb_code add_define(const char *word, json_t *root, xb_error *err)
{
  char name[64], *end;
  const char *equals = strchr(word, '=');
  json_t *sides = json_object_get(root, "Sides"), *constants = json_object_get(root, "Constants"), *side;
  size_t i;
  const long long value = equals ? strtoll(equals + 1, &end, 10) : -1;
  if (value < 0 || end == equals + 1 || *end)
    return xb_fail(err, XB_INVALID, "--define", "'%s': expected a name and a whole number, such as BLOCK=256", word);
  snprintf(name, sizeof name, "%.*s", (int)(equals - word), word);
  if (!constants)
    json_object_set_new(root, "Constants", constants = json_object());
  json_object_set_new(constants, name, json_integer(value));
  json_array_foreach(sides, i, side)
  {
    json_t *changed = json_is_object(side) ? json_deep_copy(side) : json_pack("{sO}", "Source", side);
    json_t *flags = json_object_get(changed, "Flags");
    if (!flags)
      json_object_set_new(changed, "Flags", flags = json_array());
    json_array_append_new(flags, json_sprintf("-D%s", word));
    json_array_set_new(sides, i, changed);
  }
  return XB_OK;
}

xb_code xb_pair_add_defines(const xb_pair_words *words, json_t *root, xb_error *err)
{
  xb_space space = {.count = 0};
  char word[128];
  xb_code code = json_object_get(root, "ConfigurationSpace") ? xb_space_read(root, "pair", &space, err) : XB_OK;
  for (size_t p = 0; p < space.count && !code; p++) {
    const size_t length = strlen(space.parameters[p].name);
    bool given = false;
    for (size_t i = 0; i < words->defines.count; i++)
      given |=
          !strncmp(words->defines.texts[i], space.parameters[p].name, length) && words->defines.texts[i][length] == '=';
    snprintf(word, sizeof word, "%.60s=%llu", space.parameters[p].name,
             (unsigned long long)space.parameters[p].values[space.parameters[p].standard]);
    code = given ? XB_OK : add_define(word, root, err);
  }
  for (size_t i = 0; i < words->defines.count && !code; i++)
    code = add_define(words->defines.texts[i], root, err);
  return code;
}
