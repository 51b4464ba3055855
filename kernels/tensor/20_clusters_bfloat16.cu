// Tensor cores 20: rung 16 with bfloat16.
// [element]
// machine: sm_90a
// Source: ours; none of the documents has it.
#define TENSOR_BFLOAT16 1
#include "16_clusters.cu"
