/* xbench pair --suspects: runs each way in a process of its own, against the same right results, and explains what came
 * of them. */
#include "commands/pair_suspects.h"
#include "base/fold.h"
#include "base/terminal.h"
#include "commands/run_in_child.h"
#include "core/clock.h"
#include "guide/scan/scan.h"
#include "os/child.h"
#include "os/memory_file.h"
#include "os/temporary.h"

#include <dirent.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- One way ---------------------------------------------------------------------------------------------------- */

typedef struct way_run {
  xb_ways *w;
  const xb_way *way;
  const char *dump;
} way_run;

static void set_number(const char *variable, uint32_t value)
{
  char text[16];
  snprintf(text, sizeof text, "%" PRIu32, value);
  setenv(variable, text, 1);
}

/* In the other process: the pair has one side. */
static int run_way(const char *path, void *user)
{
  const way_run *r = user;
  const xb_way *way = r->way;
  xb_pair_command *c = r->w->c;
  xb_options *o = &c->in->options;
  xb_use_vulkan_driver(way->driver->manifest);
  setenv("XB_ALLOW_NEWER_SPIRV", "1", 0); /* of a compiler that is newer than the validator */
  if (way->width) {
    set_number("LP_NATIVE_VECTOR_WIDTH", way->width);
    setenv("MESA_SHADER_CACHE_DISABLE", "true", 1); /* its key does not have the width */
  }
  set_number("XB_ORDER", way->order);
  o->json = path;
  o->csv = NULL;
  o->in_child = o->quiet = o->conditions.no_controls = true;
  o->sampling.min_time_s = o->sampling.max_time_s = 1e-6; /* no time is shown */
  o->devices.backend = way->driver->backend;
  if (way->driver->emulates && way->codes) {
    o->devices.waves = way->wave;
    c->in->raw.waves = xb_arena_text(&r->w->arena, "%" PRIu32, way->wave);
  }
  c->pair.sides[0] = c->pair.sides[way->side];
  c->pair.sides[0].source = way->source;
  c->pair.sides[0].compiled = way->codes;
  c->pair.side_count = 1;
  c->left_out = true; /* other sides may have what this one lacks */
  c->unchecked = r->dump;
  c->dump = r->dump;
  c->given.references = r->dump ? (xb_text_list){0} : r->w->references;
  const int code = xb_pair_run_in_child(c);
  return code && truncate(path, 0) ? XB_EXIT_DEVICE : code;
}

xb_suspect_result xb_way_run(xb_ways *w, const xb_way *way, const char *dump, char why[512])
{
  way_run r = {w, way, dump};
  char *document;
  size_t bytes;
  const int code = xb_call_in_child(run_way, &r, &document, &bytes, why);
  free(document);
  if (code < 0)
    *why = 0;
  return code < 0                 ? XB_SUSPECT_RIGHT
         : code == XB_EXIT_WRONG  ? XB_SUSPECT_WRONG
         : code == XB_EXIT_DEVICE ? XB_SUSPECT_CRASHED
                                  : XB_SUSPECT_FAILED;
}

/* ---- The reference ---------------------------------------------------------------------------------------------- */

/* Files or a library of the user's. */
static bool has_own_reference(const xb_pair_command *c)
{
  const char *named = json_string_value(json_object_get(c->manifest.root, "Reference"));
  bool has = named && strchr(named, ':');
  size_t i;
  json_t *result;
  for (i = 0; i < c->given.references.count; i++)
    has |= xb_is_npy(c->given.references.texts[i]) || strchr(c->given.references.texts[i], ':');
  json_array_foreach(json_object_get(c->manifest.root, "Results"), i, result) has |=
      json_object_get(result, "Expected") != NULL;
  return has;
}

