// Tensor cores 27: rung 21 at any size. Loads and stores of tiles clamp: past the edges zeros are read, and nothing is
// written. Rungs 28 to 30 run this where tiles are not whole, so what they add to coopMatMulAdd is an argument.
// Source: ours; none of the documents has it.
#define GROUP_ANY_SIZE 1
#include "21_group_128x128.hlsl"
