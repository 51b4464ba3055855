/* In which ways the sides of a pair can be compiled and run here. */
#include "base/program.h"
#include "commands/pair_suspects.h"
#include "commands/run_in_child.h"
#include "core/spirv.h"
#include "doctor/doctor.h"
#include "os/written_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_WAYS = 1024, MOST_TOOLS = 16, USUAL_WAVE = 32, ORDERS = 4 };

/* Another way, unless there is one with the same levels. */
static void add(xb_ways *w, const xb_way *way)
{
  bool is_new = w->m.count < MOST_WAYS;
  for (size_t i = 0; i < w->m.count && is_new; i++) {
    is_new = w->list[i].side != way->side;
    for (int l = 0; l < XB_LAYERS && !is_new; l++)
      is_new = strcmp(w->m.cells[i].at[l], way->cell.at[l]) != 0;
  }
  if (is_new) {
    w->list[w->m.count] = *way;
    w->m.cells[w->m.count++] = way->cell;
  }
}

/* ---- Drivers ---------------------------------------------------------------------------------------------------- */

void xb_use_vulkan_driver(const char *manifest)
{
  if (*manifest) {
    setenv("VK_DRIVER_FILES", manifest, 1);
    setenv("VK_ICD_FILENAMES", manifest, 1); /* an older loader knows only this one */
  }
}

typedef struct listing {
  const xb_ways *w;
  const char *manifest;
} listing;

/* In the other process: writes the devices, one of each API. With a manifest, those of Vulkan and over it. */
static int list_devices(const char *path, void *user)
{
  const listing *l = user;
  const xb_device_choice *on = &l->w->c->in->options.devices;
  xb_inventory *all = calloc(1, sizeof *all);
  xb_way_driver *found = calloc(XB_MAX_BACKENDS, sizeof *found);
  size_t count = 0;
  xb_use_vulkan_driver(l->manifest);
  if (!all || !found)
    return XB_EXIT_DEVICE;
  xb_take_inventory(all);
  for (size_t b = 0; b < XB_MAX_BACKENDS && xb_backend_at(b); b++) {
    const xb_gpu *gpu;
    const xb_device_choice one = {.backend = xb_backend_name(xb_backend_at(b)), .device = on->device};
    if (!xb_backend_wanted(on, xb_backend_at(b)) || xb_choose_gpu(all, &one, &gpu) >= 0 || !gpu->by_backend[b])
      continue;
    const xb_device_info *i = gpu->by_backend[b];
    const bool dxil = !strcmp(i->code, "dxil"), over_vulkan = dxil || !strcmp(i->code, "spv"); /* DXIL: by vkd3d */
    const xb_device_desc desc = {.backend = xb_backend_at(b), .index = i->index};
    xb_device *device;
    if (over_vulkan == !*l->manifest ||
        (dxil && xb_device_open(&desc, &device, NULL))) /* it may lack what vkd3d needs */
      continue;
    xb_way_driver *d = &found[count++];
    d->wave = i->subgroup_size;
    d->emulates = i->emulates;
    snprintf(d->backend, sizeof d->backend, "%s", one.backend);
    snprintf(d->code, sizeof d->code, "%s", i->code);
    snprintf(d->manifest, sizeof d->manifest, "%s", l->manifest);
    snprintf(d->name, sizeof d->name,
             d->emulates ? xb_suspect_cpu
             : dxil      ? "%s, %s, Direct3D 12"
                         : "%s, %s",
             i->name, i->driver);
  }
  return xb_write_whole_file(path, found, count * sizeof *found) ? 0 : XB_EXIT_DEVICE;
}

static void add_drivers(xb_ways *w, const char *manifest)
{
  char *found, why[XB_WHY];
  size_t bytes;
  listing l = {w, manifest};
  const bool listed = xb_call_in_child(list_devices, &l, &found, &bytes, why) < 0;
  const size_t count = listed ? bytes / sizeof *w->drivers : 0;
  if (count && w->driver_count + count <= sizeof w->drivers / sizeof *w->drivers) {
    memcpy(w->drivers + w->driver_count, found, count * sizeof *w->drivers);
    w->driver_count += count;
  }
  free(found);
}

static void add_manifest(xb_doctor *d, const char *path)
{
  add_drivers(d->user, path);
}

