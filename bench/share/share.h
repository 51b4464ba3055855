/* What others may see of a result document: a few lines that can be pasted, and a copy that names no machine and no
 * person. */
#ifndef XB_SHARE_H
#define XB_SHARE_H

#include <jansson.h>

#include "result/result.h"

/* A copy of all known fields. The devices have made-up UUIDs and no PCI address; of the kernel's release only the
 * numbers are kept. `*replaced` counts the paths in texts, and the names of this machine and this user, which become
 * PATH, HOST and USER. The caller frees the copy; NULL: out of host memory. (anonymous.c) */
json_t *xb_share_anonymous(const xb_document *document, size_t *replaced);
/* On stdout, one row for each benchmark: at its largest size, the variant with the shortest time. Markdown has at most
 * XB_SHARE_LINES lines, CSV has all rows. Returns false if out of host memory. (lines.c) */
enum { XB_SHARE_LINES = 10 };
bool xb_share_print(const xb_document *document, bool csv);

#endif
