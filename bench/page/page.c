#include "page/page.h"

#include "base/exit_codes.h"
#include "base/html_text.h"
#include "blob.h"
#include "os/memory_file.h"
#include "page/charts/charts.h"
#include "page/sections/sections.h"
#include "show/view_html.h"
#include "version.h"

#include <stdlib.h>
#include <string.h>

/* ---- The template ------------------------------------------------------------------------------------------------ */

static bool is(const char *name, const char *mark, size_t length)
{
  return strlen(name) == length && !strncmp(name, mark, length);
}

static void fill(xb_page *page, const xb_page_slot *slots, size_t count, const char *mark, size_t length)
{
  if (is("style", mark, length))
    fputs(xb_html_style(), page->out);
  if (is("program", mark, length))
    fputs("xbench " XB_VERSION, page->out);
  for (size_t i = 0; i < count; i++)
    if (is(slots[i].name, mark, length))
      slots[i].write(page);
}

void xb_template_write(xb_page *page, const xb_page_slot *slots, size_t count, const char *without)
{
  const xb_blob *blob = xb_blob_find("page/page.html");
  const char *p = (const char *)blob->data, *end = p + blob->bytes;
  char section[80];
  snprintf(section, sizeof section, "<section id=\"%s\">", without ? without : "");
  const size_t length = strlen(section);
  while (p < end && page->code < 0) {
    if (*p == '<' && without && (size_t)(end - p) > length && !memcmp(p, section, length)) {
      const char *close = strstr(p, "</section>");
      p = close ? close + strlen("</section>") : end;
    } else if (end - p > 4 && p[0] == '{' && p[1] == '{') {
      const size_t name_length = strcspn(p + 2, "}");
      fill(page, slots, count, p + 2, name_length);
      p += name_length + 4;
    } else
      fputc(*p++, page->out);
  }
}

/* ---- Slots of the template -------------------------------------------------------------------------------------- */

