// Instructions 65 to 87, and 50: on float32, as a programmer may choose.
// [apply] HLSL has none of the second list
#define OPERATIONS(FUNCTION) FLOAT_ARITHMETIC(FUNCTION) CUDA_ARITHMETIC(FUNCTION)

#include "float32.cuh"
