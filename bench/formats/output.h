/* The files that a command writes. */
#ifndef XB_OUTPUT_H
#define XB_OUTPUT_H

#include "os/written_file.h"

/* An output file whose contents are collected in memory, and how it is written. Do not move the struct while it is
 * open. */
typedef struct xb_output {
  const char *path; /* NULL: no file was requested */
  FILE *file;       /* the contents, in memory; NULL: not requested, or closed */
  char *text;       /* the contents up to the last flush */
  size_t length;
  xb_written to;
  bool out_of_memory; /* `file` is not complete */
  bool reported;      /* the error of the last save was reported */
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

#endif
