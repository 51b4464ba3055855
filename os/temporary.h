/* Files and folders that are needed for a moment: in the folder TMPDIR, else in /tmp; on Windows, in the user's. If a
 * signal ends this process while it waits for another program, they are removed before. */
#ifndef XB_TEMPORARY_H
#define XB_TEMPORARY_H

#include <stdbool.h>
#include <stdio.h>

enum { XB_TEMPORARY_BYTES = 4096 };

/* Makes an empty file whose name ends so, and sets its path. Returns a descriptor; -1: see errno. */
int xb_temporary_file(char path[XB_TEMPORARY_BYTES], const char *ending);
/* Makes a folder, and sets its path. */
bool xb_temporary_folder(char path[XB_TEMPORARY_BYTES]);
/* Also a folder with all that is in it. */
void xb_temporary_remove(const char *path);
void xb_temporary_remove_all(void);
/* True for one of them that is not removed yet, and for what is in it. */
bool xb_is_temporary(const char *path);

/* Why one of them was not made, after the call that failed: "no temporary file in /nonexistent (TMPDIR): No such file
 * or directory". Valid until the next call. */
const char *xb_temporary_why(void);

/* A file without a name, as of tmpfile(), which does not read TMPDIR. NULL: see errno. */
FILE *xb_tmpfile(void);

/* A folder that only this user can write to, the same for each process; makes it. False if another user has its name,
 * or it cannot be made. Windows has none: its users have folders of their own. */
bool xb_private_folder(char path[XB_TEMPORARY_BYTES]);

#endif
