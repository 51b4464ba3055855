#include "xbench_reference.h"

int reduction(uint64_t n, uint64_t rows, uint64_t columns, const xb_reference_buffer *buffers, uint32_t buffer_count)
{
  const uint32_t *values = buffers[0].data;
  uint32_t sum = 0; /* it wraps, as the kernels' int does on a GPU */
  (void)rows, (void)columns;
  for (uint64_t i = 0; i < n; i++)
    sum += values[i];
  *(uint32_t *)buffers[2].data = sum;
  return buffer_count != 3;
}
