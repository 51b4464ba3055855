// Tensor cores 30: rung 21 with B stored column by column. A view with exchanged dimensions makes it a matrix of
// rows again: coopMatMulAdd takes it as before.
// Source: ours; none of the documents has it.
#define GROUP_FORM TENSOR_BY_COLUMNS
#include "21_group_128x128.hlsl"
