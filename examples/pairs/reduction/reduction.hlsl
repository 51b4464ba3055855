// A sum by two kernels: each group adds its part, then one group adds the sums of the groups.
#define THREADS 256

struct Partial
{
  int n;
  int groups; // HLSL has no gridDim
};
struct Total
{
  int count;
};

groupshared int sum[THREADS];

void add_up(uint thread, int own)
{
  sum[thread] = own;
  for (uint half_ = THREADS / 2; half_ > 0; half_ /= 2) {
    GroupMemoryBarrierWithGroupSync();
    if (thread < half_)
      sum[thread] += sum[thread + half_];
  }
}

StructuredBuffer<int> values : register(t0);
RWStructuredBuffer<int> sums : register(u0);
RWStructuredBuffer<int> result : register(u1);
ConstantBuffer<Partial> arguments : register(b0);
ConstantBuffer<Total> last : register(b1);

[numthreads(THREADS, 1, 1)]
void partial(uint3 group : SV_GroupID, uint3 local : SV_GroupThreadID)
{
  int own = 0;
  for (int i = int(group.x * THREADS + local.x); i < arguments.n; i += arguments.groups * THREADS)
    own += values[i];
  add_up(local.x, own);
  if (local.x == 0)
    sums[group.x] = sum[0];
}

[numthreads(THREADS, 1, 1)]
void total(uint3 local : SV_GroupThreadID)
{
  int own = 0;
  if (int(local.x) < last.count)
    own = sums[local.x];
  add_up(local.x, own);
  if (local.x == 0)
    result[0] = sum[0];
}
