/* How a cell ended. */
#ifndef XB_OUTCOME_H
#define XB_OUTCOME_H

typedef enum xb_outcome {
  XB_CELL_PENDING, /* not finished yet, or never begun */
  XB_CELL_OK,
  XB_CELL_WRONG,          /* ran, with a wrong result */
  XB_CELL_FAILED,         /* did not run; `error` says why */
  XB_CELL_UNSUPPORTED,    /* this device lacks it; `error` says what */
  XB_CELL_NO_COUNTERPART, /* this API has no such thing; `error` says why */
  XB_CELL_INTERRUPTED,
} xb_outcome;

/* "ok", "wrong", "failed", "unsupported", "no_counterpart", "interrupted", which what is pending is in the end. */
const char *xb_outcome_name(xb_outcome outcome);

#endif
