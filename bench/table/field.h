/* A fact of a thing, said once for all outputs: how it is called in JSON and CSV, and its title, unit and format in
 * tables. The fields of a struct are a list (result/tables.c); the columns of a table are fields, too. */
#ifndef XB_FIELD_H
#define XB_FIELD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum { XB_TABLE_TEXT = 2048 };

typedef enum xb_field_kind {
  XB_FIELD_REAL,     /* double; NAN if unknown. In files from 0 to 10^18 */
  XB_FIELD_TEXT,     /* const char *; NULL if unknown */
  XB_FIELD_CHARS,    /* an array of char; "" if unknown. Not read from files */
  XB_FIELD_KNOWN,    /* uint64_t, 0 if unknown */
  XB_FIELD_KNOWN32,  /* uint32_t, 0 if unknown. Not read from files */
  XB_FIELD_COUNT,    /* int64_t, 0 or more */
  XB_FIELD_FLAG,     /* xb_flag */
  XB_FIELD_BOOL,     /* bool. Not read from files */
  XB_FIELD_INTERVAL, /* xb_interval */
  XB_FIELD_NUMBERS,  /* xb_numbers, each like a REAL */
  XB_FIELD_TEXTS,    /* xb_texts */
  XB_FIELD_OBJECT,   /* a struct; null if nothing in it is known */
  XB_FIELD_LIST,     /* a pointer to structs, then their count */
} xb_field_kind;

typedef struct xb_table xb_table;
typedef struct xb_field xb_field, xb_column;

typedef double xb_column_number(const xb_table *table, const xb_field *column, const void *row); /* NAN: unknown */
typedef void xb_column_text(const xb_table *table, const xb_field *column, const void *row, char out[XB_TABLE_TEXT]);

/* Formats of a number that no printf() has: "60 MiB"; four significant digits, "4122". */
extern const char xb_as_bytes[], xb_as_figure[];

/* The outputs that show a field. */
enum {
  XB_IN_TEXT = 1, /* tables on a terminal */
  XB_IN_MARKDOWN = 2,
  XB_IN_HTML = 4,
  XB_IN_CSV = 8,
  XB_IN_GBENCH = 16,
  XB_IN_DIFF = 32, /* the JSON of a diff */
};

struct xb_field {
  const char *title;
  int width;                /* on a terminal, at least; 0: of its widest text */
  const char *format;       /* of numbers, as for printf, or xb_as_*; NULL: they are times in nanoseconds */
  xb_column_number *number; /* what a row has. Without functions it is a member of this kind */
  xb_column_text *text;     /* the same as text; "": unknown */
  xb_field_kind kind;
  size_t offset; /* bytes from the row's begin, or from what a pointer shows to that is at `via` - 1 */
  size_t via;
  double per;      /* the member is divided by it; 0: it is not */
  const void *of;  /* for the functions: which metric, which axis; of OBJECT and LIST: xb_fields */
  const char *key; /* in JSON and CSV */
  enum {
    XB_OPTIONAL,
    XB_NEEDED, /* required: neither absent nor null */
    XB_OLD,    /* in older files: read, but no longer written */
  } need;
  unsigned in;        /* XB_IN_*. Of a column, 0: all. JSON has every field with a key */
  unsigned drop;      /* a narrow terminal leaves out columns of rank 1 first, then 2 ...; 0: none of this rank */
  bool left;          /* text, which begins on the left; else a number */
  bool cut;           /* text that is wider than the column is cut */
  bool each;          /* once for each column group */
  bool note;          /* remarks, behind all columns */
  bool fails;         /* the text of a row that failed begins here */
  bool head;          /* names its row */
  bool optional;      /* left out where no row has it */
  const char *before; /* on a terminal; NULL: a blank */
  /* A colour on a terminal, another class in HTML; "": none */
  const char *(*style)(const xb_table *table, const xb_field *column, const void *row);
  /* A longer title, where there is room; or NULL. */
  void (*title_of)(const xb_table *table, const xb_field *column, char out[XB_TABLE_TEXT]);
  /* Markdown or HTML of its own for a cell's content, of a table that is written as one of these only; or NULL */
  void (*markup)(const xb_table *table, const void *row, FILE *file);
};

/* A member, and a member of what a pointer of the row shows to. */
#define XB_AT(type, field_kind, member) .kind = XB_FIELD_##field_kind, .offset = offsetof(type, member)
#define XB_VIA(type, pointer, to, field_kind, member) XB_AT(to, field_kind, member), .via = offsetof(type, pointer) + 1

/* NULL if a pointer on the way is NULL. */
const void *xb_field_member(const xb_field *field, const void *object);
/* NAN if it is unknown, or no number. */
double xb_field_number(const xb_field *field, const void *object);
/* False, and "", if it is unknown. */
bool xb_field_text(const xb_field *field, const void *object, char out[XB_TABLE_TEXT]);
/* By value; what is unknown comes first. */
int xb_field_compare(const xb_field *field, const void *a, const void *b);
/* A number in the field's format. */
void xb_field_format(const xb_field *field, double value, char *out, size_t out_bytes);
/* For `number`: the member, which CSV shows in full. */
xb_column_number xb_number_member;

#endif
