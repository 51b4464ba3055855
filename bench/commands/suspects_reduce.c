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
#include <unistd.h>

typedef struct reduction {
  xb_ways *w;
  xb_way right, wrong;
  const char *folder; /* of the case */
  const char *text;   /* of the source; NULL: it is not reduced */
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

/* ---- Files ------------------------------------------------------------------------------------------------------ */

static const char *path_in(const reduction *r, const char *name)
{
  return xb_arena_text(&r->w->arena, "%s/%s", r->folder, name);
}

/* Some rows of an .npy file, as a file in the folder. NULL: it does not divide so. */
static const char *cut_array(reduction *r, const char *path, const char *name, uint64_t first, uint64_t n, uint64_t of)
{
  char *data, *shape;
  size_t bytes;
  enum { START = 10 };
  if (xb_read_whole_file(path, &r->w->arena, &data, &bytes, NULL) || bytes < START)
    return NULL;
  const size_t begin = START + (unsigned char)data[8] + 256U * (unsigned char)data[9];
  char *header = xb_arena_text(&r->w->arena, "%.*s", (int)begin - START, data + START);
  shape = strstr(header, "'shape': (");
  const uint64_t length = shape ? strtoull(shape + 10, NULL, 10) : 0, each = length ? (bytes - begin) / length : 0;
  if (bytes < begin || !length || length * n % of || length * first % of)
    return NULL;
  const char *rest = shape + 10 + strspn(shape + 10, "0123456789"), *to = path_in(r, name);
  char *text = xb_arena_text(&r->w->arena, "%.*s%" PRIu64 "%.*s", (int)(shape + 10 - header), header, length * n / of,
                             (int)strcspn(rest, "\n"), rest);
  char *whole = xb_arena_take(&r->w->arena, bytes, 1);
  if (!whole)
    return NULL;
  memcpy(whole, data, START);
  snprintf(whole + START, bytes - START, "%-*s\n", (int)(begin - START - 1), text);
  const size_t kept = (size_t)(length * n / of * each);
  memcpy(whole + begin, data + begin + length * first / of * each, kept);
  return xb_write_whole_file(to, whole, begin + kept) ? to : NULL;
}

/* ---- The check -------------------------------------------------------------------------------------------------- */

/* True if the ways still differ. */
static bool still_shows(reduction *r)
{
  char folder[XB_TEMPORARY_BYTES], why[512];
  xb_ways *w = r->w;
  const char *before = w->folder;
  bool shows = false;
  r->tries++;
  if (!xb_ways_compile(w, &r->right) || !xb_ways_compile(w, &r->wrong) || !xb_temporary_folder(folder))
    return false;
  w->folder = folder;
  if (xb_way_run(w, &r->right, folder, why) == XB_SUSPECT_RIGHT && xb_ways_take_results(w)) {
    const xb_suspect_result result = xb_way_run(w, &r->wrong, NULL, why);
    shows = result == XB_SUSPECT_WRONG && (r->unwritten || !strstr(why, "was not written"));
  }
  w->folder = before;
  xb_temporary_remove(folder);
  if (shows)
    memcpy(r->why, why, sizeof why);
  return shows;
}

static void set_size(reduction *r, uint64_t n)
{
  r->w->c->in->raw.sizes = xb_arena_text(&r->w->arena, "%" PRIu64, n);
}

/* Inputs from files become as much shorter. */
static bool cut_inputs(reduction *r, json_t *buffers, uint64_t first, uint64_t n, uint64_t of)
{
  size_t i;
  json_t *buffer;
  json_array_foreach(buffers, i, buffer)
  {
    const char *fill = json_string_value(json_object_get(buffer, "Fill"));
    if (!fill || !xb_is_npy(fill))
      continue;
    const char *name = xb_arena_text(&r->w->arena, "%s.cut.npy", json_string_value(json_object_get(buffer, "Name"))),
               *path = *fill == '/' ? fill : xb_arena_text(&r->w->arena, "%s%s", r->w->c->manifest.folder, fill);
    const char *cut = cut_array(r, path, name, first, n, of);
    char whole[4096];
    if (!cut || !realpath(cut, whole))
      return false;
    json_object_set_new(buffer, "Fill", json_string(whole));
  }
  return true;
}

/* The fewest elements, a power of two. */
static void reduce_size(reduction *r)
{
  const char *text = r->w->c->in->raw.sizes, *is = strchr(r->why, '[');
  json_t *root = r->w->c->manifest.root, *before = json_deep_copy(json_object_get(root, "Buffers"));
  char *end = NULL;
  const uint64_t of = text ? strtoull(text, &end, 10) : 0, at = is ? strtoull(is + 1, NULL, 10) : 0;
  for (uint64_t n = 1; end && !*end && n < of && !is_over(r); n *= 2) {
    json_t *buffers = json_deep_copy(before);
    json_object_set(root, "Buffers", buffers);
    set_size(r, n);
    const bool shows = cut_inputs(r, buffers, at < of ? at / n * n : 0, n, of) && still_shows(r);
    json_decref(buffers);
    if (shows) {
      r->n = n;
      break;
    }
    json_object_set(root, "Buffers", before);
    r->w->c->in->raw.sizes = text;
  }
  json_decref(before);
}

/* Writes the text of both ways' source, without blank lines. */
static bool write_source(reduction *r, const char *text)
{
  char *kept = xb_arena_take(&r->w->arena, strlen(text) + 1, 1);
  size_t at = 0;
  for (const char *p = text; kept && *p; p += strcspn(p, "\n"), p += *p == '\n') {
    const size_t length = strcspn(p, "\n") + (p[strcspn(p, "\n")] == '\n');
    if (strspn(p, " \t\r") < strcspn(p, "\n")) {
      memcpy(kept + at, p, length);
      at += length;
    }
  }
  return kept && xb_write_whole_file(r->wrong.source.path, kept, at);
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
  r->right.source.path = r->wrong.source.path = path_in(r, side->name);
  r->right.source.within = r->wrong.source.within = NULL;
  bool smaller = text && list && write_source(r, text) && still_shows(r);
  if (!smaller) {
    r->right.source.path = r->wrong.source.path = side->source.path;
    return;
  }
  r->text = text;
  while (smaller && !is_over(r)) {
    const size_t count = xb_statements(text, list, MOST);
    smaller = false;
    for (size_t i = 0; i < count && !is_over(r); i++) {
      char *other = xb_arena_text(&r->w->arena, "%s", text);
      bool any = false;
      for (size_t k = list[i].begin; other && k < list[i].end; k++) {
        any |= other[k] > ' ';
        other[k] = other[k] == '\n' ? '\n' : ' ';
      }
      if (!any || !write_source(r, other) || !still_shows(r))
        continue;
      text = other;
      r->text = text;
      r->smaller++;
      smaller = true;
    }
  }
  write_source(r, r->text);
  still_shows(r);
}

/* ---- The folder ------------------------------------------------------------------------------------------------- */

/* A manifest of one way: its code if that is one module, else its source. */
static void write_manifest(reduction *r, const xb_way *way, const char *name)
{
  json_t *root = json_deep_copy(r->w->c->manifest.root), *results = json_array(), *buffer, *side;
  const bool module = way->codes && r->w->c->pair.sides[way->side].kernel_count == 1;
  const char *code = xb_arena_text(&r->w->arena, "%s.spv", name), *slash = strrchr(way->source.path, '/');
  char *data;
  size_t i, bytes;
  side = json_deep_copy(xb_pair_own_keys(root, r->w->c->pair.sides[way->side].of));
  json_object_del(side, "Flags");
  json_object_del(side, "Compiler");
  json_object_set_new(side, "Source", json_string(module ? code : slash ? slash + 1 : way->source.path));
  if (module)
    xb_write_whole_file(path_in(r, code), way->codes->data, way->codes->bytes);
  else {
    json_t *flags = json_array();
    for (const char *const *f = way->source.flags; f && *f; f++)
      json_array_append_new(flags, json_string(*f));
    json_object_set_new(side, "Flags", flags);
    if (way->source.compiler)
      json_object_set_new(side, "Compiler", json_string(way->source.compiler));
  }
  if (!xb_read_whole_file(way->source.path, &r->w->arena, &data, &bytes, NULL))
    xb_write_whole_file(path_in(r, slash ? slash + 1 : way->source.path), data, bytes);
  json_array_foreach(json_object_get(root, "Buffers"), i, buffer)
  {
    const char *buffer_name = json_string_value(json_object_get(buffer, "Name")),
               *access = json_string_value(json_object_get(buffer, "Access"));
    if (!strncmp(access, "in", 2))
      json_object_set_new(buffer, "Fill", json_sprintf("%s.npy", buffer_name));
    if (strstr(access, "out"))
      json_array_append_new(results,
                            json_pack("{ss, ss+}", "Actual", buffer_name, "Expected", buffer_name, ".right.npy"));
  }
  json_t *item;
  json_array_foreach(json_object_get(root, "Results"), i, item)
  {
    size_t k;
    json_t *result;
    json_array_foreach(results, k,
                       result) if (json_equal(json_object_get(item, "Actual"), json_object_get(result, "Actual")))
        json_object_update_missing(result, item);
  }
  json_object_set_new(root, "Results", results);
  json_object_set_new(root, "Sides", json_pack("[o]", side));
  json_object_del(root, "Reference");
  if (r->w->c->in->raw.sizes)
    json_object_set_new(root, "Size", json_string(r->w->c->in->raw.sizes));
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
    const char *dot = strchr(entry->d_name, '.');
    const int length = dot ? (int)(dot - entry->d_name) : 0;
    if (xb_is_npy(entry->d_name) && !strncmp(dot, ".cut.", 5))
      remove(path_in(r, entry->d_name));
    else if (xb_is_npy(entry->d_name) && strchr(dot + 1, '.') != strrchr(dot, '.'))
      rename(path_in(r, entry->d_name), path_in(r, xb_arena_text(&r->w->arena, "%.*s%s.npy", length, entry->d_name,
                                                                 strncmp(dot, ".input.", 7) != 0 ? ".right" : "")));
  }
  if (files)
    closedir(files);
}

