#include "commands/options.h"

#include "commands/values.h"
#include "exit_codes.h"
#include "version.h"

#include <inttypes.h>
#include <popt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Options as text, before they are checked; so that every mistake is told in our own words. */
typedef struct raw_options {
  char *backend, *device, *sizes, *dtypes, *block, *json, *csv, *seed, *min_time, *max_time, *wait_limit, *cache,
      *flush, *launch, *families, *width, *loop, *placements, *against, *margin, *format;
  const char **at;
  int quiet, version;
} raw_options;

/* ---- Benchmarks ------------------------------------------------------------------------------------------------- */

static int select_variant(xb_options *o, const xb_variant *v, bool named)
{
  for (size_t i = 0; i < o->selected_count; i++)
    if (o->selected[i].variant == v) {
      o->selected[i].named |= named;
      return -1;
    }
  if (o->selected_count == XB_MAX_SELECTED)
    return xb_complain(XB_EXIT_USAGE, "more than %d variants named", XB_MAX_SELECTED);
  o->selected[o->selected_count++] = (xb_selection){.variant = v, .named = named};
  return -1;
}

static int unknown_variant(const xb_benchmark *benchmark, const char *typed)
{
  const char *names[64];
  size_t count = 0;
  for (; count < benchmark->variant_count && count < 64; count++)
    names[count] = benchmark->variants[count].name;
  char what[80];
  snprintf(what, sizeof what, "variant of %s", benchmark->name);
  return xb_complain_unknown(what, typed, names, count);
}

int xb_find_named(const char *typed, const xb_benchmark **benchmark, const xb_variant **v)
{
  const char *slash = strchr(typed, '/');
  char name[64];
  snprintf(name, sizeof name, "%.*s", slash ? (int)(slash - typed) : (int)strlen(typed), typed);
  *benchmark = xb_benchmark_find(name);
  *v = NULL;
  if (!*benchmark) {
    const char *names[32];
    size_t count = 0;
    for (; count < xb_benchmark_count() && count < 32; count++)
      names[count] = xb_benchmark_at(count)->name;
    return xb_complain_unknown("benchmark", name, names, count);
  }
  if (!slash)
    return -1;
  *v = xb_variant_find(name, slash + 1);
  return *v ? -1 : unknown_variant(*benchmark, slash + 1);
}

static int select_named(xb_options *o, const char *typed)
{
  const xb_benchmark *benchmark;
  const xb_variant *v;
  int code = xb_find_named(typed, &benchmark, &v);
  if (code >= 0 || v)
    return v ? select_variant(o, v, true) : code;
  for (size_t i = 0; i < benchmark->variant_count && code < 0; i++)
    code = select_variant(o, &benchmark->variants[i], false);
  return code;
}

static size_t place_of(const xb_benchmark *benchmark)
{
  size_t place = 0;
  while (xb_benchmark_at(place) != benchmark)
    place++;
  return place;
}

static int by_table(const void *a, const void *b)
{
  const xb_selection *x = a, *y = b;
  const size_t of_x = place_of(x->variant->benchmark), of_y = place_of(y->variant->benchmark);
  if (of_x != of_y)
    return of_x < of_y ? -1 : 1;
  return (x->variant > y->variant) - (x->variant < y->variant); /* both point into the one table */
}

/* A group size or element type counts where a benchmark has it; that none of those named does is a mistake. */
static int check_block(const xb_options *o)
{
  const xb_benchmark *benchmark = NULL;
  for (size_t i = 0; o->block && i < o->selected_count; i++) {
    benchmark = o->selected[i].variant->benchmark;
    if (xb_has_block(benchmark, o->block))
      return -1;
  }
  if (!benchmark)
    return -1;
  char all[128] = "";
  for (size_t k = 0, at = 0; xb_block_at(benchmark, k) && at < sizeof all; k++)
    at += (size_t)snprintf(all + at, sizeof all - at, "%s%u", k ? ", " : "", xb_block_at(benchmark, k));
  return xb_complain(XB_EXIT_USAGE, "--block: %u: %s is built for groups of %s", o->block, benchmark->name, all);
}

