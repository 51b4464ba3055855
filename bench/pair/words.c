#include "pair/words.h"

#include "benchmarks/registry.h"
#include "os/child.h"
#include "os/paths.h"
#include "tune/tune.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- Parts of words --------------------------------------------------------------------------------------------- */

/* "x:float32:n:uniform(0,1)" */
static json_t *buffer_of(const char *word)
{
  static const char *const keys[] = {"Name", "Format", "Length", "Fill"};
  const size_t access = strcspn(word, " ");
  json_t *buffer = json_pack("{so}", "Access", json_stringn(word, access));
  const char *p = word + access + 1;
  for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
    const size_t length = i < 3 ? strcspn(p, ":") : strlen(p);
    if (length)
      json_object_set_new(buffer, keys[i], json_stringn(p, length));
    p += length + (p[length] == ':');
  }
  return buffer;
}

/* The length up to this character; those inside brackets do not count. */
static size_t span(const char *text, char end)
{
  size_t length = 0;
  for (int depth = 0; text[length] && (depth || text[length] != end); length++)
    depth += (text[length] == '(' || text[length] == '<') - (text[length] == ')' || text[length] == '>');
  return length;
}

/* "ceil(columns/16), rows/16" */
static json_t *formulas_of(const char *word)
{
  json_t *list = json_array();
  for (size_t length;; word += length + 1) {
    length = span(word, ',');
    json_array_append_new(list, json_stringn(word, length));
    if (!word[length])
      return list;
  }
}

/* Of "scan<256>=Scan" the first name; the sides that are not CUDA get the second one. */
static json_t *first_name(const char *entry, json_t *root)
{
  const size_t length = span(entry, '=');
  size_t i;
  json_t *side, *name = json_stringn(entry, length);
  json_array_foreach(json_object_get(root, "Sides"), i, side)
  {
    const char *format, *path = xb_pair_source_of(side);
    xb_error error;
    if (!entry[length] || !path || xb_pair_code_format(path, &format, &error) || !strcmp(format, "fatbin"))
      continue;
    json_t *own = xb_pair_own_keys(root, i), *entries = json_object_get(own, "Entries");
    if (!entries)
      json_object_set_new(own, "Entries", entries = json_object());
    json_object_set_new(entries, json_string_value(name), json_string(entry + length + 1));
  }
  return name;
}

/* "256", "16x16" */
static xb_code add_group(const char *word, json_t *shader, xb_error *err)
{
  json_t *list = json_array();
  char *end = (char *)(uintptr_t)word;
  for (int d = 0; d < 3; d++) {
    const char *from = end;
    const long size = strtol(from, &end, 10);
    if (end == from || size < 1 || size > 65536 || (*end && *end != 'x'))
      break;
    json_array_append_new(list, json_integer(size));
    if (!*end++) {
      json_object_set_new(shader, "GroupSize", list);
      return XB_OK;
    }
  }
  json_decref(list);
  return xb_fail(err, XB_INVALID, "--group", "'%s': expected threads per group, such as 256 or 16x16", word);
}

/* Lower-case letters, digits and _; another name than those of other benchmarks. */
json_t *xb_pair_name_of(const char *source)
{
  const char *slash = strrchr(source, '/'), *base = slash ? slash + 1 : source;
  char name[64];
  snprintf(name, sizeof name - 8, "%.*s", (int)strcspn(base, "."), base);
  for (char *p = name; *p; p++)
    *p = isalnum((unsigned char)*p) ? (char)tolower((unsigned char)*p) : '_';
  if (!*name || xb_benchmark_find(name))
    strcat(name, "_pair");
  return json_string(name);
}

/* ---- All of it -------------------------------------------------------------------------------------------------- */

