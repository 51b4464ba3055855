// Instructions 106 to 110: on float32; by the fast math library.
// nvcc: -use_fast_math
// [apply] HLSL has no flags: there the words are the same, without `precise`
// Source: NVIDIA, CUDA C++ Best Practices Guide, section 11.1.7.
#define OPERATIONS(FUNCTION) FAST_ARITHMETIC(FUNCTION)

#include "float32.cuh"
