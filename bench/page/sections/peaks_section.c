/* The ceilings of each device, by each API. */
#include "page/sections/sections.h"

#include "base/html_text.h"
#include "formats/result_columns.h"
#include "result/result.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

enum { FEWEST = 3 }; /* fewer are no overview */

/* The target's cell of a peak: of several sizes, the largest. NULL: none. */
static const xb_result *find(const xb_view_file *file, const xb_view_target *target, const xb_peak *peak)
{
  const xb_result *best = NULL;
  for (size_t i = 0; i < file->cell_count; i++) {
    const xb_result *r = file->cells[i];
    if (xb_is_peak(peak, r) && xb_view_target_of(file, r) == target && (!best || r->size > best->size))
      best = r;
  }
  return best;
}

static bool is_shown(const xb_view_file *file)
{
  size_t count = 0;
  for (const xb_peak *p = xb_peaks; p->title; p++)
    for (size_t i = 0; i < file->cell_count; i++)
      if (xb_is_peak(p, file->cells[i]) && file->cells[i]->outcome == XB_CELL_OK) {
        count++;
        break;
      }
  return count >= FEWEST;
}

/* The metric that the peak is; NULL: the cell has none, so its time is shown. */
static const xb_metric *metric_of(const xb_result *r, const xb_peak *peak)
{
  for (size_t i = 0; i < r->metrics.count; i++)
    if (!peak->unit || !strcmp(r->metrics.values[i].unit, peak->unit))
      return &r->metrics.values[i];
  return NULL;
}

/* With the interval of the time: both are proportional, or one to the other's reciprocal. */
XB_COLUMN_TEXT(value)
{
  const xb_peak *peak = row;
  const xb_result *r = find(s->user, c->of, peak);
  char text[XB_NAME];
  if (!r || r->outcome != XB_CELL_OK) {
    snprintf(out, XB_SHEET_TEXT, "%s", r ? xb_outcome_words(r) : "not measured");
    return;
  }
  const xb_metric *metric = metric_of(r, peak);
  const double width = xb_half_interval(r);
  snprintf(out, XB_SHEET_TEXT, "%s %s", metric ? xb_name_figure(metric->value, text) : xb_name_time(r->median_ns, text),
           metric ? metric->unit : "");
  if (isfinite(width))
    xb_append(out, XB_SHEET_TEXT, " ± %.1f %%", width);
  xb_append(out, XB_SHEET_TEXT, "%s", r->verified == 0 ? " (not verified)" : "");
}

/* The first target's cell. */
static const xb_result *any_cell(const xb_view_file *file, const xb_peak *peak)
{
  const xb_result *any = NULL;
  for (size_t t = 0; t < file->document->device_count && !any; t++)
    any = find(file, &file->targets[t], peak);
  return any;
}

XB_COLUMN_TEXT(cell)
{
  const xb_result *r = any_cell(s->user, row);
  snprintf(out, XB_SHEET_TEXT, "%s/%s", r->benchmark, r->variant);
}

static const void *peak_at(const xb_sheet *s, size_t i)
{
  return any_cell(s->user, &xb_peaks[i]) ? &xb_peaks[i] : NULL;
}

static void write_file(FILE *out, const xb_view_file *file)
{
  static xb_sheet s; /* too large for a stack */
  s = (xb_sheet){.user = file, .row = peak_at};
  while (xb_peaks[s.rows].title)
    s.rows++;
  xb_sheet_add(&s, (xb_column){"ceiling", .head = true, .left = true, .text = xb_text_member,
                               .offset = offsetof(xb_peak, title)});
  xb_sheet_add(&s, (xb_column){"cell", .left = true, .text = cell});
  for (size_t t = 0; t < file->document->device_count; t++)
    xb_sheet_add(&s, (xb_column){file->targets[t].name, .text = value, .of = &file->targets[t]});
  xb_sheet_html(&s, out, "Peaks", NULL);
}

void xb_page_peaks(xb_page *page)
{
  for (size_t f = 0; f < page->view->file_count; f++)
    if (is_shown(&page->view->files[f])) {
      if (page->view->file_count > 1)
        xb_html_format(page->out, "<h3>%s</h3>\n", page->view->files[f].name);
      write_file(page->out, &page->view->files[f]);
    }
}
