/* xbench pair: kernels of the user's own. They are compiled, linked to a manifest, checked against each other and
 * measured as any benchmark is. */
#include "commands/command_line.h"
#include "commands/subcommands.h"
#include "machine/choose.h"
#include "os/supervise.h"
#include "pair/family.h"
#include "pair/scaffold/scaffold.h"
#include "pair/words.h"
#include "show/languages.h"
#include "version.h"

#include <stdio.h>
#include <string.h>

static xb_pair_words given;
static xb_text_list saves;
static xb_pair pair;
static xb_pair_manifest manifest;
static const char *dump, *targets;
static bool init, scaffold, unchecked, occupancy, text, left_out; /* a side cannot run */
static uint64_t more_seed;                                        /* of runs that diff --again adds */

static const xb_option options[] = {
    {"in", 0, XB_OPT_ORDERED, &given.buffers,
     "a buffer that kernels read: NAME[:TYPE[:LENGTH[:FILL]]]; name buffers in the order of bindings",
     .value = "BUFFER"},
    {"inout", 0, XB_OPT_ORDERED, &given.buffers, "a buffer that they read and write", .value = "BUFFER"},
    {"out", 0, XB_OPT_ORDERED, &given.buffers, "a buffer that they write", .value = "BUFFER"},
    {"arg", 0, XB_OPT_TEXTS, &given.arguments, "an argument: a formula or a number (default: the formula of its name)",
     .value = "NAME[=VALUE]"},
    {"entry", 0, XB_OPT_TEXT, &given.entry,
     "the kernel's name, or a list A,B (default: the only one); scan<256>=Scan: the CUDA name, and the name in other "
     "languages",
     .value = "NAME"},
    {"group", 0, XB_OPT_TEXT, &given.group, "threads per group (default: from the code)", .value = "X[xY[xZ]]"},
    {"groups", 0, XB_OPT_TEXT, &given.groups, "number of groups, in each dimension: n/256, or ceil(n/256) (default)",
     .value = "FORMULA,..."},
    {"reference", 0, XB_OPT_TEXTS, &given.references,
     "expected results: [BUFFER=]FILE.npy, LIBRARY.so:FUNCTION, or a source (default: the side that is checked first)",
     .value = "WHAT"},
    {"tolerance", 0, XB_OPT_TEXTS, &given.tolerances,
     "how much results may differ: [BUFFER=]exact, 4ulp or 1e-6 (default: floats 4ulp, integers exact)",
     .value = "RULE"},
    {"unchecked", 0, XB_OPT_FLAG, &unchecked, .help = "measure one side without checking its results"},
    {"bytes", 0, XB_OPT_TEXT, &given.bytes, "bytes that a run moves (default: those of the buffers)",
     .value = "FORMULA"},
    {"flops", 0, XB_OPT_TEXT, &given.flops, "floating-point operations of a run", .value = "FORMULA"},
    {"compiler", 0, XB_OPT_TEXTS, &given.compilers, "compile with this compiler; repeat it to compare several",
     .value = "nvrtc|nvcc|glslc|dxc|slangc"},
    {"flag", 0, XB_OPT_TEXTS, &given.flags, "a compiler option, such as -DTILE=16; hlsl:-O3 is for HLSL sources only",
     .value = "[EXTENSION:]FLAG"},
    {"define", 0, XB_OPT_TEXTS, &given.defines, "a macro for the compilers and a constant for formulas",
     .value = "NAME=NUMBER"},
    {"dump-outputs", 0, XB_OPT_TEXT, &dump, "write the inputs and outputs of each side as BUFFER.SIDE.N.npy",
     .value = "DIR"},
    {"save", 0, XB_OPT_TEXTS, &saves, "write this output of the first side, or this input, to an array file",
     .value = "BUFFER=FILE.npy"},
    {"occupancy", 0, XB_OPT_FLAG, &occupancy,
     .help = "show how many groups a multiprocessor holds, and measure nothing"},
    {"text", 0, XB_OPT_FLAG, &text,
     .help = "show registers, spills and machine code of each side, as 'xbench isa' does, and measure nothing"},
    {"for", 0, XB_OPT_TEXT, &targets,
     "with --text: gfx1100, sm_90, ... (default: all that the installed compilers know)", .value = "ARCHITECTURE,..."},
    XB_TRUST_OPTIONS,
    {"init", 0, XB_OPT_FLAG, &init, .help = "write a manifest from the sources; fill in each ?"},
    {"scaffold", 0, XB_OPT_FLAG, &scaffold,
     .help = "draft the HLSL port of a CUDA kernel, and a manifest; #error lines mark what to finish"},
    {0}};

