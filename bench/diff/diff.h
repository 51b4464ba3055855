/* Compares two result documents: BASE and NEW. */
#ifndef XB_DIFF_H
#define XB_DIFF_H

#include "result/document.h"
#include "result/result.h"

#include <stdio.h>

/* The change of a cell, in the order of the output. */
typedef enum xb_change {
  XB_CHANGE_FAILING,    /* wrong in NEW; or has a time in BASE but not in NEW */
  XB_CHANGE_REGRESSION, /* the whole interval is slower than the threshold */
  XB_CHANGE_IMPROVEMENT,
  XB_CHANGE_UNCLEAR,
  XB_CHANGE_UNCHANGED, /* the whole interval is within the threshold */
  XB_CHANGE_FIXED,     /* has a time in NEW but not in BASE */
  XB_CHANGE_NO_TIME,   /* has no time in either; or one cannot run it, and the other does not have it */
  XB_CHANGE_MISSING,   /* not in NEW */
  XB_CHANGE_NEW,       /* not in BASE */
  XB_CHANGES
} xb_change;

const char *xb_change_name(xb_change change);

/* With --again, NEW is a first run and up to 3 more of the cells that are not settled. */
enum { XB_MOST_AGAIN = 3, XB_MOST_RUNS = 1 + XB_MOST_AGAIN };

typedef struct xb_diff_cell {
  const xb_result *base, *now;         /* one of them may be NULL */
  const xb_result *runs[XB_MOST_RUNS]; /* of NEW, the first is `now`; after judging, those that the verdict is of */
  size_t run_count;
  const xb_result *base_runs[XB_MOST_RUNS]; /* of BASE, the first is `base` */
  size_t base_count;
  xb_change change;
  bool open;              /* slower or faster by all samples: that verdict is given of all runs */
  bool decided;           /* a regression, or known not to be one, even if `change` is unclear */
  double base_ns, now_ns; /* medians: of the raw samples if compared, else from the files */
  bool compared;          /* true: `ratio` and `interval` are set */
  double ratio;           /* now / base: above 1 is slower */
  xb_interval interval;   /* 95 %: a bootstrap of each run separately, widened by the timers' resolution */
  double chance;          /* of such a ratio if the cell changed by no more than the threshold */
  char reason[96];        /* why the change is unclear, or the cell was not compared; what it leaves out; else "" */
} xb_diff_cell;

/* The geometric mean of the ratios of one benchmark. */
typedef struct xb_diff_mean {
  const char *benchmark;
  double ratio;
  xb_interval interval;
  size_t compared;
} xb_diff_mean;

/* A condition that differs between the two documents. */
typedef struct xb_difference {
  const char *what;      /* "sizes" */
  const char *benchmark; /* the benchmark in which it differs */
  char base[160], now[160];
} xb_difference;

enum { XB_MAX_DIFFERENCES = 64 };

typedef struct xb_diff {
  const xb_document *base, *now;
  const xb_document *again[XB_MOST_AGAIN]; /* further runs of NEW */
  size_t again_count;
  const xb_document *more_bases[XB_MOST_AGAIN]; /* further runs of BASE */
  size_t more_base_count;
  double threshold;   /* 0.03 is 3 %; negative: xb_diff_judge() sets 3 % or, on a CPU, 10 % */
  double min_decided; /* 0.8 is 80 % */
  bool fail_on_unclear;
  const char *may_go; /* "transpose,reduce/3_sequential": cells of BASE that NEW need not have; NULL: none */
  bool any_may_go;    /* a missing cell counts as undecided, but alone fails nothing */
  uint64_t seed;
  xb_diff_cell *cells; /* sorted by change, then in the order of NEW */
  size_t cell_count, counts[XB_CHANGES];
  size_t timed, decided; /* cells with a time in both, or gone; and those of them that are decided */
  size_t gone;           /* timed in BASE, not in NEW at all, and not in `may_go` */
  const xb_result *first_gone;
  size_t undecided; /* cells that another run could decide */
  xb_diff_mean *means;
  size_t mean_count;
  xb_difference differences[XB_MAX_DIFFERENCES];
  size_t difference_count; /* of all differences; `differences` may have room for fewer */
  size_t of_compilers;     /* the last ones of these */
  bool across_devices;     /* match cells of different devices */
} xb_diff;

/* ---- Computing a diff ------------------------------------------------------------------------------------------- */

/* Fills `differences`. For each common benchmark it compares the devices, APIs, element types, sizes, group sizes,
 * launch modes, caches, loops and compilers of its cells, without controls. XB_INVALID if the documents have no
 * benchmark in common; XB_NOMEM. */
xb_code xb_diff_conditions(xb_diff *diff, xb_error *err);
/* Matches cells with the same benchmark, variant and conditions, and sorts `cells` by these. If a run measured a cell
 * twice, the first matches the first, and the second the second. Cells that one run
 * measured more often than the other are left over, and their reason says so. */
