/* Groups of cells that are measured together, and the resources that they share. */
#ifndef XB_CELL_GROUPS_H
#define XB_CELL_GROUPS_H

#include "benchmarks/choice.h"
#include "machine/target.h"
#include "measure/cell.h"

/* How cells are measured. */
typedef struct xb_conditions {
  bool compares;       /* a comparison: no copies beside the cells, and those of a base target are baselines */
  uint32_t block;      /* 0: the benchmark's default */
  uint32_t placements; /* 0: depends on the device type */
  xb_cache cache;
  xb_loop loop;
  uint64_t flush_bytes;       /* 0: twice the last-level cache */
  uint64_t idle_shared_bytes; /* xb_case.idle_shared */
  uint64_t window_bytes;      /* of a dispatch, at most; 0: as the devices allow */
  uint64_t seed;
  double wait_limit_s;
  bool no_yardsticks;
  const xb_configuration *configurations; /* variants that are in the list have a cell for each of their entries */
  size_t configuration_count;
} xb_conditions;

/* Cells of one benchmark, element type and size. */
typedef struct xb_cell_group {
  const xb_benchmark *benchmark;
  xb_dtype dtype;
  uint64_t n, rows, columns, inner;
  xb_cell *cells;
  size_t count;
  const volatile sig_atomic_t *stop; /* set by Ctrl-C */
} xb_cell_group;

/* An upper bound for the number of cells of all targets. */
size_t xb_cells_capacity(const xb_choice *what, const xb_conditions *how, const xb_benchmark *benchmark,
                         size_t target_count);

/* Adds the cells of all targets to the group. Creates one workload per target, with its inputs in as many places as
 * memory allows; the caller destroys it. If a workload cannot be created, its cells fail. With --cache cold,
 * `flush_bytes` are written before each run. */
void xb_create_workloads(const xb_choice *what, const xb_conditions *how, const xb_target *targets, size_t target_count,
                         uint64_t window_bytes, uint64_t flush_bytes, xb_cell_group *group,
                         xb_workload workloads[XB_MAX_TARGETS]);

#endif