/* ---- Compilers -------------------------------------------------------------------------------------------------- */

typedef struct tool {
  const char *name, *path, *label; /* name: NULL: the side is code already */
} tool;

typedef struct tools {
  tool list[MOST_TOOLS + 2]; /* and NVRTC, and the host's compiler or none */
  size_t count;
} tools;

/* With its version as label; a second one of the same version has its path, too. */
static void add_tool(xb_ways *w, tools *t, const char *name, const char *path)
{
  const char *const argv[] = {path, strcmp(name, "slangc") != 0 ? "--version" : "-v", NULL};
  char *text;
  xb_error error;
  for (size_t i = 0; i < t->count; i++)
    if (xb_same_file(t->list[i].path, path))
      return;
  if (t->count >= MOST_TOOLS || !xb_is_program(path))
    return;
  const char *version = xb_run_program(argv, &w->arena, &text, &error) ? "" : text + strcspn(text, "0123456789");
  const char *label = xb_arena_text(&w->arena, "%s %.*s", name, (int)strcspn(version, " \r\n"), version);
  for (size_t i = 0; i < t->count; i++)
    if (!strcmp(t->list[i].label, label))
      label = xb_arena_text(&w->arena, "%s (%s)", label, path);
  t->list[t->count++] = (tool){name, path, label};
}

/* Those of a language that --compiler names, and each that PATH has. */
static void find_tools(xb_ways *w, const char *names, tools *t)
{
  const xb_text_list *given = &w->c->given.compilers;
  size_t length;
  for (; (length = strcspn(names, " ")); names += length + (names[length] == ' ')) {
    const char *name = xb_arena_text(&w->arena, "%.*s", (int)length, names), *path = getenv("PATH");
    if (!strcmp(name, "nvrtc") && xb_nvrtc_find())
      t->list[t->count++] = (tool){name, xb_nvrtc_find(), xb_nvrtc_name()};
    for (size_t i = 0; i < given->count; i++)
      if (!strncmp(given->texts[i], name, length) && given->texts[i][length] == '=')
        add_tool(w, t, name, given->texts[i] + length + 1);
    for (; path; path = *path ? path + 1 : NULL) {
      add_tool(
          w, t, name,
          xb_arena_text(&w->arena, "%.*s/%s%s", (int)strcspn(path, XB_PATH_SEPARATOR), path, name, XB_PROGRAM_SUFFIX));
      path += strcspn(path, XB_PATH_SEPARATOR);
    }
  }
}

/* ---- Code ------------------------------------------------------------------------------------------------------- */

/* Compiles all kernels of a side to SPIR-V. NULL: `why` has the reason. */
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
  const xb_pair_binary *other = codes && way->floats ? with_floats(w, side, codes, way->floats) : codes;
  const bool compiles = codes || !way->codes;
  way->codes = other ? other : codes ? codes : way->codes;
  return compiles;
}

/* ---- Ways ------------------------------------------------------------------------------------------------------- */

static const char *number(xb_ways *w, uint32_t value)
{
  return xb_arena_text(&w->arena, "%u", value);
}

void xb_ways_add_threads(xb_ways *w, const xb_way *way)
{
  const bool vectors = strstr(way->driver->name, "llvmpipe"); /* of 128, 256 or 512 bits */
  for (uint32_t wave = 4; wave <= 64; wave *= 2) {
    xb_way other = *way;
    other.wave = way->driver->emulates && way->codes ? wave : way->wave;
    other.width = vectors && wave <= 16 ? 32 * wave : 0;
    other.cell.at[XB_LAYER_WAVE] = number(w, wave);
    if (other.width || other.wave == wave)
      add(w, &other);
  }
  for (uint32_t order = 1; way->driver->emulates && order <= ORDERS; order++) {
    xb_way other = *way;
    other.order = order;
    other.cell.at[XB_LAYER_ORDER] = number(w, order);
    add(w, &other);
  }
}

