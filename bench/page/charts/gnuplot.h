/* Runs gnuplot as a child process. */
#ifndef XB_GNUPLOT_H
#define XB_GNUPLOT_H

#include <stddef.h>

/* Runs gnuplot without start-up files; it reads `script` from a file in memory. `*text` is its output, ending with a 0
 * byte; the caller frees it. Returns -1 on success. Otherwise reports the error in one line and returns the exit code:
 * gnuplot is not installed, failed (with its first error message), printed too much or took too long. */
int xb_gnuplot(const char *script, size_t length, char **text);

#endif
