/* A manifest: opened, and read into a pair. */
#include "base/exit_codes.h"
#include "base/whole_file.h"
#include "benchmarks/registry.h"
#include "os/paths.h"
#include "pair/numbers.h"
#include "pair/pair.h"
#include "pair/read.h"
#include "result/json_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Kernels of a side: those of the pair, with its own keys over theirs ---------------------------------------- */

/* Keys that a side may have itself: they hold for each of its kernels. */
static const char *const keys[] = {"GroupSize", "DispatchGroupCount",      "Arguments",     "DynamicSharedBytes",
                                   "WaveSize",  "SpecializationConstants", "ConstantMemory"};

void xb_pair_put(json_t *shader, const char *key, json_t *value)
{
  json_t *old = json_object_get(shader, key), *member;
  const char *name;
  if (json_is_object(old) && json_is_object(value)) {
    json_object_foreach(value, name, member) xb_pair_put(old, name, member);
  } else if (json_is_null(value))
    json_object_del(shader, key);
  else
    json_object_set_new(shader, key, json_deep_copy(value));
}

json_t *xb_pair_shaders_of(const json_t *root, const json_t *side)
{
  const json_t *common = json_object_get(root, "Shaders"), *own = json_object_get(side, "Shaders");
  const json_t *entries = json_object_get(side, "Entries");
  const size_t count = json_array_size(json_is_array(own) ? own : common);
  json_t *list = json_array();
  for (size_t k = 0; k < (count ? count : 1); k++) {
    const json_t *of_pair = json_array_get(common, k); /* what is no object is refused where it is read */
    json_t *shader = of_pair ? json_deep_copy(of_pair) : json_object(), *value;
    const char *key;
    json_array_append_new(list, shader);
    json_t *entry = json_object_get(shader, "Entry");
    json_t *called = json_is_string(entry) ? json_object_get(entries, json_string_value(entry)) : NULL;
    if (entry && !json_object_get(shader, "Name"))
      json_object_set(shader, "Name", entry);
    if (called)
      json_object_set(shader, "Entry", called);
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
      if ((value = json_object_get(side, keys[i])))
        xb_pair_put(shader, keys[i], value);
    json_object_foreach(json_array_get(own, k), key, value) xb_pair_put(shader, key, value);
  }
  return list;
}

const char *xb_pair_source_of(const json_t *side)
{
  return json_string_value(json_is_object(side) ? json_object_get(side, "Source") : side);
}

json_t *xb_pair_own_keys(json_t *root, size_t i)
{
  json_t *sides = json_object_get(root, "Sides"), *side = json_array_get(sides, i);
  if (json_is_string(side))
    json_array_set_new(sides, i, json_pack("{sO}", "Source", side));
  return json_array_get(sides, i);
}

/* ---- Items of Shaders ------------------------------------------------------------------------------------------- */

static void read_group(xb_manifest_reader *r, const json_t *item, uint32_t i, void *user)
{
  uint32_t *group = user;
  const char *name = json_string_value(item);
  for (uint32_t k = 0; name && k < r->pair->constant_count; k++)
    if (!strcmp(r->pair->constants[k].name, name) && r->pair->constants[k].value <= 65536)
      group[i] = (uint32_t)r->pair->constants[k].value;
  if (name && group[i])
    return;
  if (!json_is_integer(item) || json_integer_value(item) < 1 || json_integer_value(item) > 65536)
    xb_refuse_value(r, NULL, "expected a number of threads, or a constant's name");
  else
    group[i] = (uint32_t)json_integer_value(item);
}

static void read_groups(xb_manifest_reader *r, const json_t *item, uint32_t i, void *user)
{
  const char **groups = user;
  char number[32];
  snprintf(number, sizeof number, "%lld", (long long)json_integer_value(item));
  if (json_is_string(item) && !strcmp(json_string_value(item), "?"))
    xb_refuse_value(r, NULL,
                    r->m->text ? "unknown value: fill it in"
                               : "the source does not set the group size: give --group, such as 256");
  else if (json_is_string(item) || json_is_integer(item))
    groups[i] = xb_keep(r, "%s", json_is_string(item) ? json_string_value(item) : number);
  else
    xb_refuse_value(r, NULL, "expected a formula");
}

