/* xbench scale: the same work by 1, 2, ... devices: strong and weak scaling, on each API. A member is a thread of this
 * process with a device of its own or, under mpirun, a rank. */
#include "commands/devices.h"
#include "commands/selection.h"
#include "commands/subcommands.h"
#include "commands/values.h"
#include "fold.h"
#include "judge/stats.h"
#include "measure/cell_results.h"
#include "scale/scale_results.h"
#include "value_text.h"

#include <inttypes.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_POINTS = 256, MOST_COUNTS = 32, ALLREDUCE_N = 1 << 20 };
static const double TEAM_SLACK_S = 5; /* beyond the limit of a wait, which a member reports itself */

static struct {
  const char *members, *devices, *route;
  size_t kind, over;
  bool share, assess;
} given;

static volatile sig_atomic_t interrupted;

/* What the members of a process share. */
static struct {
  const xb_options *options;
  const xb_variant *variant;
  xb_inventory inventory;
  bool measured; /* any point */
  bool first;    /* this process is, or has, member 0 */
  const xb_gpu *gpus[XB_MAX_BACKENDS * XB_MAX_DEVICES];
  size_t gpu_count;
  uint32_t counts[MOST_COUNTS];
  size_t count_count;
  uint32_t most; /* members of the largest count */
  xb_arena arena;
  xb_result_device on[XB_MAX_BACKENDS]; /* of member 0 */
  size_t on_count;
  const xb_result **results; /* of all APIs so far */
  xb_result_benchmark *benchmarks;
  size_t result_count;
  bool unsaved; /* the file could not be written */
  int exit_code;
} run_of;

static pthread_mutex_t opening = PTHREAD_MUTEX_INITIALIZER;

/* ---- Points -------------------------------------------------------------------------------------------------------
 */

static bool is_allreduce(void)
{
  return !strcmp(run_of.variant->benchmark->name, "allreduce");
}

static bool route_wanted(xb_route route)
{
  return !given.route || !strcmp(given.route, xb_route_name(route));
}

static size_t make_points(xb_scale_point points[MOST_POINTS], uint64_t seed)
{
  xb_scale_point ordered[MOST_POINTS];
  size_t order[MOST_POINTS], count = 0;
  for (size_t i = 0; i < run_of.count_count; i++) {
    const uint32_t members = run_of.counts[i];
    for (int r = 0; is_allreduce() && r < XB_ROUTES && members > 1; r++)
      if (route_wanted((xb_route)r) && (r != XB_ROUTE_NCCL || run_of.variant->number == 1) && count < MOST_POINTS)
        ordered[count++] = (xb_scale_point){true, members, true, (xb_route)r};
    for (int weak = 0; !is_allreduce() && weak < 2; weak++)
      if ((given.kind == 2 || given.kind == (size_t)weak) && count < MOST_POINTS)
        ordered[count++] = (xb_scale_point){.weak = weak, .members = members};
  }
  for (size_t i = 0; i < count; i++)
    order[i] = i;
  xb_shuffle(&seed, order, count); /* the same for all members */
  for (size_t i = 0; i < count; i++)
    points[i] = ordered[order[i]];
  return count;
}

/* ---- Devices and counts --------------------------------------------------------------------------------------------
 */

/* Equal types, so that a GPU is not compared with a CPU. */
static int choose_all(const xb_options *o)
{
  const xb_gpu *best;
  const int code = xb_choose_gpu(&run_of.inventory, o, &best);
  for (size_t i = 0; code < 0 && i < run_of.inventory.gpu_count; i++) {
    const xb_gpu *gpu = &run_of.inventory.gpus[i];
    if (xb_gpu_wanted(o, gpu) && gpu->any->type == best->any->type)
      run_of.gpus[run_of.gpu_count++] = gpu;
  }
  return code;
}

