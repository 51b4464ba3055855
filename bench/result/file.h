/* A whole file in memory. */
#ifndef XB_LOAD_FILE_H
#define XB_LOAD_FILE_H

#include <stddef.h>

#include "xb/error.h"

/* `*bytes` is the caller's, to free. `where` is what messages begin with. Only regular files of 1 to `most` bytes. */
xb_code xb_read_file(const char *path, const char *where, size_t most, char **bytes, size_t *count, xb_error *err);

#endif
