// Instructions 65 to 87, and 50: on float32, as a programmer may choose.
// [apply] HLSL has none of the second list
// Source: NVIDIA, CUDA C++ Best Practices Guide, sections 11.1.3, 11.1.4 and 11.1.6.
#define OPERATIONS(FUNCTION) FLOAT_ARITHMETIC(FUNCTION) CUDA_ARITHMETIC(FUNCTION)

#include "float32.cuh"