static int choose_devices(void)
{
  xb_options o = *run_of.options;
  char item[128];
  int code = -1;
  xb_take_inventory(&run_of.inventory);
  if (!given.devices && o.device) {
    code = xb_choose_gpu(&run_of.inventory, &o, &run_of.gpus[0]);
    run_of.gpu_count = 1;
    return code;
  }
  if (!given.devices || !strcmp(given.devices, "all"))
    return choose_all(&o);
  const char *p = given.devices;
  do {
    snprintf(item, sizeof item, "%.*s", (int)strcspn(p, ","), p);
    o.device = item;
    if (run_of.gpu_count < sizeof run_of.gpus / sizeof run_of.gpus[0])
      code = xb_choose_gpu(&run_of.inventory, &o, &run_of.gpus[run_of.gpu_count++]);
    p += strcspn(p, ",");
  } while (code < 0 && *p++);
  return code;
}

/* 1, 2, 4, ... and the most. */
static void count_up(uint32_t most)
{
  for (uint32_t p = 1; p < most && run_of.count_count + 1 < MOST_COUNTS; p *= 2)
    run_of.counts[run_of.count_count++] = p;
  run_of.counts[run_of.count_count++] = most;
}

static int take_counts(void)
{
  xb_axis_choice choice = {.count = 0};
  if (given.members && (!xb_parse_axis_values(given.members, &choice) || choice.count > MOST_COUNTS))
    return xb_report_error(XB_EXIT_USAGE, "--members: '%s': expected counts, such as 1,2,4 or 1..4", given.members);
  for (size_t i = 0; i < choice.count; i++) {
    if (!choice.values[i] || choice.values[i] > XB_MOST_MEMBERS)
      return xb_report_error(XB_EXIT_USAGE, "--members: %u: expected 1 to %d", choice.values[i], XB_MOST_MEMBERS);
    run_of.counts[run_of.count_count++] = choice.values[i];
  }
  return -1;
}

/* Returns -1, or an exit code. */
static int choose_counts(uint32_t available)
{
  if (!run_of.count_count)
    count_up(available);
  for (size_t i = 0; i < run_of.count_count; i++)
    run_of.most = run_of.counts[i] > run_of.most ? run_of.counts[i] : run_of.most;
  const char *mistake = xb_under_mpi() && run_of.most > available ? "%u members are asked for, and there are %u ranks"
                        : is_allreduce() && run_of.most < 2
                            ? "allreduce takes 2 members or more, not %u: give --members 2, and --share with %u device"
                            : NULL;
  return !mistake ? -1 : run_of.first ? xb_report_error(XB_EXIT_USAGE, mistake, run_of.most, available) : XB_EXIT_USAGE;
}

/* ---- Files ---------------------------------------------------------------------------------------------------------
 */

/* All results so far, whole after each point: a run that is killed loses only the point that it was at. */
static bool save(void)
{
  const xb_options *o = run_of.options;
  const xb_result_sampling sampling = {o->min_time_s, o->max_time_s, o->width, XB_MIN_SAMPLES, (int64_t)o->seed};
  xb_output file = {.in_place = -1, .in_part = -1};
  if (!o->json)
    return true;
  if (!xb_output_open(&file, o->json, XB_OUTPUT_RESULTS))
    return false;
  xb_json *json = xb_json_begin(run_of.on, run_of.on_count, &sampling);
  for (size_t i = 0; json && i < run_of.result_count; i++)
    if (run_of.results[i])
      xb_json_group(json, &(xb_group){.benchmark = &run_of.benchmarks[i], .results = run_of.results[i], .count = 1});
  const bool saved = json && xb_json_save(json, &file);
  xb_json_free(json);
  return xb_output_commit(&file) && saved;
}

static void note_exit_code(const xb_scaled *r)
{
  const int code = !r->code || r->code == XB_UNSUPPORTED ? XB_EXIT_OK
                   : xb_scaled_wrong(r)                  ? XB_EXIT_WRONG
                                                         : xb_exit_code(r->code);
  run_of.measured |= !r->code;
  run_of.exit_code = run_of.exit_code == XB_EXIT_WRONG || !code ? run_of.exit_code : code;
}

/* ---- A member ------------------------------------------------------------------------------------------------------
 */

/* What a member tells of its device. */
typedef struct identity {
  char host[XB_HOST_BYTES], name[64];
  uint8_t uuid[XB_UUID_BYTES];
  uint64_t window_bytes;
} identity;

/* The ranks before this one on its host. */
static uint32_t local_rank(const xb_team *team)
{
  uint32_t rank = 0;
  for (uint32_t m = 0; m < team->rank; m++)
    rank += !strcmp(team->hosts[m], team->hosts[team->rank]);
  return rank;
}

