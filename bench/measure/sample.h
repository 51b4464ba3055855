/* One sample of one cell, by the clock that its variant asks for. */
#ifndef XB_SAMPLE_H
#define XB_SAMPLE_H

#include "measure/cell.h"

/* Decides how many runs make a sample, after single runs that wake the device. False: the cell has failed, or was
 * interrupted. */
bool xb_sample_calibrate(xb_cell *cell);
/* Takes one sample and does not keep it. */
bool xb_sample_run(xb_cell *cell, double *ns, double *host_ns);
/* Takes one sample and keeps it. False: the cell has failed. */
bool xb_sample_take(xb_cell *cell);

#endif
