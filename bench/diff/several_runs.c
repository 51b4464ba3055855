/* Cells that NEW measured in several runs. */
#include "diff/several_runs.h"
#include "diff/identity.h"
#include "judge/stats.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Collecting the runs ---------------------------------------------------------------------------------------- */

/* A result without a time replaces the others: a cell that is wrong once is wrong. */
static void add_run(xb_diff_cell *cell, const xb_result *run)
{
  if (cell->now->outcome != XB_CELL_OK || run->outcome == XB_CELL_INTERRUPTED)
    return;
  if (run->outcome != XB_CELL_OK)
    cell->now = run;
  else if (cell->run_count < XB_MOST_RUNS)
    cell->runs[cell->run_count++] = run;
}

xb_code xb_diff_add_runs(xb_diff *diff, xb_error *err)
{
  const size_t first_dimension = diff->across_devices ? XB_DEVICE_DIMENSIONS : 0;
  for (size_t i = 0; i < diff->again_count; i++) {
    size_t count;
    const xb_result **results = xb_diff_results(diff->again[i], &count);
    if (!results)
      return xb_fail(err, XB_NOMEM, "diff", "out of host memory");
    for (size_t c = 0; c < diff->cell_count; c++)
      for (size_t r = 0; r < count && diff->cells[c].now; r++)
        if (!xb_compare_identity(diff->cells[c].now, results[r], first_dimension)) {
          add_run(&diff->cells[c], results[r]);
          break;
        }
    free(results);
  }
  return XB_OK;
}

/* ---- All samples together --------------------------------------------------------------------------------------- */

/* Sample i of a result is of placement i % placements, so the runs are interleaved, round by round. */
static void interleave(const xb_result *const *runs, size_t run_count, size_t rounds, double *out)
{
  for (size_t round = 0; round < rounds; round++)
    for (size_t i = 0; i < run_count; i++)
      for (size_t p = 0; p < runs[i]->placements; p++)
        *out++ = runs[i]->samples_ns.values[round * runs[i]->placements + p];
}

static void concatenate(const xb_result *const *runs, size_t run_count, double *out)
{
  for (size_t i = 0; i < run_count; i++) {
    memcpy(out, runs[i]->samples_ns.values, runs[i]->samples_ns.count * sizeof *out);
    out += runs[i]->samples_ns.count;
  }
}

/* Leaves out runs that were throttled unlike the base, which make every verdict unclear, and placements beyond the most
 * that a result has. */
static size_t choose(const xb_result *base, const xb_diff_cell *cell, size_t count, const xb_result **chosen)
{
  size_t used = 0;
  uint64_t placements = 0;
  for (size_t i = 0; i < count; i++) {
    const xb_result *r = cell->runs[i];
    if (placements + r->placements > XB_MOST_PLACEMENTS || !r->throttle.count != !base->throttle.count)
      continue;
    placements += r->placements;
    chosen[used++] = r;
  }
  if (!used)
    chosen[used++] = cell->runs[0];
  return used;
}

bool xb_pool_runs(const xb_diff_cell *cell, size_t count, xb_result *pooled, double **values)
{
  const xb_result *runs[XB_MOST_RUNS];
  size_t samples = 0, rounds = SIZE_MAX;
  uint64_t placements = 0;
  const size_t used = choose(cell->base, cell, count, runs);
  *pooled = *runs[0];
  *values = NULL;
  for (size_t i = 0; i < used; i++) {
    const size_t of_run = runs[i]->samples_ns.count / (runs[i]->placements ? runs[i]->placements : 1);
    rounds = of_run < rounds ? of_run : rounds;
    samples += runs[i]->samples_ns.count;
    placements += runs[i]->placements;
  }
  if (used == 1)
    return true;
  *values = malloc(samples * sizeof **values);
  if (!*values)
    return false;
  const bool placed_once = placements <= used;
  if (placed_once)
    concatenate(runs, used, *values);
  else
    interleave(runs, used, rounds, *values);
  pooled->placements = placed_once ? pooled->placements : placements;
  pooled->samples_ns.values = *values;
  pooled->samples_ns.count = placed_once ? samples : rounds * placements;
  return true;
}

/* ---- The spread of the runs -------------------------------------------------------------------------------------- */

void xb_check_spread(xb_diff_cell *cell, double threshold)
{
  double logs[XB_MOST_RUNS];
  if (cell->run_count < 2 || cell->change != XB_CHANGE_REGRESSION)
    return;
  for (size_t i = 0; i < cell->run_count; i++)
    logs[i] = log(cell->runs[i]->median_ns / cell->base_ns);
  if (xb_prediction(logs, cell->run_count).low > log(1 + threshold))
    return;
  cell->change = XB_CHANGE_UNCLEAR;
  snprintf(cell->reason, sizeof cell->reason, "one more run could be as fast as the base");
}
