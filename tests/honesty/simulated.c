/* honesty_simulated: the short form of `honesty`, on a device whose times are drawn (tests/scripted). All of the code
 * that measures and compares runs; only the times are made up. The exit code is 1 if a bar is missed.
 *
 *   same      a cell compared with itself
 *   moved     with its equal in other places
 *   planted   with one that takes 5 % more, in other places */
#include "measure/sampler.h"
#include "scripted/copies.h"
#include "scripted/scripted.h"
#include "tally.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { REPEATS = 400, CELLS = 4, PLACES = 64 };
enum { SAME, MOVED, PLANTED, TALLIES };
static const double RUN_NS = 1e6, NOISE = 0.003, DRIFT = 0.001, PLACE = 0.01, MARGIN = 0.01, MOST_WITHOUT_ONE = 8;

static uint64_t random_state = 1;
static double drift, places[CELLS][PLACES]; /* by kernel */

static double uniform(void)
{
  return ((double)(xb_random(&random_state) >> 11) + 0.5) * 0x1p-53;
}

static double normal(void)
{
  return sqrt(-2 * log(uniform())) * cos(6.283185307179586 * uniform());
}

/* Places differ by 1 %, clocks wander, and each list has its own noise. Kernel 3 is 5 % slower. */
static double draw(const scripted_list *list)
{
  drift *= 1 + DRIFT * normal();
  return RUN_NS * drift * (list->kernel == 3 ? 1.05 : 1) * places[list->kernel][list->placement] *
         (1 + NOISE * normal());
}

static void draw_places(void)
{
  drift = 1;
  for (int k = 0; k < CELLS; k++)
    for (int p = 0; p < PLACES; p++)
      places[k][p] = 1 + PLACE * (uniform() - 0.5);
}

static void compare(uint64_t seed, honesty_tally tallies[TALLIES])
{
  static const scripted_rules rules = {.type = XB_DEVICE_DISCRETE, .submit_ns = 20e3, .run_ns = draw};
  static const size_t tally_of[CELLS] = {0, SAME, MOVED, PLANTED};
  static const uint32_t kernels[CELLS] = {1, 1, 2, 3};
  static xb_cell cells[CELLS];
  draw_places();
  scripted_set(&rules);
  xb_workload w = copies_workload(scripted_backend());
  for (int i = 0; i < CELLS; i++)
    cells[i] = copies_cell(&w, kernels[i]);
  cells[0].base = true;
  cells[1].shared = &cells[0];
  const xb_sampling sampling = {.sample_time_s = 0.001,
                                .min_time_s = 0.02,
                                .max_time_s = 0.3,
                                .together = true,
                                .width = 0.01,
                                .min_rounds = 20,
                                .seed = seed};
  xb_measure(cells, CELLS, &sampling);
  honesty_compare(cells, CELLS, MARGIN, seed, tallies, tally_of);
  for (int i = 0; i < CELLS; i++)
    xb_cell_destroy(&cells[i]);
  copies_close(&w);
}

/* A 95 % interval leaves out the true ratio in 5 % of cases. */
static bool intervals_hold(const char *what, const honesty_tally *t)
{
  const double part = 100.0 * t->without_one / t->count;
  if (part > MOST_WITHOUT_ONE)
    printf("MISSED: %s: %.1f %% of the intervals leave out 1\n", what, part);
  return part <= MOST_WITHOUT_ONE;
}

int main(void)
{
  static const char *const names[TALLIES] = {"same", "moved", "planted 1.05"};
  honesty_tally tallies[TALLIES] = {{{0}, 0, 0, 0}};
  for (uint64_t seed = 1; seed <= REPEATS; seed++)
    compare(seed, tallies);
  for (int i = 0; i < TALLIES; i++)
    honesty_print(names[i], &tallies[i]);
  bool good = honesty_equal(names[SAME], &tallies[SAME], 90);
  good = honesty_equal(names[MOVED], &tallies[MOVED], 90) && good;
  good = intervals_hold(names[SAME], &tallies[SAME]) && good;
  good = intervals_hold(names[MOVED], &tallies[MOVED]) && good;
  return honesty_found(names[PLANTED], &tallies[PLANTED]) && good ? 0 : 1;
}
