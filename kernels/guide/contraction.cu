// a * b + c, rounded once (fused) or twice.
// Source: ours; none of the documents has it.
#include "guide.cuh"

// [plain] nvcc fuses, except with -fmad=false
XB_GUIDE_ENTRY(GUIDE_BLOCK) plain(const uint *__restrict__ g_in, uint *g_out, xb_guide_args args)
{
  const uint i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= args.n)
    return;
  const float a = __uint_as_float(g_in[3 * i]), b = __uint_as_float(g_in[3 * i + 1]), c = __uint_as_float(g_in[3 * i + 2]);
  g_out[i] = __float_as_uint(a * b + c);
}

// [apart] these intrinsics are never fused; in HLSL: `precise`
XB_GUIDE_ENTRY(GUIDE_BLOCK) apart(const uint *__restrict__ g_in, uint *g_out, xb_guide_args args)
{
  const uint i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= args.n)
    return;
  const float a = __uint_as_float(g_in[3 * i]), b = __uint_as_float(g_in[3 * i + 1]), c = __uint_as_float(g_in[3 * i + 2]);
  const float product = __fmul_rn(a, b);
  const float sum = __fadd_rn(product, c);
  g_out[i] = __float_as_uint(sum);
}

// [fused] always rounded once
XB_GUIDE_ENTRY(GUIDE_BLOCK) fused(const uint *__restrict__ g_in, uint *g_out, xb_guide_args args)
{
  const uint i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= args.n)
    return;
  const float a = __uint_as_float(g_in[3 * i]), b = __uint_as_float(g_in[3 * i + 1]), c = __uint_as_float(g_in[3 * i + 2]);
  g_out[i] = __float_as_uint(__fmaf_rn(a, b, c));
}

// [mad] CUDA has none: fmaf always fuses, `a * b + c` may fuse
