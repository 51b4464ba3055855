/* The page's files, and the machines and builds that wrote them. */
#include "page/sections/facts.h"

#include "base/html_text.h"

#include <math.h>

/* ---- Machines --------------------------------------------------------------------------------------------------- */

static const char *text(const xb_fact *fact, const void *of, char out[XB_NAME])
{
  (void)out;
  const xb_document *document = of;
  const char *value = *(const char *const *)((const char *)&document->host + fact->offset);
  return value && *value ? value : NULL;
}

#define AT(name) offsetof(xb_result_host, name)
static const xb_fact facts[] = {
    {"xbench", text, AT(version), 0, NULL},
    {"system", text, AT(os), 0, NULL},
    {"kernel", text, AT(kernel), 0, NULL},
    {"CPU", text, AT(cpu), 0, NULL},
    {"compiler", text, AT(compiler), 0, NULL},
    {"its flags", text, AT(compiler_flags), 0, NULL},
    {"shader compiler", text, AT(shader_compiler), 0, NULL},
    {"its flags", text, AT(shader_flags), 0, NULL},
    {"CUDA compiler", text, AT(cuda_compiler), 0, NULL},
    {"its flags", text, AT(cuda_flags), 0, NULL},
    {"DXIL compiler", text, AT(dxil_compiler), 0, NULL},
    {"its flags", text, AT(dxil_flags), 0, NULL},
};
enum { FACTS = sizeof facts / sizeof facts[0] };

static bool same_host(const void *a, const void *b)
{
  char out[XB_NAME];
  for (size_t i = 0; i < FACTS; i++)
    if (!xb_same_text(text(&facts[i], a, out), text(&facts[i], b, out)))
      return false;
  return true;
}

static void write_machines(xb_page *page)
{
  xb_facts table = {.title = "Machines and builds", .facts = facts, .count = FACTS};
  for (size_t f = 0; f < page->view->file_count; f++)
    xb_facts_add(&table, page->view->files[f].document, page->view->files[f].name, same_host);
  if (table.columns == 1 && page->view->file_count > 1)
    table.heads[0] = "all files";
  fputs("<h3 class=\"file\">Machines and builds</h3>\n", page->out);
  xb_facts_write(&table, page->out);
}

/* ---- Files ------------------------------------------------------------------------------------------------------ */

static void write_file(FILE *out, const xb_view_file *file)
{
  const xb_document *d = file->document;
  const xb_result_sampling *s = &d->sampling;
  const double figures[] = {(double)d->result_count,
                            (double)d->comparison_count,
                            s->min_time_s,
                            s->max_time_s,
                            100 * s->width,
                            s->min_rounds < 0 ? NAN : (double)s->min_rounds,
                            s->seed < 0 ? NAN : (double)s->seed};
  xb_html_format(out, "<tr><th scope=\"row\"><span class=\"name\">%.100s</span></th>", file->name);
  for (size_t i = 0; i < sizeof figures / sizeof figures[0]; i++)
    fprintf(out, isfinite(figures[i]) ? "<td class=\"n\">%g</td>" : "<td class=\"n\"></td>", figures[i]);
  fputs("</tr>\n", out);
}

void xb_page_files(xb_page *page)
{
  static const char *const heads[] = {
      "cells", "comparisons", "sampled for at least, s", "at most, s", "until interval width, %", "rounds, at least",
      "seed"};
  FILE *out = page->out;
  fputs("<section id=\"files\"><h2>Files and machines</h2>\n<div class=\"scroll\" tabindex=\"0\" role=\"region\" "
        "aria-label=\"Files\"><table><thead><tr><th scope=\"col\">file</th>",
        out);
  for (size_t i = 0; i < sizeof heads / sizeof heads[0]; i++)
    fprintf(out, "<th scope=\"col\" class=\"n\">%s</th>", heads[i]);
  fputs("</tr></thead>\n<tbody>\n", out);
  for (size_t f = 0; f < page->view->file_count; f++)
    write_file(out, &page->view->files[f]);
  fputs("</tbody></table></div>\n", out);
  write_machines(page);
  fputs("</section>\n", out);
}
