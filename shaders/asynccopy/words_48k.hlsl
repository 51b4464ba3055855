// Asynchronous copy 1, where a group copies more at a time.
// dxil: none (Direct3D 12 gives a group 32 KiB)
// Source: NVIDIA, CUDA C++ Best Practices Guide, section 9.2.3.4.

// [tile] of 48 KiB: a multiprocessor holds fewer groups
#define ASYNCCOPY_TILE 49152
#include "1_words.hlsl"
