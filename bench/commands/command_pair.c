/* xbench pair: kernels of the user's own. They are compiled, linked to a manifest, checked against each other and
 * measured as any benchmark is. */
#include "commands/pair_suspects.h"
#include "guide/scan/scan.h"
#include "os/supervise.h"
#include "os/temporary.h"
#include "pair/scaffold/scaffold.h"
#include "version.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const xb_option options[] = {
    {"in", 0, XB_OPT_ORDERED, offsetof(xb_pair_command, given.buffers),
     "a buffer that kernels read: NAME[:TYPE[:LENGTH[:FILL]]]; name buffers in the order of bindings",
     .value = "BUFFER"},
    {"inout", 0, XB_OPT_ORDERED, offsetof(xb_pair_command, given.buffers), "a buffer that they read and write",
     .value = "BUFFER"},
    {"out", 0, XB_OPT_ORDERED, offsetof(xb_pair_command, given.buffers), "a buffer that they write", .value = "BUFFER"},
    {"arg", 0, XB_OPT_TEXTS, offsetof(xb_pair_command, given.arguments),
     "an argument: a formula or a number (default: the formula of its name)", .value = "NAME[=VALUE]"},
    {"entry", 0, XB_OPT_TEXT, offsetof(xb_pair_command, given.entry),
     "the kernel's name, or a list A,B (default: the only one); scan<256>=Scan: the CUDA name, and the name in other "
     "languages",
     .value = "NAME"},
    {"group", 0, XB_OPT_TEXT, offsetof(xb_pair_command, given.group), "threads per group (default: from the code)",
     .value = "X[xY[xZ]]"},
    {"groups", 0, XB_OPT_TEXT, offsetof(xb_pair_command, given.groups),
     "number of groups, in each dimension: n/256, or ceil(n/256) (default)", .value = "FORMULA,..."},
    {"reference", 0, XB_OPT_TEXTS, offsetof(xb_pair_command, given.references),
     "expected results: [BUFFER=]FILE.npy, LIBRARY.so:FUNCTION, or a source (default: the side that is checked first)",
     .value = "WHAT"},
    {"tolerance", 0, XB_OPT_TEXTS, offsetof(xb_pair_command, given.tolerances),
     "how much results may differ: [BUFFER=]exact, 4ulp or 1e-6 (default: floats 4ulp, integers exact)",
     .value = "RULE"},
    {"unchecked", 0, XB_OPT_FLAG, offsetof(xb_pair_command, unchecked),
     .help = "measure one side without checking its results"},
    {"bytes", 0, XB_OPT_TEXT, offsetof(xb_pair_command, given.bytes),
     "bytes that a run moves (default: those of the buffers)", .value = "FORMULA"},
    {"flops", 0, XB_OPT_TEXT, offsetof(xb_pair_command, given.flops), "floating-point operations of a run",
     .value = "FORMULA"},
    {"compiler", 0, XB_OPT_TEXTS, offsetof(xb_pair_command, given.compilers),
     "compile with this compiler, or with the one at PATH; repeat the option to compare several",
     .value = "nvrtc|nvcc|glslc|dxc|slangc|naga|tint[=PATH]"},
    {"flag", 0, XB_OPT_TEXTS, offsetof(xb_pair_command, given.flags),
     "a compiler option, such as -DTILE=16; hlsl:-O3 is for HLSL sources only", .value = "[EXTENSION:]FLAG"},
    {"define", 0, XB_OPT_TEXTS, offsetof(xb_pair_command, given.defines),
     "a macro for the compilers and a constant for formulas", .value = "NAME=NUMBER"},
    {"dump-outputs", 0, XB_OPT_TEXT, offsetof(xb_pair_command, dump),
     "write the inputs and outputs of each side as BUFFER.SIDE.N.npy", .value = "DIR"},
    {"save", 0, XB_OPT_TEXTS, offsetof(xb_pair_command, saves),
     "write this output of the first side, or this input, to an array file", .value = "BUFFER=FILE.npy"},
    {"occupancy", 0, XB_OPT_FLAG, offsetof(xb_pair_command, occupancy),
     .help = "show how many groups a multiprocessor holds, and measure nothing"},
    {"text", 0, XB_OPT_FLAG, offsetof(xb_pair_command, text),
     .help = "show registers, spills and machine code of each side, as 'xbench isa' does, and measure nothing"},
    {"explain", 0, XB_OPT_FLAG, offsetof(xb_pair_command, explain),
     .help = "after the run, name differences of the machine codes that can explain a ratio beyond its margin"},
    {"for", 0, XB_OPT_TEXT, offsetof(xb_pair_command, targets),
     "with --text: gfx1100, sm_90, ... (default: all that the installed compilers know)", .value = "ARCHITECTURE,..."},
    {"suspects", 0, XB_OPT_FLAG, offsetof(xb_pair_command, suspects),
     .help = "compile and run each side in every way that is available here, and name the layer that makes it wrong; "
             "time nothing"},
    {"reduce", 0, XB_OPT_FLAG, offsetof(xb_pair_command, reduce),
     .help = "with --suspects: remove elements and statements while it stays wrong, and write NAME-reduced"},
    {"reduce-limit", 0, XB_OPT_COUNT, offsetof(xb_pair_command, reduce_limit_s),
     "seconds that --reduce takes (default 60)", .value = "S", .otherwise = 60},
    XB_TRUST_OPTIONS(xb_pair_command),
    {"init", 0, XB_OPT_FLAG, offsetof(xb_pair_command, init),
     .help = "write a manifest from the sources; fill in each ?"},
    {"scaffold", 0, XB_OPT_FLAG, offsetof(xb_pair_command, scaffold),
     .help = "draft the HLSL port of a CUDA kernel, and a manifest; #error lines mark what to finish"},
    {0}};

