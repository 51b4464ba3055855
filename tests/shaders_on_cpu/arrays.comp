// An array of buffers: a description binds one at a place.
#version 450
layout(local_size_x = 4) in;
layout(constant_id = 0) const uint COUNT = 1;
layout(binding = 0) buffer Words { uint words[]; } all[COUNT];
void main()
{
  uint i = gl_LocalInvocationID.x;
  all[0].words[i] = all[0].words[i] * 3 + all[0].words.length();
}
