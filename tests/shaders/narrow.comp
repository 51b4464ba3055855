// In GLSL, as the HLSL of glslc has neither bytes nor float16 without a flag.
#version 450
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_16bit_storage : require
#extension GL_EXT_shader_8bit_storage : require

layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer Halves { float16_t halves[]; };
layout(set = 0, binding = 1) readonly buffer Shorts { int16_t shorts[]; };
layout(set = 0, binding = 2) readonly buffer Bytes { uint8_t bytes[]; };
layout(set = 0, binding = 3) writeonly buffer Outputs { float16_t half_out[64]; int16_t short_out[64]; uint8_t byte_out[64]; };

void main()
{
  const uint i = gl_GlobalInvocationID.x;
  half_out[i] = halves[i] * float16_t(2) + float16_t(1);
  short_out[i] = shorts[i] * int16_t(3);
  byte_out[i] = bytes[i] + uint8_t(200);
}
