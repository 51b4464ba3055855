// Tensor cores 7: rung 3 with bfloat16. Devices without VK_KHR_shader_bfloat16 have no such fragments.
// [element]
// Source: ours; none of the documents has it.
#define TENSOR_BFLOAT16 1
#include "3_two_buffers.hlsl"