static void write_command(const xb_way *way, const char *name, FILE *out)
{
  fprintf(out, "# the %s way", name);
  if (way->codes && way->codes->command)
    fprintf(out, "; its compiler ran as: %s", way->codes->command);
  fprintf(out, "\n");
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

/* What the modules of the two ways differ in, as spirv-dis prints them. */
static void write_changes(xb_ways *w, const xb_way *right, const xb_way *wrong, FILE *out)
{
  const char *tool = xb_find_program("spirv-dis", &w->arena);
  char *texts[2];
  for (uint32_t k = 0; right->codes && wrong->codes && tool && k < w->c->pair.sides[wrong->side].kernel_count; k++) {
    const xb_pair_binary *codes[] = {&right->codes[k], &wrong->codes[k]};
    for (int i = 0; i < 2; i++) {
      char path[XB_TEMPORARY_BYTES];
      const int fd = xb_temporary_file(path, ".spv");
      const char *const argv[] = {tool, "--no-color", "--no-header", path, NULL};
      const bool written = fd >= 0 && write(fd, codes[i]->data, codes[i]->bytes) == (ssize_t)codes[i]->bytes;
      if (fd >= 0)
        close(fd);
      if (!written || xb_run_program(argv, &w->arena, &texts[i], NULL))
        texts[i] = "";
      xb_temporary_remove(path);
    }
    xb_instructions_compare(texts[0], texts[1], out);
  }
}

/* The ways that differ least: of the side, or where all of its ways are wrong, one of another side. */
static bool choose(xb_ways *w, const xb_way **right, const xb_way **wrong)
{
  for (size_t i = 0; i < w->m.count; i++) {
    const xb_suspect *bad = &w->m.cells[i], *good = NULL;
    if (bad->result != XB_SUSPECT_WRONG)
      continue;
    if (!xb_suspects_nearest(&w->m, bad->side, &bad, &good))
      for (good = w->m.cells; good < w->m.cells + w->m.count && good->result != XB_SUSPECT_RIGHT;)
        good++;
    *wrong = &w->list[bad - w->m.cells];
    *right = good < w->m.cells + w->m.count ? &w->list[good - w->m.cells] : NULL;
    return *right;
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
  xb_report_error(XB_EXIT_USAGE, "--reduce: no folder can be made here: %s", strerror(errno));
  return NULL;
}

int xb_ways_reduce(xb_ways *w, const char *explanation, uint64_t limit_s)
{
  const xb_way *right, *wrong;
  if (!choose(w, &right, &wrong))
    return xb_report_error(-1,
                           "--reduce: nothing is wrong in one way and right in another: there is nothing to reduce");
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
  if (!out)
    return xb_report_error(XB_EXIT_USAGE, "--reduce: %s/README.txt: %s", r.folder, strerror(errno));
  fprintf(out, "%s\nThe wrong way: %s\n\n", explanation, r.why);
  write_command(&r.right, "right", out);
  write_command(&r.wrong, "wrong", out);
  fprintf(out, "\n");
  write_changes(w, &r.right, &r.wrong, out);
  if (fclose(out))
    return xb_report_error(XB_EXIT_USAGE, "--reduce: %s/README.txt: %s", r.folder, strerror(errno));
  printf("reduced: %s has the case, with its commands in README.txt; %s%s elements, %zu statements removed in %zu "
         "tries%s\n",
         r.folder, r.n ? "" : "still ", w->c->in->raw.sizes ? w->c->in->raw.sizes : "all", r.smaller, r.tries,
         is_over(&r) ? "; the time limit ended it (--reduce-limit)" : "");
  return -1;
}
