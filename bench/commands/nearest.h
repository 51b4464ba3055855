/* Names that a person types: what there is, and the nearest. */
#ifndef XB_NEAREST_H
#define XB_NEAREST_H

#include <stddef.h>

/* The name of `names` that is fewest edits away from `typed`, or NULL where none is near. */
const char *xb_nearest(const char *typed, const char *const *names, size_t count);
/* "a, b, c" into `out`, cut with "..." where it does not fit. */
void xb_join(const char *const *names, size_t count, char *out, size_t out_bytes);

#endif
