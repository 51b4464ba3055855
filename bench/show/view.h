/* What `xbench show` prints, before it is text or HTML: sections of rows; a row has a line of each side. */
#ifndef XB_VIEW_H
#define XB_VIEW_H

#include "show/align.h"
#include "show/listing.h"
#include "show/twins.h"

/* Columns: the two sides; of host code, also that of the third language's backend. */
enum { XB_MAX_REMARKS = 8, XB_MAX_SECTIONS = 96, XB_MAX_WORDS = 32, XB_COLUMNS = XB_SIDES + 1 };

/* The mark between the two lines of a row. */
typedef enum xb_mark {
  XB_MARK_NONE = ' ',
  XB_MARK_DIFFERS = '|',
  XB_MARK_LEFT = '<', /* on this side only */
  XB_MARK_RIGHT = '>',
  XB_MARK_NOTE = '*', /* a comment that differs, or is missing on the other side */
} xb_mark;

typedef struct xb_row {
  ptrdiff_t line[XB_COLUMNS]; /* index in the section; -1: no line in that column */
  xb_mark mark;
} xb_row;

typedef struct xb_section {
  const char *heading; /* NULL: continues the previous section */
  xb_line *lines[XB_COLUMNS];
  size_t counts[XB_COLUMNS];
  bool whole; /* belongs to all sides or none: shown at full width, from side 0 */
  xb_row *rows;
  size_t row_count;
} xb_section;

/* Corresponding words of the two sides. */
typedef struct xb_word {
  const char *text[XB_SIDES];
  size_t times;
} xb_word;

typedef struct xb_show_view {
  xb_twins pair;
  const char *title;
  const char *remarks[XB_MAX_REMARKS];
  size_t remark_count;
  bool shown[XB_COLUMNS];
  const char *columns[XB_COLUMNS]; /* their titles */
  bool marked;                     /* rows have marks */
  xb_section sections[XB_MAX_SECTIONS];
  size_t section_count;
  xb_word words[XB_MAX_WORDS];
  size_t word_count;
  xb_arena arena;
  bool failed; /* out of host memory or of room: what is still added may be missing */
} xb_show_view;

typedef struct xb_show_view_options {
  bool headers;           /* also the headers that the sources include */
  bool brief;             /* only title and reason if there is no kernel, without host code */
  bool host;              /* the host code instead of the kernels: its calls, */
  bool whole;             /* or its whole functions */
  const xb_twins *before; /* the changes of the kernels from this pair; NULL: the kernels */
} xb_show_view_options;

/* False: out of host memory. The caller frees the view in either case. */
bool xb_show_view_make(xb_show_view *view, const xb_twins *pair, const xb_show_view_options *options);
void xb_show_view_free(xb_show_view *view);

/* ---- For the files that build views ----------------------------------------------------------------------------- */

void xb_show_view_of_pair(xb_show_view *view);
void xb_show_view_of_changes(xb_show_view *view, const xb_twins *before);
void xb_show_view_of_host(xb_show_view *view, bool whole);

/* A source; without lines if there is no memory for it. */
xb_listing xb_show_view_read(xb_show_view *view, const char *path);
/* `text` must be valid as long as the view; NULL: out of host memory. */
void xb_show_view_remark(xb_show_view *view, const char *text);
/* The number of columns next to each other. */
int xb_show_view_columns(const xb_show_view *view);
/* How the lines of a section are laid out: side by side as they come; similar ones facing each other, with marks, and
 * with words for the view; or one column for all sides. */
typedef enum xb_layout { XB_LAYOUT_BESIDE, XB_LAYOUT_ALIKE, XB_LAYOUT_ACROSS } xb_layout;
/* Adds a section: the lines of each column, and how many; NULL, 0: none. */
void xb_show_view_section(xb_show_view *view, const char *heading, xb_line *const lines[XB_COLUMNS],
                          const size_t counts[XB_COLUMNS], xb_layout layout);
/* Makes the rows of XB_LAYOUT_ALIKE. (correspond.c) */
void xb_face_alike(xb_show_view *view, xb_section *section);

/* The steps of the host, in order. The name of a topic is the marker in the backends' sources. */
typedef struct xb_topic {
  const char *name, *title;
  bool kernels; /* only if the variant has a kernel */
} xb_topic;

extern const xb_topic xb_topics[]; /* the last one has no name */
/* Finds the functions with the marker [topic] in the sources whose paths start with `start`, and adds a caption to
 * each. The lines are valid as long as the view. */
void xb_topic_lines(xb_show_view *view, const char *start, const char *topic, xb_line **lines, size_t *count);
/* Keeps the statements with calls of these prefixes, structs of the APIs, and the comments above functions; all
 * lines if there is no such call. `prefixes` ends with NULL. Returns the new count. */
size_t xb_keep_calls(xb_line *lines, size_t count, const char *const *prefixes);

#endif
