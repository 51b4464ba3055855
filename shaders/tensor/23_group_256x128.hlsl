// Tensor cores 23: rung 21 with tiles of 256 x 128: coopMatMulAdd of a whole group.
// Source: ours; none of the documents has it.
#define GROUP_ROWS 256
#define GROUP_COLUMNS 128
#include "21_group_128x128.hlsl"
