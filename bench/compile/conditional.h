/* What g++ compiles wrongly in CUDA C++. */
#ifndef XB_CONDITIONAL_H
#define XB_CONDITIONAL_H

#include "base/arena.h"

/* The text with xb_cpu::same (words/place.h) around each conditional expression that has a subscript, line for line;
 * the same pointer if it has none, or if there is no memory. */
const char *xb_keep_conditionals(const char *text, xb_arena *arena);

#endif
