// Tensor cores of 8 bits 2: rung 1 with two buffers, and loads of 16 bytes. While one buffer is summed, the next tiles
// are on their way to registers, then to the other. Whole tiles only: at other sizes rung 1 runs.
// [element]
// Source: ours; none of the documents has it.
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
#include "bytes.cuh"
#include "../tensor/mma.cuh"

XB_KERNEL void tensor8(const uint4 *A, const uint4 *B, T *C, xb_tensor_args args)
{
  multiply_tiles<ByteTiles<BLOCK>, BLOCK>(A, B, C, args);
}

BYTES_ENTRIES(tensor8, (const uint4 *A, const uint4 *B, T *C, xb_tensor_args args), (A, B, C, args))
#endif
