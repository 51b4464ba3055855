
#include "commands/command_line.h"
#include "commands/subcommands.h"
#include "compile/compile.h"
#include "formats/output.h"
#include "result/result.h"
#include "show/languages.h"
#include "version.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LEAST_WINDOW = 4 << 20 }; /* a million words */
enum { MOST_IDLE = 1 << 20 };    /* more than any multiprocessor has */
enum { LAUNCH_ALL = 3, NO_LAUNCH, NO_FORMAT };

const xb_option xb_run_options[] = {
    {"backend", 'b', XB_OPT_BACKEND, offsetof(xb_invocation, options.devices.backend),
     "API to run on, or all (default: all that reach the device)", .value = xb_each_backend},
    {"device", 'd', XB_OPT_TEXT, offsetof(xb_invocation, options.devices.device),
     "device to run on (default: the fastest kind)", .value = "INDEX|UUID|NAME"},
    {"size", 'n', XB_OPT_TEXT, offsetof(xb_invocation, raw.sizes),
     "elements: 4194304, 2^22, 4Mi, 1e6, 2^16..2^28 (doubling), 1Ki,1Mi; of a matrix: 2048, 4096x1000; of a matrix "
     "product: 2048, 1000x1003x37",
     .value = "SIZES"},
    {"dtype", 't', XB_OPT_TEXT, offsetof(xb_invocation, raw.dtypes), "element types: float32 (default), int32, or both",
     .value = "TYPES"},
    {"block", 0, XB_OPT_TEXT, offsetof(xb_invocation, raw.block),
     "threads per group (default: the benchmark's own; reduce: 128)", .value = "N"},
    {"at", 0, XB_OPT_TEXTS, offsetof(xb_invocation, raw.at),
     "values of an axis: offset=0..32, stride=1,2,8 (default: the benchmark's own)", .value = "AXIS=VALUES"},
    {"json", 0, XB_OPT_FILE, offsetof(xb_invocation, options.json), "write the results with their raw samples",
     .value = "FILE"},
    {"csv", 0, XB_OPT_FILE, offsetof(xb_invocation, options.csv), "write one CSV line per cell", .value = "FILE",
     .not_for = XB_FOR_SCALE},
    {"seed", 0, XB_OPT_COUNT, offsetof(xb_invocation, options.conditions.seed),
     "seed of the inputs and of the order of samples (default 1)", .value = "N", .otherwise = 1},
    {"min-time", 0, XB_OPT_SECONDS, offsetof(xb_invocation, options.sampling.min_time_s),
     "minimum device time to sample each cell (default 0.05)", .value = "S", .otherwise = 0.05, .limit = 3600},
    {"max-time", 0, XB_OPT_SECONDS, offsetof(xb_invocation, options.sampling.max_time_s),
     "maximum time to sample each cell, at least 10 runs; checks are not counted (default 0.6, on a CPU 0.1)",
     .value = "S", .limit = 3600},
    {"width", 0, XB_OPT_PERCENT, offsetof(xb_invocation, options.sampling.width),
     "stop sampling when the 95 % interval is this narrow (default 1%)", .value = "PERCENT", .otherwise = 0.01,
     .limit = 0.01},
    {"wait-limit", 0, XB_OPT_SECONDS, offsetof(xb_invocation, options.conditions.wait_limit_s),
     "a submission that takes longer is treated as hung (default 60)", .value = "S", .otherwise = 60, .limit = 86400},
    {"window", 0, XB_OPT_BYTES, offsetof(xb_invocation, options.conditions.window_bytes),
     "limit the bytes of a buffer that one dispatch processes, to stay below a watchdog (default: the largest binding)",
     .value = "BYTES", .not_for = XB_FOR_SCALE},
    {"cache", 0, XB_OPT_WORD, offsetof(xb_invocation, raw.cache),
     "hot: runs follow each other (default); cold: the cache is flushed before each run", .value = "hot|cold",
     .not_for = XB_FOR_SCALE},
    {"flush-bytes", 0, XB_OPT_BYTES, offsetof(xb_invocation, options.conditions.flush_bytes),
     "--cache cold: bytes to read before each run (default: twice the last-level cache)", .value = "BYTES",
     .not_for = XB_FOR_SCALE},
    {"reserve-shared", 0, XB_OPT_BYTES, offsetof(xb_invocation, options.conditions.idle_shared_bytes),
     "CUDA: reserve BYTES of unused shared memory per block, to lower occupancy", .value = "BYTES",
     .not_for = XB_FOR_SCALE, .old = "idle-shared"},
    {"launch", 0, XB_OPT_WORD, offsetof(xb_invocation, raw.launch),
     "how CUDA launches: graph (default), stream (times include the host's launches), held_stream (times exclude "
     "them), or all",
     .value = "graph|stream|held_stream|all", .otherwise = NO_LAUNCH},
    {"queue-family", 0, XB_OPT_TEXT, offsetof(xb_invocation, raw.families),
     "Vulkan: family of the compute queue (default: one without graphics); several are shown side by side",
     .value = "INDEX,...|all", .not_for = XB_FOR_SCALE},
    {"wave", 0, XB_OPT_TEXT, offsetof(xb_invocation, raw.waves),
     "on the CPU, also run shaders, with waves of this many lanes; several are shown side by side",
     .value = "4|8|16|32|64|128,...|all", .not_for = XB_FOR_SCALE},
    {"placements", 0, XB_OPT_TEXT, offsetof(xb_invocation, raw.placements),
     "sets of buffers that each cell is timed with (default 8, on a CPU 1)", .value = "N", .not_for = XB_FOR_SCALE},
    {"loop", 0, XB_OPT_WORD, offsetof(xb_invocation, raw.loop),
     "repeat the work by launches (default), or by a loop in the kernel", .value = "launch|kernel",
     .not_for = XB_FOR_SCALE},
    {"against", 0, XB_OPT_TEXT, offsetof(xb_invocation, raw.against),
     "compare with this variant or device (default: the first API)", .value = "BENCHMARK/VARIANT|DEVICE",
     .not_for = XB_FOR_SCALE, .only_for = XB_FOR_COMPARE | XB_FOR_PAIR},
    {"margin", 0, XB_OPT_PERCENT, offsetof(xb_invocation, options.margin),
     "differences below this count as the same (default 1%, on a CPU 10%)", .value = "PERCENT", .otherwise = -1,
     .not_for = XB_FOR_SCALE, .only_for = XB_FOR_COMPARE | XB_FOR_PAIR},
    {"preset", 0, XB_OPT_WORD, offsetof(xb_invocation, raw.preset),
     "tuned: use the group sizes and axis values that 'xbench tune' saved for this device", .value = "none|tuned",
     .not_for = XB_FOR_SCALE},
    {"format", 0, XB_OPT_WORD, offsetof(xb_invocation, raw.format),
     "format of stdout: table (default), csv, markdown, or gbench (the JSON of google/benchmark)",
     .value = "table|csv|markdown|gbench", .otherwise = NO_FORMAT, .not_for = XB_FOR_SCALE},
    {"published", 0, XB_OPT_FLAG, offsetof(xb_invocation, options.published),
     .help = "show published results of other hardware, as --wide does", .not_for = XB_FOR_SCALE},
    {"check", 0, XB_OPT_TEXT, offsetof(xb_invocation, raw.checks),
     "kernels and shaders on the CPU: find data races, invalid memory accesses, and results that depend on the order "
     "of threads; without --size, with 1/256 of the elements",
     .value = "races,memory,order"},
    {"quiet", 'q', XB_OPT_FLAG, offsetof(xb_invocation, options.quiet), .help = "show no progress"},
    {"version", 'V', XB_OPT_FLAG, offsetof(xb_invocation, raw.version), .help = "print the version"},
    {0}};

