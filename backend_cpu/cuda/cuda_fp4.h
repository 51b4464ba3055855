/* Floating point of 4 bits, e2m1: 0, 0.5, 1, 1.5, 2, 3, 4, 6. */
#pragma once
#include "cuda_fp8.h"

XB_CPU_FP8(__nv_fp4_e2m1, 2, 1)
