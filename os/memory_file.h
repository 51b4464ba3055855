/* A FILE in memory, like open_memstream(), but if memory runs out, ferror() says so. With glibc's, a write that fails
 * leaves no trace. */
#ifndef XB_MEMORY_FILE_H
#define XB_MEMORY_FILE_H

#include <stddef.h>
#include <stdio.h>

/* After fflush(), *text has *length bytes and a 0 behind them. Both must live until fclose(); the caller frees *text
 * then. NULL: out of host memory. rewind() works; the text never gets shorter. */
FILE *xb_memory_open(char **text, size_t *length);

#endif