static void read_used_buffer(xb_manifest_reader *r, const json_t *item, uint32_t i, void *user)
{
  xb_pair_kernel *k = user;
  const char *name = json_string_value(item) ? json_string_value(item) : "";
  k->buffers[i] = xb_find_buffer(r->pair, name);
  k->buffer_count = i + 1;
  if (k->buffers[i] == r->pair->buffer_count)
    xb_refuse_value(r, NULL, "'%s' is not a buffer", name);
}

/* {"AddressOf": "x"}: 1 + the buffer. */
static uint32_t read_address(xb_manifest_reader *r, const char *key, const json_t *value)
{
  const char *name = json_string_value(json_object_get(value, "AddressOf"));
  const uint32_t buffer = name ? xb_find_buffer(r->pair, name) : r->pair->buffer_count;
  if (name && !strcmp(name, "?"))
    xb_unknown_value(r, key);
  else if (!name || json_object_size(value) != 1)
    xb_refuse_value(r, key, "expected {\"AddressOf\": \"BUFFER\"}, or a number");
  else if (buffer == r->pair->buffer_count)
    xb_refuse_value(r, key, "AddressOf: '%s' is not a buffer", name);
  return buffer + 1;
}

static xb_pair_value read_value(xb_manifest_reader *r, const char *key, const json_t *value)
{
  char whole[32], *end = NULL;
  snprintf(whole, sizeof whole, "%lld", (long long)json_integer_value(value));
  const char *text = json_is_integer(value) ? whole : json_string_value(value);
  if (json_is_object(value))
    return (xb_pair_value){.address_of = read_address(r, key, value)};
  xb_pair_value v = {.number = json_number_value(value)};
  if (text && !strcmp(text, "?"))
    xb_unknown_value(r, key);
  if (text)
    v.number = strtod(text, &end);
  if (end && (*end == 'f' || *end == 'F')) /* 0.5f, as in the source */
    end++;
  const bool number = text ? end > text && !*end && strpbrk(text, ".eE-nN") : json_is_number(value);
  v.formula = number ? NULL : text ? xb_keep(r, "%s", text) : "";
  if (!text && !number)
    xb_refuse_value(r, key, "expected a number, a formula, or a list of them");
  return v;
}

/* The numbers of lists in lists follow each other. */
static void read_values(xb_manifest_reader *r, const char *key, const json_t *value, xb_pair_argument *a)
{
  const json_t *item;
  size_t i;
  if (!json_is_array(value) && a->count < XB_PAIR_VALUES)
    a->values[a->count++] = read_value(r, key, value);
  else if (!json_is_array(value))
    xb_refuse_value(r, key, "has more than %d numbers", XB_PAIR_VALUES);
  json_array_foreach((json_t *)(uintptr_t)value, i, item) read_values(r, key, item, a);
}

static void read_arguments(xb_manifest_reader *r, const json_t *object, xb_pair_kernel *k)
{
  const char *name;
  json_t *value, *arguments = json_object_get(object, "Arguments");
  if (arguments && !json_is_object(arguments))
    xb_refuse_value(r, "Arguments", "expected an object, such as {\"n\": \"n\"}");
  if (json_object_size(arguments) > XB_PAIR_ARGUMENTS)
    xb_refuse_value(r, "Arguments", "together with Sides[i].Arguments a side has %zu: expected at most %d",
                    json_object_size(arguments), XB_PAIR_ARGUMENTS);
  json_object_foreach(arguments, name, value)
  {
    char key[128];
    xb_pair_argument *a = &k->arguments[k->argument_count++];
    snprintf(key, sizeof key, "Arguments.%s", name);
    *a = (xb_pair_argument){.name = xb_keep(r, "%s", name),
                            .values = xb_arena_take(&r->pair->arena, XB_PAIR_VALUES, sizeof *a->values)};
    if (!a->values)
      xb_refuse_value(r, key, "out of host memory");
    if (!r->code)
      read_values(r, key, value, a);
    if (r->code)
      return;
  }
}

