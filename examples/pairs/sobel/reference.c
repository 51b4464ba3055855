#include "xbench_reference.h"

#include <math.h>

static float grey(const unsigned char *image, int64_t x, int64_t y, int64_t columns, int64_t rows)
{
  x = x < 0 ? 0 : x < columns ? x : columns - 1;
  y = y < 0 ? 0 : y < rows ? y : rows - 1;
  const unsigned char *c = image + 4 * (y * columns + x);
  return 0.299f * ((float)c[0] / 255) + 0.587f * ((float)c[1] / 255) + 0.114f * ((float)c[2] / 255);
}

int sobel(uint64_t n, uint64_t rows, uint64_t columns, const xb_reference_buffer *buffers, uint32_t buffer_count)
{
  const unsigned char *image = buffers[0].data;
  float *edges = buffers[1].data;
  const int64_t height = (int64_t)rows, width = (int64_t)columns;
  (void)n;
  for (int64_t y = 0; y < height; y++)
    for (int64_t x = 0; x < width; x++) {
      float g[3][3];
      for (int j = 0; j < 3; j++)
        for (int i = 0; i < 3; i++)
          g[j][i] = grey(image, x + i - 1, y + j - 1, width, height);
      const float h = (g[0][2] + 2 * g[1][2] + g[2][2]) - (g[0][0] + 2 * g[1][0] + g[2][0]);
      const float v = (g[2][0] + 2 * g[2][1] + g[2][2]) - (g[0][0] + 2 * g[0][1] + g[0][2]);
      edges[y * width + x] = sqrtf(h * h + v * v);
    }
  return buffer_count != 2;
}
