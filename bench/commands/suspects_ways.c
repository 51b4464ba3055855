/* In which ways the sides of a pair can be compiled and run here. */
#include "base/program.h"
#include "commands/pair_suspects.h"
#include "commands/run_apart.h"
#include "core/spirv.h"
#include "doctor/doctor.h"
#include "os/written_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_WAYS = 1024, MOST_TOOLS = 16, USUAL_WAVE = 32, ORDERS = 4 };

void xb_ways_add(xb_ways *w, const xb_way *way, const xb_suspect *cell)
{
  for (size_t i = 0; i < w->m.count; i++) {
    bool same = w->list[i].side == way->side;
    for (int l = 0; l < XB_LAYERS && same; l++)
      same = !strcmp(w->m.cells[i].at[l], cell->at[l]);
    if (same)
      return;
  }
  if (w->m.count == MOST_WAYS)
    return;
  w->list[w->m.count] = *way;
  w->m.cells[w->m.count++] = *cell;
}

/* ---- Drivers ---------------------------------------------------------------------------------------------------- */

void xb_use_vulkan_driver(const char *manifest)
{
  if (manifest) {
    setenv("VK_DRIVER_FILES", manifest, 1);
    setenv("VK_ICD_FILENAMES", manifest, 1); /* an older loader knows only this one */
  }
}

typedef struct listing {
  const xb_ways *w;
  const char *manifest;
} listing;

/* In the other process: the devices of each API, as a document. */
static int list_devices(const char *path, void *user)
{
  const listing *l = user;
  xb_device_choice on = l->w->c->in->options.on;
  xb_inventory *all = calloc(1, sizeof *all);
  json_t *list = json_array();
  xb_use_vulkan_driver(l->manifest);
  xb_take_inventory(all);
  for (size_t b = 0; b < XB_MAX_BACKENDS && xb_backend_at(b); b++) {
    const xb_gpu *gpu;
    const xb_device_choice one = {.backend = xb_backend_name(xb_backend_at(b)), .device = on.device};
    if (!xb_backend_wanted(&on, xb_backend_at(b)) || xb_choose_gpu(all, &one, &gpu) >= 0 || !gpu->by_backend[b])
      continue;
    const xb_device_info *i = gpu->by_backend[b];
    if (!strcmp(i->code, "spv") == !l->manifest)
      continue;
    json_array_append_new(list, json_pack("{ss, ss, ss, ss, si, sb}", "backend", one.backend, "name", i->name, "driver",
                                          i->driver, "code", i->code, "wave", (int)i->subgroup_size, "emulates",
                                          i->emulates != NULL));
  }
  char *text = json_dumps(list, 0);
  return text && xb_write_whole_file(path, text, strlen(text)) ? 0 : XB_EXIT_DEVICE;
}

static void add_drivers(xb_ways *w, const char *manifest)
{
  char *text, why[XB_WHY];
  size_t bytes, k;
  json_t *list = NULL, *item;
  listing l = {w, manifest};
  if (xb_call_apart(list_devices, &l, &text, &bytes, why) < 0)
    list = json_loadb(text, bytes, 0, NULL);
  json_array_foreach(list, k, item)
  {
    const char *driver = json_string_value(json_object_get(item, "driver")),
               *name = json_string_value(json_object_get(item, "name"));
    const bool emulates = json_is_true(json_object_get(item, "emulates"));
    const xb_way_driver one = {.name = emulates ? xb_suspect_cpu : xb_arena_text(&w->arena, "%s, %s", name, driver),
                               .backend =
                                   xb_arena_text(&w->arena, "%s", json_string_value(json_object_get(item, "backend"))),
                               .code = xb_arena_text(&w->arena, "%s", json_string_value(json_object_get(item, "code"))),
                               .manifest = manifest ? xb_arena_text(&w->arena, "%s", manifest) : NULL,
                               .wave = (uint32_t)json_integer_value(json_object_get(item, "wave")),
                               .emulates = emulates};
    if (w->driver_count < sizeof w->drivers / sizeof *w->drivers)
      w->drivers[w->driver_count++] = one;
  }
  json_decref(list);
  free(text);
}

static void add_manifest(xb_doctor *d, const char *path)
{
  add_drivers(d->user, path);
}