static int check_dtypes(const xb_options *o)
{
  for (size_t i = 0; i < o->selected_count; i++)
    for (size_t d = 0; d < o->dtype_count; d++)
      if (xb_has_dtype(o->selected[i].variant->benchmark, o->dtypes[d]))
        return -1;
  return xb_complain(XB_EXIT_USAGE, "--dtype: %s is not built for %s", o->selected[0].variant->benchmark->name,
                     xb_dtype_name(o->dtypes[0]));
}

xb_size xb_size_for(const xb_options *o, const xb_benchmark *benchmark, uint64_t cache_bytes, size_t i)
{
  const uint64_t least = benchmark->methods->least_n ? benchmark->methods->least_n(cache_bytes) : 0;
  const uint64_t own = least > benchmark->default_n ? least : benchmark->default_n;
  xb_size size = o->size_count ? o->sizes[i] : (xb_size){.columns = own};
  if (!size.rows)
    size.rows = benchmark->matrix ? size.columns : 1;
  return size;
}

/* ---- Axes -------------------------------------------------------------------------------------------------------- */

/* What was asked for, or the axis' own values. */
static void values_of(const xb_options *o, const xb_axis *axis, xb_axis_choice *choice)
{
  for (size_t i = 0; i < o->at_count; i++)
    if (!strcmp(o->at[i].axis, axis->name)) {
      *choice = o->at[i];
      return;
    }
  xb_parse_axis_values(axis->values, choice);
}

size_t xb_place_count(const xb_options *o, const xb_benchmark *benchmark)
{
  size_t count = 1;
  xb_axis_choice choice;
  for (size_t a = 0; a < benchmark->axis_count && count <= XB_MOST_PLACES; a++) {
    values_of(o, &benchmark->axes[a], &choice);
    count *= choice.count;
  }
  return count;
}

void xb_set_place(const xb_options *o, const xb_benchmark *benchmark, size_t i, uint32_t at[XB_MAX_AXES])
{
  xb_axis_choice choice;
  for (size_t a = benchmark->axis_count; a-- > 0; i /= choice.count) { /* the last axis goes fastest */
    values_of(o, &benchmark->axes[a], &choice);
    at[a] = choice.values[i % choice.count];
  }
}

/* Each axis has to be one of a benchmark that was named. */
static int check_axes(const xb_options *o)
{
  const char *names[XB_MAX_SELECTED * XB_MAX_AXES];
  size_t count = 0;
  for (size_t i = 0; i < o->selected_count; i++) {
    const xb_benchmark *b = o->selected[i].variant->benchmark;
    for (size_t a = 0; a < b->axis_count && (!i || b != o->selected[i - 1].variant->benchmark); a++)
      names[count++] = b->axes[a].name;
    if (xb_place_count(o, b) > XB_MOST_PLACES)
      return xb_complain(XB_EXIT_USAGE, "--at: more than %d places of %s: name fewer values", XB_MOST_PLACES, b->name);
  }
  for (size_t i = 0; i < o->at_count; i++) {
    size_t k = 0;
    while (k < count && strcmp(names[k], o->at[i].axis) != 0)
      k++;
    if (k == count && !count)
      return xb_complain(XB_EXIT_USAGE, "--at: %s has no axes", o->selected[0].variant->benchmark->name);
    if (k == count)
      return xb_complain_unknown("axis", o->at[i].axis, names, count);
  }
  return -1;
}

/* Each size has to mean something to each benchmark named. */
static int check_sizes(const xb_options *o)
{
  for (size_t i = 0; i < o->selected_count; i++) {
    const xb_benchmark *benchmark = o->selected[i].variant->benchmark;
    for (size_t s = 0; s < o->size_count; s++) {
      const xb_size size = xb_size_for(o, benchmark, 0, s);
      if (!benchmark->matrix && o->sizes[s].rows)
        return xb_complain(XB_EXIT_USAGE, "--size: %" PRIu64 "x%" PRIu64 ": %s takes a count of elements, no matrix",
                           size.rows, size.columns, benchmark->name);
      if (size.rows > (1ull << 60) / size.columns)
        return xb_complain(XB_EXIT_USAGE, "--size: a matrix of %" PRIu64 " x %" PRIu64 " has more than 2^60 elements",
                           size.rows, size.columns);
    }
  }
  return -1;
}

