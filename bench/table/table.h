/* A table: a list of columns, each of which says what a row has, and writers for a terminal, Markdown, HTML and CSV,
 * which know no column. A new column is one line in its table's list. */
#ifndef XB_TABLE_H
#define XB_TABLE_H

#include "table/field.h"

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

/* ---- Elsewhere ------------------------------------------------------------------------------------------------------
 */

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
