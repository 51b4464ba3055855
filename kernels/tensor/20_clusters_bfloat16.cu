// Tensor cores 20: rung 16 with bfloat16.
// [element]
// machine: sm_90a
#define TENSOR_BFLOAT16 1
#include "16_clusters.cu"
