// Tensor cores 4: the multiplications alone (coopMatMulAdd). Each wave loads its fragments once, and multiplies them as
// often as rung 1 multiplies. A is m x 16, B is 16 x n; C is their product times the number of turns.
// [load]
// Source: ours; none of the documents has it.
#define TENSOR_CEILING 1
#include "1_memory.hlsl"
