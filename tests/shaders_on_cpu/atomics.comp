// Every atomic, on a buffer and on shared memory.
#version 450
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_atomic_int64 : require
#extension GL_EXT_shader_atomic_float : require
layout(local_size_x = 128) in;
layout(binding = 0) buffer Out { uint words[16]; uint64_t wide; float f; };
shared uint own[4];
void main()
{
  uint i = gl_GlobalInvocationID.x, l = gl_LocalInvocationID.x;
  if (l < 4) own[l] = 0;
  barrier();
  atomicAdd(words[0], i); atomicMin(words[1], i + 5); atomicMax(words[2], i * 3); atomicAnd(words[3], ~(1u << i % 32 & 0xff00));
  atomicOr(words[4], 1u << i % 32); atomicXor(words[5], i); atomicMax(words[6], uint(int(i)));
  atomicAdd(own[0], 1); atomicOr(own[1], 1u << l % 32); atomicXor(own[2], l); atomicExchange(own[3], 7);
  atomicAdd(wide, uint64_t(i) << 20); atomicAdd(f, 0.5);
  uint old = words[7], seen;
  do { seen = old; old = atomicCompSwap(words[7], seen, seen + 2); } while (old != seen);
  barrier();
  if (l == 0) { atomicAdd(words[8], own[0]); atomicOr(words[9], own[1]); atomicXor(words[10], own[2]); atomicAdd(words[11], own[3]); }
}
