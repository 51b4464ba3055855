/* A C function that computes the expected results of a pair. Build it as a shared object, and name it with
 * --reference LIBRARY.so:FUNCTION. `xbench pair --init` writes this header beside the manifest. */
#ifndef XB_PAIR_REFERENCE_H
#define XB_PAIR_REFERENCE_H

#include <stdint.h>

/* One buffer, in the order of the manifest. Inputs and in-out buffers have their contents before the kernels run;
 * outputs are zero. The function writes the results into outputs and in-out buffers. */
typedef struct xb_reference_buffer {
  const char *name;
  void *data;
  uint64_t length; /* elements */
} xb_reference_buffer;

/* `rows` and `columns` are 1 and n if the pair has no matrix. Returns 0, or any other number if it cannot compute the
 * results. */
typedef int xb_reference_function(uint64_t n, uint64_t rows, uint64_t columns, const xb_reference_buffer *buffers,
                                  uint32_t buffer_count);

#endif