static xb_code open_device(xb_scale_member *m, size_t b, xb_error *err)
{
  const uint32_t place = local_rank(m->team);
  const size_t gpu = given.share ? place % run_of.gpu_count : place;
  if (gpu >= run_of.gpu_count)
    return xb_fail(err, XB_UNAVAILABLE, "scale",
                   "%u members on this host, and %zu devices: give --share to let members share a device", place + 1,
                   run_of.gpu_count);
  const xb_device_info *info = run_of.gpus[gpu]->by_backend[b];
  if (!info)
    return xb_fail(err, XB_UNAVAILABLE, "scale", "'%s' is not there through %s", run_of.gpus[gpu]->any->name,
                   xb_backend_name(xb_backend_at(b)));
  xb_device_desc desc = {.backend = xb_backend_at(b), .index = info->index};
  if (run_of.options->launch_mode_count && info->launch_modes >> run_of.options->launch_modes[0] & 1)
    desc.launch_mode = run_of.options->launch_modes[0];
  pthread_mutex_lock(&opening);
  const xb_code code = xb_device_open(&desc, &m->device, err);
  pthread_mutex_unlock(&opening);
  if (code)
    return code;
  m->info = *xb_device_get_info(m->device);
  xb_complete_info(&m->info, info);
  return XB_OK;
}

/* [scale] Two handles of one GPU would be measured as two GPUs. */
static xb_code check_devices(xb_scale_member *m, xb_error *err)
{
  identity mine = {.window_bytes = xb_largest_window(&m->info)}, all[XB_MOST_MEMBERS];
  snprintf(mine.host, sizeof mine.host, "%s", m->team->hosts[m->team->rank]);
  snprintf(mine.name, sizeof mine.name, "%.63s", m->info.name);
  memcpy(mine.uuid, m->info.uuid, sizeof mine.uuid);
  const xb_code code = xb_team_gather(m->team, &mine, all, sizeof mine, err);
  m->window_bytes = mine.window_bytes;
  for (uint32_t i = 0; !code && i < m->team->size; i++) {
    m->window_bytes = all[i].window_bytes < m->window_bytes ? all[i].window_bytes : m->window_bytes;
    for (uint32_t k = 0; k < i && !given.share; k++)
      if (!memcmp(all[i].uuid, all[k].uuid, sizeof mine.uuid) && !strcmp(all[i].host, all[k].host))
        return xb_fail(err, XB_INVALID, "scale",
                       "members %u and %u have the same device, '%s': give --share if that is what you want", k, i,
                       all[i].name);
    if (strcmp(all[i].name, all[0].name) != 0)
      return xb_fail(err, XB_INVALID, "scale", "member %u has '%s', member 0 '%s': choose equal devices by --devices",
                     i, all[i].name, all[0].name);
  }
  return code;
}

static xb_scaling scaling_of(const xb_scale_member *m)
{
  const xb_options *o = run_of.options;
  const xb_variant *v = run_of.variant;
  const xb_size size = xb_size_for(o, v->benchmark, m->info.cache_bytes, 0);
  const uint64_t n = size.rows * size.columns;
  xb_scaling s = {.variant = v,
                  .over_groups = given.over,
                  .min_time_s = o->min_time_s,
                  .max_time_s = o->max_time_s > 0               ? o->max_time_s
                                : m->info.type == XB_DEVICE_CPU ? 0.1
                                                                : 0.6,
                  .width = o->width,
                  .wait_limit_s = o->wait_limit_s,
                  .begin = is_allreduce() ? xb_allreduce_begin : xb_parts_begin,
                  .stop = &interrupted};
  s.like = (xb_case){.variant = v,
                     .dtype = o->dtypes[0],
                     .n = n,
                     .rows = size.rows,
                     .columns = size.columns,
                     .inner = size.inner,
                     .block = o->block ? o->block : xb_default_block(v, &m->info, n),
                     .seed = o->seed,
                     .window_bytes = xb_largest_window(&m->info),
                     .device = &m->info};
  xb_set_place(o, v->benchmark, 0, s.like.at);
  return s;
}

/* Member 0 keeps the result of a point, prints a line, and saves. The points before that of one member get their
 * speed-up from it. */
