/* Ten kernels whose parameters are as in public CUDA code: scalars first, pointers first, mixed. Their sources include
 * nothing of this project. */
#ifndef SIGNATURES_H
#define SIGNATURES_H

#include "host/host.h"

enum {
  SIGNATURE_ITEMS = 250, /* not a multiple of the group size */
  SIGNATURE_GROUP = 64,
  SIGNATURE_GROUPS = 4,
  SIGNATURE_BYTES = 2048, /* of each buffer */
};

typedef struct signature {
  const char *name;   /* the entry point */
  const char *layout; /* of its parameters: bytes of a value, or p for a pointer */
  char type;          /* of its elements: byte, int, float, double */
  uint32_t item_bytes;
  uint32_t binding_count, read_only, arg_bytes, parameter_count;
  const void *args;
  const xb_parameter *parameters;
  host_fn run; /* the same in C */
} signature;

extern const signature signatures[];
extern const size_t signature_count;

/* Sets everything but the code. */
xb_kernel_desc signature_desc(const signature *s);
/* Whole numbers, so that all operations are exact. */
void signature_fill(const signature *s, uint32_t binding, void *data);

#endif
