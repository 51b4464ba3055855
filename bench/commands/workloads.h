/* The cells of a group with what they share: on each target the inputs, in as many places as there is memory for. */
#ifndef XB_WORKLOADS_H
#define XB_WORKLOADS_H

#include "commands/cells.h"

/* Adds the cells of all targets to the group and makes their workloads, one a target, which the caller destroys. Where
 * one cannot be made, its cells fail. `flush_bytes`: written before each run where the cache is to be cold. */
void xb_create_workloads(const xb_options *options, const xb_target *targets, size_t target_count,
                         uint64_t window_bytes, uint64_t flush_bytes, xb_cell_group *group,
                         xb_workload workloads[XB_MAX_TARGETS]);

#endif
