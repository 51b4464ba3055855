/* What the host does, in the order it does it. Each topic names the markers in the folders of the backends. */
#ifndef XB_TOPICS_H
#define XB_TOPICS_H

#include "show/view.h"

typedef struct xb_topic {
  const char *name, *title;
  bool kernels; /* only where there is one */
} xb_topic;

/* NULL behind the last. */
const xb_topic *xb_topic_at(size_t i);
/* The functions of the sources whose path starts with `start` that are marked [topic], each with a caption. They live
 * in the view's arena. False: out of host memory. */
bool xb_topic_lines(xb_show_view *view, const char *start, const char *topic, xb_line **lines, size_t *count);

#endif