/* ---- The manifest ----------------------------------------------------------------------------------------------- */

/* What a manifest says of its first kernel, where the command line says nothing. */
static void take_kernel(const json_t *known)
{
  const json_t *shader = json_array_get(json_object_get(known, "Shaders"), 0),
               *size = json_object_get(shader, "GroupSize");
  const char *entry = json_string_value(json_object_get(shader, "Entry"));
  int group[3] = {0};
  for (size_t d = 0; d < 3; d++)
    group[d] = d < json_array_size(size) ? (int)json_integer_value(json_array_get(size, d)) : 1;
  if (entry && !given.entry)
    given.entry = xb_arena_text(&pair.arena, "%s", entry);
  if (group[0] && !given.group)
    given.group = xb_arena_text(&pair.arena, "%dx%dx%d", group[0], group[1], group[2]);
}

/* Writes the second source; a manifest that is there gets it, and all is done (XB_EXIT_OK). Else returns -1, and
 * `words` becomes both sources. */
static int write_scaffold(const char *const **words, json_t **side)
{
  static const char *both[3];
  uint32_t group[3] = {0};
  char known_path[160];
  json_t *known = NULL;
  const char *path = (*words)[0];
  if ((*words)[1] || !xb_is_cuda_source(path))
    return xb_report_error(XB_EXIT_USAGE, "pair: --scaffold: name one CUDA source, such as my.cu");
  int code = xb_pair_find_manifest(path, known_path, &known);
  if (!code && known)
    take_kernel(known);
  if (given.group && sscanf(given.group, "%ux%ux%u", &group[0], &group[1], &group[2]) > 0)
    for (int d = 1; d < 3; d++)
      group[d] = group[d] ? group[d] : 1;
  code = code ? code : xb_scaffold_write(path, given.entry, group, &pair.arena, side);
  if (!code && group[0] && !given.group)
    given.group = xb_arena_text(&pair.arena, "%ux%ux%u", group[0], group[1], group[2]);
  if (!code && !given.entry)
    given.entry = xb_arena_text(&pair.arena, "%s", json_string_value(json_object_get(*side, "Kernel")));
  json_object_del(*side, "Kernel");
  both[0] = path;
  both[1] = *side ? xb_arena_text(&pair.arena, "%s", json_string_value(json_object_get(*side, "Source"))) : NULL;
  *words = both;
  if (!code && !known)
    return -1;
  code = code ? code : xb_pair_add_side(known_path, known, *side);
  json_decref(known);
  json_decref(*side);
  return code;
}

/* The half stands, and so --scaffold would not write it again. */
static int end_scaffold(int exit_code)
{
  if (scaffold && exit_code && given.sources[1])
    xb_report_error(0, "no manifest was written: once %s compiles, 'xbench pair --init %s %s --entry %s' writes it",
                    given.sources[0], given.sources[0], given.sources[1], given.entry);
  return exit_code;
}

/* What stands in a manifest is changed there. */
static int refuse_words(const char *path)
{
  const struct {
    const char *option, *key;
    bool given;
  } all[] = {{"--in, --inout and --out", "Buffers", given.buffers.count},
             {"--arg", "Arguments", given.arguments.count},
             {"--entry", "Entry", given.entry},
             {"--group", "GroupSize", given.group},
             {"--groups", "DispatchGroupCount", given.groups},
             {"--bytes", "Bytes", given.bytes},
             {"--flops", "Flops", given.flops}};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    if (all[i].given)
      return xb_report_error(XB_EXIT_USAGE, "pair: %s: %s sets it: change %s there", all[i].option, path, all[i].key);
  return -1;
}