/* SpecializationConstants of an item of Shaders. */
static void read_constants(xb_manifest_reader *r, const json_t *object, xb_pair_kernel *k)
{
  const char *id;
  json_t *value;
  if (json_object_get(object, "SpecializationConstants") &&
      !json_is_object(json_object_get(object, "SpecializationConstants")))
    xb_refuse_value(r, "SpecializationConstants", "expected an object, such as {\"0\": 16}");
  json_object_foreach(json_object_get(object, "SpecializationConstants"), id, value)
  {
    if (k->constant_count == XB_MAX_SPECIALIZATIONS)
      xb_refuse_value(r, "SpecializationConstants", "has more than %d items", XB_MAX_SPECIALIZATIONS);
    if (r->code)
      return;
    xb_specialization *s = &k->constants[k->constant_count++];
    char *end;
    const float f = (float)json_real_value(value);
    uint32_t bits;
    memcpy(&bits, &f, sizeof bits);
    *s = (xb_specialization){.id = (uint32_t)strtoul(id, &end, 10)};
    s->value = json_is_real(value) ? bits : (uint32_t)json_integer_value(value);
    if (json_is_string(value) && !strcmp(json_string_value(value), "?"))
      xb_unknown_value(r, "SpecializationConstants");
    else if (*end || end == id || !json_is_number(value))
      xb_refuse_value(r, "SpecializationConstants",
                      "'%s': expected the number of a constant, and a number as its value", id);
  }
}

/* {"factors": {"Format": "float32", "Values": [1, 2, 3]}} */
static void read_memories(xb_manifest_reader *r, const json_t *object, xb_pair_kernel *k)
{
  const char *name;
  json_t *value, *item, *memories = json_object_get(object, "ConstantMemory");
  size_t i;
  if (json_object_size(memories) > XB_PAIR_MEMORIES)
    xb_refuse_value(r, "ConstantMemory", "has more than %d items", XB_PAIR_MEMORIES);
  json_object_foreach(memories, name, value)
  {
    xb_dtype dtype = XB_FLOAT32;
    const char *format = json_string_value(json_object_get(value, "Format"));
    const json_t *values = json_object_get(value, "Values");
    const size_t count = json_array_size(values);
    json_array_foreach((json_t *)(uintptr_t)values, i, item) if (!json_is_number(item))
        xb_refuse_value(r, "ConstantMemory", "'%s': expected numbers as its Values, one for each element", name);
    if (!format || !xb_dtype_find(format, strlen(format), &dtype) || !count)
      xb_refuse_value(r, "ConstantMemory", "'%s': expected {\"Format\": \"float32\", \"Values\": [1, 2]}", name);
    if (r->code)
      return;
    char *data = xb_arena_take(&r->pair->arena, count, xb_dtype_bytes(dtype));
    json_array_foreach((json_t *)(uintptr_t)values, i, item) if (data)
        xb_put_number(dtype, json_number_value(item), data + i * xb_dtype_bytes(dtype));
    k->memories[k->memory_count++] = (xb_constant){xb_keep(r, "%s", name), data, count * xb_dtype_bytes(dtype)};
  }
}

