/* The page's files, and the machines and builds that wrote them. */
#include "page/sections/facts.h"

#include "sheet/sheet.h"

#include <math.h>
#include <stddef.h>

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

XB_COLUMN_TEXT(file_name)
{
  snprintf(out, XB_SHEET_TEXT, "%s", ((const xb_view_file *)row)->name);
}

static const char *const heads[] = {
    "cells", "comparisons", "sampled for at least, s", "at most, s", "until interval width, %", "rounds, at least",
    "seed"};

XB_COLUMN_NUMBER(figure)
{
  const xb_document *d = ((const xb_view_file *)row)->document;
  const xb_result_sampling *p = &d->sampling;
  const double figures[] = {(double)d->result_count,
                            (double)d->comparison_count,
                            p->min_time_s,
                            p->max_time_s,
                            100 * p->width,
                            p->min_rounds < 0 ? NAN : (double)p->min_rounds,
                            p->seed < 0 ? NAN : (double)p->seed};
  return figures[c->offset];
}

static const void *file_at(const xb_sheet *s, size_t i)
{
  return &((const xb_view *)s->user)->files[i];
}

void xb_page_files(xb_page *page)
{
  static xb_sheet s; /* too large for a stack */
  s = (xb_sheet){.user = page->view, .row = file_at, .rows = page->view->file_count};
  xb_sheet_add(&s, (xb_column){"file", .head = true, .left = true, .text = file_name});
  for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
    xb_sheet_add(&s, (xb_column){heads[i], 0, "%g", figure, .offset = i});
  fputs("<section id=\"files\"><h2>Files and machines</h2>\n", page->out);
  xb_sheet_html(&s, page->out, "Files", NULL);
  write_machines(page);
  fputs("</section>\n", page->out);
}
