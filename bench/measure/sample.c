#include "measure/cell.h"

#include "core/clock.h"
#include "core/grow.h"

#include <math.h>
#include <string.h>

static const double LONG_PREPARING_NS = 5e6; /* of a call, before what it times */
static const double WAKE_UP_NS = 10e6;       /* of single runs, which raise the clocks and give a first time of a run */
enum { MAX_BATCH = 1000, MAX_STEPS = 3000 }; /* keeps command lists short */
enum { LIBRARY_LAUNCHES = 4 };               /* of one call, at most */
enum { MOST_TRIES = 3 };                     /* of a held sample that was not held */
static const uint32_t MIN_TIMER_STEPS = 20;  /* the timer cannot measure shorter single runs */
/* A CPU also runs other work: it needs more rounds, and a rise that noise seldom reaches. */
enum { LINEAR_ROUNDS = 9, CPU_LINEAR_ROUNDS = 25, LINEAR_TRIES = 8 };
static const xb_linear_limits LIMITS = {.off = 0.1, .rise = 0.2, .longer = 0.9},
                              CPU_LIMITS = {.off = 0.3, .rise = 0.5, .longer = 0.9};

/* What the driver says of a GPU at work: idle, it has other clocks, and nothing holds them back. */
static void look_at_gpu(xb_cell *cell)
{
  cell->samples.seen_throttle = xb_monitor_active(cell->monitor);
  if (cell->samples.read_state)
    cell->samples.seen = xb_monitor_read(cell->monitor);
}

/* With `look`, the GPU's state is read in the meantime: up to 3 ms, which may be more than the list takes. */
static bool submit_and_wait(xb_cell *cell, xb_commands *commands, bool look, double *host_ns)
{
  const xb_workload *w = cell->workload;
  xb_point done;
  const double begin = xb_clock_ns();
  if (xb_submit(w->device, &(xb_submission){.commands = commands}, &done, &cell->verdict.error))
    return xb_cell_fail(cell);
  cell->samples.submit_ns = xb_clock_ns() - begin;
  if (look)
    look_at_gpu(cell);
  if (xb_wait(w->device, done, w->wait_limit_ns, &cell->verdict.error))
    return xb_cell_fail(cell);
  *host_ns = xb_clock_ns() - begin;
  return true;
}

/* ---- By the device's clock -------------------------------------------------------------------------------------- */

/* The timestamps of a list: RESTORED only where it restores contents, and then between the others. */
enum { BEGIN, END, RESTORED, MOST_STAMPS };

/* Whether a list restores contents between its timestamps: as often without runs as before each of its runs, and the
 * difference is the time of the runs. With a flush the only run is restored before the first timestamp. */
static bool restores_in_time(const xb_cell *cell)
{
  return xb_cell_restores(cell) && !cell->workload->flush;
}

static void record_restoring(xb_cell *cell, xb_commands *list)
{
  xb_cell_record_contents(cell, list);
  xb_cmd_barrier(list);
}

/* Records a list of `cell->samples.batch` runs in the current placement. */
static bool record_list(xb_cell *cell, xb_commands **list)
{
  const bool device_clock = cell->c.variant->clock == XB_CLOCK_DEVICE, restores = restores_in_time(cell);
  if (xb_cell_commands(cell, "timed", device_clock ? 2 + restores : 0, list))
    return xb_cell_fail(cell);
  if (cell->workload->flush) {
    xb_cell_set_window(cell, xb_window_of_run(0)); /* of its only run */
    xb_cell_record_contents(cell, *list);
    xb_workload_flush(cell->workload, *list);
    xb_cmd_barrier(*list);
  }
  if (device_clock)
    xb_cmd_timestamp(*list, BEGIN);
  for (uint32_t i = 0; i < cell->samples.batch && restores; i++) {
    xb_cell_set_window(cell, xb_window_of_run(cell->samples.batch - 1 - i));
    record_restoring(cell, *list);
  }
  if (restores)
    xb_cmd_timestamp(*list, RESTORED);
  for (uint32_t i = 0; i < cell->samples.batch; i++) {
    xb_cell_set_window(cell, xb_window_of_run(cell->samples.batch - 1 - i));
    if (i && !cell->c.variant->overlap)
      xb_cmd_barrier(*list);
    if (restores)
      record_restoring(cell, *list);
    xb_cell_record(cell, false, *list);
  }
  xb_cell_set_window(cell, 0);
  if (device_clock)
    xb_cmd_timestamp(*list, END);
  return !xb_commands_finish(*list, &cell->verdict.error) || xb_cell_fail(cell);
}

