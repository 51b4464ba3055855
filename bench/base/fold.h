/* Fits text to the terminal: folds lines of stdout that are too long. */
#ifndef XB_FOLD_H
#define XB_FOLD_H

/* From now on, lines on stdout that are longer than xb_terminal_limit() continue on the next row, indented. Does
 * nothing if there is no limit. */
void xb_fold_stdout(void);
/* A blank, at which a line that is too long is folded first. */
const char *xb_fold_here(void);

#endif
