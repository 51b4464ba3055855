/* What readers of a document rely on beyond the types of its fields, for result/document.c alone. */
#ifndef XB_RESULT_CHECK_H
#define XB_RESULT_CHECK_H

#include "result/document.h"
#include "result/fields.h"

/* Refuses what does not fit together, and fills in what follows from the fields. */
xb_code xb_check_document(xb_reader *r, xb_document *document);

#endif
