/* Two result documents held against each other: what was the base, and what is new. */
#ifndef XB_DIFF_H
#define XB_DIFF_H

#include <stdio.h>

#include "result/document.h"

/* What became of a cell; in the order in which they are shown. */
typedef enum xb_change {
  XB_CHANGE_FAILING,    /* a wrong result in NEW; or a time in BASE and none in NEW */
  XB_CHANGE_REGRESSION, /* slower by more than the threshold, with the whole interval */
  XB_CHANGE_IMPROVEMENT,
  XB_CHANGE_UNCLEAR,
  XB_CHANGE_UNCHANGED, /* within the threshold, with the whole interval */
  XB_CHANGE_FIXED,     /* a time in NEW and none in BASE */
  XB_CHANGE_NO_TIME,   /* in neither */
  XB_CHANGE_MISSING,   /* not in NEW */
  XB_CHANGE_NEW,       /* not in BASE */
  XB_CHANGES
} xb_change;

const char *xb_change_name(xb_change change);

typedef struct xb_diff_cell {
  const xb_result *base, *now; /* one of them may be NULL */
  xb_change change;
  double base_ns, now_ns; /* medians: of the raw samples where they were compared, else as the files have them */
  bool compared;          /* then there are: */
  double ratio;           /* now over base: above 1 is slower */
  xb_interval interval;   /* 95 %: a bootstrap of each run by itself, widened by what the timers cannot tell */
  char reason[96];        /* why it is unclear, or was not compared; else "" */
} xb_diff_cell;

/* Of the ratios of one benchmark. */
typedef struct xb_diff_mean {
  const char *benchmark;
  double ratio;
  xb_interval interval;
  size_t compared;
} xb_diff_mean;

/* Something that the two were measured under, and that is not the same. */
typedef struct xb_difference {
  const char *what;      /* "sizes" */
  const char *benchmark; /* of this benchmark */
  char base[160], now[160];
} xb_difference;

enum { XB_MAX_DIFFERENCES = 64 };

typedef struct xb_diff {
  const xb_document *base, *now;
  double threshold; /* 0.03 is 3 % */
  uint64_t seed;
  xb_diff_cell *cells; /* by change, then as in NEW */
  size_t cell_count, counts[XB_CHANGES];
  xb_diff_mean *means;
  size_t mean_count;
  xb_difference differences[XB_MAX_DIFFERENCES];
  size_t difference_count; /* of all, also those for which there was no room */
  bool across_devices;     /* cells of different devices were matched */
} xb_diff;

/* ---- Making one ------------------------------------------------------------------------------------------------- */

/* Fills `differences`: of each benchmark that both have, the devices, APIs, element types, sizes, group sizes, launch
 * modes, caches and loops that its cells were measured with, where these are not the same in both. Yardsticks do not
 * count. XB_INVALID where the two have no benchmark in common, XB_NOMEM. */
xb_code xb_diff_conditions(xb_diff *diff, xb_error *err);
/* Pairs cells of the same benchmark, variant and conditions; `cells` are then in the order of their identity. The same
 * cell measured twice in a run is paired in order; what one of them has more often is not compared. */
xb_code xb_diff_match(xb_diff *diff, xb_error *err);
/* Ratios, verdicts and means; puts the cells in their order. The same files and seed give the same figures. */
xb_code xb_diff_judge(xb_diff *diff, xb_error *err);
void xb_diff_free(xb_diff *diff);

/* 1: NEW has a wrong result, or no time for what BASE has a time for; 5: a regression; else 0. */
int xb_diff_exit_code(const xb_diff *diff);

/* ---- Showing it ------------------------------------------------------------------------------------------------- */

void xb_diff_table(const xb_diff *diff, FILE *file, bool colour);
void xb_diff_markdown(const xb_diff *diff, FILE *file);
/* As docs/diff.schema.json has it. False: out of host memory, or it could not be written. */
bool xb_diff_json(const xb_diff *diff, FILE *file);

/* For the three above; everything safe for a terminal. */
enum { XB_DIFF_TEXT = 256 };
/* "reduce/9_single_pass cuda, graph, float32, 4194304 (2^22), groups of 512". */
const char *xb_diff_label(const xb_diff_cell *cell, char out[XB_DIFF_TEXT]);
/* "12.3 us", of one side of a cell; "" where it has no time. */
const char *xb_diff_time(const xb_result *side, double ns, char out[XB_DIFF_TEXT]);
/* Why there is no verdict, why there is no time, or whether the code is the same; "" where there is nothing to say. */
const char *xb_diff_note(const xb_diff_cell *cell, char out[XB_DIFF_TEXT]);
/* "2 regressions, 10 unchanged; threshold 3 %". */
const char *xb_diff_summary(const xb_diff *diff, char out[XB_DIFF_TEXT]);

#endif
