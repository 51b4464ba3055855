/* One size of variants.c. Shared by the files of this test. */
#ifndef VARIANTS_SIZE_CASE_H
#define VARIANTS_SIZE_CASE_H

#include "benchmarks/registry.h"
#include "measure/cell.h"

enum { SEED = 7 };

typedef struct size_case {
  uint64_t n;
  uint64_t rows, columns; /* for benchmarks with a matrix, n elements; 0 for the others */
  uint64_t inner;         /* for products of matrices; 0 for the others */
  uint32_t repeats;
  uint64_t window_bytes;    /* 0: the device's largest binding */
  uint32_t max_groups_x;    /* 0: the device's */
  uint32_t multiprocessors; /* 0: the device's */
  uint32_t block;           /* only this group size; 0: all */
  uint32_t at[XB_MAX_AXES]; /* set for each run */
  bool axes_only;           /* for benchmarks that have axes */
  bool queued;              /* rung 9 of the reduction uses its queues */
  bool single_pass_only;
  bool default_block_only;
  bool large;      /* takes seconds: float32 only, and one run */
  uint32_t number; /* its place in the list of sizes */
  xb_dtype dtype;
} size_case;

extern xb_device *device;

void set_cell(xb_cell *cell, const xb_variant *v, const xb_workload *w, const size_case *s, uint32_t block,
              const xb_device_info *info);

/* True if the size is one of this benchmark's kind: a number of elements, a matrix, or a product. */
bool fits(const size_case *s, const xb_benchmark *benchmark);

/* ---- Axes ------------------------------------------------------------------------------------------------------- */

/* The last number of the axis's values, such as "0..32" or "1,2,4". */
uint32_t last_value(const xb_axis *axis);
bool is_past_the_last(const xb_benchmark *benchmark, const uint32_t at[XB_MAX_AXES]);
/* Sets all axes of the case to their i-th tested values; large sizes have two of them. Returns false if there are no
 * more. */
bool set_axes(const xb_benchmark *benchmark, size_t i, size_case *s);

/* ---- The checks can fail ---------------------------------------------------------------------------------------- */

/* cmocka's tests; their state is a size_case. */
void test_checks_fail(void **state);
void test_lost_element(void **state);

#endif
