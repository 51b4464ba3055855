#include "pair/words.h"

#include "base/exit_codes.h"
#include "base/whole_file.h"
#include "base/word_list.h"
#include "blob.h"
#include "os/written_file.h"
#include "result/json_file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A half in HLSL whose only kernel has another name than --entry. */
static void take_other_name(xb_pair *pair, xb_pair_side *side, json_t *root)
{
  char all[200], *text;
  size_t bytes;
  const char *asked = side->kernels[0].entry, *dot = strrchr(side->name, '.');
  if (!asked || side->kernel_count > 1 || !dot || strcmp(dot, ".hlsl") != 0 ||
      xb_read_file(side->source.path, XB_MAX_SOURCE_BYTES, &pair->arena, &text, &bytes, NULL))
    return;
  const char *only = xb_hlsl_entries(text, all);
  if (!*only || strchr(only, ',') || !strcmp(only, asked))
    return;
  json_object_set_new(json_array_get(json_object_get(root, "Sides"), side->of), "Entries",
                      json_pack("{ss}", asked, only));
  side->kernels[0].entry = xb_arena_text(&pair->arena, "%s", only);
}

/* Compiles each side for which a compiler is there; a GPU is not needed. */
static int compile(xb_pair *pair, json_t *root)
{
  uint32_t known = 0;
  xb_error error;
  for (uint32_t i = 0; i < pair->side_count; i++) {
    if (pair->side_count > 1)
      take_other_name(pair, &pair->sides[i], root);
    xb_code code = xb_pair_compile_side(pair, &pair->sides[i], 0, &error);
    if (code == XB_UNAVAILABLE && !strcmp(pair->sides[i].format, "fatbin")) { /* without a compiler of CUDA */
      pair->sides[i].source.for_cpu = true;
      code = xb_pair_compile_side(pair, &pair->sides[i], 0, &error);
    }
    if (code && code != XB_UNAVAILABLE)
      return xb_report_refusal(code, &error);
    if (code)
      xb_report_error(0, "%s: skipped", error.message);
    known += !code;
  }
  return known ? -1 : xb_report_error(XB_EXIT_UNAVAILABLE, "pair: --init: no source could be compiled here");
}

/* In the order in which a person reads them. */
static json_t *in_order(json_t *root)
{
  static const char *const keys[] = {"Name", "Title", "Sides", "Size", "Buffers", "Shaders", "Results"};
  json_t *ordered = json_object();
  for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
    json_t *value = json_object_get(root, keys[i]);
    if (value)
      json_object_set(ordered, keys[i], value);
  }
  json_object_update_missing(ordered, root);
  return ordered;
}

/* What may have to be changed, with the values that hold without it. */
static void add_defaults(json_t *root)
{
  json_t *buffer, *results = json_array();
  size_t i;
  char *written = json_dumps(root, JSON_COMPACT); /* has a formula of it rows or columns, or will it? */
  const json_t *group = json_object_get(json_array_get(json_object_get(root, "Shaders"), 0), "GroupSize");
  const bool matrix = json_integer_value(json_array_get(group, 1)) > 1 ||
                      (written && (strstr(written, "\"rows\"") || strstr(written, "\"columns\"")));
  free(written);
  if (!json_object_get(root, "Size"))
    json_object_set_new(root, "Size", json_string(matrix ? "1024x1024" : "2^20"));
  json_array_foreach(json_object_get(root, "Buffers"), i, buffer)
  {
    const char *access = json_string_value(json_object_get(buffer, "Access"));
    const char *format = json_string_value(json_object_get(buffer, "Format"));
    const bool floats = format && !strncmp(format, "float", 5);
    json_t *name = json_object_get(buffer, "Name");
    if (access && strcmp(access, "in") != 0 && strcmp(access, "?") != 0 && name)
      json_array_append_new(results, floats ? json_pack("{sOsssi}", "Actual", name, "Rule", "BufferFloatULP", "ULPT", 4)
                                            : json_pack("{sOss}", "Actual", name, "Rule", "BufferExact"));
  }
  if (!json_object_get(root, "Results") && json_array_size(results))
    json_object_set(root, "Results", results);
  json_decref(results);
}

