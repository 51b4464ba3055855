#include "measure/sampler.h"

#include "core/clock.h"
#include "judge/judge.h"
#include "judge/stats.h"
#include "measure/sample.h"

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

/* Of what the whole probably takes: the checks before and after, warming up and sampling until the time limit. */
static void report_progress(const xb_sampler *m, const char *what, double last_checks)
{
  const double timed_ns = (1 + WARM_UP_PART) * m->s->max_time_s * 1e9 * (double)m->count;
  const double before_ns = m->prepared_ns + timed_ns;
  const double done_ns = last_checks > 0 ? before_ns : fmin(xb_clock_ns() - m->begin_ns, before_ns);
  if (m->s->progress)
    m->s->progress(m->s->progress_user, what,
                   (done_ns + last_checks * m->prepared_ns) / (before_ns + m->prepared_ns + 1));
}

/* Puts the cells that must still be timed into a new order. Returns their number. */
static size_t shuffle_pending(xb_sampler *m)
{
  size_t n = 0;
  for (size_t i = 0; i < m->count; i++)
    if (m->cells[i].outcome == XB_CELL_PENDING && !m->cells[i].stopped_by)
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
  return cell->placements - 1 + 2 * WARM_UP_WINDOW;
}

/* Uses each placement once, then only the first one: its times show whether they have settled. */
static uint32_t warm_up_placement(const xb_cell *cell, size_t round)
{
  return round < cell->placements ? (uint32_t)(cell->placements - 1 - round) : 0;
}

/* Of one cell. A round takes two samples, of which the first is not timed, and what lies between them. A cell whose
 * single run is longer than a sample should be gets fewer rounds. */
static double warm_up_limit_ns(const xb_sampler *m, const xb_cell *cell)
{
  return fmax(WARM_UP_PART * m->s->max_time_s * 1e9, 3 * (double)rounds_to_settle(cell) * cell->sample_ns);
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
      cell->placement = warm_up_placement(cell, round);
      if (!xb_sample_run(cell, &window[2 * WARM_UP_WINDOW - 1], &host))
        continue;
      cell->warm_up_rounds++;
      cell->warm = round + 1 >= rounds_to_settle(cell) && settled(window);
      all = all && cell->warm;
    }
    report_progress(m, "warming up", 0);
    if (xb_clock_ns() - begin > limit_ns)
      return;
  }
}

/* ---- Sampling --------------------------------------------------------------------------------------------------- */

/* Returns why more rounds would not help, or NULL. */
static const char *settled_by(const xb_sampler *m, const xb_cell *cell)
{
  if (xb_cell_is_floor(cell))
    return "interval";
  if (cell->sampled_ns < m->s->min_time_s * 1e9)
    return NULL;
  double *scratch = malloc(cell->sample_count * sizeof *scratch);
  if (!scratch)
    return NULL;
  const char *why = xb_settled_by(cell->samples_ns, cell->sample_count, cell->placements, m->s->width, scratch);
  free(scratch);
  return why;
}

static void widen(xb_cell *cell, const xb_gpu_state *now)
{
  xb_gpu_state *low = &cell->lowest, *high = &cell->highest;
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

static void keep_before(xb_cell *cell, const xb_gpu_state *now)
{
  cell->before = *now;
}

static void keep_after(xb_cell *cell, const xb_gpu_state *now)
{
  cell->after = *now;
}

/* Reads the state of each GPU once, for all of its cells. */
static void read_states(const xb_sampler *m, void (*keep)(xb_cell *cell, const xb_gpu_state *now))
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
        keep(&m->cells[k], &now);
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
  cell->placement = (uint32_t)(cell->sample_count % cell->placements);
  cell->read_state = reads_state(m, i);
  const double begin = xb_clock_ns();
  const bool good = xb_sample_take(cell);
  cell->spent_ns += xb_clock_ns() - begin;
  if (!good)
    return;
  const uint32_t throttle = cell->seen_throttle & XB_THROTTLE_HELD_BACK;
  cell->throttled_samples += throttle != 0;
  cell->throttle |= throttle;
  for (size_t k = 0; k < m->count && cell->read_state && cell->seen.known; k++)
    if (m->cells[k].monitor == cell->monitor)
      widen(&m->cells[k], &cell->seen);
}

