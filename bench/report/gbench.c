/* The JSON of google/benchmark: its names of fields, its aggregates. */
#include "exit_codes.h"
#include "report/format.h"
#include "report/show.h"
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
  bool lacking; /* host memory ran out */
  /* A family is a variant through one API; its instances are sizes, types, ... */
  struct {
    const char *title; /* of the variant: static, so that it tells it */
    const xb_result_device *device;
    int instances;
  } families[MOST_FAMILIES];
  int family_count;
};

/* ---- Context ---------------------------------------------------------------------------------------------------- */

/* The first number behind the words in a file of the system; 0 where there is none. */
static double system_number(const char *path, const char *words)
{
  char line[256];
  double value = 0;
  FILE *file = fopen(path, "r");
  while (file && value <= 0 && fgets(line, sizeof line, file)) {
    const char *colon = strchr(line, ':');
    if (colon && !strncmp(line, words, strlen(words)))
      value = strtod(colon + 1, NULL);
  }
  if (file)
    fclose(file);
  return value;
}

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
  char executable[4096];
  uname(&os);
  const ssize_t length = readlink("/proc/self/exe", executable, sizeof executable - 1);
  executable[length > 0 ? length : 0] = 0;
  const long cpus = sysconf(_SC_NPROCESSORS_ONLN);
  json_t *c = json_object();
  json_object_set_new(c, "date", date());
  json_object_set_new(c, "host_name", json_string(os.nodename));
  json_object_set_new(c, "executable", json_string(executable));
  json_object_set_new(c, "num_cpus", json_integer(cpus));
  json_object_set_new(c, "mhz_per_cpu", json_integer(lround(system_number("/proc/cpuinfo", "cpu MHz"))));
  json_object_set_new(c, "cpu_scaling_enabled", json_boolean(scaling_enabled()));
  json_object_set_new(c, "caches", json_array()); /* the host's, which are not what is measured */
  json_object_set_new(c, "load_avg", load_average());
  json_object_set_new(c, "library_version", json_string("xbench " XB_VERSION));
#ifdef NDEBUG
  json_object_set_new(c, "library_build_type", json_string("release"));
#else
  json_object_set_new(c, "library_build_type", json_string("debug"));
#endif
  json_object_set_new(c, "json_schema_version", json_integer(1));
  return c;
}

/* ---- One cell --------------------------------------------------------------------------------------------------- */

/* What all lines of a cell have in common. */
typedef struct instance {
  char name[192];
  int family, index;
  size_t repetitions;
} instance;

/* "reduce/9_single_pass/cuda/graph/float32/4194304/block:512"; of all conditions, so that a name means one question. */
static void name_result(const xb_result *r, char *out, size_t out_bytes)
{
  char shape[48], block[32] = "", family[32] = "", at[XB_AT_TEXT] = "";
  xb_format_result_shape(r, shape, sizeof shape);
  for (size_t i = 0, n = 0; i < r->at.count && n < sizeof at; i++)
    n += (size_t)snprintf(at + n, sizeof at - n, "/%s:%" PRId64, r->at.values[i].axis, r->at.values[i].value);
  if (r->block)
    snprintf(block, sizeof block, "/block:%" PRIu64, r->block);
  if (r->on->queue_family_chosen == 1)
    snprintf(family, sizeof family, "/family:%" PRId64, r->on->queue_family);
  snprintf(out, out_bytes, "%s/%s/%s/%s%s/%s/%s%s%s%s%s", r->benchmark, r->variant, r->backend, r->launch_mode, family,
           r->dtype, shape, at, block, !strcmp(r->cache, "cold") ? "/cold" : "",
           !strcmp(r->loop, "kernel") ? "/loop:kernel" : "");
}

static void place_in_family(xb_gbench *g, const xb_result *r, instance *in)
{
  int f = 0;
  while (f < g->family_count && (g->families[f].title != r->title || g->families[f].device != r->on))
    f++;
  if (f == g->family_count && f < MOST_FAMILIES - 1) {
    g->families[f].title = r->title;
    g->families[f].device = r->on;
    g->family_count++;
  }
  in->family = f;
  in->index = g->families[f].instances++;
}

static json_t *line(const instance *in, const char *suffix, const char *run_type)
{
  char name[224];
  snprintf(name, sizeof name, "%s%s%s", in->name, *suffix ? "_" : "", suffix);
  json_t *o = json_object();
  json_object_set_new(o, "name", json_string(name));
  json_object_set_new(o, "family_index", json_integer(in->family));
  json_object_set_new(o, "per_family_instance_index", json_integer(in->index));
  json_object_set_new(o, "run_name", json_string(in->name));
  json_object_set_new(o, "run_type", json_string(run_type));
  json_object_set_new(o, "repetitions", json_integer((json_int_t)in->repetitions));
  return o;
}

/* Metrics are counters under their names; bandwidth is bytes_per_second. */
static void add_metrics(json_t *o, const xb_result *r)
{
  for (size_t i = 0; i < r->metrics.count; i++)
    if (strcmp(r->metrics.values[i].name, "bandwidth") != 0)
      json_object_set_new(o, r->metrics.values[i].name, json_real(r->metrics.values[i].value));
}

