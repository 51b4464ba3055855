/* Converts between JSON objects and structs, by tables: one line per field says how it is written and read. */
#ifndef XB_FIELDS_H
#define XB_FIELDS_H

#include <jansson.h>

#include "base/arena.h"
#include "result/document.h"

enum { XB_MAX_DOCUMENT_TEXT = 1 << 16 }; /* bytes of one string */

typedef enum xb_field_kind {
  XB_FIELD_TEXT,     /* const char * */
  XB_FIELD_KNOWN,    /* uint64_t, 0 if unknown */
  XB_FIELD_COUNT,    /* int64_t, 0 or more */
  XB_FIELD_REAL,     /* double, from 0 to 10^18 */
  XB_FIELD_FLAG,     /* xb_flag */
  XB_FIELD_INTERVAL, /* xb_interval */
  XB_FIELD_NUMBERS,  /* xb_numbers, each like a REAL */
  XB_FIELD_TEXTS,    /* xb_texts */
  XB_FIELD_OBJECT,   /* a struct; null if nothing in it is known */
  XB_FIELD_LIST,     /* a pointer to structs, then their count */
} xb_field_kind;

typedef struct xb_fields xb_fields;

typedef struct xb_field {
  const char *name;
  xb_field_kind kind;
  size_t offset;
  enum {
    XB_OPTIONAL,
    XB_NEEDED, /* required: neither absent nor null */
    XB_OLD,    /* in older files: read, but no longer written */
  } need;
  const xb_fields *of; /* OBJECT, LIST */
} xb_field;

struct xb_fields {
  const xb_field *list;
  size_t count, bytes; /* of the struct */
};

/* Fields that are only checked. */
#define XB_CHECKED_FIELDS(list)                                                                                        \
  {                                                                                                                    \
    (list), sizeof(list) / sizeof *(list), sizeof(xb_numbers)                                                          \
  }

extern const xb_fields xb_document_fields, xb_result_fields, xb_comparison_fields, xb_mean_fields, xb_benchmark_fields,
    xb_device_fields, xb_host_fields, xb_sampling_fields, xb_model_fields;

/* Sets all fields to unknown. */
void xb_set_unknown(const xb_fields *fields, void *object);

/* ---- Writing ---------------------------------------------------------------------------------------------------- */

/* NULL if out of memory. In text that is not valid UTF-8, all bytes beyond ASCII become "?". */
json_t *xb_write_fields(const xb_fields *fields, const void *object);

/* Adds the fields with these names, which are separated by blanks. */
void xb_write_named(const xb_fields *fields, const void *object, const char *names, json_t *out);
/* The field of the first of these names, which are moved behind it; NULL: there is no other name. */
const xb_field *xb_next_field(const xb_fields *fields, const char **names);

/* ---- Reading ---------------------------------------------------------------------------------------------------- */

typedef struct xb_reader {
  xb_arena *arena;
  const char *where; /* prefix of messages: the file's name, safe to print */
  char place[96];    /* the object being read: "results[3]" */
  xb_error *err;
} xb_reader;

/* Missing fields are set to unknown, as result.h defines it. */
xb_code xb_read_fields(xb_reader *r, const json_t *object, const xb_fields *fields, void *out);
/* Checks what each object of a list, or each member of an object, has in these fields, and keeps nothing. `name` is
 * that of the list, which may be NULL. */
xb_code xb_check_objects(const char *where, const char *name, const json_t *list, const xb_fields *fields,
                         xb_error *err);
/* Reports "FILE: results[3].size: expected ...". `name` "" means the object itself. */
xb_code xb_refuse(xb_reader *r, const char *name, const char *expected);
xb_code xb_reader_nomem(xb_reader *r);

#endif
