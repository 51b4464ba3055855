#include "commands/workloads.h"

#include "measure/room.h"
#include "report/format.h"

static void fail_cells(xb_cell_group *group, size_t first, size_t count, const xb_error *error)
{
  for (size_t i = first; i < first + count; i++) {
    group->cells[i].error = *error;
    xb_cell_fail(&group->cells[i]);
  }
}

static xb_code check_memory(const xb_target *target, xb_dtype dtype, uint64_t n, xb_error *err)
{
  const uint64_t memory = target->info.memory_bytes;
  char asked[32], there[32];
  if (!memory || n <= memory / xb_dtype_bytes(dtype))
    return XB_OK;
  xb_format_bytes(n * xb_dtype_bytes(dtype), asked, sizeof asked);
  xb_format_bytes(memory, there, sizeof there);
  return xb_fail(err, XB_NOMEM, "--size", "%llu elements take %s, the device has %s in all", (unsigned long long)n,
                 asked, there);
}

/* On the target that has least. Where the driver does not tell, half of all. */
static uint64_t free_memory(const xb_target *targets, size_t count)
{
  uint64_t least = UINT64_MAX;
  for (size_t t = 0; t < count; t++) {
    const uint64_t all = targets[t].info.memory_bytes, told = xb_device_free_bytes(targets[t].device);
    const uint64_t unused = !told ? all / 2 : all && told > all ? all : told;
    least = unused < least ? unused : least;
  }
  return least;
}

/* The inputs of one target, and what else its cells [first, end) need; they fail where that is not to be had. */
static void create_workload(const xb_options *o, const xb_target *target, uint64_t flush_bytes, uint32_t most,
                            xb_cell_group *group, size_t first, size_t end, xb_workload *workload)
{
  const uint32_t placements = xb_input_placements(group->cells, group->count, workload, most);
  xb_error error;
  xb_code code = check_memory(target, group->dtype, group->n, &error);
  if (!code)
    code = xb_workload_create(workload, &error);
  if (!code)
    xb_workload_place_inputs(workload, placements);
  for (size_t i = first; i < end && !code && workload->input_count < placements; i++)
    group->cells[i].most_placements = 1; /* somebody else has what was free */
  if (!code && o->cache == XB_CACHE_COLD)
    code = xb_workload_create_flush(workload, flush_bytes, &error);
  if (code)
    fail_cells(group, first, end - first, &error);
}

static void note_inputs(xb_cell_group *group, size_t first, size_t end, xb_workload *workload)
{
  xb_error error;
  for (size_t i = first; i < end; i++)
    if (group->cells[i].outcome == XB_CELL_PENDING && xb_workload_need(workload, &group->cells[i].c, &error))
      fail_cells(group, i, 1, &error);
}

void xb_create_workloads(const xb_options *o, const xb_target *targets, size_t target_count, uint64_t window_bytes,
                         uint64_t flush_bytes, xb_cell_group *group, xb_workload workloads[XB_MAX_TARGETS])
{
  uint32_t most_wanted = 1;
  size_t ends[XB_MAX_TARGETS];
  for (size_t t = 0; t < target_count; t++) {
    const xb_target *target = &targets[t];
    workloads[t] = (xb_workload){.device = target->device,
                                 .of = group->benchmark,
                                 .dtype = group->dtype,
                                 .n = group->n,
                                 .seed = o->seed,
                                 .wait_limit_ns = (uint64_t)(o->wait_limit_s * 1e9)};
    xb_add_cells(o, window_bytes, group, target, &workloads[t]);
    ends[t] = group->count;
    note_inputs(group, t ? ends[t - 1] : 0, ends[t], &workloads[t]);
    const uint32_t wanted = xb_placements_wanted(&target->info, o->placements);
    most_wanted = wanted > most_wanted ? wanted : most_wanted;
  }
  const uint64_t unused = free_memory(targets, target_count); /* all of them may be on one GPU */
  const uint64_t flushed = o->cache == XB_CACHE_COLD ? target_count * flush_bytes : 0;
  const uint32_t most =
      xb_placements_with_room(group->cells, group->count, most_wanted, unused > flushed ? unused - flushed : 0);
  for (size_t i = 0; i < group->count; i++)
    group->cells[i].most_placements = most;
  for (size_t t = 0; t < target_count; t++)
    create_workload(o, &targets[t], flush_bytes, most, group, t ? ends[t - 1] : 0, ends[t], &workloads[t]);
}
