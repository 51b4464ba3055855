/* Facts about the program and the machine that runs it. */
#ifndef XB_HOST_H
#define XB_HOST_H

#include "result/result.h"

/* Static memory; for one thread only. */
const xb_result_host *xb_this_host(void);
/* Copies the value that /proc/cpuinfo has for this name, for the first CPU; "" if there is none. */
void xb_cpu_info(const char *words, char *out, size_t out_bytes);

#endif
