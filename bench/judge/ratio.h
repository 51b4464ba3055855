/* The ratio of two medians, its interval, and the verdict. */
#ifndef XB_RATIO_H
#define XB_RATIO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "judge/interval.h"

/* The bootstrap (Efron, 1979) over rounds: medians[b] is the median of resample b, `rounds` rounds drawn with
 * replacement. With several placements, it draws placements instead, and medians[b] is the mean of their medians
 * (rounds of one placement say nothing about the others). The draws depend on the seed and the counts only. So cells of
 * the same rounds are resampled in the same rounds, and effects of a round on all of them cancel in the ratios. Cells
 * that were sampled separately need different seeds. Returns false if out of host memory. */
bool xb_bootstrap(const double *samples, size_t rounds, uint32_t placements, uint64_t seed,
                  double medians[XB_RESAMPLES]);

typedef enum xb_verdict { XB_UNCLEAR, XB_SAME, XB_FASTER, XB_SLOWER } xb_verdict;
const char *xb_verdict_name(xb_verdict verdict);

/* The verdict on a ratio of times. SAME: the interval is within the margin of 1, from 1 / (1 + margin) to 1 + margin.
 * FASTER and SLOWER: it is completely outside. UNCLEAR: it contains an end of the margin. With margin 0, FASTER means
 * below 1. */
xb_verdict xb_judge(xb_interval ratio, double margin);

#endif
