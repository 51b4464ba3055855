/* The charts of a benchmark, file by file. */
#include "page/charts/charts.h"
#include "page/sections/sections.h"

#include "base/html_text.h"
#include "result/result.h"

#include <inttypes.h>
#include <string.h>

static bool has_metric(const xb_view_file *file, size_t from, size_t to)
{
  for (size_t i = from; i < to; i++)
    if (xb_has_value(file->cells[i]))
      return true;
  return false;
}

/* Several sizes of one or two variants are shown as lines, not as a ladder. */
static bool is_ladder(const xb_view_file *file, size_t from, size_t to)
{
  size_t variants = 0;
  for (size_t i = from; i < to; i++)
    variants += xb_begins_variant(file, from, i);
  return variants > 2;
}

/* Only the ladder at the largest size is visible at first. */
static void write_ladders(xb_page *page, const xb_view_file *file, size_t from, size_t to, bool largest)
{
  for (size_t i = from, end; i < to; i = end) {
    end = xb_view_end(file, i, xb_same_size);
    const bool only = i == from && end == to;
    if ((end == to) != largest || !(only || is_ladder(file, i, end)))
      continue;
    if (has_metric(file, i, end))
      xb_ladder(page, file, i, end);
    else
      xb_times(page, file, i, end);
  }
}

static bool has_other_ladders(const xb_view_file *file, size_t from, size_t to)
{
  const size_t end = xb_view_end(file, from, xb_same_size);
  return end < to && is_ladder(file, from, end);
}

static bool has_benchmark(const xb_view_file *file, const char *benchmark)
{
  for (size_t i = 0; i < file->cell_count; i++)
    if (!strcmp(file->cells[i]->benchmark, benchmark))
      return true;
  return false;
}

static void write_file(xb_page *page, const xb_view_file *file, const char *benchmark)
{
  bool others = false;
  if (!has_benchmark(file, benchmark))
    return;
  xb_html_format(page->out, "<h3 class=\"file\">%.100s</h3>\n<div class=\"charts\">\n", file->name);
  for (size_t i = 0, end; i < file->cell_count; i = end) {
    end = xb_view_end(file, i, xb_same_question);
    if (strcmp(file->cells[i]->benchmark, benchmark) != 0)
      continue;
    if (xb_is_of_pairs(xb_view_benchmark(page->view, benchmark))) {
      xb_page_matrices(page, file, i, end);
      continue;
    }
    xb_timelines(page, file, i, end);
    if (xb_axis_varies(file, i, end)) {
      xb_axes(page, file, i, end);
      xb_bandwidth(page, file, i, end);
      continue;
    }
    write_ladders(page, file, i, end, true);
    xb_bandwidth(page, file, i, end);
    others |= has_other_ladders(file, i, end);
  }
  xb_ratios(page, file, benchmark);
  fputs("</div>\n", page->out);
  if (!others)
    return;
  fputs("<details><summary>The ladder at other sizes</summary>\n<div class=\"charts\">\n", page->out);
  for (size_t i = 0, end; i < file->cell_count; i = end) {
    end = xb_view_end(file, i, xb_same_question);
    if (!strcmp(file->cells[i]->benchmark, benchmark) && !xb_axis_varies(file, i, end))
      write_ladders(page, file, i, end, false);
  }
  fputs("</div></details>\n", page->out);
}

static void write_quoted(xb_page *page, const char *benchmark)
{
  const xb_result_benchmark *b = xb_view_benchmark(page->view, benchmark);
  for (size_t i = 0; b && i < b->quoted.count; i++) {
    const xb_quoted *q = &b->quoted.values[i];
    fputs(i ? "" : "<details><summary>Published values, for other hardware</summary>\n<ul class=\"notes\">\n",
          page->out);
    xb_html_format(page->out, "<li>%" PRId64 "%s%s: %g %s; %s; %s; %s: \u201c%.300s\u201d</li>\n", q->variant,
                   q->at && *q->at ? " at " : "", q->at ? q->at : "", q->value, q->unit, q->hardware, q->size,
                   q->source, q->words);
  }
  fputs(b && b->quoted.count ? "</ul></details>\n" : "", page->out);
}

void xb_page_benchmark(xb_page *page, const char *benchmark, size_t number)
{
  xb_html_format(page->out, "<section id=\"benchmark-%zu\"><h2>%.60s</h2>\n", number, benchmark);
  xb_source_links(page, benchmark);
  write_quoted(page, benchmark);
  size_t files = 0;
  for (size_t f = 0; f < page->view->file_count; f++)
    files += has_benchmark(&page->view->files[f], benchmark);
  if (files > 1)
    fputs("<p class=\"where\">Charts of one kind have one scale in all files.</p>\n", page->out);
  for (size_t f = 0; f < page->view->file_count; f++)
    write_file(page, &page->view->files[f], benchmark);
  fputs("</section>\n", page->out);
}
