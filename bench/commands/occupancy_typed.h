/* xbench occupancy without a kernel: what numbers that one types in come to, on a GPU that need not be here. */
#ifndef XB_OCCUPANCY_TYPED_H
#define XB_OCCUPANCY_TYPED_H

#include "formats/printer.h"

#include <stdint.h>

typedef struct xb_occupancy_typed {
  const char *architecture; /* "sm_90"; NULL: none was named */
  uint64_t block, registers, shared_bytes;
} xb_occupancy_typed;

/* Prints the limits, then a curve over each of the three numbers. Returns the exit code. */
int xb_occupancy_typed_run(const xb_occupancy_typed *typed, xb_format format);

#endif
