/* bfloat16. */
#pragma once
#include "words/narrow.h"

XB_CPU_NARROW(__nv_bfloat16, __nv_bfloat162, 8, 7)
typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;

XB_CPU_FUNCTION float __bfloat162float(nv_bfloat16 x) { return x; }
XB_CPU_FUNCTION nv_bfloat16 __float2bfloat16(float x) { return nv_bfloat16(x); }
XB_CPU_FUNCTION nv_bfloat16 __float2bfloat16_rn(float x) { return nv_bfloat16(x); }
XB_CPU_FUNCTION nv_bfloat16 __double2bfloat16(double x) { return nv_bfloat16(x); }
XB_CPU_FUNCTION unsigned short __bfloat16_as_ushort(nv_bfloat16 x) { return x.xb_bits; }
XB_CPU_FUNCTION nv_bfloat16 __ushort_as_bfloat16(unsigned short x) { return xb_from_bits(nv_bfloat16(), x); }
XB_CPU_FUNCTION nv_bfloat162 make_bfloat162(nv_bfloat16 x, nv_bfloat16 y) { return nv_bfloat162(x, y); }
XB_CPU_FUNCTION nv_bfloat162 __halves2bfloat162(nv_bfloat16 x, nv_bfloat16 y) { return nv_bfloat162(x, y); }
XB_CPU_FUNCTION nv_bfloat162 __bfloat162bfloat162(nv_bfloat16 x) { return nv_bfloat162(x, x); }
XB_CPU_FUNCTION nv_bfloat162 __float2bfloat162_rn(float x) { return nv_bfloat162(nv_bfloat16(x), nv_bfloat16(x)); }
XB_CPU_FUNCTION nv_bfloat162 __floats2bfloat162_rn(float x, float y)
{
  return nv_bfloat162(nv_bfloat16(x), nv_bfloat16(y));
}
XB_CPU_FUNCTION nv_bfloat162 __float22bfloat162_rn(float2 v)
{
  return nv_bfloat162(nv_bfloat16(v.x), nv_bfloat16(v.y));
}
XB_CPU_FUNCTION float2 __bfloat1622float2(nv_bfloat162 v) { return float2{v.x, v.y}; }
XB_CPU_FUNCTION nv_bfloat16 __low2bfloat16(nv_bfloat162 v) { return v.x; }
XB_CPU_FUNCTION nv_bfloat16 __high2bfloat16(nv_bfloat162 v) { return v.y; }