/* On each driver that runs this code; the emulation runs SPIR-V, too. */
static void add_on_drivers(xb_ways *w, xb_way way, const char *code)
{
  for (const xb_way_driver *d = w->drivers; d < w->drivers + w->driver_count; d++) {
    if (strcmp(code, d->code) != 0 && (strcmp(code, "spv") != 0 || !d->emulates))
      continue;
    way.driver = d;
    way.wave = d->emulates && way.codes ? USUAL_WAVE : 0;
    way.cell.at[XB_LAYER_DRIVER] = d->name;
    way.cell.at[XB_LAYER_WAVE] = number(w, d->emulates ? USUAL_WAVE : d->wave);
    way.cell.at[XB_LAYER_ORDER] = d->emulates ? "0" : "";
    bool first = true;
    for (size_t i = 0; i < w->m.count; i++)
      first &= w->list[i].side != way.side || w->list[i].driver != d;
    add(w, &way);
    if (first)
      xb_ways_add_threads(w, &way);
  }
}

/* How code is made of a source. */
typedef struct recipe {
  const char *code; /* of the drivers that run it */
  xb_optimization optimization;
  xb_spirv_floats floats; /* what `flags` make of them */
  const char *flags;
  bool host; /* the host's compiler makes it, for the emulation */
} recipe;

static const recipe recipes[] = {{"spv", XB_OPTIMIZE_SPEED, XB_FLOATS_AS_COMPILED, "", false},
                                 {"spv", XB_OPTIMIZE_OFF, XB_FLOATS_AS_COMPILED, "", false},
                                 {"spv", XB_OPTIMIZE_SIZE, XB_FLOATS_AS_COMPILED, "", false},
                                 {"dxil", XB_OPTIMIZE_SPEED, XB_FLOATS_AS_COMPILED, "", false},
                                 {"dxil", XB_OPTIMIZE_SPEED, XB_FLOATS_SEPARATE, "-Gis", false},
                                 {"dxil", XB_OPTIMIZE_OFF, XB_FLOATS_AS_COMPILED, "", false},
                                 {"fatbin", XB_OPTIMIZE_SPEED, XB_FLOATS_AS_COMPILED, "", false},
                                 {"fatbin", XB_OPTIMIZE_SPEED, XB_FLOATS_SEPARATE, "-fmad=false", false},
                                 {"fatbin", XB_OPTIMIZE_OFF, XB_FLOATS_AS_COMPILED, "", false},
                                 {"cpu", XB_OPTIMIZE_SPEED, XB_FLOATS_AS_COMPILED, "", true},
                                 {"cpu", XB_OPTIMIZE_SPEED, XB_FLOATS_FUSED, "-ffp-contract=fast -mfma", true}};

static const char *const optimizations[] = {"as usual", "off", "speed", "size"};

/* True for a side of this format whose source a compiler of this name takes; NULL: it is code already. */
static bool makes(const recipe *r, const xb_pair_side *side, const char *compiler)
{
  const char *dot = strrchr(side->source.path, '.');
  const bool same = !strcmp(r->code, side->format), dxc = compiler && !strcmp(compiler, "dxc");
  if (!compiler)
    return same && r->optimization == XB_OPTIMIZE_SPEED && !*r->flags;
  if (!strcmp(r->code, "dxil"))
    return dxc && !strcmp(dot, ".hlsl");
  if (r->host)
    return !strcmp(compiler, "c++");
  return same && strcmp(compiler, "c++") != 0 && (r->optimization != XB_OPTIMIZE_SIZE || !dxc); /* it has no -Os */
}

