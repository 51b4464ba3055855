/* What the outputs of a pair must be: from a file, from a C function, or from one of the sides. */
#ifndef XB_PAIR_EXPECT_H
#define XB_PAIR_EXPECT_H

#include "pair/family.h"

/* Finds the side or opens the library that the pair names; its file starts at `folder`. Without a name, the side that
 * is checked first becomes the reference. */
xb_code xb_pair_set_reference(xb_pair *pair, const char *folder, xb_error *err);

/* Checks a part of an output, as xb_methods.check. The side that is the reference is the first to be asked: what it
 * wrote is kept and compared with what all sides write, itself included. */
bool xb_pair_check(const xb_case *c, const xb_chunk *chunk, char why[XB_WHY_BYTES]);

/* As xb_methods.confirm: a side alone proves nothing, and of two that disagree neither is known to be right. */
xb_code xb_pair_confirm(const xb_case *c, xb_error *err);

/* Adds to what another side disputes of this run: how much of it. */
void xb_pair_dispute(const xb_case *c, const char *how_much);

#endif
