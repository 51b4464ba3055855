#include "formats/result_columns.h"

#include "base/terminal.h"
#include "base/value_text.h"
#include "result/fields.h"

#include <inttypes.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

static const xb_result_table *table_of(const xb_table *s)
{
  return s->user;
}

/* ---- Names ------------------------------------------------------------------------------------------------------ */

XB_COLUMN_SHOW(shape, xb_result, true, xb_format_result_shape(r, out, XB_TABLE_TEXT))

#define CONTROL(r)                                                                                                     \
  (r)->yardstick == 1 ? (r)->benchmark : "", (r)->yardstick == 1 ? "/" : "" /* "copy/" before its variant */
XB_COLUMN_PRINT(short_name, xb_result, true, "%s%s%s", CONTROL(r), r->variant)

XB_COLUMN_PRINT(full_name, xb_result, true, "%s/%s", r->benchmark, r->variant)
XB_COLUMN_SHOW(target, xb_result, true, xb_format_target(r->on, out))

XB_COLUMN_TEXT(place)
{
  const xb_result *r = row;
  const size_t axis = (size_t)((const xb_result_axis *)c->of - table_of(s)->group->benchmark->axes.values);
  if (axis < r->at.count)
    snprintf(out, XB_TABLE_TEXT, "%" PRId64, r->at.values[axis].value);
}

XB_COLUMN_SHOW(published, xb_result, true, xb_format_published(table_of(s)->group->benchmark, r, out))

/* ---- Figures ---------------------------------------------------------------------------------------------------- */

double xb_result_figure(const xb_table *s XB_UNUSED, const xb_column *c, const void *row)
{
  return xb_is_timed(row) ? xb_field_number(c, row) : NAN;
}

XB_COLUMN_VALUE(part, void, 100 * xb_result_figure(s, c, r))
/* Without a prediction there is nothing to hold it against. */
XB_COLUMN_VALUE(measured_part, xb_result, isnan(r->rates.model.predicted) ? NAN : part(s, c, r))

double xb_result_half_interval(const xb_table *s XB_UNUSED, const xb_column *c XB_UNUSED, const void *row)
{
  return xb_is_timed(row) ? xb_half_interval(row) : NAN;
}

XB_COLUMN_NUMBER(metric)
{
  const xb_metric *like = c->of, *m = xb_is_timed(row) ? xb_result_metric(row, like->name, like->unit) : NULL;
  return m ? m->value : NAN;
}

/* What a model counts, such as segments of a wave: also on a CPU, whose time does not follow it. */
XB_COLUMN_VALUE(modelled, xb_result, xb_is_timed(r) && r->rates.model.name ? r->rates.model.value : NAN)

/* With a mark if the API has only something similar. */
XB_COLUMN_TEXT(time_text)
{
  const xb_result *r = row;
  char time[24];
  if (xb_is_timed(r))
    snprintf(out, XB_TABLE_TEXT, "%s%10s", r->check.counterpart ? "~" : " ",
             xb_format_time(r->time.median_ns, time, sizeof time));
}

void xb_format_time_and_interval(const xb_result *r, char out[XB_TABLE_TEXT])
{
  char time[24];
  *out = 0;
  if (xb_is_timed(r))
    snprintf(out, XB_TABLE_TEXT, "%s%s ± %.1f %%", r->check.counterpart ? "~ " : "",
             xb_format_time(r->time.median_ns, time, sizeof time), xb_half_interval(r));
}

void xb_format_wide_time(const xb_result *r, char out[XB_TABLE_TEXT])
{
  char time[24];
  snprintf(out, XB_TABLE_TEXT, "%s +-%4.1f %%", xb_format_time(r->time.median_ns, time, sizeof time),
           xb_half_interval(r));
}

XB_COLUMN_SHOW(time_and_interval, xb_result, true, xb_format_time_and_interval(r, out))

/* All of them. The unit of the heading is not repeated. */
XB_COLUMN_TEXT(metrics)
{
  const xb_result *r = row;
  size_t length = 0;
  for (size_t m = 0; m < r->rates.metrics.count && xb_is_timed(r) && length < XB_TABLE_TEXT; m++) {
    const char *unit =
        m || strcmp(r->rates.metrics.values[m].unit, c->title) != 0 ? r->rates.metrics.values[m].unit : "";
    length += (size_t)snprintf(out + length, XB_TABLE_TEXT - length, "%s%.4g%s%s", m ? ", " : "",
                               r->rates.metrics.values[m].value, *unit ? " " : "", unit);
  }
}

