/* What may be said of two results: ratio, interval, verdict, and means of ratios. The one place where this is worked
 * out: for a comparison that is being made, for two files, and for a page. */
#ifndef XB_JUDGE_H
#define XB_JUDGE_H

#include "arena.h"
#include "judge/ratio.h"
#include "result/result.h"
#include "xb/error.h"

/* Fewer samples give no interval worth its name. */
enum { XB_MIN_SAMPLES = 10 };

/* What clock and bus width make, 2 transfers a clock, in 10^9 bytes a second; 0 where one of them is not known. */
double xb_peak_gbps(uint64_t memory_clock_khz, uint64_t memory_bus_bits);

/* What counts as no difference, unless the user says: docs/measuring.md has the measurements behind it. */
double xb_default_margin(const xb_result_device *on);

/* ---- Two results ------------------------------------------------------------------------------------------------ */

typedef struct xb_rules {
  double margin;
  const char *subject, *base; /* what reasons call them: "this side", "the base" */
  const char *margin_name;    /* "margin" */
  const char *sample_name;    /* "rounds" */
  /* Results of the same rounds are resampled with the same seed, so that what a round did to both cancels. */
  uint64_t subject_seed, base_seed;
  bool same_rounds; /* then as many of each are used */
} xb_rules;

typedef struct xb_judgement {
  bool compared; /* else only `reason` */
  double subject_ns, base_ns;
  double ratio; /* of the medians of all samples */
  xb_interval interval;
  /* The same with the difference of the two floors taken off the subject's time; NAN where a floor is not known. */
  double ratio_less_floors;
  xb_interval interval_less_floors;
  double margin;
  xb_verdict verdict;
  char reason[96]; /* why it is unclear or was not compared; else "" */
  size_t rounds;   /* of each that were used, at most */
} xb_judgement;

/* Space for the resamples of a pair. */
typedef struct xb_judge_scratch {
  double subject[XB_RESAMPLES], base[XB_RESAMPLES], subject_floor[XB_RESAMPLES], base_floor[XB_RESAMPLES];
  double values[XB_RESAMPLES], log_ratios[XB_RESAMPLES]; /* log_ratios: left behind, of a pair that was compared */
} xb_judge_scratch;

/* `floors`: of subject and base, launch/1 of their rounds; NULL where there is none. False: out of host memory. */
bool xb_judge_pair(const xb_result *subject, const xb_result *base, const xb_result *const floors[2],
                   const xb_rules *rules, xb_judge_scratch *scratch, xb_judgement *judgement);
/* Whether the two may be held against each other at all; if not, `reason` says why. */
bool xb_may_compare(const xb_result *subject, const xb_result *base, const xb_rules *rules, char reason[96]);

/* ---- Geometric means -------------------------------------------------------------------------------------------- */

/* Of the ratios of one benchmark, on one side against one base. */
typedef struct xb_mean_sum {
  double log_sum, *log_sums; /* of the ratios; of their resamples */
  size_t compared, of;
  bool many_bases;    /* the bases of its pairs are several variants */
  bool other_variant; /* a base is another variant than its subject */
} xb_mean_sum;

/* Adds a pair that was compared. False: out of host memory. */
bool xb_mean_add(xb_mean_sum *sum, const xb_judgement *judgement, const xb_judge_scratch *scratch);
/* The interval is the cells' own noise, as the cells are no sample of anything. NAN where nothing was compared. */
double xb_mean_ratio(const xb_mean_sum *sum, xb_interval *interval);
void xb_mean_free(xb_mean_sum *sum);

/* ---- A comparison ----------------------------------------------------------------------------------------------- */

/* The means over all groups of a run. */
typedef struct xb_means {
  xb_mean *means; /* as results; filled in by xb_means_finish */
  xb_mean_sum *sums;
  size_t count, capacity;
} xb_means;

/* Pairs results that were sampled in the same rounds, each with its base: the one marked is_base of the same variant on
 * another target or, where another variant is the base, that variant on the same target, else wherever it has a result.
 * `first` is where they begin among the results of the document. `margin` < 0: xb_default_margin. The comparisons live
 * in the arena; their ratios go into `means`. */
xb_code xb_compare_results(const xb_result *results, size_t count, size_t first, double margin, uint64_t seed,
                           xb_arena *arena, const xb_comparison **comparisons, size_t *comparison_count,
                           xb_means *means, xb_error *err);
void xb_means_finish(xb_means *means);
void xb_means_free(xb_means *means);

#endif
