// Numbers of 16 and of 64 bits.
#version 450
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(local_size_x = 32) in;
layout(binding = 0) readonly buffer In { float pairs[]; };
layout(binding = 1) writeonly buffer Out { double words[]; };
const uint RESULTS = 16;
uint at;
void put(double d) { words[gl_GlobalInvocationID.x * RESULTS + at++] = d; }
void main()
{
  float a = pairs[2 * gl_GlobalInvocationID.x], b = pairs[2 * gl_GlobalInvocationID.x + 1];
  double x = a, y = b; float16_t h = float16_t(a), k = float16_t(b);
  at = 0;
  put(x * y); put(x / (abs(y) + 1)); put(sqrt(abs(x))); put(floor(x)); put(fma(x, y, 1.0LF)); put(min(x, y));
  put(packDouble2x32(unpackDouble2x32(x))); put(length(dvec2(x, y)));
  put(double(h * k)); put(double(h + k)); put(double(h / (abs(k) + 1.0hf))); put(double(float16_t(1.0) / h)); put(double(sqrt(abs(h))));
  put(double(f16vec2(h, k).y)); put(double(int16_t(h))); put(determinant(dmat2(x, y, 2, 3)));
}
