/* Fat binaries, checked before the driver sees them; needs nothing of CUDA. */
#ifndef XB_CUDA_FATBIN_H
#define XB_CUDA_FATBIN_H

#include "xb/backend.h"

/* The kernel's name in messages (kernel.c). */
const char *cu_kernel_label(const xb_kernel_desc *desc);
/* XB_INVALID unless the code is a whole fat binary, with its seal (seal.h). */
xb_code cu_fatbin_check(const xb_kernel_desc *desc, xb_error *err);
/* "sm_80 sm_90 compute_120" of a fat binary that was checked. */
void cu_fatbin_architectures(const xb_kernel_desc *desc, char *text, size_t bytes);

#endif