/* ---- Values ----------------------------------------------------------------------------------------------------- */

/* Both are 0 if they were not given. */
static bool parse_counts(xb_invocation *in, xb_conditions *how)
{
  uint64_t block = 0, placements = 0;
  if ((in->raw.block && !xb_parse_count("--block", in->raw.block, &block)) ||
      (in->raw.placements && !xb_parse_count("--placements", in->raw.placements, &placements)))
    return false;
  how->block = (uint32_t)block;
  how->placements = (uint32_t)placements;
  if (in->raw.block && (!block || block > UINT32_MAX))
    return xb_usage_error("--block: '%s': expected a number of threads per group, such as 128", in->raw.block);
  return !in->raw.placements || placements == 1 ||
         (placements >= XB_FEWEST_PLACEMENTS && placements <= XB_MAX_PLACEMENTS) ||
         xb_usage_error("--placements: '%s': expected 1, or %d to %d", in->raw.placements, XB_FEWEST_PLACEMENTS,
                        XB_MAX_PLACEMENTS);
}

/* Measures as little as it can: a run that is watched says nothing about time. */
static bool parse_checks(xb_invocation *in, xb_options *o)
{
  static const char *const names[] = {"races", "memory", "order"};
  static const uint32_t checks[] = {XB_CHECK_RACES, XB_CHECK_MEMORY, XB_CHECK_ORDER};
  o->checks = 0;
  for (const char *p = in->raw.checks; p;) {
    const size_t length = strcspn(p, ",");
    size_t i = 0;
    while (i < 3 && (strlen(names[i]) != length || strncmp(names[i], p, length) != 0))
      i++;
    if (i == 3)
      return xb_usage_error("--check: '%.*s': expected races, memory or order, or several: races,memory", (int)length,
                            p);
    o->checks |= checks[i];
    p = p[length] ? p + length + 1 : NULL;
  }
  xb_set_checks(o->checks);
  o->devices.emulated_only = o->selection->watched = o->checks != 0;
  o->devices.checks = xb_checks_in_code();
  if (o->checks) {
    o->sampling.min_time_s = 1e-6;
    o->sampling.max_time_s = 2e-6;
  }
  return true;
}

