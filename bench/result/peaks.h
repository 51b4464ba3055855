/* The cells that show a device's ceilings: what `xbench peaks` runs, and the page's section of that name shows. */
#ifndef XB_PEAKS_H
#define XB_PEAKS_H

#include "result/result.h"

typedef struct xb_peak {
  const char *title;
  const char *benchmark;
  uint64_t variant;
  const char *at;   /* values of the axes, as xb_result_at writes them; NULL: any */
  const char *unit; /* of the metric; NULL: the first one */
} xb_peak;

/* Ends with a peak without a title. */
extern const xb_peak xb_peaks[];
/* True if the result is a cell of the peak. */
bool xb_is_peak(const xb_peak *peak, const xb_result *result);

#endif
