cbuffer Arguments : register(b0) { int n; };
StructuredBuffer<float> x : register(t0);
RWStructuredBuffer<float> y : register(u0);
groupshared float part[8];

[numthreads(256, 1, 1)]
void softmax(uint3 thread : SV_GroupThreadID, uint3 group : SV_GroupID)
{
  float sum = 0;
  for (int i = int(thread.x); i < n; i += 256)
    sum += exp(x[group.x * n + i]);
  sum = WaveActiveSum(sum);
  if (thread.x % 32 == 0) // right on NVIDIA only
    part[thread.x / 32] = sum;
  GroupMemoryBarrierWithGroupSync();
  float total = 0;
  for (int w = 0; w < 8; w++)
    total += part[w];
  for (int j = int(thread.x); j < n; j += 256)
    y[group.x * n + j] = exp(x[group.x * n + j]) / total;
}