static void read_kernel(xb_manifest_reader *r, const json_t *item, uint32_t i, void *user)
{
  xb_pair_side *side = user;
  xb_pair_kernel *k = &side->kernels[i];
  xb_check_keys(
      r, item,
      "Name Source Entry GroupSize DispatchGroupCount Buffers Arguments Parameters DynamicSharedBytes WaveSize "
      "SpecializationConstants ConstantMemory");
  *k = (xb_pair_kernel){.entry = xb_text_of(r, item, "Entry"), .path = k->path, .groups = {"1", "1", "1"}};
  k->shown = xb_keep(r, "%s", k->entry ? k->entry : r->pair->name);
  k->name = json_object_get(item, "Name") ? xb_text_of(r, item, "Name") : k->entry;
  xb_each(r, item, "GroupSize", 3, read_group, k->group);
  for (int d = 1; d < 3 && k->group[0]; d++)
    k->group[d] = k->group[d] ? k->group[d] : 1;
  if (!json_array_size(json_object_get(item, "DispatchGroupCount")))
    xb_refuse_value(r, "DispatchGroupCount", "is missing: expected a list of formulas, such as [\"ceil(n/256)\"]");
  xb_each(r, item, "DispatchGroupCount", 3, read_groups, k->groups);
  xb_each(r, item, "Buffers", XB_PAIR_BUFFERS, read_used_buffer, k);
  for (uint32_t b = 0; !json_object_get(item, "Buffers") && b < r->pair->buffer_count; b++)
    if (!r->pair->buffers[b].only || r->pair->buffers[b].only == side->of + 1)
      k->buffers[k->buffer_count++] = b;
  read_arguments(r, item, k);
  k->parameter_count = (uint32_t)json_array_size(json_object_get(item, "Parameters"));
  xb_each(r, item, "Parameters", XB_MAX_PARAMETERS, xb_read_word, k->parameters);
  k->shared_bytes = xb_text_of(r, item, "DynamicSharedBytes");
  k->wave = xb_count_of(r, item, "WaveSize", 128);
  read_constants(r, item, k);
  read_memories(r, item, k);
}

/* ---- Sources ---------------------------------------------------------------------------------------------------- */

/* From the manifest's folder on, and such that no compiler takes it for an option. */
static const char *path_of(xb_manifest_reader *r, const char *file)
{
  const char *folder = xb_is_absolute(file) ? "" : r->m->folder, first = *folder ? *folder : *file;
  return xb_keep(r, "%s%s%s", first == '-' || first == '@' ? "./" : "", folder, file);
}

static xb_code check_source(const char *path, const char *compiler, xb_error *err)
{
  if (compiler && xb_pair_check_compiler(compiler, path, err))
    return XB_INVALID;
  return xb_check_readable(path, xb_pair_is_source(path) ? XB_MAX_SOURCE_BYTES : XB_MAX_FILE_BYTES, err);
}

/* What compiling needs. */
static void read_entry(xb_manifest_reader *r, const json_t *item, uint32_t i, void *user)
{
  xb_pair_side *side = user;
  const char *own = xb_text_of(r, item, "Source"), *format = NULL;
  side->kernels[i] =
      (xb_pair_kernel){.entry = xb_text_of(r, item, "Entry"), .path = own ? path_of(r, own) : side->source.path};
  if (own && !r->code && xb_pair_code_format(side->kernels[i].path, &format, r->err))
    r->code = XB_INVALID;
  if (own && !r->code && strcmp(format, side->format) != 0)
    xb_refuse_value(r, "Source", "'%s' is for another API than '%s', the side's source", own, side->name);
  if (own && !r->code)
    r->code = check_source(side->kernels[i].path, side->source.compiler, r->err);
  read_constants(r, item, &side->kernels[i]); /* the group size may be one */
  side->kernel_count = i + 1;
}

static void read_side(xb_manifest_reader *r, const json_t *item, uint32_t i, void *user)
{
  enum { MOST_FLAGS = 32 };
  xb_pair_side *side = &r->pair->sides[i];
  const char *file = json_string_value(item), *slash;
  const char **flags = xb_arena_take(&r->pair->arena, MOST_FLAGS + 1, sizeof *flags);
  (void)user;
  *side = (xb_pair_side){.of = i};
  if (!file) {
    xb_check_keys(r, item,
                  "Source Compiler Flags Entries Shaders Dispatches Buffers GroupSize DispatchGroupCount Arguments "
                  "DynamicSharedBytes WaveSize SpecializationConstants ConstantMemory");
    file = xb_needed_text(r, item, "Source");
    side->source.compiler = xb_text_of(r, item, "Compiler");
    const char *path = side->source.compiler ? strchr(side->source.compiler, '=') : NULL; /* of the command line */
    side->source.tool = path ? path + 1 : NULL;
    if (path)
      side->source.compiler = xb_keep(r, "%.*s", (int)(path - side->source.compiler), side->source.compiler);
    if (flags)
      xb_each(r, item, "Flags", MOST_FLAGS, xb_read_word, flags);
  }
  side->source.flags = flags;
  side->source.within = r->m->within;
  side->source.path = path_of(r, file);
  slash = strrchr(side->source.path, '/');
  side->name = slash ? slash + 1 : side->source.path;
  const char *compiler = side->source.compiler;
  side->label = xb_keep(r, "%s%s%s", side->name, compiler ? "." : "", compiler ? compiler : "");
  if (!r->code && xb_pair_code_format(side->source.path, &side->format, r->err))
    r->code = XB_INVALID;
  if (!r->code)
    r->code = check_source(side->source.path, compiler, r->err);
  json_t *shaders = json_pack("{so}", "Shaders", xb_pair_shaders_of(r->m->root, item));
  xb_each(r, shaders, "Shaders", XB_PAIR_KERNELS, read_entry, side);
  json_decref(shaders);
  r->pair->side_count = i + 1;
}

