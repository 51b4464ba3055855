#include "measure/sampler.h"

#include "measure/sample.h"

#include <stdlib.h>

static bool stopped(const xb_sampling *s)
{
  return s->stop && *s->stop;
}

static void report_progress(const xb_sampling *s, const char *what, size_t done, size_t total)
{
  if (s->progress)
    s->progress(s->progress_user, what, done, total);
}

static bool narrow_enough(xb_cell *cell, const xb_sampling *s, double *scratch)
{
  if (cell->sample_count < XB_MIN_SAMPLES || cell->sampled_ns < s->min_time_s * 1e9)
    return false;
  const xb_stats stats = xb_statistics(cell->samples_ns, cell->sample_count, scratch);
  return stats.ci95_high - stats.ci95_low <= s->width * stats.median;
}

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
  const double begin = xb_now_ns();
  const char *why = NULL;
  for (size_t round = 0; !why; round++) {
    const size_t n = pending(cells, count, order);
    if (!n)
      return;
    xb_shuffle(&random, order, n);
    for (size_t i = 0; i < n && !stopped(s); i++)
      xb_sample_take(&cells[order[i]]);
    report_progress(s, "sampling", round + 1, 0);
    if (stopped(s)) {
      why = "interrupted";
    } else if (xb_now_ns() - begin > s->max_time_s * 1e9 * (double)n && round + 1 >= XB_MIN_SAMPLES) {
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

void xb_measure(xb_cell *cells, size_t count, const xb_sampling *s)
{
  size_t *order = calloc(count ? count : 1, sizeof *order);
  if (!order || !count) {
    free(order);
    return;
  }
  for (size_t i = 0; i < count && !stopped(s); i++) {
    report_progress(s, "verifying", i + 1, count);
    if (cells[i].outcome == XB_CELL_PENDING)
      xb_cell_create(&cells[i]);
    if (cells[i].outcome == XB_CELL_PENDING && xb_cell_verify(&cells[i]) && !stopped(s) &&
        xb_sample_calibrate(&cells[i], s->stop))
      xb_cell_poison(&cells[i]);
  }
  if (!stopped(s))
    sample_rounds(cells, count, s, order);
  for (size_t i = 0; i < count; i++) {
    report_progress(s, "checking", i + 1, count);
    conclude(&cells[i], s);
  }
  free(order);
}
