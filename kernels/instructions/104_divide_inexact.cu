// Instruction 104: on float32; division is not rounded correctly.
// nvcc: -prec-div=false
// [apply] HLSL has no flags: there the words are the same, without `precise`
// Source: NVIDIA, CUDA C++ Best Practices Guide, section 11.1.7.
#define OPERATIONS(FUNCTION) DIVISION_ARITHMETIC(FUNCTION)

#include "float32.cuh"
