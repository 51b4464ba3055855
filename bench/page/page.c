#include "page/page.h"

#include "base/exit_codes.h"
#include "base/html_text.h"
#include "base/program.h"
#include "page/charts/charts.h"
#include "page/sections/sections.h"
#include "page/template.h"

#include <stdlib.h>
#include <string.h>

/* ---- Slots of the template -------------------------------------------------------------------------------------- */

/* The names of devices or APIs, each once, at most three. */
static void write_names(xb_page *page, bool apis)
{
  enum { MOST = 3 };
  const char *names[MOST];
  size_t count = 0, all = 0;
  for (size_t f = 0; f < page->view->file_count; f++)
    for (size_t i = 0; i < page->view->files[f].document->device_count; i++) {
      const xb_view_target *t = &page->view->files[f].targets[i];
      const char *name = apis ? t->name : t->device->name;
      size_t k = 0;
      while (k < count && strcmp(names[k], name) != 0)
        k++;
      if (k == count && count < MOST)
        names[count++] = name;
      else
        all += k == count;
    }
  for (size_t k = 0; k < count; k++) {
    fputs(!k ? "" : k + 1 == count && !all ? " and " : ", ", page->out);
    xb_html_clipped(page->out, names[k], 80);
  }
  fputs(all ? " and more" : "", page->out);
}

static void write_devices(void *user)
{
  xb_page *page = user;
  write_names(page, false);
}

static void write_apis(void *user)
{
  xb_page *page = user;
  write_names(page, true);
}

static void write_lead(void *user)
{
  xb_page *page = user;
  const size_t failed = xb_page_failed(page);
  size_t good = 0, throttled = 0, none = 0;
  for (size_t f = 0; f < page->view->file_count; f++)
    for (size_t i = 0; i < page->view->files[f].document->result_count; i++) {
      const xb_result *r = &page->view->files[f].document->results[i];
      none += r->outcome == XB_CELL_NO_COUNTERPART;
      good += r->outcome == XB_CELL_OK;
      throttled += r->throttle.count > 0;
    }
  fprintf(page->out, "%zu %s, ", good + failed, good + failed == 1 ? "cell" : "cells");
  if (!failed)
    fputs("all with a result", page->out);
  else
    fprintf(page->out, "%zu with a result, <a class=\"bad\" href=\"#failed\">%zu without</a>", good, failed);
  if (none)
    fprintf(page->out, "; %zu more %s no counterpart in %s API", none, none == 1 ? "has" : "have",
            none == 1 ? "its" : "their");
  if (throttled)
    fprintf(page->out, "; <span class=\"bad\">%zu throttled (the clocks were reduced)</span>", throttled);
  fputs(".", page->out);
}

static void write_contents(void *user)
{
  xb_page *page = user;
  if (page->diff)
    fputs("<li><a href=\"#changes\">Before and after</a></li>\n", page->out);
  fputs("<li><a href=\"#summary\">At a glance</a></li>\n", page->out);
  if (xb_page_failed(page))
    fputs("<li><a href=\"#failed\">Without a result</a></li>\n", page->out);
  if (xb_page_has_peaks(page->view))
    fputs("<li><a href=\"#peaks\">Peaks</a></li>\n", page->out);
  for (size_t b = 0; b < page->view->benchmark_count; b++)
    xb_html_format(page->out, "<li><a href=\"#benchmark-%zu\">%.30s</a></li>\n", b + 1, page->view->benchmarks[b]);
  if (xb_has_group_sizes(page->view))
    fputs("<li><a href=\"#group-sizes\">Group sizes</a></li>\n", page->out);
  if (xb_has_roofline(page->view))
    fputs("<li><a href=\"#roofline\">Roofline</a></li>\n", page->out);
  if (page->tuning_count)
    fputs("<li><a href=\"#tuning\">Tuning</a></li>\n", page->out);
  if (xb_page_has_advice(page->view))
    fputs("<li><a href=\"#advice\">What recommendations are worth</a></li>\n", page->out);
  if (page->gpus.count)
    fputs("<li><a href=\"#gpus\">Across GPUs</a></li>\n", page->out);
  fputs("<li><a href=\"#cells\">All cells</a></li>\n<li><a href=\"#devices\">Devices</a></li>\n"
        "<li><a href=\"#files\">Files and machines</a></li>\n<li><a href=\"#sources\">Sources</a></li>\n<li><a "
        "href=\"#method\">Method</a></li>\n",
        page->out);
}

