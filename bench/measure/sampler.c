#include "measure/sampler.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

static const double SAMPLE_NS = 5e6;        /* two stamps and their barriers take 6 us on an H200: 0.1 % of a sample */
static const double WARM_UP_NS = 50e6;      /* wakes the clocks */
static const uint32_t MAX_BATCH = 1000;     /* keeps a command list short */
static const uint32_t MIN_TIMER_STEPS = 20; /* a single run shorter than this cannot be told */

static double now_ns(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static bool stopped(const xb_sampling *s)
{
  return s->stop && *s->stop;
}

static void report_progress(const xb_sampling *s, const char *what, size_t done, size_t total)
{
  if (s->progress)
    s->progress(s->progress_user, what, done, total);
}

/* ---- One cell --------------------------------------------------------------------------------------------------- */

static bool record_batch(xb_cell *cell, uint32_t batch, xb_buffer *flush)
{
  xb_commands_destroy(cell->timed);
  cell->timed = NULL;
  cell->batch = batch;
  const xb_commands_desc desc = {.label = "timed", .timestamp_count = 2};
  if (xb_commands_create(cell->workload->device, &desc, &cell->timed, &cell->error))
    return xb_cell_fail(cell);
  if (flush)
    xb_cmd_fill(cell->timed, flush, 0, xb_buffer_bytes(flush), 0);
  xb_cmd_timestamp(cell->timed, 0);
  for (uint32_t i = 0; i < batch; i++) {
    if (i)
      xb_cmd_barrier(cell->timed);
    xb_cell_record(cell, cell->timed);
  }
  xb_cmd_timestamp(cell->timed, 1);
  return !xb_commands_finish(cell->timed, &cell->error) || xb_cell_fail(cell);
}

static bool run_batch(xb_cell *cell, double *device_ns, double *host_ns)
{
  const xb_workload *w = cell->workload;
  xb_point done;
  double ns[2];
  const double begin = now_ns();
  if (xb_submit(w->device, &(xb_submission){.commands = cell->timed}, &done, &cell->error) ||
      xb_wait(w->device, done, w->wait_limit_ns, &cell->error))
    return xb_cell_fail(cell);
  *host_ns = now_ns() - begin;
  if (xb_commands_timestamps(cell->timed, ns, 2, &cell->error))
    return xb_cell_fail(cell);
  *device_ns = ns[1] / cell->batch;
  return true;
}

static bool check_timer(xb_cell *cell)
{
  const double period = xb_device_get_info(cell->workload->device)->timestamp_period_ns;
  if (cell->once_ns >= MIN_TIMER_STEPS * period)
    return true;
  xb_fail(&cell->error, XB_UNSUPPORTED, "cold",
          "one run takes %.0f ns, less than %u steps of this device's timer: use a "
          "larger --size or --cache hot",
          cell->once_ns, MIN_TIMER_STEPS);
  return xb_cell_fail(cell);
}

/* Runs single plans until warm, so that the last one says how many make a sample. */
static bool calibrate(xb_cell *cell, const xb_sampling *s, xb_buffer *flush)
{
  double host, spent = 0;
  if (!record_batch(cell, 1, flush))
    return false;
  for (int i = 0; i < 2 || (spent < WARM_UP_NS && i < 100); i++) {
    if (!run_batch(cell, &cell->once_ns, &host))
      return false;
    spent += host;
  }
  if (s->cache == XB_CACHE_COLD)
    return check_timer(cell);
  const double batch = cell->once_ns > 0 ? SAMPLE_NS / cell->once_ns : MAX_BATCH;
  if (batch > 1 && !record_batch(cell, batch < MAX_BATCH ? (uint32_t)batch : MAX_BATCH, NULL))
    return false;
  return batch <= 1 || run_batch(cell, &cell->once_ns, &host);
}

static bool take_sample(xb_cell *cell)
{
  double device, host;
  if (cell->sample_count == cell->sample_capacity) {
    const size_t more = cell->sample_capacity ? 2 * cell->sample_capacity : 64;
    double *d = realloc(cell->samples_ns, more * sizeof *d);
    cell->samples_ns = d ? d : cell->samples_ns;
    double *h = d ? realloc(cell->host_ns, more * sizeof *h) : NULL;
    cell->host_ns = h ? h : cell->host_ns;
    if (!h) {
      xb_fail(&cell->error, XB_NOMEM, "samples", "out of host memory");
      return xb_cell_fail(cell);
    }
    cell->sample_capacity = more;
  }
  if (!run_batch(cell, &device, &host))
    return false;
  cell->samples_ns[cell->sample_count] = device;
  cell->host_ns[cell->sample_count++] = host;
  cell->sampled_ns += device * cell->batch;
  return true;
}

static bool narrow_enough(xb_cell *cell, const xb_sampling *s, double *scratch)
{
  if (cell->sample_count < XB_MIN_SAMPLES || cell->sampled_ns < s->min_time_s * 1e9)
    return false;
  const xb_stats stats = xb_statistics(cell->samples_ns, cell->sample_count, scratch);
  return stats.ci95_high - stats.ci95_low <= s->width * stats.median;
}

/* ---- All cells -------------------------------------------------------------------------------------------------- */

static size_t pending(const xb_cell *cells, size_t count, size_t *which)
{
  size_t n = 0;
  for (size_t i = 0; i < count; i++)
    if (cells[i].outcome == XB_CELL_PENDING)
      which[n++] = i;
  return n;
}

/* Rounds, until all are narrow enough or time is up. Every cell of a comparison gets the same count. */
static void sample_rounds(xb_cell *cells, size_t count, const xb_sampling *s, size_t *order)
{
  uint64_t random = s->seed;
  const double begin = now_ns();
  const char *why = NULL;
  for (size_t round = 0; !why; round++) {
    const size_t n = pending(cells, count, order);
    if (!n)
      return;
    xb_shuffle(&random, order, n);
    for (size_t i = 0; i < n && !stopped(s); i++)
      take_sample(&cells[order[i]]);
    report_progress(s, "sampling", round + 1, 0);
    if (stopped(s)) {
      why = "interrupted";
    } else if (now_ns() - begin > s->max_time_s * 1e9 * (double)n && round + 1 >= XB_MIN_SAMPLES) {
      why = "time limit";
    } else if (round + 1 >= XB_MIN_SAMPLES) {
      double *scratch = malloc((round + 1) * sizeof *scratch);
      bool all = scratch != NULL;
      for (size_t i = 0; i < n && all; i++)
        all = cells[order[i]].outcome != XB_CELL_PENDING || narrow_enough(&cells[order[i]], s, scratch);
      free(scratch);
      why = all ? "interval" : NULL;
    }
  }
  for (size_t i = 0; i < count; i++)
    cells[i].stopped_by = why;
}

static void conclude(xb_cell *cell, const xb_sampling *s)
{
  if (cell->outcome != XB_CELL_PENDING)
    return;
  if (!cell->sample_count) {
    cell->outcome = XB_CELL_INTERRUPTED;
    return;
  }
  double *scratch = malloc(cell->sample_count * sizeof *scratch);
  if (!scratch) {
    xb_fail(&cell->error, XB_NOMEM, "samples", "out of host memory");
    xb_cell_fail(cell);
    return;
  }
  cell->device = xb_statistics(cell->samples_ns, cell->sample_count, scratch);
  cell->host = xb_statistics(cell->host_ns, cell->sample_count, scratch);
  free(scratch);
  if (xb_cell_check(cell))
    cell->outcome = stopped(s) && cell->sample_count < XB_MIN_SAMPLES ? XB_CELL_INTERRUPTED : XB_CELL_OK;
}

static xb_buffer *create_flush(xb_cell *cells, size_t count, const xb_sampling *s)
{
  xb_buffer *flush = NULL;
  xb_error error;
  const xb_buffer_desc desc = {.label = "flush", .mem = XB_MEM_DEVICE, .bytes = s->flush_bytes / 4 * 4};
  if (!xb_buffer_create(cells[0].workload->device, &desc, &flush, &error))
    return flush;
  for (size_t i = 0; i < count; i++) {
    cells[i].error = error;
    xb_cell_fail(&cells[i]);
  }
  return NULL;
}

void xb_measure(xb_cell *cells, size_t count, const xb_sampling *s)
{
  size_t *order = calloc(count ? count : 1, sizeof *order);
  if (!order || !count) {
    free(order);
    return;
  }
  xb_buffer *flush = s->cache == XB_CACHE_COLD ? create_flush(cells, count, s) : NULL;
  for (size_t i = 0; i < count && !stopped(s); i++) {
    report_progress(s, "verifying", i + 1, count);
    cells[i].cache = s->cache;
    if (cells[i].outcome == XB_CELL_PENDING)
      xb_cell_create(&cells[i]);
    if (cells[i].outcome == XB_CELL_PENDING && xb_cell_verify(&cells[i]) && calibrate(&cells[i], s, flush))
      xb_cell_poison(&cells[i]);
  }
  if (!stopped(s))
    sample_rounds(cells, count, s, order);
  for (size_t i = 0; i < count; i++) {
    report_progress(s, "checking", i + 1, count);
    conclude(&cells[i], s);
  }
  xb_buffer_destroy(flush);
  free(order);
}
