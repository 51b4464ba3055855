/* Values as text, written alike in every report. Functions that return text return `out` or static text. */
#ifndef XB_VALUE_TEXT_H
#define XB_VALUE_TEXT_H

#include "xb/gpu.h"

/* "6d657361-3232-2e33-2e36-000000000000"; "" if the device has none. */
void xb_format_uuid(const xb_device_info *info, char out[40]);
/* "4194304 (2^22)", "1000". */
void xb_format_size(uint64_t n, char *out, size_t out_bytes);
/* "4194304" for a count, which has no rows, "2048x1000" for a matrix, "2048x1000x32" for a product. */
void xb_format_shape(uint64_t rows, uint64_t columns, uint64_t inner, char *out, size_t out_bytes);
/* "768 MiB", "139.8 GiB". */
void xb_format_bytes(uint64_t bytes, char *out, size_t out_bytes);
/* "4564 GB/s"; from 10,000 on with the next prefix: "303.2 TFLOP/s". */
void xb_format_rate(double value, const char *unit, char *out, size_t out_bytes);
/* ", queue family 2", ", queue family 0 (with graphics)"; "" if `family` is -1 because the API has no families. */
void xb_format_family(int64_t family, bool graphics, char out[64]);
/* "1.235 ms". */
const char *xb_format_time(double ns, char *out, size_t out_bytes);
/* "yes", "no"; "-" if `flag` is neither 1 nor 0. */
const char *xb_yes_no(int flag);

const char *xb_device_type_name(xb_device_type type);
const char *xb_launch_mode_name(xb_launch_mode mode);

#endif