static bool parse_waves(xb_invocation *in, xb_device_choice *on)
{
  enum { LEAST = 4, MOST = 128 };
  on->waves = in->raw.waves && !strcmp(in->raw.waves, "all") ? 2 * MOST - LEAST : 0;
  for (const char *p = on->waves ? "" : in->raw.waves; p && *p;) {
    const size_t digits = strspn(p, "0123456789");
    const uint32_t wave = digits && digits < 4 ? (uint32_t)atoi(p) : 0;
    if (wave < LEAST || wave > MOST || (wave & (wave - 1)) || (p[digits] && (p[digits] != ',' || !p[digits + 1])))
      return xb_usage_error("--wave: '%s': expected 4, 8, 16, 32, 64 or 128, several as 8,64, or all", in->raw.waves);
    on->waves |= wave;
    p += digits + (p[digits] == ',');
  }
  return on->waves || !in->raw.waves || xb_usage_error("--wave: expected a number of lanes, such as 64");
}

/* Resets everything except what popt wrote. */
static bool parse_values(xb_invocation *in, xb_options *o)
{
  static const xb_launch_mode modes[] = {XB_LAUNCH_GRAPH, XB_LAUNCH_STREAM, XB_LAUNCH_HELD_STREAM};
  xb_error error;
  *o->selection = (xb_choice){.elements = o->selection->elements};
  o->devices.launch_mode_count = o->devices.queue_family_count = 0;
  for (size_t i = 0; i < LAUNCH_ALL; i++)
    if (in->raw.launch == i || in->raw.launch == LAUNCH_ALL)
      o->devices.launch_modes[o->devices.launch_mode_count++] = modes[i];
  o->conditions.cache = (xb_cache)in->raw.cache;
  o->conditions.loop = (xb_loop)in->raw.loop;
  o->preset = in->raw.preset == 1;
  o->format = in->raw.format == NO_FORMAT ? XB_FORMAT_TABLE : (xb_format)in->raw.format;
  if (in->raw.sizes && xb_parse_sizes(in->raw.sizes, o->selection->sizes, &o->selection->size_count, &error))
    return xb_usage_error("%s", error.message);
  bool good = xb_parse_dtypes(in->raw.dtypes, o->selection) && parse_counts(in, &o->conditions);
  for (size_t i = 0; i < in->raw.at.count && good; i++)
    good = xb_parse_at(in->raw.at.texts[i], o->selection);
  return good && parse_checks(in, o) && xb_parse_queue_families(in->raw.families, &o->devices) &&
         parse_waves(in, &o->devices);
}

/* ---- Commands --------------------------------------------------------------------------------------------------- */

static bool check_together(xb_invocation *in, const xb_options *o)
{
  if (!o->conditions.compares && (in->raw.against || o->margin >= 0))
    return xb_usage_error("%s: only valid with 'xbench compare'", in->raw.against ? "--against" : "--margin");
  if (o->preset && (o->conditions.block || o->selection->at_count))
    return xb_usage_error("--preset: %s also chooses: give only one of them", o->conditions.block ? "--block" : "--at");
  if (o->json && o->csv && xb_same_file(o->json, o->csv))
    return xb_usage_error("--json and --csv both name '%s': name two different files", o->json);
  if (o->conditions.window_bytes && o->conditions.window_bytes < LEAST_WINDOW)
    return xb_usage_error("--window: expected at least 4Mi");
  if (o->conditions.idle_shared_bytes > MOST_IDLE)
    return xb_usage_error("--reserve-shared: expected at most 1Mi");
  return !o->conditions.flush_bytes || o->conditions.cache == XB_CACHE_COLD ||
         xb_usage_error("--flush-bytes: only valid with --cache cold");
}

static bool parse_words(xb_invocation *in, xb_options *o, const char *const *words)
{
  if (words[0] && !o->conditions.compares && !strcmp(words[0], "compare")) {
    o->conditions.compares = true;
    words++;
  }
  if (!words[0])
    return xb_usage_error("no benchmark named: try 'xbench reduce', 'xbench list' or 'xbench --help'");
  if (!o->conditions.compares && !xb_check_first_word(words[0]))
    return false;
  for (const char *before = NULL; *words; before = *words++)
    if (!xb_check_word(*words, before) || !xb_select(o->selection, *words))
      return false;
  if (!check_together(in, o) || !xb_set_against(in->raw.against, o->selection, &o->devices) ||
      !xb_check_axis_points(o->selection, o->conditions.block))
    return false;
  o->devices.first_is_base = o->conditions.compares && !o->selection->against_variant;
  o->devices.all_queues = false; /* a benchmark that uses several queues gets all that the device has */
  for (size_t i = 0; i < o->selection->selected_count; i++)
    o->devices.all_queues |= o->selection->selected[i].variant->benchmark->all_queues;
  return true;
}

