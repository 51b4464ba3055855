/* Differences between what a kernel wrote and what it should have written. `count` is the number of elements. */
#ifndef XB_PAIR_DIFFER_H
#define XB_PAIR_DIFFER_H

#include "pair/pair.h"

/* False if elements still have the chunk's poison: one of a float type or a struct, or of another type two words in a
 * row, as a word alone may be a result. */
bool xb_is_all_written(const xb_pair_buffer *b, const xb_chunk *chunk, uint64_t count, char why[XB_WHY_BYTES]);
/* Elements of `wanted` that still have the poison of its run get that of the chunk, in place. */
void xb_adopt_poison(const xb_pair_buffer *b, const xb_chunk *chunk, uint64_t count, uint32_t poison, void *wanted);
/* False, with the first differences in `why`, if elements differ by more than the buffer's rule allows. `who` has
 * `wanted`. Counts those of the buffer that differ, and all. */
bool xb_is_same(xb_pair_buffer *b, const xb_chunk *chunk, uint64_t count, const void *wanted, const char *who,
                char why[XB_WHY_BYTES]);
/* As in xb_methods: "; 12 of 4096 elements differ by more than 4 ulp (--tolerance)". */
void xb_pair_tell(const xb_case *c, uint32_t slot, char why[XB_WHY_BYTES]);
/* Looks whether the buffer's tolerance tells right results from zeros. */
void xb_weigh_tolerance(xb_pair_buffer *b, uint64_t count, const void *wanted);
/* As in xb_methods: a tolerance that takes zeros for the results, or twice their values. */
const char *xb_pair_remark(const xb_case *c);

#endif
