/* Names and numbers as text, the same on the whole report. */
#ifndef XB_LABELS_H
#define XB_LABELS_H

#include "report/model/view.h"

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
