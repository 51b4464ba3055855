// Every function of one number, then those of several, of GLSL.std.450.
#version 450
layout(local_size_x = 32) in;
layout(binding = 0) readonly buffer In { float pairs[]; };
layout(binding = 1) writeonly buffer Out { float words[]; };
const uint RESULTS = 96;
uint at;
void put(float f) { words[gl_GlobalInvocationID.x * RESULTS + at++] = f; }
void put(vec3 v) { put(v.x); put(v.y); put(v.z); }
void main()
{
  float a = pairs[2 * gl_GlobalInvocationID.x], b = pairs[2 * gl_GlobalInvocationID.x + 1], c = abs(a) / (1 + abs(a)), p = abs(b) + 0.5;
  at = 0;
  put(a + b); put(a - b); put(a * b); put(a / p); put(mod(a, p)); put(-a); put(round(a)); put(roundEven(a)); put(trunc(a)); put(abs(a)); // 0
  put(sign(a)); put(floor(a)); put(ceil(a)); put(fract(a)); put(radians(a)); put(degrees(a)); put(sin(a)); put(cos(a)); put(tan(c)); put(asin(c)); // 10
  put(acos(c)); put(atan(a)); put(sinh(c)); put(cosh(c)); put(tanh(a)); put(asinh(a)); put(acosh(1 + p)); put(atanh(c * 0.9)); put(atan(a, p)); put(pow(p, c)); // 20
  put(exp(c)); put(log(p)); put(exp2(c)); put(log2(p)); put(sqrt(p)); put(inversesqrt(p)); put(min(a, b)); put(max(a, b)); put(clamp(a, -1.0, 1.0)); put(mix(a, b, c)); // 30
  put(step(a, b)); put(smoothstep(-2.0, 2.0, a)); put(fma(a, b, c)); put(ldexp(a, 3)); // 40
  float whole; put(modf(a, whole)); put(whole); int e; put(frexp(a, e)); put(float(e)); // 44
  vec3 u = vec3(a, b, c), v = vec3(p, -a, 0.25);
  put(length(u)); put(distance(u, v)); put(dot(u, v)); put(cross(u, v)); put(normalize(v)); // 48
  put(faceforward(u, v, v)); put(reflect(u, normalize(v))); put(refract(normalize(v), normalize(vec3(c, p, 1)), 0.7)); // 57
  put(uintBitsToFloat(packHalf2x16(vec2(a, b)))); put(unpackHalf2x16(floatBitsToUint(a)).y); // 66
  put(uintBitsToFloat(packSnorm4x8(vec4(a, b, c, -c)))); put(uintBitsToFloat(packUnorm4x8(vec4(a, b, c, p)))); // 68
  put(uintBitsToFloat(packSnorm2x16(vec2(c, -c)))); put(uintBitsToFloat(packUnorm2x16(vec2(c, p)))); // 70
  put(unpackSnorm4x8(floatBitsToUint(a)).z); put(unpackUnorm4x8(floatBitsToUint(a)).y); put(unpackSnorm2x16(floatBitsToUint(a)).x); put(unpackUnorm2x16(floatBitsToUint(a)).y); // 72
  put(float(int(a))); put(float(uint(p))); put(isnan(a / 0.0 - a / 0.0) ? 1.0 : 0.0); put(isinf(p / 0.0) ? 1.0 : 0.0); // 76
  bool less = a < b, equal = a == b; put((less ? 1.0 : 0.0) + (equal ? 2.0 : 0.0) + (a > b ? 4.0 : 0.0) + (a <= b ? 8.0 : 0.0)); // 80
  mat3 m = mat3(u, v, vec3(1, 2, 4)); mat2x3 r = mat2x3(u, v);
  put(m * v); put(v * m); put((m * transpose(m))[1]); put(determinant(m)); put((outerProduct(u, v))[2]); put(vec2(r[1]).y); // 81..94
}
