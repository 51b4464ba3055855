/* A run in a process of its own. */
#ifndef XB_RUN_IN_CHILD_H
#define XB_RUN_IN_CHILD_H

#include "commands/subcommands.h"
#include "diff/diff.h"

/* Runs with these options, and writes the results to this file only. */
int xb_run_to_file(const char *path, void *options);

/* Calls a function that writes a result document to a file and returns an exit code, in another process, so each run
 * has its own driver and memory. Sets `bytes`, which the caller frees, to the document. The errors of the other process
 * are not shown: the last one is in `why`. It can even crash. Returns -1 if there is a document; else the exit code. */
enum { XB_WHY = 512 }; /* bytes */
typedef int xb_child_fn(const char *path, void *user);
int xb_call_in_child(xb_child_fn *fn, void *user, char **bytes, size_t *count, char why[XB_WHY]);

/* ---- The runs of xbench diff --again ----------------------------------------------------------------------------- */

/* What is measured: a run or, which is compiled in each run, a pair. */
typedef struct xb_again {
  xb_invocation *in; /* its command line */
  bool pair;
} xb_again;

/* Reads the words BASE.json ARGS... All functions return -1 on success; otherwise the error has been reported and this
 * is the exit code. */
int xb_parse_run_words(const char *const *words, xb_again *run);
/* The first run: all that the options say, with their files. */
int xb_measure_first(const xb_again *run, const xb_document **document);
/* Run `again_count` of what is open, with another seed: the buffers lie elsewhere. Appends to `again`. */
int xb_measure_again(const xb_again *run, xb_diff *diff);

#endif
