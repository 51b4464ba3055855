/* The files that a command writes. */
#ifndef XB_OUTPUT_H
#define XB_OUTPUT_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/types.h>

/* An output file whose contents are collected in memory. Each save writes all of them to PLACE.part-PID, replacing the
 * last save atomically, so the part is always complete. If the disk has no room for both, the save extends the part
 * instead. The commit renames the part to PLACE, so PLACE never has half of the contents. The new file keeps the mode
 * of the old one. Files that cannot be replaced (a FIFO, a device, a mount, a file in a read-only folder) are written
 * once, by the commit. Parts of other processes (PLACE.part-*) are not touched. Do not move the struct while it is
 * open. */
typedef struct xb_output {
  const char *path; /* NULL: no file was requested */
  FILE *file;       /* the contents, in memory; NULL: not requested, or closed */
  char *text;       /* the contents up to the last flush */
  size_t length;
  char place[PATH_MAX];     /* `path` without links; empty if written in place */
  char part[PATH_MAX + 48]; /* file with the last save */
  mode_t mode;              /* of the file to replace; 0: there is none */
  int in_place;             /* descriptor of the file at `path`; -1: there is none */
  int in_part;              /* descriptor of the part; -1: no part */
  size_t saved;             /* bytes in the part; 0: no part */
  bool out_of_memory;       /* `file` is not complete */
  bool reported;            /* the error of the last save was reported */
} xb_output;

typedef enum xb_output_kind {
  XB_OUTPUT_RESULTS, /* a result document */
  XB_OUTPUT_OTHER,   /* anything else; does not replace a result document. Neither replaces what xbench did not write */
} xb_output_kind;

/* Returns false if the path cannot be written; the error has been reported. A NULL path is allowed. */
bool xb_output_open(xb_output *output, const char *path, xb_output_kind kind);
/* Saves the contents, which may only grow. Returns false on an error: it was reported, and the part is unchanged. */
bool xb_output_save(xb_output *output);
/* Saves, renames and closes. Returns false on an error: it was reported, and the part remains. */
bool xb_output_commit(xb_output *output);
/* Closes, and removes the part. */
void xb_output_abandon(xb_output *output);
/* True if both name the same regular file, or will once it is written. */
bool xb_same_file(const char *a, const char *b);

#endif
