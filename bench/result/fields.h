/* The fields of the structs in result.h: one line each in tables.c says how it is read, written and shown. Here they
 * are converted to and from JSON objects. */
#ifndef XB_FIELDS_H
#define XB_FIELDS_H

#include <jansson.h>

#include "base/arena.h"
#include "result/document.h"
#include "table/table.h"

enum { XB_MAX_DOCUMENT_TEXT = 1 << 16 }; /* bytes of one string */

typedef struct xb_fields {
  const xb_field *list;
  size_t count, bytes; /* of the struct */
} xb_fields;

/* The fields of a type, at file scope; and fields that are only checked. */
/* clang-format off */
#define XB_FIELDS(type, ...)                                                                                           \
  {(const xb_field[]){__VA_ARGS__}, sizeof((xb_field[]){__VA_ARGS__}) / sizeof(xb_field), sizeof(type)}
#define XB_CHECKED_FIELDS(...) XB_FIELDS(xb_numbers, __VA_ARGS__)
#define XB_CHECKED(name, field_kind, field_need) {.key = name, .kind = XB_FIELD_##field_kind, .need = XB_##field_need}
/* clang-format on */

extern const xb_fields xb_document_fields, xb_result_fields, xb_comparison_fields, xb_mean_fields, xb_benchmark_fields,
    xb_device_fields, xb_host_fields, xb_sampling_fields, xb_model_fields;

/* What a narrow terminal leaves out of the table of a run, the least important first. The name, the time and the ratio
 * always stay. */
enum {
  XB_DROP_SAMPLES = 1, /* where the heading cannot tell how many there are */
  XB_DROP_TITLES,      /* otherwise: the short names of the variants */
  XB_DROP_HOST_TIME,
  XB_DROP_CUMULATIVE,
  XB_DROP_MODEL,
  XB_DROP_MORE_METRICS,
  XB_DROP_OF_PEAK,
  XB_DROP_STEP,
  XB_DROP_GROUP,
  XB_DROP_OF_COPY,
  XB_DROP_INTERVAL,
  XB_DROP_SHAPE, /* otherwise: on a line above the group */
  XB_DROP_METRIC
};

/* Sets all fields to unknown. */
void xb_set_unknown(const xb_fields *fields, void *object);

/* ---- Writing ---------------------------------------------------------------------------------------------------- */

/* NULL if out of memory. In text that is not valid UTF-8, all bytes beyond ASCII become "?". */
json_t *xb_write_fields(const xb_fields *fields, const void *object);

/* Adds the fields with these names, which are separated by blanks; and those that this output shows, XB_IN_*. */
void xb_write_named(const xb_fields *fields, const void *object, const char *names, json_t *out);
void xb_write_shown(const xb_fields *fields, const void *object, unsigned in, json_t *out);
/* The field of the first of these names, which are moved behind it; NULL: there is no other name. */
const xb_field *xb_next_field(const xb_fields *fields, const char **names);

/* ---- Showing ---------------------------------------------------------------------------------------------------- */

/* Adds a column for each field that this kind of table shows (XB_IN_*), the one of this key before the others. A field
 * without a rank is the first that a narrow terminal leaves out. */
void xb_table_add_fields(xb_table *table, const xb_fields *fields, const char *first, unsigned in);

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
