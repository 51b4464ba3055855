#include "pair/words.h"

#include "benchmarks/registry.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Parts of words --------------------------------------------------------------------------------------------- */

static json_t *text(const char *from, size_t length)
{
  return json_stringn(from, length);
}

/* "x:float32:n:uniform(0,1)" */
static json_t *buffer_of(const char *word)
{
  static const char *const keys[] = {"Name", "Format", "Length", "Fill"};
  const size_t access = strcspn(word, " ");
  json_t *buffer = json_pack("{so}", "Access", text(word, access));
  const char *p = word + access + 1;
  for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
    const size_t length = i < 3 ? strcspn(p, ":") : strlen(p);
    if (length)
      json_object_set_new(buffer, keys[i], text(p, length));
    p += length + (p[length] == ':');
  }
  return buffer;
}

/* "ceil(columns/16), rows/16": commas inside parentheses do not count. */
static json_t *formulas_of(const char *word)
{
  json_t *list = json_array();
  int depth = 0;
  for (const char *from = word, *p = word;; p++) {
    depth += (*p == '(') - (*p == ')');
    if (*p && (*p != ',' || depth))
      continue;
    json_array_append_new(list, text(from, (size_t)(p - from)));
    from = p + 1;
    if (!*p)
      return list;
  }
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
static json_t *name_of(const char *source)
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
  json_t *root = json_object(), *sides = json_array(), *buffers = json_array(), *arguments = json_object();
  json_t *shader = json_object();
  xb_code code = XB_OK;
  *manifest = (xb_pair_manifest){.where = "pair", .folder = "", .root = root};
  json_object_set_new(root, "Name", name_of(words->sources[0]));
  for (const char *const *source = words->sources; *source; source++)
    json_array_append_new(sides, json_string(*source));
  json_object_set_new(root, "Sides", sides);
  for (size_t i = 0; i < words->buffers.count; i++)
    json_array_append_new(buffers, buffer_of(words->buffers.texts[i]));
  if (words->buffers.count)
    json_object_set(root, "Buffers", buffers);
  for (size_t i = 0; i < words->arguments.count; i++) {
    const char *word = words->arguments.texts[i], *equals = strchr(word, '=');
    char name[64];
    snprintf(name, sizeof name, "%.*s", (int)strcspn(word, "="), word);
    json_object_set_new(arguments, name, json_string(equals ? equals + 1 : word));
  }
  if (words->arguments.count)
    json_object_set(shader, "Arguments", arguments);
  if (words->entry)
    json_object_set_new(shader, "Entry", json_string(words->entry));
  if (words->group)
    code = add_group(words->group, shader, err);
  if (words->groups)
    json_object_set_new(shader, "DispatchGroupCount", formulas_of(words->groups));
  if (words->bytes)
    json_object_set_new(root, "Bytes", json_string(words->bytes));
  if (words->flops)
    json_object_set_new(root, "Flops", json_string(words->flops));
  json_object_set_new(root, "Shaders", json_pack("[o]", shader));
  json_decref(buffers);
  json_decref(arguments);
  return code;
}
