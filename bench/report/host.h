/* The program and the machine that it runs on. */
#ifndef XB_HOST_H
#define XB_HOST_H

#include "result/result.h"

/* Static; one thread. */
const xb_result_host *xb_this_host(void);

#endif
