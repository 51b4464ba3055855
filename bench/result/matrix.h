/* The results of a benchmark of pairs of devices, as a matrix: a row for each device that is read from, a column for
 * each that reads. Rows and columns are in the order of their first results. */
#ifndef XB_MATRIX_H
#define XB_MATRIX_H

#include "result/result.h"

enum { XB_MATRIX_MOST = 64 }; /* rows, and columns; the rest is left out */

typedef struct xb_matrix {
  const xb_result *of; /* its first result: variant, device, size and element type of all */
  const char *unit;    /* NULL: no cell has a value */
  int64_t from[XB_MATRIX_MOST], to[XB_MATRIX_MOST];
  size_t rows, columns;
  double values[XB_MATRIX_MOST][XB_MATRIX_MOST]; /* NAN: none */
} xb_matrix;

/* True if the benchmark has exactly the axes `from` and `to`. */
bool xb_is_of_pairs(const xb_result_benchmark *benchmark);
/* True if the results belong to one matrix. */
bool xb_same_matrix(const xb_result *a, const xb_result *b);
/* Begins the matrix with its first result, which is also added. */
void xb_matrix_begin(xb_matrix *matrix, const xb_result *first);
/* Does nothing if the result belongs to another matrix. */
void xb_matrix_add(xb_matrix *matrix, const xb_result *result);

#endif
