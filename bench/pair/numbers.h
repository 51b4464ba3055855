/* Numbers of every element type in memory. */
#ifndef XB_PAIR_NUMBERS_H
#define XB_PAIR_NUMBERS_H

#include "benchmarks/benchmark.h"

bool xb_is_float(xb_dtype dtype);
/* False if there is no such name. Upper and lower case are the same. */
bool xb_dtype_find(const char *name, size_t length, xb_dtype *dtype);

/* "int", "uint" or "float", of so many bytes. */
bool xb_dtype_of(const char *kind, uint32_t bytes, xb_dtype *dtype);

/* Integers above 2^53 lose digits. */
double xb_get_number(xb_dtype dtype, const void *from);
/* Integers wrap. */
void xb_put_number(xb_dtype dtype, double value, void *to);
int64_t xb_get_integer(xb_dtype dtype, const void *from); /* with its sign */
void xb_put_integer(xb_dtype dtype, uint64_t value, void *to);

/* How many numbers of the type lie between two of them; 0: equal, also of two NaNs or two zeros; UINT64_MAX: one is a
 * NaN. Of integers: the difference. */
uint64_t xb_ulps(xb_dtype dtype, const void *a, const void *b);
/* "0.5", "-17" */
const char *xb_print_number(xb_dtype dtype, const void *from, char out[32]);

#endif
