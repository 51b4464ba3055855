/* A FILE in memory, like open_memstream(), but if memory runs out, ferror() says so. With glibc's, a write that fails
 * leaves no trace. */
#ifndef XB_MEMORY_FILE_H
#define XB_MEMORY_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

/* After fflush(), *text has *length bytes and a 0 behind them. Both must live until fclose(); the caller frees *text
 * then. NULL: out of host memory. rewind() works; the text never gets shorter. */
FILE *xb_memory_open(char **text, size_t *length);

/* The file with its text, which is up to date behind xb_memory_whole(). It must not be moved while it is open. */
typedef struct xb_memory {
  FILE *file;
  char *text;
  size_t length;
} xb_memory;

/* False: out of host memory. */
static inline bool xb_memory_begin(xb_memory *m)
{
  m->file = xb_memory_open(&m->text, &m->length);
  return m->file;
}

/* True if the text has all that was written. */
static inline bool xb_memory_whole(xb_memory *m)
{
  return m->file && !fflush(m->file) && !ferror(m->file);
}

/* Closes and frees it, also one that could not be opened. */
static inline void xb_memory_end(xb_memory *m)
{
  if (m->file)
    fclose(m->file);
  free(m->text);
  *m = (xb_memory){NULL, NULL, 0};
}

#endif
