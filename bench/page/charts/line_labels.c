/* The labels of lines, where they end. */
#include "page/charts/charts.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LABEL_CHARACTERS = 16 };
static const double LABEL_HEIGHT = 0.055; /* as a part of the height of the axes */

/* ---- Numbers, for many lines ------------------------------------------------------------------------------------ */

static int by_height(const void *a, const void *b)
{
  const xb_result *x = *(const xb_result *const *)a, *y = *(const xb_result *const *)b;
  if (x->size != y->size)
    return x->size < y->size ? -1 : 1;
  return (xb_result_value(x) > xb_result_value(y)) - (xb_result_value(x) < xb_result_value(y));
}

static int by_number(const void *a, const void *b)
{
  const xb_result *x = *(const xb_result *const *)a, *y = *(const xb_result *const *)b;
  return (x->variant_number > y->variant_number) - (x->variant_number < y->variant_number);
}

/* "4-6, 9". Sorts `ends` by variant number. */
static void name_numbers(const xb_result **ends, size_t count, char out[XB_NAME])
{
  *out = 0;
  qsort(ends, count, sizeof(*ends), by_number);
  for (size_t i = 0, end; i < count; i = end) {
    for (end = i + 1; end < count && ends[end]->variant_number == ends[end - 1]->variant_number + 1; end++)
      ;
    end = end - i < 3 ? i + 1 : end;
    xb_append(out, XB_NAME, "%s%" PRIu64, i ? ", " : "", ends[i]->variant_number);
    if (end - i > 1)
      xb_append(out, XB_NAME, "-%" PRIu64, ends[end - 1]->variant_number);
  }
}

/* Labels the lines with their variant numbers, at their right ends. Lines that end close together share one label;
 * `room` is the smallest factor between two labels. */
static void number_lines(xb_figure *figure, const xb_lines *l, double room)
{
  const xb_result *ends[XB_LINES_MOST];
  char text[XB_NAME];
  size_t count = 0;
  for (size_t k = 0; k < l->count; k++) {
    const xb_result *last = NULL;
    for (size_t i = l->from; i < l->to; i++)
      if (xb_line_is(l, k, l->file->cells[i]) && xb_has_value(l->file->cells[i]))
        last = l->file->cells[i];
    if (last)
      ends[count++] = last;
  }
  qsort(ends, count, sizeof(*ends), by_height);
  for (size_t i = 0, end; i < count; i = end) {
    for (end = i + 1; end < count && ends[end]->size == ends[i]->size &&
                      xb_result_value(ends[end]) < room * xb_result_value(ends[end - 1]);)
      end++;
    const double x = xb_line_x(l, ends[i]), height = sqrt(xb_result_value(ends[i]) * xb_result_value(ends[end - 1]));
    name_numbers(ends + i, end - i, text);
    xb_chart_put(&figure->chart, XB_COLOUR_INK, text, "%.9g,%.9g left offset 1,0 font \",11\"", x, height);
  }
}

/* ---- Names ------------------------------------------------------------------------------------------------------- */

/* The label of line k: what differs between the lines. */
static const char *name_line(const xb_lines *l, size_t k, char out[XB_LONG_NAME])
{
  bool variants = false, targets = false;
  for (size_t i = 1; i < l->count; i++) {
    variants |= strcmp(l->at[i].variant, l->at[0].variant) != 0;
    targets |= l->at[i].target != l->at[0].target;
  }
  const char *variant = l->at[k].variant, *target = l->at[k].target->name;
  if (variants && !targets)
    return xb_name_variant(variant, out);
  snprintf(out, XB_LONG_NAME, "%.*s%s%s", variants ? (int)strcspn(variant, "_") : 0, variant, variants ? " " : "",
           target);
  return out;
}

double xb_right_of_lines(const xb_lines *l)
{
  char text[XB_LONG_NAME];
  size_t longest = 0;
  if (l->only || l->count < 2)
    return l->only ? 0.95 : 0.97;
  for (size_t k = 0; k < l->count; k++)
    longest = strlen(name_line(l, k, text)) > longest ? strlen(text) : longest;
  return 0.96 - 0.0155 * (double)(longest < LABEL_CHARACTERS ? longest : LABEL_CHARACTERS);
}

/* Labels the lines with their names, in their colours, to the right of the axes, where they end. Labels that would
 * overlap are moved apart. */
static void name_lines(xb_figure *figure, const xb_lines *l, double top)
{
  double height[XB_LINES_MOST], end[XB_LINES_MOST] = {0};
  size_t order[XB_LINES_MOST];
  char text[XB_LONG_NAME];
  for (size_t k = 0; k < l->count; k++) {
    for (size_t i = l->from; i < l->to; i++)
      if (xb_line_is(l, k, l->file->cells[i]) && xb_has_value(l->file->cells[i]))
        end[k] = xb_result_value(l->file->cells[i]) / top;
    size_t at = k;
    for (; at > 0 && end[order[at - 1]] > end[k]; at--)
      order[at] = order[at - 1];
    order[at] = k;
  }
  for (size_t i = 0; i < l->count; i++)
    height[i] = i ? fmax(end[order[i]], height[i - 1] + LABEL_HEIGHT) : end[order[i]];
  for (size_t i = l->count; i-- > 0;)
    height[i] = fmin(height[i], i + 1 < l->count ? height[i + 1] - LABEL_HEIGHT : 1);
  for (size_t i = 0; i < l->count && l->count > 1; i++)
    fprintf(figure->chart.script,
            "set label \"~%d~\" at graph 1, graph %.4f left offset 0.8,0 font \",11\" front tc "
            "rgb '#0000%02x'\n",
            xb_chart_label(&figure->chart, name_line(l, order[i], text), LABEL_CHARACTERS), height[i],
            XB_COLOUR_SERIES + xb_line_slot(l, order[i]));
}

void xb_label_lines(xb_figure *figure, const xb_lines *l, double top)
{
  if (l->only)
    number_lines(figure, l, pow(1.3 * top / l->scale.low, LABEL_HEIGHT));
  else
    name_lines(figure, l, top);
}
