/* What a member of `xbench scale` does: it opens its device, measures the points and, as member 0, keeps the results.
 */
#include "base/exit_codes.h"
#include "commands/scale_run.h"
#include "judge/stats.h"
#include "measure/cell_groups.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static pthread_mutex_t opening = PTHREAD_MUTEX_INITIALIZER;

/* ---- Points ------------------------------------------------------------------------------------------------------ */

bool xb_scale_is_allreduce(xb_scale_run *scale)
{
  return !strcmp(scale->variant->benchmark->name, "allreduce");
}

bool xb_scale_route_wanted(xb_scale_run *scale, xb_route route)
{
  return !scale->given_route || !strcmp(scale->given_route, xb_route_name(route));
}

static size_t make_points(xb_scale_run *scale, xb_scale_point points[XB_SCALE_POINTS], uint64_t seed)
{
  xb_scale_point ordered[XB_SCALE_POINTS];
  size_t order[XB_SCALE_POINTS], count = 0;
  for (size_t i = 0; i < scale->count_count; i++) {
    const uint32_t members = scale->counts[i];
    for (int r = 0; xb_scale_is_allreduce(scale) && r < XB_ROUTES && members > 1; r++)
      if (xb_scale_route_wanted(scale, (xb_route)r) && (r != XB_ROUTE_NCCL || scale->variant->number == 1) &&
          count < XB_SCALE_POINTS)
        ordered[count++] = (xb_scale_point){true, members, true, (xb_route)r};
    for (int weak = 0; !xb_scale_is_allreduce(scale) && weak < 2; weak++)
      if ((scale->given_kind == 2 || scale->given_kind == (size_t)weak) && count < XB_SCALE_POINTS)
        ordered[count++] = (xb_scale_point){.weak = weak, .members = members};
  }
  for (size_t i = 0; i < count; i++)
    order[i] = i;
  xb_shuffle(&seed, order, count); /* the same for all members */
  for (size_t i = 0; i < count; i++)
    points[i] = ordered[order[i]];
  return count;
}

/* ---- Files ------------------------------------------------------------------------------------------------------- */

/* All results so far, whole after each point: a run that is killed loses only the point that it was at. */
static bool save(xb_scale_run *scale)
{
  const xb_options *o = scale->options;
  const xb_result_sampling sampling = {o->sampling.min_time_s, scale->max_time_s, o->sampling.width, XB_MIN_SAMPLES,
                                       (int64_t)o->conditions.seed};
  xb_output file = {.to = XB_NOT_WRITTEN};
  if (!o->json)
    return true;
  if (!xb_output_open(&file, o->json, XB_OUTPUT_RESULTS))
    return false;
  xb_json *json = xb_json_begin(scale->on, scale->on_count, &sampling);
  for (size_t i = 0; json && i < scale->result_count; i++)
    if (scale->results[i])
      xb_json_group(json, &(xb_group){.benchmark = &scale->benchmarks[i], .results = scale->results[i], .count = 1});
    else { /* memory ran out */
      xb_json_free(json);
      json = NULL;
    }
  xb_json_save(json, &file);
  xb_json_free(json);
  return xb_output_commit(&file);
}

static void note_exit_code(xb_scale_run *scale, const xb_scaled *r)
{
  const int code = !r->code || r->code == XB_UNSUPPORTED ? XB_EXIT_OK
                   : xb_scaled_wrong(r)                  ? XB_EXIT_WRONG
                                                         : xb_exit_code(r->code);
  if (r->code)
    xb_exit_set(code ? code : XB_EXIT_UNAVAILABLE, "%s", r->error.message);
  scale->measured |= !r->code;
  scale->exit_code = scale->exit_code == XB_EXIT_WRONG || scale->unsaved || !code ? scale->exit_code : code;
}

/* ---- A member ---------------------------------------------------------------------------------------------------- */

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