/* The last finished variant before this one, of the same benchmark and target; or the first one of all. */
static const xb_result *earlier(const xb_group *group, const xb_result *r, bool first)
{
  const xb_result *found = NULL;
  for (const xb_result *other = group->results; other < r && !(first && found); other++)
    if (!strcmp(other->benchmark, r->benchmark) && other->on == r->on && other->outcome == XB_CELL_OK &&
        !xb_compare_at(other, r))
      found = other;
  return found;
}

static void put_speedup(const xb_group *group, const xb_result *r, bool since_first, char out[XB_TABLE_TEXT])
{
  const xb_result *before = earlier(group, r, since_first);
  if (before && xb_is_timed(r) && group->benchmark->ladder == 1 && !strcmp(r->benchmark, group->benchmark->name))
    snprintf(out, XB_TABLE_TEXT, "%.2fx", before->time.median_ns / r->time.median_ns);
}

XB_COLUMN_SHOW(step, xb_result, true, put_speedup(table_of(s)->group, r, false, out))
XB_COLUMN_SHOW(cumulative, xb_result, true, put_speedup(table_of(s)->group, r, true, out))

/* "24", or "24/80" where two targets differ. */
XB_COLUMN_TEXT(samples)
{
  size_t length = 0, last = 0;
  for (size_t b = 0; b < xb_table_column_groups(s); b++) {
    const xb_result *r = xb_table_in_column_group(s, row, b);
    const size_t count = r ? r->time.samples_ns.count : 0;
    if (count && count != last)
      length += (size_t)snprintf(out + length, XB_TABLE_TEXT - length, "%s%zu", length ? "/" : "", count);
    last = count ? count : last;
  }
}

XB_COLUMN_TEXT(ratio)
{
  const xb_result *r = xb_table_in_column_group(s, row, c->offset), *first = xb_table_in_column_group(s, row, 0);
  if (!r || !first || first->outcome != XB_CELL_OK || r->outcome != XB_CELL_OK)
    return;
  if (r->on->emulated == 1 || first->on->emulated == 1) /* a remark says so */
    return;
  if (r->check.counterpart || first->check.counterpart)
    snprintf(out, XB_TABLE_TEXT, "~");
  else
    snprintf(out, XB_TABLE_TEXT, "%.3f", r->time.median_ns / first->time.median_ns);
}

static void ratio_title(const xb_table *s, const xb_column *c, char out[XB_TABLE_TEXT])
{
  snprintf(out, XB_TABLE_TEXT, "%s / %s", s->column_groups[c->offset], table_of(s)->targets[0]->backend);
}

static bool failed(const xb_table *s XB_UNUSED, const void *row, bool column_group, char out[XB_TABLE_TEXT])
{
  if (xb_is_timed(row))
    return false;
  snprintf(out, XB_TABLE_TEXT, "%s%s%s", xb_outcome_text(row), column_group ? "" : ": ",
           column_group ? "" : xb_result_why(row));
  return true;
}

XB_COLUMN_TEXT(remarks)
{
  if (s->column_group_count > 1 && ((const xb_result *)row)->outcome == XB_CELL_NO_COUNTERPART)
    return; /* said below, for all of them */
  if (!failed(s, row, false, out))
    xb_format_remarks(row, false, out);
}

/* In Markdown, where columns cannot depend on the group, with what the model says. */
XB_COLUMN_TEXT(remarks_and_model)
{
  const xb_result_model *model = &((const xb_result *)row)->rates.model;
  remarks(s, c, row, out);
  if (xb_is_timed(row) && !isnan(model->predicted) && !isnan(model->measured))
    xb_add_remark(out, "%.0f %% of base, model %.0f %%", 100 * model->measured, 100 * model->predicted);
  else if (xb_is_timed(row) && !isnan(model->predicted))
    xb_add_remark(out, "model %.0f %%", 100 * model->predicted);
  if (xb_is_timed(row) && model->name && !isnan(model->value))
    xb_add_remark(out, "%.4g %s", model->value, model->unit);
}

/* ---- The table -------------------------------------------------------------------------------------------------- */

static const void *on_target(const xb_table *s, const void *row, size_t column_group);

