/* xbench pair --suspects --reduce: makes a case small while a right and a wrong way still differ, and writes it into a
 * folder. A right way gives the results that the wrong one is compared with, so statements that both lack do not
 * matter. */
#include "base/program.h"
#include "base/whole_file.h"
#include "commands/pair_suspects.h"
#include "core/clock.h"
#include "os/temporary.h"
#include "os/written_file.h"
#include "source/includes.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

typedef struct reduction {
  xb_ways *w;
  xb_way right, wrong;
  const char *folder; /* of the case */
  bool unwritten;     /* the fault is an element that is not written */
  double until;       /* by the clock */
  size_t tries, smaller;
  char why[512]; /* of the wrong way */
  uint64_t n;    /* 0: not reduced */
} reduction;

static bool is_over(const reduction *r)
{
  return xb_clock_ns() >= r->until;
}

static const char *path_in(const reduction *r, const char *name)
{
  return xb_arena_text(&r->w->arena, "%s/%s", r->folder, name);
}

static const char *text_of(const json_t *object, const char *key)
{
  const char *text = json_string_value(json_object_get(object, key));
  return text ? text : "";
}

/* True if the ways still differ. */
static bool still_shows(reduction *r)
{
  char folder[XB_TEMPORARY_BYTES], why[512];
  bool shows = false;
  r->tries++;
  if (!xb_ways_compile(r->w, &r->right) || !xb_ways_compile(r->w, &r->wrong) || !xb_temporary_folder(folder))
    return false;
  if (xb_ways_make_results(r->w, &r->right, folder, why))
    shows =
        xb_way_run(r->w, &r->wrong, NULL, why) == XB_SUSPECT_WRONG && (r->unwritten || !strstr(why, "was not written"));
  xb_temporary_remove(folder);
  if (shows)
    memcpy(r->why, why, sizeof why);
  return shows;
}

/* ---- Elements --------------------------------------------------------------------------------------------------- */

/* Elements from `first` on of an .npy file that has `of` of them, as a file in the folder. NULL: it does not divide so.
 * Its header keeps its length. */
static const char *cut_array(reduction *r, const char *path, const char *name, uint64_t first, uint64_t n, uint64_t of)
{
  enum { START = 10 };
  char *data, number[24];
  size_t bytes;
  if (xb_read_whole_file(path, &r->w->arena, &data, &bytes, NULL) || bytes < START)
    return NULL;
  const size_t begin = START + (unsigned char)data[8] + 256U * (unsigned char)data[9];
  char *shape = strstr(data + START, "'shape': (");
  const uint64_t length = shape ? strtoull(shape + 10, NULL, 10) : 0;
  if (bytes < begin || !length || length * n % of || length * first % of)
    return NULL;
  const size_t each = (bytes - begin) / length, kept = length * n / of * each;
  snprintf(number, sizeof number, "%-*" PRIu64, (int)strspn(shape + 10, "0123456789"), length * n / of);
  memcpy(shape + 10, number, strlen(number));
  memmove(data + begin, data + begin + length * first / of * each, kept);
  return xb_write_whole_file(path_in(r, name), data, begin + kept) ? path_in(r, name) : NULL;
}

/* Inputs from files become as much shorter. */
static bool cut_inputs(reduction *r, json_t *buffers, uint64_t first, uint64_t n, uint64_t of)
{
  size_t i;
  json_t *buffer;
  bool all = true;
  json_array_foreach(buffers, i, buffer)
  {
    const char *fill = text_of(buffer, "Fill"), *before = *fill == '/' ? "" : r->w->c->manifest.folder;
    const char *cut = xb_is_npy(fill)
                          ? cut_array(r, xb_arena_text(&r->w->arena, "%s%s", before, fill),
                                      xb_arena_text(&r->w->arena, "%s.cut.npy", text_of(buffer, "Name")), first, n, of)
                          : NULL;
    char whole[4096];
    if (cut && realpath(cut, whole))
      json_object_set_new(buffer, "Fill", json_string(whole));
    else
      all &= !xb_is_npy(fill);
  }
  return all;
}