/* ---- The manifest ----------------------------------------------------------------------------------------------- */

/* What a manifest says of its first kernel, where the command line says nothing. */
static void take_kernel(xb_pair_command *c, const json_t *known)
{
  const json_t *shader = json_array_get(json_object_get(known, "Shaders"), 0),
               *size = json_object_get(shader, "GroupSize");
  const char *entry = json_string_value(json_object_get(shader, "Entry"));
  int group[3] = {0};
  for (size_t d = 0; d < 3; d++)
    group[d] = d < json_array_size(size) ? (int)json_integer_value(json_array_get(size, d)) : 1;
  if (entry && !c->given.entry)
    c->given.entry = xb_arena_text(&c->pair.arena, "%s", entry);
  if (group[0] && !c->given.group)
    c->given.group = xb_arena_text(&c->pair.arena, "%dx%dx%d", group[0], group[1], group[2]);
}

/* Writes the second source; a manifest that is there gets it, and all is done (XB_EXIT_OK). Else returns -1, and
 * `words` becomes both sources. */
static int write_scaffold(xb_pair_command *c, const char *const **words, json_t **side)
{
  uint32_t group[3] = {0};
  char known_path[160];
  json_t *known = NULL;
  const char *path = (*words)[0];
  if ((*words)[1] || !xb_is_cuda_source(path))
    return xb_report_error(XB_EXIT_USAGE, "pair: --scaffold: name one CUDA source, such as my.cu");
  int code = xb_pair_find_manifest(path, known_path, &known);
  if (!code && known)
    take_kernel(c, known);
  if (c->given.group && sscanf(c->given.group, "%ux%ux%u", &group[0], &group[1], &group[2]) > 0)
    for (int d = 1; d < 3; d++)
      group[d] = group[d] ? group[d] : 1;
  code = code ? code : xb_scaffold_write(path, c->given.entry, group, &c->pair.arena, side);
  if (!code && group[0] && !c->given.group)
    c->given.group = xb_arena_text(&c->pair.arena, "%ux%ux%u", group[0], group[1], group[2]);
  if (!code && !c->given.entry)
    c->given.entry = xb_arena_text(&c->pair.arena, "%s", json_string_value(json_object_get(*side, "Kernel")));
  json_object_del(*side, "Kernel");
  c->both[0] = path;
  c->both[1] = *side ? xb_arena_text(&c->pair.arena, "%s", json_string_value(json_object_get(*side, "Source"))) : NULL;
  *words = c->both;
  if (!code && !known)
    return -1;
  code = code ? code : xb_pair_add_side(known_path, known, *side);
  json_decref(known);
  json_decref(*side);
  return code;
}

