/* The results of pairs of devices, as tables that are shaded by value. */
#include "page/sections/sections.h"

#include "base/html_text.h"
#include "result/matrix.h"

#include <inttypes.h>
#include <math.h>

enum { SHADES = 5 };

/* The largest value that is shaded. Cells of one device alone are not, if there are others: its own memory is faster
 * than a link, so that all links would look alike. */
static double find_most(const xb_matrix *m, bool *between)
{
  double most[2] = {0}; /* of one device, between two */
  for (size_t r = 0; r < m->rows; r++)
    for (size_t c = 0; c < m->columns; c++)
      most[m->from[r] != m->to[c]] = fmax(most[m->from[r] != m->to[c]], m->values[r][c]);
  *between = most[1] > 0;
  return most[*between];
}

static void write_value(FILE *out, double value, double most, bool shaded)
{
  char figure[XB_NAME];
  xb_name_figure(value, figure);
  if (isnan(value))
    fputs("<td class=\"n\">N/A</td>", out);
  else if (shaded)
    fprintf(out, "<td class=\"n heat%d\">%s</td>", (int)fmin(SHADES - 1, SHADES * value / most), figure);
  else
    fprintf(out, "<td class=\"n\">%s</td>", figure);
}

static void write_table(FILE *out, const xb_matrix *m, double most, bool between)
{
  fputs("<table class=\"matrix\"><thead><tr><th scope=\"col\">from \\ to</th>", out);
  for (size_t c = 0; c < m->columns; c++)
    fprintf(out, "<th scope=\"col\" class=\"n\">%" PRId64 "</th>", m->to[c]);
  fputs("</tr></thead><tbody>\n", out);
  for (size_t r = 0; r < m->rows; r++) {
    fprintf(out, "<tr><th scope=\"row\">%" PRId64 "</th>", m->from[r]);
    for (size_t c = 0; c < m->columns; c++)
      write_value(out, m->values[r][c], most, !between || m->from[r] != m->to[c]);
    fputs("</tr>\n", out);
  }
  fputs("</tbody></table>", out);
}

static void write_legend(FILE *out)
{
  fputs("<ul class=\"legend\">", out);
  for (int i = 0; i < SHADES; i++)
    fprintf(out, "<li><span class=\"swatch heat%d\"></span><span>%s %d %%</span></li>", i, i ? "from" : "below",
            i ? 100 * i / SHADES : 100 / SHADES);
  fputs("</ul>\n", out);
}

static void write_matrix(xb_page *page, const xb_view_file *file, const xb_matrix *m)
{
  char variant[XB_NAME], size[XB_NAME], title[3 * XB_NAME];
  bool between;
  const double most = find_most(m, &between);
  xb_name_variant(m->of->variant, variant);
  xb_name_size(m->of, size);
  snprintf(title, sizeof title, "%s, %s %s, %s, %s: %s from device to device", m->of->benchmark, size, m->of->dtype,
           variant, xb_view_target_of(file, m->of)->name, m->unit);
  xb_html_format(page->out,
                 "<figure><figcaption><h4>%s</h4><p>Shades: parts of the largest value%s.</p></figcaption>\n", title,
                 between ? " between two devices; cells of one device have none" : "");
  write_legend(page->out);
  xb_html_format(page->out, "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"%s\">", title);
  write_table(page->out, m, most, between);
  fputs("</div></figure>\n", page->out);
}

static bool begins(const xb_view_file *file, size_t from, size_t i)
{
  for (size_t k = from; k < i; k++)
    if (xb_same_matrix(file->cells[k], file->cells[i]))
      return false;
  return true;
}

void xb_page_matrices(xb_page *page, const xb_view_file *file, size_t from, size_t to)
{
  static xb_matrix m; /* too large for a stack */
  for (size_t i = from; i < to; i++) {
    if (!begins(file, from, i))
      continue;
    xb_matrix_begin(&m, file->cells[i]);
    for (size_t k = i + 1; k < to; k++)
      xb_matrix_add(&m, file->cells[k]);
    if (m.unit)
      write_matrix(page, file, &m);
  }
}
