/* Checks of a document beyond the types of its fields, for result/document.c only. */
#ifndef XB_RESULT_CHECK_H
#define XB_RESULT_CHECK_H

#include "result/document.h"
#include "result/fields.h"

/* Refuses inconsistent values, and fills in members that follow from the fields. */
xb_code xb_check_document(xb_reader *r, xb_document *document);

#endif
