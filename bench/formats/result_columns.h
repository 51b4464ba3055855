/* The columns of results: of the table of a run and of Markdown. */
#ifndef XB_RESULT_COLUMNS_H
#define XB_RESULT_COLUMNS_H

#include "formats/table_text.h"
#include "sheet/sheet.h"

/* What the columns are made for. */
typedef struct xb_result_table {
  const xb_group *group;
  const xb_result_device *targets[XB_MOST_COLUMNS];
  char names[XB_MOST_COLUMNS][32];
  const xb_metric *metrics[XB_MOST_COLUMNS]; /* from the first results that have them */
  size_t metric_count;
  char most[80];
  bool sweep;
  size_t samples; /* of each result; 0: they differ */
} xb_result_table;

extern const xb_column xb_result_common[];
extern const size_t xb_result_common_count;

/* Fills the sheet. Both must stay where they are as long as it is used. */
void xb_result_sheet(xb_sheet *sheet, xb_result_table *table, const xb_group *group, const xb_table *how, unsigned in);

/* "WRONG", "not here". */
const char *xb_outcome_text(const xb_result *result);
/* "12.3 us ± 0.5 %"; "" without a time. */
void xb_format_time_and_interval(const xb_result *result, char out[XB_SHEET_TEXT]);
/* What should be known about a time; "" if there is nothing. `counted`: outliers and the floor have columns. */
void xb_format_remarks(const xb_result *result, bool counted, char out[XB_SHEET_TEXT]);
/* Adds one, formatted as by printf. */
void xb_add_remark(char out[XB_SHEET_TEXT], const char *format, ...) __attribute__((format(printf, 2, 3)));
/* A double of the result, and half its interval; NAN without a time. */
xb_column_number xb_result_figure, xb_result_half_interval;
/* "12.3 us +- 0.5 %" */
void xb_format_wide_time(const xb_result *result, char out[XB_SHEET_TEXT]);

/* Each side of the pairs once. Without `timed` their times, too. (comparison_facts.c) */
void xb_make_facts(xb_sheet *facts, const xb_group *group, bool sweep, bool timed);

/* In Markdown: a heading and the columns' titles, once for each benchmark, and the rows. (results_table.c) */
void xb_markdown_rows(xb_table *table, const xb_group *group, const xb_sheet *sheet);

/* What documents say of a benchmark, on other hardware (published.c): the value of the result's variant and place, in
 * the unit of its metric, if it is of the same size; "2.33x" if it is not: the step from the rung before; "90 %" if
 * only a part of the base is published. False, and "", if there is none. */
enum { XB_PUBLISHED = 16 };
bool xb_format_published(const xb_result_benchmark *benchmark, const xb_result *result, char out[XB_PUBLISHED]);
/* Prints those of the variants in the group. */
void xb_print_published(const xb_group *group, bool markdown);

#endif
