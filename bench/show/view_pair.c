/* The kernels, part by part. */
#include "show/view.h"

/* A side without a source has no lines. */
static xb_line *lines_of(const xb_listing *source, const xb_part *part)
{
  return source->lines ? source->lines + part->first : NULL;
}

void xb_show_view_of_pair(xb_show_view *view)
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
