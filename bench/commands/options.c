#include "commands/options.h"

#include "commands/command_line.h"
#include "commands/values.h"
#include "version.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Options as text, before they are checked; so that every mistake is told in our own words. */
static struct {
  char *backend, *device, *sizes, *dtypes, *block, *json, *csv, *seed, *min_time, *max_time, *wait_limit, *cache,
      *flush, *launch, *families, *width, *loop, *placements, *against, *margin, *format;
  const char **at;
  int quiet, version;
} raw;

static const struct poptOption options[] = {
    XB_TEXT("backend", 'b', raw.backend, "API to run on, or all (default: all that reach the device)",
            "cuda|vulkan|all"),
    XB_TEXT("device", 'd', raw.device, "device to run on (default: the fastest kind)", "INDEX|UUID|NAME"),
    XB_TEXT("size", 'n', raw.sizes,
            "elements: 4194304, 2^22, 4Mi, 2^16..2^28 (doubling), 1Ki,1Mi; of a matrix: 2048, 4096x1000", "SIZES"),
    XB_TEXT("dtype", 't', raw.dtypes, "element types: float32 (default), int32, or both", "TYPES"),
    XB_TEXT("block", 0, raw.block, "threads of a group (reduce: 128 by default, as in the deck)", "N"),
    {"at", 0, POPT_ARG_ARGV, &raw.at, 0, "places on an axis: offset=0..32, stride=1,2,8 (default: the benchmark's own)",
     "AXIS=VALUES"},
    XB_TEXT("json", 0, raw.json, "write results with raw samples", "FILE"),
    XB_TEXT("csv", 0, raw.csv, "write one line a cell", "FILE"),
    XB_TEXT("seed", 0, raw.seed, "of inputs and of the order of samples (default 1)", "N"),
    XB_TEXT("min-time", 0, raw.min_time, "device time to sample each cell for (default 0.05)", "S"),
    XB_TEXT("max-time", 0, raw.max_time, "limit of sampling, a cell (default 0.6)", "S"),
    XB_TEXT("width", 0, raw.width, "of the 95 % interval at which sampling may end (default 1%)", "PERCENT"),
    XB_TEXT("wait-limit", 0, raw.wait_limit, "a submission that takes longer has hung (default 60)", "S"),
    XB_TEXT("cache", 0, raw.cache, "hot: back to back (default); cold: flushed before each run", "hot|cold"),
    XB_TEXT("flush-bytes", 0, raw.flush, "cold: written before each run (default: twice the last-level cache)",
            "BYTES"),
    XB_TEXT("launch", 0, raw.launch, "how CUDA launches: graph (default), stream, or all", "graph|stream|all"),
    XB_TEXT("queue-family", 0, raw.families,
            "Vulkan: of the compute queue (default: one without graphics); several run side by side", "INDEX,...|all"),
    XB_TEXT("placements", 0, raw.placements, "sets of buffers that each cell is sampled with (default 8, on a CPU 1)",
            "N"),
    XB_TEXT("loop", 0, raw.loop, "what repeats the work: launch (default), or a loop in the kernel", "launch|kernel"),
    XB_TEXT("against", 0, raw.against, "compare: held against this variant or device (default: the first API)",
            "BENCHMARK/VARIANT|DEVICE"),
    XB_TEXT("margin", 0, raw.margin, "compare: what counts as the same (default 1%, on a CPU 10%)", "PERCENT"),
    XB_TEXT("format", 0, raw.format,
            "on stdout: table (default), csv, markdown, or gbench: the JSON of google/benchmark",
            "table|csv|markdown|gbench"),
    XB_FLAG("quiet", 'q', raw.quiet, "no progress"),
    XB_FLAG("version", 'V', raw.version, "print the version"),
    POPT_AUTOHELP POPT_TABLEEND};

