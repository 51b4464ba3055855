#include "measured.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

xb_cell cells[MEASURED_CELLS];
static size_t cell_count;
static xb_workload workload;
unsigned long long *(*nvml)(const char *name);
void (*measured_change)(xb_workload *w, xb_cell *cells);

seen_lists seen;

static void note_round(void *user, const char *what, double done)
{
  (void)user, (void)done;
  if (!strcmp(what, "warming up"))
    seen.warm_up_ends[seen.warm_ups++] = seen.count;
  if (!strcmp(what, "sampling"))
    seen.round_ends[seen.rounds++] = seen.count;
}

void note_list(const scripted_list *list)
{
  if (list->timed && seen.count < MEASURED_LISTS)
    seen.lists[seen.count++] = *list;
}

const scripted_list *round_of(size_t round)
{
  return &seen.lists[round ? seen.round_ends[round - 1] : seen.warm_up_ends[seen.warm_ups - 1]];
}

static double constant(const scripted_list *list)
{
  (void)list;
  return RUN_NS;
}

const scripted_rules plain = {
    .type = XB_DEVICE_DISCRETE, .submit_ns = SUBMIT_NS, .run_ns = constant, .ends = note_list};
const xb_sampling usual = {.together = true,
                           .min_time_s = 0.02,
                           .max_time_s = 0.5,
                           .min_rounds = 24,
                           .seed = 1,
                           .width = 0.01,
                           .progress = note_round};

static void finish(void)
{
  if (cell_count) {
    xb_monitor_close(cells[0].monitor);
    for (size_t i = 0; i < cell_count; i++)
      xb_cell_destroy(&cells[i]);
    copies_close(&workload);
  }
  cell_count = 0;
}

int measured_teardown(void **state)
{
  (void)state;
  finish();
  return host_broken_promise() ? -1 : 0;
}

void measure_from(uint32_t first, const scripted_rules *rules, const xb_sampling *sampling_as, size_t count)
{
  finish();
  memset(&seen, 0, sizeof seen);
  scripted_set(rules);
  workload = copies_workload(scripted_backend());
  for (cell_count = 0; cell_count < count; cell_count++) {
    cells[cell_count] = copies_cell(&workload, (uint32_t)cell_count + first);
    cells[cell_count].monitor = cell_count ? cells[0].monitor : xb_monitor_open(cells[0].c.device);
  }
  if (measured_change)
    measured_change(&workload, cells);
  xb_measure(cells, count, sampling_as);
}

void measure(const scripted_rules *rules, const xb_sampling *sampling_as, size_t count)
{
  measure_from(1, rules, sampling_as, count);
}

void expect_ok(void)
{
  for (size_t i = 0; i < cell_count; i++)
    if (cells[i].verdict.outcome != XB_CELL_OK)
      fail_msg("cell %zu: %s", i, cells[i].verdict.error.message);
}

void assert_ns(double got, double expected)
{
  if (got < expected - 1e-6 * expected || got > expected + 1e-6 * expected)
    fail_msg("got %.9g ns, expected %.9g ns", got, expected);
}

xb_result result_of(size_t cell, xb_arena *arena)
{
  xb_result_device device;
  const xb_measured_on on = {&cells[0].c.device, &device, 1};
  assert_true(xb_result_device_of(cells[0].c.device, arena, &device));
  const xb_result *results = xb_results_of_cells(cells, cell_count, &on, arena);
  assert_non_null(results);
  return results[cell];
}

int measured_setup(void **state)
{
  (void)state;
  *nvml("reset") = 0;
  return 0;
}

static void *library;

int measured_begin(void)
{
  const char *path = getenv("XB_NVML");
  library = path ? dlopen(path, RTLD_NOW | RTLD_LOCAL) : NULL;
  void *symbol = library ? dlsym(library, "fake_nvml") : NULL;
  memcpy(&nvml, &symbol, sizeof symbol);
  if (nvml)
    return 0;
  printf("FAILED: XB_NVML does not name the fake NVML: run by ctest\n");
  return 1;
}

int measured_end(void)
{
  dlclose(library);
  return 0;
}

/* ---- What the tests change in the benchmark of all cells ------------------------------------------------------------
 */

struct own own;

/* Gives all cells a benchmark, a variant and a device of our own, to be changed. */
void measured_take_own(xb_cell *measured)
{
  own.variant.benchmark = &own.benchmark;
  own.benchmark.methods = &own.methods;
  own.info = *measured[0].c.device;
  for (xb_cell *cell = measured; cell < measured + MEASURED_CELLS && cell->c.variant; cell++) {
    cell->c.variant = &own.variant;
    cell->c.device = &own.info;
  }
}

int measured_setup_own(void **state)
{
  own.methods = *copies.methods;
  own.benchmark = copies;
  own.variant = copies.variants[0];
  measured_change = NULL;
  memset(cells, 0, sizeof cells);
  return measured_setup(state);
}
