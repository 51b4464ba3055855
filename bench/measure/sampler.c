#include "measure/sampler.h"

#include "core/clock.h"
#include "judge/judge.h"
#include "judge/stats.h"
#include "measure/cell.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { WARM_UP_WINDOW = 3, MOST_WARM_UP_ROUNDS = 30, SAMPLES_PER_PLACEMENT = 3 };
static const double SAMPLE_NS = 5e6;     /* shorter if the time limit has no room for the fewest samples */
static const double WARM_UP_PART = 0.25; /* of the time limit, or as many rounds as show whether times settle */
static const double PEAK_TOLERANCE = 1.02;
static const double SETTLED = 0.01; /* warm-up ends if two windows of rounds differ by less */

typedef struct xb_sampler {
  const xb_sampling *s;
  xb_cell *cells;
  size_t count;
  size_t *order;
  double *scratch; /* two windows per cell, for warming up */
  uint64_t random;
  double begin_ns, prepared_ns; /* how long the first checks took; the last ones take about as long */
} xb_sampler;

static bool stopped(const xb_sampling *s)
{
  return s->stop && *s->stop;
}

/* Of what the whole probably takes: the checks before and after, warming up and sampling until the time limit.
 * `last_checks`: the part of the checks after sampling that is done; negative before them. */
static void report_progress(const xb_sampler *m, const char *what, double last_checks)
{
  const double timed_ns = (1 + WARM_UP_PART) * m->s->max_time_s * 1e9 * (double)m->count;
  const double before_ns = m->prepared_ns + timed_ns;
  const double done_ns = last_checks >= 0 ? before_ns : fmin(xb_clock_ns() - m->begin_ns, before_ns);
  if (m->s->progress)
    m->s->progress(m->s->progress_user, what,
                   (done_ns + fmax(last_checks, 0) * m->prepared_ns) / (before_ns + m->prepared_ns + 1));
}

/* Puts the cells that must still be timed into a new order. Returns their number. */
static size_t shuffle_pending(xb_sampler *m)
{
  size_t n = 0;
  for (size_t i = 0; i < m->count; i++)
    if (m->cells[i].verdict.outcome == XB_CELL_PENDING && !m->cells[i].samples.stopped_by)
      m->order[n++] = i;
  xb_shuffle(&m->random, m->order, n);
  return n;
}

/* ---- Warming up ------------------------------------------------------------------------------------------------- */

static double mean(const double *values, size_t count)
{
  double sum = 0;
  for (size_t i = 0; i < count; i++)
    sum += values[i];
  return sum / (double)count;
}

static double range(const double *values, size_t count)
{
  double low = values[0], high = values[0];
  for (size_t i = 1; i < count; i++) {
    low = fmin(low, values[i]);
    high = fmax(high, values[i]);
  }
  return high - low;
}

/* True if the last two windows agree within their noise. */
static bool settled(const double window[2 * WARM_UP_WINDOW])
{
  const double *last = window + WARM_UP_WINDOW;
  const double before = mean(window, WARM_UP_WINDOW), after = mean(last, WARM_UP_WINDOW);
  const double noise = fmin(range(window, WARM_UP_WINDOW), range(last, WARM_UP_WINDOW)) / 2;
  return fabs(after - before) <= fmax(SETTLED * before, noise);
}

/* The rounds after which warm-up can be known to have settled: each placement once, and two windows of the first one.
 */
static size_t rounds_to_settle(const xb_cell *cell)
{
  return cell->buffers.placements - 1 + 2 * WARM_UP_WINDOW;
}

/* Uses each placement once, then only the first one: its times show whether they have settled. */
static uint32_t warm_up_placement(const xb_cell *cell, size_t round)
{
  return round < cell->buffers.placements ? (uint32_t)(cell->buffers.placements - 1 - round) : 0;
}

/* Of one cell. A round takes two samples, of which the first is not timed, and what lies between them. A cell whose
 * single run is longer than a sample should be gets fewer rounds. */
static double warm_up_limit_ns(const xb_sampler *m, const xb_cell *cell)
{
  return fmax(WARM_UP_PART * m->s->max_time_s * 1e9, 3 * (double)rounds_to_settle(cell) * cell->sample_ns);
}

