#include "commands/run_parts.h"

#include "base/value_text.h"
#include "formats/table_text.h"
#include "os/memory_file.h"
#include "result/peaks.h"
#include "sheet/sheet.h"

#include <stddef.h>
#include <string.h>

/* Of xb_peaks, by benchmark and variant; the others are in the tables. */
static const struct {
  const char *benchmark;
  uint64_t variant;
} first[] = {{"copy", 2}, {"banks", 1}, {"latency", 1}, {"launch", 1}, {"instructions", 64}, {"tensor", 4}};
enum { LINES = sizeof first / sizeof *first };

typedef struct summary_line {
  const char *title; /* NULL: nobody has measured it */
  char values[XB_MOST_COLUMNS][32];
} summary_line;

static summary_line lines[LINES];
static char targets[XB_MOST_COLUMNS][32];
static size_t target_count;
static FILE *shown; /* stdout, while what is printed is kept */
static xb_memory kept;

void xb_peaks_begin(void)
{
  if (!xb_memory_begin(&kept)) /* without memory it is printed at once, and the summary comes last */
    return;
  shown = stdout;
  stdout = kept.file;
}

static size_t target_of(const xb_result *r)
{
  char name[32];
  size_t t = 0;
  xb_format_target(r->on, name);
  while (t < target_count && strcmp(targets[t], name) != 0)
    t++;
  if (t == target_count && t < XB_MOST_COLUMNS)
    memcpy(targets[target_count++], name, sizeof name);
  return t;
}

static void note(summary_line *line, const xb_peak *peak, const xb_result *r)
{
  const size_t target = target_of(r);
  if (target == XB_MOST_COLUMNS || r->outcome != XB_CELL_OK)
    return;
  line->title = peak->title;
  if (r->metrics.count)
    snprintf(line->values[target], sizeof line->values[target], "%.4g %s", xb_result_value(r), xb_result_unit(r));
  else
    xb_format_time(r->median_ns, line->values[target], sizeof line->values[target]);
}

void xb_peaks_note(const xb_group *group)
{
  for (const xb_peak *p = xb_peaks; p->title; p++)
    for (size_t l = 0; l < LINES; l++)
      for (size_t i = 0;
           first[l].variant == p->variant && !strcmp(first[l].benchmark, p->benchmark) && i < group->count; i++)
        if (xb_is_peak(p, &group->results[i]))
          note(&lines[l], p, &group->results[i]);
}

static const void *line_at(const xb_sheet *s, size_t i)
{
  (void)s;
  return lines[i].title ? &lines[i] : NULL;
}

void xb_peaks_end(void)
{
  static xb_sheet s = {.row = line_at, .rows = LINES, .unknown = xb_dash};
  bool any = false;
  for (size_t l = 0; l < LINES; l++)
    any |= lines[l].title != NULL;
  if (shown) {
    fflush(stdout);
    stdout = shown;
    shown = NULL;
  }
  xb_sheet_add(&s, (xb_column){"peak", 0, .left = true, .text = xb_text_member});
  for (size_t t = 0; t < target_count; t++)
    xb_sheet_add(&s, (xb_column){targets[t], 0, .before = "  ", .text = xb_string_member,
                                 .offset = offsetof(summary_line, values) + t * sizeof lines->values[0]});
  if (any) {
    xb_sheet_write(&s, XB_IN_TEXT);
    printf("\n");
  }
  fputs(kept.text ? kept.text : "", stdout);
  xb_memory_end(&kept);
}
