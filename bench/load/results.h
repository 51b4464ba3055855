/* The larger parts of a document, for load/document.c alone. */
#ifndef XB_LOAD_RESULTS_H
#define XB_LOAD_RESULTS_H

#include "load/document.h"
#include "load/fields.h"

/* Into `document`, whose devices are read. */
xb_code xb_read_results(xb_reader *r, const json_t *array, xb_document *document);

#endif
