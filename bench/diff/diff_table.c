/* The table on stdout: cells that need attention first, the summary last. */
#include "diff/diff.h"
#include "diff/identity.h"
#include "safe_text.h"
#include "terminal.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { VERDICT_WIDTH = 11, NUMBERS_WIDTH = 50, MOST_LABEL = 100 };

static const char *const COLOURS[XB_CHANGES] = {
    [XB_CHANGE_FAILING] = XB_RED, [XB_CHANGE_REGRESSION] = XB_RED, [XB_CHANGE_IMPROVEMENT] = XB_GREEN,
    [XB_CHANGE_FIXED] = XB_GREEN, [XB_CHANGE_UNCLEAR] = XB_YELLOW, [XB_CHANGE_MISSING] = XB_YELLOW};

/* ---- Heading ---------------------------------------------------------------------------------------------------- */

static void print_file(const xb_document *d, const char *side, FILE *file)
{
  char path[XB_DIFF_TEXT], version[32];
  size_t yardsticks = 0; /* these are not compared */
  for (size_t i = 0; i < d->result_count; i++)
    yardsticks += d->results[i].yardstick == 1;
  fprintf(file, "%-5s %s: xbench %s, %zu results", side, xb_safe_text(d->path, path, sizeof path),
          xb_safe_text(d->host.version ? d->host.version : "?", version, sizeof version), d->result_count);
  if (yardsticks)
    fprintf(file, ", %zu of them yardsticks", yardsticks);
  fputs("\n", file);
}

static const xb_result_device *device_of_base(const xb_diff *diff, const xb_result_device *device)
{
  for (size_t i = 0; i < diff->base->device_count; i++) {
    const xb_result_device *d = &diff->base->devices[i];
    if (!xb_compare_texts(d->backend, device->backend) && !xb_compare_texts(d->launch_mode, device->launch_mode) &&
        (diff->across_devices || (!xb_compare_texts(d->uuid, device->uuid) && d->queue_family == device->queue_family)))
      return d;
  }
  return NULL;
}

/* With the driver of BASE if it differs, because it is often the reason for a change. */
static void print_device(const xb_diff *diff, const xb_result_device *device, FILE *file)
{
  char name[96], driver[96];
  const xb_result_device *base = device_of_base(diff, device);
  fprintf(file, "%s", xb_safe_text(device->backend, name, sizeof name));
  fprintf(file, " on %s", xb_safe_text(device->name, name, sizeof name));
  if (device->one_of_families)
    fprintf(file, ", family %" PRId64, device->queue_family);
  fprintf(file, ", %s", xb_safe_text(device->driver ? device->driver : "driver unknown", driver, sizeof driver));
  if (base && base->driver && xb_compare_texts(base->driver, device->driver))
    fprintf(file, "; base: %s", xb_safe_text(base->driver, driver, sizeof driver));
  fprintf(file, "\n");
}

static void print_differences(const xb_diff *diff, FILE *file)
{
  char benchmark[64];
  for (size_t i = 0; i < diff->difference_count && i < XB_MAX_DIFFERENCES; i++) {
    const xb_difference *d = &diff->differences[i];
    fprintf(file, "other %s of %s: base %s; new %s\n", d->what, xb_safe_text(d->benchmark, benchmark, sizeof benchmark),
            d->base, d->now);
  }
}

/* ---- Lines ------------------------------------------------------------------------------------------------------ */

static size_t label_width(const xb_diff *diff)
{
  size_t width = 4;
  char label[XB_DIFF_TEXT];
  for (size_t i = 0; i < diff->cell_count; i++) {
    const size_t length = strlen(xb_diff_label(&diff->cells[i], label));
    if (length > width)
      width = length;
  }
  return width < MOST_LABEL ? width : MOST_LABEL;
}

/* A narrow terminal gets two lines per cell: the numbers are below its name. */
static void print_cell(const xb_diff_cell *cell, size_t width, bool colour, FILE *file)
{
  char text[XB_DIFF_TEXT];
  const char *on = colour && COLOURS[cell->change] ? COLOURS[cell->change] : "";
  fprintf(file, "%s%-*s%s  %-*s%s", on, VERDICT_WIDTH, xb_change_name(cell->change), *on ? XB_NO_COLOUR : "",
          (int)width, xb_diff_label(cell, text), width ? "" : "\n   ");
  fprintf(file, " %11s", xb_diff_time(cell->base, cell->base_ns, text));
  fprintf(file, " %11s", xb_diff_time(cell->now, cell->now_ns, text));
  if (cell->compared)
    fprintf(file, "  %6.3f  [%6.3f, %6.3f]", cell->ratio, cell->interval.low, cell->interval.high);
  else
    fprintf(file, "  %6s  %16s", "", "");
  fprintf(file, "%s%s\n", !*xb_diff_note(cell, text) ? "" : width ? "  " : "\n    ", text);
}

void xb_diff_table(const xb_diff *diff, FILE *file, bool colour)
{
  char text[XB_DIFF_TEXT];
  size_t width = label_width(diff);
  if (VERDICT_WIDTH + 2 + width + NUMBERS_WIDTH > xb_terminal_limit())
    width = 0;
  print_file(diff->base, "base", file);
  print_file(diff->now, "new", file);
  for (size_t i = 0; i < diff->now->device_count; i++)
    print_device(diff, &diff->now->devices[i], file);
  print_differences(diff, file);
  fprintf(file, "\n%-*s  %-*s%s %11s %11s  %6s  %16s\n", VERDICT_WIDTH, "verdict", (int)width, "cell",
          width ? "" : "\n   ", "base", "new", "ratio", "95 % interval");
  for (size_t i = 0; i < diff->cell_count; i++)
    print_cell(&diff->cells[i], width, colour, file);
  fprintf(file, "\n");
  for (size_t i = 0; i < diff->mean_count; i++) {
    const xb_diff_mean *m = &diff->means[i];
    fprintf(file, "%s: geometric mean of %zu ratios: %.3f [%.3f, %.3f]\n",
            xb_safe_text(m->benchmark, text, sizeof text), m->compared, m->ratio, m->interval.low, m->interval.high);
  }
  fprintf(file, "%s\n", xb_diff_summary(diff, text));
}
