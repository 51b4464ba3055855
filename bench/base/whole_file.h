/* Files that are read or written at once. */
#ifndef XB_WHOLE_FILE_H
#define XB_WHOLE_FILE_H

#include "base/arena.h"
#include "xb/error.h"

#include <stdbool.h>

/* The file's content, with a zero byte behind it. XB_INVALID if it cannot be read. */
xb_code xb_read_whole_file(const char *path, xb_arena *arena, char **data, size_t *bytes, xb_error *err);
/* The same for an open file, from its beginning; `path` is for messages. */
xb_code xb_read_open_file(int fd, const char *path, xb_arena *arena, char **data, size_t *bytes, xb_error *err);
/* Writes a temporary file beside `path` and renames it, so that a reader sees all of it or nothing. False: errno
 * says why. */
bool xb_write_whole_file(const char *path, const void *data, size_t bytes);

/* At most `most` bytes of an open file from its beginning, and a 0. The caller frees them; NULL: out of host memory. */
char *xb_read_some(int fd, size_t most, size_t *bytes);

#endif
