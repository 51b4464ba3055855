// Tensor cores of 8 bits 5: rung 3 with the other format of float8 (e5m2).
// [element]
// machine: sm_90a
// Source: ours; none of the documents has it.
#define TENSOR8_E5M2 1
#include "3_persistent.cu"
