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

/* ---- The kernels, part by part ---------------------------------------------------------------------------------- */

/* A side without a source has no lines. */
static xb_line *lines_of(const xb_listing *source, const xb_part *part)
{
  return source->lines ? source->lines + part->first : NULL;
}

static void add_pair(xb_show_view *view)
{
  xb_listing sources[XB_SIDES] = {{0}};
  xb_part parts[XB_SIDES][XB_MAX_PARTS];
  size_t counts[XB_SIDES];
  view->marked = view->shown[0] && view->shown[1];
  for (int side = 0; side < XB_SIDES; side++) {
    if (view->shown[side])
      sources[side] = xb_show_view_read(view, view->columns[side] = view->pair.path[side]);
    counts[side] = xb_cut(&sources[side], parts[side]);
  }
  if (!view->marked || !xb_same_parts(parts[0], counts[0], parts[1], counts[1]))
    for (int side = 0; side < XB_SIDES; side++)
      counts[side] = xb_cut_nowhere(&sources[side], parts[side]);
  for (size_t i = 0; i < counts[0]; i++) {
    const xb_part *a = &parts[0][i], *b = &parts[1][i];
    xb_line *const lines[XB_COLUMNS] = {lines_of(&sources[0], a), lines_of(&sources[1], b)};
    xb_show_view_section(view, NULL, lines, (size_t[XB_COLUMNS]){a->count, b->count},
                         view->marked ? XB_LAYOUT_ALIKE : XB_LAYOUT_BESIDE);
  }
}

/* ---- The changes from one step to another: a line diff for each API, side by side, part by part ----------------- */

/* One side: both versions, and their parts. */
typedef struct versions {
  xb_listing before, after;
  xb_part before_parts[XB_MAX_PARTS], after_parts[XB_MAX_PARTS];
  size_t before_count, after_count;
} versions;

typedef struct change {
  const xb_line *before, *after;
} change;

static double score_lines(const void *user, size_t i, size_t k)
{
  const change *c = user;
  if (!xb_line_same(&c->before[i], &c->after[k]))
    return 0;
  return c->before[i].piece_count > 1 ? 1 : 0.1; /* blank lines and braces are often equal by chance */
}

static double score_parts(const void *user, size_t i, size_t k)
{
  const versions *v = user;
  return !strcmp(v->before_parts[i].name, v->after_parts[k].name);
}

static void read_versions(xb_show_view *view, const xb_twins *before, int side, versions *v)
{
  view->columns[side] = view->pair.path[side];
  v->before = xb_show_view_read(view, before->path[side]);
  v->after = xb_show_view_read(view, view->pair.path[side]);
  v->before_count = xb_cut(&v->before, v->before_parts);
  v->after_count = xb_cut(&v->after, v->after_parts);
}

static bool marked_alike(const versions v[XB_SIDES])
{
  return xb_same_parts(v[0].before_parts, v[0].before_count, v[1].before_parts, v[1].before_count) &&
         xb_same_parts(v[0].after_parts, v[0].after_count, v[1].after_parts, v[1].after_count);
}

/* The lines of an added, removed or changed part, each with its sign. A missing part is NULL. True if it changed. */
static bool diff_part(xb_show_view *view, const versions *v, const xb_part *was, const xb_part *is, xb_line **lines,
                      size_t *count)
{
  const change c = {was ? v->before.lines + was->first : NULL, is ? v->after.lines + is->first : NULL};
  const size_t before = was ? was->count : 0, after = is ? is->count : 0;
  const xb_match *matches = xb_align(&view->arena, before, after, score_lines, NULL, &c, count);
  bool changed = false;
  *lines = xb_arena_take(&view->arena, *count, sizeof **lines);
  view->failed |= !matches || !*lines;
  for (size_t i = 0; i < *count && *lines; i++) {
    xb_line *line = &(*lines)[i];
    *line = matches[i].right >= 0 ? c.after[matches[i].right] : c.before[matches[i].left];
    line->sign = matches[i].left < 0 ? '+' : matches[i].right < 0 ? '-' : ' ';
    changed |= line->sign != ' ';
  }
  return changed;
}

/* Without blank lines at the end: the headings already separate the parts. */
static size_t without_blanks(const xb_line *lines, size_t count)
{
  while (count && lines[count - 1].sign == ' ' && xb_line_blank(&lines[count - 1]))
    count--;
  return count;
}

static void add_part(xb_show_view *view, const versions v[XB_SIDES], const xb_match *match)
{
  xb_line *lines[XB_COLUMNS] = {NULL};
  size_t counts[XB_COLUMNS] = {0};
  const char *name = "", *how = ": unchanged";
  bool shown = false;
  for (int side = 0; side < XB_SIDES; side++) {
    const xb_part *was = match->left >= 0 ? &v[side].before_parts[match->left] : NULL;
    const xb_part *is = match->right >= 0 ? &v[side].after_parts[match->right] : NULL;
    if (!view->shown[side])
      continue;
    const bool changed = diff_part(view, &v[side], was, is, &lines[side], &counts[side]);
    name = is ? is->name : was->name;
    if (changed)
      how = !is ? ": removed" : !was ? ": new" : "";
    shown |= changed;
  }
  const char *heading = xb_arena_text(&view->arena, *name ? "[%s]%s" : "%sbefore the first marker%s", name, how);
  for (int side = 0; side < XB_SIDES; side++)
    counts[side] = shown && !view->failed ? without_blanks(lines[side], counts[side]) : 0;
  view->failed |= !heading;
  xb_show_view_section(view, heading, lines, counts, XB_LAYOUT_ALIKE);
}

static void add_changes(xb_show_view *view, const xb_twins *before)
{
  versions *v = xb_arena_take(&view->arena, XB_SIDES, sizeof *v);
  size_t count;
  xb_show_view_remark(view, xb_arena_text(&view->arena, "Changes from %s: - removed, + added", before->name));
  view->failed |= !v;
  if (view->failed)
    return;
  for (int side = 0; side < XB_SIDES; side++)
    if (view->shown[side])
      read_versions(view, before, side, &v[side]);
  if (view->shown[0] && view->shown[1] && !marked_alike(v))
    for (int side = 0; side < XB_SIDES; side++) {
      v[side].before_count = xb_cut_nowhere(&v[side].before, v[side].before_parts);
      v[side].after_count = xb_cut_nowhere(&v[side].after, v[side].after_parts);
    }
  const versions *any = &v[!view->shown[0]];
  const xb_match *matches = xb_align(&view->arena, any->before_count, any->after_count, score_parts, NULL, any, &count);
  view->failed |= !matches;
  for (size_t i = 0; i < count && !view->failed; i++)
    add_part(view, v, &matches[i]);
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
    add_changes(view, options->before);
  else if (!host)
    add_pair(view);
  if (!host && options->headers)
    add_headers(view);
  return !view->failed;
}

void xb_show_view_free(xb_show_view *view)
{
  xb_arena_free(&view->arena);
}
