/* The columns of results: of the table of a run and of Markdown. */
#ifndef XB_RESULT_COLUMNS_H
#define XB_RESULT_COLUMNS_H

#include "formats/formats.h"
#include "result/result.h"
#include "table/table.h"

/* "vulkan", "cuda, graph". */
const char *xb_format_target(const xb_result_device *on, char out[32]);
/* One line: API, device, driver, queue family, subgroups. */
void xb_print_target(FILE *file, const xb_result_device *on);
/* "2048x1000", "4194304". */
const char *xb_format_result_shape(const xb_result *result, char *out, size_t out_bytes);
/* "2048x1000, float32:", above rows that do not say it. */
void xb_print_shape(FILE *file, const xb_result *result);
/* A cell with all its conditions, so that no other of the document has this name. All but `benchmark` and `variant` are
 * left out where they are usual. In words, safe for a terminal: "reduce/9_single_pass cuda, graph, float32, 4194304
 * (2^22), groups of 512"; as a path: "reduce/9_single_pass/cuda/graph/float32/4194304/block:512". As a side of a
 * comparison, only what may differ in it: "9_single_pass offset 3 cuda, graph". */
typedef enum xb_label { XB_LABEL_WORDS, XB_LABEL_PATH, XB_LABEL_SIDE } xb_label;
enum { XB_SIDE_TEXT = 224 };
const char *xb_format_label(const xb_result *result, xb_label style, char *out, size_t out_bytes);
/* Why a pair has no verdict; with one, what should be known about it. May be empty. */
enum { XB_PAIR_TEXT = 1200 };
const char *xb_format_reason(const xb_comparison *comparison, char out[XB_PAIR_TEXT]);
/* Half the interval, as a percentage of the median. */
double xb_half_interval(const xb_result *result);
/* Prints the group's benchmark and, unless several groups follow, element type and size. */
void xb_print_question(FILE *file, const xb_group *group, bool sweep);

/* What the columns are made for. */
typedef struct xb_result_table {
  const xb_group *group;
  const xb_result_device *targets[XB_MOST_COLUMNS];
  char names[XB_MOST_COLUMNS][32];
  const xb_metric *metrics[XB_MOST_COLUMNS]; /* from the first results that have them */
  size_t metric_count;
  char heads[XB_MOST_COLUMNS][48]; /* of their columns */
  const char *model;               /* what the models count: "segments" */
  char common_remark[80];
  bool sweep;
  size_t samples; /* of each result; 0: they differ */
} xb_result_table;

/* Fills the table. Both must stay where they are as long as it is used. */
void xb_make_result_table(xb_table *table, xb_result_table *of, const xb_group *group, const xb_table_writer *writer,
                          unsigned in);

/* "WRONG", "not here". */
const char *xb_outcome_text(const xb_result *result);
/* "12.3 us ± 0.5 %"; "" without a time. */
void xb_format_time_and_interval(const xb_result *result, char out[XB_TABLE_TEXT]);
/* What should be known about a time; "" if there is nothing. `counted`: outliers and the floor have columns. */
void xb_format_remarks(const xb_result *result, bool counted, char out[XB_TABLE_TEXT]);
/* Adds one, formatted as by printf. */
void xb_add_remark(char out[XB_TABLE_TEXT], const char *format, ...) __attribute__((format(printf, 2, 3)));
/* A double of the result, and half its interval; NAN without a time. */
xb_column_number xb_result_figure, xb_result_half_interval;
/* "12.3 us +- 0.5 %" */
void xb_format_wide_time(const xb_result *result, char out[XB_TABLE_TEXT]);

/* In Markdown: a heading and the columns' titles, once for each benchmark, and the rows. (results_table.c) */
void xb_markdown_rows(xb_table_writer *writer, const xb_group *group, const xb_table *table);

/* What documents say of the result's variant and place, on other hardware (published.c): "3.456 ms, 4.854 GB/s, step
 * 2.33x, cumulative 2.33x". Figures in their own units, of a result of the same size; of another size only what does
 * not depend on it. "" if there is nothing. */
void xb_format_published(const xb_result_benchmark *benchmark, const xb_result *result, char out[XB_TABLE_TEXT]);
/* Prints those of the variants in the group. */
void xb_print_published(FILE *file, const xb_group *group, bool markdown);

/* ---- Results of pairs of devices --------------------------------------------------------------------------------- */

/* A row for each device that is read from, a column for each that reads. As long as the matrix is there. */
void xb_make_matrix_table(xb_table *table, xb_matrix *matrix);

#endif
