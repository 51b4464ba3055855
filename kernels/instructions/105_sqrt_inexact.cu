// Instruction 105: on float32; the square root is not rounded correctly.
// nvcc: -prec-sqrt=false
// [apply] HLSL has no flags: there the words are the same, without `precise`
// Source: NVIDIA, CUDA C++ Best Practices Guide, section 11.1.7.
#define OPERATIONS(FUNCTION) ROOT_ARITHMETIC(FUNCTION)

#include "float32.cuh"
