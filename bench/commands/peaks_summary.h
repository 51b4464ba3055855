/* What `xbench peaks` begins with: the ceilings that one looks for first, in a few lines. */
#ifndef XB_PEAKS_SUMMARY_H
#define XB_PEAKS_SUMMARY_H

#include "formats/formats.h"

/* From now on, what is printed is kept. */
void xb_peaks_begin(void);
/* Notes the peaks of a group. */
void xb_peaks_note(const xb_group *group);
/* Prints the summary, and what was kept. */
void xb_peaks_end(void);

#endif
