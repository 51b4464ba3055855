#include "clock.h"

#include "core/clock.h"

#include <stdio.h>

enum { ROUNDS = 41 };
static const double LIST_NS = 20e6; /* target time of N runs */

static xb_commands *record(xb_cell *cell, uint32_t runs)
{
  xb_commands *list = NULL;
  if (xb_cell_commands(cell, "clock", 2, &list))
    return NULL;
  xb_cmd_timestamp(list, 0);
  for (uint32_t i = 0; i < runs; i++) {
    if (i)
      xb_cmd_barrier(list);
    xb_cell_record(cell, false, list);
  }
  xb_cmd_timestamp(list, 1);
  return xb_commands_finish(list, &cell->verdict.error) ? NULL : list;
}

static bool submit(xb_cell *cell, xb_commands *list, double *host_ns, double *device_ns)
{
  double stamps[2];
  xb_point done;
  const double begin = xb_clock_ns();
  if (xb_submit(cell->workload->device, &(xb_submission){.commands = list}, &done, &cell->verdict.error) ||
      xb_wait(cell->workload->device, done, cell->workload->wait_limit_ns, &cell->verdict.error))
    return false;
  *host_ns = xb_clock_ns() - begin;
  const bool good = !xb_commands_timestamps(list, stamps, 2, &cell->verdict.error);
  *device_ns = stamps[1];
  return good;
}

static void check_variant(const honesty_device *d, const xb_variant *v, const xb_workload *w)
{
  static xb_cell cell;
  double host[ROUNDS], device[ROUNDS], scratch[ROUNDS], once[2], twice[2];
  honesty_cell(&cell, d, v, w);
  honesty_measure(&cell, 1, 1);
  const uint32_t runs = cell.samples.device.median < LIST_NS ? (uint32_t)(LIST_NS / cell.samples.device.median) : 1;
  xb_commands *one = record(&cell, runs), *two = record(&cell, 2 * runs);
  bool good = one && two;
  for (int i = 0; i < ROUNDS && good; i++) {
    good = submit(&cell, one, &once[0], &once[1]) && submit(&cell, two, &twice[0], &twice[1]);
    host[i] = (twice[0] - once[0]) / runs; /* the cost of a submission cancels */
    device[i] = twice[1] / (2 * runs);
  }
  if (good) {
    const xb_stats h = xb_statistics(host, ROUNDS, 1, scratch), t = xb_statistics(device, ROUNDS, 1, scratch);
    printf("%-8s %s/%u_%-22s n = %10llu: device %10.2f us, host slope %10.2f us [%.2f, %.2f], host / device %.4f%s\n",
           d->info.backend, v->benchmark->name, v->number, v->name, (unsigned long long)w->n, t.median / 1e3,
           h.median / 1e3, h.ci95_low / 1e3, h.ci95_high / 1e3, h.median / t.median,
           t.median > 100e3 ? "" : " (under 100 us)");
  } else {
    printf("%s/%u: %s\n", v->benchmark->name, v->number, cell.verdict.error.message);
  }
  xb_commands_destroy(one);
  xb_commands_destroy(two);
  xb_cell_destroy(&cell);
}

/* Measures the cost of a query of the GPU's state, which happens between samples. */
static void time_monitor(const honesty_device *d)
{
  enum { CALLS = 50 };
  const double begin = xb_clock_ns();
  for (int i = 0; i < CALLS; i++)
    xb_monitor_active(d->monitor);
  const double middle = xb_clock_ns();
  for (int i = 0; i < CALLS; i++)
    xb_monitor_read(d->monitor);
  const xb_gpu_state s = xb_monitor_read(d->monitor);
  printf("monitor: active %.1f us, read %.1f us; %u MHz, memory %u MHz, %u C, %.0f W\n", (middle - begin) / 1e3 / CALLS,
         (xb_clock_ns() - middle) / 1e3 / CALLS, s.clock_mhz, s.memory_clock_mhz, s.temperature_c, s.power_w);
}

void honesty_clock(const honesty_device *d, const honesty_set *set, uint64_t n)
{
  xb_workload w;
  time_monitor(d);
  honesty_workload(&w, d, set, n, 1);
  for (size_t i = 0; i < set->variant_count; i++)
    check_variant(d, set->variants[i], &w);
  xb_workload_destroy(&w);
}