static const char USAGE[] = "[OPTION...] BENCHMARK[/VARIANT]...\n"
                            "       xbench compare [OPTION...] BENCHMARK[/VARIANT]...\n"
                            "       xbench diff [OPTION...] BASE.json NEW.json\n"
                            "       xbench guide [OPTION...] [CASE]...\n"
                            "       xbench list [devices|benchmarks]\n"
                            "       xbench report FILE... -o report.html\n"
                            "       xbench show [OPTION...] BENCHMARK/VARIANT";

/* ---- Benchmarks ------------------------------------------------------------------------------------------------- */

static bool select_variant(xb_options *o, const xb_variant *v, bool named)
{
  for (size_t i = 0; i < o->selected_count; i++)
    if (o->selected[i].variant == v) {
      o->selected[i].named |= named;
      return true;
    }
  if (o->selected_count == XB_MAX_SELECTED)
    return xb_mistake("more than %d variants named", XB_MAX_SELECTED);
  o->selected[o->selected_count++] = (xb_selection){.variant = v, .named = named};
  return true;
}

bool xb_find_named(const char *typed, const xb_benchmark **benchmark, const xb_variant **v)
{
  const char *names[64], *slash = strchr(typed, '/');
  char name[64], what[80];
  size_t count = 0;
  snprintf(name, sizeof name, "%.*s", (int)strcspn(typed, "/"), typed);
  *benchmark = xb_benchmark_find(name);
  *v = *benchmark && slash ? xb_variant_find(name, slash + 1) : NULL;
  if (!*benchmark) {
    for (; count < xb_benchmark_count() && count < 32; count++)
      names[count] = xb_benchmark_at(count)->name;
    return xb_mistake_unknown("benchmark", name, names, count);
  }
  if (!slash || *v)
    return true;
  for (; count < (*benchmark)->variant_count && count < 64; count++)
    names[count] = (*benchmark)->variants[count].name;
  snprintf(what, sizeof what, "variant of %s", name);
  return xb_mistake_unknown(what, slash + 1, names, count);
}