static void conclude(const xb_scale_series *s, size_t point)
{
  const size_t first = run_of.result_count++ - point;
  for (size_t k = s->points[point].point.members == 1 ? 0 : point; k <= point; k++)
    run_of.results[first + k] = xb_scale_result(s, k, &run_of.arena, &run_of.benchmarks[first + k]);
  note_exit_code(&s->points[point]);
  if (!run_of.options->quiet)
    xb_scale_print_point(s, point);
  if (!run_of.unsaved && !save()) {
    run_of.unsaved = true; /* said once */
    run_of.exit_code = XB_EXIT_USAGE;
  }
}

static xb_code measure_points(xb_scale_member *m, xb_scale_series *s, xb_error *err)
{
  xb_scale_point points[MOST_POINTS];
  char stop, all[XB_MOST_MEMBERS];
  const size_t count = make_points(points, run_of.options->seed);
  xb_scaled *scaled = calloc(count + 1, sizeof *scaled);
  xb_code code = xb_team_agree(m->team, scaled ? XB_OK : xb_fail(err, XB_NOMEM, "scale", "out of host memory"), err);
  s->points = scaled;
  for (size_t i = 0; i < count && !code; i++) {
    stop = (char)interrupted;
    code = xb_team_gather(m->team, &stop, all, 1, err);
    if (code || all[0])
      break;
    code = xb_scale_measure(m, &points[i], &scaled[i], err);
    s->count = i + 1;
    for (size_t k = 0; k < i && !points[i].weak; k++)
      if (!points[k].weak)
        xb_scale_compare_sums(&scaled[k], m->scaling->like.dtype, m->scaling->like.n, &scaled[i]);
    if (!m->team->rank && !code)
      conclude(s, i);
  }
  return code;
}

/* Member 0 speaks for all; if it is the rank that hangs, member 1 does, which waits longer. */
static bool speaks(const xb_team *team)
{
  return !team->rank || (team->rank == 1 && *team->gone && !team->one_process);
}

/* All points through one API. XB_LOST: a member or a device that hangs would block the way out. */
static xb_code measure_api(xb_team *team, size_t b)
{
  xb_scale_member m = {.team = team};
  xb_error error;
  xb_scale_series series = {.clock_error_ns = team->clock_error_ns,
                            .hosts = (const char(*)[XB_HOST_BYTES])team->hosts,
                            .shared = given.share && team->size > 1};
  xb_code code = xb_team_agree(team, open_device(&m, b, &error), &error);
  code = code ? code : check_devices(&m, &error);
  const xb_scaling scaling = code ? (xb_scaling){0} : scaling_of(&m);
  m.scaling = series.scaling = &scaling;
  if (!code && !team->rank) {
    xb_result_device_of(&m.info, &run_of.arena, &run_of.on[run_of.on_count]);
    series.on = &run_of.on[run_of.on_count++];
  }
  code = code ? code : measure_points(&m, &series, &error);
  if (code && speaks(team))
    run_of.exit_code = xb_report_error(code == XB_INVALID ? XB_EXIT_USAGE : xb_exit_code(code), "%s", error.message);
  if (series.count && !team->rank)
    xb_scale_print(&series);
  for (size_t i = 0; i < series.count; i++)
    xb_scaled_free((xb_scaled *)&series.points[i]);
  free((void *)series.points);
  if (code == XB_LOST)
    return code;
  pthread_mutex_lock(&opening);
  xb_device_close(m.device, NULL);
  pthread_mutex_unlock(&opening);
  return code;
}

/* Collective: before anything is measured. */
static xb_code try_file(xb_team *team)
{
  xb_error error = {.message = ""};
  xb_output file = {.in_place = -1, .in_part = -1};
  const bool good = team->rank || xb_output_open(&file, run_of.options->json, XB_OUTPUT_RESULTS);
  if (good && !team->rank)
    xb_output_abandon(&file);
  return xb_team_agree(team, good ? XB_OK : XB_INVALID, &error);
}

