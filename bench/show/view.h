/* What `xbench show` prints, before it is text or HTML: sections of rows; a row has a line of each side. */
#ifndef XB_VIEW_H
#define XB_VIEW_H

#include "show/listing.h"
#include "show/twins.h"

#include <stdio.h>

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

/* ---- Text ------------------------------------------------------------------------------------------------------- */

enum { XB_COLUMN_FROM = 40 }; /* below this width of one, the sides are above each other */

typedef struct xb_text_style {
  size_t width; /* the most columns of a line */
  bool colours;
  bool stacked; /* sides above each other */
} xb_text_style;

/* A line that is longer than its column continues on the next row, after a \. */
void xb_show_view_text(const xb_show_view *view, const xb_text_style *style, FILE *out);

/* ---- HTML ---------------------------------------------------------------------------------------------------------
 *
 * A complete page, or the sources of a variant as a fragment of another page. All text is escaped, and nothing is
 * loaded.
 *
 * The page has xb_html_style() once in its <style>. Class names begin with xb-, and colours only apply inside .xb-pair,
 * so the page's own style does not change. A fragment is one <section class="xb-pair" id="ANCHOR">. On wide pages the
 * sides are next to each other; below 900 px they are above each other, part by part. */

/* CSS. */
const char *xb_html_style(void);
/* Writes the id of the fragment, such as "pair-reduce-7_many_elements". It is safe in attributes and after a #. */
enum { XB_ANCHOR_BYTES = 112 };
void xb_html_variant_anchor(const xb_variant *variant, char out[XB_ANCHOR_BYTES]);
/* Writes 10 to 50 KB; without a kernel, only title and reason. Not thread-safe. False: out of host memory. */
bool xb_html_variant(const xb_variant *variant, FILE *out);
/* Write errors are in ferror(out). */
void xb_html_page(const xb_show_view *view, FILE *out);

/* ---- For the files that build views ----------------------------------------------------------------------------- */

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
/* Makes the rows of XB_LAYOUT_ALIKE. (align.c) */
void xb_face_alike(xb_show_view *view, xb_section *section);

/* Aligns two sequences, in order, so that the sum of scores is largest. */
typedef struct xb_match {
  ptrdiff_t left, right; /* indices; -1: no element on that side */
} xb_match;

/* How well the elements `left` and `right` match; 0 or less: they must not be matched. */
typedef double xb_score_fn(const void *user, size_t left, size_t right);

/* How much work the element `i` of a side makes when it is matched. */
typedef size_t xb_weight_fn(const void *user, int side, size_t i);

/* `weight` is NULL for elements that are alike. Returns *count matches, which cover both sequences. They are valid as
 * long as the arena. NULL: out of host memory. */
const xb_match *xb_align(xb_arena *arena, size_t left, size_t right, xb_score_fn *score, xb_weight_fn *weight,
                         const void *user, size_t *count);

/* The steps of the host, in order. The name of a topic is the marker in the backends' sources. */
typedef struct xb_topic {
  const char *name, *title;
  bool kernels; /* only if the variant has a kernel */
} xb_topic;

extern const xb_topic xb_topics[]; /* the last one has no name */
/* Finds the functions with the marker [topic] in the sources whose paths start with `start`, and adds a caption to
 * each. The lines are valid as long as the view. */
void xb_topic_lines(xb_show_view *view, const char *start, const char *topic, xb_line **lines, size_t *count);

#endif
