/* The test kernels, by name, for any backend. */
#ifndef CONFORMANCE_KERNELS_H
#define CONFORMANCE_KERNELS_H

#include "xb/gpu.h"

#include "shaders/args.h"

/* Fills `desc`. Returns false if this build has no such kernel for the backend. The code is valid as long as the
 * process runs; the caller does not free it. */
bool test_kernel(const char *backend, const char *name, xb_kernel_desc *desc);

/* Compiled code that is embedded as BACKEND/NAME; NULL if there is none. */
const void *embedded_code(const char *backend, const char *name, size_t *bytes);
/* The code of the host backend's kernel; NULL if it has none. */
const void *host_kernel_code(const xb_kernel_desc *desc, size_t *bytes);

#endif
