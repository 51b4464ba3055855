/* A table: a list of columns, each of which says what a row has, and writers for a terminal, Markdown, HTML and CSV,
 * which know no column. A new column is one line in its table's list. */
#ifndef XB_TABLE_H
#define XB_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* ---- Fields ------------------------------------------------------------------------------------------------------ */

/* A fact of a thing, said once for all outputs: how it is called in JSON and CSV, and its title, unit and format in
 * tables. The fields of a struct are a list (result/tables.c); the columns of a table are fields, too. */

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

/* ---- Tables ------------------------------------------------------------------------------------------------------ */

enum { XB_TABLE_COLUMNS = 80, XB_TABLE_COLUMN_GROUPS = 16 };

/* Between two remarks of a note; printed as ", ". */
#define XB_REMARK_BREAK "\x1f"

/* Begin a function of a column. */
#define XB_UNUSED __attribute__((unused))
#define XB_COLUMN_NUMBER(name)                                                                                         \
  static double name(const xb_table *s XB_UNUSED, const xb_column *c XB_UNUSED, const void *row)
#define XB_COLUMN_TEXT(name)                                                                                           \
  static void name(const xb_table *s XB_UNUSED, const xb_column *c XB_UNUSED, const void *row, char out[XB_TABLE_TEXT])

/* The same in a line or two, of a row `r` of this type: text that a function writes to `out`, or that is printed, where
 * the condition holds; a number. */
#define XB_COLUMN_SHOW(name, type, when, call)                                                                         \
  XB_COLUMN_TEXT(name)                                                                                                 \
  {                                                                                                                    \
    const type *r XB_UNUSED = row;                                                                                     \
    if (r && (when))                                                                                                   \
      call;                                                                                                            \
  }
#define XB_COLUMN_PRINT(name, type, when, ...)                                                                         \
  XB_COLUMN_SHOW(name, type, when, snprintf(out, XB_TABLE_TEXT, __VA_ARGS__))
#define XB_COLUMN_VALUE(name, type, value)                                                                             \
  XB_COLUMN_NUMBER(name)                                                                                               \
  {                                                                                                                    \
    const type *r XB_UNUSED = row;                                                                                     \
    return value;                                                                                                      \
  }
/* The member of a column, `offset` bytes from the row's begin. */
#define XB_MEMBER(type) (*(const type *)xb_field_member(c, row))

struct xb_table {
  xb_column columns[XB_TABLE_COLUMNS];
  size_t count;
  FILE *file;       /* where it is printed; NULL: stdout */
  const void *user; /* for the functions */
  const void *list; /* rows, so many bytes apart; or */
  size_t row_bytes;
  const void *(*row)(const xb_table *table, size_t i); /* NULL: left out */
  size_t rows;
  /* Groups of columns repeat, side by side; in a record, one below the other. */
  const char *column_groups[XB_TABLE_COLUMN_GROUPS];
  size_t column_group_count; /* 0 counts as 1 */
  const void *(*in_column_group)(const xb_table *table, const void *row,
                                 size_t column_group); /* NULL: the row has nothing there */
  size_t label_columns; /* 0: never a record; else these first columns are a record's first line */
  int indent;
  const char *(*unknown)(const void *row); /* what stands for it; NULL: nothing */
  /* The text of a row that has nothing but this, or false. `column_group`: on a terminal, beside others, in few words.
   */
  bool (*failed)(const xb_table *table, const void *row, bool column_group, char out[XB_TABLE_TEXT]);
  /* If it is set, a remark that all rows share is printed once, below; also if only those lack it for which this is
   * true. It then begins with `common_remark`: "all rows of reduce". */
  bool (*may_be_missing)(const xb_table *table, const void *row);
  const char *common_remark;
  /* HTML: attributes of a row, beginning with a blank. */
  void (*row_markup)(const xb_table *table, const void *row, FILE *html);

  /* Set by xb_table_fit. */
  bool shown[XB_TABLE_COLUMNS], left_out, records; /* records: a row is lines of "title: value" */
  int widths[XB_TABLE_COLUMNS];
  /* Remarks that are shared; of_column_group: by the rows of one column group. */
  char of_all[XB_TABLE_TEXT], of_common[XB_TABLE_TEXT], of_column_group[XB_TABLE_COLUMN_GROUPS][XB_TABLE_TEXT];
};

/* For `list`: an array of `count` rows. */
#define XB_ROWS(array, count) .list = (array), .row_bytes = sizeof *(array), .rows = (count)

/* For `unknown`: "-", "unknown". */
const char *xb_dash(const void *row), *xb_unknown(const void *row);

/* Adds a copy of the column, and returns it. */
xb_column *xb_table_add(xb_table *table, xb_column column);
void xb_table_add_all(xb_table *table, const xb_column *columns, size_t count);
/* A table that is turned: each fact, a column of the list, is a row, unless nothing has it, and each thing a column. */
void xb_table_of_facts(xb_table *table, const xb_column *facts, size_t count);
void xb_table_add_thing(xb_table *table, const char *head, const void *thing);
size_t xb_table_column_groups(const xb_table *table);
const void *xb_table_row(const xb_table *table, size_t i);
/* The row in a column group; NULL: it has nothing there. */
const void *xb_table_in_column_group(const xb_table *table, const void *row, size_t column_group);
/* What a row has in a column; the table's text for unknown things if it has nothing. Returns false then. */
bool xb_table_cell(const xb_table *table, const xb_column *column, const void *row, char out[XB_TABLE_TEXT]);
/* True if the writer shows the column: it belongs there, and is not one that no row has. */
bool xb_table_has(const xb_table *table, const xb_column *column, unsigned in);

/* ---- On a terminal ---------------------------------------------------------------------------------------------- */

/* Chooses the columns that fit. Behind it, `left_out` says whether some do not. */
void xb_table_fit(xb_table *table);
bool xb_table_shows(const xb_table *table, const char *title);
void xb_table_print_heads(const xb_table *table);
void xb_table_print_row(const xb_table *table, const void *row);
bool xb_table_has_rows(const xb_table *table);
void xb_table_print_rows(const xb_table *table);

/* Parts of the writers: finds remarks that all rows share; removes them from a row's note; prints them; "one, two". */
void xb_table_share_remarks(xb_table *table);
void xb_table_own_remarks(const xb_table *table, const void *row, size_t column_group, char text[XB_TABLE_TEXT]);
void xb_table_print_shared(const xb_table *table);
FILE *xb_table_file(const xb_table *table);
void xb_table_join_remarks(const char *remarks, char out[XB_TABLE_TEXT]);

/* ---- Elsewhere --------------------------------------------------------------------------------------------------- */

void xb_table_markdown_heads(const xb_table *table, FILE *file);
void xb_table_markdown_rows(const xb_table *table, FILE *file);
/* Any text, safe for a terminal and without markup. */
void xb_print_markdown(FILE *file, const char *text);
/* A table in a container that scrolls; `label` names it for those who do not see it. */
void xb_table_html(const xb_table *table, FILE *file, const char *label, const char *class);
/* With heads; lines end as in RFC 4180. */
void xb_table_csv(const xb_table *table, FILE *file);
/* The whole table, by one writer: XB_IN_TEXT, XB_IN_MARKDOWN or XB_IN_CSV. */
void xb_table_write(xb_table *table, unsigned in);

#endif
