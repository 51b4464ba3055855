/* A table: a list of columns, each of which says what a row has, and writers for a terminal, Markdown, HTML and CSV,
 * which know no column. A new column is one line in its table's list. */
#ifndef XB_SHEET_H
#define XB_SHEET_H

#include "sheet/field.h"

enum { XB_SHEET_COLUMNS = 80, XB_SHEET_BANDS = 16 };

/* Between two remarks of a note; printed as ", ". */
#define XB_REMARK_BREAK "\x1f"

/* Begin a function of a column. */
#define XB_UNUSED __attribute__((unused))
#define XB_COLUMN_NUMBER(name)                                                                                         \
  static double name(const xb_sheet *s XB_UNUSED, const xb_column *c XB_UNUSED, const void *row)
#define XB_COLUMN_TEXT(name)                                                                                           \
  static void name(const xb_sheet *s XB_UNUSED, const xb_column *c XB_UNUSED, const void *row, char out[XB_SHEET_TEXT])

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
  XB_COLUMN_SHOW(name, type, when, snprintf(out, XB_SHEET_TEXT, __VA_ARGS__))
#define XB_COLUMN_VALUE(name, type, value)                                                                             \
  XB_COLUMN_NUMBER(name)                                                                                               \
  {                                                                                                                    \
    const type *r XB_UNUSED = row;                                                                                     \
    return value;                                                                                                      \
  }
/* The member of a column, `offset` bytes from the row's begin. */
#define XB_MEMBER(type) (*(const type *)xb_field_member(c, row))

struct xb_sheet {
  xb_column columns[XB_SHEET_COLUMNS];
  size_t count;
  FILE *file;       /* where it is printed; NULL: stdout */
  const void *user; /* for the functions */
  const void *list; /* rows, so many bytes apart; or */
  size_t row_bytes;
  const void *(*row)(const xb_sheet *sheet, size_t i); /* NULL: left out */
  size_t rows;
  /* Bands are groups of columns that repeat, side by side; on a narrow terminal, one below the other. */
  const char *bands[XB_SHEET_BANDS];
  size_t band_count;                                                           /* 0 counts as 1 */
  const void *(*in_band)(const xb_sheet *sheet, const void *row, size_t band); /* NULL: the row has nothing there */
  unsigned stack_drop, lines_drop; /* the rank of bands side by side, and of a row on one line; 0: it always is */
  size_t label_columns;            /* those that have a line of their own where a row has two lines */
  int indent;
  const char *(*unknown)(const void *row); /* what stands for it; NULL: nothing */
  /* The text of a row that has nothing but this, or false. `band`: on a terminal, beside others, in few words. */
  bool (*failed)(const xb_sheet *sheet, const void *row, bool band, char out[XB_SHEET_TEXT]);
  /* If it is set, a remark that all rows share is printed once, below; also if only those lack it for which this is
   * true. The others are then `most`: "all rows of reduce". */
  bool (*apart)(const xb_sheet *sheet, const void *row);
  const char *most;
  /* HTML: attributes of a row, beginning with a blank. */
  void (*row_markup)(const xb_sheet *sheet, const void *row, FILE *html);

  /* Set by xb_sheet_fit. */
  bool shown[XB_SHEET_COLUMNS], stacked, two_lines, left_out;
  int widths[XB_SHEET_COLUMNS];
  /* Remarks that are shared; of_band: by the rows of one band. */
  char of_all[XB_SHEET_TEXT], of_most[XB_SHEET_TEXT], of_band[XB_SHEET_BANDS][XB_SHEET_TEXT];
};

/* For `list`: an array of `count` rows. */
#define XB_ROWS(array, count) .list = (array), .row_bytes = sizeof *(array), .rows = (count)

/* For `unknown`: "-", "unknown". */
const char *xb_dash(const void *row), *xb_unknown(const void *row);

/* Adds a copy of the column, and returns it. */
xb_column *xb_sheet_add(xb_sheet *sheet, xb_column column);
void xb_sheet_add_all(xb_sheet *sheet, const xb_column *columns, size_t count);
/* A sheet that is turned: each fact, a column of the list, is a row, unless nothing has it, and each thing a column. */
void xb_sheet_of_facts(xb_sheet *sheet, const xb_column *facts, size_t count);
void xb_sheet_add_thing(xb_sheet *sheet, const char *head, const void *thing);
size_t xb_sheet_bands(const xb_sheet *sheet);
const void *xb_sheet_row(const xb_sheet *sheet, size_t i);
/* The row in a band; NULL: it has nothing there. */
const void *xb_sheet_in_band(const xb_sheet *sheet, const void *row, size_t band);
/* What a row has in a column; the sheet's text for unknown things if it has nothing. Returns false then. */
bool xb_sheet_cell(const xb_sheet *sheet, const xb_column *column, const void *row, char out[XB_SHEET_TEXT]);
/* True if the writer shows the column: it belongs there, and is not one that no row has. */
bool xb_sheet_has(const xb_sheet *sheet, const xb_column *column, unsigned in);

/* ---- On a terminal ---------------------------------------------------------------------------------------------- */

/* Chooses the columns that fit. Behind it, `left_out` says whether some do not. */
void xb_sheet_fit(xb_sheet *sheet);
bool xb_sheet_shows(const xb_sheet *sheet, const char *title);
void xb_sheet_print_heads(const xb_sheet *sheet);
void xb_sheet_print_row(const xb_sheet *sheet, const void *row);
bool xb_sheet_has_rows(const xb_sheet *sheet);
void xb_sheet_print_rows(const xb_sheet *sheet);

/* Parts of the writers: finds remarks that all rows share; removes them from a row's note; prints them; "one, two". */
void xb_sheet_share_remarks(xb_sheet *sheet);
void xb_sheet_own_remarks(const xb_sheet *sheet, const void *row, size_t band, char text[XB_SHEET_TEXT]);
void xb_sheet_print_shared(const xb_sheet *sheet);
FILE *xb_sheet_file(const xb_sheet *sheet);
void xb_sheet_join_remarks(const char *remarks, char out[XB_SHEET_TEXT]);

/* ---- Elsewhere ------------------------------------------------------------------------------------------------------
 */

void xb_sheet_markdown_heads(const xb_sheet *sheet, FILE *file);
void xb_sheet_markdown_rows(const xb_sheet *sheet, FILE *file);
/* Any text, safe for a terminal and without markup. */
void xb_print_markdown(FILE *file, const char *text);
/* A table in a container that scrolls; `label` names it for those who do not see it. */
void xb_sheet_html(const xb_sheet *sheet, FILE *file, const char *label, const char *class);
/* With heads; lines end as in RFC 4180. */
void xb_sheet_csv(const xb_sheet *sheet, FILE *file);
/* The whole table, by one writer: XB_IN_TEXT, XB_IN_MARKDOWN or XB_IN_CSV. */
void xb_sheet_write(xb_sheet *sheet, unsigned in);

#endif
