/* What `xbench show` shows, before it is text or HTML: sections of two sides whose lines face each other. */
#ifndef XB_VIEW_H
#define XB_VIEW_H

#include "show/align.h"
#include "show/listing.h"
#include "show/twins.h"

enum { XB_MAX_REMARKS = 8, XB_MAX_SECTIONS = 96, XB_MAX_WORDS = 32 };

/* What stands between two lines that face each other. */
typedef enum xb_mark {
  XB_MARK_NONE = ' ',
  XB_MARK_DIFFERS = '|',
  XB_MARK_LEFT = '<', /* on this side only */
  XB_MARK_RIGHT = '>',
  XB_MARK_NOTE = '*', /* a comment that the other side lacks, or has in other words */
} xb_mark;

typedef struct xb_row {
  ptrdiff_t line[XB_SIDES]; /* of the section; -1: nothing on that side */
  xb_mark mark;
} xb_row;

typedef struct xb_section {
  const char *heading; /* NULL: goes on from the section before */
  xb_line *lines[XB_SIDES];
  size_t counts[XB_SIDES];
  bool whole; /* belongs to both sides, or to none: shown across, as side 0 */
  xb_row *rows;
  size_t row_count;
} xb_section;

/* Words of one side that stand where the other has these. */
typedef struct xb_word {
  const char *text[XB_SIDES];
  size_t times;
} xb_word;

typedef struct xb_show_view {
  xb_twins pair;
  const char *title;
  const char *remarks[XB_MAX_REMARKS];
  size_t remark_count;
  bool shown[XB_SIDES];
  const char *columns[XB_SIDES]; /* what stands above each side */
  bool marked;                   /* rows carry marks */
  xb_section sections[XB_MAX_SECTIONS];
  size_t section_count;
  xb_word words[XB_MAX_WORDS];
  size_t word_count;
  xb_arena arena;
} xb_show_view;

typedef struct xb_show_view_options {
  bool headers;           /* with the headers that the sources share */
  bool brief;             /* nothing of the host where there is no kernel: title and reason only */
  bool host;              /* how the host sets the work up, instead of the kernels */
  const xb_twins *before; /* what the kernels changed against this one; NULL: the kernels themselves */
} xb_show_view_options;

/* False: out of host memory. The caller frees the view in either case. */
bool xb_show_view_make(xb_show_view *view, const xb_twins *pair, const xb_show_view_options *options);
void xb_show_view_free(xb_show_view *view);

/* ---- For the makers of views ------------------------------------------------------------------------------------ */

bool xb_show_view_of_pair(xb_show_view *view);
bool xb_show_view_of_changes(xb_show_view *view, const xb_twins *before);
bool xb_show_view_of_host(xb_show_view *view);
bool xb_show_view_add_headers(xb_show_view *view);

/* `text` lives as long as the view. False: it is NULL. */
bool xb_show_view_remark(xb_show_view *view, const char *text);
/* Sides that have no line are NULL, 0. NULL: out of host memory, or of sections. */
xb_section *xb_show_view_section(xb_show_view *view, const char *heading, xb_line *left, size_t left_count,
                                 xb_line *right, size_t right_count);
/* One that belongs to both sides. False: out of host memory, or of sections. */
bool xb_show_view_across(xb_show_view *view, const char *heading, xb_line *lines, size_t count);

/* Rows for the lines of a section: those that are alike face each other, and what differs in them is noted in their
 * tokens and counted among the view's words; or the lines just lie side by side. */
bool xb_face_alike(xb_show_view *view, xb_section *section);
bool xb_face_plainly(xb_show_view *view, xb_section *section);

/* What the host does, in the order it does it. Each topic names the markers in the folders of the backends. */
typedef struct xb_topic {
  const char *name, *title;
  bool kernels; /* only where there is one */
} xb_topic;

/* NULL behind the last. */
const xb_topic *xb_topic_at(size_t i);
/* The functions of the sources whose path starts with `start` that are marked [topic], each with a caption. They live
 * in the view's arena. False: out of host memory. */
bool xb_topic_lines(xb_show_view *view, const char *start, const char *topic, xb_line **lines, size_t *count);

#endif