/* Lets a GPU work until its clocks are those of work, by the cells with this outcome. */
static void wake(xb_sampler *m, xb_outcome of)
{
  const double begin = xb_clock_ns();
  for (bool any = true; any && xb_clock_ns() - begin < XB_AWAKE_NS && !stopped(m->s);) {
    any = false;
    for (size_t i = 0; i < m->count && !stopped(m->s) && xb_clock_ns() - begin < XB_AWAKE_NS; i++) {
      xb_cell *cell = &m->cells[i];
      double ns, host_ns;
      if (cell->verdict.outcome == of && cell->c.device->type != XB_DEVICE_CPU)
        any = xb_sample_run(cell, &ns, &host_ns) || any;
    }
  }
}

static void wake_again(void *user)
{
  wake(user, XB_CELL_OK);
}

/* Runs rounds like the sampled ones until the time of every cell has settled. Clocks and caches are then in the state
 * that they keep. */
static void warm_up(xb_sampler *m)
{
  const double begin = xb_clock_ns();
  bool all = false;
  for (size_t round = 0; !all && round < MOST_WARM_UP_ROUNDS && !stopped(m->s); round++) {
    const size_t n = shuffle_pending(m);
    double limit_ns = 0;
    all = true;
    for (size_t i = 0; i < n && !stopped(m->s); i++) {
      xb_cell *cell = &m->cells[m->order[i]];
      limit_ns += warm_up_limit_ns(m, cell);
      double *window = &m->scratch[2 * WARM_UP_WINDOW * m->order[i]], host;
      for (size_t k = 0; k + 1 < 2 * WARM_UP_WINDOW; k++)
        window[k] = window[k + 1];
      cell->buffers.placement = warm_up_placement(cell, round);
      if (!xb_sample_run(cell, &window[2 * WARM_UP_WINDOW - 1], &host))
        continue;
      cell->samples.warm_up_rounds++;
      cell->samples.warm = round + 1 >= rounds_to_settle(cell) && settled(window);
      all = all && cell->samples.warm;
    }
    report_progress(m, "warming up", -1);
    if (xb_clock_ns() - begin > limit_ns)
      return;
  }
}

/* ---- Sampling --------------------------------------------------------------------------------------------------- */

/* Three samples of each placement, so that one outlier does not set the median. */
static size_t least_rounds(const xb_cell *cell)
{
  return cell->buffers.placements > 1 ? SAMPLES_PER_PLACEMENT * cell->buffers.placements : XB_MIN_SAMPLES;
}

/* So that each placement is used with each draw, and the last one is well before the end. */
static size_t rounds_of_draw(const xb_sampler *m)
{
  size_t most = m->s->min_rounds > XB_MAX_DRAWS ? m->s->min_rounds : XB_MAX_DRAWS;
  for (size_t i = 0; i < m->count; i++)
    most = xb_is_drawn(&m->cells[i]) && least_rounds(&m->cells[i]) > most ? least_rounds(&m->cells[i]) : most;
  return most / XB_MAX_DRAWS;
}

static void widen(xb_cell_samples *samples, const xb_gpu_state *now)
{
  xb_gpu_state *low = &samples->lowest, *high = &samples->highest;
  if (!low->known)
    *low = *high = *now;
#define XB_WIDEN(field)                                                                                                \
  low->field = now->field < low->field ? now->field : low->field;                                                      \
  high->field = now->field > high->field ? now->field : high->field
  XB_WIDEN(clock_mhz);
  XB_WIDEN(memory_clock_mhz);
  XB_WIDEN(temperature_c);
  XB_WIDEN(power_w);
#undef XB_WIDEN
  high->throttle |= now->throttle;
}

/* Reads the state of each GPU once, for all of its cells: before the samples, or after them. */
static void read_states(const xb_sampler *m, bool after)
{
  for (size_t i = 0; i < m->count; i++) {
    const xb_monitor *monitor = m->cells[i].monitor;
    size_t first = 0;
    while (m->cells[first].monitor != monitor)
      first++;
    if (first < i)
      continue;
    const xb_gpu_state now = xb_monitor_read(m->cells[i].monitor);
    for (size_t k = i; k < m->count && now.known; k++)
      if (m->cells[k].monitor == monitor)
        *(after ? &m->cells[k].samples.after : &m->cells[k].samples.before) = now;
  }
}