static void find_drivers(xb_ways *w)
{
  xb_doctor *d = xb_arena_take(&w->arena, 1, sizeof *d);
  add_drivers(w, NULL);
  if (d) {
    d->user = w;
    xb_doctor_each_driver(d, add_manifest);
  }
}

static bool runs_on(const xb_pair_side *side, const xb_way_driver *d)
{
  const bool spirv = !strcmp(side->format, "spv");
  return d->emulates ? spirv || xb_is_cuda_source(side->source.path) : !strcmp(side->format, d->code);
}

/* ---- Compilers -------------------------------------------------------------------------------------------------- */

typedef struct tool {
  const char *name, *path, *label;
} tool;

static const char *label_of(xb_ways *w, const char *name, const char *path)
{
  const char *const argv[] = {path, strcmp(name, "slangc") != 0 ? "--version" : "-v", NULL};
  char *text;
  xb_error error;
  const bool failed = xb_run_program(argv, &w->arena, &text, &error);
  const char *version = failed ? "" : text + strcspn(text, "0123456789");
  return xb_arena_text(&w->arena, "%s %.*s", name, (int)strcspn(version, " \r\n"), version);
}

static void add_tool(xb_ways *w, tool tools[MOST_TOOLS], size_t *count, const char *name, const char *path)
{
  const char *label = *count < MOST_TOOLS ? label_of(w, name, path) : "";
  for (size_t i = 0; i < *count; i++) {
    if (xb_same_file(tools[i].path, path))
      return;
    if (!strcmp(tools[i].label, label))
      label = xb_arena_text(&w->arena, "%s (%s)", label, path);
  }
  if (*count < MOST_TOOLS)
    tools[(*count)++] = (tool){name, path, label};
}

/* Of a language: those that --compiler names, and each that PATH has. */
static size_t find_tools(xb_ways *w, const char *names, tool tools[MOST_TOOLS])
{
  size_t count = 0, length;
  const xb_text_list *given = &w->c->given.compilers;
  for (; (length = strcspn(names, " ")); names += length + (names[length] == ' ')) {
    const char *name = xb_arena_text(&w->arena, "%.*s", (int)length, names), *path = getenv("PATH");
    if (!strcmp(name, "nvrtc") && xb_nvrtc_find())
      tools[count++] = (tool){name, xb_nvrtc_find(), xb_nvrtc_name()};
    for (size_t i = 0; i < given->count; i++)
      if (!strncmp(given->texts[i], name, length) && given->texts[i][length] == '=')
        add_tool(w, tools, &count, name, given->texts[i] + length + 1);
    for (; path; path = *path ? path + 1 : NULL) {
      const char *file =
          xb_arena_text(&w->arena, "%.*s/%s%s", (int)strcspn(path, XB_PATH_SEPARATOR), path, name, XB_PROGRAM_SUFFIX);
      if (file && xb_is_program(file))
        add_tool(w, tools, &count, name, file);
      path += strcspn(path, XB_PATH_SEPARATOR);
    }
  }
  return count;
}

/* ---- Code ------------------------------------------------------------------------------------------------------- */

/* Compiles all kernels of a side. NULL: `why` has the reason. */
static const xb_pair_binary *compile(xb_ways *w, const xb_pair_side *side, const xb_pair_source *source, xb_error *why)
{
  xb_pair_binary *codes = xb_arena_take(&w->arena, side->kernel_count, sizeof *codes);
  for (uint32_t k = 0; codes && k < side->kernel_count; k++) {
    xb_pair_source own = *source;
    if (strcmp(side->kernels[k].path, side->source.path) != 0) /* a source of its own; else that of the way */
      own.path = side->kernels[k].path;
    if (xb_pair_compile(&own, xb_pair_entry_of(&w->c->pair, side, k), 0, &w->arena, &codes[k], why))
      return NULL;
  }
  return codes;
}

