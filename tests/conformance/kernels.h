/* The test kernels, by name, for any backend. */
#ifndef CONFORMANCE_KERNELS_H
#define CONFORMANCE_KERNELS_H

#include "xb/gpu.h"

#include "shaders/args.h"

/* Fills everything in `desc`. False where this build has no such kernel for the backend. The code lives as long as the
 * process. */
bool test_kernel(const char *backend, const char *name, xb_kernel_desc *desc);

/* Of the host backend; NULL if there is none. */
const void *host_kernel_code(const xb_kernel_desc *desc, size_t *bytes);

#endif
