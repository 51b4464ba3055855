/* One line of progress on stderr, on a terminal only. */
#ifndef XB_PROGRESS_H
#define XB_PROGRESS_H

#include <stddef.h>

/* xb_sampling.progress; `total` 0 = unknown. */
void xb_progress_show(void *user, const char *what, size_t done, size_t total);
void xb_progress_clear(void);

#endif
