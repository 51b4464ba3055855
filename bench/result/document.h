/* Reads result documents.
 *
 * Loading either succeeds completely or fails. Files may come from anywhere: a file that is not a valid document is
 * refused with a one-line message that is safe to print. Loading needs at most about 2 GiB of memory, whatever the file
 * contains. xbench/1 and xbench/2 can be read; xbench/2 is written. Unknown fields of later versions are ignored.
 *
 * Ownership: the document owns everything in it, until xb_document_free. Thread rule: a loaded document is read-only;
 * loading uses no shared state.
 *
 */
#ifndef XB_DOCUMENT_H
#define XB_DOCUMENT_H

#include "result/result.h"
#include "xb/error.h"

/* Limits of a document; the message of a refusal names the limit. */
enum {
  XB_MAX_DOCUMENT_BYTES = 256 << 20,
  XB_MAX_DOCUMENT_VALUES = 1 << 24,     /* total of numbers, strings, ... */
  XB_MAX_DOCUMENT_CONTAINERS = 1 << 20, /* total of objects and arrays */
  XB_MAX_DOCUMENT_DEVICES = 256,        /* each is compared with each */
};

/* Reads a regular file. Returns XB_INVALID, with one line that names the file, the problem and what to do, or XB_NOMEM.
 * *document is then NULL. */
xb_code xb_document_load(const char *path, const xb_document **document, xb_error *err);
/* The same from memory. `path` is the name for messages. The bytes are not kept. */
xb_code xb_document_parse(const char *path, const char *bytes, size_t count, const xb_document **document,
                          xb_error *err);
/* Does nothing for NULL. */
void xb_document_free(const xb_document *document);

#endif
