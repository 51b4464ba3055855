/* The table of a run, with the columns of the DirectCompute slides: time, metrics, step speedup, cumulative speedup.
 * One line per variant and axis point, and a group of columns per target (an API, in one launch mode). With
 * several targets, the last columns are ratios of device time to the first target's. */
#include "base/fnv.h"
#include "base/value_text.h"
#include "formats/result_columns.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* ---- Results of pairs of devices --------------------------------------------------------------------------------- */

XB_COLUMN_VALUE(from, int64_t, (double)*r)

XB_COLUMN_NUMBER(value)
{
  const xb_matrix *m = s->user;
  return m->values[(const int64_t *)row - m->from][c->offset];
}

static const char *unknown(const void *row XB_UNUSED)
{
  return "N/A";
}

void xb_make_matrix_table(xb_table *s, xb_matrix *m)
{
  *s = (xb_table){.user = m, XB_ROWS(m->from, m->rows), .unknown = unknown};
  xb_table_add(s, (xb_column){"", 4, "%.0f", .number = from, .head = true});
  for (size_t c = 0; c < m->columns; c++) {
    snprintf(m->heads[c], sizeof m->heads[c], "%" PRId64, m->to[c]);
    xb_table_add(s, (xb_column){m->heads[c], 8, "%.2f", .number = value, .offset = c});
  }
}

static void print_matrix(FILE *file, xb_matrix *m)
{
  xb_table s;
  char target[32], size[48];
  xb_format_size(m->of->work.size, size, sizeof size);
  fprintf(file, "\n%s/%s through %s, n = %s: %s from device (row) to device (column)\n", m->of->benchmark,
          m->of->variant, xb_format_target(m->of->on, target), size, m->unit);
  xb_make_matrix_table(&s, m);
  s.file = file;
  xb_table_write(&s, XB_IN_TEXT);
}

static bool begins(const xb_group *group, const xb_result *r)
{
  for (const xb_result *before = group->results; before < r; before++)
    if (xb_same_matrix(before, r))
      return false;
  return !strcmp(r->benchmark, group->benchmark->name);
}

/* Below a group's table; nothing unless its benchmark is of pairs. */
static void print_matrices(FILE *file, const xb_group *group)
{
  xb_matrix m;
  if (!xb_is_of_pairs(group->benchmark))
    return;
  for (const xb_result *r = group->results; r < group->results + group->count; r++) {
    if (!begins(group, r))
      continue;
    xb_matrix_begin(&m, r);
    for (const xb_result *other = r + 1; other < group->results + group->count; other++)
      xb_matrix_add(&m, other);
    if (m.unit)
      print_matrix(file, &m);
  }
}

/* ---- The table of a run ------------------------------------------------------------------------------------------ */

static void print_heading(xb_table_writer *writer, const xb_table *s, const xb_result_table *t)
{
  FILE *file = writer->file;
  const xb_result_benchmark *b = t->group->benchmark;
  uint64_t heads = XB_FNV_START;
  for (size_t i = 0; i < s->count; i++)
    heads = xb_fnv1a(heads, &(int){s->shown[i] ? s->widths[i] : -1}, sizeof(int));
  const bool other = heads != writer->heads; /* another size may have a column that the first one lacks */
  writer->heads = heads;
  if (writer->sweep && writer->headed && other)
    xb_table_print_heads(s);
  if (writer->sweep && writer->headed)
    return;
  for (size_t d = 0; d < s->column_group_count && !writer->headed; d++)
    xb_print_target(file, t->targets[d]);
  xb_print_question(file, t->group, writer->sweep);
  for (size_t a = 0; a < b->axes.count; a++)
    fprintf(file, "; %s: %s", b->axes.values[a].name, b->axes.values[a].title);
  if (t->samples && !writer->sweep)
    fprintf(file, "; %zu samples each", t->samples);
  fprintf(file, "\n%s\n", s->left_out ? "some columns are hidden; --wide shows all\n" : "");
  xb_table_print_heads(s);
  writer->headed = true;
}

/* True if all results failed for one reason, as they do if the device has too little memory for the input. */
static bool failed_alike(const xb_group *group)
{
  const xb_result *first = &group->results[0];
  for (size_t i = 0; i < group->count; i++) {
    const xb_result *r = &group->results[i];
    if (r->outcome != XB_CELL_FAILED || strcmp(xb_result_why(r), xb_result_why(first)) != 0)
      return false;
  }
  return group->count > 1;
}

/* One line for each target; a variant once, wherever it is on its axes, and a reason once for all that follow each
 * other. */
static void print_without_counterpart(FILE *file, const xb_group *group, const xb_result_device *on)
{
  char target[32];
  const xb_result *last = NULL;
  for (const xb_result *r = group->results; r < group->results + group->count; r++) {
    if (r->on != on || r->outcome != XB_CELL_NO_COUNTERPART || (last && !strcmp(last->variant, r->variant)))
      continue;
    if (!last)
      fprintf(file, "no counterpart on %s: ", xb_format_target(on, target));
    else if (strcmp(xb_result_why(last), xb_result_why(r)) != 0)
      fprintf(file, " (%s), ", xb_result_why(last));
    else
      fprintf(file, ", ");
    fprintf(file, "%s", r->variant);
    last = r;
  }
  if (last)
    fprintf(file, " (%s)\n", xb_result_why(last));
}

void xb_text_group(xb_table_writer *writer, const xb_group *group)
{
  xb_table s;
  xb_result_table t;
  char shape[48];
  FILE *file = writer->file;
  const xb_result *first = &group->results[0];
  xb_make_result_table(&s, &t, group, writer, XB_IN_TEXT);
  xb_table_fit(&s);
  print_heading(writer, &s, &t);
  xb_format_result_shape(first, shape, sizeof shape);
  const bool has_shape = xb_table_shows(&s, "dtype");
  if (writer->sweep && !has_shape)
    xb_print_shape(file, first);
  if (failed_alike(group)) {
    if (has_shape)
      fprintf(file, "%11s %-7s ", shape, first->dtype);
    fprintf(file, "all %zu: %s: %s\n", group->count, xb_outcome_text(first), xb_result_why(first));
    return;
  }
  xb_table_print_rows(&s);
  for (size_t d = 0; d < s.column_group_count; d++)
    print_without_counterpart(file, group, t.targets[d]);
  print_matrices(file, group);
  if (!writer->quoted && writer->published)
    xb_print_published(file, group, false);
  writer->quoted = true;
}

/* ---- Markdown --------------------------------------------------------------------------------------------------- */

void xb_markdown_rows(xb_table_writer *writer, const xb_group *group, const xb_table *s)
{
  FILE *file = writer->file;
  if (!writer->headed) {
    fprintf(file, "\n### %s: %s; %s cache\n\n", group->benchmark->name, group->benchmark->title,
            group->results[0].conditions.cache);
    if (writer->published && !group->comparison_count)
      xb_print_published(file, group, true);
    xb_table_markdown_heads(s, file);
  }
  writer->headed = true;
  xb_table_markdown_rows(s, file);
}

void xb_markdown_group(xb_table_writer *writer, const xb_group *group)
{
  xb_table s;
  xb_result_table t;
  xb_make_result_table(&s, &t, group, writer, XB_IN_MARKDOWN);
  xb_markdown_rows(writer, group, &s);
}
