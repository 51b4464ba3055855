// Which lanes are together: in loops of different lengths, behind them, in branches, in functions, after a return.
#version 450
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_arithmetic : require
layout(local_size_x = 128) in;
layout(binding = 0) readonly buffer In { uint trips[]; };
layout(binding = 1) buffer Out { uint words[]; };
shared uint met[128];
uint count(uint lanes)
{
  uint n = 0;
  for (uint i = 0; i < lanes; i++)
    n = n * 3 + subgroupAdd(1u);
  return n;
}
void main()
{
  uint i = gl_LocalInvocationID.x, trip = trips[i], sum = 0, inner = 0;
  for (uint k = 0; k < trip; k++) {
    if (k == 5) break;
    if ((i + k) % 2 == 0) { sum += subgroupAdd(1u); continue; }
    for (uint j = 0; j < i % 3; j++) inner += subgroupAdd(1u);
    sum += 100 * subgroupAdd(1u);
  }
  words[4 * i] = sum;
  words[4 * i + 1] = inner + 1000 * subgroupAdd(1u);
  switch (i % 4) {
  case 0: words[4 * i + 2] = subgroupAdd(1u); break;
  case 1: words[4 * i + 2] = count(2);
  case 2: words[4 * i + 2] += 10 * subgroupAdd(1u); break;
  default: words[4 * i + 2] = count(1);
  }
  met[i] = trip;
  barrier();
  if (trip > 6) { words[4 * i + 3] = met[127 - i]; return; }
  words[4 * i + 3] = subgroupAdd(1u) + met[i ^ 1] * 1000;
}
