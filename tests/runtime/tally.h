/* A benchmark that is created at run time, as a user does for a pair of kernels: with malloc, not by the build. It has
 * features that no built-in benchmark has: two kernels in one plan, a fill, an input of 8-byte elements with its own
 * generator and length, two outputs, two metrics, two axes, and code that it loads itself. */
#ifndef TALLY_H
#define TALLY_H

#include "xb/error.h"

/* Adds three benchmarks: `tally`; `mistally`, whose variants each have one fault; and `unchecked`, without any of the
 * optional methods. They are valid until the program ends. */
xb_code tally_add(xb_error *err);

#endif