/* The size of a group that a specialization constant sets, which only a person knows. It is that side's alone. */
static void mark_groups(const xb_pair *pair, json_t *root)
{
  json_t *shader = json_array_get(json_object_get(root, "Shaders"), 0);
  bool any = false;
  char number[16];
  for (uint32_t i = 0; i < pair->side_count; i++) {
    const uint32_t open = pair->sides[i].codes[0].reflection.open_group;
    if (!open)
      continue;
    any = true;
    snprintf(number, sizeof number, "%u", open - 1);
    json_object_set_new(xb_pair_own_keys(root, i), "SpecializationConstants", json_pack("{ss}", number, "?"));
  }
  for (uint32_t i = 0; i < pair->side_count && any; i++)
    if (!strcmp(pair->sides[i].format, "fatbin") || pair->sides[i].source.for_cpu)
      json_object_set(xb_pair_own_keys(root, i), "GroupSize", json_object_get(shader, "GroupSize"));
  if (any)
    json_object_del(shader, "GroupSize");
}

/* Counts what is marked. `keys` gets the names, "Buffers[0].Length, ...", of `named` of them, as far as there is room;
 * `path` is that of the value. */
static size_t count_marks(const json_t *value, const char *path, char *keys, size_t bytes, size_t *named)
{
  size_t count = json_is_string(value) && !strcmp(json_string_value(value), "?"), i;
  const size_t at = strlen(keys), numbers = json_array_size(value);
  const char *key, *first = json_string_value(json_array_get(value, 0));
  char inner[128];
  json_t *item;
  const bool room = strlen(path) + 24 < bytes - at;
  if (numbers > 3 && first && !strcmp(first, "?")) { /* those of a matrix or an array have one name */
    if (room)
      snprintf(keys + at, bytes - at, "%s%s[0 to %zu]", at ? ", " : "", path, numbers - 1);
    *named += room ? numbers : 0;
    return numbers;
  }
  if (count && room) {
    snprintf(keys + at, bytes - at, "%s%s", at ? ", " : "", path);
    ++*named;
  }
  json_object_foreach((json_t *)(uintptr_t)value, key, item)
  {
    snprintf(inner, sizeof inner, "%.60s%s%.60s", path, *path ? "." : "", key);
    count += count_marks(item, inner, keys, bytes, named);
  }
  json_array_foreach((json_t *)(uintptr_t)value, i, item)
  {
    snprintf(inner, sizeof inner, "%.100s[%zu]", path, i);
    count += count_marks(item, inner, keys, bytes, named);
  }
  return count;
}

/* Says which sides do not fit the buffers of the manifest, and what of them could not be read. */
static void report_differences(const xb_pair *pair, const json_t *root)
{
  const size_t buffers = json_array_size(json_object_get(root, "Buffers"));
  char structs[240];
  if (*xb_pair_structs(pair, 0, structs))
    printf("%s\n", structs + strlen("; "));
  for (const xb_pair_side *side = pair->sides; side < pair->sides + pair->side_count; side++) {
    const xb_reflection *r = &side->codes[0].reflection;
    size_t own = 0;
    char names[200] = "";
    for (size_t i = 0; i < r->count; i++) {
      const xb_code_parameter *p = &r->parameters[i];
      own += p->is_buffer || p->pointer;
      for (uint32_t m = 0; m < p->element.member_count && !p->is_buffer && !p->pointer; m++)
        own += p->element.members[m].pointer ? p->element.members[m].count : 0;
      if (p->open)
        printf("%s: %s is of an array without a length: add its other buffers to Buffers, %.*s[1] and so on\n",
               side->name, p->name, (int)strcspn(p->name, "["), p->name);
      if (p->is_buffer || p->pointer)
        xb_add_listed(names, sizeof names, p->name ? p->name : "?");
      else if (!p->element.member_count)
        printf("%s: the argument %s could not be read: it is not a number, vector, matrix or plain struct%s%s%s\n",
               side->name, p->name ? p->name : "?", p->element.bytes ? "; its words of 32 bits are " : "",
               p->element.bytes && p->name ? p->name : "", p->element.bytes ? "_0 and so on" : "");
    }
    if (own != buffers && side->kernel_count == 1)
      printf("%s: %zu buffers (%s), but the manifest has %zu: give Sides[%u] its own Buffers, and list their names in "
             "Shaders[0].Buffers\n",
             side->name, own, names, buffers, side->of);
  }
}

