/* The command line of `xbench diff`. */
#ifndef XB_DIFF_OPTIONS_H
#define XB_DIFF_OPTIONS_H

#include <stdint.h>

typedef struct xb_diff_options {
  const char *base, *now, *json; /* live until the next call */
  double threshold;              /* a part of 1; < 0: by the kind of device */
  uint64_t seed;
  int markdown, force;
} xb_diff_options;

/* -1: go on; else the exit code to leave with, after the mistake was told. */
int xb_parse_diff(int argc, const char **argv, xb_diff_options *o);

#endif
