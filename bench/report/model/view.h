/* The documents' data as the report shows it: targets, cells and ratios, in the report's order. */
#ifndef XB_REPORT_VIEW_H
#define XB_REPORT_VIEW_H

#include "judge/judge.h"
#include "result/document.h"

enum { XB_VIEW_MOST_CELLS = 10000, XB_VIEW_SLOTS = 6 };

typedef struct xb_view_file xb_view_file;

/* A device through one API, in one launch mode. */
typedef struct xb_view_target {
  const xb_view_file *file;
  const xb_result_device *device;
  int slot;       /* for colour and hatching; an API has the same on every report */
  size_t nth;     /* of the devices that its file has through this API; 0: the only one */
  char api[64];   /* "CUDA graph", "Vulkan, family 2"; if it and `nth` are equal, so are the slots */
  char model[48]; /* "H200"; "": all devices of the report are of one model, or `api` names it */
  char name[128]; /* "CUDA graph", "CUDA graph, H200", "CUDA graph, device 2" */
  double peak;    /* theoretical bandwidth in GB/s, from memory clock and bus; NAN if unknown */
  double cache;   /* bytes of the last-level cache; NAN if unknown */
} xb_view_target;

typedef struct xb_view_mean {
  const xb_mean *of;
  const xb_view_target *subject, *base;
  const char *subject_variant, *base_variant; /* NULL: several variants, or each variant with itself */
} xb_view_mean;

struct xb_view_file {
  const xb_document *document;
  const char *name;              /* without folders if possible */
  const xb_view_target *targets; /* of the view's, by device */
  const xb_result **cells;       /* without controls; sorted by benchmark, type, size, variant, target */
  size_t cell_count;
  const xb_comparison *ratios; /* its comparisons or, if it has none, ratios between its APIs */
  size_t ratio_count;
  bool computed; /* the ratios were computed from its samples */
  xb_means computed_means;
  xb_arena arena;
};

typedef struct xb_view {
  xb_view_file *files;
  size_t file_count;
  xb_view_target *targets; /* of all files */
  size_t target_count;
  xb_view_mean *means; /* of all files */
  size_t mean_count, mean_capacity;
  const char **benchmarks; /* in the order of their first results */
  size_t benchmark_count;
  xb_arena arena;
} xb_view;

/* The documents must outlive the view. False: out of host memory. */
bool xb_view_make(xb_view *view, const xb_document *const *documents, size_t count);
void xb_view_free(xb_view *view);

const xb_view_target *xb_view_target_of(const xb_view_file *file, const xb_result *cell);
/* From the first file that has it; NULL if none has. */
const xb_result_benchmark *xb_view_benchmark(const xb_view *view, const char *name);
/* From the files, or else from the program's own table; "" and false if unknown. */
const char *xb_view_title(const xb_view *view, const char *benchmark);
bool xb_view_is_ladder(const xb_view_file *file, const char *benchmark);
/* True if the cell should have a time but has none. A cell without a counterpart in its API should not have one. */
bool xb_lacks_time(const xb_result *cell);
/* "wrong", "no counterpart". */
const char *xb_outcome_words(const xb_result *cell);
/* True if the first metric is bandwidth; then the peak and the copy are its limits. */
bool xb_is_bandwidth(const xb_result *cell);
/* Bandwidth of the copy that was measured in the cell's rounds; NAN if unknown. */
double xb_view_copy(const xb_result *cell);

/* True if benchmark and element type are equal; for xb_same_size, also the size. */
bool xb_same_question(const xb_result *a, const xb_result *b);
bool xb_same_size(const xb_result *a, const xb_result *b);
/* True if the first metric has a value, so that it can be drawn. */
bool xb_has_value(const xb_result *cell);
/* True if the first metric of `a` is better than that of `b` (less, for a time). */
bool xb_is_better(const xb_result *a, const xb_result *b);
/* The 95 % interval of the first metric, which follows from that of the time; NANs if the metric is no rate and no time
 * of a part of the work, or has no interval. */
xb_interval xb_value_interval(const xb_result *cell);
/* True if the data does not say which is better: the intervals of the first metric (without one, of the time) overlap,
 * or the values are equal. */
