/* Shared by the tests of the CUDA backend. */
#ifndef CUDA_SUPPORT_H
#define CUDA_SUPPORT_H

#include "../scenario/scenario.h"
#include "fake/control.h"

extern const xb_backend xb_backend_cuda;

/* Returns a fat binary with one entry; the caller frees it. */
void *make_fatbin(uint32_t kind, uint32_t architecture, const char *payload, size_t *bytes);
enum { FATBIN_PTX = 1, FATBIN_ELF = 2 };

/* Returns the control of the library that the backend has opened; NULL if that is not the fake one. */
fake_control *find_fake(void);

/* Runs the scenario of tests/scenario. */
void scenario(xb_launch_mode mode, scenario_outcome *outcome);

#endif
