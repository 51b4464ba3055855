/* What makes two cells the same question. For bench/diff alone. */
#ifndef XB_DIFF_IDENTITY_H
#define XB_DIFF_IDENTITY_H

#include "result/result.h"

typedef struct xb_dimension {
  const char *plural;
  int (*compare)(const xb_result *a, const xb_result *b);
  /* A value, safe to print. */
  void (*format)(const xb_result *r, char *out, size_t out_bytes);
} xb_dimension;

/* All but benchmark and variant. First come those of the device itself: which one, and which of its families. */
enum { XB_DEVICE_DIMENSIONS = 2 };
extern const xb_dimension xb_dimensions[];
extern const size_t xb_dimension_count;

/* By benchmark, then in all dimensions from `first` on, then by variant. */
int xb_compare_identity(const xb_result *a, const xb_result *b, size_t first_dimension);
/* NULL comes first. */
int xb_compare_texts(const char *a, const char *b);
/* Results that count, in the order of the document; *count of them. The caller's, to free; NULL: out of memory. */
const xb_result **xb_diff_results(const xb_document *document, size_t *count);

#endif
