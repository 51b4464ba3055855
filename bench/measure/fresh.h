/* Kernel code that the driver has not seen before. Drivers keep compiled code, in memory and on disk. */
#ifndef XB_FRESH_H
#define XB_FRESH_H

#include "xb/gpu.h"

/* Such a kernel has this constant in a condition that never holds in practice. */
enum { XB_FRESH_WORD = 0x5EEDC0DE };

/* Points `desc` to a copy of its code in which a new number replaces that constant. The caller frees `*copy` after the
 * kernel was created. XB_UNSUPPORTED if the code has no such constant. */
xb_code xb_fresh_code(xb_kernel_desc *desc, uint32_t **copy, xb_error *err);

#endif
