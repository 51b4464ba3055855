#include "show/view.h"

#include <string.h>

bool xb_show_view_remark(xb_show_view *view, const char *text)
{
  if (text && view->remark_count < XB_MAX_REMARKS)
    view->remarks[view->remark_count++] = text;
  return text;
}

int xb_show_view_columns(const xb_show_view *view)
{
  int count = 0;
  for (int i = 0; i < XB_COLUMNS; i++)
    count += view->shown[i];
  return count;
}

xb_section *xb_show_view_section(xb_show_view *view, const char *heading, xb_line *left, size_t left_count,
                                 xb_line *right, size_t right_count)
{
  if (view->section_count == XB_MAX_SECTIONS)
    return NULL;
  xb_section *section = &view->sections[view->section_count++];
  *section = (xb_section){.heading = heading, .lines = {left, right}, .counts = {left_count, right_count}};
  section->rows = xb_arena_take(&view->arena, left_count + right_count + 1, sizeof *section->rows);
  return section->rows ? section : NULL;
}

bool xb_face_plainly(xb_show_view *view, xb_section *section)
{
  (void)view;
  size_t most = 0;
  for (int column = 0; column < XB_COLUMNS; column++)
    most = section->counts[column] > most ? section->counts[column] : most;
  for (size_t i = 0; i < most; i++) {
    xb_row *row = &section->rows[section->row_count++];
    row->mark = XB_MARK_NONE;
    for (int column = 0; column < XB_COLUMNS; column++)
      row->line[column] = i < section->counts[column] ? (ptrdiff_t)i : -1;
  }
  return true;
}

bool xb_show_view_across(xb_show_view *view, const char *heading, xb_line *lines, size_t count)
{
  xb_section *section = xb_show_view_section(view, heading, lines, count, NULL, 0);
  if (section)
    section->whole = true;
  return section && xb_face_plainly(view, section);
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

static bool collect(xb_show_view *view, const char *path, int side, headers *h)
{
  xb_listing source;
  bool fits = xb_listing_read(path, &view->arena, &source);
  for (size_t i = 0; i < source.count && fits; i++) {
    const char *header = xb_listing_included(&source.lines[i]);
    if (header && note_header(h, header, side))
      fits = collect(view, header, side, h);
  }
  return fits;
}

static bool add_headers(xb_show_view *view)
{
  headers h = {.count = 0};
  bool fits = true;
  for (int side = 0; side < XB_SIDES; side++)
    if (view->shown[side] && *view->pair.path[side])
      fits &= collect(view, view->pair.path[side], side, &h);
  for (size_t i = 0; i < h.count && fits; i++) {
    xb_listing source;
    const bool both = h.list[i].by[0] && h.list[i].by[1];
    const char *heading = both ? xb_arena_text(&view->arena, "%s: both sides include it", h.list[i].path)
                               : xb_arena_text(&view->arena, "%s: the %s side includes it", h.list[i].path,
                                               view->pair.shown[h.list[i].by[1]]->name);
    fits = heading && xb_listing_read(h.list[i].path, &view->arena, &source) &&
           xb_show_view_across(view, heading, source.lines, source.count);
  }
  return fits;
}

/* ---- The view --------------------------------------------------------------------------------------------------- */

bool xb_show_view_make(xb_show_view *view, const xb_twins *pair, const xb_show_view_options *options)
{
  *view = (xb_show_view){.pair = *pair};
  const bool none = pair->variant && pair->variant->source == NO_KERNEL, host = options->host || none;
  for (int side = 0; side < XB_SIDES; side++)
    view->shown[side] = pair->shown[side] && (host || *pair->path[side]);
  view->title = xb_arena_text(&view->arena, "%s%s%s", pair->name, *pair->title ? ": " : "", pair->title);
  if (!view->title || (pair->reason && !xb_show_view_remark(view, pair->reason)))
    return false;
  const xb_variant *v = pair->variant;
  if (v && v->source == SAME_KERNEL &&
      !xb_show_view_remark(view, xb_arena_text(&view->arena, "It runs the kernel of %s/%u; only the host code differs.",
                                               v->benchmark->name, xb_variant_of_kernel(v)->number)))
    return false;
  if (none && options->brief)
    return true;
  if (host)
    return xb_show_view_of_host(view, options->whole || !options->host);
  if (options->before)
    return xb_show_view_of_changes(view, options->before);
  return xb_show_view_of_pair(view) && (!options->headers || add_headers(view));
}

void xb_show_view_free(xb_show_view *view)
{
  xb_arena_free(&view->arena);
}
