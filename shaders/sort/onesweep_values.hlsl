// Rung 3 for keys with values.
// Source: ours; none of the documents has it.
// dxil: 256 (groups of 320 need more than the 32 KiB that Direct3D 12 gives a group)

// [values] known when it is compiled: without values, a kernel needs fewer registers
#define SORT_VALUES 1
#include "3_onesweep.hlsl"