static int check_files(const xb_options *o)
{
  const char *const files[] = {o->json, o->csv};
  for (int i = 0; i < 2; i++)
    if (files[i] && (!*files[i] || !strcmp(files[i], "-")))
      return xb_complain(XB_EXIT_USAGE, "%s: '%s': expected the name of a file (/dev/stdout is one)",
                         i ? "--csv" : "--json", files[i]);
  if (o->json && o->csv && !strcmp(o->json, o->csv))
    return xb_complain(XB_EXIT_USAGE, "--json and --csv both name '%s': give each a file of its own", o->json);
  if (o->flush_bytes && o->cache != XB_CACHE_COLD)
    return xb_complain(XB_EXIT_USAGE, "--flush-bytes: goes with --cache cold");
  return -1;
}

/* ---- Comparisons ------------------------------------------------------------------------------------------------- */

/* With a slash it is a variant, of the benchmark that everything else is of; else a device. */
static int parse_against(const char *text, xb_options *o)
{
  const xb_benchmark *benchmark;
  if (!text || !strchr(text, '/')) {
    o->against_device = text;
    return -1;
  }
  const int code = xb_find_named(text, &benchmark, &o->against_variant);
  for (size_t i = 0; i < o->selected_count && code < 0; i++)
    if (o->selected[i].variant->benchmark != benchmark)
      return xb_complain(XB_EXIT_USAGE, "--against: %s cannot be held against %s: name variants of one benchmark",
                         o->selected[i].variant->benchmark->name, text);
  return code;
}

/* "All but the base" is what is meant by a whole benchmark against one of its variants. */
static void drop_base_from_selection(xb_options *o)
{
  size_t kept = 0;
  for (size_t i = 0; i < o->selected_count; i++)
    if (o->selected[i].named || o->selected[i].variant != o->against_variant)
      o->selected[kept++] = o->selected[i];
  o->selected_count = kept;
}

static int check_comparison(const raw_options *raw, xb_options *o)
{
  if (o->command != XB_COMMAND_COMPARE && (raw->against || raw->margin))
    return xb_complain(XB_EXIT_USAGE, "%s: goes with 'xbench compare'", raw->against ? "--against" : "--margin");
  const int code = parse_against(raw->against, o);
  if (code < 0)
    drop_base_from_selection(o);
  return code;
}

/* ---- Commands --------------------------------------------------------------------------------------------------- */

static int parse_list(xb_options *o, const char **words)
{
  static const char *const names[] = {"devices", "benchmarks"};
  o->command = XB_COMMAND_LIST;
  o->list = words[0] ? words[0] : "";
  if (words[0] && words[1])
    return xb_complain(XB_EXIT_USAGE, "list: one of devices and benchmarks is taken, not also '%s'", words[1]);
  for (int i = 0; i < 2; i++)
    if (!*o->list || !strcmp(o->list, names[i]))
      return -1;
  return xb_complain_unknown("list", o->list, names, 2);
}

static int parse_words(const raw_options *raw, xb_options *o, const char **words)
{
  static const char *const none[] = {NULL};
  if (!words)
    words = (const char **)none;
  if (words[0] && !strcmp(words[0], "list"))
    return raw->format ? xb_complain(XB_EXIT_USAGE, "--format: goes with a run or a comparison, not with list")
                       : parse_list(o, words + 1);
  if (words[0] && !strcmp(words[0], "compare")) {
    o->command = XB_COMMAND_COMPARE;
    words++;
  }
  if (!words[0])
    return xb_complain(XB_EXIT_USAGE, "no benchmark named: try 'xbench reduce', 'xbench list' or 'xbench --help'");
  int code = -1;
  for (; *words && code < 0; words++)
    code = select_named(o, *words);
  qsort(o->selected, o->selected_count, sizeof o->selected[0], by_table);
  if (code < 0)
    code = check_comparison(raw, o);
  if (code < 0)
    code = check_block(o);
  if (code < 0)
    code = check_axes(o);
  if (code < 0)
    code = check_dtypes(o);
  if (code < 0)
    code = check_sizes(o);
  return code < 0 ? check_files(o) : code;
}