bool xb_ways_make_results(xb_ways *w, const xb_way *way, const char *folder, char why[512])
{
  struct dirent *entry;
  DIR *files = xb_way_run(w, way, folder, why) == XB_SUSPECT_RIGHT ? opendir(folder) : NULL;
  char **texts = xb_arena_take(&w->arena, XB_PAIR_BUFFERS, sizeof *texts);
  w->references = (xb_text_list){.texts = texts};
  while (texts && files && w->references.count < XB_PAIR_BUFFERS && (entry = readdir(files))) {
    const char *name = entry->d_name; /* BUFFER.SIDE.N.npy */
    if (xb_is_npy(name) && strncmp(strchr(name, '.'), ".input.", 7) != 0)
      texts[w->references.count++] =
          xb_arena_text(&w->arena, "%.*s=%s/%s", (int)strcspn(name, "."), name, folder, name);
  }
  if (files)
    closedir(files);
  return w->references.count;
}

/* The results of a side, in the first of its ways that runs: of the side that is named, else of the first. */
static int make_reference(xb_ways *w, const char *folder)
{
  xb_pair_command *c = w->c;
  const char *named = c->given.references.count ? c->given.references.texts[0]
                                                : json_string_value(json_object_get(c->manifest.root, "Reference"));
  char why[512] = "";
  json_object_del(c->manifest.root, "Reference");
  for (size_t i = 0; i < w->m.count && !w->m.of_side; i++) {
    const xb_pair_side *side = &c->pair.sides[w->list[i].side];
    if (w->m.cells[i].result == XB_SUSPECT_FAILED || xb_is_possible(&w->m.cells[i]) ||
        (named && strcmp(named, side->name) != 0 && strcmp(named, side->source.path) != 0))
      continue;
    w->m.reference = side->name;
    w->m.of_side = xb_ways_make_results(w, &w->list[i], folder, why);
  }
  return w->m.of_side
             ? -1
             : xb_report_error(XB_EXIT_UNAVAILABLE, "pair: --suspects: no side gives results to compare with: %s", why);
}

/* Results in files are those of one size. */
static int choose_size(xb_ways *w)
{
  xb_size sizes[XB_MAX_SIZES];
  size_t count = 0;
  xb_error error;
  struct xb_raw_options *raw = &w->c->in->raw;
  const char *text = raw->sizes ? raw->sizes : json_string_value(json_object_get(w->c->manifest.root, "Size"));
  if (text && xb_parse_sizes(text, sizes, &count, &error))
    return xb_report_refusal(error.code, &error);
  if (text && sizes->rows > 1)
    raw->sizes = xb_arena_text(&w->arena, "%" PRIu64 "x%" PRIu64, sizes->rows, sizes->columns);
  else if (text)
    raw->sizes = xb_arena_text(&w->arena, "%" PRIu64, sizes->columns);
  return -1;
}

/* ---- All ways --------------------------------------------------------------------------------------------------- */

bool xb_ways_same_code(const xb_way *way, const xb_pair_binary *codes, uint32_t kernels)
{
  bool same = way->codes && codes;
  for (uint32_t k = 0; same && k < kernels; k++)
    same = way->codes[k].bytes == codes[k].bytes && !memcmp(way->codes[k].data, codes[k].data, codes[k].bytes);
  return same;
}

/* An earlier way that ran the same code in the same place; NULL: there is none. */
static const xb_suspect *same_before(const xb_ways *w, const xb_way *way)
{
  for (const xb_way *b = w->list; b < way; b++)
    if (b->side == way->side && b->driver == way->driver && b->wave == way->wave && b->width == way->width &&
        b->order == way->order && xb_ways_same_code(b, way->codes, w->c->pair.sides[way->side].kernel_count))
      return &w->m.cells[b - w->list];
  return NULL;
}

/* The first wrong way of a side on a driver also runs with other waves and orders, which tells whether these matter. */
static void add_of_wrong(xb_ways *w, size_t at)
{
  bool first = !xb_is_possible(&w->m.cells[at]);
  for (size_t i = 0; i < at && first; i++)
    first =
        w->list[i].side != w->list[at].side || w->list[i].driver != w->list[at].driver || !xb_is_guilty(&w->m.cells[i]);
  if (first)
    xb_ways_add_threads(w, &w->list[at]);
}

