/* Code that no driver has seen: drivers keep what they compiled, in memory and on disk, across processes. */
#ifndef XB_FRESH_H
#define XB_FRESH_H

#include "xb/gpu.h"

/* A kernel that is to be made fresh has this constant in it, where it decides something, but never in practice. */
enum { XB_FRESH_WORD = 0x5EEDC0DE };

/* Points `desc` to a copy of its code in which that constant is another number each time; the caller frees `*copy`
 * after the kernel has been created. XB_UNSUPPORTED where the code has no such constant. */
xb_code xb_fresh_code(xb_kernel_desc *desc, uint32_t **copy, xb_error *err);

#endif
