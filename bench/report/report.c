#include "report/report.h"

#include "base/exit_codes.h"
#include "base/html_text.h"
#include "blob.h"
#include "os/memory_file.h"
#include "report/charts/charts.h"
#include "show/view.h"
#include "version.h"

#include <string.h>

/* ---- The template ----------------------------------------------------------------------------------------------- */

static const char SECTION[] = "<section id=\"", BENCHMARKS[] = "{{benchmarks}}";

static bool begins(const char *text, const char *with)
{
  return !strncmp(text, with, strlen(with));
}

/* What the slot at "{{name}}" wrote; NULL: the report has no such slot. */
static const xb_report_slot *slot_at(const xb_report *report, const char *mark)
{
  const size_t length = strcspn(mark + 2, "}");
  for (const xb_report_slot *slot = report->slots; slot && slot < report->slots + report->slot_count; slot++)
    if (strlen(slot->name) == length && !strncmp(slot->name, mark + 2, length))
      return slot;
  return NULL;
}

/* True if the slot of the section wrote nothing. */
static bool is_left_out(const xb_report *report, const char *section)
{
  const xb_report_slot *slot = slot_at(report, strstr(section, "{{"));
  return !slot || !slot->written.length;
}

void xb_report_contents(xb_report *report)
{
  for (const char *p = (const char *)xb_blob_find("report/report.html")->data; *p; p++) {
    const char *id = p + strlen(SECTION);
    for (size_t b = 0; begins(p, BENCHMARKS) && report->view && b < report->view->benchmark_count; b++)
      xb_html_format(report->out, "<li><a href=\"#benchmark-%zu\">%.30s</a></li>\n", b + 1,
                     report->view->benchmarks[b]);
    if (!begins(p, SECTION) || is_left_out(report, p))
      continue;
    const char *title = strstr(p, "<h2>") + strlen("<h2>");
    fprintf(report->out, "<li><a href=\"#%.*s\">%.*s</a></li>\n", (int)strcspn(id, "\""), id, (int)strcspn(title, "<"),
            title);
  }
}

/* Each slot writes into memory of its own: the contents, which stand before the sections, list those that wrote
 * something. */
static void write_slots(xb_report *report)
{
  FILE *out = report->out;
  for (xb_report_slot *slot = report->slots; slot && slot < report->slots + report->slot_count && report->code < 0;
       slot++) {
    if (xb_memory_begin(&slot->written)) {
      report->out = slot->written.file;
      slot->write(report);
    }
    if (!xb_memory_whole(&slot->written))
      xb_report_out_of_memory(report);
  }
  report->out = out;
}

void xb_template_write(xb_report *report, xb_report_slot *slots, size_t count)
{
  report->slots = slots;
  report->slot_count = count;
  write_slots(report);
  for (const char *p = (const char *)xb_blob_find("report/report.html")->data; *p && report->code < 0;) {
    if (begins(p, SECTION) && is_left_out(report, p))
      p = strstr(p, "</section>") + strlen("</section>\n");
    else if (begins(p, "{{")) {
      const xb_report_slot *slot = slot_at(report, p);
      if (slot)
        fwrite(slot->written.text, 1, slot->written.length, report->out);
      p = strstr(p, "}}") + 2;
    } else
      fputc(*p++, report->out);
  }
  for (size_t i = 0; i < count; i++)
    xb_memory_end(&slots[i].written);
}

void xb_report_style(xb_report *report)
{
  fputs(xb_html_style(), report->out);
}

void xb_report_program(xb_report *report)
{
  fputs("xbench " XB_VERSION, report->out);
}

/* ---- Slots of a report of results -------------------------------------------------------------------------------- */

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

static void write_names(xb_report *report, const names *n, size_t characters)
{
  for (size_t k = 0; k < n->count; k++) {
    fputs(!k ? "" : k + 1 == n->count && !n->more ? " and " : ", ", report->out);
    xb_html_clipped(report->out, n->at[k], characters);
  }
  fputs(n->more ? " and more" : "", report->out);
}

static void write_devices(xb_report *report)
{
  names n = {.count = 0};
  for (size_t i = 0; i < report->view->target_count; i++)
    add_name(&n, report->view->targets[i].device->name);
  write_names(report, &n, 80);
}

static void write_apis(xb_report *report)
{
  names n = {.count = 0};
  for (size_t i = 0; i < report->view->target_count; i++)
    add_name(&n, report->view->targets[i].api);
  write_names(report, &n, 80);
}

