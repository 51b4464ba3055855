/* The scale of charts that are to be compared: the same in all files. */
#ifndef XB_PAGE_SCALE_H
#define XB_PAGE_SCALE_H

#include "page/model/page_view.h"

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

#endif
