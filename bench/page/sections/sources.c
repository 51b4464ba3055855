/* The sources of the measured variants, each pair once, and the links to them. */
#include "page/sections/sections.h"

#include "base/html_text.h"
#include "benchmarks/registry.h"
#include "show/view.h"

/* NULL if the variant is not in the program's table, or has no kernel of its own. */
static const xb_variant *variant_of(const xb_result *cell)
{
  const xb_variant *v = xb_variant_find(cell->benchmark, cell->variant);
  return v && xb_has_kernel(v) ? xb_variant_of_kernel(v) : NULL;
}

void xb_source_link(FILE *out, const xb_result *cell, const char *text)
{
  char anchor[XB_ANCHOR_BYTES];
  const xb_variant *v = variant_of(cell);
  if (v) {
    xb_html_variant_anchor(v, anchor);
    fprintf(out, "<a href=\"#%s\">", anchor);
  }
  xb_html_text(out, text);
  fputs(v ? "</a>" : "", out);
}

static bool was_run(const xb_view *view, const xb_variant *v)
{
  for (size_t f = 0; f < view->file_count; f++)
    for (size_t i = 0; i < view->files[f].document->result_count; i++)
      if (variant_of(&view->files[f].document->results[i]) == v)
        return true;
  return false;
}

void xb_source_links(xb_page *page, const char *benchmark)
{
  char anchor[XB_ANCHOR_BYTES];
  bool any = false;
  const xb_benchmark *b = xb_benchmark_find(benchmark);
  for (size_t i = 0; b && i < b->variant_count; i++) {
    const xb_variant *v = &b->variants[i];
    if (!was_run(page->view, v))
      continue;
    xb_html_variant_anchor(v, anchor);
    fputs(any ? ", " : "<p class=\"where\">Sources, CUDA beside HLSL: ", page->out);
    xb_html_format(page->out, "<a href=\"#%s\">%u %s</a>", anchor, v->number, v->name);
    any = true;
  }
  fputs(any ? "</p>\n" : "", page->out);
}

static void write_source(xb_page *page, const xb_variant *v)
{
  xb_html_format(page->out, "<details class=\"source\"><summary>%s/%u %s</summary>\n", v->benchmark->name, v->number,
                 v->title);
  if (!xb_html_variant(v, page->out))
    xb_page_out_of_memory(page);
  fputs("</details>\n", page->out);
}

void xb_page_sources(xb_page *page)
{
  const xb_benchmark *b;
  for (size_t i = 0; (b = xb_benchmark_at(i)); i++)
    for (const xb_variant *v = b->variants; v < b->variants + b->variant_count; v++)
      if (was_run(page->view, v))
        write_source(page, v);
}
