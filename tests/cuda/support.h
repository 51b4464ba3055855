/* What the tests of the CUDA backend share. */
#ifndef CUDA_SUPPORT_H
#define CUDA_SUPPORT_H

#include "fake/control.h"
#include "xb/gpu.h"

extern const xb_backend xb_backend_cuda;

/* A fat binary of one entry; freed by the caller. */
void *make_fatbin(uint32_t kind, uint32_t architecture, const char *payload, size_t *bytes);
enum { FATBIN_PTX = 1, FATBIN_ELF = 2 };

/* Of the library that the backend has opened; NULL where that is not the fake one. */
fake_control *find_fake(void);

/* Everything that a device can do, in one go: both queues, every command, timestamps, two rounds. */
xb_code scenario(xb_launch_mode mode, xb_error *err);

#endif
