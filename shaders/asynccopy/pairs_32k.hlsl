// Asynchronous copy 3, where a group copies more at a time.
// Source: NVIDIA, CUDA C++ Best Practices Guide, section 9.2.3.4.

// [tile] of 32 KiB: a multiprocessor holds fewer groups
#define ASYNCCOPY_TILE 32768
#include "3_pairs.hlsl"
