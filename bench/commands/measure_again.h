/* The runs of `xbench diff --again`. */
#ifndef XB_MEASURE_AGAIN_H
#define XB_MEASURE_AGAIN_H

#include "commands/options.h"
#include "diff/diff.h"

/* Reads the words BASE.json ARGS... All functions return -1 on success; otherwise the error has been reported and this
 * is the exit code. */
int xb_take_run(const char *const *words, const xb_options **run);
/* The first run: all that the options say, with their files. */
int xb_measure_first(const xb_options *options, const xb_document **document);
/* Run `again_count` of what is open, with another seed: the buffers lie elsewhere. Appends to `again`. */
int xb_measure_again(const xb_options *options, xb_diff *diff);

#endif
