/* Checks the output of nvcc before the driver sees it. Does not need CUDA. */
#ifndef XB_CUDA_IMAGE_H
#define XB_CUDA_IMAGE_H

#include "xb/backend.h"

/* The kernel's name in messages (kernel.c). */
const char *cu_kernel_label(const xb_kernel_desc *desc);

/* Code as the driver needs it: aligned to 8 bytes, PTX with a zero at its end. */
typedef struct cu_image {
  const void *bytes;
  void *copy; /* NULL if `bytes` is the caller's code */
} cu_image;

/* XB_INVALID unless the code is a complete fat binary, a complete cubin, or PTX. The caller closes the image. */
xb_code cu_image_open(const xb_kernel_desc *desc, cu_image *image, xb_error *err);
void cu_image_close(cu_image *image);

/* Writes the architectures of checked code, as in "sm_80 sm_90 compute_120". */
void cu_fatbin_architectures(const xb_kernel_desc *desc, char *text, size_t bytes);

#endif
