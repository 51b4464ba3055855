/* The ceilings of each device, by each API. */
#include "page/sections/sections.h"

#include "base/html_text.h"
#include "result/peaks.h"

#include <math.h>
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

bool xb_page_has_peaks(const xb_view *view)
{
  for (size_t f = 0; f < view->file_count; f++)
    if (is_shown(&view->files[f]))
      return true;
  return false;
}

/* The metric that the peak is; NULL: the cell has none, so its time is shown. */
static const xb_metric *metric_of(const xb_result *r, const xb_peak *peak)
{
  for (size_t i = 0; i < r->metrics.count; i++)
    if (!peak->unit || !strcmp(r->metrics.values[i].unit, peak->unit))
      return &r->metrics.values[i];
  return NULL;
}

/* The interval of the time, on the value: both are proportional, or one to the other's reciprocal. */
static void write_value(FILE *out, const xb_result *r, const xb_peak *peak)
{
  char figure[XB_NAME];
  if (!r || r->outcome != XB_CELL_OK) {
    xb_html_format(out, "<td class=\"n\">%s</td>", r ? xb_outcome_words(r) : "not measured");
    return;
  }
  const xb_metric *metric = metric_of(r, peak);
  if (metric)
    xb_name_figure(metric->value, figure);
  else
    xb_name_time(r->median_ns, figure);
  const double width = 50 * (r->ci95_ns.high - r->ci95_ns.low) / r->median_ns;
  xb_html_format(out, "<td class=\"n\">%s %s", figure, metric ? metric->unit : "");
  if (isfinite(width))
    fprintf(out, " &plusmn; %.1f %%", width);
  fputs(r->verified == 0 ? " (not verified)</td>" : "</td>", out);
}

static void write_row(FILE *out, const xb_view_file *file, const xb_peak *peak)
{
  const size_t count = file->document->device_count;
  const xb_result *any = NULL;
  for (size_t t = 0; t < count && !any; t++)
    any = find(file, &file->targets[t], peak);
  if (!any)
    return;
  xb_html_format(out, "<tr><th scope=\"row\">%s</th><td>%s/%s</td>", peak->title, any->benchmark, any->variant);
  for (size_t t = 0; t < count; t++)
    write_value(out, find(file, &file->targets[t], peak), peak);
  fputs("</tr>\n", out);
}

static void write_file(FILE *out, const xb_view_file *file)
{
  fputs("<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Peaks\"><table><thead><tr><th "
        "scope=\"col\">ceiling</th><th scope=\"col\">cell</th>",
        out);
  for (size_t t = 0; t < file->document->device_count; t++)
    xb_html_format(out, "<th scope=\"col\" class=\"n\">%s</th>", file->targets[t].name);
  fputs("</tr></thead><tbody>\n", out);
  for (const xb_peak *p = xb_peaks; p->title; p++)
    write_row(out, file, p);
  fputs("</tbody></table></div>\n", out);
}

void xb_page_peaks(xb_page *page)
{
  if (!xb_page_has_peaks(page->view))
    return;
  fputs("<section id=\"peaks\"><h2>Peaks</h2>\n<p class=\"about\">The ceilings of each device, by each API: the cells "
        "that <code>xbench peaks</code> measures, verified like all others. The interval is half of the 95 % interval "
        "of the time.</p>\n",
        page->out);
  for (size_t f = 0; f < page->view->file_count; f++)
    if (is_shown(&page->view->files[f])) {
      if (page->view->file_count > 1)
        xb_html_format(page->out, "<h3>%s</h3>\n", page->view->files[f].name);
      write_file(page->out, &page->view->files[f]);
    }
  fputs("</section>\n", page->out);
}