/* NULL: nothing changes. */
static const xb_pair_binary *with_floats(xb_ways *w, const xb_pair_side *side, const xb_pair_binary *from,
                                         xb_spirv_floats floats)
{
  bool changed = false;
  xb_pair_binary *codes = xb_arena_take(&w->arena, side->kernel_count, sizeof *codes);
  for (uint32_t k = 0; codes && k < side->kernel_count; k++) {
    void *words;
    char *kept;
    codes[k] = from[k];
    if (xb_spirv_rewrite_floats(side->source.path, from[k].data, from[k].bytes, floats, &words, &codes[k].bytes,
                                NULL) ||
        !words || !(kept = xb_arena_take(&w->arena, codes[k].bytes + 1, 1)))
      continue;
    codes[k].data = memcpy(kept, words, codes[k].bytes);
    free(words);
    changed = true;
  }
  return changed ? codes : NULL;
}

bool xb_ways_compile(xb_ways *w, xb_way *way)
{
  xb_error ignored;
  const xb_pair_side *side = &w->c->pair.sides[way->side];
  const xb_pair_binary *codes = way->codes ? compile(w, side, &way->source, &ignored) : NULL;
  if (!way->codes)
    return true;
  const xb_pair_binary *other = codes && way->floats ? with_floats(w, side, codes, way->floats) : codes;
  way->codes = other ? other : codes ? codes : way->codes;
  return codes;
}

/* What the code has, as explain.c knows it. */
static const char *facts_of(xb_ways *w, const xb_pair_side *side, const xb_pair_binary *codes)
{
  static const struct {
    uint32_t op;
    const char *fact;
    bool by_value; /* only if the last operand is no constant */
  } all[] = {{SpvOpSMod, "OpSMod", false},
             {SpvOpSRem, "OpSRem", false},
             {SpvOpShiftLeftLogical, "shift", true},
             {SpvOpShiftRightLogical, "shift", true},
             {SpvOpShiftRightArithmetic, "shift", true},
             {SpvOpUDiv, "division", true},
             {SpvOpSDiv, "division", true},
             {SpvOpUMod, "division", true},
             {SpvOpConvertFToU, "OpConvertF", false},
             {SpvOpConvertFToS, "OpConvertF", false}};
  const char *facts = "";
  for (uint32_t k = 0; k < side->kernel_count; k++) {
    xb_spirv m;
    const bool read = !xb_spirv_read(&m, "", codes[k].data, codes[k].bytes, NULL, 0, NULL);
    for (size_t i = 0; read && i < sizeof all / sizeof *all; i++)
      for (const uint32_t *at = NULL; (at = xb_spirv_next(&m, at, all[i].op, 4)) && !strstr(facts, all[i].fact);)
        if (!all[i].by_value || !xb_spirv_made(&m, at[xb_spirv_length(at) - 1], SpvOpConstant, 4))
          facts = xb_arena_text(&w->arena, "%s%s%s", facts, *facts ? " " : "", all[i].fact);
    xb_spirv_free(&m);
  }
  return facts;
}

/* ---- Ways ------------------------------------------------------------------------------------------------------- */

static const char *number(xb_ways *w, uint32_t value)
{
  return xb_arena_text(&w->arena, "%u", value);
}

void xb_ways_add_threads(xb_ways *w, const xb_way *way, const xb_suspect *cell)
{
  const bool shaders = way->codes != NULL;
  for (uint32_t wave = 4; shaders && way->driver->emulates && wave <= 64; wave *= 2) {
    xb_way other = *way;
    xb_suspect s = *cell;
    other.wave = wave;
    s.at[XB_LAYER_WAVE] = number(w, wave);
    if (wave != way->wave)
      xb_ways_add(w, &other, &s);
  }
  for (uint32_t width = 128; strstr(way->driver->name, "llvmpipe") && width <= 512; width *= 2) {
    xb_way other = *way;
    xb_suspect s = *cell;
    other.width = width;
    s.at[XB_LAYER_WAVE] = number(w, width / 32);
    if (width / 32 != way->driver->wave)
      xb_ways_add(w, &other, &s);
  }
  for (uint32_t order = 1; way->driver->emulates && order <= ORDERS; order++) {
    xb_way other = *way;
    xb_suspect s = *cell;
    other.order = order;
    s.at[XB_LAYER_ORDER] = number(w, order);
    xb_ways_add(w, &other, &s);
  }
}