/* The most runs in one list. */
static double most_runs(const xb_cell *cell)
{
  double steps = fmax(cell->plan.step_count, 1) + 2 * xb_cell_restores(cell);
  if (cell->c.device->launch_mode != XB_LAUNCH_HELD_STREAM)
    return fmin(MAX_BATCH, fmax(1, floor(MAX_STEPS / steps)));
  if (cell->c.variant->source == LIBRARY)
    steps *= LIBRARY_LAUNCHES;
  return fmax(1, floor(XB_MOST_HELD / steps));
}

/* Records the lists of the first `placements` placements, with `batch` runs each. */
static bool record_batch(xb_cell *cell, double batch, uint32_t placements)
{
  const double most = most_runs(cell);
  bool good = true;
  cell->samples.batch = (uint32_t)fmin(fmax(batch, 1), most);
  for (cell->buffers.placement = 0; cell->buffers.placement < placements && good; cell->buffers.placement++) {
    xb_commands **list = &cell->buffers.timed[cell->buffers.placement];
    xb_commands_destroy(*list);
    *list = NULL;
    good = record_list(cell, list);
  }
  cell->buffers.placement = 0;
  return good;
}

/* A driver's timestamps may be wrong. The list ran while the host waited for it, so it took no longer; and what the
 * host waited for so much longer was not that short. Both by a margin that a busy host does not reach: only times that
 * are impossible fail. */
static const double HOST_TIMES = 2, HOST_NS = 1e6, WAITED_TIMES = 1000, WAITED_NS = 10e9;

static bool check_stamps(xb_cell *cell, const double stamps[MOST_STAMPS], double host_ns)
{
  const double ns = stamps[END];
  const bool held = cell->c.device->launch_mode == XB_LAUNCH_HELD_STREAM; /* NAN: it was not held */
  if ((held && isnan(ns)) || (ns >= stamps[RESTORED] && stamps[RESTORED] >= 0 && ns <= HOST_TIMES * host_ns + HOST_NS &&
                              (cell->workload->flush || host_ns <= WAITED_TIMES * ns + WAITED_NS)))
    return true;
  xb_fail(&cell->verdict.error, XB_INTERNAL, "timestamps",
          "the driver reports %g ns of device time, but the host waited %.0f ns: its times are not usable", ns,
          host_ns);
  return xb_cell_fail(cell);
}

static bool run_list(xb_cell *cell, bool look, double *ns, double *host_ns)
{
  double stamps[MOST_STAMPS] = {0}; /* since BEGIN */
  const bool restores = restores_in_time(cell);
  xb_commands *list = cell->buffers.timed[cell->buffers.placement];
  if (!submit_and_wait(cell, list, look, host_ns))
    return false;
  if (xb_commands_timestamps(list, stamps, 2 + restores, &cell->verdict.error))
    return xb_cell_fail(cell);
  if (!check_stamps(cell, stamps, *host_ns))
    return false;
  *ns = (stamps[END] - 2 * stamps[RESTORED]) / xb_cell_runs(cell);
  if (restores && !isnan(*ns)) { /* by noise, a run may seem to take no time */
    *ns = fmax(*ns, cell->c.device->timestamp_period_ns / xb_cell_runs(cell));
    cell->samples.restore_ns = stamps[RESTORED] / xb_cell_runs(cell);
  }
  return true;
}

/* Again, if the list was not held until all of it had been issued. */
static bool run_held(xb_cell *cell, bool look, double *ns, double *host_ns)
{
  for (int i = 0; i < MOST_TRIES; i++) {
    if (!run_list(cell, look, ns, host_ns))
      return false;
    if (!isnan(*ns))
      return true;
  }
  xb_fail(&cell->verdict.error, XB_TIMEOUT, "held stream",
          "the host did not issue the %u runs of a sample within 100 ms, %d times: use --launch graph or stream",
          cell->samples.batch, MOST_TRIES);
  return xb_cell_fail(cell);
}

