#include "page/sections/cell_figures.h"

#include "html_text.h"
#include "page/model/labels.h"

#include <math.h>

static void put(char out[XB_NAME], int digits, double value)
{
  *out = 0;
  if (isfinite(value))
    snprintf(out, XB_NAME, "%.*f", digits, value);
}

static void time_of(const xb_result *cell, char out[XB_NAME])
{
  xb_name_time(cell->median_ns, out);
}

static void half_width(const xb_result *cell, char out[XB_NAME])
{
  put(out, 1, 50 * (cell->ci95_ns.high - cell->ci95_ns.low) / cell->median_ns);
}

static void value(const xb_result *cell, char out[XB_NAME])
{
  xb_name_figure(xb_result_value(cell), out);
  if (cell->metrics.count && !xb_is_bandwidth(cell))
    xb_append(out, XB_NAME, " %s", xb_result_unit(cell));
}

static void of_peak(const xb_result *cell, char out[XB_NAME])
{
  put(out, 0, cell->percent_of_peak);
}

static void of_copy(const xb_result *cell, char out[XB_NAME])
{
  put(out, 0, cell->percent_of_copy);
}

static void floor_part(const xb_result *cell, char out[XB_NAME])
{
  put(out, 0, 100 * cell->floor_ns / cell->median_ns);
}

static void host_time(const xb_result *cell, char out[XB_NAME])
{
  xb_name_time(cell->host_ns, out);
}

static void samples(const xb_result *cell, char out[XB_NAME])
{
  put(out, 0, (double)cell->samples_ns.count);
}

static void placements(const xb_result *cell, char out[XB_NAME])
{
  put(out, 0, cell->placements ? (double)cell->placements : NAN);
}

static void registers(const xb_result *cell, char out[XB_NAME])
{
  put(out, 0, cell->registers ? (double)cell->registers : NAN);
}

static const struct {
  const char *head;
  void (*write)(const xb_result *cell, char out[XB_NAME]); /* "" if unknown */
} columns[] = {{"time", time_of},
               {"&plusmn; %", half_width},
               {"GB/s", value},
               {"% of peak", of_peak},
               {"% of copy", of_copy},
               {"floor, %", floor_part},
               {"host time", host_time},
               {"samples", samples},
               {"place&shy;ments", placements},
               {"regis&shy;ters", registers}};
_Static_assert(sizeof columns / sizeof columns[0] == XB_CELL_FIGURES, "one bool per column");
enum { COLUMNS = XB_CELL_FIGURES };

xb_cell_figures xb_cell_figures_find(const xb_document *d)
{
  xb_cell_figures found = {0};
  char text[XB_NAME];
  for (size_t c = 0; c < COLUMNS; c++) {
    for (size_t i = 0; i < d->result_count && !found.shown[c]; i++) {
      columns[c].write(&d->results[i], text);
      found.shown[c] = *text && d->results[i].outcome == XB_CELL_OK;
    }
    found.count += found.shown[c];
  }
  return found;
}

void xb_cell_figures_heads(FILE *out, const xb_cell_figures *figures, bool bandwidth)
{
  for (size_t c = 0; c < COLUMNS; c++)
    if (figures->shown[c])
      fprintf(out, "<th scope=\"col\" class=\"n\">%s</th>",
              columns[c].write == value && !bandwidth ? "value" : columns[c].head);
  fputs(figures->count ? "" : "<th scope=\"col\">result</th>", out);
}

void xb_cell_figures_write(FILE *out, const xb_result *cell, const xb_cell_figures *figures)
{
  char text[XB_NAME];
  for (size_t c = 0; c < COLUMNS; c++)
    if (figures->shown[c]) {
      columns[c].write(cell, text);
      xb_html_format(out, "<td class=\"n\">%s</td>", text);
    }
}