xb_code xb_pair_from_words(const xb_pair_words *words, xb_pair_manifest *manifest, xb_error *err)
{
  json_t *sides = json_array(), *buffers = json_array(), *arguments = json_object(), *shader = json_object();
  xb_code code = XB_OK;
  for (const char *const *source = words->sources; *source; source++)
    json_array_append_new(sides, json_string(*source));
  for (size_t i = 0; i < words->buffers.count; i++)
    json_array_append_new(buffers, buffer_of(words->buffers.texts[i]));
  for (size_t i = 0; i < words->arguments.count; i++) {
    const char *word = words->arguments.texts[i], *equals = strchr(word, '=');
    char name[64];
    snprintf(name, sizeof name, "%.*s", (int)strcspn(word, "="), word);
    json_t *values = formulas_of(equals ? equals + 1 : word); /* several: a vector or an array */
    json_object_set(arguments, name, json_array_size(values) > 1 ? values : json_array_get(values, 0));
    json_decref(values);
  }
  if (words->arguments.count)
    json_object_set(shader, "Arguments", arguments);
  if (words->group)
    code = add_group(words->group, shader, err);
  if (words->groups)
    json_object_set_new(shader, "DispatchGroupCount", formulas_of(words->groups));
  json_t *root = json_pack("{sososs*ss*}", "Name", xb_pair_name_of(words->sources[0]), "Sides", sides, "Bytes",
                           words->bytes, "Flops", words->flops);
  *manifest = (xb_pair_manifest){.where = "pair", .folder = "", .root = root};
  if (words->buffers.count)
    json_object_set(root, "Buffers", buffers);
  json_t *entries = words->entry ? formulas_of(words->entry) : json_pack("[n]"), *entry, *shaders = json_array();
  size_t k;
  json_array_foreach(entries, k, entry)
  {
    json_t *one = json_deep_copy(shader);
    if (json_is_string(entry))
      json_object_set_new(one, "Entry", first_name(json_string_value(entry), root));
    json_array_append_new(shaders, one);
  }
  json_object_set_new(root, "Shaders", shaders);
  json_decref(entries);
  json_decref(shader);
  json_decref(buffers);
  json_decref(arguments);
  return code;
}

/* ---- Results ---------------------------------------------------------------------------------------------------- */

/* Sets keys in the result of the buffer that the word of an option begins with, "y=4ulp"; else in those of all that are
 * written. Takes `keys`. */
static xb_code set_results(const char *option, const char *word, json_t *keys, json_t *root, xb_error *err)
{
  const char *equals = strchr(word, '=');
  const size_t length = equals ? (size_t)(equals - word) : 0;
  json_t *results = json_object_get(root, "Results"), *buffer;
  size_t i, count = 0;
  if (!results)
    json_object_set_new(root, "Results", results = json_array());
  json_array_foreach(json_object_get(root, "Buffers"), i, buffer)
  {
    const char *own = json_string_value(json_object_get(buffer, "Name"));
    const char *access = json_string_value(json_object_get(buffer, "Access"));
    json_t *result = NULL;
    if (!own || !access || !strcmp(access, "in") || !strcmp(access, "scratch") ||
        (length && (strlen(own) != length || strncmp(own, word, length) != 0)))
      continue;
    for (size_t k = 0; k < json_array_size(results) && !result; k++) {
      const char *actual = json_string_value(json_object_get(json_array_get(results, k), "Actual"));
      result = actual && !strcmp(actual, own) ? json_array_get(results, k) : NULL;
    }
    if (!result)
      json_array_append_new(results, result = json_pack("{ss}", "Actual", own));
    json_object_update(result, keys);
    count++;
  }
  json_decref(keys);
  return count || !length
             ? XB_OK
             : xb_fail(err, XB_INVALID, option, "'%.*s' is not a buffer that is written", (int)length, word);
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
  return keys ? set_results("--tolerance", word, keys, root, err)
              : xb_fail(err, XB_INVALID, "--tolerance", "'%s': expected exact, 4ulp, or a difference such as 1e-6",
                        rule);
}

/* Files of a command line start at the current folder, those of a manifest at its own. */
static json_t *from_here(const char *file)
{
  char here[4096];
  return xb_is_absolute(file) || !getcwd(here, sizeof here) ? json_string(file) : json_sprintf("%s/%s", here, file);
}

xb_code xb_pair_add_results(const xb_pair_words *words, json_t *root, xb_error *err)
{
  xb_code code = XB_OK;
  for (size_t i = 0; i < words->references.count && !code; i++) {
    const char *word = words->references.texts[i], *equals = strchr(word, '=');
    if (xb_is_npy(word))
      code = set_results("--reference", word, json_pack("{so}", "Expected", from_here(equals ? equals + 1 : word)),
                         root, err);
    else
      json_object_set_new(root, "Reference", strchr(word, ':') ? from_here(word) : json_string(word));
  }
  for (size_t i = 0; i < words->tolerances.count && !code; i++)
    code = add_tolerance(words->tolerances.texts[i], root, err);
  return code;
}

/* ---- Sides ------------------------------------------------------------------------------------------------------ */

