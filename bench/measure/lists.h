/* Runs the lists of a plan: each is submitted to its queue, after the lists that it waits for. */
#ifndef XB_LISTS_H
#define XB_LISTS_H

#include "measure/cell.h"

typedef struct xb_lists {
  xb_commands **commands; /* NULL: work of the host */
  xb_point *points;       /* of the last submissions */
  xb_span last, shortest; /* the last run, the shortest sample; they share alone_ns */
} xb_lists;

/* Runs all lists once, and records them before if this is the first run. Returns false if the cell FAILED. */
bool xb_lists_run(xb_cell *cell, double *ns);
/* The same, and keeps the times of the shortest sample. */
bool xb_lists_sample(xb_cell *cell, double *ns, double *issued_ns);
/* Runs each list alone, several times. */
bool xb_lists_run_alone(xb_cell *cell);
void xb_lists_destroy(xb_cell *cell);

#endif