/* The fewest elements, a power of two. */
static void reduce_size(reduction *r)
{
  const char *text = r->w->c->in->raw.sizes, *is = strchr(r->why, '[');
  json_t *root = r->w->c->manifest.root, *before = json_deep_copy(json_object_get(root, "Buffers"));
  char *end = "";
  const uint64_t of = text ? strtoull(text, &end, 10) : 0, at = is ? strtoull(is + 1, NULL, 10) : 0;
  for (uint64_t n = 1; !*end && n < of && !is_over(r) && !r->n; n *= 2) {
    json_t *buffers = json_deep_copy(before);
    json_object_set_new(root, "Buffers", buffers);
    r->w->c->in->raw.sizes = xb_arena_text(&r->w->arena, "%" PRIu64, n);
    if (cut_inputs(r, buffers, at < of ? at / n * n : 0, n, of) && still_shows(r))
      r->n = n;
  }
  if (!r->n) {
    json_object_set(root, "Buffers", before);
    r->w->c->in->raw.sizes = text;
  }
  json_decref(before);
}

/* ---- Statements ------------------------------------------------------------------------------------------------- */

/* The text without a statement, nor the line that would be blank. */
static char *leave_out(xb_ways *w, const char *text, const xb_statement *s)
{
  size_t begin = s->begin, end = s->end + strspn(text + s->end, " \t\r");
  while (begin && strchr(" \t", text[begin - 1]))
    begin--;
  const bool whole = (!begin || text[begin - 1] == '\n') && text[end] == '\n';
  return xb_arena_text(&w->arena, "%.*s%s%s", (int)begin, text, whole ? "" : " ", text + end + whole);
}

/* With this text as the source of both ways. */
static bool still_shows_with(reduction *r, const char *text)
{
  return text && xb_write_whole_file(r->wrong.source.path, text, strlen(text)) && still_shows(r);
}

/* The source with what it includes in its place, and then without each statement that is not needed, outer ones first,
 * until nothing more can go. */
static void reduce_source(reduction *r)
{
  enum { MOST = 2000 };
  xb_statement *list = xb_arena_take(&r->w->arena, MOST, sizeof *list);
  const xb_pair_side *side = &r->w->c->pair.sides[r->wrong.side];
  const xb_source_options options = {.flags = r->wrong.source.flags, .keeps_missing = true};
  char *text = xb_source_flatten(side->source.path, &options, &r->w->arena);
  for (char *p = text; p && (p = strstr(p, "\n\n"));) /* no blank lines */
    memmove(p, p + 1, strlen(p));
  r->right.source.path = r->wrong.source.path = path_in(r, side->name);
  r->right.source.within = r->wrong.source.within = NULL;
  if (!list || !still_shows_with(r, text)) {
    r->right.source.path = r->wrong.source.path = side->source.path;
    return;
  }
  for (size_t before = SIZE_MAX; before != r->smaller && !is_over(r);) {
    before = r->smaller;
    for (size_t i = 0; !is_over(r) && i < xb_statements(text, list, MOST);) {
      char *other = leave_out(r->w, text, &list[i]);
      const bool shows = still_shows_with(r, other);
      text = shows ? other : text;
      i += !shows; /* else the next one is there now */
      r->smaller += shows;
    }
  }
  still_shows_with(r, text);
}

/* ---- The folder ------------------------------------------------------------------------------------------------- */

/* A manifest of one way: its code if that is one module, else its source. */
static void write_manifest(reduction *r, const xb_way *way, const char *name)
{
  const xb_pair_side *of = &r->w->c->pair.sides[way->side];
  json_t *root = json_deep_copy(r->w->c->manifest.root), *before = json_incref(json_object_get(root, "Results"));
  json_t *side = json_deep_copy(xb_pair_own_keys(root, of->of)), *results = json_array(), *flags = json_array(), *item;
  const bool module = way->codes && of->kernel_count == 1;
  const char *code = xb_arena_text(&r->w->arena, "%s.spv", name), *slash = strrchr(way->source.path, '/'), *key;
  char *data;
  size_t i, k, bytes;
  const char *source = slash ? slash + 1 : way->source.path;
  if (!xb_read_whole_file(way->source.path, &r->w->arena, &data, &bytes, NULL))
    xb_write_whole_file(path_in(r, source), data, bytes);
  if (module)
    xb_write_whole_file(path_in(r, code), way->codes->data, way->codes->bytes);
  for (const char *const *f = way->source.flags; f && *f; f++)
    json_array_append_new(flags, json_string(*f));
  json_object_set_new(side, "Source", json_string(module ? code : source));
  json_object_set_new(side, "Flags", flags);
  json_object_set_new(side, "Compiler", json_string(way->source.compiler ? way->source.compiler : ""));
  if (module || !way->source.compiler)
    json_object_del(side, "Compiler");
  if (module)
    json_object_del(side, "Flags");
  json_array_foreach(json_object_get(root, "Buffers"), i, item)
  {
    const char *buffer = text_of(item, "Name"), *access = text_of(item, "Access");
    json_t *result = json_pack("{ss, ss+}", "Actual", buffer, "Expected", buffer, ".right.npy"), *known;
    if (!strncmp(access, "in", 2))
      json_object_set_new(item, "Fill", json_sprintf("%s.npy", buffer));
    json_array_foreach(before, k, known) if (!strcmp(text_of(known, "Actual"), buffer))
        json_object_update_missing(result, known);
    if (strstr(access, "out"))
      json_array_append(results, result);
    json_decref(result);
  }
  json_object_set_new(root, "Results", results);
  json_object_set_new(root, "Sides", json_pack("[o]", side));
  json_object_del(root, "Reference");
  if ((key = r->w->c->in->raw.sizes))
    json_object_set_new(root, "Size", json_string(key));
  json_decref(before);
  xb_save_json(path_in(r, xb_arena_text(&r->w->arena, "%s.json", name)), XB_OUTPUT_OTHER, root, JSON_INDENT(1));
}