/* One for each variant: the others are in column groups. Those without a counterpart on any target are named below. */
static const void *first_result(const xb_table *s, size_t i)
{
  const xb_result *r = &table_of(s)->group->results[i];
  bool any = false;
  for (size_t b = 0; b < s->column_group_count && r->on == table_of(s)->targets[0]; b++) {
    const xb_result *other = on_target(s, r, b);
    any |= other && other->outcome != XB_CELL_NO_COUNTERPART;
  }
  return any ? r : NULL;
}

/* With the same variant and conditions. */
static const void *on_target(const xb_table *s, const void *row, size_t column_group)
{
  const xb_result_table *t = table_of(s);
  const xb_result *like = row;
  for (const xb_result *r = t->group->results; r < t->group->results + t->group->count; r++)
    if (r->on == t->targets[column_group] && r->yardstick == like->yardstick && !strcmp(r->variant, like->variant) &&
        !strcmp(r->benchmark, like->benchmark) && !xb_compare_at(r, like))
      return r;
  return NULL;
}

static bool is_control(const xb_table *s XB_UNUSED, const void *row)
{
  return ((const xb_result *)row)->yardstick == 1;
}

/* Of each result that has any; 0: they differ. */
static size_t count_samples(const xb_group *group)
{
  size_t count = 0;
  for (const xb_result *r = group->results; r < group->results + group->count; r++)
    if (r->time.samples_ns.count && count && r->time.samples_ns.count != count)
      return 0;
    else if (r->time.samples_ns.count)
      count = r->time.samples_ns.count;
  return count;
}

static void survey(xb_result_table *t)
{
  static const xb_metric bandwidth = {.name = "bandwidth", .unit = "GB/s"};
  t->samples = count_samples(t->group);
  for (const xb_result *r = t->group->results; r < t->group->results + t->group->count; r++)
    for (size_t m = t->metric_count; r->yardstick != 1 && m < r->rates.metrics.count && m < XB_MOST_COLUMNS; m++)
      t->metrics[t->metric_count++] = &r->rates.metrics.values[m];
  t->model = "model";
  for (const xb_result *r = t->group->results + t->group->count; r-- > t->group->results;)
    t->model = r->rates.model.name ? r->rates.model.name : t->model;
  if (!t->metric_count)
    t->metrics[t->metric_count++] = &bandwidth;
}

/* The unit of metric m, with its name if another metric has the same unit. */
static const char *head_of(xb_result_table *t, size_t m)
{
  bool alike = false;
  for (size_t k = 0; k < t->metric_count; k++)
    alike |= k != m && !strcmp(t->metrics[k]->unit, t->metrics[m]->unit);
  snprintf(t->heads[m], sizeof t->heads[m], "%s%s%s", alike && m ? t->metrics[m]->name : "", alike && m ? ", " : "",
           t->metrics[m]->unit);
  return t->heads[m];
}

#define OF(kind, name) XB_AT(xb_result, kind, name)

/* The columns that need more than a field of the result; in their midst are those whose line in result/tables.c says
 * that tables show them. Those for a terminal have a rank. */
