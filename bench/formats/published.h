/* What documents say of a benchmark, on other hardware, beside what was measured. */
#ifndef XB_PUBLISHED_H
#define XB_PUBLISHED_H

#include "formats/formats.h"

/* The published value of the result's variant and place, in the unit of its metric, if it is of the same size; "2.33x"
 * if it is not: the step from the rung before; "90 %" if only a part of the base is published. False, and "", if there
 * is none. */
enum { XB_PUBLISHED = 16 };
bool xb_format_published(const xb_result_benchmark *benchmark, const xb_result *result, char out[XB_PUBLISHED]);
/* Prints the published values of the variants in the group. */
void xb_print_published(const xb_group *group);

#endif
