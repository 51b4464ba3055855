/* Texts that the formats share: targets, sides and shapes. Functions that return text return `out`. */
#ifndef XB_TABLE_TEXT_H
#define XB_TABLE_TEXT_H

#include "formats/formats.h"

/* "vulkan", "cuda, graph". */
const char *xb_format_target(const xb_result_device *on, char out[32]);
/* One line on stdout: API, device, driver, queue family, subgroups. */
void xb_print_target(const xb_result_device *on);
/* "2048x1000", "4194304". */
const char *xb_format_result_shape(const xb_result *result, char *out, size_t out_bytes);
/* "9_single_pass offset 3 cuda, graph". */
enum { XB_SIDE_TEXT = 224 };
const char *xb_format_side(const xb_result *result, char out[XB_SIDE_TEXT]);
/* Why a pair has no verdict; with one, what should be known about it. May be empty. */
enum { XB_PAIR_TEXT = 1200 };
const char *xb_format_reason(const xb_comparison *comparison, char out[XB_PAIR_TEXT]);
/* Half the interval, as a percentage of the median. */
double xb_half_interval(const xb_result *result);
/* Prints the group's benchmark and, unless several groups follow, element type and size. */
void xb_print_question(const xb_group *group, bool sweep);

#endif
