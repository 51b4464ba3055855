/* A backend that keeps each kernel and gives it out again: at small sizes, to make one takes longer than to run it. */
#ifndef VARIANTS_KEPT_H
#define VARIANTS_KEPT_H

#include "xb/backend.h"

/* The same backend, but it makes each kernel only once, and destroys it with the device. For one device at a time. */
const xb_backend *backend_that_keeps_kernels(const xb_backend *original);

#endif
