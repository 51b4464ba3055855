/* Numbers of every element type in memory, and elements of them: a side may have the same numbers in another layout. */
#ifndef XB_PAIR_NUMBERS_H
#define XB_PAIR_NUMBERS_H

#include "pair/reflect.h"

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

/* ---- Elements --------------------------------------------------------------------------------------------------- */

/* Bytes from the first number of a member to behind the last one, and to number i. */
uint32_t xb_member_bytes(const xb_member *member);
uint32_t xb_number_offset(const xb_member *member, uint32_t i);
/* One of the numbers of an element. */
typedef struct xb_number {
  const xb_member *member;
  uint32_t index;  /* in the member */
  uint32_t offset; /* in the element, bytes */
} xb_number;

enum { XB_MOST_NUMBERS = 256 };

/* True if it is numbers of one type without gaps. */
bool xb_is_plain(const xb_element *element);
/* All numbers of an element, in the order of its members. Returns how many. */
uint32_t xb_numbers_of(const xb_element *element, xb_number numbers[XB_MOST_NUMBERS]);
/* "float32 a, uint32 n, float32x3 w" */
void xb_describe_members(const xb_element *element, char *text, size_t bytes);
bool xb_elements_differ(const xb_element *a, const xb_element *b);
/* True if they have numbers of the same sizes, at least one of them at another place. */
bool xb_is_other_layout(const xb_element *a, const xb_element *b);
/* True if xb_repack finds each number of `to` in `from`. */
bool xb_has_numbers(const xb_element *from, const xb_element *to);
/* Writes `count` elements in the layout `to`. Members are found by their names if both have names, else the numbers
 * follow each other; numbers that `from` lacks are zero. */
void xb_repack(const xb_element *from, const void *data, uint64_t count, const xb_element *to, void *out);

#endif
