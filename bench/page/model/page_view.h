/* What a page shows, found in the documents: targets, questions and ratios, in the order in which they are shown. */
#ifndef XB_PAGE_VIEW_H
#define XB_PAGE_VIEW_H

#include "judge/judge.h"
#include "result/document.h"

enum { XB_VIEW_MOST_CELLS = 10000, XB_VIEW_SLOTS = 6 };

/* A device through one API, in one launch mode. */
typedef struct xb_view_target {
  const xb_result_device *device;
  int slot;      /* colour and hatching; the same API has the same on each page */
  char name[64]; /* "CUDA graph" */
  double peak;   /* GB/s that the memory's clock and bus make; NAN where no API tells */
  double cache;  /* bytes of the last-level cache; NAN likewise */
} xb_view_target;

typedef struct xb_view_mean {
  const xb_mean *of;
  const xb_view_target *subject, *base;
  const char *subject_variant, *base_variant; /* NULL: several, or each for itself */
} xb_view_mean;

typedef struct xb_view_file {
  const xb_document *document;
  const char *name; /* without its folder, where it can be */
  xb_view_target *targets;
  const xb_result **cells; /* but yardsticks; sorted: benchmark, type, size, variant, target */
  size_t cell_count;
  const xb_comparison *ratios; /* its comparisons or, where it has none, those between its APIs */
  size_t ratio_count;
  bool computed; /* here, from its samples */
  xb_view_mean *means;
  size_t mean_count;
  xb_means computed_means;
  xb_arena arena;
} xb_view_file;

typedef struct xb_view {
  xb_view_file *files;
  size_t file_count;
  const char **benchmarks; /* in the order in which they first come */
  size_t benchmark_count;
} xb_view;

/* The documents have to outlive it. False: out of host memory. */
bool xb_view_make(xb_view *view, const xb_document *const *documents, size_t count);
void xb_view_free(xb_view *view);

const xb_view_target *xb_view_target_of(const xb_view_file *file, const xb_result *cell);
/* As the first file has it that does; NULL. */
const xb_result_benchmark *xb_view_benchmark(const xb_view *view, const char *name);
/* As the file has it, or this program; "" and false where neither does. */
const char *xb_view_title(const xb_view *view, const char *benchmark);
bool xb_view_is_ladder(const xb_view_file *file, const char *benchmark);
/* It should have a time, and has none: what has no counterpart in its API is as it has to be. */
bool xb_lacks_time(const xb_result *cell);
/* "wrong", "no counterpart". */
const char *xb_outcome_words(const xb_result *cell);
/* The first metric is bandwidth: then peak and copy are its roofs. */
bool xb_is_bandwidth(const xb_result *cell);
/* Bandwidth of the measured copy in the cell's rounds; NAN. */
double xb_view_copy(const xb_result *cell);

bool xb_same_text(const char *a, const char *b);
/* Of the same benchmark and element type; and of the same size. */
bool xb_same_question(const xb_result *a, const xb_result *b);
bool xb_same_size(const xb_result *a, const xb_result *b);
/* Of its first metric: it can be drawn. */
bool xb_has_value(const xb_result *cell);
/* Cell i of [from, to) is the first of its variant. */
bool xb_begins_variant(const xb_view_file *file, size_t from, size_t i);
/* Whether cells [from, to) of a file were swept over an axis. */
bool xb_axis_varies(const xb_view_file *file, size_t from, size_t to);
/* Where the cells that share this with cells[from] end. */
size_t xb_view_end(const xb_view_file *file, size_t from, bool (*same)(const xb_result *a, const xb_result *b));

/* Whether the mean is one over it and others. */
bool xb_ratio_of_mean(const xb_view_file *file, const xb_comparison *ratio, const xb_view_mean *mean);
/* For page_view.c alone: fills in ratios and means. False: out of host memory. */
bool xb_view_find_ratios(xb_view_file *file);

#endif