static int take(const char *const *words)
{
  xb_error error;
  json_t *side = NULL;
  if (!words[0])
    return xb_report_error(XB_EXIT_USAGE, "pair: name a manifest, or sources: xbench pair saxpy.cu saxpy.hlsl");
  if (xb_is_json_name(words[0]) && words[1])
    return xb_report_error(XB_EXIT_USAGE, "pair: expected one manifest, not also '%s'", words[1]);
  const int refused = xb_is_json_name(words[0]) ? refuse_words(words[0]) : -1;
  if (refused >= 0)
    return refused;
  json_decref(manifest.root); /* of a command line that was read before */
  xb_arena_free(&pair.arena);
  pair = (xb_pair){0};
  manifest = (xb_pair_manifest){0};
  const int scaffolded = scaffold ? write_scaffold(&words, &side) : -1;
  if (scaffolded >= 0)
    return scaffolded;
  given.sources = words;
  xb_code code = xb_is_json_name(words[0]) ? xb_pair_open(words[0], &pair.arena, &manifest, &error)
                                           : xb_pair_from_words(&given, &manifest, &error);
  if (side)
    json_array_set_new(json_object_get(manifest.root, "Sides"), 1, side);
  if (!code)
    code = xb_pair_add_defines(&given, manifest.root, &error);
  if (!code)
    code = xb_pair_add_compilers(&given, manifest.root, &error);
  if (!code)
    code = xb_pair_read_sources(&manifest, &pair, &error);
  return code ? end_scaffold(xb_report_refusal(code, &error)) : -1;
}

/* ---- Sides ------------------------------------------------------------------------------------------------------ */

/* The same device of CUDA's emulation, opened for shaders, with the first of the waves that are asked for; NULL: it
 * cannot be. It is opened once; later calls give what is known of it. */
static const xb_device_info *shaders_on(const xb_device_info *listed)
{
  static xb_device_info info;
  const uint32_t waves = xb_given_options()->on.waves, usual = 32;
  const xb_device_desc desc = {
      .backend = xb_backend_find(listed->backend), .index = listed->index, .wave = waves ? waves & (0 - waves) : usual};
  xb_device *device;
  if (info.shader_waves == desc.wave)
    return &info;
  if (xb_device_open(&desc, &device, NULL))
    return NULL;
  info = *xb_device_get_info(device);
  xb_device_close(device, NULL);
  return &info;
}

/* Not CUDA's listing, which has all sizes. */
static bool is_for_shaders(const xb_device_info *info)
{
  return info->emulates && info->shader_waves == info->subgroup_size;
}

/* The device that a side runs on; NULL if it cannot run. */
static const xb_device_info *device_of(const xb_gpu *gpu, const xb_pair_side *side)
{
  for (size_t i = 0; i < XB_MAX_BACKENDS; i++) {
    const xb_device_info *info = gpu->by_backend[i];
    if (info && !strcmp(info->code, side->format) &&
        xb_backend_wanted(&xb_given_options()->on, xb_backend_find(info->backend)))
      return info;
  }
  for (size_t i = 0; i < XB_MAX_BACKENDS; i++) {
    const xb_device_info *listed = gpu->by_backend[i];
    const bool runs =
        listed && listed->shader_waves && xb_backend_wanted(&xb_given_options()->on, xb_backend_find(listed->backend));
    const xb_device_info *info = runs ? shaders_on(listed) : NULL;
    if (info && !strcmp(info->code, side->format))
      return info;
  }
  return NULL;
}

/* The device that emulates the API which runs this side's code; NULL if there is none, or if it is no source. */
static const xb_device_info *emulator_of(const xb_gpu *gpu, const xb_pair_side *side)
{
  const xb_language *l = xb_languages;
  while (l->backend && strcmp(l->code, side->format) != 0)
    l++;
  for (size_t i = 0; i < XB_MAX_BACKENDS && l->backend; i++) {
    const xb_device_info *info = gpu->by_backend[i];
    if (info && info->emulates && !strcmp(info->emulates, l->backend) && xb_pair_is_source(side->source.path) &&
        xb_backend_wanted(&xb_given_options()->on, xb_backend_find(info->backend)))
      return info;
  }
  return NULL;
}

/* Code whose API is not here may run where that is emulated. */
static void emulate_sides(const xb_gpu *gpu)
{
  for (uint32_t i = 0; i < pair.side_count; i++) {
    const bool runs_here = device_of(gpu, &pair.sides[i]) && !xb_given_options()->checks;
    const xb_device_info *info = runs_here ? NULL : emulator_of(gpu, &pair.sides[i]);
    if (info)
      xb_pair_emulate(&pair.sides[i], info);
  }
}

/* True if the source can run on some API. */
static bool runs(const xb_gpu *gpu, uint32_t source)
{
  for (uint32_t i = 0; i < pair.side_count; i++)
    if (pair.sides[i].of == source && device_of(gpu, &pair.sides[i]))
      return true;
  return false;
}