static xb_code open_device(xb_scale_run *scale, xb_scale_member *m, size_t b, xb_error *err)
{
  const uint32_t place = local_rank(m->team);
  const size_t gpu = scale->given_share ? place % scale->gpu_count : place;
  if (gpu >= scale->gpu_count)
    return xb_fail(err, XB_UNAVAILABLE, "scale",
                   "%u members on this host, and %zu devices: give --share to let members share a device", place + 1,
                   scale->gpu_count);
  const xb_device_info *info = scale->gpus[gpu]->by_backend[b];
  if (!info)
    return xb_fail(err, XB_UNAVAILABLE, "scale", "'%s' is not available through %s", scale->gpus[gpu]->any->name,
                   xb_backend_name(xb_backend_at(b)));
  xb_device_desc desc = {.backend = xb_backend_at(b), .index = info->index};
  if (scale->options->devices.launch_mode_count && info->launch_modes >> scale->options->devices.launch_modes[0] & 1)
    desc.launch_mode = scale->options->devices.launch_modes[0];
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
static xb_code check_devices(xb_scale_run *scale, xb_scale_member *m, xb_error *err)
{
  identity mine = {.window_bytes = xb_largest_window(&m->info)}, all[XB_MOST_MEMBERS];
  snprintf(mine.host, sizeof mine.host, "%s", m->team->hosts[m->team->rank]);
  snprintf(mine.name, sizeof mine.name, "%.63s", m->info.name);
  memcpy(mine.uuid, m->info.uuid, sizeof mine.uuid);
  const xb_code code = xb_team_gather(m->team, &mine, all, sizeof mine, err);
  m->window_bytes = mine.window_bytes;
  for (uint32_t i = 0; !code && i < m->team->size; i++) {
    m->window_bytes = all[i].window_bytes < m->window_bytes ? all[i].window_bytes : m->window_bytes;
    for (uint32_t k = 0; k < i && !scale->given_share; k++)
      if (!memcmp(all[i].uuid, all[k].uuid, sizeof mine.uuid) && !strcmp(all[i].host, all[k].host))
        return xb_fail(err, XB_INVALID, "scale",
                       "members %u and %u have the same device, '%s': give --share to allow it", k, i, all[i].name);
    if (strcmp(all[i].name, all[0].name) != 0)
      return xb_fail(err, XB_INVALID, "scale", "member %u has '%s', member 0 '%s': choose equal devices by --devices",
                     i, all[i].name, all[0].name);
  }
  return code;
}

static xb_scaling scaling_of(xb_scale_run *scale, const xb_scale_member *m)
{
  const xb_options *o = scale->options;
  const xb_variant *v = scale->variant;
  const xb_size size = xb_size_for(o->selection, v->benchmark, m->info.cache_bytes, 0);
  const uint64_t n = size.rows * size.columns;
  xb_scaling s = {.variant = v,
                  .over_groups = scale->given_over,
                  .most = scale->most,
                  .min_time_s = o->sampling.min_time_s,
                  .max_time_s = o->sampling.max_time_s > 0      ? o->sampling.max_time_s
                                : m->info.type == XB_DEVICE_CPU ? 0.1
                                                                : 0.6,
                  .width = o->sampling.width,
                  .wait_limit_s = o->conditions.wait_limit_s,
                  .begin = xb_scale_is_allreduce(scale) ? xb_allreduce_begin : xb_parts_begin,
                  .stop = scale->interrupted};
  s.like = (xb_case){.variant = v,
                     .dtype = o->selection->dtypes[0],
                     .n = n,
                     .rows = size.rows,
                     .columns = size.columns,
                     .inner = size.inner,
                     .block = o->conditions.block ? o->conditions.block : xb_default_block(v, &m->info, n),
                     .seed = o->conditions.seed,
                     .window_bytes = xb_largest_window(&m->info),
                     .device = &m->info};
  s.weak_block = o->conditions.block ? o->conditions.block : xb_default_block(v, &m->info, n * s.most);
  xb_set_axis_point(o->selection, v->benchmark, 0, s.like.at);
  return s;
}

/* Member 0 keeps the result of a point, prints a line, and saves. The points before that of one member get their
 * speed-up from it. */
static void conclude(xb_scale_run *scale, const xb_scale_series *s, size_t point)
{
  const size_t first = scale->result_count++ - point;
  for (size_t k = s->points[point].point.members == 1 ? 0 : point; k <= point; k++)
    scale->results[first + k] = xb_scale_result(s, k, &scale->arena, &scale->benchmarks[first + k]);
  note_exit_code(scale, &s->points[point]);
  if (!scale->options->quiet)
    xb_scale_print_point(s, point);
  if (!scale->unsaved && !save(scale)) {
    scale->unsaved = true; /* said once */
    scale->exit_code = XB_EXIT_USAGE;
  }
}

static xb_code measure_points(xb_scale_run *scale, xb_scale_member *m, xb_scale_series *s, xb_error *err)
{
  xb_scale_point points[XB_SCALE_POINTS];
  char stop, all[XB_MOST_MEMBERS];
  const size_t count = make_points(scale, points, scale->options->conditions.seed);
  xb_scaled *scaled = calloc(count + 1, sizeof *scaled);
  xb_code code = xb_team_agree(m->team, scaled ? XB_OK : xb_fail(err, XB_NOMEM, "scale", "out of host memory"), err);
  s->points = scaled;
  for (size_t i = 0; i < count && !code; i++) {
    stop = (char)*scale->interrupted;
    code = xb_team_gather(m->team, &stop, all, 1, err);
    if (code || all[0])
      break;
    code = xb_scale_measure(m, &points[i], &scaled[i], err);
    s->count = i + 1;
    for (size_t k = 0; k < i && !points[i].weak; k++)
      if (!points[k].weak)
        xb_scale_compare_sums(&scaled[k], m->scaling->like.dtype, m->scaling->like.n, &scaled[i]);
    if (!m->team->rank && !code)
      conclude(scale, s, i);
  }
  return code;
}

/* All points through one API. XB_LOST: a member or a device that hangs would block the way out. */
static xb_code measure_api(xb_scale_run *scale, xb_team *team, size_t b, xb_error *err)
{
  xb_scale_member m = {.team = team};
  xb_scale_series series = {.hosts = (const char(*)[XB_HOST_BYTES])team->hosts,
                            .shared = scale->given_share && team->size > 1};
  xb_code code = xb_team_agree(team, open_device(scale, &m, b, err), err);
  code = code ? code : check_devices(scale, &m, err);
  const xb_scaling scaling = code ? (xb_scaling){0} : scaling_of(scale, &m);
  m.scaling = series.scaling = &scaling;
  if (!code && !team->rank) {
    xb_result_device_of(&m.info, &scale->arena, &scale->on[scale->on_count]);
    series.on = &scale->on[scale->on_count++];
    scale->max_time_s = scaling.max_time_s;
  }
  code = code ? code : measure_points(scale, &m, &series, err);
  if (code && code != XB_LOST && !team->rank)
    scale->exit_code = xb_report_refusal(code, err);
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
static xb_code try_file(xb_scale_run *scale, xb_team *team)
{
  xb_error error = {.message = ""};
  xb_output file = {.to = XB_NOT_WRITTEN};
  const bool good = team->rank || xb_output_open(&file, scale->options->json, XB_OUTPUT_RESULTS);
  if (good && !team->rank)
    xb_output_abandon(&file);
  return xb_team_agree(team, good ? XB_OK : XB_INVALID, &error);
}

static void sleep_through(unsigned seconds)
{
  while (seconds) /* a timer's signal ends a sleep */
    seconds = sleep(seconds);
}

/* Ends the run. Member 0 speaks for all. If it is the rank that hangs, member 1 does, which waits longer; in one
 * process member 0 ends all, unless a library holds it: then the next member that is free does. */
static void give_up(xb_team *team, const xb_error *err)
{
  const bool lost = !*team->gone; /* a device, which all know: member 0 says it */
  if (team->one_process && team->rank) {
    if (lost)
      return;
    sleep_through((unsigned)XB_SCALE_SLACK_S * team->rank);
  } else if (team->rank > 1 || (team->rank && lost)) {
    sleep_through(
        (unsigned)XB_SCALE_SLACK_S); /* the rank that speaks ends this one: mpirun would blame the first that left */
    return;
  }
  const int exit_code = xb_finish_stdout(xb_report_error(xb_exit_code(XB_LOST), "%s", err->message));
  fflush(NULL);
  xb_team_abort(exit_code);
  _exit(exit_code);
}

void xb_scale_member_run(xb_team *team, void *user)
{
  xb_scale_run *scale = user;
  char here, all[XB_MOST_MEMBERS];
  xb_error error;
  xb_code code = XB_OK;
  (void)user;
  if (!team->one_process) {
    scale->first = !team->rank;
    const int counted = xb_scale_choose_counts(scale, team->size);
    if (counted >= 0) {
      scale->exit_code = counted;
      return;
    }
  }
  if (try_file(scale, team)) {
    scale->exit_code = XB_EXIT_USAGE;
    return;
  }
  for (size_t b = 0; b < scale->inventory.backend_count && !code; b++) {
    here = scale->gpus[0]->by_backend[b] && xb_backend_wanted(&scale->options->devices, xb_backend_at(b));
    code = xb_team_gather(team, &here, all, sizeof here, &error);
    if (!code && all[0]) /* other hosts may have other APIs */
      code = measure_api(scale, team, b, &error);
  }
  if (code == XB_LOST)
    give_up(team, &error);
}