/* Throttling that only the driver's counters reported cannot be assigned to a cell, so all cells get it. */
static void share_throttling(const xb_sampler *m)
{
  for (size_t i = 0; i < m->count; i++) {
    bool attributed = false;
    for (size_t k = 0; k < m->count; k++)
      attributed |= m->cells[k].monitor == m->cells[i].monitor && m->cells[k].throttled_samples;
    if (!attributed)
      m->cells[i].throttle |= (m->cells[i].after.throttle | m->cells[i].highest.throttle) & XB_THROTTLE_HELD_BACK;
  }
}

/* Three samples of each placement, so that one outlier does not set the median. */
static size_t least_rounds(const xb_cell *cell)
{
  return cell->placements > 1 ? SAMPLES_PER_PLACEMENT * cell->placements : XB_MIN_SAMPLES;
}

/* Sets stopped_by of the cells that are done. Cells that are compared are done together, so that they have the same
 * rounds, and share the time. */
static void end_cells(xb_sampler *m, size_t rounds, size_t n, double spent_ns)
{
  const bool together = m->s->together;
  const double limit_ns = m->s->max_time_s * 1e9;
  bool least = rounds >= m->s->min_rounds, all = true;
  for (size_t i = 0; i < n; i++) {
    const xb_cell *cell = &m->cells[m->order[i]];
    least = least && (xb_cell_is_floor(cell) || rounds >= least_rounds(cell));
  }
  for (size_t i = 0; i < n; i++) {
    xb_cell *cell = &m->cells[m->order[i]];
    const bool late = together ? spent_ns > limit_ns * (double)n : cell->spent_ns > limit_ns;
    cell->stopped_by = stopped(m->s) ? "interrupted" : least ? settled_by(m, cell) : NULL;
    if (!cell->stopped_by && least && late)
      cell->stopped_by = "time limit";
    all = all && (cell->stopped_by || cell->outcome != XB_CELL_PENDING);
  }
  for (size_t i = 0; i < n && together && !all; i++)
    m->cells[m->order[i]].stopped_by = NULL;
}

static void sample_rounds(xb_sampler *m)
{
  const double begin = xb_clock_ns();
  size_t n = shuffle_pending(m);
  read_states(m, keep_before);
  for (size_t round = 1; n; round++) {
    for (size_t i = 0; i < n && !stopped(m->s); i++)
      take_sample(m, i);
    const double spent_ns = xb_clock_ns() - begin;
    report_progress(m, "sampling", 0);
    end_cells(m, round, n, spent_ns);
    n = shuffle_pending(m);
  }
  read_states(m, keep_after);
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
  const double gbps = moved / cell->device.median, flops = (double)cell->plan.flops / cell->device.median;
  const double most_flops = MOST_FLOPS * info->multiprocessors * info->clock_khz / 1e6;
  const bool beyond_memory = peak > 0 && info->cache_bytes && gbps > PEAK_TOLERANCE * peak;
  char why[128];
  if (cell->c.variant->clock != XB_CLOCK_DEVICE || (!beyond_memory && (most_flops <= 0 || flops <= most_flops)))
    return true;
  if (beyond_memory)
    snprintf(why, sizeof why, "%.0f GB/s, but the memory moves at most %.0f GB/s", gbps, peak);
  else
    snprintf(why, sizeof why, "%.0f GFLOP/s, but no processor of this clock does more than %.0f", flops, most_flops);
  return xb_cell_wrong(cell, why);
}

