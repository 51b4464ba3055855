/* Vector types: char1 to double4, and make_char1 to make_double4. */
#pragma once

#define XB_CPU_VECTOR(name, T, a1, a2, a4)                                                                             \
  struct alignas(a1) name##1 { T x; };                                                                                 \
  struct alignas(a2) name##2 { T x, y; };                                                                              \
  XB_CPU_VECTOR_3_##name(name, T) struct alignas(a4) name##4 { T x, y, z, w; };                                        \
  constexpr name##1 make_##name##1(T x) { return {x}; }                                                                \
  constexpr name##2 make_##name##2(T x, T y) { return {x, y}; }                                                        \
  constexpr name##3 make_##name##3(T x, T y, T z) { return {x, y, z}; }                                                \
  constexpr name##4 make_##name##4(T x, T y, T z, T w) { return {x, y, z, w}; }

#define XB_CPU_VECTOR_3(name, T)                                                                                       \
  struct name##3 { T x, y, z; };
#define XB_CPU_VECTOR_3_char XB_CPU_VECTOR_3
#define XB_CPU_VECTOR_3_uchar XB_CPU_VECTOR_3
#define XB_CPU_VECTOR_3_short XB_CPU_VECTOR_3
#define XB_CPU_VECTOR_3_ushort XB_CPU_VECTOR_3
#define XB_CPU_VECTOR_3_int XB_CPU_VECTOR_3
#define XB_CPU_VECTOR_3_uint(name, T) /* place.h has it */
#define XB_CPU_VECTOR_3_long XB_CPU_VECTOR_3
#define XB_CPU_VECTOR_3_ulong XB_CPU_VECTOR_3
#define XB_CPU_VECTOR_3_longlong XB_CPU_VECTOR_3
#define XB_CPU_VECTOR_3_ulonglong XB_CPU_VECTOR_3
#define XB_CPU_VECTOR_3_float XB_CPU_VECTOR_3
#define XB_CPU_VECTOR_3_double XB_CPU_VECTOR_3

XB_CPU_VECTOR(char, signed char, 1, 2, 4)
XB_CPU_VECTOR(uchar, unsigned char, 1, 2, 4)
XB_CPU_VECTOR(short, short, 2, 4, 8)
XB_CPU_VECTOR(ushort, unsigned short, 2, 4, 8)
XB_CPU_VECTOR(int, int, 4, 8, 16)
XB_CPU_VECTOR(uint, unsigned int, 4, 8, 16)
XB_CPU_VECTOR(long, long, 8, 16, 16)
XB_CPU_VECTOR(ulong, unsigned long, 8, 16, 16)
XB_CPU_VECTOR(longlong, long long, 8, 16, 16)
XB_CPU_VECTOR(ulonglong, unsigned long long, 8, 16, 16)
XB_CPU_VECTOR(float, float, 4, 8, 16)
XB_CPU_VECTOR(double, double, 8, 16, 16)
