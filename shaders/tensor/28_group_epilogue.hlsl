// Tensor cores 28: rung 21 with a function of each element (MapElement), which knows its column, between coopMatMulAdd
// and the store. The sums stay where they are: in registers.
// Source: ours; none of the documents has it.
#define GROUP_FORM TENSOR_EPILOGUE
#include "21_group_128x128.hlsl"
