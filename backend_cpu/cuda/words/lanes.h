/* Functions of the 4 bytes or 2 halves of a word. */
#pragma once

namespace xb_cpu
{
template <class LANE, class F> __forceinline__ unsigned int each_lane(unsigned int a, unsigned int b, F f)
{
  constexpr unsigned int bits = 8 * sizeof(LANE), mask = (1u << bits) - 1;
  constexpr int most = (int)(std::is_signed_v<LANE> ? mask >> 1 : mask), least = std::is_signed_v<LANE> ? -most - 1 : 0;
  unsigned int result = 0;
  for (unsigned int i = 0; i < 32; i += bits)
    result |= ((unsigned int)f((int)(LANE)(a >> i), (int)(LANE)(b >> i), least, most) & mask) << i;
  return result;
}
__forceinline__ int clamp_to(int x, int least, int most) { return x < least ? least : x > most ? most : x; }
template <class LANE> __forceinline__ unsigned int sum_of_differences(unsigned int a, unsigned int b)
{
  unsigned int sum = 0;
  for (unsigned int i = 0; i < 32; i += 8 * sizeof(LANE)) {
    const int difference = (int)(LANE)(a >> i) - (int)(LANE)(b >> i);
    sum += (unsigned int)(difference < 0 ? -difference : difference);
  }
  return sum;
}
} // namespace xb_cpu

#define XB_CPU_LANES(name, half, byte, expression)                                                                     \
  XB_CPU_FUNCTION unsigned int name##2(unsigned int a, unsigned int b)                                                 \
  {                                                                                                                    \
    return xb_cpu::each_lane<half>(a, b, [](int x, int y, int least, int most) { return expression; });                \
  }                                                                                                                    \
  XB_CPU_FUNCTION unsigned int name##4(unsigned int a, unsigned int b)                                                 \
  {                                                                                                                    \
    return xb_cpu::each_lane<byte>(a, b, [](int x, int y, int least, int most) { return expression; });                \
  }
#define XB_CPU_LANES_S(name, expression) XB_CPU_LANES(name, int16_t, int8_t, expression)
#define XB_CPU_LANES_U(name, expression) XB_CPU_LANES(name, uint16_t, uint8_t, expression)
#define XB_CPU_LANES_COMPARE(name, half, byte, op)                                                                     \
  XB_CPU_LANES(__vcmp##name, half, byte, x op y ? -1 : 0)                                                              \
  XB_CPU_LANES(__vset##name, half, byte, x op y)
XB_CPU_LANES_U(__vadd, x + y)
XB_CPU_LANES_U(__vsub, x - y)
XB_CPU_LANES_S(__vaddss, xb_cpu::clamp_to(x + y, least, most))
XB_CPU_LANES_U(__vaddus, xb_cpu::clamp_to(x + y, least, most))
XB_CPU_LANES_S(__vsubss, xb_cpu::clamp_to(x - y, least, most))
XB_CPU_LANES_U(__vsubus, xb_cpu::clamp_to(x - y, least, most))
XB_CPU_LANES_S(__vmaxs, x > y ? x : y)
XB_CPU_LANES_U(__vmaxu, x > y ? x : y)
XB_CPU_LANES_S(__vmins, x < y ? x : y)
XB_CPU_LANES_U(__vminu, x < y ? x : y)
XB_CPU_LANES_S(__vabsdiffs, x > y ? x - y : y - x)
XB_CPU_LANES_U(__vabsdiffu, x > y ? x - y : y - x)
XB_CPU_LANES_U(__vavgu, (x + y + 1) >> 1)
XB_CPU_LANES_U(__vhaddu, (x + y) >> 1)
XB_CPU_LANES_COMPARE(eq, uint16_t, uint8_t, ==)
XB_CPU_LANES_COMPARE(ne, uint16_t, uint8_t, !=)
XB_CPU_LANES_COMPARE(gts, int16_t, int8_t, >)
XB_CPU_LANES_COMPARE(ges, int16_t, int8_t, >=)
XB_CPU_LANES_COMPARE(lts, int16_t, int8_t, <)
XB_CPU_LANES_COMPARE(les, int16_t, int8_t, <=)
XB_CPU_LANES_COMPARE(gtu, uint16_t, uint8_t, >)
XB_CPU_LANES_COMPARE(geu, uint16_t, uint8_t, >=)
XB_CPU_LANES_COMPARE(ltu, uint16_t, uint8_t, <)
XB_CPU_LANES_COMPARE(leu, uint16_t, uint8_t, <=)
#define XB_CPU_LANES_OF_ONE(WIDTH, LANE, UNSIGNED)                                                                     \
  XB_CPU_FUNCTION unsigned int __vneg##WIDTH(unsigned int a) { return __vsub##WIDTH(0, a); }                           \
  XB_CPU_FUNCTION unsigned int __vnegss##WIDTH(unsigned int a) { return __vsubss##WIDTH(0, a); }                       \
  XB_CPU_FUNCTION unsigned int __vabs##WIDTH(unsigned int a) { return __vabsdiffs##WIDTH(a, 0); }                      \
  XB_CPU_FUNCTION unsigned int __vabsss##WIDTH(unsigned int a) { return __vmaxs##WIDTH(a, __vnegss##WIDTH(a)); }       \
  XB_CPU_FUNCTION unsigned int __vsads##WIDTH(unsigned int a, unsigned int b)                                          \
  {                                                                                                                    \
    return xb_cpu::sum_of_differences<LANE>(a, b);                                                                     \
  }                                                                                                                    \
  XB_CPU_FUNCTION unsigned int __vsadu##WIDTH(unsigned int a, unsigned int b)                                          \
  {                                                                                                                    \
    return xb_cpu::sum_of_differences<UNSIGNED>(a, b);                                                                 \
  }
XB_CPU_LANES_OF_ONE(2, int16_t, uint16_t)
XB_CPU_LANES_OF_ONE(4, int8_t, uint8_t)