static void run_ways(xb_ways *w)
{
  const bool shows = !w->c->in->options.quiet && isatty(STDERR_FILENO);
  for (size_t i = 0; i < w->m.count; i++) {
    xb_suspect *s = &w->m.cells[i];
    char why[512] = "";
    const xb_suspect *same = s->result == XB_SUSPECT_FAILED ? s : same_before(w, &w->list[i]);
    if (shows)
      fprintf(stderr, "\r%zu of %zu ways\033[K", i + 1, w->m.count);
    const double began = xb_clock_ns();
    s->result = same ? same->result : xb_way_run(w, &w->list[i], NULL, why);
    s->why = same ? same->why : xb_arena_text(&w->arena, "%s", why);
    s->seconds = same ? 0 : (xb_clock_ns() - began) / 1e9;
    if (xb_is_guilty(s))
      add_of_wrong(w, i);
  }
  if (shows)
    fprintf(stderr, "\r\033[K");
}

static int report(xb_ways *w)
{
  xb_memory text;
  bool wrong = false, ran = false;
  if (!xb_memory_begin(&text))
    return xb_report_error(XB_EXIT_DEVICE, "pair: out of host memory");
  xb_suspects_explain(&w->m, text.file);
  const char *explanation = xb_memory_whole(&text) ? xb_arena_text(&w->arena, "%s", text.text) : "";
  xb_memory_end(&text); /* the processes that are started below would inherit it */
  for (const xb_suspect *s = w->m.cells; s < w->m.cells + w->m.count; s++) {
    wrong |= xb_is_guilty(s) && !xb_is_possible(s);
    ran |= s->result != XB_SUSPECT_FAILED;
  }
  xb_fold_stdout();
  printf("%s: the result of %s counts as right\n\n", w->m.pair, w->m.reference);
  xb_suspects_print(&w->m, xb_terminal_is_wide());
  printf("\n%s", explanation);
  const bool saved =
      xb_save_json(w->c->in->options.json, XB_OUTPUT_OTHER, xb_suspects_document(&w->m, explanation), JSON_INDENT(1));
  xb_ways_print_changes(w, stdout);
  const int reduced = w->c->reduce ? xb_ways_reduce(w, explanation, w->c->reduce_limit_s) : -1;
  return reduced >= 0 ? reduced
         : !saved     ? XB_EXIT_USAGE
         : wrong      ? XB_EXIT_WRONG
         : ran        ? XB_EXIT_OK
                      : XB_EXIT_UNAVAILABLE;
}

int xb_pair_suspects(xb_pair_command *c)
{
  char folder[XB_TEMPORARY_BYTES];
  if (!XB_HAS_FORK)
    return xb_report_error(XB_EXIT_UNAVAILABLE, "pair: --suspects needs fork(), which this system "
                                                "lacks");
  xb_ways *w = calloc(1, sizeof *w);
  if (!w)
    return xb_report_error(XB_EXIT_DEVICE, "pair: out of host memory");
  if (!xb_temporary_folder(folder)) {
    free(w);
    return xb_report_error(XB_EXIT_DEVICE, "pair: %s", xb_temporary_why());
  }
  *w = (xb_ways){.c = c, .references = c->given.references};
  w->m.pair = json_string_value(json_object_get(c->manifest.root, "Name"));
  w->m.reference = "the reference";
  int code = choose_size(w);
  code = code < 0 ? xb_ways_find(w) : code;
  if (code < 0 && !has_own_reference(c))
    code = make_reference(w, folder);
  if (code < 0) {
    run_ways(w);
    xb_ways_find_passes(w);
    code = report(w);
  }
  xb_temporary_remove(folder);
  xb_arena_free(&w->arena);
  free(w);
  return xb_finish_stdout(code);
}
