// Reduction 9: one dispatch. Vector loads, several in flight; few groups, each with much work; the last group to finish
// adds up the sums of all groups. Source of the idea: threadFenceReduction in the CUDA samples.
// Source: ours; none of the documents has it.
#include "reduce_args.h"

[[vk::binding(0, 0)]] StructuredBuffer<T4> g_idata4 : register(t0);
[[vk::binding(1, 0)]] StructuredBuffer<T> g_idata : register(t1);
// Data that groups exchange inside a dispatch must be globallycoherent. Word 0 counts the groups that are done, words 1
// to 63 count the tiles taken from a window each, then follows one sum per group. glslang makes every buffer of an
// element type coherent, so this is the only raw buffer.
[[vk::binding(2, 0)]] globallycoherent RWByteAddressBuffer g_partial : register(u0);
[[vk::binding(3, 0)]] RWStructuredBuffer<T> g_odata : register(u1);
XB_ARGS(xb_reduce_args);

groupshared T sdata[BLOCK];
groupshared T4 columns[8];
groupshared uint next[2];
groupshared bool last; // this group counted last

// Returns the group's sum to thread 0: 32 threads add a column each, and thread 0 adds their sums, 4 side by side. That
// takes fewer dependent steps than two rounds of wave intrinsics, and works for any wave size.
T group_sum(T sum, uint tid)
{
  sdata[tid] = sum;
  GroupMemoryBarrierWithGroupSync();
  if (tid < 32) {
    T column = 0;
    [unroll] for (uint row = 0; row < BLOCK / 32; row += 2)
      column += sdata[row * 32 + tid] + sdata[(row + 1) * 32 + tid];
    columns[tid / 4][tid % 4] = column;
  }
  GroupMemoryBarrierWithGroupSync();
  T4 total = 0;
  if (tid == 0)
    [unroll] for (uint c = 0; c < 8; c++)
      total += columns[c];
  return (total.x + total.y) + (total.z + total.w);
}

T partial(uint p)
{
  return XB_FROM_BITS(g_partial.Load(PARTIALS_OFFSET + 4 * p));
}

[numthreads(BLOCK, 1, 1)]
void reduce(uint3 threadIdx : SV_GroupThreadID, uint3 groupIdx : SV_GroupID)
{
  const uint tid = threadIdx.x;
  const uint group = XB_GROUP_INDEX(groupIdx, args.grid_x);

  // [load] 4 vectors per thread in flight. Tiles are dealt to the groups in turn; where there is less than a tile per
  // group, the stride is the whole dispatch, so that all threads have equal work. Up to 3 vectors per thread remain.
  const uint n4 = args.n / 4;
  const uint dealt4 = BLOCK >= QUEUED_BLOCK ? args.dealt4 : n4;
  const uint threads = args.groups * BLOCK;
  const bool few = dealt4 <= threads * 4;
  const uint stride = few ? threads : BLOCK;
  T4 sum4 = 0;
  uint i = group * (few ? BLOCK : BLOCK * 4) + tid;
  for (; i + 3 * stride < dealt4; i += threads * 4) {
    const T4 a = g_idata4[i];
    const T4 b = g_idata4[i + stride];
    const T4 c = g_idata4[i + 2 * stride];
    const T4 d = g_idata4[i + 3 * stride];
    sum4 += (a + b) + (c + d);
  }
  T4 a = 0, b = 0, c = 0;
  if (i < dealt4)
    a = g_idata4[i];
  if (i + stride < dealt4)
    b = g_idata4[i + stride];
  if (i + 2 * stride < dealt4)
    c = g_idata4[i + 2 * stride];
  sum4 += (a + b) + c;

  // [take] the last eighth of a long sum, from a queue: faster groups take more tiles, so that no group waits for a
  // slower one. The number of the next tile is fetched while this tile is added. Then follow the last n % 4 elements.
  if (BLOCK >= QUEUED_BLOCK && dealt4 < n4 && group < args.groups) {
    if (tid == 0)
      g_partial.InterlockedAdd(4 * args.queue, 1u, next[0]);
    GroupMemoryBarrierWithGroupSync();
    for (uint turn = 0;; turn++) {
      const uint first = dealt4 + next[turn % 2] * BLOCK * 4;
      if (first >= n4)
        break;
      if (tid == 0)
        g_partial.InterlockedAdd(4 * args.queue, 1u, next[(turn + 1) % 2]);
      const uint j = first + tid;
      T4 e = 0, f = 0, g = 0, h = 0;
      if (j < n4)
        e = g_idata4[j];
      if (j + BLOCK < n4)
        f = g_idata4[j + BLOCK];
      if (j + 2 * BLOCK < n4)
        g = g_idata4[j + 2 * BLOCK];
      if (j + 3 * BLOCK < n4)
        h = g_idata4[j + 3 * BLOCK];
      sum4 += (e + f) + (g + h);
      GroupMemoryBarrierWithGroupSync();
    }
  }
  T sum = (sum4.x + sum4.y) + (sum4.z + sum4.w);
  const uint k = n4 * 4 + tid;
  if (group == 0 && k < args.n)
    sum += g_idata[k];

  // [reduce] the sum of the group, for thread 0
  const T total = group_sum(sum, tid);

  // [exchange] store this group's sum, then count this group as done: a thread that sees the count also sees the sum
  if (tid == 0) {
    uint done = 0;
    if (group < args.groups) {
      g_partial.Store(PARTIALS_OFFSET + 4 * (args.first_group + group), XB_BITS(total));
      DeviceMemoryBarrier();
      g_partial.InterlockedAdd(0, 1u, done);
      done++;
    }
    last = done == args.all_groups;
  }
  // CUDA goes on with one warp, whose barrier hands on what thread 0 has seen. HLSL has no barrier of a wave, and a wave
  // intrinsic orders no memory: the whole group stays.
  AllMemoryBarrierWithGroupSync();

  // [finish] the group that counted last sees the sums of all groups
  if (!last)
    return;
  T rest = 0;
  for (uint p = tid; p < args.all_groups; p += 4 * BLOCK) {
    T e = partial(p), f = 0, g = 0, h = 0;
    if (p + BLOCK < args.all_groups)
      f = partial(p + BLOCK);
    if (p + 2 * BLOCK < args.all_groups)
      g = partial(p + 2 * BLOCK);
    if (p + 3 * BLOCK < args.all_groups)
      h = partial(p + 3 * BLOCK);
    rest += (e + f) + (g + h);
  }
  rest = group_sum(rest, tid);

  // [write] the result, and reset the counters
  if (tid == 0) {
    g_odata[0] = rest;
    g_partial.Store(0, 0u);
  }
  if (BLOCK >= QUEUED_BLOCK && tid < QUEUES)
    g_partial.Store(4 * (tid + 1), 0u);
}
