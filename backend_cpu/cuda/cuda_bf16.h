/* bfloat16. */
#pragma once
#include "words/narrow.h"

XB_CPU_NARROW(__nv_bfloat16, __nv_bfloat162, 8, 7)
typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;
XB_CPU_NARROW_WORDS(nv_bfloat16, nv_bfloat162, bfloat16, bfloat162)