static bool select_named(xb_options *o, const char *typed)
{
  const xb_benchmark *benchmark;
  const xb_variant *v;
  if (!xb_find_named(typed, &benchmark, &v))
    return false;
  if (v)
    return select_variant(o, v, true);
  bool good = true;
  for (size_t i = 0; i < benchmark->variant_count && good; i++)
    good = select_variant(o, &benchmark->variants[i], false);
  return good;
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
static bool check_block(const xb_options *o)
{
  const xb_benchmark *benchmark = NULL;
  for (size_t i = 0; o->block && i < o->selected_count; i++) {
    benchmark = o->selected[i].variant->benchmark;
    if (xb_has_block(benchmark, o->block))
      return true;
  }
  if (!benchmark)
    return true;
  char all[128] = "";
  for (size_t k = 0, at = 0; xb_block_at(benchmark, k) && at < sizeof all; k++)
    at += (size_t)snprintf(all + at, sizeof all - at, "%s%u", k ? ", " : "", xb_block_at(benchmark, k));
  return xb_mistake("--block: %u: %s is built for groups of %s", o->block, benchmark->name, all);
}

static bool check_dtypes(const xb_options *o)
{
  for (size_t i = 0; i < o->selected_count; i++)
    for (size_t d = 0; d < o->dtype_count; d++)
      if (xb_has_dtype(o->selected[i].variant->benchmark, o->dtypes[d]))
        return true;
  return xb_mistake("--dtype: %s is not built for %s", o->selected[0].variant->benchmark->name,
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
static bool check_axes(const xb_options *o)
{
  const char *names[XB_MAX_SELECTED * XB_MAX_AXES];
  size_t count = 0;
  for (size_t i = 0; i < o->selected_count; i++) {
    const xb_benchmark *b = o->selected[i].variant->benchmark;
    for (size_t a = 0; a < b->axis_count && (!i || b != o->selected[i - 1].variant->benchmark); a++)
      names[count++] = b->axes[a].name;
    if (xb_place_count(o, b) > XB_MOST_PLACES)
      return xb_mistake("--at: more than %d places of %s: name fewer values", XB_MOST_PLACES, b->name);
  }
  for (size_t i = 0; i < o->at_count; i++) {
    size_t place;
    if (!count)
      return xb_mistake("--at: %s has no axes", o->selected[0].variant->benchmark->name);
    if (!xb_parse_word("axis", o->at[i].axis, names, count, &place))
      return false;
  }
  return true;
}

/* Each size has to mean something to each benchmark named. */
static bool check_sizes(const xb_options *o)
{
  for (size_t i = 0; i < o->selected_count; i++) {
    const xb_benchmark *benchmark = o->selected[i].variant->benchmark;
    for (size_t s = 0; s < o->size_count; s++) {
      const xb_size size = xb_size_for(o, benchmark, 0, s);
      if (!benchmark->matrix && o->sizes[s].rows)
        return xb_mistake("--size: %" PRIu64 "x%" PRIu64 ": %s takes a count of elements, no matrix", size.rows,
                          size.columns, benchmark->name);
      if (size.rows > (1ull << 60) / size.columns)
        return xb_mistake("--size: a matrix of %" PRIu64 " x %" PRIu64 " has more than 2^60 elements", size.rows,
                          size.columns);
    }
  }
  return true;
}

static bool check_files(const xb_options *o)
{
  if (!xb_check_file("--json", o->json) || !xb_check_file("--csv", o->csv))
    return false;
  if (o->json && o->csv && !strcmp(o->json, o->csv))
    return xb_mistake("--json and --csv both name '%s': give each a file of its own", o->json);
  if (o->flush_bytes && o->cache != XB_CACHE_COLD)
    return xb_mistake("--flush-bytes: goes with --cache cold");
  return true;
}

/* ---- Comparisons ------------------------------------------------------------------------------------------------- */

/* With a slash it is a variant, of the benchmark that everything else is of; else a device. */
static bool parse_against(const char *text, xb_options *o)
{
  const xb_benchmark *benchmark;
  if (!text || !strchr(text, '/')) {
    o->against_device = text;
    return true;
  }
  if (!xb_find_named(text, &benchmark, &o->against_variant))
    return false;
  for (size_t i = 0; i < o->selected_count; i++)
    if (o->selected[i].variant->benchmark != benchmark)
      return xb_mistake("--against: %s cannot be held against %s: name variants of one benchmark",
                        o->selected[i].variant->benchmark->name, text);
  return true;
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

static bool check_comparison(xb_options *o)
{
  if (o->command != XB_COMMAND_COMPARE && (raw.against || raw.margin))
    return xb_mistake("%s: goes with 'xbench compare'", raw.against ? "--against" : "--margin");
  if (!parse_against(raw.against, o))
    return false;
  drop_base_from_selection(o);
  return true;
}

/* ---- Commands --------------------------------------------------------------------------------------------------- */

static bool parse_list(xb_options *o, const char **words)
{
  static const char *const names[] = {"devices", "benchmarks"};
  o->command = XB_COMMAND_LIST;
  o->list = words[0] ? words[0] : "";
  if (words[0] && words[1])
    return xb_mistake("list: one of devices and benchmarks is taken, not also '%s'", words[1]);
  size_t place;
  return !*o->list || xb_parse_word("list", o->list, names, 2, &place);
}

static bool parse_words(xb_options *o, const char **words)
{
  if (words[0] && !strcmp(words[0], "list"))
    return raw.format ? xb_mistake("--format: goes with a run or a comparison, not with list")
                      : parse_list(o, words + 1);
  if (words[0] && !strcmp(words[0], "compare")) {
    o->command = XB_COMMAND_COMPARE;
    words++;
  }
  if (!words[0])
    return xb_mistake("no benchmark named: try 'xbench reduce', 'xbench list' or 'xbench --help'");
  for (; *words; words++)
    if (!select_named(o, *words))
      return false;
  qsort(o->selected, o->selected_count, sizeof o->selected[0], by_table);
  return check_comparison(o) && check_block(o) && check_axes(o) && check_dtypes(o) && check_sizes(o) && check_files(o);
}

static bool parse_sizes(xb_options *o)
{
  xb_error error;
  return !raw.sizes || !xb_parse_sizes(raw.sizes, o->sizes, &o->size_count, &error) || xb_mistake("%s", error.message);
}

static bool parse_block(xb_options *o)
{
  uint64_t block = 0;
  if (!xb_parse_count("--block", raw.block, &block))
    return false;
  o->block = (uint32_t)block;
  return !raw.block || (block && block <= UINT32_MAX) ||
         xb_mistake("--block: '%s': expected the threads of a group, such as 128", raw.block);
}

static bool parse_axes(xb_options *o)
{
  for (size_t i = 0; raw.at && raw.at[i]; i++)
    if (!xb_parse_at(raw.at[i], o))
      return false;
  return true;
}

static bool parse_placements(xb_options *o)
{
  uint64_t placements = 0;
  if (!xb_parse_count("--placements", raw.placements, &placements))
    return false;
  o->placements = (uint32_t)placements;
  return !raw.placements || placements == 1 ||
         (placements >= XB_FEWEST_PLACEMENTS && placements <= XB_MAX_PLACEMENTS) ||
         xb_mistake("--placements: '%s': expected 1, or %d to %d", raw.placements, XB_FEWEST_PLACEMENTS,
                    XB_MAX_PLACEMENTS);
}

static bool parse_values(xb_options *o)
{
  static const char *const caches[] = {"hot", "cold"}, *const loops[] = {"launch", "kernel"};
  static const char *const formats[] = {"table", "csv", "markdown", "gbench"};
  size_t cache = 0, loop = 0, format = 0;
  const bool good = xb_parse_backend(raw.backend) && parse_sizes(o) && xb_parse_dtypes(raw.dtypes, o) &&
                    parse_block(o) && parse_axes(o) && parse_placements(o) &&
                    xb_parse_count("--seed", raw.seed, &o->seed) &&
                    xb_parse_seconds("--min-time", raw.min_time, 3600, &o->min_time_s) &&
                    xb_parse_seconds("--max-time", raw.max_time, 3600, &o->max_time_s) &&
                    xb_parse_seconds("--wait-limit", raw.wait_limit, 86400, &o->wait_limit_s) &&
                    xb_parse_word("--cache", raw.cache, caches, 2, &cache) &&
                    xb_parse_bytes("--flush-bytes", raw.flush, &o->flush_bytes) && xb_parse_launch(raw.launch, o) &&
                    xb_parse_queue_families(raw.families, o) && xb_parse_word("--loop", raw.loop, loops, 2, &loop) &&
                    xb_parse_word("--format", raw.format, formats, 4, &format) &&
                    xb_parse_percent("--width", raw.width, 0.01, &o->width) &&
                    xb_parse_percent("--margin", raw.margin, 0, &o->margin);
  o->cache = (xb_cache)cache;
  o->loop = (xb_loop)loop;
  o->format = (xb_format)format;
  o->backend = raw.backend;
  o->device = raw.device;
  o->json = raw.json;
  o->csv = raw.csv;
  o->quiet = raw.quiet;
  return good;
}

int xb_parse_options(int argc, const char **argv, xb_options *o)
{
  static xb_command_line line = {.name = "xbench", .usage = USAGE, .where = "", .options = options};
  *o = (xb_options){.seed = 1, .min_time_s = 0.05, .max_time_s = 0.6, .wait_limit_s = 60, .width = 0.01, .margin = -1};
  const int code = xb_read_command_line(&line, argc, argv);
  if (code >= 0)
    return code;
  if (raw.version) {
    printf("xbench %s\n", XB_VERSION);
    return XB_EXIT_OK;
  }
  return parse_values(o) && parse_words(o, line.words) ? -1 : XB_EXIT_USAGE;
}
