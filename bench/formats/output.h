/* The files that a command writes. */
#ifndef XB_OUTPUT_H
#define XB_OUTPUT_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* An output file whose contents are collected in memory. Each save writes all of them to PLACE.part-PID, replacing the
 * last save atomically, so the part is always complete. The commit renames the part to PLACE, so PLACE never has half
 * of the contents. Files that cannot be replaced (a FIFO, a device, a broken link) are written once, by the commit.
 * Parts of other processes (PLACE.part-*) are not touched. Do not move the struct while it is open. */
typedef struct xb_output {
  const char *path; /* NULL: no file was requested */
  FILE *file;       /* the contents, in memory; NULL: not requested, or closed */
  char *text;       /* the contents up to the last flush */
  size_t length;
  char place[PATH_MAX];     /* `path` without links; empty if written in place */
  char part[PATH_MAX + 48]; /* file with the last save */
  char next[PATH_MAX + 56]; /* file of the save in progress */
  int in_place;             /* descriptor, if written in place; else -1 */
  size_t saved;             /* bytes in the part; 0: no part */
  bool out_of_memory;       /* `file` is not complete */
  bool reported;            /* an error was reported; later ones are not */
} xb_output;

/* Returns false if the path cannot be written; the error has been reported. A NULL path is allowed. */
bool xb_output_open(xb_output *output, const char *path);
/* Saves the contents, which may only grow. Returns false on an error: it was reported, and the part is unchanged. */
bool xb_output_save(xb_output *output);
/* Saves, renames and closes. Returns false on an error: it was reported, and the part remains. */
bool xb_output_commit(xb_output *output);
/* Closes, and removes the part. */
void xb_output_abandon(xb_output *output);

#endif
