/* The command line of `xbench guide`. */
#ifndef XB_GUIDE_OPTIONS_H
#define XB_GUIDE_OPTIONS_H

#include "guide/guide.h"

enum { XB_MAX_GUIDE_CASES = 64 };

typedef struct xb_guide_options {
  char *backend, *device, *json; /* live until the next call */
  int list, cost;
  const xb_guide_case *cases[XB_MAX_GUIDE_CASES];
  size_t count;
} xb_guide_options;

/* -1: go on; else the exit code to leave with, after the mistake was told. */
int xb_parse_guide(int argc, const char **argv, xb_guide_options *o);

#endif
