/* Sizes on the command line: 4194304, 2^22, 4Mi, 1e6, 4096x1000, 4096x1000x64, lists 1Ki,1Mi and ranges 2^16..2^28
 * (doubling). */
#ifndef XB_SIZES_H
#define XB_SIZES_H

#include "benchmarks/choice.h"

/* Returns XB_INVALID if the text is invalid; the message says what was expected. */
xb_code xb_parse_sizes(const char *text, xb_size sizes[XB_MAX_SIZES], size_t *count, xb_error *err);
#endif
