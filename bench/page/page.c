#include "page/page.h"

#include "base/exit_codes.h"
#include "base/html_text.h"
#include "blob.h"
#include "os/memory_file.h"
#include "page/charts/charts.h"
#include "page/sections/sections.h"
#include "show/view.h"
#include "version.h"

#include <string.h>

/* ---- The template ----------------------------------------------------------------------------------------------- */

static const char SECTION[] = "<section id=\"", BENCHMARKS[] = "{{benchmarks}}";

static bool begins(const char *text, const char *with)
{
  return !strncmp(text, with, strlen(with));
}

/* What the slot at "{{name}}" wrote; NULL: the page has no such slot. */
static const xb_page_slot *slot_at(const xb_page *page, const char *mark)
{
  const size_t length = strcspn(mark + 2, "}");
  for (const xb_page_slot *slot = page->slots; slot && slot < page->slots + page->slot_count; slot++)
    if (strlen(slot->name) == length && !strncmp(slot->name, mark + 2, length))
      return slot;
  return NULL;
}

/* True if the slot of the section wrote nothing. */
static bool is_left_out(const xb_page *page, const char *section)
{
  const xb_page_slot *slot = slot_at(page, strstr(section, "{{"));
  return !slot || !slot->written.length;
}

void xb_page_contents(xb_page *page)
{
  for (const char *p = (const char *)xb_blob_find("page/page.html")->data; *p; p++) {
    const char *id = p + strlen(SECTION);
    for (size_t b = 0; begins(p, BENCHMARKS) && page->view && b < page->view->benchmark_count; b++)
      xb_html_format(page->out, "<li><a href=\"#benchmark-%zu\">%.30s</a></li>\n", b + 1, page->view->benchmarks[b]);
    if (!begins(p, SECTION) || is_left_out(page, p))
      continue;
    const char *title = strstr(p, "<h2>") + strlen("<h2>");
    fprintf(page->out, "<li><a href=\"#%.*s\">%.*s</a></li>\n", (int)strcspn(id, "\""), id, (int)strcspn(title, "<"),
            title);
  }
}

/* Each slot writes into memory of its own: the contents, which stand before the sections, list those that wrote
 * something. */
static void write_slots(xb_page *page)
{
  FILE *out = page->out;
  for (xb_page_slot *slot = page->slots; slot && slot < page->slots + page->slot_count && page->code < 0; slot++) {
    if (xb_memory_begin(&slot->written)) {
      page->out = slot->written.file;
      slot->write(page);
    }
    if (!xb_memory_whole(&slot->written))
      xb_page_out_of_memory(page);
  }
  page->out = out;
}

void xb_template_write(xb_page *page, xb_page_slot *slots, size_t count)
{
  page->slots = slots;
  page->slot_count = count;
  write_slots(page);
  for (const char *p = (const char *)xb_blob_find("page/page.html")->data; *p && page->code < 0;) {
    if (begins(p, SECTION) && is_left_out(page, p))
      p = strstr(p, "</section>") + strlen("</section>\n");
    else if (begins(p, "{{")) {
      const xb_page_slot *slot = slot_at(page, p);
      if (slot)
        fwrite(slot->written.text, 1, slot->written.length, page->out);
      p = strstr(p, "}}") + 2;
    } else
      fputc(*p++, page->out);
  }
  for (size_t i = 0; i < count; i++)
    xb_memory_end(&slots[i].written);
}

void xb_page_style(xb_page *page)
{
  fputs(xb_html_style(), page->out);
}

void xb_page_program(xb_page *page)
{
  fputs("xbench " XB_VERSION, page->out);
}

/* ---- Slots of a page of results --------------------------------------------------------------------------------- */

/* Texts, each once, at most three. */
typedef struct names {
  const char *at[3];
  size_t count, more;
} names;

static void add_name(names *n, const char *name)
{
  size_t k = 0;
  while (k < n->count && strcmp(n->at[k], name) != 0)
    k++;
  if (k == n->count && k < sizeof n->at / sizeof n->at[0])
    n->at[n->count++] = name;
  else
    n->more += k == n->count;
}

static void write_names(xb_page *page, const names *n, size_t characters)
{
  for (size_t k = 0; k < n->count; k++) {
    fputs(!k ? "" : k + 1 == n->count && !n->more ? " and " : ", ", page->out);
    xb_html_clipped(page->out, n->at[k], characters);
  }
  fputs(n->more ? " and more" : "", page->out);
}

