/* The program's texts are UTF-8, the system's UTF-16. The program's manifest makes the C library's texts UTF-8, too, so
 * only calls of the system itself need these. */
#ifndef XB_WIDE_H
#define XB_WIDE_H

#include <stdbool.h>
#include <stddef.h>
#include <windows.h>

enum { XB_WIDE = 32768 }; /* the longest path of Windows */

/* False if it does not fit. */
bool xb_widen(const char *text, wchar_t *out, size_t most);
bool xb_narrow(const wchar_t *text, char *out, size_t most);
/* Replaces backslashes. */
void xb_use_slashes(char *path);
/* Sets errno from GetLastError(). Returns -1. */
int xb_failed(void);

#endif
