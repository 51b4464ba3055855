#include "report/results.h"

size_t xb_group_targets(const xb_group *group, const xb_result_device *targets[XB_MOST_COLUMNS])
{
  size_t count = 0;
  for (size_t i = 0; i < group->count; i++) {
    const xb_result_device *on = group->results[i].on;
    if ((!count || targets[count - 1] != on) && count < XB_MOST_COLUMNS)
      targets[count++] = on;
  }
  return count;
}
