// Tensor cores 9: rung 3 in PTX. ldmatrix loads a fragment in one instruction, and mma multiplies it: no compiler
// chooses how. Whole tiles only: at other sizes rung 2 runs. Devices before compute capability 8.0 have no such shapes.
// Source: ours; none of the documents has it.
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
#include "tensor_args.h"
#include "entry.cuh"
#include "matrices.cuh"
#include "mma.cuh"

XB_KERNEL void tensor(const uint4 *A, const uint4 *B, float *C, xb_tensor_args args)
{
  multiply_tiles<TwoBuffers<BLOCK, 8, false>, BLOCK>(A, B, C, args);
}

XB_ENTRIES(tensor, (const uint4 *A, const uint4 *B, float *C, xb_tensor_args args), (A, B, C, args))
#endif