/* Compiles the sides that can run, and removes the others. HLSL that does not become DXIL still runs on Vulkan. */
static int compile_sides(const xb_gpu *gpu)
{
  uint32_t kept = 0;
  xb_error error;
  xb_pair_add_d3d12(&pair);
  emulate_sides(gpu);
  for (uint32_t i = 0; i < pair.side_count; i++) {
    const xb_device_info *info = device_of(gpu, &pair.sides[i]);
    const bool for_d3d12 = pair.sides[i].source.for_d3d12;
    if (!info && !for_d3d12 && !runs(gpu, pair.sides[i].of)) {
      xb_report_error(0, "%s: skipped: no chosen API runs it on %s", pair.sides[i].source.path, gpu->any->name);
      left_out = true;
    }
    if (!info)
      continue;
    const xb_code code = xb_pair_compile_side(&pair, &pair.sides[i], info->compute_capability, &error);
    pair.sides[i].refused = code == XB_UNSUPPORTED ? error : (xb_error){0}; /* the run says so at its place */
    left_out |= code == XB_UNSUPPORTED;
    if (code && code != XB_UNSUPPORTED && !(for_d3d12 && kept))
      return xb_report_refusal(code, &error);
    if (code && code != XB_UNSUPPORTED)
      xb_report_error(0, "%s; skipped on Direct3D 12", error.message);
    else
      pair.sides[kept++] = pair.sides[i];
  }
  pair.side_count = kept;
  return kept ? -1 : xb_report_error(XB_EXIT_UNAVAILABLE, "pair: none of the sources can run on %s", gpu->any->name);
}

static bool has_reference(void)
{
  bool files = pair.buffer_count;
  for (uint32_t i = 0; i < pair.buffer_count; i++)
    files &= pair.buffers[i].access == XB_PAIR_IN || pair.buffers[i].access == XB_PAIR_SCRATCH ||
             pair.buffers[i].expected.data;
  return files || (pair.reference && strchr(pair.reference, ':'));
}

/* Nothing is timed that was not checked, unless the user insists. */
static int check_reference(void)
{
  xb_error error;
  pair.unchecked = unchecked;
  if (unchecked)
    return -1;
  if (pair.side_count < 2 && !has_reference())
    return xb_report_error(XB_EXIT_UNAVAILABLE,
                           "pair: only %s can run, and nothing checks its results: give --reference or --unchecked, or "
                           "name a Reference in the manifest",
                           pair.sides[0].source.path);
  const xb_code code = xb_pair_set_reference(&pair, manifest.folder, &error);
  return xb_report_refusal(code, &error);
}

/* True if kernel k of some side has the argument. */
static bool is_used(uint32_t k, const char *name)
{
  bool used = false;
  for (const xb_pair_side *side = pair.sides; side < pair.sides + pair.side_count; side++)
    for (uint32_t a = 0; k < side->kernel_count && a < side->kernels[k].argument_count; a++)
      used |= side->codes[k].arguments[a] && !strcmp(side->kernels[k].arguments[a].name, name);
  return used;
}

/* A name that no side knows is a mistake, unless a side that was left out may know it. */
static xb_code check_used(xb_error *err)
{
  char structs[240];
  for (const xb_pair_side *side = pair.sides; side < pair.sides + pair.side_count && !left_out; side++)
    for (uint32_t k = 0; k < side->kernel_count; k++)
      for (uint32_t a = 0; a < side->kernels[k].argument_count; a++)
        if (!is_used(k, side->kernels[k].arguments[a].name))
          return xb_fail(err, XB_INVALID, "pair", "no source has the argument %s%s", side->kernels[k].arguments[a].name,
                         xb_pair_structs(&pair, k, structs));
  return XB_OK;
}

/* Buffers that nothing uses may stand in a manifest: code under work leaves some out. */
static void tell_unused_buffers(void)
{
  for (uint32_t b = 0; b < pair.buffer_count && !left_out; b++) {
    bool used = false;
    for (const xb_pair_side *side = pair.sides; side < pair.sides + pair.side_count; side++)
      for (uint32_t k = 0; k < side->kernel_count; k++)
        for (uint32_t i = 0; i < side->kernels[k].buffer_count; i++)
          used |= side->kernels[k].buffers[i] == b && side->codes[k].buffers[i];
    if (!used)
      xb_report_error(0, "pair: no source uses the buffer %s", pair.buffers[b].name);
  }
}

/* ---- The run ---------------------------------------------------------------------------------------------------- */