static void member(xb_team *team, void *user)
{
  char here, all[XB_MOST_MEMBERS];
  xb_error error;
  xb_code code = XB_OK;
  (void)user;
  if (!team->one_process) {
    run_of.first = !team->rank;
    const int counted = choose_counts(team->size);
    if (counted >= 0) {
      run_of.exit_code = counted;
      return;
    }
  }
  if (try_file(team)) {
    run_of.exit_code = XB_EXIT_USAGE;
    return;
  }
  for (size_t b = 0; b < run_of.inventory.backend_count && !code; b++) {
    here = run_of.gpus[0]->by_backend[b] && xb_backend_wanted(run_of.options, xb_backend_at(b));
    code = xb_team_gather(team, &here, all, sizeof here, &error);
    if (!code && all[0]) /* other hosts may have other APIs */
      code = measure_api(team, b);
  }
  if (code == XB_LOST && speaks(team)) {
    const int exit_code = xb_finish_stdout(run_of.exit_code);
    fflush(NULL);
    xb_team_abort(exit_code);
    _exit(exit_code);
  }
  if (code == XB_LOST && !team->one_process)
    sleep((unsigned)TEAM_SLACK_S); /* the rank that speaks ends this one: mpirun would blame the first that left */
}

/* ---- The command
 * ----------------------------------------------------------------------------------------------------- */

static const xb_option options[] = {
    {"members", 0, XB_OPT_TEXT, &given.members, "how many members (default: 1, 2, 4, ... to all devices, or ranks)",
     .value = "COUNTS"},
    {"devices", 0, XB_OPT_TEXT, &given.devices, "all (default), or indices, UUIDs or names", .value = "LIST"},
    {"share", 0, XB_OPT_FLAG, &given.share, .help = "let members share devices: tries it out, and measures nothing"},
    {"kind", 0, XB_OPT_WORD, &given.kind, "strong: n elements in all; weak: for each member",
     .value = "strong|weak|both", .otherwise = 2},
    {"over", 0, XB_OPT_WORD, &given.over, "what there are more and more of", .value = "devices|multiprocessors"},
    {"route", 0, XB_OPT_TEXT, &given.route, "allreduce: host, message, peer, interop or nccl (default: each)",
     .value = "NAME"},
    {"assess", 0, XB_OPT_FLAG, &given.assess, .help = "only print what Amdahl's and Gustafson's laws say of P and N"},
    {0}};

static xb_command_line line = {.name = "xbench scale",
                               .usage = "[OPTION...] BENCHMARK/VARIANT | --assess P N",
                               .where = "scale: ",
                               .options = options,
                               .more = xb_run_options};

static int assess(const char **words)
{
  char *end[2];
  const double parallel = words[0] ? strtod(words[0], &end[0]) : NAN,
               n = words[0] && words[1] ? strtod(words[1], &end[1]) : NAN;
  if (!words[0] || !words[1] || words[2] || *end[0] || *end[1] || !(parallel >= 0 && parallel <= 1) || !(n >= 1))
    return xb_report_error(XB_EXIT_USAGE,
                           "--assess: expected the parallel part, 0 to 1, and a number of processors, at "
                           "least 1 or inf: --assess 0.75 4");
  printf("%g of the work is parallel, on %g processors:\n"
         "  the same work is %.4g times faster (Amdahl: 1 / ((1 - P) + P / N))\n",
         parallel, n, xb_speedup_of_amdahl(parallel, n));
  if (isfinite(n))
    printf("  in the same time, %.4g times as much work is done (Gustafson: N + (1 - P) (1 - N))\n",
           xb_speedup_of_gustafson(parallel, n));
  return XB_EXIT_OK;
}

/* An option of other measurements, which would change nothing here; NULL: there is none. */
static const char *stray_option(const xb_options *o)
{
  return o->csv                                                            ? "--csv"
         : o->format != XB_FORMAT_TABLE                                    ? "--format"
         : o->cache != XB_CACHE_HOT                                        ? "--cache"
         : o->loop != XB_LOOP_LAUNCH                                       ? "--loop"
         : o->placements                                                   ? "--placements"
         : o->queue_family_count || o->all_queue_families                  ? "--queue-family"
         : o->launch_mode_count > 1                                        ? "--launch all"
         : o->preset                                                       ? "--preset"
         : o->at_count && is_allreduce()                                   ? "--at"
         : o->at_count && xb_place_count(o, run_of.variant->benchmark) > 1 ? "--at with several values"
                                                                           : NULL;
}

