/* The program and the machine that it runs on. */
#ifndef XB_HOST_H
#define XB_HOST_H

#include "result/result.h"

/* Static; one thread. */
const xb_result_host *xb_this_host(void);
/* Of the first CPU: what /proc/cpuinfo has behind these words; "" where it has none. */
void xb_cpu_info(const char *words, char *out, size_t out_bytes);

#endif
