/* The second table of a comparison: facts that explain the ratios. */
#ifndef XB_COMPARISON_TABLE_H
#define XB_COMPARISON_TABLE_H

#include "formats/result_columns.h"

/* A line for each side of a pair. `timed`: the pairs show the times of both sides, so the facts do not. */
void xb_make_facts(xb_sheet *sheet, const xb_group *group, bool sweep, bool timed);

#endif