static int take(const char **words)
{
  xb_options *o;
  if (given.assess)
    return assess(words);
  if (!words[0] || words[1])
    return xb_report_error(XB_EXIT_USAGE,
                           "scale: name one variant, such as reduce/9, copy/2, matmul/10 or allreduce/1");
  const int code = xb_complete_named(words[0], &o);
  if (code >= 0)
    return code;
  run_of.options = o;
  run_of.first = true;
  run_of.variant = o->selected[0].variant;
  if (o->selected_count != 1)
    return xb_report_error(XB_EXIT_USAGE, "scale: '%s' has %zu variants: name one of them, such as %s/%u", words[0],
                           o->selected_count, words[0], run_of.variant->number);
  if (o->size_count > 1 || o->dtype_count > 1)
    return xb_report_error(XB_EXIT_USAGE, "scale: expected one %s", o->size_count > 1 ? "size" : "element type");
  const char *stray = stray_option(o);
  if (stray)
    return xb_report_error(XB_EXIT_USAGE, "%s: 'xbench scale' does not take it: leave it out", stray);
  bool known = !given.route;
  for (int r = 0; r < XB_ROUTES; r++)
    known |= route_wanted((xb_route)r);
  if (!known)
    return xb_report_error(XB_EXIT_USAGE, "--route: '%s': expected host, message, peer, interop or nccl", given.route);
  if (given.route && !is_allreduce())
    return xb_report_error(XB_EXIT_USAGE, "--route: only valid for allreduce");
  if (given.route && !strcmp(given.route, "nccl") && run_of.variant->number != 1)
    return xb_report_error(XB_EXIT_USAGE, "--route nccl: NCCL chooses the algorithm: name allreduce/1");
  if (given.over && (is_allreduce() || xb_under_mpi()))
    return xb_report_error(XB_EXIT_USAGE, "--over multiprocessors: only valid for one device, and not for allreduce");
  return take_counts();
}

static void on_signal(int number)
{
  (void)number;
  interrupted = 1;
}

/* Members that are available: devices, processors or ranks. */
static int prepare(void)
{
  const int code = choose_devices();
  if (code >= 0)
    return code;
  uint32_t available = (uint32_t)run_of.gpu_count;
  if (given.over)
    available = run_of.gpus[0]->any->multiprocessors ? run_of.gpus[0]->any->multiprocessors
                                                     : (uint32_t)sysconf(_SC_NPROCESSORS_ONLN);
  return xb_under_mpi() ? -1 : choose_counts(available); /* ranks are counted by MPI */
}

static int run(void)
{
  xb_error error;
  const double limit = run_of.options->wait_limit_s + TEAM_SLACK_S;
  int code = prepare();
  if (code >= 0)
    return code;
  xb_fold_stdout();
  run_of.results = calloc(XB_MAX_BACKENDS * MOST_POINTS, sizeof *run_of.results);
  run_of.benchmarks = calloc(XB_MAX_BACKENDS * MOST_POINTS, sizeof *run_of.benchmarks);
  if (!run_of.results || !run_of.benchmarks)
    return xb_report_error(XB_EXIT_DEVICE, "out of host memory");
  sigaction(SIGINT, &(struct sigaction){.sa_handler = on_signal, .sa_flags = (int)SA_RESETHAND}, NULL);
  sigaction(SIGTERM, &(struct sigaction){.sa_handler = on_signal}, NULL);
  const xb_code failed = xb_under_mpi() ? xb_team_of_ranks(limit, member, NULL, &error)
                                        : xb_team_of_threads(given.over ? 1 : run_of.most, limit, member, NULL, &error);
  code = failed ? xb_report_error(xb_exit_code(failed), "%s", error.message)
         : interrupted && run_of.first
             ? xb_report_error(XB_EXIT_INTERRUPTED, "interrupted; finished results are shown%s",
                               run_of.options->json ? " and saved" : "")
         : run_of.first && !run_of.measured && !run_of.exit_code ? XB_EXIT_UNAVAILABLE
                                                                 : run_of.exit_code;
  free(run_of.results);
  free(run_of.benchmarks);
  xb_arena_free(&run_of.arena);
  return code;
}

const xb_subcommand xb_command_scale = {"scale", &line, take, run};
