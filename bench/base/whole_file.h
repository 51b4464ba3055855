/* Files that are read at once. */
#ifndef XB_WHOLE_FILE_H
#define XB_WHOLE_FILE_H

#include "base/arena.h"
#include "xb/error.h"

#include <stdbool.h>
#include <stdint.h>

enum {
  XB_MAX_FILE_BYTES = 256 << 20,  /* documents, machine code */
  XB_MAX_SOURCE_BYTES = 16 << 20, /* what people write */
};

/* The content of a regular file of at most XB_MAX_FILE_BYTES, with a zero byte behind it. XB_INVALID if it cannot be
 * read, with one line that is safe to print. */
xb_code xb_read_whole_file(const char *path, xb_arena *arena, char **data, size_t *bytes, xb_error *err);
/* The same with another limit. */
xb_code xb_read_file(const char *path, uint64_t most, xb_arena *arena, char **data, size_t *bytes, xb_error *err);
/* Refuses what xb_read_file would refuse, without reading it: for what another program reads. */
xb_code xb_check_readable(const char *path, uint64_t most, xb_error *err);
/* The same for an open file, from its beginning; `path` is for messages. STDIN_FILENO may be a pipe: it is read to its
 * end. */
xb_code xb_read_open_file(int fd, const char *path, uint64_t most, xb_arena *arena, char **data, size_t *bytes,
                          xb_error *err);

/* At most `most` bytes of an open file from its beginning, and a 0. The caller frees them; NULL: out of host memory. */
char *xb_read_some(int fd, size_t most, size_t *bytes);

#endif
