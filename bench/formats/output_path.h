/* The names of files that are written. */
#ifndef XB_OUTPUT_PATH_H
#define XB_OUTPUT_PATH_H

#include <limits.h>
#include <stdbool.h>

/* True for files in /dev and /proc, which are written in place. */
bool xb_in_system_folder(const char *path);
/* Sets `place` to the path without links. The file need not exist; a link to it may. Returns 0 or an errno. */
int xb_output_place(const char *path, char place[PATH_MAX]);
/* True if both name the same regular file, or will once it is written. */
bool xb_same_file(const char *a, const char *b);
/* True for a file that begins as a result document does. */
bool xb_begins_as_results(const char *path);

#endif