/* The inputs and results of the right way, under the names that the manifests have: x.npy, y.right.npy. */
static void write_arrays(reduction *r)
{
  char why[512];
  struct dirent *entry;
  xb_way_run(r->w, &r->right, r->folder, why);
  DIR *files = opendir(r->folder);
  while (files && (entry = readdir(files))) {
    const char *dot = strchr(entry->d_name, '.'), *end = strncmp(dot, ".input.", 7) != 0 ? ".right" : "";
    if (!xb_is_npy(entry->d_name))
      continue;
    if (!strncmp(dot, ".cut.", 5))
      remove(path_in(r, entry->d_name));
    else if (strchr(dot + 1, '.') != strrchr(dot, '.')) /* not one that has its name already */
      rename(path_in(r, entry->d_name),
             path_in(r, xb_arena_text(&r->w->arena, "%.*s%s.npy", (int)(dot - entry->d_name), entry->d_name, end)));
  }
  if (files)
    closedir(files);
}

static void write_command(const xb_way *way, const char *name, FILE *out)
{
  const bool compiled = way->codes && way->codes->command;
  fprintf(out, "# the %s way%s%s\n", name, compiled ? "; its compiler ran as: " : "",
          compiled ? way->codes->command : "");
  if (*way->driver->manifest)
    fprintf(out, "VK_DRIVER_FILES=%s ", way->driver->manifest);
  if (way->order)
    fprintf(out, "XB_ORDER=%" PRIu32 " ", way->order);
  if (way->width)
    fprintf(out, "MESA_SHADER_CACHE_DISABLE=true LP_NATIVE_VECTOR_WIDTH=%" PRIu32 " ", way->width);
  fprintf(out, "XB_ALLOW_NEWER_SPIRV=1 xbench pair %s.json --backend %s", name, way->driver->backend);
  if (way->wave && way->codes)
    fprintf(out, " --wave %" PRIu32, way->wave);
  fprintf(out, "\n");
}

/* The instructions of a module, in a file. */
static bool write_instructions(xb_ways *w, const xb_pair_binary *code, const char *path)
{
  const char *const argv[] = {xb_find_program("spirv-dis", &w->arena), "--no-color", "--no-header", path, NULL};
  char *text;
  if (!*argv || !xb_write_whole_file(path, code->data, code->bytes) || xb_run_program(argv, &w->arena, &text, NULL))
    return false;
  FILE *out = fopen(path, "we");
  if (out)
    xb_instructions_write(text, out);
  return out && !fclose(out);
}