static int write_manifest(const char *path, const json_t *root)
{
  xb_error error;
  return xb_report_refusal(xb_json_write(path, root, JSON_INDENT(2) | JSON_ENSURE_ASCII, &error), &error);
}

int xb_pair_find_manifest(const char *source, char path[160], json_t **root)
{
  json_t *name = xb_pair_name_of(source);
  snprintf(path, 160, "%.140s.json", json_string_value(name));
  json_decref(name);
  *root = NULL;
  if (access(path, F_OK))
    return XB_EXIT_OK;
  xb_error error;
  const int refused = xb_report_refusal(xb_json_load(path, root, &error), &error);
  if (refused >= 0)
    return refused;
  const json_t *sides = json_object_get(*root, "Sides");
  const char *known = xb_pair_source_of(json_array_get(sides, 0));
  if (json_array_size(sides) == 1 && known && !strcmp(known, source))
    return XB_EXIT_OK;
  return xb_report_error(XB_EXIT_USAGE,
                         "pair: --scaffold: %s already exists, and %s is not its only side: move it away, or add the "
                         "other half to its Sides yourself",
                         path, source);
}

int xb_pair_add_side(const char *path, json_t *root, const json_t *side)
{
  json_array_append(json_object_get(root, "Sides"), (json_t *)(uintptr_t)side);
  const int code = write_manifest(path, root);
  if (code >= 0)
    return code;
  printf("%s: %s is now its second side\n", path, json_string_value(json_object_get(side, "Source")));
  return XB_EXIT_OK;
}

int xb_pair_init(xb_pair *pair, xb_pair_manifest *manifest)
{
  static const char header[] = "xbench_reference.h";
  const xb_blob *blob = xb_blob_find("pair/reference.h");
  char path[160], keys[600] = "";
  int code = compile(pair, manifest->root);
  if (code >= 0)
    return code;
  xb_pair_complete(pair, manifest->root, true);
  add_defaults(manifest->root);
  mark_groups(pair, manifest->root);
  json_t *ordered = in_order(manifest->root);
  snprintf(path, sizeof path, "%.140s.json", json_string_value(json_object_get(ordered, "Name")));
  size_t named = 0;
  const size_t marks = count_marks(ordered, "", keys, sizeof keys, &named);
  if (!access(path, F_OK))
    code = xb_report_error(XB_EXIT_USAGE, "pair: --init: %s already exists: move it away", path);
  code = code < 0 ? write_manifest(path, ordered) : code;
  if (code < 0 && access(header, F_OK) && blob && !xb_write_whole_file(header, blob->data, blob->bytes))
    code = xb_report_error(XB_EXIT_USAGE, "%s: cannot be written: %s", header, strerror(errno));
  json_decref(ordered);
  if (code >= 0)
    return code;
  printf("%s: written", path);
  if (marks)
    printf("; %zu value%s marked with ? must be filled in", marks, marks == 1 ? " that is" : "s that are");
  printf("%s%s", marks ? ": " : "", keys);
  if (named < marks)
    printf(" and %zu more", marks - named);
  printf("\n");
  report_differences(pair, manifest->root);
  printf("%s: written, for a reference in C\n", header);
  return XB_EXIT_OK;
}
