// Tensor cores 15: rung 14 with as many groups as the GPU has multiprocessors. Each computes several tiles, so copies
// for the next tile begin while the sums of one are written. Tiles that run together lie in eight rows of tiles: what
// they read of A and of B stays in the L2 cache.
// machine: sm_90a
// Source: ours; none of the documents has it.
#ifdef __CUDA_ARCH_FEAT_SM90_ALL
#include "halves.cuh"
#include "stages.cuh"

ENTRY(TENSOR_WARPGROUP)
    tensor_float32_256(const __grid_constant__ Tiles A, const __grid_constant__ Tiles B, float *C, xb_tensor_args args)
{
  multiply(A, B, C, args);
}
#endif
