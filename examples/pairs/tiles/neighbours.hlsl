#ifndef BLOCK
#define BLOCK 256
#endif
#ifndef ELEMENTS
#define ELEMENTS 1
#endif
cbuffer Arguments : register(b0)
{
  int n;
};
StructuredBuffer<float> x : register(t0);
RWStructuredBuffer<float> y : register(u0);

// As tiles.hlsl, but the elements of a thread are neighbours.
[numthreads(BLOCK, 1, 1)]
void square(uint3 thread : SV_GroupThreadID, uint3 group : SV_GroupID)
{
  for (int e = 0; e < ELEMENTS; e++) {
    const int i = int((group.x * BLOCK + thread.x) * ELEMENTS) + e;
    if (i < n)
      y[i] = x[i] * x[i];
  }
}