/* The half stands, and so --scaffold would not write it again. */
static int end_scaffold(xb_pair_command *c, int exit_code)
{
  if (c->scaffold && exit_code && c->given.sources[1])
    xb_report_error(0, "no manifest was written: once %s compiles, 'xbench pair --init %s %s --entry %s' writes it",
                    c->given.sources[0], c->given.sources[0], c->given.sources[1], c->given.entry);
  return exit_code;
}

/* What stands in a manifest is changed there. */
static int refuse_words(const xb_pair_words *words, const char *path)
{
  const struct {
    const char *option, *key;
    bool given;
  } all[] = {{"--in, --inout and --out", "Buffers", words->buffers.count},
             {"--arg", "Arguments", words->arguments.count},
             {"--entry", "Entry", words->entry},
             {"--group", "GroupSize", words->group},
             {"--groups", "DispatchGroupCount", words->groups},
             {"--bytes", "Bytes", words->bytes},
             {"--flops", "Flops", words->flops}};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    if (all[i].given)
      return xb_report_error(XB_EXIT_USAGE, "pair: %s: %s sets it: change %s there", all[i].option, path, all[i].key);
  return -1;
}

static void end(void *own)
{
  xb_pair_command *c = own;
  json_decref(c->manifest.root);
  xb_arena_free(&c->pair.arena);
}

static int take_words(xb_pair_command *c, const char *const *words)
{
  xb_error error;
  json_t *side = NULL;
  if (!words[0])
    return xb_report_error(XB_EXIT_USAGE, "pair: name a manifest, or sources: xbench pair saxpy.cu saxpy.hlsl");
  if (xb_is_json_name(words[0]) && words[1])
    return xb_report_error(XB_EXIT_USAGE, "pair: expected one manifest, not also '%s'", words[1]);
  const int refused = xb_is_json_name(words[0]) ? refuse_words(&c->given, words[0]) : -1;
  if (refused >= 0)
    return refused;
  xb_pair_trust = c->trust;
  end(c); /* of a command line that was read before */
  c->pair = (xb_pair){0};
  c->manifest = (xb_pair_manifest){0};
  const int scaffolded = c->scaffold ? write_scaffold(c, &words, &side) : -1;
  if (scaffolded >= 0)
    return scaffolded;
  c->given.sources = words;
  xb_code code = xb_is_json_name(words[0]) ? xb_pair_open(words[0], &c->pair.arena, &c->manifest, &error)
                                           : xb_pair_from_words(&c->given, &c->manifest, &error);
  if (side)
    json_array_set_new(json_object_get(c->manifest.root, "Sides"), 1, side);
  if (!code)
    code = xb_pair_add_defines(&c->given, c->manifest.root, &error);
  xb_pair_words sides = c->given;
  if (c->suspects)
    sides.compilers.count = 0; /* all are tried */
  if (!code)
    code = xb_pair_add_compilers(&sides, c->manifest.root, &error);
  if (!code)
    code = xb_pair_read_sources(&c->manifest, &c->pair, &error);
  return code ? end_scaffold(c, xb_report_refusal(code, &error)) : -1;
}

/* ---- The run ---------------------------------------------------------------------------------------------------- */

