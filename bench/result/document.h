/* Reads result documents.
 *
 * Loading either succeeds completely or fails. Files may come from anywhere: a file that is not a valid document is
 * refused with a one-line message that is safe to print. Loading needs at most about 2 GiB of memory, whatever the file
 * contains (json_file.h). xbench/1 and xbench/2 can be read; xbench/2 is written. Unknown fields of later versions are
 * ignored.
 *
 * Ownership: the document owns everything in it, until xb_document_free. Thread rule: a loaded document is read-only;
 * loading uses no shared state.
 *
 */
#ifndef XB_DOCUMENT_H
#define XB_DOCUMENT_H

#include "result/json_file.h"
#include "result/result.h"

enum { XB_MAX_DOCUMENT_DEVICES = 256 }; /* each is compared with each */

/* Reads a regular file. Returns XB_INVALID, with one line that names the file, the problem and what to do, or XB_NOMEM.
 * *document is then NULL. */
xb_code xb_document_load(const char *path, const xb_document **document, xb_error *err);
/* The same from memory. `path` is the name for messages. The bytes are not kept. */
xb_code xb_document_parse(const char *path, const char *bytes, size_t count, const xb_document **document,
                          xb_error *err);
/* Does nothing for NULL. */
void xb_document_free(const xb_document *document);

#endif
