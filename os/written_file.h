/* The one way to write a file: under another name beside its own, which it gets when it is whole. A write that fails (a
 * full disk, a folder that is gone) leaves the old file as it is. Links are followed, and the new file has the old
 * one's mode. Files that cannot be replaced (a FIFO, a device, a mount, a file in a read-only folder) are written in
 * place. Functions that return int return 0 or an errno. */
#ifndef XB_WRITTEN_FILE_H
#define XB_WRITTEN_FILE_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/types.h>

/* Contents that may grow. Each save puts all of them into PLACE.part-PID, replacing the last save atomically, so the
 * part is always complete. If the disk has no room for both, the save extends the part instead. The commit renames the
 * part to PLACE. Parts of other processes (PLACE.part-*) are not touched. */
typedef struct xb_written {
  const char *path;
  FILE *stream;             /* of xb_written_begin */
  char place[PATH_MAX];     /* `path` without links; empty if written in place */
  char part[PATH_MAX + 64]; /* file with the last save */
  mode_t mode;              /* of the file to replace, or of a new one; 0: that of any new file */
  int in_place;             /* descriptor of the file at `path`; -1: there is none */
  int in_part;              /* descriptor of the part; -1: no part */
  size_t saved;             /* bytes in the part */
  bool synced;              /* saves are on the disk when they return */
} xb_written;

#define XB_NOT_WRITTEN                                                                                                 \
  {                                                                                                                    \
    .in_place = -1, .in_part = -1                                                                                      \
  } /* before it is opened */

/* Tries whether a file can be made beside PLACE. */
int xb_written_open(xb_written *written, const char *path);
/* On an error, the part is as the last save left it. */
int xb_written_save(xb_written *written, const char *text, size_t length);
/* Saves and renames. On an error the part remains. */
int xb_written_commit(xb_written *written, const char *text, size_t length);
/* Closes; a part remains. */
void xb_written_close(xb_written *written);
/* Closes, and removes the part. */
void xb_written_abandon(xb_written *written);

/* For contents that are not in memory as a whole: a stream, until the end; NULL: errno says why. */
FILE *xb_written_begin(xb_written *written, const char *path);
/* Closes the stream. The file gets its name, or is removed if something failed or it is not `good`. */
int xb_written_end(xb_written *written, bool good);

/* Everything at once. False: errno says why. */
bool xb_write_whole_file(const char *path, const void *data, size_t bytes);
/* The same; only this user can read it. */
bool xb_write_private(const char *path, const void *data, size_t bytes);

/* True if both name the same regular file, or will once it is written. */
bool xb_same_file(const char *a, const char *b);

#endif