/* Finds mistakes in formulas, for each size, before anything runs. */
static int check_formulas(xb_pair_command *c, const xb_options *o, const xb_gpu *gpu)
{
  const xb_benchmark *benchmark = o->selection->selected[0].variant->benchmark;
  for (size_t s = 0; s < (o->selection->size_count ? o->selection->size_count : 1); s++) {
    const xb_size size = xb_size_for(o->selection, benchmark, 0, s);
    for (uint32_t i = 0; i < c->pair.side_count; i++) {
      const xb_device_info *info = xb_pair_device_of(c, gpu, &c->pair.sides[i]);
      const xb_case cell = {.variant = &benchmark->variants[c->pair.sides[i].variant],
                            .dtype = o->selection->dtypes[0],
                            .n = size.rows * size.columns,
                            .rows = size.rows,
                            .columns = size.columns,
                            .window_bytes = UINT64_MAX,
                            .device = info};
      xb_plan plan;
      xb_error error;
      const xb_code code = xb_plan_make(&cell, &plan, &error);
      if (code && code != XB_UNSUPPORTED)
        return xb_report_refusal(code, &error);
      if (!code)
        xb_plan_free(&plan);
    }
  }
  return -1;
}

static int measure(xb_pair_command *c, const xb_gpu *gpu)
{
  xb_error error;
  const xb_code code = xb_pair_add(&c->pair, &error);
  if (code)
    return xb_report_refusal(code, &error);
  const xb_benchmark *benchmark = xb_benchmark_find(c->pair.name);
  xb_dtype dtype = 0;
  while (!xb_has_dtype(benchmark, dtype))
    dtype++;
  snprintf(c->against, sizeof c->against, "%s/1", c->pair.name);
  const bool compares = c->pair.side_count > 1 && !c->unchecked && !c->occupancy;
  const xb_run_defaults defaults = {c->pair.name, c->pair.sizes,
                                    compares && benchmark->variant_count > 1 ? c->against : NULL, dtype};
  xb_options *run_options = &c->in->options;
  int exit_code = xb_complete_options(c->in, compares, &defaults);
  if (exit_code < 0 && c->pair.unsized && !run_options->selection->size_count)
    exit_code = xb_report_error(XB_EXIT_USAGE, "%s: %s", c->pair.name, c->pair.unsized);
  if (exit_code < 0)
    exit_code = check_formulas(c, run_options, gpu);
  if (exit_code >= 0)
    return exit_code;
  run_options->conditions.seed += c->more_seed;
  run_options->devices.emulated_only = false;              /* shaders check the kernels' results */
  run_options->devices.backend = xb_pair_backends(c, gpu); /* other APIs would only say that they have no source */
  xb_pair_choose_waves(c, gpu, &run_options->devices);
  exit_code = c->occupancy ? xb_command_occupancy_run(run_options) : xb_command_run(run_options);
  return !exit_code && xb_pair_dump_failed(&c->pair) ? XB_EXIT_USAGE : exit_code;
}

/* Where CUDA is emulated, kernels are a part of this process, and so is a library with right results. */
static bool runs_here(xb_pair_command *c)
{
  bool runs = c->pair.reference && strchr(c->pair.reference, ':');
  for (uint32_t i = 0; i < c->pair.side_count; i++)
    runs |= c->pair.sides[i].source.for_cpu;
  return runs;
}

/* Of sources in CUDA C++ whose results were wrong, what the guide's scan says of them. */
static void report_traps(const xb_pair_command *c)
{
  const char *last = NULL;
  for (const xb_pair_side *side = c->pair.sides; side < c->pair.sides + c->pair.side_count; side++)
    if (xb_is_cuda_source(side->source.path) && (!last || strcmp(last, side->source.path) != 0))
      xb_guide_report_traps(last = side->source.path, "pair: ");
}

static void report_differences(xb_pair_command *c, const xb_gpu *gpu)
{
  uint32_t waves[XB_PAIR_SIDES];
  char text[480];
  for (uint32_t i = 0; i < c->pair.side_count; i++) {
    const xb_pair_side *side = &c->pair.sides[i];
    const xb_device_info *info = xb_pair_device_of(c, gpu, side);
    waves[i] = side->kernels[0].wave ? side->kernels[0].wave : info ? info->subgroup_size : 0;
  }
  if (*xb_pair_differences(&c->pair, waves, text))
    xb_report_error(0, "pair: also different, beside the sources: %s", text);
}

