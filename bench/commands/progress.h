/* A progress bar on stderr, on a terminal only. */
#ifndef XB_PROGRESS_H
#define XB_PROGRESS_H

/* `done`: 0 to 1, of what took `spent_s` so far. */
void xb_progress_show(const char *what, double done, double spent_s);
void xb_progress_clear(void);

#endif