static void write_devices(xb_page *page)
{
  names n = {.count = 0};
  for (size_t i = 0; i < page->view->target_count; i++)
    add_name(&n, page->view->targets[i].device->name);
  write_names(page, &n, 80);
}

static void write_apis(xb_page *page)
{
  names n = {.count = 0};
  for (size_t i = 0; i < page->view->target_count; i++)
    add_name(&n, page->view->targets[i].api);
  write_names(page, &n, 80);
}

/* When it was measured, with which drivers, and by which xbench. */
static void write_origin(xb_page *page)
{
  names drivers = {.count = 0}, commits = {.count = 0}, versions = {.count = 0};
  const char *first = NULL, *last = NULL;
  bool modified = false;
  for (size_t f = 0; f < page->view->file_count; f++) {
    const xb_result_host *host = &page->view->files[f].document->host;
    first = host->date && (!first || strcmp(host->date, first) < 0) ? host->date : first;
    last = host->date && (!last || strcmp(host->date, last) > 0) ? host->date : last;
    modified |= host->modified == 1;
    if (host->commit)
      add_name(&commits, host->commit);
    add_name(&versions, host->version ? host->version : "of an unknown version");
  }
  for (size_t i = 0; i < page->view->target_count; i++)
    if (page->view->targets[i].device->driver)
      add_name(&drivers, page->view->targets[i].device->driver);
  fputs("</p>\n<p class=\"lead\">Measured ", page->out);
  xb_html_clipped(page->out, first ? first : "at an unknown time", 24);
  if (first && strcmp(first, last) != 0) {
    fputs(" to ", page->out);
    xb_html_clipped(page->out, last, 24);
  }
  fputs(" by xbench ", page->out);
  write_names(page, &versions, 24);
  fputs(commits.count ? ", commit " : "", page->out);
  write_names(page, &commits, 8);
  fputs(modified ? " and changes" : "", page->out);
  fputs(drivers.count ? "; driver: " : "", page->out);
  write_names(page, &drivers, 60);
  fputs(".", page->out);
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
      throttled += r->throttling.throttle.count > 0;
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
  write_origin(page);
}

static void write_inputs(xb_page *page)
{
  const size_t count = page->view->file_count;
  if (count > 1)
    fprintf(page->out, "%zu files", count);
  else
    xb_html_clipped(page->out, page->view->files[0].name, 100);
}

/* So that the section about the method, which has no other slot, is shown. */
static void write_break(xb_page *page)
{
  fputc('\n', page->out);
}

static void write_benchmarks(xb_page *page)
{
  for (size_t b = 0; b < page->view->benchmark_count; b++)
    xb_page_benchmark(page, page->view->benchmarks[b], b + 1);
}

/* ---- The page --------------------------------------------------------------------------------------------------- */

void xb_page_out_of_memory(xb_page *page)
{
  if (page->code < 0)
    page->code = xb_report_error(XB_EXIT_DEVICE, "report: out of host memory");
}

int xb_page_write(FILE *out, const xb_view *view, const xb_diff *diff, const xb_tuning *tunings, size_t tuning_count)
{
  xb_page page = {.out = out, .view = view, .diff = diff, .tunings = tunings, .tuning_count = tuning_count, .code = -1};
  xb_page_slot slots[] = {
      {.name = "style", .write = xb_page_style},
      {.name = "program", .write = xb_page_program},
      {.name = "device_names", .write = write_devices},
      {.name = "api_names", .write = write_apis},
      {.name = "lead", .write = write_lead},
      {.name = "inputs", .write = write_inputs},
      {.name = "changes", .write = xb_page_changes},
      {.name = "summary", .write = xb_page_summary},
      {.name = "failed", .write = xb_page_all_failed},
      {.name = "peaks", .write = xb_page_peaks},
      {.name = "benchmarks", .write = write_benchmarks},
      {.name = "group-sizes", .write = xb_page_group_sizes},
      {.name = "roofline", .write = xb_page_rooflines},
      {.name = "tuning", .write = xb_tuning_charts},
      {.name = "advice", .write = xb_page_advice},
      {.name = "gpus", .write = xb_page_gpus},
      {.name = "cells", .write = xb_page_cells},
      {.name = "devices", .write = xb_page_devices},
      {.name = "files", .write = xb_page_files},
      {.name = "sources", .write = xb_page_sources},
      {.name = "method", .write = write_break},
      {.name = "contents", .write = xb_page_contents},
  };
  xb_template_write(&page, slots, sizeof slots / sizeof *slots);
  return page.code;
}
