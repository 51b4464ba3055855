// Rung 2 for keys with values.
// Source: ours; none of the documents has it.

// [values] known when it is compiled: without values, a kernel needs fewer registers
#define SORT_VALUES 1
#include "2_local.hlsl"
