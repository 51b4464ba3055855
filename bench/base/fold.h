/* Fits text to the terminal: folds lines of stdout that are too long, and chooses the columns of a table. */
#ifndef XB_FOLD_H
#define XB_FOLD_H

#include <stddef.h>

/* From now on, lines on stdout that are longer than xb_terminal_limit() continue on the next row, indented. Does
 * nothing if there is no limit. */
void xb_fold_stdout(void);
/* A blank, at which a line that is too long is folded first. */
const char *xb_fold_here(void);

/* Columns are bits; the least important one is bit 0. Returns those of `all` that fit: `width` returns the width of a
 * table that has these columns. */
unsigned xb_fit_columns(unsigned all, size_t (*width)(const void *table, unsigned columns), const void *table);

#endif