/* The first cell of each GPU in a round reads the state for all of them. */
static bool reads_state(const xb_sampler *m, size_t i)
{
  for (size_t k = 0; k < i; k++)
    if (m->cells[m->order[k]].monitor == m->cells[m->order[i]].monitor)
      return false;
  return true;
}

/* The i-th of this round. */
static void take_sample(const xb_sampler *m, size_t i)
{
  xb_cell *cell = &m->cells[m->order[i]];
  cell->buffers.placement = (uint32_t)(cell->samples.count % cell->buffers.placements);
  cell->samples.read_state = reads_state(m, i);
  const double begin = xb_clock_ns();
  const bool good = xb_sample_take(cell);
  cell->samples.spent_ns += xb_clock_ns() - begin;
  if (!good)
    return;
  xb_check_between(cell, false);
  const uint32_t throttle = cell->samples.seen_throttle & XB_THROTTLE_HELD_BACK;
  cell->samples.throttled += throttle != 0;
  cell->samples.throttle |= throttle;
  for (size_t k = 0; k < m->count && cell->samples.read_state && cell->samples.seen.known; k++)
    if (m->cells[k].monitor == cell->monitor)
      widen(&m->cells[k].samples, &cell->samples.seen);
}

/* Throttling that only the driver's counters reported cannot be assigned to a cell, so all cells get it. */
static void share_throttling(const xb_sampler *m)
{
  for (size_t i = 0; i < m->count; i++) {
    bool attributed = false;
    for (size_t k = 0; k < m->count; k++)
      attributed |= m->cells[k].monitor == m->cells[i].monitor && m->cells[k].samples.throttled;
    if (!attributed)
      m->cells[i].samples.throttle |=
          (m->cells[i].samples.after.throttle | m->cells[i].samples.highest.throttle) & XB_THROTTLE_HELD_BACK;
  }
}

static const char *stopped_by(const xb_sampling *s, const xb_cell *cell, double average_ns)
{
  const xb_stopping rule = {.min_ns = s->min_time_s * 1e9, .max_ns = s->max_time_s * 1e9, .width = s->width};
  return xb_stopped_by(&rule, &(xb_sampled){.samples = cell->samples.ns,
                                            .count = cell->samples.count,
                                            .placements = cell->buffers.placements,
                                            .sampled_ns = cell->samples.sampled_ns,
                                            .spent_ns = s->together ? average_ns : cell->samples.spent_ns});
}

/* Sets stopped_by of the cells that are done. Cells that are compared are done together, so that they have the same
 * rounds, and share the time. */
static void end_cells(xb_sampler *m, size_t rounds, size_t n, double spent_ns)
{
  const bool together = m->s->together;
  bool least = rounds >= m->s->min_rounds, all = true;
  for (size_t i = 0; i < n; i++) {
    const xb_cell *cell = &m->cells[m->order[i]];
    least = least && (xb_cell_is_floor(cell) || rounds >= least_rounds(cell));
  }
  for (size_t i = 0; i < n; i++) {
    xb_cell *cell = &m->cells[m->order[i]];
    cell->samples.stopped_by = stopped(m->s)            ? "interrupted"
                               : !least                 ? NULL
                               : xb_cell_is_floor(cell) ? "interval"
                                                        : stopped_by(m->s, cell, spent_ns / (double)n);
    all = all && (cell->samples.stopped_by || cell->verdict.outcome != XB_CELL_PENDING);
  }
  for (size_t i = 0; i < n && together && !all; i++)
    m->cells[m->order[i]].samples.stopped_by = NULL;
}

static void sample_rounds(xb_sampler *m)
{
  const size_t of_draw = rounds_of_draw(m);
  const double begin = xb_clock_ns();
  size_t n = shuffle_pending(m);
  read_states(m, false);
  for (size_t round = 1; n; round++) {
    if ((round - 1) % of_draw == 0 && round <= of_draw * XB_MAX_DRAWS && !stopped(m->s))
      xb_draw_inputs(m->cells, m->count, (uint32_t)((round - 1) / of_draw));
    for (size_t i = 0; i < n && !stopped(m->s); i++)
      take_sample(m, i);
    const double spent_ns = xb_clock_ns() - begin;
    report_progress(m, "sampling", -1);
    end_cells(m, round, n, spent_ns);
    n = shuffle_pending(m);
  }
  read_states(m, true);
  share_throttling(m);
}

