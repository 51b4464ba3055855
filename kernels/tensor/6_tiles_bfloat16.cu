// Tensor cores 6: rung 2 with bfloat16. Devices before compute capability 8.0 have no such fragments.
// Source: ours; none of the documents has it.
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
// [element]
#define TENSOR_BFLOAT16 1
#include "2_tiles.cu"
#endif
