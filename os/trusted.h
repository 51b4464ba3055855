/* Files that others may have written, and files that lie elsewhere. */
#ifndef XB_TRUSTED_H
#define XB_TRUSTED_H

#include <stdbool.h>
#include <stddef.h>

/* True if the file or folder is this user's, and nobody else may write to it. Also true if it is not there, and on
 * Windows, whose users have folders of their own. */
bool xb_is_private(const char *path);

/* True if the file is in the folder, with all links followed, or if it is not there. False without a folder. */
bool xb_is_within(const char *path, const char *folder);

#endif
