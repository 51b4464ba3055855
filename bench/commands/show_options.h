/* The command line of `xbench show`. */
#ifndef XB_SHOW_OPTIONS_H
#define XB_SHOW_OPTIONS_H

#include "show/twins.h"

typedef struct xb_show_options {
  char *columns, *html; /* live until the next call */
  int headers, host, diff;
  xb_twins pair, before; /* `before` where `diff` is set */
} xb_show_options;

/* -1: go on; else the exit code to leave with, after the mistake was told. */
int xb_parse_show(int argc, const char **argv, xb_show_options *o);

/* ---- show_names.c ----------------------------------------------------------------------------------------------- */

/* BENCHMARK/VARIANT, or FOLDER/PAIR. False: the mistake was told. */
bool xb_show_find(const char *typed, xb_twins *pair);
/* What `pair` is held against: "reduce/6", or "6" of the same benchmark; NULL: the rung before it. */
bool xb_show_find_before(const char *typed, const xb_twins *pair, xb_twins *before);

#endif