/* When it was measured, with which drivers, and by which xbench. */
static void write_origin(xb_report *report)
{
  names drivers = {.count = 0}, commits = {.count = 0}, versions = {.count = 0};
  const char *first = NULL, *last = NULL;
  bool modified = false;
  for (size_t f = 0; f < report->view->file_count; f++) {
    const xb_result_host *host = &report->view->files[f].document->host;
    first = host->date && (!first || strcmp(host->date, first) < 0) ? host->date : first;
    last = host->date && (!last || strcmp(host->date, last) > 0) ? host->date : last;
    modified |= host->modified == 1;
    if (host->commit)
      add_name(&commits, host->commit);
    add_name(&versions, host->version ? host->version : "of an unknown version");
  }
  for (size_t i = 0; i < report->view->target_count; i++)
    if (report->view->targets[i].device->driver)
      add_name(&drivers, report->view->targets[i].device->driver);
  fputs("</p>\n<p class=\"lead\">Measured ", report->out);
  xb_html_clipped(report->out, first ? first : "at an unknown time", 24);
  if (first && strcmp(first, last) != 0) {
    fputs(" to ", report->out);
    xb_html_clipped(report->out, last, 24);
  }
  fputs(" by xbench ", report->out);
  write_names(report, &versions, 24);
  fputs(commits.count ? ", commit " : "", report->out);
  write_names(report, &commits, 8);
  fputs(modified ? " and changes" : "", report->out);
  fputs(drivers.count ? "; driver: " : "", report->out);
  write_names(report, &drivers, 60);
  fputs(".", report->out);
}

static void write_lead(xb_report *report)
{
  const size_t failed = xb_report_failed(report);
  size_t good = 0, throttled = 0, none = 0;
  for (size_t f = 0; f < report->view->file_count; f++)
    for (size_t i = 0; i < report->view->files[f].document->result_count; i++) {
      const xb_result *r = &report->view->files[f].document->results[i];
      none += r->outcome == XB_CELL_NO_COUNTERPART;
      good += r->outcome == XB_CELL_OK;
      throttled += r->throttling.throttle.count > 0;
    }
  fprintf(report->out, "%zu %s, ", good + failed, good + failed == 1 ? "cell" : "cells");
  if (!failed)
    fputs("all with a result", report->out);
  else
    fprintf(report->out, "%zu with a result, <a class=\"bad\" href=\"#failed\">%zu without</a>", good, failed);
  if (none)
    fprintf(report->out, "; %zu more %s no counterpart in %s API", none, none == 1 ? "has" : "have",
            none == 1 ? "its" : "their");
  if (throttled)
    fprintf(report->out, "; <span class=\"bad\">%zu throttled (the clocks were reduced)</span>", throttled);
  fputs(".", report->out);
  write_origin(report);
}

static void write_inputs(xb_report *report)
{
  const size_t count = report->view->file_count;
  if (count > 1)
    fprintf(report->out, "%zu files", count);
  else
    xb_html_clipped(report->out, report->view->files[0].name, 100);
}

/* So that the section about the method, which has no other slot, is shown. */
static void write_break(xb_report *report)
{
  fputc('\n', report->out);
}

static void write_benchmarks(xb_report *report)
{
  for (size_t b = 0; b < report->view->benchmark_count; b++)
    xb_report_benchmark(report, report->view->benchmarks[b], b + 1);
}

/* ---- The report -------------------------------------------------------------------------------------------------- */

void xb_report_out_of_memory(xb_report *report)
{
  if (report->code < 0)
    report->code = xb_report_error(XB_EXIT_DEVICE, "report: out of host memory");
}

int xb_report_write(FILE *out, const xb_view *view, const xb_diff *diff, const xb_tuning *tunings, size_t tuning_count)
{
  xb_report report = {
      .out = out, .view = view, .diff = diff, .tunings = tunings, .tuning_count = tuning_count, .code = -1};
  xb_report_slot slots[] = {
      {.name = "style", .write = xb_report_style},
      {.name = "program", .write = xb_report_program},
      {.name = "device_names", .write = write_devices},
      {.name = "api_names", .write = write_apis},
      {.name = "lead", .write = write_lead},
      {.name = "inputs", .write = write_inputs},
      {.name = "changes", .write = xb_report_changes},
      {.name = "summary", .write = xb_report_summary},
      {.name = "failed", .write = xb_report_all_failed},
      {.name = "peaks", .write = xb_report_peaks},
      {.name = "benchmarks", .write = write_benchmarks},
      {.name = "group-sizes", .write = xb_report_group_sizes},
      {.name = "roofline", .write = xb_report_rooflines},
      {.name = "tuning", .write = xb_tuning_charts},
      {.name = "advice", .write = xb_report_advice},
      {.name = "gpus", .write = xb_report_gpus},
      {.name = "cells", .write = xb_report_cells},
      {.name = "devices", .write = xb_report_devices},
      {.name = "files", .write = xb_report_files},
      {.name = "sources", .write = xb_report_sources},
      {.name = "method", .write = write_break},
      {.name = "contents", .write = xb_report_contents},
  };
  xb_template_write(&report, slots, sizeof slots / sizeof *slots);
  return report.code;
}
