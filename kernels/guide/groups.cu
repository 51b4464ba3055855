// Indices of threads and groups, and more groups than every device allows in one dimension.
// Source: ours; none of the documents has it.
#include "guide.cuh"

// [ids] every id that a thread has, each in a word of its own
XB_GUIDE_ENTRY(24) ids(const uint *, uint *g_out, xb_guide_args args)
{
  const uint group = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
  const uint linear_id = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x; // HLSL: SV_GroupIndex
  const uint at = (group * 24 + linear_id) * 4;
  g_out[at] = linear_id;
  g_out[at + 1] = blockIdx.x * blockDim.x + threadIdx.x; // HLSL: SV_DispatchThreadID
  g_out[at + 2] = blockIdx.y * blockDim.y + threadIdx.y;
  g_out[at + 3] = blockIdx.z * blockDim.z + threadIdx.z;
}

// [fold] a row of args.n groups, folded into x and y; the last row has extra groups
XB_GUIDE_ENTRY(GUIDE_BLOCK) fold(const uint *, uint *g_out, xb_guide_args args)
{
  const uint group = XB_GROUP_INDEX(blockIdx, args.grid_x);
  if (threadIdx.x == 0 && group < args.n)
    atomicAdd(&g_out[group], 1u);
}
