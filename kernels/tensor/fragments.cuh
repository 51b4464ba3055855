// Fragments of wmma, as those of cooperative matrices in shaders/tensor/fragments.h.
#include "tensor_args.h"
#include <mma.h>
using namespace nvcuda;
#if defined(TENSOR_BFLOAT16)
typedef __nv_bfloat16 Element;
#else
typedef half Element;
#endif
typedef wmma::fragment<wmma::matrix_a, TENSOR_SIDE, TENSOR_SIDE, TENSOR_SIDE, Element, wmma::row_major> FragmentA;
typedef wmma::fragment<wmma::matrix_b, TENSOR_SIDE, TENSOR_SIDE, TENSOR_SIDE, Element, wmma::row_major> FragmentB;
typedef wmma::fragment<wmma::accumulator, TENSOR_SIDE, TENSOR_SIDE, TENSOR_SIDE, float> FragmentC;
