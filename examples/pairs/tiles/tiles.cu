#ifndef BLOCK
#define BLOCK 256
#endif
#ifndef ELEMENTS
#define ELEMENTS 1
#endif

// Each thread moves ELEMENTS elements, BLOCK apart.
__global__ void square(int n, const float *x, float *y)
{
  for (int e = 0; e < ELEMENTS; e++) {
    const int i = int(blockIdx.x * BLOCK * ELEMENTS + e * BLOCK + threadIdx.x);
    if (i < n)
      y[i] = x[i] * x[i];
  }
}
