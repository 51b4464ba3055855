// Sums of products of 16-bit floats, one for each group of 256 threads. Two of them are a word: this HLSL has no type of
// 16 bits.
cbuffer Arguments : register(b0)
{
  uint pairs;
};
StructuredBuffer<uint> a : register(t0);
StructuredBuffer<uint> b : register(t1);
RWStructuredBuffer<float> sums : register(u0);

groupshared float sum[256];

[numthreads(256, 1, 1)]
void dot_partial(uint3 group : SV_GroupID, uint3 local : SV_GroupThreadID)
{
  const uint i = group.x * 256 + local.x;
  float own = 0;
  if (i < pairs)
    own = f16tof32(a[i] & 0xFFFF) * f16tof32(b[i] & 0xFFFF) + f16tof32(a[i] >> 16) * f16tof32(b[i] >> 16);
  sum[local.x] = own;
  for (uint half_ = 128; half_ > 0; half_ /= 2) {
    GroupMemoryBarrierWithGroupSync();
    if (local.x < half_)
      sum[local.x] += sum[local.x + half_];
  }
  if (local.x == 0)
    sums[group.x] = sum[0];
}