static void conclude(xb_cell *cell, const xb_sampling *s)
{
  if (cell->outcome != XB_CELL_PENDING)
    return;
  if (!cell->sample_count || (stopped(s) && cell->sample_count < XB_INTERVAL_SAMPLES)) {
    cell->outcome = XB_CELL_INTERRUPTED; /* too few samples for an interval */
    return;
  }
  double *scratch = malloc(cell->sample_count * sizeof *scratch);
  if (!scratch) {
    xb_cell_nomem(cell, "samples");
    return;
  }
  cell->device = xb_statistics(cell->samples_ns, cell->sample_count, cell->placements, scratch);
  cell->host = xb_statistics(cell->host_ns, cell->sample_count, cell->placements, scratch);
  cell->issue = xb_statistics(cell->issue_ns, cell->sample_count, cell->placements, scratch);
  free(scratch);
  if (xb_cell_check(cell) && is_possible(cell))
    cell->outcome = XB_CELL_OK;
}

/* All cells of one workload, with inputs that they have not seen. */
static void recheck_workload(const xb_sampler *m, const xb_workload *w)
{
  const uint64_t seed = w->seed + !(w->of && w->of->methods->same_inputs);
  bool any = false;
  xb_error error;
  for (size_t i = 0; i < m->count; i++)
    any |= m->cells[i].workload == w && m->cells[i].outcome == XB_CELL_OK;
  const xb_code code = any ? xb_workload_refill(w, seed, &error) : XB_OK;
  for (size_t i = 0; i < m->count && !stopped(m->s); i++) {
    xb_cell *cell = &m->cells[i];
    if (cell->workload != w || cell->outcome != XB_CELL_OK || cell->shared)
      continue;
    report_progress(m, "checking again", (double)(i + 1) / (double)m->count);
    if (code) {
      cell->error = error;
      xb_cell_fail(cell);
    } else {
      xb_cell_recheck(cell, seed);
    }
  }
}

static void recheck(const xb_sampler *m)
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
    if (!cell->shared || cell->outcome != XB_CELL_OK)
      continue;
    cell->rechecked_runs = cell->shared->rechecked_runs;
    if (cell->shared->outcome != XB_CELL_OK) {
      cell->outcome = cell->shared->outcome;
      cell->verified = cell->shared->verified;
      cell->error = cell->shared->error;
    }
  }
}

/* What several cells say of each other. */
static void confirm(const xb_sampler *m)
{
  for (xb_cell *cell = m->cells; cell < m->cells + m->count; cell++) {
    const xb_methods *methods = cell->c.variant->benchmark->methods;
    if (cell->outcome != XB_CELL_OK || !methods->confirm || !methods->confirm(&cell->c, &cell->error))
      continue;
    xb_cell_fail(cell);
    if (cell->error.code == XB_INTERNAL)
      cell->outcome = XB_CELL_WRONG;
    cell->verified = false;
  }
}

static void prepare(xb_sampler *m)
{
  for (size_t i = 0; i < m->count && !stopped(m->s); i++) {
    xb_cell *cell = &m->cells[i];
    cell->stop = m->s->stop;
    cell->sample_ns = m->s->sample_time_s > 0 ? 1e9 * m->s->sample_time_s
                      : m->s->max_time_s > 0  ? fmin(SAMPLE_NS, 1e9 * m->s->max_time_s / XB_MIN_SAMPLES)
                                              : SAMPLE_NS;
    m->prepared_ns = (xb_clock_ns() - m->begin_ns) * (double)m->count / fmax((double)i, 1); /* as it seems now */
    report_progress(m, "verifying", 0);
    if (cell->shared) {
      xb_cell_share(cell);
      continue;
    }
    if (cell->outcome == XB_CELL_PENDING)
      xb_cell_create(cell);
    if (cell->outcome == XB_CELL_PENDING && xb_cell_verify(cell) && xb_sample_calibrate(cell))
      xb_cell_poison(cell);
  }
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
    if (!stopped(s))
      warm_up(&m);
    if (!stopped(s))
      sample_rounds(&m);
  }
  for (size_t i = 0; i < count; i++) {
    if (!m.order || !m.scratch)
      xb_cell_nomem(&cells[i], "sampler");
    conclude(&cells[i], s);
  }
  recheck(&m);
  confirm(&m);
  free(m.order);
  free(m.scratch);
}