/* Earlier work on a GPU changes the time of a short kernel by 1 %, through a whole batch (docs/internals/method.md). So
 * the list itself runs once before it is timed, and the GPU is looked at during that run. With a flush there is one
 * run, and its host time is not used. */
static bool run_batch(xb_cell *cell, double *ns, double *host_ns)
{
  const bool lingers = cell->c.device->type != XB_DEVICE_CPU && !cell->workload->flush;
  return (!lingers || run_held(cell, true, ns, host_ns)) && run_held(cell, !lingers, ns, host_ns);
}

bool xb_sample_once(xb_cell *cell, double *ns)
{
  const uint32_t batch = cell->samples.batch;
  const double restore_ns = cell->samples.restore_ns;
  xb_commands *const timed = cell->buffers.timed[0];
  double host;
  cell->buffers.placement = 0;
  cell->samples.batch = 1;
  bool good = cell->buffers.once || record_list(cell, &cell->buffers.once);
  cell->buffers.timed[0] = cell->buffers.once;
  good = good && run_held(cell, false, ns, &host);
  cell->buffers.timed[0] = timed;
  cell->samples.batch = batch;
  cell->samples.restore_ns = restore_ns;
  return good;
}

/* ---- By the host's clock ---------------------------------------------------------------------------------------- */

/* Host time of the API's own calls that created the cell's kernels, without our hashing, validation and reflection. */
static double create_ns(const xb_cell *cell)
{
  double ns = 0;
  for (uint32_t k = 0; k < cell->plan.kernel_count; k++)
    ns += xb_kernel_get_info(cell->buffers.kernels[k])->create_ns;
  return ns;
}

/* Creates the kernel again and, for XB_CLOCK_FIRST, runs it for the first time. Drivers keep compiled code in memory
 * and on disk: only a fresh variant is compiled each time. */
static bool run_first(xb_cell *cell, double *ns, double *host_ns)
{
  xb_commands *commands = NULL;
  xb_cell_destroy_kernels(cell);
  if (!xb_cell_create_kernels(cell))
    return false;
  *ns = *host_ns = create_ns(cell);
  if (cell->c.variant->clock == XB_CLOCK_CREATE)
    return true;
  if (xb_cell_commands(cell, "first", 0, &commands))
    return xb_cell_fail(cell);
  xb_cell_record(cell, false, commands);
  bool good = !xb_commands_finish(commands, &cell->verdict.error) || xb_cell_fail(cell);
  good = good && submit_and_wait(cell, commands, false, host_ns);
  xb_commands_destroy(commands);
  *ns = *host_ns;
  return good;
}

/* Runs the list once, untimed: if another API used the GPU last, the sample would include the context switch. A run
 * before that one is for looking at the GPU, which idles until that is done. */
static bool settle(xb_cell *cell)
{
  double ignored;
  return (!cell->monitor || submit_and_wait(cell, cell->buffers.timed[0], true, &ignored)) &&
         submit_and_wait(cell, cell->buffers.timed[0], false, &ignored);
}

/* Once untimed, as settle does; calls that prepare for longer use the device before they are timed. */
static bool run_calls(xb_cell *cell, double *ns, double *host_ns)
{
  cell->samples.sampling = true;
  const bool good =
      (cell->samples.untimed_ns >= LONG_PREPARING_NS || xb_cell_run_calls(cell, ns)) && xb_cell_run_calls(cell, ns);
  cell->samples.sampling = false;
  *host_ns = *ns;
  return good;
}

bool xb_sample_run(xb_cell *cell, double *ns, double *host_ns)
{
  switch (cell->c.variant->clock) {
  case XB_CLOCK_DEVICE: return run_batch(cell, ns, host_ns);
  case XB_CLOCK_SUBMIT:
    if (!settle(cell) || !submit_and_wait(cell, cell->buffers.timed[0], false, host_ns))
      return false;
    *ns = *host_ns;
    return true;
  case XB_CLOCK_SPAN: /* the first run wakes the device, and the GPU is looked at */
    if (!xb_lists_run(cell, host_ns))
      return false;
    look_at_gpu(cell);
    if (!xb_lists_sample(cell, ns, &cell->samples.submit_ns))
      return false;
    *host_ns = *ns;
    return true;
  case XB_CLOCK_CALLS: return run_calls(cell, ns, host_ns);
  default: return settle(cell) && run_first(cell, ns, host_ns);
  }
}

