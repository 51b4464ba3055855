/* A whole life on a device, which stops at the first error and cleans up: for tests that make each step fail. */
#ifndef UNIT_SCENARIO_H
#define UNIT_SCENARIO_H

#include "support.h"

/* Enumerate, open, buffers of each kind, kernels, lists with every command, both queues, points, waits, timestamps,
 * close. Everything is freed whatever happens. The result is checked where all went well. */
xb_code scenario(xb_error *err);

#endif
