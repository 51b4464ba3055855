// Arrays of buffers. With BINDLESS one of them has no length, and indices differ inside a wave. SwiftShader ends the process where
// such an index chooses the buffer whose length is asked.
#version 450
#extension GL_EXT_nonuniform_qualifier : require
layout(local_size_x = 64) in;
layout(set = 1, binding = 2) readonly buffer From { uint words[]; } from[3];
layout(set = 0, binding = 0) uniform Factor { uint factor; } factors[2];
#ifdef BINDLESS
layout(set = 0, binding = 5) buffer To { uint words[]; } to[];
#define AT(k) nonuniformEXT(k)
#else
layout(set = 0, binding = 5) buffer To { uint words[]; } to[2];
#define AT(k) (k)
#endif
void main()
{
  const uint i = gl_GlobalInvocationID.x, g = gl_WorkGroupID.x;
#ifdef BINDLESS
  const uint k = i;
#else
  const uint k = g;
#endif
  to[AT(k % 2)].words[i] = from[AT(k % 3)].words[i] * factors[g % 2].factor + from[g % 3].words.length();
  atomicAdd(to[AT(k % 2)].words[384], i);
}
