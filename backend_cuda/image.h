/* Kernels as nvcc writes them, checked before the driver sees them; needs nothing of CUDA. */
#ifndef XB_CUDA_IMAGE_H
#define XB_CUDA_IMAGE_H

#include "xb/backend.h"

/* The kernel's name in messages (kernel.c). */
const char *cu_kernel_label(const xb_kernel_desc *desc);

/* Code as the driver wants it: at an address of 64-bit words, PTX with a zero at its end. */
typedef struct cu_image {
  const void *bytes;
  void *copy; /* NULL where the caller's bytes do */
} cu_image;

/* XB_INVALID unless the code is a whole fat binary, a whole cubin, or PTX. Afterwards cu_image_close. */
xb_code cu_image_open(const xb_kernel_desc *desc, cu_image *image, xb_error *err);
void cu_image_close(cu_image *image);

/* ---- fatbin.c --------------------------------------------------------------------------------------------------- */

bool cu_is_fatbin(const xb_kernel_desc *desc);
/* XB_INVALID unless the fat binary is whole, and agrees with the seal (seal.h) where there is one behind it. */
xb_code cu_fatbin_check(const xb_kernel_desc *desc, xb_error *err);
/* "sm_80 sm_90 compute_120" of code that was checked. */
void cu_fatbin_architectures(const xb_kernel_desc *desc, char *text, size_t bytes);

#endif
