#include "xbench_reference.h"

int square(uint64_t n, uint64_t rows, uint64_t columns, const xb_reference_buffer *buffers, uint32_t buffer_count)
{
  const float *x = buffers[0].data;
  float *y = buffers[1].data;
  (void)rows, (void)columns;
  for (uint64_t i = 0; i < n; i++)
    y[i] = x[i] * x[i];
  return buffer_count != 2;
}
