#ifndef BLOCK
#define BLOCK 256
#endif
#ifndef ELEMENTS
#define ELEMENTS 1
#endif

// As tiles.cu, but the elements of a thread are neighbours.
__global__ void square(int n, const float *x, float *y)
{
  for (int e = 0; e < ELEMENTS; e++) {
    const int i = int((blockIdx.x * BLOCK + threadIdx.x) * ELEMENTS) + e;
    if (i < n)
      y[i] = x[i] * x[i];
  }
}
