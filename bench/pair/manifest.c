#include "base/exit_codes.h"
#include "base/whole_file.h"
#include "benchmarks/registry.h"
#include "os/paths.h"
#include "pair/read.h"
#include "result/json_file.h"

#include <stdio.h>
#include <string.h>

/* ---- Sources ---------------------------------------------------------------------------------------------------- */

/* What compiling needs. */
static void read_entry(xb_manifest_reader *r, const json_t *item, uint32_t i, void *user)
{
  xb_pair_side *side = user;
  side->kernels[i] = (xb_pair_kernel){.entry = xb_text_of(r, item, "Entry")};
  xb_read_constants(r, item, &side->kernels[i]); /* the group size may be one */
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
    if (flags)
      xb_each(r, item, "Flags", MOST_FLAGS, xb_read_word, flags);
  }
  json_t *shaders = json_pack("{so}", "Shaders", xb_pair_shaders_of(r->m->root, item));
  xb_each(r, shaders, "Shaders", XB_PAIR_KERNELS, read_entry, side);
  json_decref(shaders);
  side->source.flags = flags;
  side->source.within = r->m->within;
  const char *folder = xb_is_absolute(file) ? "" : r->m->folder, first = *folder ? *folder : *file;
  const bool like_option = first == '-' || first == '@'; /* for a compiler */
  side->source.path = xb_keep(r, "%s%s%s", like_option ? "./" : "", folder, file);
  slash = strrchr(side->source.path, '/');
  side->name = slash ? slash + 1 : side->source.path;
  const char *compiler = side->source.compiler;
  side->label = xb_keep(r, "%s%s%s", side->name, compiler ? "." : "", compiler ? compiler : "");
  if (!r->code && (xb_pair_code_format(side->source.path, &side->format, r->err) ||
                   (compiler && xb_pair_check_compiler(compiler, side->source.path, r->err))))
    r->code = XB_INVALID;
  if (!r->code)
    r->code = xb_check_readable(side->source.path,
                                xb_pair_is_source(side->source.path) ? XB_MAX_SOURCE_BYTES : XB_MAX_FILE_BYTES, r->err);
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
      xb_refuse_value(r, "Constants", "expected at most %d names of whole numbers, 0 or more", XB_PAIR_CONSTANTS);
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
  xb_each(r, item, "Shaders", XB_PAIR_KERNELS, xb_read_kernel, side);
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
    xb_refuse_value(&r, "Name", "'%s' is the name of a benchmark that xbench has: choose another one, such as my_%s",
                    pair->name, pair->name);
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
                            "formulas have rows or columns, and %s gives only a length, %s: give both, by Size or "
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