xb_code xb_pair_read_sources(const xb_pair_manifest *manifest, xb_pair *pair, xb_error *err)
{
  xb_manifest_reader r = {.m = manifest, .pair = pair, .err = err};
  xb_check_keys(&r, manifest->root,
                "$schema Name Title Sides Size Constants Buffers Shaders Dispatches Results Reference Bytes Flops "
                "ConfigurationSpace");
  pair->side_count = 0;
  xb_each(&r, manifest->root, "Sides", XB_PAIR_SOURCES, read_side, NULL);
  if (!pair->side_count)
    xb_refuse_value(&r, "Sides", "name one source or more");
  return r.code;
}

/* ---- The pair --------------------------------------------------------------------------------------------------- */

static void read_step(xb_manifest_reader *r, const json_t *item, uint32_t i, void *user)
{
  const char *name = json_string_value(item) ? json_string_value(item) : "";
  xb_pair_side *side = user;
  uint32_t k = 0;
  while (k < side->kernel_count && (!side->kernels[k].name || strcmp(side->kernels[k].name, name) != 0))
    k++;
  if (!strcmp(name, "Barrier"))
    k = XB_PAIR_BARRIER;
  else if (k == side->kernel_count)
    xb_refuse_value(r, NULL, "'%s' is neither an entry of Shaders nor Barrier", name);
  side->steps[i] = k;
  side->step_count = i + 1;
}

static void read_names(xb_manifest_reader *r)
{
  const char *name;
  json_t *value;
  xb_pair *p = r->pair;
  p->constant_count = 0;
  json_object_foreach(json_object_get(r->m->root, "Constants"), name, value)
  {
    if (!json_is_integer(value) || json_integer_value(value) < 0 || p->constant_count == XB_PAIR_CONSTANTS)
      xb_refuse_value(r, "Constants", "expected at most %d names, each with a whole number, 0 or more",
                      XB_PAIR_CONSTANTS);
    else
      p->constants[p->constant_count++] =
          (xb_named_number){xb_keep(r, "%s", name), (uint64_t)json_integer_value(value)};
  }
}

/* Kernels follow each other, with barriers between them, unless the manifest says otherwise. */
static void default_steps(xb_pair_side *side)
{
  for (uint32_t k = 0; k < side->kernel_count; k++) {
    if (k)
      side->steps[side->step_count++] = XB_PAIR_BARRIER;
    side->steps[side->step_count++] = k;
  }
}

static bool is_of_matrix(const char *formula)
{
  return formula && (strstr(formula, "rows") || strstr(formula, "columns"));
}

/* True if a formula of the side has rows or columns: n is then the number of elements of a matrix. */
static bool has_matrix(const xb_pair *pair, const xb_pair_side *side)
{
  bool has = false;
  for (uint32_t b = 0; b < pair->buffer_count; b++)
    has |= is_of_matrix(side->buffers[b].length) || is_of_matrix(side->buffers[b].image.width) ||
           is_of_matrix(side->buffers[b].image.height);
  for (const xb_pair_kernel *k = side->kernels; k < side->kernels + side->kernel_count; k++) {
    for (int d = 0; d < 3; d++)
      has |= is_of_matrix(k->groups[d]);
    for (uint32_t a = 0; a < k->argument_count; a++)
      for (uint32_t v = 0; v < k->arguments[a].count; v++)
        has |= is_of_matrix(k->arguments[a].values[v].formula);
  }
  return has;
}

