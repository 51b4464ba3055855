// Lanes with equal values: partitions, and reductions and scans of each part.
#version 450
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_NV_shader_subgroup_partitioned : require
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer In { uint values[]; };
layout(binding = 1) buffer Out { uvec4 parts[64]; uint words[]; };
void main()
{
  uint i = gl_LocalInvocationID.x, v = values[i];
  uvec4 part = subgroupPartitionNV(v % 5);
  parts[i] = part;
  words[3 * i] = subgroupPartitionedAddNV(v, part);
  words[3 * i + 1] = subgroupPartitionedInclusiveMaxNV(v, part);
  words[3 * i + 2] = subgroupPartitionedExclusiveXorNV(v, part);
}