xb_code xb_diff_match(xb_diff *diff, xb_error *err);
/* Adds the results of `more_bases` and `again` to the cells that they belong to. A result without a time replaces
 * `now`.
 */
xb_code xb_diff_add_runs(xb_diff *diff, xb_error *err);
/* True if another run of the cell could change the exit code, or say that it did not become faster. */
bool xb_diff_is_open(const xb_diff_cell *cell);
/* Computes ratios, verdicts and means, and sorts the cells. The same files and seed give the same numbers. */
xb_code xb_diff_judge(xb_diff *diff, xb_error *err);
/* Frees what the two functions above made. */
void xb_diff_free(xb_diff *diff);

/* 1: NEW has a wrong result, or lacks a time that BASE has; 5: a regression; 6: fewer cells are decided than
 * `min_decided`, a cell is gone (unless `any_may_go`), or one is unclear and `fail_on_unclear` is set; else 0. */
int xb_diff_exit_code(const xb_diff *diff);

/* ---- Output ----------------------------------------------------------------------------------------------------- */

/* On stdout. */
void xb_diff_table(const xb_diff *diff, bool colour);
void xb_diff_markdown(const xb_diff *diff);
/* Follows docs/diff.schema.json. Returns false if out of host memory, or on a write error. */
bool xb_diff_json(const xb_diff *diff, FILE *file);

/* For the functions above. All texts are safe for a terminal. */
enum { XB_DIFF_TEXT = 256 };
/* "reduce/9_single_pass cuda, graph, float32, 4194304 (2^22), groups of 512". */
const char *xb_diff_label(const xb_diff_cell *cell, char out[XB_DIFF_TEXT]);
/* "12.3 us" for one side of a cell; "" if it has no time. */
const char *xb_diff_time(const xb_result *side, double ns, char out[XB_DIFF_TEXT]);
/* "base.json: xbench 0.1.0 (0123456789ab), 2026-11-22T08:25:39Z, 12 results". */
const char *xb_diff_file(const xb_document *document, char out[XB_DIFF_TEXT]);
/* "vulkan on NVIDIA H200, NVIDIA 580.1; base: NVIDIA 570.2": of the base if it differs, because a driver is often the
 * reason for a change. */
const char *xb_diff_device(const xb_diff *diff, const xb_result_device *device, char out[XB_DIFF_TEXT]);
/* Why this may be the wrong comparison; or NULL. */
const char *xb_diff_warning(const xb_diff *diff);
/* "other sizes of reduce: base 1000; new 2000". */
enum { XB_DIFFERENCE_TEXT = 512 };
const char *xb_diff_condition(const xb_difference *difference, char out[XB_DIFFERENCE_TEXT]);
/* True if the cell cannot run here, and both files say the same of why. Tables count such cells instead of showing
 * them. */
bool xb_diff_is_hidden(const xb_diff_cell *cell);
/* "2 cells are not here in either file, for the same reasons"; "" if there is none. */
const char *xb_diff_hidden(const xb_diff *diff, char out[XB_DIFF_TEXT]);
/* Why there is no verdict or no time, or whether the code is the same; "" if there is no note. */
const char *xb_diff_note(const xb_diff_cell *cell, char out[XB_DIFF_TEXT]);
/* "2 regressions, 10 unchanged; threshold 3 %; 9 of 12 certainly no regression". */
const char *xb_diff_summary(const xb_diff *diff, char out[XB_DIFF_TEXT]);
/* What to do about cells that may be regressions; "" if there is none. */
const char *xb_diff_advice(const xb_diff *diff, char out[XB_DIFF_TEXT]);

/* ---- Parts of the functions above -------------------------------------------------------------------------------- */

/* Dimensions of the device come first: its identity and its queue family. */
enum { XB_BEHIND_DEVICE = 1, XB_DEVICE_DIMENSIONS = 2 };
/* Compares by benchmark, then by all conditions (match.c) from `first_dimension` on but the compiler, then by variant.
 */
int xb_compare_identity(const xb_result *a, const xb_result *b, size_t first_dimension);
/* As strcmp(), but NULL comes first. */
int xb_compare_texts(const char *a, const char *b);
/* Returns the results to compare, in the document's order; the caller frees the array. NULL: out of host memory. */
const xb_result **xb_diff_results(const xb_document *document, size_t *count);

/* Makes one result of `count` runs of a cell: all their samples, and all their placements. The caller frees `values`,
 * which the result uses; it is NULL if one run is all. Returns false if out of host memory. */
bool xb_pool_runs(const xb_result *base, const xb_result *const *runs, size_t count, xb_result *pooled,
                  double **values);

/* Runs of one program differ. A regression or an improvement has to be larger than the difference of as many runs of
 * one program could be, as far as the spread of these runs tells. Others of 3 runs or more become unclear. */
void xb_check_spread(xb_diff_cell *cell, double threshold);

#endif
