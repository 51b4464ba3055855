/* The same numbers in another layout: a side may have them in another type, or with other gaps. */
#ifndef XB_PAIR_LAYOUT_H
#define XB_PAIR_LAYOUT_H

#include "pair/reflect.h"

/* Bytes from the first number of a member to behind the last one, and to number i. */
uint32_t xb_member_bytes(const xb_member *member);
uint32_t xb_number_offset(const xb_member *member, uint32_t i);
/* "float32 a, uint32 n, float32x3 w" */
void xb_describe_members(const xb_element *element, char *text, size_t bytes);
bool xb_elements_differ(const xb_element *a, const xb_element *b);
/* Writes `count` elements in the layout `to`. Members are found by their names if both have names, else the numbers
 * follow each other; numbers that `from` lacks are zero. */
void xb_repack(const xb_element *from, const void *data, uint64_t count, const xb_element *to, void *out);

#endif
