/* Formulas over whole numbers: "n", "ceil(n/256)", "max(1, rows * columns / 4)", "2^20". Names stand for numbers.
 * Operators: + - * / % ^ and parentheses; functions: ceil(A / B), min, max. A division must come out exactly, unless it
 * is the argument of ceil. */
#ifndef XB_PAIR_FORMULA_H
#define XB_PAIR_FORMULA_H

#include "xb/error.h"

#include <stddef.h>
#include <stdint.h>

typedef struct xb_named_number {
  const char *name;
  uint64_t value;
} xb_named_number;

typedef struct xb_names {
  const xb_named_number *names;
  size_t count;
} xb_names;

/* Values are at most 2^63 - 1 and never negative. XB_INVALID, with what is wrong at `where`, for a text that is no
 * formula, an unknown name, a division by zero or with a remainder, a negative or a too large value. */
xb_code xb_formula(const char *where, const char *text, const xb_names *names, uint64_t *value, xb_error *err);

#endif
