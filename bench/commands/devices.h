/* Choosing the device that a person means, and opening it on the backends that were asked for. */
#ifndef XB_DEVICES_H
#define XB_DEVICES_H

#include "commands/options.h"

enum { XB_MAX_DEVICES = 32, XB_MAX_TARGETS = 4 };

/* A device as one API reaches it. */
typedef struct xb_target {
  xb_device *device;
} xb_target;

/* Opens the chosen device on each chosen backend. Returns -1, or the exit code after the mistake was told. */
int xb_open_targets(const xb_options *options, xb_target targets[XB_MAX_TARGETS], size_t *count);
/* False where the driver complained at the very end (validation); told on stderr. */
bool xb_close_targets(xb_target *targets, size_t count);

#endif