void xb_make_result_table(xb_table *s, xb_result_table *t, const xb_group *group, const xb_table_writer *writer,
                          unsigned in)
{
  const xb_result_benchmark *b = group->benchmark;
  const bool sweep = writer->sweep;
  *t = (xb_result_table){.group = group, .sweep = sweep};
  *s = (xb_table){.file = writer->file, .user = t, XB_ROWS(group->results, group->count), .failed = failed};
  survey(t);
  if (in == XB_IN_TEXT) {
    s->row = first_result;
    s->may_be_missing = is_control;
    snprintf(t->common_remark, sizeof t->common_remark, "all rows of %s", group->benchmark->name);
    s->common_remark = t->common_remark;
    s->in_column_group = on_target;
    s->column_group_count = xb_group_targets(group, t->targets);
    for (size_t i = 0; i < s->column_group_count; i++)
      s->column_groups[i] = xb_format_target(t->targets[i], t->names[i]);
  }
  const bool several = s->column_group_count > 1, quoted = writer->published && b->quoted.count;
  const xb_column names[] = {
      {"n", 11, .in = sweep ? XB_IN_TEXT : XB_IN_CSV, .drop = XB_DROP_SHAPE, .text = shape},
      {"dtype", 7, .in = sweep ? XB_IN_TEXT : XB_IN_CSV, .drop = XB_DROP_SHAPE, .left = true, OF(TEXT, dtype)},
      {"variant", 0, .in = XB_IN_TEXT, .left = true, .text = short_name},
      {"", 47, .in = XB_IN_TEXT, .drop = XB_DROP_TITLES, .left = true, .cut = true, OF(TEXT, title)},
      {"variant", 0, .in = XB_IN_MARKDOWN, .left = true, .text = full_name},
      {"API", 0, .in = XB_IN_MARKDOWN, .left = true, .text = target},
      {"type", 0, .in = XB_IN_MARKDOWN, .left = true, OF(TEXT, dtype)},
      {"size", 0, .in = XB_IN_MARKDOWN, .text = shape},
  };
  const xb_column figures[] = {
      {"group", 5, .drop = XB_DROP_GROUP, OF(KNOWN, work.block)},
      {"other GPU", 0, .in = quoted ? XB_IN_TEXT | XB_IN_MARKDOWN : XB_IN_CSV, .optional = in == XB_IN_TEXT,
       .left = true, .text = published},
      {"time", 11, .in = XB_IN_TEXT, .each = true, .fails = true, .text = time_text},
      {"+-95 %", 7, "%.1f %%", xb_result_half_interval, .in = XB_IN_TEXT, .each = true, .drop = XB_DROP_INTERVAL},
      {"time", 0, .in = XB_IN_MARKDOWN, .text = time_and_interval},
      {t->metrics[0]->unit, 9, "%.4g", metric, .in = XB_IN_TEXT, .each = true, .drop = XB_DROP_METRIC,
       .of = t->metrics[0]},
      {t->metrics[0]->unit, 0, .in = XB_IN_MARKDOWN, .text = metrics},
  };
  const xb_column behind[] = {
      {"of base", 8, "%.0f %%", measured_part, .in = XB_IN_TEXT, .each = true, .drop = XB_DROP_MODEL, .optional = true,
       OF(REAL, rates.model.measured)},
      {"model", 8, "%.0f %%", part, .in = XB_IN_TEXT, .each = true, .drop = XB_DROP_MODEL, .optional = true,
       OF(REAL, rates.model.predicted)},
      {t->model, 8, "%.4g", modelled, .in = XB_IN_TEXT, .drop = XB_DROP_MODEL, .optional = true},
      {"cumulative", 10, .in = several ? XB_IN_CSV : XB_IN_TEXT, .drop = XB_DROP_CUMULATIVE, .text = cumulative},
      {"host time", 11, NULL, xb_result_figure, .in = several ? XB_IN_CSV : XB_IN_TEXT, .drop = XB_DROP_HOST_TIME,
       OF(REAL, time.host_ns)},
      {"samples", 7, .in = sweep || !t->samples ? XB_IN_TEXT : XB_IN_CSV, .drop = XB_DROP_SAMPLES, .text = samples},
      {"", 0, .in = XB_IN_MARKDOWN, .left = true, .text = remarks_and_model},
  };
  xb_table_add_all(s, names, sizeof names / sizeof *names);
  for (size_t a = 0; a < b->axes.count; a++) {
    const int wide = (int)strlen(b->axes.values[a].name);
    xb_table_add(s, (xb_column){b->axes.values[a].name, wide > 7 ? wide : 7, .of = &b->axes.values[a], .text = place});
  }
  s->label_columns = s->count;
  xb_table_add_all(s, figures, sizeof figures / sizeof *figures);
  xb_table_add_fields(s, &xb_result_fields, "percent_of_copy", in);
  xb_table_add(s, (xb_column){"step", 6, .in = XB_IN_TEXT, .each = true, .drop = XB_DROP_STEP, .text = step});
  for (size_t m = 1; m < t->metric_count && in == XB_IN_TEXT; m++) {
    const char *head = head_of(t, m);
    const int wide = (int)strlen(head);
    xb_table_add(s, (xb_column){head, wide > 12 ? wide : 12, "%.4g", metric, .each = true, .drop = XB_DROP_MORE_METRICS,
                                .of = t->metrics[m]});
  }
  xb_table_add_all(s, behind, sizeof behind / sizeof *behind);
  for (size_t g = 1; g < s->column_group_count; g++)
    xb_table_add(s, (xb_column){"ratio", 5, .before = " | ", .text = ratio, .title_of = ratio_title, .offset = g});
  xb_table_add(s, (xb_column){"", .in = XB_IN_TEXT, .each = true, .note = true, .text = remarks});
  for (size_t i = 0; in == XB_IN_TEXT && xb_terminal_limit() != SIZE_MAX && i < s->count; i++)
    s->columns[i].optional |= s->columns[i].drop || s->columns[i].title_of; /* room for those that have a value */
}
