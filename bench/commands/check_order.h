/* A run again, with other orders of threads and blocks. */
#ifndef XB_CHECK_ORDER_H
#define XB_CHECK_ORDER_H

#include "commands/options.h"

/* After a run that was right. Returns the exit code: XB_EXIT_WRONG if an order gives a wrong result or never ends. */
int xb_check_order(const xb_options *options, int (*run)(const xb_options *options));

#endif
