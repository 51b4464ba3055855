/* The sum of a buffer's words, by the kernel of reduce/9. Benchmarks and measurements use it to read memory. */
#ifndef XB_SUM_H
#define XB_SUM_H

#include "benchmarks/benchmark.h"

enum { XB_SUM_SLOTS = 8 };

typedef struct xb_sum {
  xb_case c;
  xb_plan plan;
  xb_kernel *kernel;
  xb_buffer *buffers[XB_SUM_SLOTS]; /* of the plan's slots: the data, which belongs to the caller; the sum; counters */
} xb_sum;

/* A sum of `words` words of 32 bits, at most `window_bytes` of them in a binding. Destroy it in any case. */
xb_code xb_sum_create(xb_device *device, xb_buffer *data, uint64_t words, uint64_t window_bytes, xb_sum *sum,
                      xb_error *err);
/* Records what has to come before the first sum, and may come before each: the result is overwritten. A barrier has to
 * follow. */
void xb_sum_prepare(const xb_sum *sum, xb_commands *list);
/* Records a sum: a dispatch for each window of the data. */
void xb_sum_record(const xb_sum *sum, xb_commands *list);
void xb_sum_destroy(xb_sum *sum);

#endif
