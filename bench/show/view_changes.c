/* The changes from one rung to another: a line diff for each API, side by side, part by part. */
#include "show/view.h"

#include <string.h>

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

void xb_show_view_of_changes(xb_show_view *view, const xb_twins *before)
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
