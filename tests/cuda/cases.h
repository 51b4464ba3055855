/* Shared by the files of cuda_failures. */
#ifndef CUDA_CASES_H
#define CUDA_CASES_H

#include "support.h"

extern fake_control *fake;

/* Fails the test if the backend broke a rule of the driver or, unless the device is dead, left objects. */
void nothing_left(const char *when, bool dead);

/* Runs the scenario, in which no call fails. */
void unharmed(xb_launch_mode mode);

/* For TEST_SOURCE: finds `fake`. */
int fake_begin(void);

#endif
