/* The processor. */
#ifndef XB_CPU_H
#define XB_CPU_H

#include <stddef.h>

/* Copies the value that Linux's /proc/cpuinfo has for "model name" or "cpu MHz", for the first CPU; "" if it is
 * unknown. */
void xb_cpu_info(const char *words, char *out, size_t out_bytes);

#endif