/* ---- All of it -------------------------------------------------------------------------------------------------- */

/* Far above any GPU of today, with its matrix units: floating-point operations of a multiprocessor in a clock. */
static const double MOST_FLOPS = 16384;

/* False if no memory or no processor is this fast: then the kernel did not do all of its work in each run. Sure is only
 * that the memory moves what a cache does not hold from run to run. */
static bool is_possible(xb_cell *cell)
{
  const xb_device_info *info = cell->c.device;
  const double peak = xb_peak_gbps(info->memory_clock_khz, info->memory_bus_bits);
  const double moved = (double)xb_plan_memory_bytes(&cell->plan) - (double)info->cache_bytes;
  const double gbps = moved / cell->samples.device.median,
               flops = (double)cell->plan.flops / cell->samples.device.median;
  const double most_flops = MOST_FLOPS * info->multiprocessors * info->clock_khz / 1e6;
  const bool beyond_memory = peak > 0 && info->cache_bytes && gbps > PEAK_TOLERANCE * peak;
  char why[128];
  if (cell->samples.device.median <= 0)
    cell->samples.count = 0; /* no file has such times */
  if (cell->c.variant->clock != XB_CLOCK_DEVICE ||
      (cell->samples.device.median > 0 && !beyond_memory && (most_flops <= 0 || flops <= most_flops)))
    return true;
  if (cell->samples.device.median <= 0)
    snprintf(why, sizeof why, "%g ns by the driver's timestamps: a run cannot take no time",
             cell->samples.device.median);
  else if (beyond_memory)
    snprintf(why, sizeof why, "%.0f GB/s, but the memory moves at most %.0f GB/s", gbps, peak);
  else
    snprintf(why, sizeof why, "%.0f GFLOP/s, but at this clock a processor does at most %.0f", flops, most_flops);
  return xb_cell_wrong(cell, why);
}

static void conclude(xb_cell *cell, const xb_sampling *s)
{
  if (cell->verdict.outcome != XB_CELL_PENDING)
    return;
  if (!cell->samples.count || (stopped(s) && cell->samples.count < XB_INTERVAL_SAMPLES)) {
    cell->verdict.outcome = XB_CELL_INTERRUPTED; /* too few samples for an interval */
    return;
  }
  double *scratch = malloc(cell->samples.count * sizeof *scratch);
  if (!scratch) {
    xb_cell_nomem(cell, "samples");
    return;
  }
  cell->samples.device = xb_statistics(cell->samples.ns, cell->samples.count, cell->buffers.placements, scratch);
  cell->samples.host = xb_statistics(cell->samples.host_ns, cell->samples.count, cell->buffers.placements, scratch);
  cell->samples.issue = xb_statistics(cell->samples.issue_ns, cell->samples.count, cell->buffers.placements, scratch);
  free(scratch);
  if (xb_cell_check(cell) && is_possible(cell))
    cell->verdict.outcome = XB_CELL_OK;
}

/* All cells of one workload, with inputs that they have not seen. */
static void recheck_workload(xb_sampler *m, const xb_workload *w)
{
  const uint64_t seed = w->seed + !(w->of && w->of->methods->same_inputs);
  bool any = false;
  xb_error error;
  for (size_t i = 0; i < m->count; i++)
    any |= m->cells[i].workload == w && m->cells[i].verdict.outcome == XB_CELL_OK;
  for (size_t i = 0; i < m->count && !stopped(m->s); i++)
    if (m->cells[i].workload == w && m->cells[i].verdict.outcome == XB_CELL_OK)
      xb_confirm_dependence(&m->cells[i], wake_again, m);
  const xb_code code = any ? xb_workload_refill(w, seed, &error) : XB_OK;
  for (size_t i = 0; i < m->count && !stopped(m->s); i++) {
    xb_cell *cell = &m->cells[i];
    if (cell->workload != w || cell->verdict.outcome != XB_CELL_OK || cell->shared)
      continue;
    report_progress(m, "checking again", (double)i / (double)m->count);
    if (code) {
      cell->verdict.error = error;
      xb_cell_fail(cell);
    } else {
      xb_cell_recheck(cell, seed);
    }
  }
}

