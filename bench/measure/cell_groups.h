/* From what is asked for to cells: the requests of a command line, and for each one the cells that are measured
 * together, with the resources that they share. */
#ifndef XB_CELL_GROUPS_H
#define XB_CELL_GROUPS_H

#include "base/arena.h"
#include "benchmarks/choice.h"
#include "machine/target.h"
#include "measure/cell.h"
#include "result/result.h"

/* How cells are measured. */
typedef struct xb_conditions {
  bool compares;       /* a comparison: no copies beside the cells, and those of a base target are baselines */
  uint32_t block;      /* 0: the benchmark's default */
  uint32_t placements; /* 0: depends on the device type */
  xb_cache cache;
  xb_loop loop;
  uint64_t flush_bytes;       /* with a cold cache: read before each run */
  uint64_t idle_shared_bytes; /* xb_case.idle_shared */
  uint64_t window_bytes;      /* of a dispatch, at most; 0: as the devices allow */
  uint64_t seed;
  double wait_limit_s;
  bool no_controls;
  const xb_configuration *configurations; /* variants that are in the list have a cell for each of their entries */
  size_t configuration_count;
} xb_conditions;

/* What all requests of a run have in common. */
typedef struct xb_setup {
  const xb_choice *selection;
  xb_conditions conditions;
  const xb_target *targets;
  size_t target_count;
  const volatile sig_atomic_t *stop; /* set by Ctrl-C */
  /* Set by xb_setup_targets. */
  uint64_t window_bytes; /* the smallest of the targets' largest bindings: all targets use the same windows */
  uint64_t cache_bytes;  /* the largest last-level cache of the targets */
} xb_setup;
void xb_setup_targets(xb_setup *setup);

/* One benchmark, element type and size. Its cells are those of the chosen variants and axis points, on each target.
 */
typedef struct xb_request {
  const xb_benchmark *benchmark;
  xb_dtype dtype;
  uint64_t n;
  xb_size size; /* all of it */
  bool begins;  /* the first of its benchmark */
  bool sweep;   /* the benchmark has several */
} xb_request;
/* All requests, in the order in which they are measured. The caller frees them; NULL: out of host memory. */
xb_request *xb_requests_of(const xb_setup *setup, size_t *count);

/* The cells of a request. */
typedef struct xb_cell_group {
  const xb_setup *setup;
  xb_request request;
  xb_cell *cells;
  size_t count;
  xb_workload workloads[XB_MAX_TARGETS];
} xb_cell_group;

/* Adds the cells of all targets, plans each of them, and creates one workload per target, with its inputs in as many
 * places as memory allows. If a workload cannot be created, its cells fail. False: out of host memory. */
bool xb_cell_group_create(xb_cell_group *group, const xb_setup *setup, const xb_request *request);
void xb_cell_group_destroy(xb_cell_group *group);

/* ---- Results (cell_results.c) ------------------------------------------------------------------------------------ */

/* The devices of a run, and the same devices in the form of results. Entries at the same index belong together. */
typedef struct xb_measured_on {
  const xb_device_info *const *infos;
  const xb_result_device *devices;
  size_t count;
} xb_measured_on;

/* These functions return false or NULL if out of host memory. Texts live in the arena. */
bool xb_result_device_of(const xb_device_info *info, xb_arena *arena, xb_result_device *device);
bool xb_result_benchmark_of(const xb_benchmark *benchmark, xb_arena *arena, xb_result_benchmark *out);
/* Returns one result for each cell of a group, in their order. Samples are not copied: they stay in the cells. */
xb_result *xb_results_of_cells(const xb_cell *cells, size_t count, const xb_measured_on *on, xb_arena *arena);

/* The metrics of a cell with lists; returns their number. (lists.c) */
size_t xb_span_metrics(const xb_cell *cell, xb_metric metrics[XB_MAX_METRICS]);
/* Sets the timeline of a cell that was sampled; nothing for a cell without lists. (lists.c) */
bool xb_span_timeline(const xb_cell *cell, xb_arena *arena, xb_result *r);

#endif