/* The same code on each driver. */
static void add_on_drivers(xb_ways *w, const xb_way *code, const xb_suspect *cell, bool first)
{
  for (const xb_way_driver *d = w->drivers; d < w->drivers + w->driver_count; d++) {
    xb_way way = *code;
    xb_suspect s = *cell;
    if (!runs_on(&w->c->pair.sides[way.side], d) || (d->emulates && !way.codes))
      continue;
    way.driver = d;
    way.wave = d->emulates ? USUAL_WAVE : 0;
    s.at[XB_LAYER_DRIVER] = d->name;
    s.at[XB_LAYER_WAVE] = number(w, d->emulates ? USUAL_WAVE : d->wave);
    s.at[XB_LAYER_ORDER] = d->emulates ? "0" : "";
    xb_ways_add(w, &way, &s);
    if (first)
      xb_ways_add_threads(w, &way, &s);
  }
}

static const char *const optimizations[] = {"as usual", "off", "speed", "size"};

static void add_shader(xb_ways *w, const xb_pair_side *side, xb_way *way, xb_suspect *cell, bool *first)
{
  xb_error why = {0};
  const xb_pair_binary *codes = compile(w, side, &way->source, &why);
  const bool names_values = way->source.compiler && !strcmp(way->source.compiler, "slangc"); /* at each level */
  const bool usual =
      way->source.optimization == XB_OPTIMIZE_AS_USUAL || way->source.optimization == XB_OPTIMIZE_SPEED || names_values;
  cell->at[XB_LAYER_OPTIMIZATION] = optimizations[way->source.optimization];
  if (!codes) {
    xb_suspect s = *cell;
    s.result = XB_SUSPECT_FAILED;
    s.why = xb_arena_text(&w->arena, "%s", why.message);
    xb_ways_add(w, way, &s);
    return;
  }
  for (xb_spirv_floats f = XB_FLOATS_AS_COMPILED; f < (usual ? XB_FLOATS : XB_FLOATS_SEPARATE); f++) {
    xb_way one = *way;
    xb_suspect s = *cell;
    one.floats = f;
    one.codes = f ? with_floats(w, side, codes, f) : codes;
    s.at[XB_LAYER_FLOATS] = xb_suspect_floats[f];
    if (!one.codes)
      continue;
    s.facts = facts_of(w, side, one.codes);
    add_on_drivers(w, &one, &s, *first);
    *first = false;
  }
}

/* Flags of a source, and more. */
static const char *const *with_flags(xb_ways *w, const char *const *flags, const char *more)
{
  enum { MOST = 64 };
  size_t count = 0, length;
  const char **all = xb_arena_take(&w->arena, MOST + 1, sizeof *all);
  for (; all && flags && *flags && count < MOST; flags++)
    all[count++] = *flags;
  for (; all && (length = strcspn(more, " ")) && count < MOST; more += length + (more[length] == ' '))
    all[count++] = xb_arena_text(&w->arena, "%.*s", (int)length, more);
  return all;
}

/* What is compiled where it runs: CUDA for its own devices and emulated, and DXIL. */
static void add_others(xb_ways *w, xb_way *way, const xb_suspect *cell, const tool *tools, size_t count)
{
  static const struct {
    const char *flags, *code; /* code: of the driver */
    bool off;
    xb_spirv_floats floats;
  } all[] = {{"", "fatbin", false, XB_FLOATS_AS_COMPILED}, {"-fmad=false", "fatbin", false, XB_FLOATS_SEPARATE},
             {"", "fatbin", true, XB_FLOATS_AS_COMPILED},  {"", "dxil", false, XB_FLOATS_AS_COMPILED},
             {"", "cpu", false, XB_FLOATS_AS_COMPILED},    {"-ffp-contract=fast -mfma", "cpu", false, XB_FLOATS_FUSED}};
  const xb_pair_side *side = &w->c->pair.sides[way->side];
  for (const xb_way_driver *d = w->drivers; d < w->drivers + w->driver_count; d++)
    for (size_t i = 0; i < sizeof all / sizeof *all * count; i++) {
      const size_t v = i / count, t = i % count;
      xb_way one = *way;
      xb_suspect s = *cell;
      const char *levels[] = {d->emulates ? "c++" : tools[t].label,
                              optimizations[all[v].off ? 1 : 2],
                              xb_suspect_floats[all[v].floats],
                              d->name,
                              number(w, d->wave),
                              d->emulates ? "0" : ""};
      if (strcmp(all[v].code, d->code) != 0 || !runs_on(side, d) || (d->emulates && t))
        continue;
      memcpy(s.at, levels, sizeof levels);
      one.driver = d;
      one.source.compiler = d->emulates ? NULL : tools[t].name;
      one.source.tool = d->emulates || !strcmp(tools[t].name, "nvrtc") ? NULL : tools[t].path;
      one.source.optimization = all[v].off ? XB_OPTIMIZE_OFF : XB_OPTIMIZE_AS_USUAL;
      one.source.flags = with_flags(w, way->source.flags, all[v].flags);
      xb_ways_add(w, &one, &s);
      if (d->emulates && v == 4)
        xb_ways_add_threads(w, &one, &s);
    }
}

