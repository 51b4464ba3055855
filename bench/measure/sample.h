/* One sample of one cell, by the clock that its variant asks for. */
#ifndef XB_SAMPLE_H
#define XB_SAMPLE_H

#include <signal.h>

#include "measure/cell.h"

/* Runs until warm (or `*stop` is set) and decides how many runs make a sample. False: the cell has failed. */
bool xb_sample_calibrate(xb_cell *cell, const volatile sig_atomic_t *stop);
/* Takes one sample and keeps it. False: the cell has failed. */
bool xb_sample_take(xb_cell *cell);
/* A monotonic clock. */
double xb_now_ns(void);

#endif