static int link_sides(void)
{
  xb_error error;
  xb_pair_complete(&pair, manifest.root, false);
  xb_code code = xb_pair_add_results(&given, manifest.root, &error);
  code = code ? code : xb_pair_read(&manifest, &pair, &error);
  code = code ? code : xb_pair_link_sides(&pair, &error);
  code = code ? code : check_used(&error);
  if (!code)
    tell_unused_buffers();
  return code ? xb_report_refusal(code, &error) : xb_pair_save(&pair, &saves) ? -1 : XB_EXIT_USAGE;
}

/* Finds mistakes in formulas, for each size, before anything runs. */
static int check_formulas(const xb_options *o, const xb_gpu *gpu)
{
  const xb_benchmark *benchmark = o->what->selected[0].variant->benchmark;
  for (size_t s = 0; s < (o->what->size_count ? o->what->size_count : 1); s++) {
    const xb_size size = xb_size_for(o->what, benchmark, 0, s);
    for (uint32_t i = 0; i < pair.side_count; i++) {
      const xb_device_info *info = device_of(gpu, &pair.sides[i]);
      const xb_case c = {.variant = &benchmark->variants[pair.sides[i].variant],
                         .dtype = o->what->dtypes[0],
                         .n = size.rows * size.columns,
                         .rows = size.rows,
                         .columns = size.columns,
                         .window_bytes = UINT64_MAX,
                         .device = info};
      xb_plan plan;
      xb_error error;
      const xb_code code = xb_plan_make(&c, &plan, &error);
      if (code && code != XB_UNSUPPORTED)
        return xb_report_refusal(code, &error);
      if (!code)
        xb_plan_free(&plan);
    }
  }
  return -1;
}

/* Sides that run where shaders are emulated get columns of their own there, and CUDA's only one if it has a side. */
static void choose_waves(const xb_gpu *gpu, xb_device_choice *on)
{
  bool cuda = false;
  for (uint32_t i = 0; i < pair.side_count; i++) {
    const xb_device_info *info = device_of(gpu, &pair.sides[i]);
    on->waves |= is_for_shaders(info) && !on->waves ? info->subgroup_size : 0;
    cuda |= info->emulates && !is_for_shaders(info);
  }
  on->shaders_only = !cuda;
}

/* The kernels of a benchmark that is measured beside the pair. */
static void compile_beside(const xb_variant *v, xb_dtype dtype, xb_device *device)
{
  const xb_device_info *info = xb_device_get_info(device);
  xb_case c = {.variant = v,
               .dtype = dtype,
               .n = v->benchmark->default_n,
               .rows = 1,
               .columns = v->benchmark->default_n,
               .window_bytes = info->max_binding_bytes,
               .device = info};
  c.block = xb_default_block(v, info, c.n);
  xb_plan plan;
  xb_error ignored;
  if (!xb_has_dtype(v->benchmark, dtype) || xb_plan_make(&c, &plan, &ignored))
    return;
  for (uint32_t k = 0; k < plan.kernel_count; k++) {
    xb_kernel *kernel = NULL;
    xb_create_embedded(&c, &plan.kernels[k], device, &kernel, &ignored);
    xb_kernel_destroy(kernel);
  }
  xb_plan_free(&plan);
}

/* A device that compiles by itself does so before this process may start no other program. */
static void compile_ahead(const xb_gpu *gpu)
{
  const xb_benchmark *b;
  for (uint32_t i = 0; i < pair.side_count; i++) {
    const xb_device_info *info = device_of(gpu, &pair.sides[i]);
    const xb_device_desc desc = {.backend = xb_backend_find(info->backend), .wave = info->subgroup_size};
    xb_device *device;
    if (!is_for_shaders(info) || xb_device_open(&desc, &device, NULL))
      continue;
    xb_pair_compile_ahead(&pair.sides[i], device);
    for (size_t k = 0; (b = xb_benchmark_at(k)); k++)
      for (const xb_variant *v = b->variants; v < b->variants + b->variant_count; v++)
        for (xb_dtype dtype = 0; (v->floor || v->ceiling) && dtype < XB_DTYPES; dtype++)
          if (v->ceiling || dtype == XB_FLOAT32)
            compile_beside(v, dtype, device);
    xb_device_close(device, NULL);
  }
}

/* "vulkan,d3d12": those that a side runs on. */
static const char *backends(const xb_gpu *gpu)
{
  static char list[XB_MAX_BACKENDS * 32];
  for (uint32_t i = 0; i < pair.side_count; i++) {
    const char *name = device_of(gpu, &pair.sides[i])->backend;
    const size_t at = strlen(list);
    if (!strstr(list, name))
      snprintf(list + at, sizeof list - at, "%s%s", at ? "," : "", name);
  }
  return list;
}

