/* Half precision. */
#pragma once
#include "words/narrow.h"

XB_CPU_NARROW(__half, __half2, 5, 10)
typedef __half half;
typedef __half2 half2;

XB_CPU_FUNCTION float __half2float(half x) { return x; }
XB_CPU_FUNCTION half __float2half(float x) { return half(x); }
XB_CPU_FUNCTION half __float2half_rn(float x) { return half(x); }
XB_CPU_FUNCTION half __double2half(double x) { return half(x); }
XB_CPU_FUNCTION half __int2half_rn(int x) { return half(x); }
XB_CPU_FUNCTION half __uint2half_rn(unsigned int x) { return half(x); }
XB_CPU_FUNCTION int __half2int_rn(half x) { return __float2int_rn(x); }
XB_CPU_FUNCTION int __half2int_rz(half x) { return __float2int_rz(x); }
XB_CPU_FUNCTION unsigned int __half2uint_rn(half x) { return __float2uint_rn(x); }
XB_CPU_FUNCTION unsigned int __half2uint_rz(half x) { return __float2uint_rz(x); }
XB_CPU_FUNCTION unsigned short __half_as_ushort(half x) { return x.xb_bits; }
XB_CPU_FUNCTION short __half_as_short(half x) { return (short)x.xb_bits; }
XB_CPU_FUNCTION half __ushort_as_half(unsigned short x) { return xb_from_bits(half(), x); }
XB_CPU_FUNCTION half __short_as_half(short x) { return xb_from_bits(half(), (unsigned short)x); }
XB_CPU_FUNCTION half2 make_half2(half x, half y) { return half2(x, y); }
XB_CPU_FUNCTION half2 __halves2half2(half x, half y) { return half2(x, y); }
XB_CPU_FUNCTION half2 __half2half2(half x) { return half2(x, x); }
XB_CPU_FUNCTION half2 __float2half2_rn(float x) { return half2(half(x), half(x)); }
XB_CPU_FUNCTION half2 __floats2half2_rn(float x, float y) { return half2(half(x), half(y)); }
XB_CPU_FUNCTION half2 __float22half2_rn(float2 v) { return half2(half(v.x), half(v.y)); }
XB_CPU_FUNCTION float2 __half22float2(half2 v) { return float2{v.x, v.y}; }
XB_CPU_FUNCTION half __low2half(half2 v) { return v.x; }
XB_CPU_FUNCTION half __high2half(half2 v) { return v.y; }
XB_CPU_FUNCTION half2 __low2half2(half2 v) { return half2(v.x, v.x); }
XB_CPU_FUNCTION half2 __high2half2(half2 v) { return half2(v.y, v.y); }
XB_CPU_FUNCTION half2 __lows2half2(half2 a, half2 b) { return half2(a.x, b.x); }
XB_CPU_FUNCTION half2 __highs2half2(half2 a, half2 b) { return half2(a.y, b.y); }
XB_CPU_FUNCTION half2 __lowhigh2highlow(half2 v) { return half2(v.y, v.x); }
