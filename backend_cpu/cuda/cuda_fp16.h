/* Half precision. */
#pragma once
#include "words/narrow.h"

XB_CPU_NARROW(__half, __half2, 5, 10)
typedef __half half;
typedef __half2 half2;
XB_CPU_NARROW_WORDS(half, half2, half, half2)
