/* What a timeline says: how long each stage takes alone, what a model predicts, and what overlapped. */
#ifndef XB_OVERLAP_METRICS_H
#define XB_OVERLAP_METRICS_H

#include "benchmarks/benchmark.h"

typedef struct xb_overlap_form {
  uint32_t chunks;
  uint32_t lanes; /* queues that work on chunks at the same time */
  bool serial;    /* nothing can overlap */
} xb_overlap_form;

size_t xb_overlap_metrics(const xb_plan *plan, const xb_span *span, xb_overlap_form form,
                          xb_metric metrics[XB_MAX_METRICS]);

#endif
