#include "show/view.h"

#include <string.h>

void xb_show_view_remark(xb_show_view *view, const char *text)
{
  view->failed |= !text;
  if (text && view->remark_count < XB_MAX_REMARKS)
    view->remarks[view->remark_count++] = text;
}

xb_listing xb_show_view_read(xb_show_view *view, const char *path)
{
  xb_listing source = {0};
  view->failed |= !xb_listing_read(path, &view->arena, &source);
  return source;
}

int xb_show_view_columns(const xb_show_view *view)
{
  int count = 0;
  for (int i = 0; i < XB_COLUMNS; i++)
    count += view->shown[i];
  return count;
}

static void face_plainly(xb_section *section)
{
  size_t most = 0;
  for (int column = 0; column < XB_COLUMNS; column++)
    most = section->counts[column] > most ? section->counts[column] : most;
  for (size_t i = 0; i < most; i++) {
    xb_row *row = &section->rows[section->row_count++];
    row->mark = XB_MARK_NONE;
    for (int column = 0; column < XB_COLUMNS; column++)
      row->line[column] = i < section->counts[column] ? (ptrdiff_t)i : -1;
  }
}

void xb_show_view_section(xb_show_view *view, const char *heading, xb_line *const lines[XB_COLUMNS],
                          const size_t counts[XB_COLUMNS], xb_layout layout)
{
  xb_section section = {.heading = heading, .whole = layout == XB_LAYOUT_ACROSS};
  size_t all = 0;
  for (int column = 0; column < XB_COLUMNS; column++) {
    section.lines[column] = lines[column];
    all += section.counts[column] = counts[column];
  }
  section.rows = xb_arena_take(&view->arena, all, sizeof *section.rows);
  view->failed |= !section.rows || view->section_count == XB_MAX_SECTIONS;
  if (view->failed)
    return;
  view->sections[view->section_count] = section;
  if (layout == XB_LAYOUT_ALIKE)
    xb_face_alike(view, &view->sections[view->section_count++]);
  else
    face_plainly(&view->sections[view->section_count++]);
}

/* ---- Headers ---------------------------------------------------------------------------------------------------- */

enum { MAX_HEADERS = 16 };

typedef struct headers {
  struct {
    const char *path;
    bool by[XB_SIDES];
  } list[MAX_HEADERS];
  size_t count;
} headers;

/* Returns true if the header is new for this side. */
static bool note_header(headers *h, const char *path, int side)
{
  size_t i = 0;
  while (i < h->count && strcmp(h->list[i].path, path) != 0)
    i++;
  if (i == MAX_HEADERS || (i < h->count && h->list[i].by[side]))
    return false;
  if (i == h->count)
    h->list[h->count++].path = path;
  return h->list[i].by[side] = true;
}

static void collect(xb_show_view *view, const char *path, int side, headers *h)
{
  const xb_listing source = xb_show_view_read(view, path);
  for (size_t i = 0; i < source.count; i++) {
    const char *header = xb_listing_included(&source.lines[i]);
    if (header && note_header(h, header, side))
      collect(view, header, side, h);
  }
}

static void add_headers(xb_show_view *view)
{
  headers h = {.count = 0};
  for (int side = 0; side < XB_SIDES; side++)
    if (view->shown[side] && *view->pair.path[side])
      collect(view, view->pair.path[side], side, &h);
  for (size_t i = 0; i < h.count; i++) {
    const xb_listing source = xb_show_view_read(view, h.list[i].path);
    const bool both = h.list[i].by[0] && h.list[i].by[1];
    const char *who =
        both ? "both sides include"
             : xb_arena_text(&view->arena, "the %s side includes", view->pair.shown[h.list[i].by[1]]->name);
    const char *heading = xb_arena_text(&view->arena, "%s: %s it", h.list[i].path, who ? who : "");
    view->failed |= !heading;
    xb_show_view_section(view, heading, (xb_line *[XB_COLUMNS]){source.lines}, (size_t[XB_COLUMNS]){source.count},
                         XB_LAYOUT_ACROSS);
  }
}

/* ---- The view --------------------------------------------------------------------------------------------------- */

bool xb_show_view_make(xb_show_view *view, const xb_twins *pair, const xb_show_view_options *options)
{
  *view = (xb_show_view){.pair = *pair};
  const xb_variant *v = pair->variant;
  const bool none = v && v->source == NO_KERNEL, host = options->host || none;
  for (int side = 0; side < XB_SIDES; side++)
    view->shown[side] = pair->shown[side] && (host || *pair->path[side]);
  view->title = xb_arena_text(&view->arena, "%s%s%s", pair->name, *pair->title ? ": " : "", pair->title);
  view->failed = !view->title;
  if (pair->reason)
    xb_show_view_remark(view, pair->reason);
  if (v && v->source == SAME_KERNEL)
    xb_show_view_remark(view, xb_arena_text(&view->arena, "It runs the kernel of %s/%u; only the host code differs.",
                                            v->benchmark->name, xb_variant_of_kernel(v)->number));
  if (host && !(none && options->brief))
    xb_show_view_of_host(view, options->whole || !options->host);
  else if (!host && options->before)
    xb_show_view_of_changes(view, options->before);
  else if (!host)
    xb_show_view_of_pair(view);
  if (!host && options->headers)
    add_headers(view);
  return !view->failed;
}

void xb_show_view_free(xb_show_view *view)
{
  xb_arena_free(&view->arena);
}
