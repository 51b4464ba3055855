// Every operation of subgroups, by the lanes that take a branch.
#version 450
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_vote : require
#extension GL_KHR_shader_subgroup_arithmetic : require
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_KHR_shader_subgroup_shuffle : require
#extension GL_KHR_shader_subgroup_shuffle_relative : require
#extension GL_KHR_shader_subgroup_clustered : require
#extension GL_KHR_shader_subgroup_quad : require
layout(local_size_x = 192) in;
layout(binding = 0) readonly buffer In { uint values[]; };
layout(binding = 1) buffer Out { uint words[]; };
const uint RESULTS = 64;
uint at;
void put(uint w) { words[gl_LocalInvocationID.x * RESULTS + at++] = w; }
void put(uvec4 w) { put(w.x); put(w.y); put(w.z); put(w.w); }
void main()
{
  uint v = values[gl_LocalInvocationID.x], lane = gl_SubgroupInvocationID;
  float f = float(int(v % 64) - 32);
  at = 0;
  put(gl_SubgroupSize); put(lane); put(gl_SubgroupID); put(gl_NumSubgroups); // 0
  put(gl_SubgroupEqMask.x ^ gl_SubgroupLtMask.y); put(gl_SubgroupGeMask.x ^ gl_SubgroupGtMask.w); put(gl_SubgroupLeMask.z);
  if (v % 3 != 0) {
    put(uint(subgroupElect())); put(subgroupAdd(v)); put(subgroupMul(v | 1)); put(subgroupMin(v)); put(subgroupMax(v)); // 7
    put(subgroupAnd(v)); put(subgroupOr(v)); put(subgroupXor(v)); put(uint(subgroupMin(int(v)))); put(uint(subgroupMax(int(v)))); // 12
    put(subgroupInclusiveAdd(v)); put(subgroupExclusiveAdd(v)); put(subgroupExclusiveMax(v)); put(uint(int(subgroupAdd(f)))); // 17
    put(subgroupInclusiveXor(v)); put(uint(subgroupAll(v % 2 == 0)) | uint(subgroupAny(v % 7 == 0)) << 1 | uint(subgroupAllEqual(v % 3)) << 2); // 21
    put(subgroupBallot(v % 2 == 0)); // 23
    put(subgroupBallotBitCount(subgroupBallot(v % 5 < 3))); put(subgroupBallotExclusiveBitCount(subgroupBallot(true))); // 27
    put(subgroupBallotFindLSB(subgroupBallot(v % 2 == 1))); put(subgroupBallotFindMSB(subgroupBallot(true))); // 29
    put(uint(subgroupInverseBallot(subgroupBallot(v % 2 == 0))) | uint(subgroupBallotBitExtract(subgroupBallot(v % 2 == 0), 1)) << 1); // 31
    put(subgroupBroadcastFirst(v)); put(subgroupClusteredAdd(v, 4)); put(uint(int(subgroupClusteredMin(f, 4)))); // 32
    uvec2 pair = subgroupAdd(uvec2(v, 1)); put(pair.x ^ pair.y); // 35
  }
  at = 36;
  put(subgroupBroadcast(v, 2)); put(subgroupShuffle(v, lane ^ 3)); put(subgroupShuffleXor(v, 1)); // 36
  uint up = subgroupShuffleUp(v, 1), down = subgroupShuffleDown(v, 1);
  put(lane > 0 ? up : 0); put(lane + 1 < gl_SubgroupSize ? down : 0); // 39
  put(subgroupQuadBroadcast(v, 1)); put(subgroupQuadSwapHorizontal(v)); put(subgroupQuadSwapVertical(v)); put(subgroupQuadSwapDiagonal(v)); // 41
}
