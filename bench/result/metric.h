/* Facts about a cell besides its time. */
#ifndef XB_METRIC_H
#define XB_METRIC_H

#include <stdint.h>

#define XB_UNKNOWN (-1)
typedef int xb_flag; /* 0, 1, XB_UNKNOWN */

/* Text is static, or lives as long as the result. */
typedef struct xb_metric {
  const char *name; /* "bandwidth" */
  const char *unit; /* "GB/s" */
  double value;
  xb_flag more_is_better;
} xb_metric;

/* A published figure for a variant. It is shown beside measured values, but never mixed with them. */
typedef struct xb_quoted {
  int64_t variant; /* its number */
  const char *at;  /* values of its axis: "0,8,16,24,32" */
  double value;
  const char *unit, *hardware, *size;
  const char *words; /* the quotation that contains the number */
  const char *source;
} xb_quoted;

#endif
