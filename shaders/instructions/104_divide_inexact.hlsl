// Instruction 104: on float32, as Vulkan promises; CUDA: -prec-div=false.
// [apply] CUDA has a flag; here the words are the same, without `precise`
// Source: NVIDIA, CUDA C++ Best Practices Guide, section 11.1.7.
#define OPERATIONS(FUNCTION) DIVISION_ARITHMETIC(FUNCTION)
#define PRECISE

#include "float32.h"
