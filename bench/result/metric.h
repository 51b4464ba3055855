/* What is said of a cell besides its time. */
#ifndef XB_METRIC_H
#define XB_METRIC_H

#define XB_UNKNOWN (-1)
typedef int xb_flag; /* 0, 1, XB_UNKNOWN */

/* Text is static, or lives as long as what it describes. */
typedef struct xb_metric {
  const char *name; /* "bandwidth" */
  const char *unit; /* "GB/s" */
  double value;
  xb_flag more_is_better;
} xb_metric;

#endif