static int measure(const xb_gpu *gpu)
{
  static char against[160];
  xb_error error;
  const xb_code code = xb_pair_add(&pair, &error);
  if (code)
    return xb_report_refusal(code, &error);
  const xb_benchmark *benchmark = xb_benchmark_find(pair.name);
  xb_dtype dtype = 0;
  while (!xb_has_dtype(benchmark, dtype))
    dtype++;
  snprintf(against, sizeof against, "%s/1", pair.name);
  const bool compares = pair.side_count > 1 && !unchecked && !occupancy;
  const xb_run_defaults defaults = {pair.name, pair.sizes, compares && benchmark->variant_count > 1 ? against : NULL,
                                    dtype};
  xb_options *run_options = xb_given_options();
  int exit_code = xb_complete_options(compares, &defaults);
  if (exit_code < 0 && pair.unsized && !run_options->what->size_count)
    exit_code = xb_report_error(XB_EXIT_USAGE, "%s: %s", pair.name, pair.unsized);
  if (exit_code < 0)
    exit_code = check_formulas(run_options, gpu);
  if (exit_code >= 0)
    return exit_code;
  run_options->how.seed += more_seed;
  run_options->on.emulated_only = false;   /* shaders check the kernels' results */
  run_options->on.backend = backends(gpu); /* other APIs would only say that they have no source */
  choose_waves(gpu, &run_options->on);
  exit_code = occupancy ? xb_command_occupancy_run(run_options) : xb_command_run(run_options);
  return !exit_code && xb_pair_dump_failed ? XB_EXIT_USAGE : exit_code;
}

/* Where CUDA is emulated, kernels are a part of this process, and so is a library with right results. */
static bool runs_here(void)
{
  bool runs = pair.reference && strchr(pair.reference, ':');
  for (uint32_t i = 0; i < pair.side_count; i++)
    runs |= pair.sides[i].source.for_cpu;
  return runs;
}

static int run_pair(void)
{
  static xb_inventory inventory;
  const xb_gpu *gpu;
  if ((dump && !xb_pair_dump_into(dump)) || !xb_take_checks())
    return xb_finish_stdout(XB_EXIT_USAGE);
  xb_take_inventory(&inventory);
  int code = xb_choose_gpu(&inventory, &xb_given_options()->on, &gpu);
  if (code < 0)
    code = compile_sides(gpu);
  if (code < 0)
    code = link_sides();
  if (code < 0)
    compile_ahead(gpu);
  if (code < 0 && runs_here())
    xb_confine(xb_given_options()->checks || XB_CPU_FIRST_RUN); /* orders are processes, other kernels are compiled */
  if (code < 0)
    code = check_reference();
  return xb_finish_stdout(code < 0 ? measure(gpu) : code);
}

static int run(void)
{
  char why[XB_ENDED_BYTES];
  if (scaffold) /* the second source need not compile yet */
    pair.side_count = 1;
  pair.marks = init || scaffold;
  if (pair.marks)
    return end_scaffold(xb_pair_init(&pair, &manifest));
  if (text)
    return xb_command_isa_pair(&pair, &manifest, targets);
  const int code = xb_supervise(run_pair, why);
  if (code >= 0)
    xb_told_elsewhere(code);
  return code >= 0 ? code
                   : xb_report_error(XB_EXIT_DEVICE, "pair: the process that ran the kernels did not finish: %s",
                                     code == -1 ? why : "it cannot be started");
}

int xb_command_pair_run(const char *path, char **defines, size_t count)
{
  const char *words[] = {path, NULL};
  given.defines = (xb_text_list){.texts = defines, .count = count};
  const int code = take(words);
  return code < 0 ? run() : code;
}

int xb_command_pair_take(const char *const *words)
{
  const char *const *rest;
  const int code = xb_read_words(&xb_command_pair, words, &rest);
  return code < 0 ? take(rest) : code;
}

int xb_command_pair_into(const char *path, void *seed)
{
  xb_given_options()->json = path;
  xb_given_options()->apart = true;
  more_seed = *(const uint64_t *)seed;
  return run();
}

const xb_subcommand xb_command_pair = {.name = "pair",
                                       .usage = "[OPTION...] MANIFEST.json\n       xbench pair [OPTION...] SOURCE...",
                                       .where = "pair: ",
                                       .options = options,
                                       .more = xb_run_options,
                                       .bit = XB_FOR_PAIR,
                                       .take = take,
                                       .run = run};
