/* One size of variants.c, and what its files share. */
#ifndef VARIANTS_SIZE_CASE_H
#define VARIANTS_SIZE_CASE_H

#include "benchmarks/registry.h"
#include "measure/cell.h"

enum { SEED = 7 };
static const uint64_t WAIT_LIMIT_NS = 120ull * 1000 * 1000 * 1000;

typedef struct size_case {
  uint64_t n;
  uint64_t rows, columns; /* of n elements: for the benchmarks that take a matrix; 0: for the others */
  uint32_t repeats;
  uint64_t window_bytes;    /* 0: the device's largest binding */
  uint32_t max_groups_x;    /* 0: the device's */
  uint32_t multiprocessors; /* 0: the device's */
  uint32_t block;           /* only groups of so many threads; 0: all */
  uint32_t at[XB_MAX_AXES]; /* set for each run */
  bool axes_only;           /* for benchmarks that have axes */
  bool queued;              /* rung 9 of the reduction takes its last tiles from queues */
  bool single_pass_only;
  bool default_block_only;
  bool large; /* takes seconds: float32 alone, and one run */
  xb_dtype dtype;
} size_case;

extern xb_device *device;

void set_cell(xb_cell *cell, const xb_variant *v, const xb_workload *w, const size_case *s, uint32_t block,
              const xb_device_info *info);

/* ---- Axes ------------------------------------------------------------------------------------------------------- */

/* The last number of the axis' own values, such as "0..32" or "1,2,4". */
uint32_t last_value(const xb_axis *axis);
bool is_past_the_last(const xb_benchmark *benchmark, const uint32_t at[XB_MAX_AXES]);
/* The case at the i-th of the values, of all axes at once; at large sizes, of two of them. False: there are no more. */
bool set_axes(const xb_benchmark *benchmark, size_t i, size_case *s);

/* ---- The checks can fail ---------------------------------------------------------------------------------------- */

/* cmocka's tests; their state is a size_case. */
void test_checks_fail(void **state);
void test_lost_element(void **state);

#endif
