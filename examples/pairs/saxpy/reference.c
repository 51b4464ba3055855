#include "xbench_reference.h"

#include <math.h>

int saxpy(uint64_t n, uint64_t rows, uint64_t columns, const xb_reference_buffer *buffers, uint32_t buffer_count)
{
  const float *x = buffers[0].data;
  float *y = buffers[1].data;
  (void)rows, (void)columns;
  for (uint64_t i = 0; i < n; i++)
    y[i] = fmaf(0.5f, x[i], y[i]);
  return buffer_count != 2;
}
