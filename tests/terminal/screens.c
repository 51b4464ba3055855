/* terminal_screens FILE [csv|markdown|gbench]: prints the results of a document, and its comparisons, as the run that
 * measured them did; with PEAKS in the environment, the summary of `xbench peaks` last. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commands/subcommands.h"
#include "formats/formats.h"
#include "result/document.h"

enum { MOST = 256 };

static bool same_shape(const xb_result *a, const xb_result *b)
{
  return !strcmp(a->benchmark, b->benchmark) && !strcmp(a->dtype, b->dtype) && a->work.size == b->work.size &&
         a->work.rows == b->work.rows;
}

static bool is_first_of_shape(const xb_document *d, const xb_result *r)
{
  for (const xb_result *other = d->results; other < r; other++)
    if (other->yardstick != 1 && same_shape(other, r))
      return false;
  return r->yardstick != 1;
}

static void print_group(xb_shown *shown, const xb_document *d, const xb_result *first, bool only_one)
{
  static xb_result results[MOST];
  static xb_comparison comparisons[MOST];
  xb_result_benchmark benchmark = {.name = first->benchmark, .title = "a title", .ladder = 1};
  xb_group group = {.benchmark = &benchmark,
                    .results = results,
                    .comparisons = comparisons,
                    .begins = first == &d->results[0],
                    .sweep = !only_one};
  for (size_t i = 0; i < d->benchmark_count; i++)
    if (!strcmp(d->benchmarks[i].name, first->benchmark))
      benchmark = d->benchmarks[i];
  for (size_t i = 0; i < d->result_count && group.count < MOST; i++) {
    const xb_result *r = &d->results[i];
    if (r->yardstick == 1 ? !only_one : !same_shape(r, first))
      continue;
    for (size_t k = 0; k < d->comparison_count && group.comparison_count < MOST; k++)
      if (d->comparisons[k].subject == r)
        comparisons[group.comparison_count++] = d->comparisons[k];
    results[group.count++] = *r;
  }
  for (size_t k = 0; k < group.comparison_count; k++) /* they point into the group, as in a run */
    for (size_t i = 0, found = 0; i < d->result_count && found < group.count; i++) {
      const xb_result *r = &d->results[i];
      if (r->yardstick == 1 ? !only_one : !same_shape(r, first))
        continue;
      if (comparisons[k].subject == r)
        comparisons[k].subject = &results[found];
      if (comparisons[k].base == r)
        comparisons[k].base = &results[found];
      found++;
    }
  shown->sink.group(&shown->sink, &group);
}

static void print(const xb_document *d, xb_format format, bool comparison)
{
  const bool published = !comparison && format == XB_FORMAT_TABLE && getenv("PUBLISHED");
  xb_shown shown = {.sink = xb_shown_sink, .format = format, .published = published};
  size_t shapes = 0;
  for (size_t i = 0; i < d->result_count; i++)
    shapes += is_first_of_shape(d, &d->results[i]);
  shown.sink.begin(&shown.sink, &(xb_sink_run){.comparison = comparison});
  for (size_t i = 0; i < d->result_count; i++)
    if (is_first_of_shape(d, &d->results[i]))
      print_group(&shown, d, &d->results[i], shapes == 1);
  shown.sink.end(&shown.sink, NULL);
  printf("\n");
  fflush(stdout);
}

int main(int argc, char **argv)
{
  const xb_document *document;
  static const char *const formats[] = {"table", "csv", "markdown", "gbench"};
  xb_format format = XB_FORMAT_TABLE;
  xb_error error;
  while (argc == 3 && strcmp(formats[format], argv[2]) != 0)
    if (++format == sizeof formats / sizeof *formats)
      return 1;
  if (argc < 2 || xb_document_load(argv[1], &document, &error))
    return 1;
  print(document, format, false);
  if (document->comparison_count)
    print(document, format, true);
  if (getenv("PEAKS")) {
    xb_peaks_summary peaks = {.sink = xb_peaks_sink};
    peaks.sink.group(&peaks.sink, &(xb_group){.results = document->results, .count = document->result_count});
    peaks.sink.end(&peaks.sink, NULL);
  }
  xb_document_free(document);
  return 0;
}
