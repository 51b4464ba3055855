/* Which columns the table of a run has, and how wide they are. */
#ifndef XB_TABLE_LAYOUT_H
#define XB_TABLE_LAYOUT_H

#include "formats/table_text.h"

/* The columns that may be left out, the least important first. The name, the time and the ratio always stay. */
enum {
  XB_SHOW_SAMPLES = 1 << 0, /* where the heading cannot tell how many there are */
  XB_SHOW_TITLES = 1 << 1,  /* otherwise: the short names of the variants */
  XB_SHOW_HOST_TIME = 1 << 2,
  XB_SHOW_PUBLISHED = 1 << 3,
  XB_SHOW_CUMULATIVE = 1 << 4,
  XB_SHOW_MODEL = 1 << 5,
  XB_SHOW_MORE_METRICS = 1 << 6,
  XB_SHOW_OF_PEAK = 1 << 7,
  XB_SHOW_OF_COPY = 1 << 8,
  XB_SHOW_GROUP = 1 << 9,
  XB_SHOW_STEP = 1 << 10,
  XB_SHOW_INTERVAL = 1 << 11,
  XB_SHOW_SHAPE = 1 << 12,  /* otherwise: on a line above the group */
  XB_SHOW_BESIDE = 1 << 13, /* targets side by side; otherwise: each on a line */
  XB_SHOW_METRIC = 1 << 14,
};

/* The same for all lines of a group. */
typedef struct xb_columns {
  const xb_group *group;
  const xb_result_device *targets[XB_MOST_COLUMNS];
  size_t count;
  const xb_metric *metrics[XB_MOST_COLUMNS]; /* from the first result that has any */
  size_t metric_count;
  bool model, sweep, peak, published; /* some results have it */
  size_t samples;                     /* of each result; 0: they differ */
  unsigned all, shown;                /* XB_SHOW_* */
  int name_width, on_width;           /* of the variant; of the target, if each is on a line */
  int short_name_width;               /* of the longest one */
} xb_columns;

void xb_lay_out_columns(xb_columns *columns, const xb_table *table, const xb_group *group);
bool xb_shows(const xb_columns *columns, unsigned column);
/* The width of one target's columns. */
int xb_target_width(const xb_columns *columns);
/* "2 interleaved addressing ...", or "copy/2_float4". */
const char *xb_format_name(const xb_columns *columns, const xb_result *result, char out[96]);
/* Says so if columns are left out. */
void xb_print_left_out(const xb_columns *columns);
void xb_print_column_heads(const xb_columns *columns);

/* "WRONG", "not here". */
const char *xb_outcome_text(const xb_result *result);
/* Prints what should be known about a time, or why there is none. `several`: with the name of the target. `result` may
 * be NULL. */
void xb_print_remarks(const xb_result *result, bool several);

#endif
