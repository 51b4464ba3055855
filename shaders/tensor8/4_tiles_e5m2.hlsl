// Tensor cores of 8 bits 4: rung 1 with the other format of float8 (e5m2): coopMatMulAdd of FloatE5M2.
// [element]
// Source: ours; none of the documents has it.
#define TENSOR8_E5M2 1
#include "1_tiles.hlsl"
