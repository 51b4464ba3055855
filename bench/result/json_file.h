/* JSON from files that may come from anywhere, and jansson's memory. A document loses a field when jansson runs out of
 * memory, and its functions often do not say so. */
#ifndef XB_JSON_FILE_H
#define XB_JSON_FILE_H

#include "xb/error.h"

#include <jansson.h>
#include <stdbool.h>

/* Limits of a document; the message of a refusal names the limit. Within them, jansson needs less than 2 GiB. 200 MB of
 * samples are 11 million values. */
enum {
  XB_MAX_DOCUMENT_BYTES = 256 << 20,
  XB_MAX_DOCUMENT_VALUES = 1 << 24,     /* total of numbers, strings, ... */
  XB_MAX_DOCUMENT_CONTAINERS = 1 << 20, /* total of objects and arrays */
  XB_MAX_DOCUMENT_DEPTH = 64,
};

/* Reads a regular file. XB_INVALID, with one line that names the file, the problem and what to do, or XB_NOMEM; *root
 * is then NULL. */
xb_code xb_json_load(const char *path, json_t **root, xb_error *err);
/* The same from memory. `where` begins messages. */
xb_code xb_json_parse(const char *where, const char *bytes, size_t count, json_t **root, xb_error *err);

/* Writes a file of our own at once, with jansson's flags; indented ones end with a line break. `root` NULL: out of
 * memory. XB_INVALID or XB_NOMEM, with one line that names the file. */
xb_code xb_json_write(const char *path, const json_t *root, size_t flags, xb_error *err);

/* Call once, before anything uses jansson. */
void xb_json_watch_memory(void);
/* True if jansson ran out of memory since the last call: what was built or read in between is not complete. One thread
 * uses jansson. */
bool xb_json_ran_out(void);

#endif
