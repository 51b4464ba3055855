/* Inputs that are drawn anew while untrusted kernels are timed, and what that finds: outputs of samples that are wrong,
 * and times that depend on the runs before. */
#include "base/value_text.h"
#include "core/clock.h"
#include "judge/stats.h"
#include "measure/cell.h"

#include <stdio.h>
#include <time.h>

/* A run on inputs that are new to a kernel takes so much longer than one on the same again if it keeps results. Noise
 * does that, too, but not for each of several inputs. */
static const double DEPENDS = 2, DEPENDS_NS = 20e3;
/* Before each run, those on the same inputs, too: new inputs take time to make, after which threads of the device are
 * asleep. On a busy machine it takes them long to wake, and only the first run would wait for it. */
enum { PAUSE_NS = 1000000 };
static const double CHECKED_PART = 0.05; /* of the time of samples, for checks between them */
enum { AGAINS = 3, MORE_DRAWS = 5 };

void xb_check_between(xb_cell *cell, bool must)
{
  xb_cell_samples *s = &cell->samples;
  const double begin = xb_clock_ns();
  if (cell->verdict.outcome != XB_CELL_PENDING || !xb_cell_restores(cell) || s->count == s->drawn_at ||
      (!must && s->checked_ns > CHECKED_PART * s->spent_ns))
    return;
  cell->buffers.placement = (uint32_t)((s->count - 1) % cell->buffers.placements);
  xb_cell_check_timed(cell, true);
  s->checked_ns += xb_clock_ns() - begin;
}

/* The inputs of the cell are new to it. Images are filled before each run, so that their memory is as fresh for all. */
static bool takes_longer(xb_cell *cell)
{
  const struct timespec pause = {.tv_nsec = PAUSE_NS};
  xb_cell_samples *s = &cell->samples;
  const size_t agains = s->batch > 1 ? AGAINS : 1; /* long runs have less noise */
  double again[AGAINS];
  bool good = true;
  for (size_t i = 0; i <= agains && good; i++) {
    nanosleep(&pause, NULL);
    good = xb_cell_fill_images(cell) && xb_sample_once(cell, i ? &again[i - 1] : &s->new_ns);
  }
  if (!good)
    return false;
  xb_sort_doubles(again, agains);
  s->again_ns = again[agains / 2];
  return s->new_ns > DEPENDS * s->again_ns + DEPENDS_NS;
}

bool xb_is_drawn(const xb_cell *cell)
{
  return cell->workload->draw_count && cell->c.variant->benchmark->methods->untrusted;
}

void xb_draw_inputs(xb_cell *cells, size_t count, uint32_t draw)
{
  const xb_workload *drawn = NULL; /* the cells of a workload follow each other */
  for (size_t i = 0; i < 2 * count; i++) {
    xb_cell *cell = &cells[i % count];
    if (cell->samples.stopped_by || !xb_is_drawn(cell) || draw >= cell->workload->draw_count)
      continue;
    if (i < count) {
      xb_check_between(cell, true);
      continue;
    }
    if (cell->workload != drawn && xb_workload_draw(cell->workload, draw, &cell->verdict.error))
      xb_cell_fail(cell);
    drawn = cell->workload;
    cell->c.seed = drawn->seed + 1 + draw;
    cell->samples.drawn_at = cell->samples.count;
    if (cell->verdict.outcome == XB_CELL_PENDING && !cell->shared && xb_cell_fill_images(cell) &&
        (!draw || cell->samples.depends))
      cell->samples.depends = takes_longer(cell);
  }
}

void xb_confirm_dependence(xb_cell *cell, void (*wake)(void *user), void *user)
{
  const xb_workload *w = cell->workload;
  for (uint64_t i = 0; i < MORE_DRAWS && cell->samples.depends; i++) {
    if (xb_workload_make_draw(w, 0, w->seed + 1 + w->draw_count + i, &cell->verdict.error))
      xb_cell_fail(cell);
    wake(user);
    if (cell->verdict.outcome == XB_CELL_OK && xb_workload_draw(w, 0, &cell->verdict.error))
      xb_cell_fail(cell);
    cell->samples.depends = cell->verdict.outcome == XB_CELL_OK && takes_longer(cell);
  }
  char why[128], fresh[32], known[32];
  snprintf(why, sizeof why, "time depends on the runs before: %s with new inputs, %s with the same inputs again",
           xb_format_time(cell->samples.new_ns, fresh, sizeof fresh),
           xb_format_time(cell->samples.again_ns, known, sizeof known));
  if (cell->samples.depends && !(cell->stop && *cell->stop))
    xb_cell_wrong(cell, why);
}
