/* Result documents, written and read back.
 *
 * A document is all there or not at all. Files come from anywhere: what is no document, or a damaged one, is refused
 * with one line that is safe to print, and costs at most about 2 GiB of memory whatever it holds. xbench/1 and xbench/2
 * are read, xbench/2 is written. Fields of later programs are ignored.
 *
 * Ownership: everything belongs to the document, and lives until xb_document_free. Thread rule: a document is read-only
 * once it is loaded; loading touches no shared state.
 */
#ifndef XB_DOCUMENT_H
#define XB_DOCUMENT_H

#include "result/result.h"
#include "xb/error.h"

/* More is refused by name. */
enum {
  XB_MAX_DOCUMENT_BYTES = 256 << 20,
  XB_MAX_DOCUMENT_VALUES = 1 << 24,     /* numbers, strings, ... in all */
  XB_MAX_DOCUMENT_CONTAINERS = 1 << 20, /* objects and arrays in all */
  XB_MAX_DOCUMENT_DEVICES = 256,        /* each is compared with each; a run has at most 16 */
};

/* Reads a regular file. Errors: XB_INVALID, with one line that names the file and says what is the matter with it and
 * what to do; XB_NOMEM. Then *document is NULL. */
xb_code xb_document_load(const char *path, const xb_document **document, xb_error *err);
/* The same from memory, `path` being what messages call it; the bytes are not kept. */
xb_code xb_document_parse(const char *path, const char *bytes, size_t count, const xb_document **document,
                          xb_error *err);
/* NULL is nothing to free. */
void xb_document_free(const xb_document *document);

#endif
