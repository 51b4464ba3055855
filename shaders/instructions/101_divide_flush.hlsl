// Instructions 101 to 103: on float32, as Vulkan promises; CUDA: -ftz=true.
// [apply] CUDA has a flag; here the words are the same, without `precise`
// Source: NVIDIA, CUDA C++ Best Practices Guide, section 11.1.7.
#define OPERATIONS(FUNCTION) FLUSH_ARITHMETIC(FUNCTION)
#define PRECISE

#include "float32.h"
