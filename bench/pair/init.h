/* xbench pair --init */
#ifndef XB_PAIR_INIT_H
#define XB_PAIR_INIT_H

#include "pair/pair.h"

/* Writes NAME.json with what the sources say, and xbench_reference.h beside it. Returns the exit code. */
int xb_pair_init(xb_pair *pair, xb_pair_manifest *manifest);

#endif
