/* The names of files that are written. */
#ifndef XB_OUTPUT_PATH_H
#define XB_OUTPUT_PATH_H

#include <limits.h>
#include <stdbool.h>

/* What the system keeps under /dev and /proc: written in place, never replaced. */
bool xb_in_system_folder(const char *path);
/* Where the file is or will be: the path without links, also without a last link to a file that is not there yet. 0, or
 * the errno of what failed. */
int xb_output_place(const char *path, char place[PATH_MAX]);
/* True if both name the same regular file, or will once it is written. */
bool xb_same_file(const char *a, const char *b);
/* True for a file that begins as a result document does. */
bool xb_begins_as_results(const char *path);

#endif
