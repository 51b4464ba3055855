// One step of a five-point stencil. Each block also writes the largest change of its cells.
#define COLUMNS 32
#define ROWS 8

__global__ void stencil(int rows, int columns, float weight, const float *in, float *out, float *maxima)
{
  __shared__ float tile[ROWS + 2][COLUMNS + 2];
  __shared__ float change[ROWS * COLUMNS];
  const int x = blockIdx.x * COLUMNS + threadIdx.x, y = blockIdx.y * ROWS + threadIdx.y;
  const int tx = threadIdx.x + 1, ty = threadIdx.y + 1, thread = threadIdx.y * COLUMNS + threadIdx.x;
  const bool inside = x < columns && y < rows;

  tile[ty][tx] = inside ? in[y * columns + x] : 0;
  if (threadIdx.x == 0)
    tile[ty][0] = x > 0 && y < rows ? in[y * columns + x - 1] : 0;
  if (threadIdx.x == COLUMNS - 1)
    tile[ty][COLUMNS + 1] = x + 1 < columns && y < rows ? in[y * columns + x + 1] : 0;
  if (threadIdx.y == 0)
    tile[0][tx] = y > 0 && x < columns ? in[(y - 1) * columns + x] : 0;
  if (threadIdx.y == ROWS - 1)
    tile[ROWS + 1][tx] = y + 1 < rows && x < columns ? in[(y + 1) * columns + x] : 0;
  __syncthreads();

  const float around = tile[ty - 1][tx] + tile[ty + 1][tx] + tile[ty][tx - 1] + tile[ty][tx + 1];
  const float difference = weight * (around - 4.0f * tile[ty][tx]);
  if (inside)
    out[y * columns + x] = tile[ty][tx] + difference;
  change[thread] = inside ? fabsf(difference) : 0;
  for (int half = ROWS * COLUMNS / 2; half > 0; half /= 2) {
    __syncthreads();
    if (thread < half)
      change[thread] = fmaxf(change[thread], change[thread + half]);
  }
  if (thread == 0)
    maxima[blockIdx.y * gridDim.x + blockIdx.x] = change[0];
}
