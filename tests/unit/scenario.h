/* The scenario of tests/scenario on the host backend. */
#ifndef UNIT_SCENARIO_H
#define UNIT_SCENARIO_H

#include "support.h"

/* Fails the test if the work fails again on a device that still works. */
xb_code scenario(xb_error *err);

#endif
