/* The files that a command writes. */
#ifndef XB_OUTPUT_H
#define XB_OUTPUT_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/types.h>

/* A file whose contents grow in memory. Each save puts a whole new file beside its place, PLACE.part-PID, over the one
 * before: at any moment what is there is complete, up to the last save. Only where the disk has no room for both is the
 * one before extended. The commit renames it into its place, which so never holds half a file, and keeps the mode of
 * the file that was there. What cannot be replaced (a FIFO, a device, a file that is a mount or whose folder is not
 * writable) is written once, by the commit. Files that other processes left there, PLACE.part-*, stay untouched. Must
 * not be moved while it is open. */
typedef struct xb_output {
  const char *path; /* NULL: not asked for */
  FILE *file;       /* in memory: all of the contents; NULL: not asked for, or closed */
  char *text;       /* ... up to the last flush */
  size_t length;
  char place[PATH_MAX];     /* where `path` leads; empty for what is written in place */
  char part[PATH_MAX + 48]; /* beside it: the last save */
  mode_t mode;              /* of a file that is replaced; 0: there is none */
  int in_place;             /* of the file that is there; -1: there is none */
  int in_part;              /* of the last save; -1: there is none */
  size_t saved;             /* bytes in the part; 0: there is none */
  bool out_of_memory;       /* `file` does not have everything */
  bool reported;            /* that it cannot be saved: once is enough */
} xb_output;

typedef enum xb_output_kind {
  XB_OUTPUT_RESULTS, /* a result document */
  XB_OUTPUT_OTHER,   /* may not replace one */
} xb_output_kind;

/* False, with the reason reported, where the path cannot be written; nothing was done yet. */
bool xb_output_open(xb_output *output, const char *path, xb_output_kind kind);
/* For contents that only grow. False: this could not be saved; it was reported, and the part is as it was. */
bool xb_output_save(xb_output *output);
/* Saves what is not saved, renames, and closes. False: it was reported, and the part stays. */
bool xb_output_commit(xb_output *output);
/* Closes, and leaves nothing behind. */
void xb_output_abandon(xb_output *output);

#endif
