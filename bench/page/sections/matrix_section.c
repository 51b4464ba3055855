/* The results of pairs of devices, as tables that are shaded by value. */
#include "page/sections/sections.h"

#include "base/html_text.h"
#include "formats/result_columns.h"

#include <math.h>

enum { SHADES = 5 };

/* What the table in progress is shaded by. */
static double most;
static bool between;

/* The largest value that is shaded. Cells of one device alone are not, if there are others: its own memory is faster
 * than a link, so that all links would look alike. */
static void find_most(const xb_matrix *m)
{
  double mosts[2] = {0}; /* of one device, between two */
  for (size_t r = 0; r < m->rows; r++)
    for (size_t c = 0; c < m->columns; c++)
      mosts[m->from[r] != m->to[c]] = fmax(mosts[m->from[r] != m->to[c]], m->values[r][c]);
  between = mosts[1] > 0;
  most = mosts[between];
}

XB_COLUMN_TEXT(figure)
{
  const xb_matrix *m = s->user;
  xb_name_figure(m->values[(const int64_t *)row - m->from][c->offset], out);
}

static const char *shade(const xb_sheet *s, const xb_column *c, const void *row)
{
  static const char *const shades[SHADES] = {"heat0", "heat1", "heat2", "heat3", "heat4"};
  const xb_matrix *m = s->user;
  const size_t r = (size_t)((const int64_t *)row - m->from);
  const double value = m->values[r][c->offset];
  return isnan(value) || (between && m->from[r] == m->to[c->offset])
             ? ""
             : shades[(int)fmin(SHADES - 1, SHADES * value / most)];
}

static void write_table(FILE *out, const xb_matrix *m, const char *title)
{
  static xb_sheet s; /* too large for a stack */
  xb_matrix_sheet(&s, m);
  s.columns[0].title = "from \\ to";
  s.columns[0].left = true;
  for (size_t c = 1; c < s.count; c++) {
    s.columns[c].text = figure;
    s.columns[c].shade = shade;
  }
  xb_sheet_html(&s, out, title, "matrix");
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
  find_most(m);
  snprintf(title, sizeof title, "%s, %s %s, %s, %s: %s from device to device", m->of->benchmark,
           xb_name_size(m->of, size), m->of->dtype, xb_name_variant(m->of->variant, variant),
           xb_view_target_of(file, m->of)->name, m->unit);
  xb_html_format(page->out,
                 "<figure><figcaption><h4>%s</h4><p>Shades: parts of the largest value%s.</p></figcaption>\n", title,
                 between ? " between two devices; cells of one device have none" : "");
  write_legend(page->out);
  write_table(page->out, m, title);
  fputs("</figure>\n", page->out);
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
