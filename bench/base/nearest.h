/* Suggestions for mistyped names. */
#ifndef XB_NEAREST_H
#define XB_NEAREST_H

#include <stddef.h>

/* The name that needs the fewest edits from `typed`; if none is close, the name that begins most like it; or NULL. */
const char *xb_nearest(const char *typed, const char *const *names, size_t count);
/* Writes "a, b, c" to `out`, cut with "..." if it does not fit. */
void xb_join(const char *const *names, size_t count, char *out, size_t out_bytes);

#endif
