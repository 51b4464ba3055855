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
/* What a file has, by its first bytes. */
typedef enum xb_contents {
  XB_CONTENTS_NONE, /* or it is no regular file */
  XB_CONTENTS_RESULTS,
  XB_CONTENTS_OWN,     /* another document of xbench's, a table, a page */
  XB_CONTENTS_FOREIGN, /* such as a source or a manifest */
} xb_contents;
xb_contents xb_contents_of(const char *path);

#endif
