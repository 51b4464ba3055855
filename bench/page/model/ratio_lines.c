#include "page/model/ratio_lines.h"

#include <math.h>
#include <string.h>

bool xb_same_line(const xb_comparison *a, const xb_comparison *b)
{
  return a->subject->on == b->subject->on && a->base->on == b->base->on &&
         !strcmp(a->subject->variant, b->subject->variant) && !strcmp(a->base->variant, b->base->variant) &&
         !strcmp(a->subject->dtype, b->subject->dtype);
}

const char *xb_ratio_name(const xb_view_file *file, const xb_comparison *r, char out[XB_NAME])
{
  return xb_name_sides(xb_view_target_of(file, r->subject), r->subject->variant, xb_view_target_of(file, r->base),
                       r->base->variant, out);
}

xb_interval xb_drawn_interval(double ratio, xb_interval interval)
{
  const bool good = isfinite(interval.low) && isfinite(interval.high) && interval.low > 0 && interval.low <= ratio &&
                    interval.high >= ratio;
  return good ? interval : (xb_interval){ratio, ratio};
}

static void widen(xb_ratio_set *s, const xb_comparison *r)
{
  const xb_interval ends = xb_drawn_interval(r->ratio, r->ci95_ratio);
  s->least = fmin(s->least, (double)r->subject->size);
  s->most = fmax(s->most, (double)r->subject->size);
  s->low = fmin(s->low, ends.low);
  s->high = fmax(s->high, ends.high);
}

void xb_ratio_ranges_widen(xb_ratio_set *s, const xb_view *view)
{
  const xb_result *like = s->at[0]->subject;
  for (size_t f = 0; f < view->file_count; f++)
    for (size_t i = 0; i < view->files[f].ratio_count; i++) {
      const xb_comparison *r = &view->files[f].ratios[i];
      if (r->verdict && !strcmp(r->subject->benchmark, like->benchmark) && (s->sizes || xb_same_size(r->subject, like)))
        widen(s, r);
    }
}

void xb_ratio_lines_find(xb_ratio_set *s)
{
  s->line_count = s->lines_in_all = 0;
  s->least = INFINITY;
  s->low = s->high = 1;
  for (size_t i = 0; i < s->count; i++) {
    const xb_comparison *r = s->at[i];
    size_t k = 0;
    while (k < s->line_count && !xb_same_line(r, s->lines[k]))
      k++;
    if (k == s->line_count && k < XB_LINES_MOST)
      s->lines[s->line_count++] = r;
    s->lines_in_all += k == s->line_count;
    s->sizes |= !xb_same_size(r->subject, s->at[0]->subject) && xb_same_question(r->subject, s->at[0]->subject);
    s->dtypes |= strcmp(r->subject->dtype, s->at[0]->subject->dtype) != 0;
    s->variants |= strcmp(r->subject->variant, s->at[0]->subject->variant) != 0;
    widen(s, r);
    s->margin = r->margin;
  }
  s->lines_in_all += s->line_count;
}

int xb_ratio_slot(const xb_ratio_set *s, const xb_view_file *file, size_t k)
{
  for (size_t i = 1; i < s->line_count; i++)
    if (s->lines[i]->subject->on != s->lines[0]->subject->on)
      return xb_view_target_of(file, s->lines[k]->subject)->slot;
  return s->line_count > 1 ? (int)k % XB_VIEW_SLOTS : xb_view_target_of(file, s->lines[k]->subject)->slot;
}

void xb_ratio_set_take(xb_ratio_set *part, const xb_ratio_set *all, const char *variant)
{
  uint64_t largest = 0;
  for (size_t i = 0; i < all->count; i++)
    largest = all->at[i]->subject->size > largest ? all->at[i]->subject->size : largest;
  *part = (xb_ratio_set){.at = part->at};
  for (size_t i = 0; i < all->count; i++)
    if (variant ? !strcmp(all->at[i]->subject->variant, variant) : all->at[i]->subject->size == largest)
      part->at[part->count++] = all->at[i];
}
