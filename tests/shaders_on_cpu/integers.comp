// Every operation of integers, on pairs of words.
#version 450
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer In { uvec2 pairs[]; };
layout(binding = 1) writeonly buffer Out { uint words[]; };
const uint RESULTS = 64;
uint at;
void put(uint word) { words[gl_GlobalInvocationID.x * RESULTS + at++] = word; }
void put(uint64_t word) { put(uint(word)); put(uint(word >> 32)); }
void main()
{
  uint a = pairs[gl_GlobalInvocationID.x].x, b = pairs[gl_GlobalInvocationID.x].y;
  int x = int(a), y = int(b);
  at = 0;
  put(a + b); put(a - b); put(a * b); put(a / (b | 1)); put(a % (b | 1)); // 0
  put(uint(x / (y | 1))); put(uint(x % (abs(y) | 1))); put(uint(-x)); put(~a); put(a & b);
  put(a | b); put(a ^ b); put(a << (b & 31)); put(a >> (b & 31)); put(uint(x >> (y & 31))); // 10
  put(uint(a == b) | uint(a != b) << 1 | uint(a < b) << 2 | uint(a <= b) << 3 | uint(a > b) << 4 | uint(a >= b) << 5 |
      uint(x < y) << 6 | uint(x <= y) << 7 | uint(x > y) << 8 | uint(x >= y) << 9);
  put(uint(bitCount(a))); put(bitfieldReverse(a)); put(uint(findLSB(a))); put(uint(findMSB(a)));
  put(uint(findMSB(x))); put(bitfieldExtract(a, 3, 7)); put(uint(bitfieldExtract(x, 3, 7))); put(bitfieldInsert(a, b, 5, 9)); // 20
  put(min(a, b)); put(max(a, b)); put(uint(min(x, y))); put(uint(max(x, y))); put(clamp(a, 100u, 1000u)); put(uint(clamp(x, -50, 50)));
  put(uint(abs(x))); put(uint(sign(x))); // 30
  uint carry, borrow, high, low; int shigh, slow;
  put(uaddCarry(a, b, carry)); put(carry); put(usubBorrow(a, b, borrow)); put(borrow);
  umulExtended(a, b, high, low); put(high); put(low);
  imulExtended(x, y, shigh, slow); put(uint(shigh)); put(uint(slow));
  uint64_t wide = uint64_t(a) << 32 | b; int64_t signed_wide = int64_t(wide);
  put(wide * 3); put(uint64_t(signed_wide / 7)); put(uint64_t(signed_wide >> 5)); put(wide >> 40); // 40
  uint8_t n8 = uint8_t(a); int8_t s8 = int8_t(b); uint16_t n16 = uint16_t(a); int16_t s16 = int16_t(b);
  put(uint(n8 + uint8_t(200))); put(uint(int(s8) * 3)); put(uint(n16 * uint16_t(3))); put(uint(int(s16 >> 2))); // 48
  u8vec4 parts = unpack8(a); put(uint(parts.x) + uint(parts.w)); put(pack32(parts.wzyx));
  uvec3 v = uvec3(a, b, a ^ b) * uvec3(1, 2, 3); put(v.x + v.y + v.z); put(uint(any(equal(v, uvec3(a)))) | uint(all(notEqual(v, uvec3(1)))) << 1);
  put(uint(mix(x, y, a < b)));
}
