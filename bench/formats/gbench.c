/* The JSON of google/benchmark, with its field names and aggregates. */
#include "formats/result_columns.h"
#include "judge/stats.h"
#include "os/cpu.h"
#include "result/fields.h"
#include "result/json_file.h"
#include "version.h"

#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

enum { MOST_FAMILIES = 256 };

struct xb_gbench {
  json_t *benchmarks;
  bool out_of_memory;
  /* A family is a variant through one API. Its instances are sizes, types, ... */
  struct {
    const char *benchmark;
    uint64_t variant;
    const xb_result_device *device;
    int instances;
  } families[MOST_FAMILIES];
  int family_count;
};

/* ---- Context ---------------------------------------------------------------------------------------------------- */

static bool scaling_enabled(void)
{
  char governor[32] = "performance";
  FILE *file = fopen("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "r");
  if (file && !fgets(governor, sizeof governor, file))
    snprintf(governor, sizeof governor, "unknown");
  if (file)
    fclose(file);
  return strncmp(governor, "performance", 11) != 0;
}

static json_t *load_average(void)
{
  double loads[3] = {0};
  json_t *list = json_array();
  FILE *file = fopen("/proc/loadavg", "r");
  const int count = file ? fscanf(file, "%lf %lf %lf", &loads[0], &loads[1], &loads[2]) : 0;
  for (int i = 0; i < count; i++)
    json_array_append_new(list, json_real(loads[i]));
  if (file)
    fclose(file);
  return list;
}

/* 2026-11-21T12:00:00+01:00. */
static json_t *date(void)
{
  char text[40] = "";
  const time_t now = time(NULL);
  struct tm local;
  if (localtime_r(&now, &local) && strftime(text, sizeof text - 1, "%Y-%m-%dT%H:%M:%S%z", &local) == 24) {
    memmove(text + 23, text + 22, 3);
    text[22] = ':';
  }
  return json_string(text);
}

static json_t *context(void)
{
  struct utsname os = {0};
  char executable[4096], mhz[64];
  uname(&os);
  xb_cpu_info("cpu MHz", mhz, sizeof mhz);
  const ssize_t length = readlink("/proc/self/exe", executable, sizeof executable - 1);
  executable[length > 0 ? length : 0] = 0;
#ifdef NDEBUG
  const char *const build = "release";
#else
  const char *const build = "debug";
#endif
  /* `caches` is empty: it is for the host's caches, and the host is not measured */
  return json_pack("{so so* so* sI sI sb s[] so ss ss si}", "date", date(), "host_name", json_string(os.nodename),
                   "executable", json_string(executable), "num_cpus", (json_int_t)sysconf(_SC_NPROCESSORS_ONLN),
                   "mhz_per_cpu", (json_int_t)lround(strtod(mhz, NULL)), "cpu_scaling_enabled", scaling_enabled(),
                   "caches", "load_avg", load_average(), "library_version", "xbench " XB_VERSION, "library_build_type",
                   build, "json_schema_version", 1);
}

/* ---- One cell --------------------------------------------------------------------------------------------------- */

/* The common values of all lines of a cell. */
typedef struct instance {
  char name[192];
  int family, index;
  size_t repetitions;
  bool emulated;
} instance;

static void place_in_family(xb_gbench *g, const xb_result *r, instance *in)
{
  int f = 0;
  while (f < g->family_count && (strcmp(g->families[f].benchmark, r->benchmark) != 0 ||
                                 g->families[f].variant != r->variant_number || g->families[f].device != r->on))
    f++;
  if (f == g->family_count && f < MOST_FAMILIES - 1) {
    g->families[f].benchmark = r->benchmark;
    g->families[f].variant = r->variant_number;
    g->families[f].device = r->on;
    g->family_count++;
  }
  in->family = f;
  in->index = g->families[f].instances++;
}

/* One repetition or, if `aggregate` is not empty, an aggregate of all repetitions. */
static json_t *line(const instance *in, const char *aggregate, size_t repetition)
{
  char name[224];
  snprintf(name, sizeof name, "%s%s%s", in->name, *aggregate ? "_" : "", aggregate);
  json_t *o = json_pack("{ss si si ss ss sI}", "name", name, "family_index", in->family, "per_family_instance_index",
                        in->index, "run_name", in->name, "run_type", *aggregate ? "aggregate" : "iteration",
                        "repetitions", (json_int_t)in->repetitions);
  if (!*aggregate)
    json_object_set_new(o, "repetition_index", json_integer((json_int_t)repetition));
  json_object_set_new(o, "threads", json_integer(1));
  if (in->emulated)
    json_object_set_new(o, "emulated", json_true());
  return o;
}

/* Adds the metrics as counters with their names; bandwidth is bytes_per_second. */
static void add_metrics(json_t *o, const xb_result *r)
{
  for (size_t i = 0; i < r->rates.metrics.count; i++)
    if (strcmp(r->rates.metrics.values[i].name, "bandwidth") != 0)
      json_object_set_new(o, r->rates.metrics.values[i].name, json_real(r->rates.metrics.values[i].value));
}

static void add_times(json_t *o, double iterations, double real, double cpu, double bytes_per_second)
{
  json_object_update_new(o, json_pack("{sI sf sf ss}", "iterations", (json_int_t)iterations, "real_time", real,
                                      "cpu_time", cpu, "time_unit", "ns"));
  if (bytes_per_second > 0)
    json_object_set_new(o, "bytes_per_second", json_real(bytes_per_second));
}

static void add_failure(xb_gbench *g, instance *in, const xb_result *r)
{
  in->repetitions = 1;
  json_t *o = line(in, "", 0);
  json_object_set_new(o, "error_occurred", json_true());
  json_object_set_new(o, "error_message", json_string(xb_result_why(r)));
  add_times(o, 0, 0, 0, 0);
  json_array_append_new(g->benchmarks, o);
}

/* The values of sample i. */

static double real_time(const xb_result *r, size_t i)
{
  return r->time.samples_ns.values[i];
}

/* The host time. That of a cold sample includes the flush, and that of a user's kernel may include copies: then its
 * device time is used instead. */
static double cpu_time(const xb_result *r, size_t i)
{
  return !isnan(r->time.host_ns) ? r->time.host_samples_ns.values[i] : r->time.samples_ns.values[i];
}

static double rate(const xb_result *r, size_t i)
{
  return real_time(r, i) > 0 ? (double)r->work.bytes / real_time(r, i) * 1e9 : 0;
}

static void add_samples(xb_gbench *g, const instance *in, const xb_result *r)
{
  const double runs = (double)r->time.batch * (double)(r->conditions.repeats ? r->conditions.repeats : 1);
  for (size_t i = 0; i < r->time.samples_ns.count; i++) {
    json_t *o = line(in, "", i);
    add_times(o, runs, real_time(r, i), cpu_time(r, i), rate(r, i));
    xb_write_shown(&xb_result_fields, r, XB_IN_GBENCH, o);
    json_array_append_new(g->benchmarks, o);
  }
}

/* ---- Aggregates ------------------------------------------------------------------------------------------------- */

enum { MEAN, MEDIAN, STDDEV, CV, AGGREGATES };

/* Statistics of the plain values, without regard to placements. `values` is scratch. */
static void aggregate(const xb_result *r, double (*of)(const xb_result *, size_t), double *values,
                      double out[AGGREGATES])
{
  const size_t count = r->time.samples_ns.count;
  double sum = 0, squares = 0;
  for (size_t i = 0; i < count; i++)
    values[i] = of(r, i);
  xb_sort_doubles(values, count);
  for (size_t i = 0; i < count; i++)
    sum += values[i];
  const double mean = sum / (double)count;
  for (size_t i = 0; i < count; i++)
    squares += (values[i] - mean) * (values[i] - mean);
  out[MEAN] = mean;
  out[MEDIAN] = (values[(count - 1) / 2] + values[count / 2]) / 2;
  out[STDDEV] = sqrt(squares / (double)(count - 1));
  out[CV] = mean > 0 ? out[STDDEV] / mean : 0;
}

static void add_aggregates(xb_gbench *g, const instance *in, const xb_result *r)
{
  static const char *const names[] = {[MEAN] = "mean", [MEDIAN] = "median", [STDDEV] = "stddev", [CV] = "cv"};
  const size_t count = r->time.samples_ns.count;
  double real[AGGREGATES], cpu[AGGREGATES], rates[AGGREGATES], *values = calloc(count, sizeof *values);
  g->out_of_memory |= !values;
  if (!values)
    return;
  aggregate(r, real_time, values, real);
  aggregate(r, cpu_time, values, cpu);
  aggregate(r, rate, values, rates);
  free(values);
  for (int a = 0; a < AGGREGATES; a++) {
    json_t *o = line(in, names[a], 0);
    json_object_set_new(o, "aggregate_name", json_string(names[a]));
    json_object_set_new(o, "aggregate_unit", json_string(a == CV ? "percentage" : "time"));
    add_times(o, (double)count, real[a], cpu[a], r->work.bytes ? rates[a] : 0);
    if (a == MEDIAN)
      add_metrics(o, r);
    json_array_append_new(g->benchmarks, o);
  }
}

/* ---- The document ----------------------------------------------------------------------------------------------- */

xb_gbench *xb_gbench_begin(void)
{
  xb_gbench *g = calloc(1, sizeof *g);
  if (g)
    g->benchmarks = json_array();
  if (g && !xb_json_ran_out())
    return g;
  free(g);
  return NULL;
}

void xb_gbench_group(xb_gbench *g, const xb_group *group)
{
  for (size_t i = 0; i < group->count; i++) {
    const xb_result *r = &group->results[i];
    instance in = {.repetitions = r->time.samples_ns.count};
    if (r->yardstick == 1 || r->outcome == XB_CELL_UNSUPPORTED || r->outcome == XB_CELL_NO_COUNTERPART)
      continue;
    xb_format_label(r, XB_LABEL_PATH, in.name, sizeof in.name);
    in.emulated = r->on->emulated == 1;
    place_in_family(g, r, &in);
    if (r->outcome != XB_CELL_OK) {
      add_failure(g, &in, r);
      continue;
    }
    add_samples(g, &in, r);
    if (r->time.samples_ns.count > 1)
      add_aggregates(g, &in, r);
  }
  g->out_of_memory |= xb_json_ran_out();
}

bool xb_gbench_end(xb_gbench *g, FILE *file)
{
  json_t *root = json_pack("{so so}", "context", context(), "benchmarks", g->benchmarks);
  json_dumpf(root, file, JSON_INDENT(2) | JSON_ENSURE_ASCII); /* write errors: see main() */
  const bool complete = !g->out_of_memory && !xb_json_ran_out();
  fputc('\n', file);
  json_decref(root);
  free(g);
  return complete;
}
