// Asynchronous copy 3, where a group copies more at a time.
// Source: NVIDIA, CUDA C++ Best Practices Guide, section 9.2.3.4.

// [tile] of 48 KiB: a multiprocessor holds fewer groups
#define ASYNCCOPY_TILE 49152
#include "3_pairs.cu"
