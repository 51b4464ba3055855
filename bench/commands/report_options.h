/* The command line of `xbench report`. */
#ifndef XB_REPORT_OPTIONS_H
#define XB_REPORT_OPTIONS_H

#include <stddef.h>

enum { XB_MOST_REPORT_FILES = 256 };

typedef struct xb_report_options {
  const char *output;
  const char *files[XB_MOST_REPORT_FILES]; /* live until the next call, as `output` does */
  size_t count;
} xb_report_options;

/* -1: go on; else the exit code to leave with, after the mistake was told. */
int xb_parse_report(int argc, const char **argv, xb_report_options *o);

#endif
