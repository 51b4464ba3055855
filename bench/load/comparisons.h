/* What a comparison found, for load/document.c alone. */
#ifndef XB_LOAD_COMPARISONS_H
#define XB_LOAD_COMPARISONS_H

#include "load/document.h"
#include "load/fields.h"

/* Into `document`, whose results are read. */
xb_code xb_read_comparisons(xb_reader *r, const json_t *array, xb_document *document);
xb_code xb_read_means(xb_reader *r, const json_t *array, xb_document *document);

#endif
