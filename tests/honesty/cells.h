/* The cells that are measured for docs/internals/method.md. */
#ifndef HONESTY_CELLS_H
#define HONESTY_CELLS_H

#include "measure/cell_groups.h"
#include "measure/sampler.h"

typedef struct honesty_device {
  xb_device *device;
  xb_device_info info;
  xb_monitor *monitor;
} honesty_device;

enum { MAX_VARIANTS = 16 };
typedef struct honesty_set {
  const xb_variant *variants[MAX_VARIANTS];
  size_t variant_count;
} honesty_set;

/* Opens the device. On an error, prints the reason and ends the program. */
void honesty_open(honesty_device *d, const char *backend, const char *launch);
void honesty_close(honesty_device *d);
/* "reduce/9 copy/2 ..." */
honesty_set honesty_variants(const char *names);

/* The inputs of these variants. The seed determines the elements, and the places of input, scratch and output. */
void honesty_workload(xb_workload *w, const honesty_device *d, const honesty_set *set, uint64_t n, uint64_t seed);
void honesty_cell(xb_cell *cell, const honesty_device *d, const xb_variant *v, const xb_workload *w);
/* Samples as `xbench compare` does, and reports failures. */
void honesty_measure(xb_cell *cells, size_t count, uint64_t seed);

#endif