/* ---- Cold ------------------------------------------------------------------------------------------------------- */

/* A floor is only taken off longer times: a step of the timer is little of these. */
static bool check_timer(xb_cell *cell)
{
  const double period = cell->c.device->timestamp_period_ns;
  if (xb_cell_is_floor(cell) || cell->samples.once_ns >= MIN_TIMER_STEPS * period)
    return true;
  xb_fail(&cell->verdict.error, XB_UNSUPPORTED, "cold",
          "one run takes %.0f ns, less than %u steps of this device's timer: use a larger --size or --cache hot",
          cell->samples.once_ns, MIN_TIMER_STEPS);
  return xb_cell_fail(cell);
}

static bool check_cold(xb_cell *cell)
{
  if (!cell->workload->flush || (cell->c.variant->clock == XB_CLOCK_DEVICE && cell->loop == XB_LOOP_LAUNCH))
    return true;
  xb_fail(&cell->verdict.error, XB_UNSUPPORTED, "cold", "%s: use --cache hot",
          cell->loop == XB_LOOP_KERNEL ? "only the first repetition inside a kernel would be cold"
                                       : "the host times this variant, and would also time the flush");
  return xb_cell_fail(cell);
}

/* ---- Repeated inside the kernel --------------------------------------------------------------------------------- */

/* Measures runs of 1, 2, 4 and 8 repetitions, and keeps the shortest time of each, also over several calls, because
 * other work can only add time. The order is shuffled: otherwise, on a busy CPU, time slices would always end in the
 * same run. */
static bool measure_linear(xb_cell *cell, int rounds, double *longer)
{
  xb_commands *lists[XB_LINEAR_POINTS] = {0};
  size_t order[XB_LINEAR_POINTS] = {0, 1, 2, 3};
  uint64_t random = cell->c.seed;
  double ns[XB_LINEAR_POINTS][CPU_LINEAR_ROUNDS], host;
  const uint32_t last = xb_linear_repeats[XB_LINEAR_POINTS - 1];
  const double batch = cell->sample_ns / (last * cell->samples.once_ns);
  uint32_t batches[XB_LINEAR_POINTS];
  bool good = true;
  for (int i = 0; i < XB_LINEAR_POINTS && good; i++) {
    good = xb_cell_plan_again(cell, xb_linear_repeats[i]) && record_batch(cell, batch, 1);
    batches[i] = cell->samples.batch;
    lists[i] = cell->buffers.timed[0];
    cell->buffers.timed[0] = NULL;
  }
  cell->c.repeats = 0; /* these are times of whole runs */
  for (int round = 0; round < rounds; round++) {
    xb_shuffle(&random, order, XB_LINEAR_POINTS);
    for (int i = 0; i < XB_LINEAR_POINTS && good; i++) {
      const size_t k = order[i];
      cell->buffers.timed[0] = lists[k];
      cell->samples.batch = batches[k];
      good = !xb_cell_stopped(cell) && run_batch(cell, &ns[k][round], &host);
      if (good && (!(cell->samples.linear_ns[k] > 0) || ns[k][round] < cell->samples.linear_ns[k]))
        cell->samples.linear_ns[k] = ns[k][round];
    }
  }
  cell->buffers.timed[0] = NULL;
  for (int i = 0; i < XB_LINEAR_POINTS; i++)
    xb_commands_destroy(lists[i]);
  if (good)
    *longer = xb_share_larger(ns[XB_LINEAR_POINTS - 1], ns[0], (size_t)rounds);
  else
    memset(cell->samples.linear_ns, 0, sizeof cell->samples.linear_ns);
  return good;
}

