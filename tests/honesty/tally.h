/* Counts verdicts, and holds the counts against bars. */
#ifndef HONESTY_TALLY_H
#define HONESTY_TALLY_H

#include "judge/judge.h"
#include "measure/cell.h"

typedef struct honesty_tally {
  int verdicts[4], count;
  int without_one; /* intervals that leave out 1: with margin 0, these would be called faster or slower */
  double worst;    /* largest distance of a ratio from 1 */
} honesty_tally;

void honesty_note(honesty_tally *t, xb_verdict verdict, double ratio, xb_interval interval);
void honesty_print(const char *what, const honesty_tally *t);
/* Prints a comparison that was not called 'same'. */
void honesty_report(const char *benchmark, const char *variant, uint64_t n, double ratio, xb_interval interval,
                    xb_verdict verdict);
/* Compares measured cells with the base among them. The comparison of cell i is counted in tallies[tally_of[i]];
 * without `tally_of`, all are counted in the first tally, and those that are not the same are printed. */
void honesty_compare(const xb_cell *cells, size_t count, double margin, uint64_t seed, honesty_tally *tallies,
                     const size_t tally_of[]);

/* The bars. They print which one is missed, and return false. Comparisons of equal cells: 300 or more, none of them
 * called faster or slower, and `same_percent` of them called the same. */
bool honesty_equal(const char *what, const honesty_tally *t, double same_percent);
/* Cells that really are slower: all are called slower. */
bool honesty_found(const char *what, const honesty_tally *t);

#endif
