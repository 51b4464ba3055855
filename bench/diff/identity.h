/* The identity of a cell: benchmark, variant and conditions. */
#ifndef XB_DIFF_IDENTITY_H
#define XB_DIFF_IDENTITY_H

#include "result/result.h"

typedef struct xb_dimension {
  const char *plural;
  int (*compare)(const xb_result *a, const xb_result *b);
  /* The value as text, safe for a terminal. */
  void (*format)(const xb_result *r, char *out, size_t out_bytes);
} xb_dimension;

/* The conditions of a cell. The first ones are of the device: its identity and its queue family. The last one is the
 * compiler. */
enum { XB_BEHIND_DEVICE = 1, XB_DEVICE_DIMENSIONS = 2 };
extern const xb_dimension xb_dimensions[];
extern const size_t xb_dimension_count;

/* Compares by benchmark, then by all dimensions from `first_dimension` on but the compiler, then by variant. */
int xb_compare_identity(const xb_result *a, const xb_result *b, size_t first_dimension);
/* As strcmp(), but NULL comes first. */
int xb_compare_texts(const char *a, const char *b);
/* Returns the results to compare, in the document's order; the caller frees the array. NULL: out of host memory. */
const xb_result **xb_diff_results(const xb_document *document, size_t *count);

#endif