static void recheck(xb_sampler *m)
{
  for (size_t i = 0; i < m->count && !stopped(m->s); i++) {
    const xb_workload *w = m->cells[i].workload;
    bool done = false;
    for (size_t k = 0; k < i; k++)
      done |= m->cells[k].workload == w;
    if (!done)
      recheck_workload(m, w);
  }
  for (size_t i = 0; i < m->count; i++) { /* what is wrong in a cell is wrong in those that share its work */
    xb_cell *cell = &m->cells[i];
    if (!cell->shared || cell->verdict.outcome != XB_CELL_OK)
      continue;
    cell->verdict.rechecked_runs = cell->shared->verdict.rechecked_runs;
    if (cell->shared->verdict.outcome != XB_CELL_OK) {
      cell->verdict.outcome = cell->shared->verdict.outcome;
      cell->verdict.verified = cell->shared->verdict.verified;
      cell->verdict.error = cell->shared->verdict.error;
    }
  }
}

/* What several cells say of each other. */
static void confirm(const xb_sampler *m)
{
  for (xb_cell *cell = m->cells; cell < m->cells + m->count; cell++) {
    const xb_methods *methods = cell->c.variant->benchmark->methods;
    if (cell->verdict.outcome != XB_CELL_OK || !methods->confirm || !methods->confirm(&cell->c, &cell->verdict.error))
      continue;
    xb_cell_fail(cell);
    if (cell->verdict.error.code == XB_INTERNAL)
      cell->verdict.outcome = XB_CELL_WRONG;
    cell->verdict.verified = false;
  }
}

static void prepare(xb_sampler *m)
{
  size_t i = 0;
  for (; i < m->count && !stopped(m->s); i++) {
    xb_cell *cell = &m->cells[i];
    cell->stop = m->s->stop;
    cell->sample_ns = m->s->sample_time_s > 0 ? 1e9 * m->s->sample_time_s
                      : m->s->max_time_s > 0  ? fmin(SAMPLE_NS, 1e9 * m->s->max_time_s / XB_MIN_SAMPLES)
                                              : SAMPLE_NS;
    m->prepared_ns = (xb_clock_ns() - m->begin_ns) * (double)m->count / fmax((double)i, 1); /* as it seems now */
    report_progress(m, "verifying", -1);
    if (cell->shared) {
      xb_cell_share(cell);
      continue;
    }
    if (cell->verdict.outcome == XB_CELL_PENDING)
      xb_cell_create(cell);
    if (cell->verdict.outcome == XB_CELL_PENDING && xb_cell_verify(cell) && xb_sample_calibrate(cell))
      xb_cell_poison(cell);
  }
  for (; i < m->count; i++) /* an interrupted run would not have measured these in the end either */
    if (!m->cells[i].shared && m->cells[i].verdict.outcome == XB_CELL_PENDING)
      xb_cell_refuse(&m->cells[i]);
}

void xb_measure(xb_cell *cells, size_t count, const xb_sampling *s)
{
  const size_t room = count ? count : 1;
  xb_sampler m = {.s = s,
                  .cells = cells,
                  .count = count,
                  .order = calloc(room, sizeof *m.order),
                  .scratch = calloc(room * 2 * WARM_UP_WINDOW, sizeof *m.scratch),
                  .random = s->seed,
                  .begin_ns = xb_clock_ns()};
  if (m.order && m.scratch) {
    prepare(&m);
    m.prepared_ns = xb_clock_ns() - m.begin_ns;
    wake(&m, XB_CELL_PENDING);
    if (!stopped(s))
      warm_up(&m);
    if (!stopped(s))
      sample_rounds(&m);
  }
  for (size_t i = 0; i < count; i++) {
    if (!m.order || !m.scratch)
      xb_cell_nomem(&cells[i], "sampler");
    conclude(&cells[i], s);
    if (xb_is_drawn(&cells[i]))
      cells[i].c.seed = cells[i].workload->seed;
  }
  recheck(&m);
  confirm(&m);
  free(m.order);
  free(m.scratch);
}