/* Checks that the time rises linearly, then sets the repetitions of one dispatch so that they fill a sample. */
static bool calibrate_repeats(xb_cell *cell)
{
  double slope_ns, longer;
  char why[256];
  const bool cpu = cell->c.device->type == XB_DEVICE_CPU;
  bool linear = false;
  for (int i = 0; i < LINEAR_TRIES && !linear; i++) {
    if (!measure_linear(cell, cpu ? CPU_LINEAR_ROUNDS : LINEAR_ROUNDS, &longer))
      return false;
    linear = xb_linear(cell->samples.linear_ns, longer, cpu ? CPU_LIMITS : LIMITS, &slope_ns, why, sizeof why);
  }
  if (!linear) {
    xb_fail(&cell->verdict.error, XB_UNSUPPORTED, "--loop kernel", "%s", why);
    cell->verdict.outcome = XB_CELL_FAILED;
    return false;
  }
  const uint32_t least = xb_linear_repeats[XB_LINEAR_POINTS - 1];
  uint32_t repeats = (uint32_t)fmin(fmax(cell->sample_ns / slope_ns, least), MAX_BATCH);
  while (!xb_cell_plan_again(cell, repeats)) { /* too many loop iterations for some devices */
    if (repeats == least || cell->verdict.outcome != XB_CELL_UNSUPPORTED)
      return false;
    cell->verdict.outcome = XB_CELL_PENDING;
    cell->verdict.error = (xb_error){0};
    repeats = repeats / 2 > least ? repeats / 2 : least;
  }
  return record_batch(cell, 1, cell->buffers.placements);
}

/* Device time of a run in a sample, with what is taken off. */
static double whole_ns(const xb_cell *cell, double ns)
{
  return fmax(ns, 1) + 2 * cell->samples.restore_ns;
}

/* ---- Either ----------------------------------------------------------------------------------------------------- */

bool xb_sample_calibrate(xb_cell *cell)
{
  double host, spent = 0;
  const bool spans = cell->c.variant->clock == XB_CLOCK_SPAN, calls = cell->c.variant->clock == XB_CLOCK_CALLS;
  cell->samples.batch = 1;
  if (!check_cold(cell) || (!spans && !calls && !record_batch(cell, 1, 1)))
    return false;
  for (int i = 0; i < 2 || (spent < WAKE_UP_NS && i < 100); i++) {
    if (xb_cell_stopped(cell) || !xb_sample_run(cell, &cell->samples.once_ns, &host))
      return false;
    spent += host;
  }
  cell->samples.once_ns = fmax(cell->samples.once_ns, 1);
  if (spans)
    return xb_lists_run_alone(cell);
  if (cell->c.variant->clock != XB_CLOCK_DEVICE)
    return true;
  if (cell->workload->flush)
    return check_timer(cell) && record_batch(cell, 1, cell->buffers.placements);
  if (cell->loop == XB_LOOP_KERNEL)
    return calibrate_repeats(cell);
  /* A single run includes the timestamps, so the first batch gives a better estimate of one run. */
  const double batch = cell->sample_ns / whole_ns(cell, cell->samples.once_ns);
  return record_batch(cell, batch, 1) && run_batch(cell, &cell->samples.once_ns, &host) &&
         record_batch(cell, cell->sample_ns / whole_ns(cell, cell->samples.once_ns), cell->buffers.placements);
}

static bool reserve(xb_cell_samples *s)
{
  size_t host = s->capacity, issue = host;
  return xb_grow(&s->host_ns, &host, s->count, sizeof *s->host_ns) &&
         xb_grow(&s->issue_ns, &issue, s->count, sizeof *s->issue_ns) &&
         xb_grow(&s->ns, &s->capacity, s->count, sizeof *s->ns);
}

bool xb_sample_take(xb_cell *cell)
{
  xb_cell_samples *s = &cell->samples;
  double ns = 0, host = 0;
  if (!reserve(s))
    return xb_cell_nomem(cell, "samples");
  if (!xb_sample_run(cell, &ns, &host))
    return false;
  s->ns[s->count] = ns;
  s->issue_ns[s->count] = s->submit_ns / xb_cell_runs(cell);
  s->host_ns[s->count++] = host / xb_cell_runs(cell);
  s->sampled_ns += (ns + 2 * s->restore_ns) * xb_cell_runs(cell);
  return true;
}
