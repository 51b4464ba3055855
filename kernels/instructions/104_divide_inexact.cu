// Instruction 104: on float32; division is not rounded correctly.
// nvcc: -prec-div=false
// [apply] HLSL has no flags: there the words are the same, without `precise`
#define OPERATIONS(FUNCTION) DIVISION_ARITHMETIC(FUNCTION)

#include "float32.cuh"
