#include "xbench_reference.h"

#include <math.h>

static double half_value(uint16_t bits)
{
  const int exponent = bits >> 10 & 31, fraction = bits & 1023;
  const double value = exponent ? ldexp(1024 + fraction, exponent - 25) : ldexp(fraction, -24);
  return bits >> 15 ? -value : value;
}

int dot_partial(uint64_t n, uint64_t rows, uint64_t columns, const xb_reference_buffer *buffers, uint32_t buffer_count)
{
  const uint16_t *a = buffers[0].data, *b = buffers[1].data;
  float *sums = buffers[2].data;
  (void)rows, (void)columns;
  for (uint64_t group = 0; group * 512 < n; group++) {
    double sum = 0;
    for (uint64_t i = group * 512; i < n && i < (group + 1) * 512; i++)
      sum += half_value(a[i]) * half_value(b[i]);
    sums[group] = (float)sum;
  }
  return buffer_count != 3;
}
