/* Which row of the guide answers a look-up best. */
#ifndef XB_GUIDE_RANK_H
#define XB_GUIDE_RANK_H

#include "guide/rows.h"

/* How well the row answers the words together; 0: not at all. More where its name or its first quotations are the
 * words, less where they stand in a list or in prose. Traps come after rows. A plural `s` does not matter. */
int xb_guide_rank(const xb_guide_row *row, const char *const *words);

enum { XB_GUIDE_MOST_ROWS = 500 };

/* The same for words that no row has together, of all rows, cut at hyphens, lines and capitals: 0 to 200. False if rows
 * have less than half of what the words say; `ranks` then are those of the nearest rows. */
bool xb_guide_ranks_apart(const xb_guide_row *rows, size_t count, const char *const *words, int *ranks);

/* The name of a row that is nearest to a mistyped word: one or two letters left out, added, changed or exchanged.
 * Writes it to `name`; returns false if none is near. */
bool xb_guide_near_name(const char *typed, char *name, size_t bytes);

#endif
