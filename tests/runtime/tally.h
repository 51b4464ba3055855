/* A benchmark that is made at run time, as a user's own pair of kernels is: from malloc, without a table of the build.
 * It has what no built-in one has: two kernels in one plan, a fill, an input of 8-byte elements with a generator and a
 * length of its own, two outputs, two metrics, two axes, and code that it finds itself. */
#ifndef TALLY_H
#define TALLY_H

#include "xb/error.h"

/* Adds `tally`; `mistally`, each of whose variants is wrong in its own way; and `unchecked`, which leaves out all
 * methods that may be NULL. They live as long as the program. */
xb_code tally_add(xb_error *err);

#endif