static int parse_values(const raw_options *raw, xb_options *o)
{
  xb_error error;
  uint64_t block = 0, placements = 0;
  int code = xb_parse_backend(raw->backend);
  if (code < 0 && raw->sizes && xb_parse_sizes(raw->sizes, o->sizes, &o->size_count, &error))
    code = xb_complain(XB_EXIT_USAGE, "%s", error.message);
  if (code < 0)
    code = xb_parse_dtypes(raw->dtypes, o);
  if (code < 0)
    code = xb_parse_count("--block", raw->block, &block);
  if (code < 0 && raw->block && (!block || block > UINT32_MAX))
    code = xb_complain(XB_EXIT_USAGE, "--block: '%s': expected the threads of a group, such as 128", raw->block);
  for (size_t i = 0; raw->at && raw->at[i] && code < 0; i++)
    code = xb_parse_at(raw->at[i], o);
  if (code < 0)
    code = xb_parse_count("--placements", raw->placements, &placements);
  const bool several = placements >= XB_FEWEST_PLACEMENTS && placements <= XB_MAX_PLACEMENTS;
  if (code < 0 && raw->placements && placements != 1 && !several)
    code = xb_complain(XB_EXIT_USAGE, "--placements: '%s': expected 1, or %d to %d", raw->placements,
                       XB_FEWEST_PLACEMENTS, XB_MAX_PLACEMENTS);
  if (code < 0)
    code = xb_parse_count("--seed", raw->seed, &o->seed);
  if (code < 0)
    code = xb_parse_seconds("--min-time", raw->min_time, 3600, &o->min_time_s);
  if (code < 0)
    code = xb_parse_seconds("--max-time", raw->max_time, 3600, &o->max_time_s);
  if (code < 0)
    code = xb_parse_seconds("--wait-limit", raw->wait_limit, 86400, &o->wait_limit_s);
  if (code < 0)
    code = xb_parse_cache(raw->cache, &o->cache);
  if (code < 0)
    code = xb_parse_bytes("--flush-bytes", raw->flush, &o->flush_bytes);
  if (code < 0)
    code = xb_parse_launch(raw->launch, o);
  if (code < 0)
    code = xb_parse_queue_families(raw->families, o);
  if (code < 0)
    code = xb_parse_loop(raw->loop, &o->loop);
  if (code < 0)
    code = xb_parse_format(raw->format, &o->format);
  if (code < 0)
    code = xb_parse_percent("--width", raw->width, 0.01, &o->width);
  if (code < 0)
    code = xb_parse_percent("--margin", raw->margin, 0, &o->margin);
  o->backend = raw->backend;
  o->device = raw->device;
  o->block = (uint32_t)block;
  o->placements = (uint32_t)placements;
  o->json = raw->json;
  o->csv = raw->csv;
  o->quiet = raw->quiet;
  return code;
}

static const char USAGE[] = "[OPTION...] BENCHMARK[/VARIANT]...\n"
                            "       xbench compare [OPTION...] BENCHMARK[/VARIANT]...\n"
                            "       xbench diff [OPTION...] BASE.json NEW.json\n"
                            "       xbench guide [OPTION...] [CASE]...\n"
                            "       xbench list [devices|benchmarks]\n"
                            "       xbench report FILE... -o report.html\n"
                            "       xbench show [OPTION...] BENCHMARK/VARIANT";

static void release(raw_options *raw, poptContext context)
{
  char *const texts[] = {raw->backend,    raw->device, raw->sizes,    raw->dtypes,   raw->block,   raw->json,
                         raw->csv,        raw->seed,   raw->min_time, raw->max_time, raw->cache,   raw->flush,
                         raw->wait_limit, raw->launch, raw->width,    raw->loop,     raw->against, raw->margin,
                         raw->placements, raw->format, raw->families};
  for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
    free(texts[i]);
  for (size_t i = 0; raw->at && raw->at[i]; i++)
    free((char *)(uintptr_t)raw->at[i]);
  free(raw->at);
  *raw = (raw_options){0};
  poptFreeContext(context);
}

