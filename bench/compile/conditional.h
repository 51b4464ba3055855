/* What C++ compilers make of CUDA C++ that CUDA does not. */
#ifndef XB_CONDITIONAL_H
#define XB_CONDITIONAL_H

#include "base/arena.h"

/* The text with xb_cpu::same (words/place.h) around each conditional expression that has a subscript, line for line;
 * the same pointer if it has none, or if there is no memory. */
const char *xb_keep_conditionals(const char *text, xb_arena *arena);
/* The text with xb_cpu::saturated (compile/saturated.hpp) in each cast to an integer type, line for line; the same
 * pointer if it has none, or if there is no memory. */
const char *xb_saturate_casts(const char *text, xb_arena *arena);

#endif
