#include "cells.h"

#include "../patience.h"
#include "benchmarks/registry.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void give_up(const char *why)
{
  fprintf(stderr, "honesty: %s\n", why);
  exit(3);
}

void honesty_open(honesty_device *d, const char *backend, const char *launch)
{
  xb_error error;
  xb_device_desc desc = {.backend = xb_backend_find(backend)};
  if (*launch)
    desc.launch_mode = *launch == 'h' ? XB_LAUNCH_HELD_STREAM : XB_LAUNCH_STREAM;
  if (!desc.backend)
    give_up("no such backend");
  if (xb_device_open(&desc, &d->device, &error))
    give_up(error.message);
  d->info = *xb_device_get_info(d->device);
  d->monitor = xb_monitor_open(&d->info);
}

void honesty_close(honesty_device *d)
{
  xb_error error;
  xb_monitor_close(d->monitor);
  if (xb_device_close(d->device, &error))
    give_up(error.message);
}

honesty_set honesty_variants(const char *names)
{
  honesty_set set = {0};
  char copy[256];
  snprintf(copy, sizeof copy, "%s", names);
  for (char *name = strtok(copy, " "); name && set.variant_count < MAX_VARIANTS; name = strtok(NULL, " ")) {
    char *slash = strchr(name, '/');
    if (!slash)
      give_up("expected BENCHMARK/VARIANT");
    *slash = 0;
    set.variants[set.variant_count] = xb_variant_find(name, slash + 1);
    if (!set.variants[set.variant_count++])
      give_up("no such variant");
  }
  return set;
}

void honesty_workload(xb_workload *w, const honesty_device *d, const honesty_set *set, uint64_t n, uint64_t seed)
{
  xb_error error;
  *w = (xb_workload){
      .device = d->device, .of = xb_benchmark_find("reduce"), .n = n, .seed = seed, .wait_limit_ns = patience_ns()};
  for (size_t i = 0; i < set->variant_count; i++) {
    xb_cell cell;
    honesty_cell(&cell, d, set->variants[i], w);
    if (xb_workload_need(w, &cell.c, &error))
      give_up(error.message);
  }
  if (xb_workload_create(w, &error))
    give_up(error.message);
  xb_workload_place_inputs(w, xb_placements_wanted(&d->info, 0));
}

void honesty_cell(xb_cell *cell, const honesty_device *d, const xb_variant *v, const xb_workload *w)
{
  *cell = (xb_cell){
      .c = {.variant = v,
            .dtype = w->dtype,
            .n = w->n,
            .rows = 1,
            .columns = w->n,
            .block = xb_default_block(v, &d->info, w->n),
            .seed = w->seed,
            .window_bytes = d->info.max_binding_bytes,
            .device = &d->info},
      .workload = w,
      .monitor = d->monitor,
  };
}

void honesty_measure(xb_cell *cells, size_t count, uint64_t seed)
{
  const xb_sampling sampling = {.sample_time_s = 0.002,
                                .min_time_s = 0.02,
                                .max_time_s = 0.3,
                                .together = true,
                                .width = 0.01,
                                .min_rounds = 20,
                                .seed = seed};
  xb_measure(cells, count, &sampling);
  for (size_t i = 0; i < count; i++)
    if (cells[i].verdict.outcome != XB_CELL_OK)
      fprintf(stderr, "honesty: %s/%u: %s\n", cells[i].c.variant->benchmark->name, cells[i].c.variant->number,
              cells[i].verdict.error.message);
}