int xb_parse_options(int argc, const char **argv, xb_options *o)
{
  /* Values and words belong to these, until there are others. */
  static raw_options raw;
  static poptContext context;
  const struct poptOption table[] = {
      {"backend", 'b', POPT_ARG_STRING, &raw.backend, 0, "API to run on, or all (default: all that reach the device)",
       "cuda|vulkan|all"},
      {"device", 'd', POPT_ARG_STRING, &raw.device, 0, "device to run on (default: the fastest kind)",
       "INDEX|UUID|NAME"},
      {"size", 'n', POPT_ARG_STRING, &raw.sizes, 0,
       "elements: 4194304, 2^22, 4Mi, 2^16..2^28 (doubling), 1Ki,1Mi; of a matrix: 2048, 4096x1000", "SIZES"},
      {"dtype", 't', POPT_ARG_STRING, &raw.dtypes, 0, "element types: float32 (default), int32, or both", "TYPES"},
      {"block", 0, POPT_ARG_STRING, &raw.block, 0, "threads of a group (reduce: 128 by default, as in the deck)", "N"},
      {"at", 0, POPT_ARG_ARGV, &raw.at, 0,
       "places on an axis: offset=0..32, stride=1,2,8 (default: the benchmark's own)", "AXIS=VALUES"},
      {"json", 0, POPT_ARG_STRING, &raw.json, 0, "write results with raw samples", "FILE"},
      {"csv", 0, POPT_ARG_STRING, &raw.csv, 0, "write one line a cell", "FILE"},
      {"seed", 0, POPT_ARG_STRING, &raw.seed, 0, "of inputs and of the order of samples (default 1)", "N"},
      {"min-time", 0, POPT_ARG_STRING, &raw.min_time, 0, "device time to sample each cell for (default 0.05)", "S"},
      {"max-time", 0, POPT_ARG_STRING, &raw.max_time, 0, "limit of sampling, a cell (default 0.6)", "S"},
      {"width", 0, POPT_ARG_STRING, &raw.width, 0, "of the 95 % interval at which sampling may end (default 1%)",
       "PERCENT"},
      {"wait-limit", 0, POPT_ARG_STRING, &raw.wait_limit, 0, "a submission that takes longer has hung (default 60)",
       "S"},
      {"cache", 0, POPT_ARG_STRING, &raw.cache, 0, "hot: back to back (default); cold: flushed before each run",
       "hot|cold"},
      {"flush-bytes", 0, POPT_ARG_STRING, &raw.flush, 0,
       "cold: written before each run (default: twice the last-level cache)", "BYTES"},
      {"launch", 0, POPT_ARG_STRING, &raw.launch, 0, "how CUDA launches: graph (default), stream, or all",
       "graph|stream|all"},
      {"queue-family", 0, POPT_ARG_STRING, &raw.families, 0,
       "Vulkan: of the compute queue (default: one without graphics); several run side by side", "INDEX,...|all"},
      {"placements", 0, POPT_ARG_STRING, &raw.placements, 0,
       "sets of buffers that each cell is sampled with (default 8, on a CPU 1)", "N"},
      {"loop", 0, POPT_ARG_STRING, &raw.loop, 0, "what repeats the work: launch (default), or a loop in the kernel",
       "launch|kernel"},
      {"against", 0, POPT_ARG_STRING, &raw.against, 0,
       "compare: held against this variant or device (default: the first API)", "BENCHMARK/VARIANT|DEVICE"},
      {"margin", 0, POPT_ARG_STRING, &raw.margin, 0, "compare: what counts as the same (default 1%, on a CPU 10%)",
       "PERCENT"},
      {"format", 0, POPT_ARG_STRING, &raw.format, 0,
       "on stdout: table (default), csv, markdown, or gbench: the JSON of google/benchmark",
       "table|csv|markdown|gbench"},
      {"quiet", 'q', POPT_ARG_NONE, &raw.quiet, 0, "no progress", NULL},
      {"version", 'V', POPT_ARG_NONE, &raw.version, 0, "print the version", NULL},
      POPT_AUTOHELP POPT_TABLEEND};
  *o = (xb_options){.seed = 1, .min_time_s = 0.05, .max_time_s = 0.6, .wait_limit_s = 60, .width = 0.01, .margin = -1};

  release(&raw, context);
  context = poptGetContext("xbench", argc, argv, table, 0);
  poptSetOtherOptionHelp(context, USAGE);
  const int rc = poptGetNextOpt(context);
  if (rc < -1)
    return xb_complain(XB_EXIT_USAGE, "%s: %s; 'xbench --help' lists the options", poptBadOption(context, 0),
                       poptStrerror(rc));
  if (raw.version) {
    printf("xbench %s\n", XB_VERSION);
    return XB_EXIT_OK;
  }
  const int code = parse_values(&raw, o);
  return code < 0 ? parse_words(&raw, o, poptGetArgs(context)) : code;
}