/* The kernels and dispatches of a side, and its own buffers. */
static void read_own(xb_manifest_reader *r, xb_pair_side *side)
{
  const json_t *item = json_array_get(json_object_get(r->m->root, "Sides"), side->of);
  snprintf(r->path, sizeof r->path, "Sides[%u]", side->of);
  xb_each(r, item, "Shaders", XB_PAIR_KERNELS, read_kernel, side);
  if (json_object_get(item, "Dispatches"))
    xb_each(r, item, "Dispatches", XB_PAIR_STEPS, read_step, side);
  *r->path = 0;
  if (!side->step_count)
    xb_each(r, r->m->root, "Dispatches", XB_PAIR_STEPS, read_step, side);
  if (!side->step_count)
    default_steps(side);
  r->pair->matrix |= has_matrix(r->pair, side);
}

xb_code xb_pair_read(const xb_pair_manifest *manifest, xb_pair *pair, xb_error *err)
{
  xb_manifest_reader r = {.m = manifest, .pair = pair, .err = err};
  const json_t *root = manifest->root;
  pair->name = xb_needed_text(&r, root, "Name");
  if (!*pair->name || strspn(pair->name, "abcdefghijklmnopqrstuvwxyz0123456789_") < strlen(pair->name))
    xb_refuse_value(&r, "Name", "'%s': expected lower-case letters, digits and _", pair->name);
  if (xb_benchmark_find(pair->name))
    xb_refuse_value(&r, "Name", "'%s' is a built-in benchmark: choose another name, such as my_%s", pair->name,
                    pair->name);
  pair->title = xb_text_of(&r, root, "Title");
  pair->sizes = xb_text_of(&r, root, "Size");
  read_names(&r);
  pair->buffer_count = 0;
  pair->matrix = false;
  xb_each(&r, root, "Buffers", XB_PAIR_BUFFERS, xb_read_buffer, NULL);
  xb_each(&r, root, "Results", XB_PAIR_BUFFERS, xb_read_result, NULL);
  xb_read_side_buffers(&r);
  for (uint32_t i = 0; i < pair->side_count; i++)
    read_own(&r, &pair->sides[i]);
  if (pair->matrix && pair->file_shape && *pair->file_shape) {
    pair->sizes = pair->sizes ? pair->sizes : pair->file_shape;
    pair->unsized = NULL;
  } else if (pair->matrix && pair->file_length)
    pair->unsized = xb_keep(&r,
                            "formulas use rows or columns, but %s gives only a length, %s: give both, by Size or "
                            "--size, such as 100x200",
                            pair->file, pair->file_length);
  pair->sizes = pair->sizes || pair->unsized ? pair->sizes : pair->file_length;
  pair->reference = xb_text_of(&r, root, "Reference");
  pair->bytes = xb_text_of(&r, root, "Bytes");
  pair->flops = xb_text_of(&r, root, "Flops");
  if (r.file.code && r.code) /* r.code is another mistake, which is told after this one */
    xb_report_error(0, "%s", r.file.message);
  else if (r.file.code)
    *err = r.file;
  return r.code ? r.code : r.file.code;
}

xb_code xb_pair_open(const char *path, xb_arena *arena, xb_pair_manifest *manifest, xb_error *err)
{
  char *text;
  size_t bytes;
  const char *slash = strrchr(path, '/');
  const xb_code code = xb_read_file(path, XB_MAX_SOURCE_BYTES, arena, &text, &bytes, err);
  if (code)
    return code;
  const char *folder = xb_arena_text(arena, "%.*s", slash ? (int)(slash + 1 - path) : 0, path);
  *manifest = (xb_pair_manifest){.where = path, .text = text, .folder = folder ? folder : ""};
  const xb_code failed = xb_json_parse(path, text, bytes, &manifest->root, err);
  manifest->within = xb_pair_trust.paths ? NULL : *manifest->folder ? manifest->folder : ".";
  return failed ? failed : xb_pair_check_trust(manifest, err);
}