bool xb_is_tied(const xb_result *a, const xb_result *b);
/* True if cell i is the first one of its variant, in cells that start at `from`. */
bool xb_begins_variant(const xb_view_file *file, size_t from, size_t i);
/* True if cells [from, to) of a file vary along an axis. */
bool xb_axis_varies(const xb_view_file *file, size_t from, size_t to);
/* The end of the cells for which same(cells[from], cell) is true. */
size_t xb_view_end(const xb_view_file *file, size_t from, bool (*same)(const xb_result *a, const xb_result *b));

/* True if the ratio, which is of the mean's file, is part of the mean. */
bool xb_ratio_of_mean(const xb_comparison *ratio, const xb_view_mean *mean);
/* Only for view.c: fill in the targets, and ratios and means. False: out of host memory. */
bool xb_view_find_targets(xb_view *view);
bool xb_view_find_ratios(xb_view *view, xb_view_file *file);

/* ---- Scales of charts that are to be compared: the same in all files -------------------------------------------- */

enum { XB_LINES_MOST = 12 }; /* of a chart */

typedef struct xb_scale {
  double least, most; /* at the x axis: an axis of the cells or, if it is -1, their size */
  double low, high;   /* values of the first metric, and what the model predicts along an axis */
  double top;         /* `high` or the highest limit (copy, peak) that is not far above it */
  double shortest_ns, longest_ns;
} xb_scale;

/* The range over the cells of all files for which same(like, cell) is true and that have the same metric. A limit is
 * far above the values if these are less than the part `beyond` of it. */
xb_scale xb_scale_find(const xb_view *view, const xb_result *like, bool (*same)(const xb_result *a, const xb_result *b),
                       int axis, double beyond);
/* The model's prediction from the value at the axis' base; NAN if unknown. */
double xb_predicted(const xb_result *cell);

/* ---- Names and numbers as text, the same on the whole report ----------------------------------------------------- */

enum { XB_NAME = 160, XB_LONG_NAME = 2 * XB_NAME };

/* Appends to the text in `out`, and cuts what does not fit. */
void xb_append(char *out, size_t bytes, const char *format, ...) __attribute__((format(printf, 3, 4)));
#define XB_ADD(array, ...) xb_append(array, sizeof(array), __VA_ARGS__)

/* Cells that cannot be told from the best one, in words. */
typedef struct xb_ties {
  char text[XB_LONG_NAME]; /* begins with "; " */
  size_t count;
} xb_ties;
/* Adds one; of many, only the first are named. */
void xb_ties_add(xb_ties *ties, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* "; 8 wave, 4565 GB/s; 7 vectors, 4560 GB/s; and 2 more"; "" if there is none. */
const char *xb_ties_text(xb_ties *ties);

/* Each of these functions returns `out`. */

/* Elements: "2^24", "1000", "8192 x 8192". */
const char *xb_name_size(const xb_result *cell, char out[XB_NAME]);
/* "2^24 float32", "2^24 float32, offset 3". */
const char *xb_name_question(const xb_result *cell, char out[XB_NAME]);
/* "9 single_pass". */
const char *xb_name_variant(const char *variant, char out[XB_NAME]);
/* Four significant digits: "4122", "17.66", "0.9513"; "" if not finite. */
const char *xb_name_figure(double value, char out[XB_NAME]);
/* "17.66 us"; "" if not finite. */
const char *xb_name_time(double ns, char out[XB_NAME]);
/* "1.653 [1.627, 1.681]"; "" if not finite. */
const char *xb_name_ratio(double ratio, xb_interval interval, char out[XB_NAME]);
/* "Vulkan / CUDA graph", "9 single_pass / 10 cub, CUDA graph": what differs between the sides, then what they share.
 * A NULL variant means several variants. */
const char *xb_name_sides(const xb_view_target *subject, const char *subject_variant, const xb_view_target *base,
                          const char *base_variant, char out[XB_NAME]);
/* The same of a ratio, whose file it is. */
const char *xb_ratio_name(const xb_view_file *file, const xb_comparison *r, char out[XB_NAME]);

#endif
