/* Arrays in NumPy's file format. */
#ifndef XB_PAIR_NPY_H
#define XB_PAIR_NPY_H

#include "pair/reflect.h"

#include <stdio.h>

typedef struct xb_array {
  const void *data;
  uint64_t length; /* elements */
} xb_array;

/* Reads an array of this element. Its dimensions do not matter, except that elements of several numbers may have one of
 * their own at the end; elements of several types are compared by size only. */
xb_code xb_npy_read(const char *path, const xb_element *element, xb_arena *arena, xb_array *array, xb_error *err);
/* Creates a file with its header; the caller writes `length` elements and closes it. NULL, with errno: not possible. */
FILE *xb_npy_begin(const char *path, const xb_element *element, uint64_t length);
/* False, with errno, if the file cannot be written. */
bool xb_npy_write(const char *path, const xb_element *element, const xb_array *array);

#endif