/* Returns as xb_complete_options. */
static int take_values(xb_invocation *in, bool compares)
{
  in->options.conditions.compares = compares;
  if (in->raw.version) {
    printf("xbench %s\n", XB_VERSION);
    return XB_EXIT_OK;
  }
  return parse_values(in, &in->options) ? -1 : XB_EXIT_USAGE;
}

static int take_as(xb_invocation *in, bool compares, const char *const *words)
{
  const int code = take_values(in, compares);
  return code < 0 && !parse_words(in, &in->options, words) ? XB_EXIT_USAGE : code;
}

static int take_compare(xb_invocation *in, const char *const *words)
{
  return take_as(in, true, words);
}

typedef struct peaks_given {
  bool tables; /* of all cells, too */
} peaks_given;

/* The benchmarks of all peaks. */
static int take_peaks(xb_invocation *in, const char *const *words)
{
  enum { MOST_PEAKS = 32, WORD_BYTES = 64 };
  char texts[MOST_PEAKS][WORD_BYTES];
  const char *names[MOST_PEAKS + 1];
  size_t count = 0;
  if (words[0])
    return xb_report_error(XB_EXIT_USAGE, "peaks: '%s': it takes no names; 'xbench %s' measures one benchmark",
                           words[0], words[0]);
  for (const xb_peak *p = xb_peaks; p->title && count < MOST_PEAKS; p++) {
    snprintf(texts[count], WORD_BYTES, "%s/%" PRIu64, p->benchmark, p->variant);
    size_t same = 0;
    while (strcmp(texts[same], texts[count]) != 0)
      same++;
    names[count] = texts[count];
    count += same == count;
  }
  names[count] = NULL;
  in->choice.elements = true;
  const int code = take_as(in, false, names);
  in->choice.elements = code < 0;
  for (size_t i = 0; i < in->options.selection->selected_count; i++)
    in->options.selection->selected[i].named = false; /* what a device lacks is no mistake */
  in->options.peaks = in->options.format == XB_FORMAT_TABLE;
  in->options.all_peaks = ((const peaks_given *)in->own)->tables;
  return code;
}

bool xb_take_checks(xb_invocation *in)
{
  return parse_checks(in, &in->options);
}

int xb_complete_words(xb_invocation *in, const char *const *words)
{
  return take_as(in, false, words);
}

int xb_complete_values(xb_invocation *in)
{
  return take_values(in, false);
}

int xb_complete_options(xb_invocation *in, bool compares, const xb_run_defaults *defaults)
{
  const char *words[] = {defaults->benchmark, NULL};
  in->raw.sizes = in->raw.sizes ? in->raw.sizes : defaults->sizes;
  in->raw.against = in->raw.against ? in->raw.against : defaults->against;
  in->options.conditions.compares = compares;
  if (in->raw.dtypes || !parse_values(in, &in->options))
    return in->raw.dtypes
               ? xb_report_error(XB_EXIT_USAGE, "--dtype: %s has element types of its own", defaults->benchmark)
               : XB_EXIT_USAGE;
  if (in->options.preset)
    return xb_report_error(XB_EXIT_USAGE, "--preset: a pair has no presets: write its best values as Default into its "
                                          "manifest, or give --define");
  in->choice.dtypes[0] = defaults->dtype;
  in->choice.dtype_count = 1;
  return parse_words(in, &in->options, words) ? -1 : XB_EXIT_USAGE;
}

static int run(xb_invocation *in)
{
  return xb_command_run(&in->options);
}

const xb_subcommand xb_command_main = {
    .name = "", .usage = "[OPTION...] BENCHMARK[/VARIANT]...", .runs = true, .take = xb_complete_words, .run = run};
static const xb_option peaks_options[] = {
    {"long", 'l', XB_OPT_FLAG, offsetof(peaks_given, tables), .help = "also show the tables of all cells"}, {0}};
const xb_subcommand xb_command_peaks = {.name = "peaks",
                                        .usage = "[OPTION...]",
                                        .options = peaks_options,
                                        .own_bytes = sizeof(peaks_given),
                                        .runs = true,
                                        .take = take_peaks,
                                        .run = run};
const xb_subcommand xb_command_compare = {.name = "compare",
                                          .usage = "[OPTION...] BENCHMARK[/VARIANT]...",
                                          .runs = true,
                                          .bit = XB_FOR_COMPARE,
                                          .take = take_compare,
                                          .run = run};
