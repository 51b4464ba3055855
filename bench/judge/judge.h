/* Compares two results: ratio, interval, verdict, and means of ratios. All comparisons use this code: those of a run,
 * of two files, and of a page. */
#ifndef XB_JUDGE_H
#define XB_JUDGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "judge/stats.h"
#include "result/result.h"
#include "xb/error.h"

/* ---- The ratio of two medians, its interval, and the verdict ----------------------------------------------------- */

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

/* ---- Two results ------------------------------------------------------------------------------------------------- */

/* Fewer samples give no useful interval. */
enum { XB_MIN_SAMPLES = 10 };
/* Of fewer, no two are 95 % sure to have the median between them. */
enum { XB_INTERVAL_SAMPLES = 6 };

/* The peak bandwidth from memory clock and bus width, with 2 transfers per clock, in 10^9 bytes per second; 0 if one of
 * them is unknown. */
double xb_peak_gbps(uint64_t memory_clock_khz, uint64_t memory_bus_bits);
/* The same of PCI Express one way, from 10^9 transfers per second and lane: their code takes 1/5, since 8 GT/s 1/65. */
double xb_bus_gbps(double transfers, double lanes);
/* The peak of float32 in 10^9 operations per second, with a multiplication and an addition a lane and clock; 0 if a
 * number is unknown. Drivers tell the multiprocessors; their lanes follow from 10 * major + minor. */
double xb_peak_gflops(uint32_t compute_capability, uint32_t multiprocessors, uint32_t clock_khz);

/* True if the device is a CPU. */
bool xb_is_cpu(const xb_result_device *on);
/* True if a comparison says whether both are right, and nothing about their times: one of them is emulated. */
bool xb_is_check(const xb_comparison *c);
/* The default margin: a smaller difference counts as the same. docs/internals/method.md has the measurements behind it.
 */
double xb_default_margin(const xb_result_device *on);

/* True for a stream that is not held: short runs take as long as the host needs to issue them, so their times are not
 * compared with times of a device. */
bool xb_as_launched(const xb_result *r);
/* True if the host needs as long to issue a run as the device takes for it. Streams only. */
bool xb_host_bound(const xb_result *r);

/* True if successive samples are so much alike that the interval had to be widened by much, and chance does not explain
 * it. */
bool xb_autocorrelated(const xb_result *r);

/* ---- Two results ------------------------------------------------------------------------------------------------ */

typedef struct xb_rules {
  double margin;
  const char *subject, *base; /* their names in reasons: "this side", "the base" */
  const char *margin_name;    /* "margin" */
  const char *sample_name;    /* "rounds" */
  /* Results of the same rounds are resampled with the same seed, so that effects of a round on both cancel. */
  uint64_t subject_seed, base_seed;
  bool same_rounds; /* use the same number of rounds of both */
} xb_rules;

typedef struct xb_judgement {
  bool compared; /* if false, only `reason` is set */
  double subject_ns, base_ns;
  double ratio; /* of the medians of all samples */
  xb_interval interval;
  /* The same after subtracting the difference of the two floors from the subject's time; NAN if a floor is unknown. */
  double ratio_less_floors;
  xb_interval interval_less_floors;
  double margin;
  xb_verdict verdict;
  double chance;   /* of a ratio this far beyond the margin, above or below, if there were no difference beyond it */
  bool unlike;     /* throttling, placements or the number of samples make it unclear, whatever the interval */
  char reason[96]; /* why the verdict is unclear or there is no comparison, or what the verdict leaves out; else "" */
  size_t rounds;   /* most rounds used of each */
} xb_judgement;

/* Space for the resamples of a pair. */
typedef struct xb_judge_scratch {
  double subject[XB_RESAMPLES], base[XB_RESAMPLES], subject_floor[XB_RESAMPLES], base_floor[XB_RESAMPLES];
  double values[XB_RESAMPLES], log_ratios[XB_RESAMPLES]; /* log_ratios: for xb_mean_add, if the pair was compared */
} xb_judge_scratch;

/* `floors` are those of subject and base, launch/1 of their rounds; NULL if missing. Returns false if out of host
 * memory. */
bool xb_judge_pair(const xb_result *subject, const xb_result *base, const xb_result *const floors[2],
                   const xb_rules *rules, xb_judge_scratch *scratch, xb_judgement *judgement);
/* Returns true if the two can be compared; otherwise `reason` says why not. */
bool xb_may_compare(const xb_result *subject, const xb_result *base, const xb_rules *rules, char reason[96]);

/* ---- Geometric means -------------------------------------------------------------------------------------------- */

/* The mean of the ratios of one benchmark, of one side and one baseline. */
typedef struct xb_mean_sum {
  double log_sum, *log_sums; /* of the logarithms of the ratios; the same for each resample */
  size_t compared, of;
  bool many_bases;    /* its pairs have different baseline variants */
  bool other_variant; /* a baseline is not the same variant as its subject */
} xb_mean_sum;

/* Adds a pair that was compared. Returns false if out of host memory. */
bool xb_mean_add(xb_mean_sum *sum, const xb_judgement *judgement, const xb_judge_scratch *scratch);
/* Returns the geometric mean. Its interval covers the noise of the cells only, because the cells are not a random
 * sample. NAN if nothing was compared. Uses up the sum. */
double xb_mean_ratio(xb_mean_sum *sum, xb_interval *interval);
void xb_mean_free(xb_mean_sum *sum);

/* ---- A comparison ----------------------------------------------------------------------------------------------- */

/* The means over all groups of a run. */
typedef struct xb_means {
  xb_mean *means; /* in the form of results; xb_means_finish completes them */
  xb_mean_sum *sums;
  size_t count, capacity;
} xb_means;

/* True if nothing checks the result, because the other half has none. */
bool xb_is_alone(const xb_result *result);
/* Pairs each result with its baseline from the same rounds: the result marked is_base of the same variant on another
 * target. If another variant is the baseline, it is that variant on the same target or, without a result there, on
 * another one. `first` is the index of `results` in the document. `margin` < 0 means xb_default_margin. The comparisons
 * live in the arena; their ratios are added to `means`. */
xb_code xb_compare_results(const xb_result *results, size_t count, size_t first, double margin, uint64_t seed,
                           xb_arena *arena, const xb_comparison **comparisons, size_t *comparison_count,
                           xb_means *means, xb_error *err);
void xb_means_finish(xb_means *means);
void xb_means_free(xb_means *means);

#endif
