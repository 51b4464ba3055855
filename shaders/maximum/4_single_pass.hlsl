// Maximum 4: one dispatch. Vector loads, several in flight; few groups, each with much work, an atomic a group; the
// last group to finish writes the result. As the reduction's rung 9, but an atomic replaces the partial results.
// Source: ours; none of the documents has it.
#include "maximum_args.h"

[[vk::binding(0, 0)]] StructuredBuffer<T4> g_idata4 : register(t0);
[[vk::binding(1, 0)]] StructuredBuffer<T> g_idata : register(t1);
// Data that groups exchange inside a dispatch must be globallycoherent. glslang makes every buffer of an element type
// coherent, so this is the only raw buffer.
[[vk::binding(2, 0)]] globallycoherent RWByteAddressBuffer g_state : register(u0);
[[vk::binding(3, 0)]] RWStructuredBuffer<T> g_odata : register(u1);
XB_ARGS(xb_maximum_args);

groupshared uint next[2];
groupshared uint of_group;
groupshared bool last; // this group counted last

// The largest key of a vector.
uint largest(T4 v)
{
  return max(max(KEY_OF(v.x), KEY_OF(v.y)), max(KEY_OF(v.z), KEY_OF(v.w)));
}

[numthreads(BLOCK, 1, 1)]
void maximum(uint3 threadIdx : SV_GroupThreadID, uint3 groupIdx : SV_GroupID)
{
  const uint tid = threadIdx.x;
  const uint group = XB_GROUP_INDEX(groupIdx, args.grid_x);
  if (group >= args.groups) // a folded grid has groups too many at its end
    return;
  if (tid == 0)
    of_group = 0;

  // [load] 4 vectors per thread in flight. Tiles are dealt to the groups in turn; where there is less than a tile per
  // group, the stride is the whole dispatch, so that all threads have equal work. Up to 3 vectors per thread remain.
  const uint n4 = args.n / 4;
  const uint dealt4 = BLOCK >= QUEUED_BLOCK ? args.dealt4 : n4;
  const uint threads = args.groups * BLOCK;
  const bool few = dealt4 <= threads * 4;
  const uint stride = few ? threads : BLOCK;
  uint key = 0;
  uint i = group * (few ? BLOCK : BLOCK * 4) + tid;
  for (; i + 3 * stride < dealt4; i += threads * 4) {
    const T4 a = g_idata4[i];
    const T4 b = g_idata4[i + stride];
    const T4 c = g_idata4[i + 2 * stride];
    const T4 d = g_idata4[i + 3 * stride];
    key = max(key, max(max(largest(a), largest(b)), max(largest(c), largest(d))));
  }
  [unroll] for (uint r = 0; r < 3; r++, i += stride)
    if (i < dealt4)
      key = max(key, largest(g_idata4[i]));
  GroupMemoryBarrierWithGroupSync();

  // [take] the last eighth of a long input, from a queue: faster groups take more tiles, so that no group waits for a
  // slower one. The number of the next tile is fetched while this tile is read. Then follow the last n % 4 elements.
  if (BLOCK >= QUEUED_BLOCK && dealt4 < n4) {
    if (tid == 0)
      g_state.InterlockedAdd(4 * args.queue, 1u, next[0]);
    GroupMemoryBarrierWithGroupSync();
    for (uint turn = 0;; turn++) {
      const uint first = dealt4 + next[turn % 2] * BLOCK * 4;
      if (first >= n4)
        break;
      if (tid == 0)
        g_state.InterlockedAdd(4 * args.queue, 1u, next[(turn + 1) % 2]);
      const uint j = first + tid;
      if (j + 3 * BLOCK < n4) {
        const T4 a = g_idata4[j];
        const T4 b = g_idata4[j + BLOCK];
        const T4 c = g_idata4[j + 2 * BLOCK];
        const T4 d = g_idata4[j + 3 * BLOCK];
        key = max(key, max(max(largest(a), largest(b)), max(largest(c), largest(d))));
      } else {
        for (uint e = j; e < n4; e += BLOCK)
          key = max(key, largest(g_idata4[e]));
      }
      GroupMemoryBarrierWithGroupSync();
    }
  }
  const uint k = n4 * 4 + tid;
  if (group == 0 && k < args.n)
    key = max(key, KEY_OF(g_idata[k]));

  // [group] the largest key of the wave, then of the group
  key = WaveActiveMax(key);
  if (WaveIsFirstLane())
    InterlockedMax(of_group, key);
  GroupMemoryBarrierWithGroupSync();

  // [exchange] hand on this group's key, then count this group as done: a thread that sees the count also sees the key
  if (tid == 0) {
    uint done;
    g_state.InterlockedMax(4 * STATE_KEY, of_group);
    DeviceMemoryBarrier();
    g_state.InterlockedAdd(0, 1u, done);
    last = done + 1 == args.all_groups;

    // [write] the group that counted last: the result, and the state is reset
    if (last) {
      DeviceMemoryBarrier();
      g_odata[0] = ELEMENT_OF(g_state.Load(4 * STATE_KEY));
      g_state.Store(0, 0u);
      g_state.Store(4 * STATE_KEY, 0u);
    }
  }
  if (BLOCK < QUEUED_BLOCK)
    return;
  AllMemoryBarrierWithGroupSync();
  if (last && tid >= STATE_QUEUES && tid < STATE_KEY)
    g_state.Store(4 * tid, 0u);
}
