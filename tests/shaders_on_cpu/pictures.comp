// Images: a sampler of its own, projected coordinates, levels of detail that the shader does not name, four offsets, atomics.
#version 450
#extension GL_NV_compute_shader_derivatives : require
layout(local_size_x = 16, local_size_y = 1) in;
layout(derivative_group_linearNV) in;
layout(binding = 0) uniform texture2D picture;
layout(binding = 0) uniform sampler how;
layout(binding = 1, r32ui) uniform uimage2D counts;
layout(binding = 2) buffer Out { float words[]; };
const ivec2 around[4] = ivec2[4](ivec2(0, 0), ivec2(1, 0), ivec2(0, 1), ivec2(-1, 0));
void main()
{
  int i = int(gl_LocalInvocationID.x);
  ivec2 at = ivec2(i % 4, i / 4);
  vec2 middle = (vec2(at) + 0.5) / 4;
  vec4 four = textureGatherOffsets(sampler2D(picture, how), (vec2(at) + 0.9) / 4, around);
  words[8 * i] = textureProjLod(sampler2D(picture, how), vec3(middle * 2, 2), 0).x;
  words[8 * i + 1] = textureProj(sampler2D(picture, how), vec3(middle * 2, 2)).x + texture(sampler2D(picture, how), middle).x;
  words[8 * i + 2] = float(textureQueryLevels(sampler2D(picture, how)));
  words[8 * i + 3] = float(imageAtomicAdd(counts, at, 3u)) + float(imageAtomicMax(counts, at, uint(i)));
  words[8 * i + 4] = four.x;
  words[8 * i + 5] = four.y;
  words[8 * i + 6] = four.z;
  words[8 * i + 7] = four.w;
}
