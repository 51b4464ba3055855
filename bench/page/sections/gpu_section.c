/* The same comparisons on several GPUs. */
#include "page/sections/sections.h"

#include "base/html_text.h"

#include <math.h>

static void write_interval(FILE *out, xb_interval i)
{
  fputs("<td class=\"n\">", out);
  if (isfinite(i.low))
    fprintf(out, "%.3f to %.3f", i.low, i.high);
  fputs("</td>", out);
}

static void write_row(FILE *out, const xb_gpu_ratio *g)
{
  char sides[XB_NAME], question[XB_NAME];
  const xb_comparison *c = g->of;
  xb_name_sides(xb_view_target_of(g->file, c->subject), c->subject->variant, xb_view_target_of(g->file, c->base),
                c->base->variant, sides);
  xb_name_question(c->subject, question);
  xb_html_format(out, "<tr><td>%s</td><td>%s</td><td>%s</td><td class=\"n\">%zu</td><td class=\"n\">%.3f</td>",
                 c->subject->benchmark, sides, question, g->gpus, g->ratio);
  write_interval(out, g->range);
  write_interval(out, g->next);
  fprintf(out, "<td>%s</td></tr>\n", g->other_code ? "not the same code in all files" : "");
}

void xb_page_gpus(xb_page *page)
{
  if (page->gpus.count) {
    fputs(
        "<section id=\"gpus\"><h2>Across GPUs</h2>\n<p>Ratios of times that these files have of several GPUs of one "
        "model. A GPU's own ratio is the geometric mean over its files. 'Next GPU' is the interval in which the ratio "
        "of one more GPU lies with 95 % probability (Student's prediction interval of the logarithms); it needs four "
        "GPUs.</p>\n<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Ratios across GPUs\"><table>"
        "<thead><tr><th scope=\"col\">benchmark</th><th scope=\"col\">sides</th><th scope=\"col\">cell</th><th "
        "scope=\"col\" class=\"n\">GPUs</th><th scope=\"col\" class=\"n\">ratio</th><th scope=\"col\" class=\"n\">"
        "range</th><th scope=\"col\" class=\"n\">next GPU</th><td></td></tr></thead><tbody>\n",
        page->out);
    for (size_t i = 0; i < page->gpus.count; i++)
      write_row(page->out, &page->gpus.list[i]);
    fputs("</tbody></table></div></section>\n", page->out);
  }
}
