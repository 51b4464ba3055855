#include "xbench_reference.h"

typedef struct particle {
  float position[3], mass, velocity[3];
  int32_t cell;
} particle;

int move(uint64_t n, uint64_t rows, uint64_t columns, const xb_reference_buffer *buffers, uint32_t buffer_count)
{
  particle *p = buffers[0].data;
  (void)rows, (void)columns;
  for (uint64_t i = 0; i < n; i++) {
    for (int k = 0; k < 3; k++)
      p[i].position[k] += 0.01f * p[i].velocity[k];
    p[i].cell ^= p[i].position[0] > 0 ? 1 : 2;
  }
  return buffer_count != 1;
}
