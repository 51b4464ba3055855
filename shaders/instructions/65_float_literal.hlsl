// Instructions 65 to 86: on float32, as a programmer may choose.
// [apply] once, then in a chain
#define OPERATIONS(FUNCTION) FLOAT_ARITHMETIC(FUNCTION)
#define PRECISE precise

#include "float32.h"