static int run_pair(void *user)
{
  xb_pair_command *c = user;
  const xb_gpu *gpu;
  if ((c->dump && !xb_pair_dump_into(&c->pair, c->dump)) || !xb_take_checks(c->in))
    return xb_finish_stdout(XB_EXIT_USAGE);
  c->in->options.selection->watched = false; /* a pair's size is its own */
  xb_take_inventory(&c->inventory);
  int code = xb_choose_gpu(&c->inventory, &c->in->options.devices, &gpu);
  if (code < 0)
    code = xb_pair_compile_sides(c, gpu);
  if (code < 0)
    code = xb_pair_take_manifest(c);
  if (code < 0)
    xb_pair_compile_devices(c, gpu);
  if (code < 0 && runs_here(c))
    xb_confine(c->in->options.checks || XB_CPU_FIRST_RUN); /* orders are processes, other kernels are compiled */
  if (code < 0)
    code = xb_pair_check_reference(c);
  code = xb_finish_stdout(code < 0 ? measure(c, gpu) : code);
  if (code == XB_EXIT_WRONG) {
    report_differences(c, gpu);
    report_traps(c);
  }
  return code;
}

int xb_pair_run_in_child(xb_pair_command *c)
{
  char why[XB_ENDED_BYTES];
  const int code = xb_supervise(run_pair, c, why);
  if (code >= 0)
    xb_exit_set_silent(code);
  return code >= 0 ? code
                   : xb_report_error(XB_EXIT_DEVICE, "pair: the process that ran the kernels did not finish: %s",
                                     code == -1 ? why : "it cannot be started");
}

static int run_it(xb_pair_command *c)
{
  char results[XB_TEMPORARY_BYTES] = "";
  if (c->scaffold) /* the second source need not compile yet */
    c->pair.side_count = 1;
  c->pair.marks = c->init || c->scaffold;
  if (c->pair.marks)
    return end_scaffold(c, xb_pair_init(&c->pair, &c->manifest));
  if (c->text)
    return xb_command_isa_pair(c->in, &c->pair, &c->manifest, c->targets, NULL);
  if (c->suspects)
    return xb_pair_suspects(c);
  if (c->explain && !c->in->options.json) {
    const int fd = xb_temporary_file(results, ".json");
    if (fd < 0)
      return xb_report_error(XB_EXIT_USAGE, "pair: --explain: %s", xb_temporary_why());
    close(fd);
    remove(results); /* what exists and is not of xbench is not replaced */
    c->in->options.json = results;
  }
  const int code = xb_pair_run_in_child(c);
  if (!c->explain || code != XB_EXIT_OK)
    return code;
  const int said = xb_command_isa_pair(c->in, &c->pair, &c->manifest, NULL, c->in->options.json);
  if (*results)
    xb_temporary_remove(results);
  return said;
}

int xb_command_pair_run(xb_invocation *in, const char *path, char **defines, size_t count)
{
  const char *words[] = {path, NULL};
  xb_pair_command *c = calloc(1, sizeof *c);
  if (!c)
    return xb_report_error(XB_EXIT_DEVICE, "pair: out of host memory");
  c->in = in;
  c->given.defines = (xb_text_list){.texts = defines, .count = count};
  c->trust = xb_pair_trust;
  const int code = take_words(c, words);
  return code < 0 ? run_it(c) : code; /* this process ends soon */
}

int xb_command_pair_into(const char *path, void *again)
{
  const xb_pair_again *a = again;
  xb_pair_command *c = a->in->own;
  a->in->options.json = path;
  a->in->options.in_child = true;
  c->more_seed = a->more_seed;
  return run_it(c);
}

static int take(xb_invocation *in, const char *const *words)
{
  xb_pair_command *c = in->own;
  c->in = in;
  return take_words(c, words);
}

static int run(xb_invocation *in)
{
  return run_it(in->own);
}

const xb_subcommand xb_command_pair = {.name = "pair",
                                       .usage = "[OPTION...] MANIFEST.json\n       xbench pair [OPTION...] SOURCE...",
                                       .where = "pair: ",
                                       .options = options,
                                       .own_bytes = sizeof(xb_pair_command),
                                       .runs = true,
                                       .bit = XB_FOR_PAIR,
                                       .take = take,
                                       .run = run,
                                       .end = end};
