#ifndef WRONG_PORTS_FOUND_H
#define WRONG_PORTS_FOUND_H

#include "run.h"

/* What finds the form on the backend cpu: "result" (also guard words), "races", "memory", both with ", " between,
 * "order" if only another order of threads and blocks shows it, "the tracker" or "nothing". `text` has the message of
 * the last. */
xb_code wrong_port_found(xb_device *device, const wrong_port *port, bool wrong, char found[64], char text[700],
                         xb_error *err);

/* The same of the HLSL form: plain with waves of 8, 32 and 64 lanes, watched with waves of 32. */
xb_code wrong_shader_found(const wrong_port *port, bool wrong, char found[64], char text[700], xb_error *err);

#endif
