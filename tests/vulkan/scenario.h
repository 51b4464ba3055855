/* A whole life through the public contract: listing, opening, buffers of each kind, a kernel, lists with every command
 * on every queue, two rounds with their timestamps, destruction in flight, closing. */
#ifndef TEST_VULKAN_SCENARIO_H
#define TEST_VULKAN_SCENARIO_H

#include "xb/gpu.h"

typedef struct scenario_outcome {
  xb_code code; /* the first that was not XB_OK */
  xb_error error;
  bool opened;    /* a device was */
  xb_code status; /* of the device before it was closed */
  bool tried_again;
  xb_code again;  /* the work a second time, on a device that survived a failure */
  xb_code closed; /* what closing gave */
} scenario_outcome;

/* Called with the first failure, as soon as it is known. */
typedef void (*scenario_failed)(void *user);

/* Work on an open device; leaves nothing alive. */
xb_code scenario_work(xb_device *device, scenario_failed failed, void *user, xb_error *err);
/* All of it; the work `again` where it failed and left the device usable. */
void scenario_run(const xb_backend *backend, bool validation, bool again, scenario_failed failed, void *user,
                  scenario_outcome *outcome);

#endif