/* What the modules of two ways differ in, as spirv-dis prints them and diff compares them. */
static void write_changes(xb_ways *w, const xb_way *right, const xb_way *wrong, FILE *out)
{
  char folder[XB_TEMPORARY_BYTES], *text;
  const bool both = right->codes && wrong->codes && xb_temporary_folder(folder);
  for (uint32_t k = 0; both && k < w->c->pair.sides[wrong->side].kernel_count; k++) {
    const char *const argv[] = {xb_find_program("diff", &w->arena),
                                "-U1",
                                "-FOpFunction ",
                                xb_arena_text(&w->arena, "%s/right", folder),
                                xb_arena_text(&w->arena, "%s/wrong", folder),
                                NULL};
    if (!*argv || !write_instructions(w, &right->codes[k], argv[3]) ||
        !write_instructions(w, &wrong->codes[k], argv[4]))
      continue;
    xb_run_program(argv, &w->arena, &text, NULL); /* it ends with 1 where they differ */
    for (const char *p = text; *p; p += strcspn(p, "\n"), p += *p == '\n')
      if (*p == '@') /* @@ -1,2 +1,2 @@ %main = OpFunction */
        fprintf(out, "@%.*s\n", (int)strcspn(p, "\n") - (int)strcspn(p + 2, "@") - 4, p + strcspn(p + 2, "@") + 4);
      else if (strncmp(p, "---", 3) != 0 && strncmp(p, "+++", 3) != 0)
        fprintf(out, "%.*s\n", (int)strcspn(p, "\n"), p);
  }
  if (both)
    xb_temporary_remove(folder);
}

/* The ways that differ least: of the side, or where all of its ways are wrong, one of another side. */
static bool choose(xb_ways *w, const xb_way **right, const xb_way **wrong)
{
  for (const xb_suspect *bad = w->m.cells, *good = NULL; bad < w->m.cells + w->m.count; bad++) {
    if (bad->result != XB_SUSPECT_WRONG)
      continue;
    if (!xb_suspects_nearest(&w->m, bad->side, &bad, &good))
      for (good = w->m.cells; good < w->m.cells + w->m.count && good->result != XB_SUSPECT_RIGHT;)
        good++;
    *wrong = &w->list[bad - w->m.cells];
    *right = &w->list[good - w->m.cells];
    return good < w->m.cells + w->m.count;
  }
  return false;
}

void xb_ways_print_changes(xb_ways *w, FILE *out)
{
  const xb_way *right, *wrong;
  if (choose(w, &right, &wrong) && right->side == wrong->side)
    write_changes(w, right, wrong, out);
}

/* NAME-reduced, or NAME-reduced-2 ...: one that does not exist. */
static const char *make_folder(xb_ways *w)
{
  for (int i = 1; i < 1000; i++) {
    const char *name = xb_arena_text(&w->arena, i > 1 ? "%s-reduced-%d" : "%s-reduced", w->m.pair, i);
    if (!mkdir(name, 0777))
      return name;
    if (errno != EEXIST)
      break;
  }
  xb_report_error(XB_EXIT_USAGE, "--reduce: cannot create a folder here: %s", strerror(errno));
  return NULL;
}

int xb_ways_reduce(xb_ways *w, const char *explanation, uint64_t limit_s)
{
  const xb_way *right, *wrong;
  if (!choose(w, &right, &wrong))
    return xb_report_error(-1,
                           "--reduce: there is nothing to reduce: no side is wrong in one way and right in another");
  reduction r = {.w = w, .right = *right, .wrong = *wrong, .folder = make_folder(w)};
  if (!r.folder)
    return XB_EXIT_USAGE;
  snprintf(r.why, sizeof r.why, "%s", w->m.cells[wrong - w->list].why);
  r.unwritten = strstr(r.why, "was not written");
  r.until = xb_clock_ns() + 1e9 * (double)limit_s;
  reduce_size(&r);
  if (right->side == wrong->side && !is_over(&r))
    reduce_source(&r);
  write_arrays(&r);
  write_manifest(&r, &r.right, "right");
  write_manifest(&r, &r.wrong, "wrong");
  FILE *out = fopen(path_in(&r, "README.txt"), "we");
  if (out) {
    fprintf(out, "%s\nThe wrong way: %s\n\n", explanation, r.why);
    write_command(&r.right, "right", out);
    write_command(&r.wrong, "wrong", out);
    fprintf(out, "\n");
    write_changes(w, &r.right, &r.wrong, out);
  }
  if (!out || fclose(out))
    return xb_report_error(XB_EXIT_USAGE, "--reduce: %s/README.txt: %s", r.folder, strerror(errno));
  printf("reduced: %s contains the case, with its commands in README.txt; %s%s elements, %zu statements removed in %zu "
         "tries%s\n",
         r.folder, r.n ? "" : "still ", w->c->in->raw.sizes ? w->c->in->raw.sizes : "all", r.smaller, r.tries,
         is_over(&r) ? "; the time limit ended it (--reduce-limit)" : "");
  return -1;
}
