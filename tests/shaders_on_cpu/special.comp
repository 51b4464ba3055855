// Specialization constants: of the group's size, of an array, in an expression.
#version 450
layout(local_size_x_id = 0) in;
layout(constant_id = 1) const uint length = 4;
layout(constant_id = 2) const bool twice = false;
layout(constant_id = 3) const float factor = 1.5;
layout(binding = 0) buffer Out { float words[]; };
shared float list[length * 2 + 1];
void main()
{
  if (gl_LocalInvocationID.x == 0)
    for (uint i = 0; i < list.length(); i++) list[i] = float(i) * factor;
  barrier();
  words[gl_GlobalInvocationID.x] = list[gl_LocalInvocationID.x % list.length()] * (twice ? 2 : 1) + gl_WorkGroupSize.x;
}
