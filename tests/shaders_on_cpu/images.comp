// Images: stored, fetched, sampled, gathered, asked for their size; atomics on texels; texel buffers.
#version 450
layout(local_size_x = 16, local_size_y = 1) in;
layout(binding = 0) uniform sampler2D picture;
layout(binding = 1) uniform samplerBuffer line;
layout(binding = 2, r32f) uniform image2D stored;
layout(binding = 3) buffer Out { float words[]; };
void main()
{
  int i = int(gl_LocalInvocationID.x);
  ivec2 at = ivec2(i % 4, i / 4);
  imageStore(stored, at, vec4(i * 2));
  words[8 * i] = texelFetch(picture, at, 0).x;
  words[8 * i + 1] = textureLod(picture, (vec2(at) + 0.5) / 4, 0).x;
  words[8 * i + 2] = textureLod(picture, (vec2(at) + 1.0) / 4, 0).x;
  words[8 * i + 3] = texelFetch(line, i).x;
  words[8 * i + 4] = float(textureSize(picture, 0).x * 100 + textureSize(line));
  words[8 * i + 5] = textureGather(picture, (vec2(at) + 0.9) / 4).z;
  words[8 * i + 6] = imageLoad(stored, at).x + float(imageSize(stored).y);
  words[8 * i + 7] = texelFetch(picture, at + ivec2(4, 0), 0).x;
}
