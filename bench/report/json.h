/* Parts of the JSON document, for report/json*.c alone. docs/results.schema.json says what each field is. */
#ifndef XB_JSON_H
#define XB_JSON_H

#include "report/results.h"

#include <jansson.h>

/* ---- Values ----------------------------------------------------------------------------------------------------- */

/* 0 is unknown, and null. */
json_t *xb_json_known(uint64_t value);
/* What is no number is null. */
json_t *xb_json_number(double value);
json_t *xb_json_numbers(const double *values, size_t count);
json_t *xb_json_interval(double low, double high);
/* "" is unknown, and null. What is no UTF-8 loses its bytes beyond ASCII, rather than the document its field. */
json_t *xb_json_text(const char *text);
json_t *xb_json_uuid(const xb_device_info *info);
/* "9_single_pass". */
json_t *xb_json_variant(const xb_variant *v);

/* ---- Objects ---------------------------------------------------------------------------------------------------- */

json_t *xb_json_host(void);
json_t *xb_json_device(const xb_device_info *info);
json_t *xb_json_sampling(const xb_sampling *sampling);
json_t *xb_json_result(const xb_group *group, const xb_cell *cell);
/* `first_result` is where the results of the group begin among those of the document. */
json_t *xb_json_pair(const xb_group *group, const xb_pair *pair, size_t first_result);
json_t *xb_json_mean(const xb_mean *mean);

#endif
