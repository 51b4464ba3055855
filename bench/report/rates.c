#include "report/results.h"

double xb_cell_gbps(const xb_cell *cell)
{
  const bool timed = cell->outcome == XB_CELL_OK && cell->device.median > 0;
  return timed ? (double)cell->plan.bytes / cell->device.median : 0; /* bytes per ns are 10^9 bytes per s */
}

double xb_peak_gbps(const xb_device_info *info)
{
  return 2e3 * info->memory_clock_khz * info->memory_bus_bits / 8 / 1e9;
}

double xb_copy_gbps(const xb_group *group, const xb_device *device)
{
  double best = 0;
  if (group->cells[0].loop == XB_LOOP_KERNEL)
    return 0; /* copies are repeated by launches */
  for (size_t i = 0; i < group->count; i++) {
    const xb_cell *cell = &group->cells[i];
    if (!cell->c.variant->ceiling || cell->workload->device != device)
      continue;
    const double gbps = xb_cell_gbps(cell);
    if (gbps <= 0)
      return 0; /* the better of two is not known where one is missing */
    best = gbps > best ? gbps : best;
  }
  return best;
}