static void add_times(json_t *o, double iterations, double real, double cpu, double bytes_per_second)
{
  json_object_set_new(o, "iterations", json_integer((json_int_t)iterations));
  json_object_set_new(o, "real_time", json_real(real));
  json_object_set_new(o, "cpu_time", json_real(cpu));
  json_object_set_new(o, "time_unit", json_string("ns"));
  if (bytes_per_second > 0)
    json_object_set_new(o, "bytes_per_second", json_real(bytes_per_second));
}

static void add_line(xb_gbench *g, json_t *o)
{
  g->lacking |= json_array_append_new(g->benchmarks, o) != 0;
}

static void add_failure(xb_gbench *g, instance *in, const xb_result *r)
{
  in->repetitions = 1;
  json_t *o = line(in, "", "iteration");
  json_object_set_new(o, "repetition_index", json_integer(0));
  json_object_set_new(o, "threads", json_integer(1));
  json_object_set_new(o, "error_occurred", json_true());
  json_object_set_new(o, "error_message", json_string(xb_result_why(r)));
  add_times(o, 0, 0, 0, 0);
  add_line(g, o);
}

/* A cold sample's host time has the flush in it. */
static const double *cpu_times(const xb_result *r)
{
  return strcmp(r->cache, "cold") ? r->host_samples_ns.values : r->samples_ns.values;
}

static double rate(const xb_result *r, double ns)
{
  return ns > 0 ? (double)r->bytes / ns * 1e9 : 0;
}

static double runs(const xb_result *r)
{
  return (double)r->batch * (double)(r->repeats ? r->repeats : 1);
}

static void add_samples(xb_gbench *g, const instance *in, const xb_result *r)
{
  for (size_t i = 0; i < r->samples_ns.count; i++) {
    const double ns = r->samples_ns.values[i];
    json_t *o = line(in, "", "iteration");
    json_object_set_new(o, "repetition_index", json_integer((json_int_t)i));
    json_object_set_new(o, "threads", json_integer(1));
    add_times(o, runs(r), ns, cpu_times(r)[i], rate(r, ns));
    add_line(g, o);
  }
}

/* ---- Aggregates ------------------------------------------------------------------------------------------------- */

enum { MEAN, MEDIAN, STDDEV, CV, AGGREGATES };

static int ascending(const void *a, const void *b)
{
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* Of plain values: that placements differ is not known here. `values` are left sorted. */
static void aggregate(double *values, size_t count, double out[AGGREGATES])
{
  double sum = 0, squares = 0;
  qsort(values, count, sizeof *values, ascending);
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
  const size_t count = r->samples_ns.count;
  double real[AGGREGATES], cpu[AGGREGATES], rates[AGGREGATES], *values = calloc(count, sizeof *values);
  g->lacking |= !values;
  if (!values)
    return;
  memcpy(values, r->samples_ns.values, count * sizeof *values);
  aggregate(values, count, real);
  memcpy(values, cpu_times(r), count * sizeof *values);
  aggregate(values, count, cpu);
  for (size_t i = 0; i < count; i++)
    values[i] = rate(r, r->samples_ns.values[i]);
  aggregate(values, count, rates);
  free(values);
  for (int a = 0; a < AGGREGATES; a++) {
    json_t *o = line(in, names[a], "aggregate");
    json_object_set_new(o, "threads", json_integer(1));
    json_object_set_new(o, "aggregate_name", json_string(names[a]));
    json_object_set_new(o, "aggregate_unit", json_string(a == CV ? "percentage" : "time"));
    add_times(o, (double)count, real[a], cpu[a], r->bytes ? rates[a] : 0);
    if (a == MEDIAN)
      add_metrics(o, r);
    add_line(g, o);
  }
}

/* ---- The document ----------------------------------------------------------------------------------------------- */

xb_gbench *xb_gbench_begin(void)
{
  xb_gbench *g = calloc(1, sizeof *g);
  json_t *benchmarks = g ? json_array() : NULL;
  if (!benchmarks) {
    free(g);
    return NULL;
  }
  g->benchmarks = benchmarks;
  return g;
}

void xb_gbench_group(xb_gbench *g, const xb_group *group)
{
  for (size_t i = 0; i < group->count; i++) {
    const xb_result *r = &group->results[i];
    instance in = {.repetitions = r->samples_ns.count};
    if (r->yardstick == 1 || r->outcome == XB_CELL_UNSUPPORTED || r->outcome == XB_CELL_NO_COUNTERPART)
      continue;
    name_result(r, in.name, sizeof in.name);
    place_in_family(g, r, &in);
    if (r->outcome != XB_CELL_OK) {
      add_failure(g, &in, r);
      continue;
    }
    add_samples(g, &in, r);
    if (r->samples_ns.count > 1)
      add_aggregates(g, &in, r);
  }
}

void xb_gbench_end(xb_gbench *g, FILE *file)
{
  json_t *root = json_object();
  json_object_set_new(root, "context", context());
  g->lacking |= json_object_set(root, "benchmarks", g->benchmarks) != 0;
  g->lacking |=
      json_dumpf(root, file, JSON_INDENT(2) | JSON_ENSURE_ASCII) && !ferror(file); /* which is told at the end */
  if (g->lacking)
    xb_complain(XB_EXIT_DEVICE, "out of host memory: the document on stdout is not complete");
  fputc('\n', file);
  json_decref(root);
  json_decref(g->benchmarks);
  free(g);
}
