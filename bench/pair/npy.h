/* Arrays in NumPy's file format. */
#ifndef XB_PAIR_NPY_H
#define XB_PAIR_NPY_H

#include "pair/reflect.h"

#include <stdio.h>

typedef struct xb_array {
  const void *data;
  uint64_t length;        /* elements */
  uint64_t rows, columns; /* of two dimensions; 0: it has others */
} xb_array;

/* True for the name of such a file. NULL is none. */
bool xb_is_npy(const char *name);
/* Reads an array of this element, in any number of dimensions. Elements of several numbers of one type have a last
 * dimension of their own; members of a struct have the names, types, lengths and offsets of the element's. */
xb_code xb_npy_read(const char *path, const xb_element *element, xb_arena *arena, xb_array *array, xb_error *err);
/* Creates a file with its header; the caller writes the elements of `shape` and closes it. NULL, with errno: not
 * possible. */
FILE *xb_npy_begin(const char *path, const xb_element *element, const xb_array *shape);

#endif
