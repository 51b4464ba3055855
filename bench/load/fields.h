/* Objects of a document to structs, by tables: one line a field. */
#ifndef XB_FIELDS_H
#define XB_FIELDS_H

#include <jansson.h>
#include <stdbool.h>

#include "arena.h"
#include "xb/error.h"

typedef struct xb_reader {
  xb_arena *arena;
  const char *where; /* what messages begin with: the file's name, safe to print */
  char place[96];    /* the object that is read: "results[3]" */
  xb_error *err;
} xb_reader;

typedef enum xb_field_kind {
  XB_FIELD_TEXT,     /* const char * */
  XB_FIELD_KNOWN,    /* uint64_t, 0 where unknown */
  XB_FIELD_COUNT,    /* int64_t, from 0 up */
  XB_FIELD_REAL,     /* double, from 0 to 10^18 */
  XB_FIELD_FLAG,     /* xb_flag */
  XB_FIELD_INTERVAL, /* xb_interval */
  XB_FIELD_NUMBERS,  /* xb_numbers, each as a REAL */
  XB_FIELD_TEXTS,    /* xb_texts */
} xb_field_kind;

typedef struct xb_field {
  const char *name;
  xb_field_kind kind;
  size_t offset;
  bool needed; /* may be neither absent nor null */
} xb_field;

/* What the file does not say is set to unknown, as document.h words it. */
xb_code xb_read_fields(xb_reader *r, const json_t *object, const xb_field *fields, size_t count, void *out);

/* The named member; each fails where it is there and not of that type, and gives NULL where it is absent or null and
 * not needed. */
xb_code xb_read_object(xb_reader *r, const json_t *object, const char *name, bool needed, const json_t **member);
xb_code xb_read_array(xb_reader *r, const json_t *object, const char *name, bool needed, const json_t **member);
/* Goes into the i-th element of the document's array `name`, which has to be an object. */
xb_code xb_read_element(xb_reader *r, const json_t *array, const char *name, size_t i, const json_t **element);

/* "FILE: results[3].size: expected ...". `name` may be "": the object itself. */
xb_code xb_refuse(xb_reader *r, const char *name, const char *expected);
xb_code xb_reader_nomem(xb_reader *r);

#endif
