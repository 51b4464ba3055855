#ifndef WRONG_PORTS_RUN_H
#define WRONG_PORTS_RUN_H

#include "cases.h"
#include "xb/gpu.h"

typedef struct wrong_form {
  bool wrong;   /* else the corrected form */
  bool blind;   /* disables the check that wrong_port.blind_to names */
  bool watched; /* runs code that is compiled to be watched, without guard words: only on the backend cpu */
} wrong_form;

typedef struct wrong_outcome {
  wrong_check caught;
  char text[600]; /* the message of that check */
} wrong_outcome;

/* Runs the form twice on the same buffers, and checks after each run. Returns errors that are not from a check;
 * `outcome` is then BY_NOTHING. */
xb_code wrong_port_run(xb_device *device, const wrong_port *port, wrong_form form, wrong_outcome *outcome,
                       xb_error *err);

#endif
