/* The kernels, part by part. */
#include "show/view.h"

static bool read_sides(xb_show_view *view, xb_listing sources[XB_SIDES])
{
  for (int side = 0; side < XB_SIDES; side++) {
    sources[side] = (xb_listing){0};
    if (!view->shown[side])
      continue;
    view->columns[side] = view->pair.path[side];
    if (!xb_listing_read(view->pair.path[side], &view->arena, &sources[side]))
      return false;
  }
  return true;
}

bool xb_show_view_of_pair(xb_show_view *view)
{
  xb_listing sources[XB_SIDES];
  xb_part parts[XB_SIDES][XB_MAX_PARTS];
  if (!read_sides(view, sources))
    return false;
  if (!view->shown[0] || !view->shown[1]) {
    const xb_listing *l = &sources[0], *r = &sources[1];
    xb_section *only = xb_show_view_section(view, NULL, l->lines, l->count, r->lines, r->count);
    return only && xb_face_plainly(view, only);
  }
  view->marked = true;
  size_t count = xb_cut(&sources[0], parts[0]);
  if (!xb_same_parts(parts[0], count, parts[1], xb_cut(&sources[1], parts[1]))) {
    for (int side = 0; side < XB_SIDES; side++)
      count = xb_cut_nowhere(&sources[side], parts[side]);
  }
  for (size_t i = 0; i < count; i++) {
    const xb_part *a = &parts[0][i], *b = &parts[1][i];
    xb_section *s =
        xb_show_view_section(view, NULL, sources[0].lines + a->first, a->count, sources[1].lines + b->first, b->count);
    if (!s || !xb_face_alike(view, s))
      return false;
  }
  return true;
}
