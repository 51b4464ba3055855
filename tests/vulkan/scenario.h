/* A complete use of the public API: listing, opening, buffers of each kind, a kernel, lists with every command on every
 * queue, two rounds with timestamps, destruction in flight, closing. */
#ifndef TEST_VULKAN_SCENARIO_H
#define TEST_VULKAN_SCENARIO_H

#include "xb/gpu.h"

typedef struct scenario_outcome {
  xb_code code; /* the first error, or XB_OK */
  xb_error error;
  bool opened;    /* a device was opened */
  xb_code status; /* of the device, before closing */
  bool tried_again;
  xb_code again;  /* result of repeating the work on a device that still works */
  xb_code closed; /* the result of closing */
} scenario_outcome;

/* Called at the first failure. */
typedef void (*scenario_failed)(void *user);

/* Runs the work on an open device; destroys all its objects. */
xb_code scenario_work(xb_device *device, scenario_failed failed, void *user, xb_error *err);
/* Runs everything; with `again`, repeats the work if it failed and the device still works. */
void scenario_run(const xb_backend *backend, bool validation, bool again, scenario_failed failed, void *user,
                  scenario_outcome *outcome);

#endif
