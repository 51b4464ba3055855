/* What leaves through stdout: it is safe for a terminal, and fits it. */
#ifndef XB_FOLD_H
#define XB_FOLD_H

#include <stdio.h>

/* From now on, a '?' replaces what a terminal would act upon (safe_text.h) in all that is printed on stdout: names of
 * files, devices and kernels come from anywhere. Line ends and tabs stay. Files that --json and others name do not go
 * through it. */
void xb_guard_stdout(void);
/* Prints text with escape sequences of our own. */
void xb_print_ours(FILE *out, const char *text);
/* From now on, lines on stdout that are longer than xb_terminal_limit() continue on the next row, indented. Does
 * nothing if there is no limit. */
void xb_fold_stdout(void);
/* Prints what has no line end yet. */
void xb_fold_end(void);
/* A blank, at which a line that is too long is folded first. */
const char *xb_fold_here(void);

#endif
