/* Takes samples of a cell, by the clock of its variant. */
#ifndef XB_SAMPLE_H
#define XB_SAMPLE_H

#include "measure/cell.h"

/* Chooses the number of runs per sample, after single runs that wake the device. Returns false if the cell failed or
 * was interrupted. */
bool xb_sample_calibrate(xb_cell *cell);
/* Takes one sample without keeping it. */
bool xb_sample_run(xb_cell *cell, double *ns, double *host_ns);
/* Takes the time of a single run in the first placement, whose input begins as that of a sample's last run. */
bool xb_sample_once(xb_cell *cell, double *ns);
/* Takes one sample and keeps it. Returns false if the cell failed. */
bool xb_sample_take(xb_cell *cell);

#endif