static void add_side(xb_ways *w, uint32_t i)
{
  const xb_pair_side *side = &w->c->pair.sides[i];
  const bool spirv = !strcmp(side->format, "spv"), source = xb_pair_is_source(side->source.path);
  const xb_pair_language *l = xb_pair_language_of(side->source.path);
  static const xb_optimization all[] = {XB_OPTIMIZE_SPEED, XB_OPTIMIZE_OFF, XB_OPTIMIZE_SIZE};
  xb_way way = {.side = i, .source = side->source};
  way.source.quiet = true;
  xb_suspect cell = {.side = side->name, .at = {"", "", "", "", "", ""}, .why = "", .facts = "", .pass = ""};
  tool tools[MOST_TOOLS] = {{"none", "", "none"}};
  size_t count = source ? find_tools(w, l->compilers, tools) : 1;
  bool first = true;
  for (size_t t = 0; t < count && spirv; t++)
    for (size_t o = 0; o < (source ? sizeof all / sizeof *all : 1); o++) {
      if (all[o] == XB_OPTIMIZE_SIZE && strcmp(tools[t].name, "dxc") == 0) /* it has no option for it */
        continue;
      way.source.compiler = source ? tools[t].name : NULL;
      way.source.tool = source ? tools[t].path : NULL;
      way.source.optimization = source ? all[o] : XB_OPTIMIZE_AS_USUAL;
      cell.at[XB_LAYER_COMPILER] = tools[t].label;
      add_shader(w, side, &way, &cell, &first);
    }
  if (!spirv)
    add_others(w, &way, &cell, tools, count ? count : 1);
}

/* A side that runs alone needs what the manifest has from the others, such as the group size. */
static void complete(xb_ways *w)
{
  xb_pair *pair = &w->c->pair, *before = malloc(sizeof *before);
  xb_error ignored;
  uint32_t kept = 0;
  if (!before)
    return;
  *before = *pair;
  for (uint32_t i = 0; i < pair->side_count; i++) {
    xb_pair_side *side = &pair->sides[i];
    side->source.quiet = true;
    for (size_t d = 0; d < w->driver_count && xb_is_cuda_source(side->source.path); d++)
      if (w->drivers[d].emulates)
        xb_pair_emulate(side, &(xb_device_info){.code = w->drivers[d].code});
    if (!xb_pair_compile_side(pair, side, 0, &ignored))
      pair->sides[kept++] = *side;
  }
  pair->side_count = kept;
  if (kept)
    xb_pair_complete(pair, w->c->manifest.root, false);
  before->arena = pair->arena;
  *pair = *before;
  free(before);
}

int xb_ways_find(xb_ways *w)
{
  w->list = xb_arena_take(&w->arena, MOST_WAYS, sizeof *w->list);
  w->m.cells = xb_arena_take(&w->arena, MOST_WAYS, sizeof *w->m.cells);
  if (!w->list || !w->m.cells)
    return xb_report_error(XB_EXIT_DEVICE, "pair: out of host memory");
  find_drivers(w);
  complete(w);
  for (uint32_t i = 0; i < w->c->pair.side_count; i++)
    add_side(w, i);
  return w->m.count ? -1 : xb_report_error(XB_EXIT_UNAVAILABLE, "pair: --suspects: none of the sources can run here");
}