static void write_charts(xb_page *page, const char *id, const char *title, const char *about,
                         void (*charts)(xb_page *page))
{
  fprintf(page->out, "<section id=\"%s\"><h2>%s</h2>\n<p class=\"about\">%s</p>\n<div class=\"charts\">\n", id, title,
          about);
  charts(page);
  fputs("</div></section>\n", page->out);
}

static void write_across(xb_page *page)
{
  if (xb_has_group_sizes(page->view))
    write_charts(
        page, "group-sizes", "Group sizes",
        "Time and occupancy of the cells that the files have with several group sizes. Occupancy is the number "
        "of threads that a multiprocessor holds at a time: CUDA's driver tells it of each kernel, and the "
        "kernels of <code>resident</code> count it.",
        xb_page_group_sizes);
  if (xb_has_roofline(page->view))
    write_charts(page, "roofline", "Roofline",
                 "Each point is a cell whose operations are counted: how many it does in a second, against how many it "
                 "does for a byte that it has to move. A point far below the roof is not limited by the memory's "
                 "bandwidth. No API tells how many operations a multiprocessor does in a clock, so there is no roof of "
                 "operations.",
                 xb_page_rooflines);
  if (page->tuning_count)
    write_charts(
        page, "tuning", "Tuning",
        "Searches of <code>xbench tune</code>: each point is a candidate that was verified and timed once. The "
        "line is the best so far or, over a parameter, the best with each of its values.",
        xb_tuning_charts);
}

static void write_sections(void *user)
{
  xb_page *page = user;
  xb_page_changes(page);
  xb_page_summary(page);
  xb_page_peaks(page);
  for (size_t b = 0; b < page->view->benchmark_count; b++)
    xb_page_benchmark(page, page->view->benchmarks[b], b + 1);
  write_across(page);
  xb_page_advice(page);
  xb_page_gpus(page);
  xb_page_cells(page);
  xb_page_devices(page);
  xb_page_files(page);
  xb_page_sources(page);
}

static void write_sources(void *user)
{
  xb_page *page = user;
  const size_t count = page->view->file_count;
  if (count > 1)
    fprintf(page->out, "%zu files", count);
  else
    xb_html_clipped(page->out, page->view->files[0].name, 100);
}

static const xb_page_slot slots[] = {{"devices", write_devices},   {"apis", write_apis},
                                     {"lead", write_lead},         {"contents", write_contents},
                                     {"sections", write_sections}, {"sources", write_sources}};

/* ---- The page --------------------------------------------------------------------------------------------------- */

void xb_page_out_of_memory(xb_page *page)
{
  if (page->code < 0)
    page->code = xb_report_error(XB_EXIT_DEVICE, "report: out of host memory");
}

void xb_page_find_gnuplot(xb_page *page)
{
  xb_arena arena = {0};
  page->no_gnuplot = !xb_find_program("gnuplot", &arena);
  xb_arena_free(&arena);
  if (page->no_gnuplot)
    xb_report_error(XB_EXIT_OK, "report: gnuplot was not found, so the page has tables in the place of its charts; the "
                                "package gnuplot-nox has it (Debian: apt-get install gnuplot-nox)");
}

int xb_page_write(FILE *out, const xb_view *view, const xb_diff *diff, const xb_tuning *tunings, size_t tuning_count)
{
  xb_page page = {.out = out, .view = view, .diff = diff, .tunings = tunings, .tuning_count = tuning_count, .code = -1};
  xb_page_find_gnuplot(&page);
  if (!xb_gpu_ratios_find(view, &page.gpus))
    xb_page_out_of_memory(&page);
  xb_template_write(out, slots, sizeof slots / sizeof *slots, &page, NULL, &page.code);
  free(page.gpus.list);
  return page.code;
}
