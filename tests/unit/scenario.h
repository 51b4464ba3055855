/* A complete use of a device, for tests that make each step fail: it stops at the first error and cleans up. */
#ifndef UNIT_SCENARIO_H
#define UNIT_SCENARIO_H

#include "support.h"

/* Enumerate, open, buffers of each kind, kernels, lists with every command, both queues, points, waits, timestamps,
 * close. Frees everything in any case. Checks the result if there was no error. */
xb_code scenario(xb_error *err);

#endif
