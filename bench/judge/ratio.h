/* The ratio of two medians, how sure it is, and what may be said of it. */
#ifndef XB_RATIO_H
#define XB_RATIO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "result/result.h"

enum { XB_RESAMPLES = 4000 };

/* The bootstrap (Efron, 1979) over rounds: medians[b] is the median of the b-th resample, `rounds` rounds drawn with
 * replacement. With several placements they are what is drawn, and medians[b] is the mean of their medians (rounds of
 * one placement are no news of the others). The draws depend on seed and counts alone, so cells that were sampled in
 * the same rounds are resampled in the same rounds, and what a round did to all of them cancels in the quotients. Give
 * cells that were sampled apart seeds of their own. False: out of host memory. */
bool xb_bootstrap(const double *samples, size_t rounds, uint32_t placements, uint64_t seed,
                  double medians[XB_RESAMPLES]);

/* The middle 95 % of resampled values, which are left sorted (percentile interval). */
xb_interval xb_interval95(double values[XB_RESAMPLES]);

typedef enum xb_verdict { XB_UNCLEAR, XB_SAME, XB_FASTER, XB_SLOWER } xb_verdict;
const char *xb_verdict_name(xb_verdict verdict);

/* Of a ratio of times. SAME: the interval lies within the margin of 1, from 1 / (1 + margin) to 1 + margin; FASTER and
 * SLOWER: it lies wholly beyond; UNCLEAR: it crosses an end of the margin. With margin 0, FASTER is 'below 1'. */
xb_verdict xb_judge(xb_interval ratio, double margin);
/* Whether just one of two sides has a single placement because memory was short: the one says nothing of the other's.
 */
bool xb_placed_unlike(bool crowded, uint64_t placements, bool other_crowded, uint64_t other_placements);

#endif
