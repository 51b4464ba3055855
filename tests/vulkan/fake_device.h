/* Simulated devices: the real one, with what the shim changes of it. */
#ifndef FAKE_DEVICE_H
#define FAKE_DEVICE_H

#include "support.h"

extern xb_device_info real; /* the real device */

/* For TEST_SOURCE: as support_begin(), and fills in `real`. */
int fake_begin(void);
/* The set-up of a test: no fake, no failure, no counts. */
int fresh(void **state);
xb_code try_open(const xb_shim_fake *fake, xb_device **device, xb_error *err);
xb_device *open_fake(const xb_shim_fake *fake);
void expect_refused(const xb_shim_fake *fake, xb_code wanted, const char *text);
/* The scenario runs on it. */
void expect_works(xb_device *device);

#endif
