/* Facts about the program and the machine that runs it. */
#ifndef XB_HOST_H
#define XB_HOST_H

#include "result/result.h"

/* Static memory; for one thread only. */
const xb_result_host *xb_this_host(void);

#endif