/* SPIR-V, which is compiled here, with its arithmetic as it is and rewritten. */
static void add_spirv(xb_ways *w, xb_way way)
{
  xb_error why = {0};
  const xb_pair_side *side = &w->c->pair.sides[way.side];
  const xb_pair_binary *codes = compile(w, side, &way.source, &why);
  const bool names_values = way.source.compiler && !strcmp(way.source.compiler, "slangc"); /* at each level */
  const bool off = way.source.optimization == XB_OPTIMIZE_OFF; /* what an optimizer did to floats, it did before */
  const bool all =
      way.source.optimization == XB_OPTIMIZE_AS_USUAL || way.source.optimization == XB_OPTIMIZE_SPEED || names_values;
  if (!codes) {
    way.cell.at[XB_LAYER_FLOATS] = "";
    way.cell.result = XB_SUSPECT_FAILED;
    way.cell.why = xb_arena_text(&w->arena, "%s", why.message);
    add(w, &way);
    return;
  }
  for (; way.floats < (all ? XB_FLOATS : off ? XB_FLOATS_FREE : XB_FLOATS_SEPARATE); way.floats++) {
    way.codes = way.floats ? with_floats(w, side, codes, way.floats) : codes;
    way.cell.at[XB_LAYER_FLOATS] = xb_suspect_floats[way.floats];
    if (!way.codes)
      continue;
    way.cell.facts = "";
    for (uint32_t k = 0; k < side->kernel_count; k++)
      way.cell.facts = xb_suspect_facts(way.codes[k].data, way.codes[k].bytes, way.cell.facts, &w->arena);
    add_on_drivers(w, way, "spv");
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

static void add_side(xb_ways *w, uint32_t i)
{
  const xb_pair_side *side = &w->c->pair.sides[i];
  const bool source = xb_pair_is_source(side->source.path);
  tools t = {0};
  if (source)
    find_tools(w, xb_pair_language_of(side->source.path)->compilers, &t);
  if (!source || xb_is_cuda_source(side->source.path)) /* the compiler of the emulation is the host's */
    t.list[t.count++] = source ? (tool){"c++", "", "c++"} : (tool){NULL, "", "none"};
  for (size_t k = 0; k < t.count; k++)
    for (const recipe *r = recipes; r < recipes + sizeof recipes / sizeof *recipes; r++) {
      const char *name = t.list[k].name;
      const bool spirv = !strcmp(r->code, "spv"), dxil = !strcmp(r->code, "dxil");
      xb_way way = {
          .side = i, .source = side->source, .cell = {.side = side->name, .why = "", .facts = "", .pass = ""}};
      way.source.quiet = true;
      way.source.compiler = r->host ? NULL : name;
      way.source.tool = r->host || !name || !strcmp(name, "nvrtc") ? NULL : t.list[k].path;
      way.source.flags = *r->flags ? with_flags(w, side->source.flags, r->flags) : side->source.flags;
      way.source.optimization =
          source && (spirv || dxil || r->optimization == XB_OPTIMIZE_OFF) ? r->optimization : XB_OPTIMIZE_AS_USUAL;
      const char *at[] = {dxil && name ? xb_arena_text(&w->arena, "%s (DXIL)", t.list[k].label) : t.list[k].label,
                          optimizations[spirv ? way.source.optimization : r->optimization],
                          xb_suspect_floats[r->floats],
                          "",
                          "",
                          ""};
      memcpy(way.cell.at, at, sizeof at);
      if (makes(r, side, name) && spirv)
        add_spirv(w, way);
      else if (makes(r, side, name))
        add_on_drivers(w, way, r->code);
    }
}

/* A side that runs alone needs what the manifest has from the others, such as the group size. */
static void complete(xb_ways *w)
{
  xb_pair *copy = malloc(sizeof *copy);
  xb_error ignored;
  uint32_t kept = 0;
  if (!copy)
    return;
  *copy = w->c->pair;
  for (uint32_t i = 0; i < copy->side_count; i++) {
    xb_pair_side *side = &copy->sides[i];
    side->source.quiet = true;
    for (size_t d = 0; d < w->driver_count && xb_is_cuda_source(side->source.path); d++)
      if (w->drivers[d].emulates)
        xb_pair_emulate(side, &(xb_device_info){.code = w->drivers[d].code});
    if (!xb_pair_compile_side(copy, side, 0, &ignored))
      copy->sides[kept++] = *side;
  }
  copy->side_count = kept;
  if (kept)
    xb_pair_complete(copy, w->c->manifest.root, false);
  w->c->pair.arena = copy->arena;
  free(copy);
}

int xb_ways_find(xb_ways *w)
{
  xb_doctor *d = xb_arena_take(&w->arena, 1, sizeof *d);
  w->list = xb_arena_take(&w->arena, MOST_WAYS, sizeof *w->list);
  w->m.cells = xb_arena_take(&w->arena, MOST_WAYS, sizeof *w->m.cells);
  if (!d || !w->list || !w->m.cells)
    return xb_report_error(XB_EXIT_DEVICE, "pair: out of host memory");
  d->user = w;
  add_drivers(w, "");
  xb_doctor_each_driver(d, add_manifest);
  complete(w);
  for (uint32_t i = 0; i < w->c->pair.side_count; i++)
    add_side(w, i);
  return w->m.count ? -1 : xb_report_error(XB_EXIT_UNAVAILABLE, "pair: --suspects: none of the sources can run here");
}
