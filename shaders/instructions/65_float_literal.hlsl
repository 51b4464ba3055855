// Instructions 65 to 86: on float32, as a programmer may choose.
// [apply] once, then in a chain
// Source: NVIDIA, CUDA C++ Best Practices Guide, sections 11.1.3, 11.1.4 and 11.1.6.
#define OPERATIONS(FUNCTION) FLOAT_ARITHMETIC(FUNCTION)
#define PRECISE precise

#include "float32.h"