/* The names of devices or APIs, each once, at most three. */
static void write_names(xb_page *page, bool apis)
{
  enum { MOST = 3 };
  const char *names[MOST];
  size_t count = 0, all = 0;
  for (size_t i = 0; i < page->view->target_count; i++) {
    const xb_view_target *t = &page->view->targets[i];
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

static void write_devices(xb_page *page)
{
  write_names(page, false);
}

static void write_apis(xb_page *page)
{
  write_names(page, true);
}

static void write_lead(xb_page *page)
{
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

/* ---- Sections --------------------------------------------------------------------------------------------------- */

static void write_benchmarks(xb_page *page)
{
  for (size_t b = 0; b < page->view->benchmark_count; b++)
    xb_page_benchmark(page, page->view->benchmarks[b], b + 1);
}

static const struct section {
  const char *id, *title;       /* NULL: write_benchmarks, a section for each */
  void (*write)(xb_page *page); /* nothing: the section is left out */
  const char *about;            /* NULL: the section says it */
  bool charts;
} sections[] = {
    {"changes", "Before and after", .write = xb_page_changes},
    {"summary", "At a glance", .write = xb_page_summary},
    {"failed", "Without a result", .write = xb_page_all_failed},
    {"peaks", "Peaks", .write = xb_page_peaks,
     .about = "The ceilings of each device, by each API: the cells that <code>xbench peaks</code> measures, "
              "verified like all others. The interval is half of the 95 % interval of the time."},
    {NULL, NULL, .write = write_benchmarks},
    {"group-sizes", "Group sizes", .write = xb_page_group_sizes,
     .about = "Time and occupancy of the cells that the files have with several group sizes. Occupancy is the "
              "number of threads that a multiprocessor holds at a time: CUDA's driver tells it of each kernel, and "
              "the kernels of <code>resident</code> count it.",
     .charts = true},
    {"roofline", "Roofline", .write = xb_page_rooflines,
     .about =
         "Each point is a cell whose operations are counted: how many it does in a second, against how many it "
         "does for a byte that it has to move. A point far below the roof is not limited by the memory's "
         "bandwidth. The roof of operations is what <code>instructions</code> reached with float32 in the same files.",
     .charts = true},
    {"tuning", "Tuning", .write = xb_tuning_charts,
     .about = "Searches of <code>xbench tune</code>: each point is a candidate that was verified and timed once. "
              "The line is the best so far or, over a parameter, the best with each of its values.",
     .charts = true},
    {"advice", "What recommendations are worth", .write = xb_page_advice,
     .about = "Recommendations of the <cite>CUDA C++ Best Practices Guide</cite>, with its priorities, and what "
              "following them brought here: the first metric of the second cell over that of the first one, with "
              "the 95 % interval of the times. Those without both cells are not listed."},
    {"gpus", "Across GPUs", .write = xb_page_gpus,
     .about = "Ratios of times that these files have of several GPUs of one model. A GPU's own ratio is the "
              "geometric mean over its files. 'Next GPU' is the interval in which the ratio of one more GPU lies "
              "with 95 % probability (Student's prediction interval of the logarithms); it needs four GPUs."},
    {"cells", "All cells", .write = xb_page_cells,
     .about = "Time is the device time of one run, with half of its 95 % interval. Host time is from submit to "
              "complete of a sample, divided by its runs. Floor is the part of the time that empty dispatches would "
              "take. A yardstick was measured only as a baseline for other cells. Names link to the sources."},
    {"devices", "Devices", .write = xb_page_devices,
     .about = "The devices as each API reports them. If an API does not report the peak or the cache, the value "
              "comes from another API on the same device."},
    {"files", "Files and machines", .write = xb_page_files},
    {"sources", "Sources", .write = xb_page_sources,
     .about = "The CUDA and HLSL sources of each variant, as built into the program that made this page, with "
              "corresponding parts side by side. <code>xbench show</code> shows the same in a terminal."},
};
enum { SECTIONS = sizeof sections / sizeof *sections };

/* What each section wrote: the table of contents, which stands before them, lists those that wrote something. */
static xb_memory written[SECTIONS];

static void write_all(xb_page *page)
{
  FILE *out = page->out;
  for (size_t i = 0; i < SECTIONS && page->code < 0; i++) {
    if (xb_memory_begin(&written[i])) {
      page->out = written[i].file;
      sections[i].write(page);
    }
    if (!xb_memory_whole(&written[i]))
      xb_page_out_of_memory(page);
  }
  page->out = out;
}

static void write_contents(xb_page *page)
{
  for (size_t i = 0; i < SECTIONS; i++) {
    const struct section *s = &sections[i];
    if (s->id && written[i].length)
      fprintf(page->out, "<li><a href=\"#%s\">%s</a></li>\n", s->id, s->title);
    for (size_t b = 0; !s->id && b < page->view->benchmark_count; b++)
      xb_html_format(page->out, "<li><a href=\"#benchmark-%zu\">%.30s</a></li>\n", b + 1, page->view->benchmarks[b]);
  }
  fputs("<li><a href=\"#method\">Method</a></li>\n", page->out);
}

static void write_sections(xb_page *page)
{
  for (size_t i = 0; i < SECTIONS; i++) {
    const struct section *s = &sections[i];
    if (!written[i].length)
      continue;
    if (s->id)
      fprintf(page->out, "<section id=\"%s\"><h2>%s</h2>\n", s->id, s->title);
    if (s->about)
      fprintf(page->out, "<p class=\"about\">%s</p>\n", s->about);
    fputs(s->charts ? "<div class=\"charts\">\n" : "", page->out);
    fwrite(written[i].text, 1, written[i].length, page->out);
    fputs(s->charts ? "</div>" : "", page->out);
    fputs(s->id ? "</section>\n" : "", page->out);
  }
}

/* ---- The other slots -------------------------------------------------------------------------------------------- */

static void write_sources(xb_page *page)
{
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

int xb_page_write(FILE *out, const xb_view *view, const xb_diff *diff, const xb_tuning *tunings, size_t tuning_count)
{
  xb_page page = {.out = out, .view = view, .diff = diff, .tunings = tunings, .tuning_count = tuning_count, .code = -1};
  if (!xb_gpu_ratios_find(view, &page.gpus))
    xb_page_out_of_memory(&page);
  write_all(&page);
  xb_template_write(&page, slots, sizeof slots / sizeof *slots, NULL);
  for (size_t i = 0; i < SECTIONS; i++)
    xb_memory_end(&written[i]);
  free(page.gpus.list);
  return page.code;
}
