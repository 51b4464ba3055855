// Instructions 101 to 103: on float32; denormals are flushed to zero.
// nvcc: -ftz=true
// [apply] HLSL has no flags: there the words are the same, without `precise`
// Source: NVIDIA, CUDA C++ Best Practices Guide, section 11.1.7.
#define OPERATIONS(FUNCTION) FLUSH_ARITHMETIC(FUNCTION)

#include "float32.cuh"