/* Of "comp:--target-env=vulkan1.2", which is for sources with this extension, the option; else NULL. */
static const char *option_of(const char *flag)
{
  const size_t length = strspn(flag, "abcdefghijklmnopqrstuvwxyz");
  return length && flag[length] == ':' && flag[length + 1] == '-' ? flag + length + 1 : NULL;
}

static bool has_extension(const json_t *side, const char *flag)
{
  const char *path = xb_pair_source_of(side), *dot = path ? strrchr(path, '.') : NULL;
  const size_t length = strcspn(flag, ":");
  return dot && strlen(dot + 1) == length && !strncmp(dot + 1, flag, length);
}

static bool compiles(const char *compiler, const json_t *side)
{
  const char *path = xb_pair_source_of(side);
  char name[32]; /* without its file */
  snprintf(name, sizeof name, "%.*s", (int)strcspn(compiler, "="), compiler);
  return path && !xb_pair_check_compiler(name, path, NULL);
}

static void add_flag(json_t *side, json_t *flag)
{
  json_t *flags = json_object_get(side, "Flags");
  if (!flags)
    json_object_set_new(side, "Flags", flags = json_array());
  json_array_append_new(flags, flag);
}

static void add_side(json_t *sides, const json_t *side, const char *compiler, const xb_pair_words *words)
{
  json_t *added = json_is_object(side) ? json_deep_copy(side) : json_pack("{sO}", "Source", side);
  for (size_t i = 0; i < words->flags.count; i++) {
    const char *flag = words->flags.texts[i], *option = option_of(flag);
    if (!option || has_extension(side, flag))
      add_flag(added, json_string(option ? option : flag));
  }
  if (compiler)
    json_object_set_new(added, "Compiler", json_string(compiler));
  json_array_append_new(sides, added);
}

xb_code xb_pair_add_compilers(const xb_pair_words *words, json_t *root, xb_error *err)
{
  const json_t *given = json_object_get(root, "Sides");
  json_t *sides = json_array(), *side;
  size_t i;
  xb_code code = XB_OK;
  json_array_foreach(given, i, side)
  {
    const size_t before = json_array_size(sides);
    for (size_t k = 0; k < words->compilers.count; k++)
      if (compiles(words->compilers.texts[k], side))
        add_side(sides, side, words->compilers.texts[k], words);
    if (json_array_size(sides) == before)
      add_side(sides, side, NULL, words);
  }
  for (size_t k = 0; k < words->flags.count && !code; k++) {
    bool fits = !option_of(words->flags.texts[k]);
    json_array_foreach(given, i, side) fits |= has_extension(side, words->flags.texts[k]);
    if (!fits)
      code = xb_fail(err, XB_INVALID, "--flag", "'%s': no source has this extension", words->flags.texts[k]);
  }
  for (size_t k = 0; k < words->compilers.count && !code; k++) {
    bool fits = false;
    const char *file = strchr(words->compilers.texts[k], '=');
    if (file && !xb_is_program(file + 1)) {
      code = xb_fail(err, XB_INVALID, "--compiler", "%s is not a program", file + 1);
      break;
    }
    json_array_foreach(given, i, side) fits |= compiles(words->compilers.texts[k], side);
    if (!fits)
      code = xb_fail(err, XB_INVALID, "--compiler",
                     "%s compiles none of the sources; there are nvrtc, nvcc, glslc, dxc, slangc, naga and tint",
                     words->compilers.texts[k]);
  }
  json_object_set_new(root, "Sides", sides);
  return code;
}

/* ---- Macros ----------------------------------------------------------------------------------------------------- */

static xb_code add_define(const char *word, json_t *root, xb_error *err)
{
  char name[64], *end;
  const char *equals = strchr(word, '=');
  json_t *constants = json_object_get(root, "Constants");
  const long long value = equals ? strtoll(equals + 1, &end, 10) : -1;
  if (value < 0 || end == equals + 1 || *end)
    return xb_fail(err, XB_INVALID, "--define", "'%s': expected a name and a whole number, such as BLOCK=256", word);
  snprintf(name, sizeof name, "%.*s", (int)(equals - word), word);
  if (!constants)
    json_object_set_new(root, "Constants", constants = json_object());
  json_object_set_new(constants, name, json_integer(value));
  for (size_t i = 0; i < json_array_size(json_object_get(root, "Sides")); i++)
    add_flag(xb_pair_own_keys(root, i), json_sprintf("-D%s", word));
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
