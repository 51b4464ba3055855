/* Sizes on the command line: 4194304, 2^22, 4Mi, 1e6, 4096x1000, 4096x1000x64, lists 1Ki,1Mi and ranges 2^16..2^28
 * (doubling). */
#ifndef XB_SIZES_H
#define XB_SIZES_H

#include <stddef.h>
#include <stdint.h>

#include "xb/error.h"

enum { XB_MAX_SIZES = 128 };

/* `rows` is 0 if only one number was given: a number of elements, or the columns of a square matrix. `inner` is 0
 * unless three were given. */
typedef struct xb_size {
  uint64_t rows, columns, inner;
} xb_size;

/* Returns XB_INVALID if the text is invalid; the message says what was expected. */
xb_code xb_parse_sizes(const char *text, xb_size sizes[XB_MAX_SIZES], size_t *count, xb_error *err);
#endif
