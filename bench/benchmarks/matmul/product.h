/* What products of matrices have in common: C = AB, rows x inner by inner x columns. The elements of A and B are whole
 * numbers from -15 to 15, so every sum is exact, in float32 as in int32: inner * 15 * 15 < 2^24. */
#ifndef XB_PRODUCT_H
#define XB_PRODUCT_H

#include "benchmarks/benchmark.h"

/* What B is, as bits. */
typedef enum xb_product_form {
  XB_PRODUCT_PLAIN = 0,      /* row by row, as A and C */
  XB_PRODUCT_OF_ITSELF = 1,  /* A transposed: C = AA' */
  XB_PRODUCT_BY_COLUMNS = 2, /* B lies column by column */
  XB_PRODUCT_SMALL = 4,      /* elements of A and B are divided by XB_PRODUCT_DIVISOR, towards zero: from -3 to 3 */
} xb_product_form;
enum { XB_PRODUCT_DIVISOR = 4 };

/* A is the first slot, C the second; B is the third, or A. Sets bytes and flops, too. XB_UNSUPPORTED if a sum could be
 * inexact. */
xb_code xb_product_slots(const xb_case *c, xb_product_form form, xb_plan *plan, xb_error *err);
enum { XB_PRODUCT_A, XB_PRODUCT_C, XB_PRODUCT_B };

/* The generators of A and B. */
xb_generate_fn xb_product_a, xb_product_b;

/* Rows of C in a window: all, or as many as fit, in multiples of 256, so that windows begin at aligned offsets and
 * with whole tiles. XB_UNSUPPORTED if none fit, or if B does not. */
xb_code xb_product_window(const xb_case *c, uint64_t b_bytes, uint64_t *rows, xb_error *err);

/* [plan] One dispatch for a window of rows, whose kernel has tiles of `side` columns and takes A, B (or A again) and C.
 * Its arguments are four words: the rows, the columns, tiles side by side, and groups in x. No barrier:
 * windows are different rows of C. */
xb_code xb_product_tiles(const xb_case *c, xb_product_form form, uint32_t side, xb_plan *plan, xb_error *err);

/* [plan] One call of a library that takes A, B, C and a workspace: it would allocate its own, and an allocation cannot
 * be captured. */
void xb_product_library(xb_plan *plan, xb_library_fn *run, uint64_t workspace_bytes);

/* Checks every element. Rows that are whole in the chunk by Freivalds' method: C v = A (B v), modulo 2^61 - 1, for
 * three random v. As both sides are exact, a wrong row passes with a probability of about 2^-183. Other rows are
 * computed. */
bool xb_product_check(const xb_case *c, xb_product_form form, const xb_chunk *chunk, char why[XB_WHY_BYTES]);
bool xb_product_check_plain(const xb_case *c, const xb_chunk *chunk, char why[XB_WHY_BYTES]);

#endif
