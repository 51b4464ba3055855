/* The contents of inputs: "mixed", "uniform", "uniform(0, 2)", "normal(0, 1)", "ramp(0, 1)", "constant(3)",
 * "permutation", or the name of an .npy file. Element i follows from the seed and i alone. */
#ifndef XB_PAIR_FILL_H
#define XB_PAIR_FILL_H

#include "pair/numbers.h"

#include <stdio.h>

/* ---- Arrays in NumPy's file format (npy.c) ---------------------------------------------------------------------- */

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
/* What a file begins with; the caller writes the elements of `shape` behind it. */
bool xb_npy_header(const xb_element *element, const xb_array *shape, FILE *file);

/* ---- Fills ------------------------------------------------------------------------------------------------------ */

typedef enum xb_fill_kind {
  XB_FILL_MIXED, /* as uniform, with numbers that show mistakes: 0, 1, -1, small ones, and elements that repeat */
  XB_FILL_UNIFORM,
  XB_FILL_NORMAL,
  XB_FILL_RAMP,
  XB_FILL_CONSTANT,
  XB_FILL_PERMUTATION,
  XB_FILL_ARRAY
} xb_fill_kind;

typedef struct xb_fill {
  xb_fill_kind kind;
  bool ranged;               /* uniform: between a and b; otherwise floats are in [-1, 1), and integers have all bits */
  double a, b;               /* uniform: from, to; normal: mean, deviation; ramp: start, step; constant: the value */
  uint32_t number;           /* of the buffer: buffers differ */
  const xb_element *element; /* that the numbers are made for */
  const xb_element *as;      /* the element of the side: the same numbers in another layout; NULL: `element` */
  xb_array array;
  uint64_t length; /* elements; for a permutation */
  bool slides;     /* the input may begin with any element, as its elements do not depend on each other */
} xb_fill;

/* `folder` is where the name of a file starts. */
xb_code xb_fill_parse(const char *where, const char *text, const char *folder, xb_arena *arena, xb_fill *fill,
                      xb_error *err);
/* As xb_generator.generate; `user` is an xb_fill. */
void xb_fill_generate(const void *user, uint64_t seed, uint64_t first, uint64_t count, void *out);
/* " (-1 to 1, 19 % zeros, 24 % repeated)": what the numbers of a member are like, by its first elements; of NaN and
 * infinities too. "": the fill says it itself. */
const char *xb_fill_describe(const xb_fill *fill, const xb_member *member, char text[96]);

#endif
