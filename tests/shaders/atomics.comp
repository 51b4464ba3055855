#version 450
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
#extension GL_EXT_shader_atomic_int64 : require
#extension GL_EXT_shader_atomic_float : require

layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Sums { uint64_t wide; float real; };

void main()
{
  atomicAdd(wide, uint64_t(0x180000001ul));
  atomicAdd(real, 0.5);
}
