/* Occupancy over the threads of a group, the registers of a thread and the shared memory of a group, as NVIDIA's
 * calculator draws it: one of the three changes, and the kernel is marked. */
#include "measure/capabilities.h"
#include "page/charts/charts.h"

#include <string.h>

enum { HEIGHT = 300, CURVES = XB_NEEDS };

static const char *const titles[CURVES] = {"threads of a group", "registers", "shared memory"};
static const char *const axes[CURVES] = {"threads of a group", "registers of a thread",
                                         "bytes of shared memory of a group"};

static xb_occupancy of(const xb_capability *k, const uint32_t needs[CURVES])
{
  return xb_occupancy_of(&k->has, needs[0], needs[1], needs[2]);
}

/* Draws the curve, and adds a row to the table where it changes. Returns the largest value with which the kernel has as
 * many threads on a multiprocessor as it has. */
static uint32_t draw(xb_figure *figure, const xb_capability *k, const uint32_t needs[CURVES], int over)
{
  FILE *script = figure->chart.script;
  const uint32_t last[CURVES] = {k->has.most_group, k->most_registers, k->most_shared_bytes};
  const uint32_t first[CURVES] = {k->has.wave, 1, 0}, steps[CURVES] = {k->has.wave, 1, 512};
  const double share = of(k, needs).share;
  uint32_t other[CURVES], before = UINT32_MAX, most = needs[over];
  memcpy(other, needs, sizeof other);
  char value[16];
  fputs("$curve << EOD\n", script);
  for (uint32_t v = first[over]; v <= last[over]; v += steps[over]) {
    other[over] = v;
    const xb_occupancy o = of(k, other);
    fprintf(script, "%u %.9g\n", v, 100 * o.share);
    if (o.groups != before || over == 0) {
      snprintf(value, sizeof value, "%u", v);
      xb_data_table_row(&figure->table, value, (double)o.groups, 100 * o.share);
    }
    before = o.groups;
    most = o.share >= share && v > most ? v : most;
  }
  fprintf(script, "EOD\n$here << EOD\n%u %.9g\nEOD\nset xrange [0:%u]\nset yrange [0:106]\n", needs[over], 100 * share,
          last[over]);
  xb_chart_marks(&figure->chart, 'x', last[over]);
  xb_chart_marks(&figure->chart, 'y', 100);
  xb_chart_axes(&figure->chart, axes[over], "occupancy, per cent");
  fprintf(script,
          "plot $curve using 1:2 with %s lw 2 lc rgb '#0000%02x', $here using 1:2 with points pt %d ps 1.2 lc rgb "
          "'#0000%02x'\n",
          over ? "steps" : "lines", XB_COLOUR_SERIES, xb_point_type(0), XB_COLOUR_SERIES);
  return most;
}

static void write_curve(xb_page *page, const xb_capability *k, const char *kernel, const uint32_t needs[CURVES],
                        int over, const char *source)
{
  xb_figure figure;
  if (!xb_figure_begin(page, &figure, HEIGHT, 0.12, 0.96, 1 - 26. / HEIGHT, 52. / HEIGHT))
    return;
  xb_data_table_begin(&figure.table, "t0n", axes[over], "groups", "occupancy, %");
  const uint32_t most = draw(&figure, k, needs, over);
  XB_ADD(figure.title, "sm_%u: occupancy by %s", k->number, titles[over]);
  XB_ADD(figure.takeaway, "%s: %u %s, %.4g %% of the threads of a multiprocessor", kernel, needs[over], axes[over],
         100 * of(k, needs).share);
  if (over) /* else the curve goes up and down */
    XB_ADD(figure.takeaway, ", as with up to %u", most);
  XB_ADD(figure.takeaway, ".");
  XB_ADD(figure.source, "%s", source);
  xb_figure_legend(&figure, XB_MARK_POINT, 0, 0, kernel);
  xb_figure_end(page, &figure);
}

void xb_page_occupancy(xb_page *page, const xb_capability *k, const char *kernel, const uint32_t needs[XB_NEEDS],
                       const char *source)
{
  for (int over = 0; over < CURVES; over++)
    write_curve(page, k, kernel, needs, over, source);
}
