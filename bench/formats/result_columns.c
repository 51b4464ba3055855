#include "formats/result_columns.h"

#include "base/value_text.h"

#include <inttypes.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

/* What a narrow terminal leaves out, the least important first. The name, the time and the ratio always stay. */
enum {
  ALWAYS,
  SAMPLES, /* where the heading cannot tell how many there are */
  TITLES,  /* otherwise: the short names of the variants */
  HOST_TIME,
  PUBLISHED,
  CUMULATIVE,
  MODEL,
  MORE_METRICS,
  OF_PEAK,
  STEP,
  GROUP,
  OF_COPY,
  INTERVAL,
  SHAPE,  /* otherwise: on a line above the group */
  BESIDE, /* targets side by side; otherwise: each on a line */
  METRIC
};

static const xb_result_table *table_of(const xb_sheet *s)
{
  return s->user;
}

/* ---- Names ------------------------------------------------------------------------------------------------------ */

XB_COLUMN_SHOW(shape, xb_result, true, xb_format_result_shape(r, out, XB_SHEET_TEXT))

#define CONTROL(r)                                                                                                     \
  (r)->yardstick == 1 ? (r)->benchmark : "", (r)->yardstick == 1 ? "/" : "" /* "copy/" before its variant */
XB_COLUMN_PRINT(title, xb_result, true, "%s", r->title)
XB_COLUMN_PRINT(short_name, xb_result, true, "%s%s%s", CONTROL(r), r->variant)

XB_COLUMN_PRINT(full_name, xb_result, true, "%s/%s", r->benchmark, r->variant)
XB_COLUMN_SHOW(target, xb_result, true, xb_format_target(r->on, out))

XB_COLUMN_TEXT(place)
{
  const xb_result *r = row;
  const size_t axis = (size_t)((const xb_result_axis *)c->of - table_of(s)->group->benchmark->axes.values);
  if (axis < r->at.count)
    snprintf(out, XB_SHEET_TEXT, "%" PRId64, r->at.values[axis].value);
}

XB_COLUMN_SHOW(published, xb_result, true, xb_format_published(table_of(s)->group->benchmark, r, out))

/* ---- Figures ---------------------------------------------------------------------------------------------------- */

double xb_result_figure(const xb_sheet *s XB_UNUSED, const xb_column *c, const void *row)
{
  return xb_is_timed(row) ? *(const double *)xb_sheet_member(c, row) : NAN;
}

XB_COLUMN_VALUE(part, void, 100 * xb_result_figure(s, c, r))
/* Without a prediction there is nothing to hold it against. */
XB_COLUMN_VALUE(measured_part, xb_result, isnan(r->model.predicted) ? NAN : part(s, c, r))

double xb_result_half_interval(const xb_sheet *s XB_UNUSED, const xb_column *c XB_UNUSED, const void *row)
{
  return xb_is_timed(row) ? xb_half_interval(row) : NAN;
}

XB_COLUMN_NUMBER(metric)
{
  const xb_result *r = row;
  const xb_metric *like = c->of;
  for (size_t i = 0; i < r->metrics.count && xb_is_timed(row); i++)
    if (!strcmp(r->metrics.values[i].name, like->name) && !strcmp(r->metrics.values[i].unit, like->unit))
      return r->metrics.values[i].value;
  return NAN;
}

/* With a mark if the API has only something similar. */
XB_COLUMN_TEXT(time_text)
{
  const xb_result *r = row;
  char time[24];
  if (xb_is_timed(r))
    snprintf(out, XB_SHEET_TEXT, "%s%10s", r->counterpart ? "~" : " ", xb_format_time(r->median_ns, time, sizeof time));
}

void xb_format_time_and_interval(const xb_result *r, char out[XB_SHEET_TEXT])
{
  char time[24];
  *out = 0;
  if (xb_is_timed(r))
    snprintf(out, XB_SHEET_TEXT, "%s%s ± %.1f %%", r->counterpart ? "~ " : "",
             xb_format_time(r->median_ns, time, sizeof time), xb_half_interval(r));
}

void xb_format_wide_time(const xb_result *r, char out[XB_SHEET_TEXT])
{
  char time[24];
  snprintf(out, XB_SHEET_TEXT, "%s +-%4.1f %%", xb_format_time(r->median_ns, time, sizeof time), xb_half_interval(r));
}

XB_COLUMN_SHOW(time_and_interval, xb_result, true, xb_format_time_and_interval(r, out))

/* All of them. The unit of the heading is not repeated. */
XB_COLUMN_TEXT(metrics)
{
  const xb_result *r = row;
  size_t length = 0;
  for (size_t m = 0; m < r->metrics.count && xb_is_timed(r) && length < XB_SHEET_TEXT; m++) {
    const char *unit = m || strcmp(r->metrics.values[m].unit, c->title) != 0 ? r->metrics.values[m].unit : "";
    length += (size_t)snprintf(out + length, XB_SHEET_TEXT - length, "%s%.4g%s%s", m ? ", " : "",
                               r->metrics.values[m].value, *unit ? " " : "", unit);
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

static void put_speedup(const xb_group *group, const xb_result *r, bool since_first, char out[XB_SHEET_TEXT])
{
  const xb_result *before = earlier(group, r, since_first);
  if (before && xb_is_timed(r) && group->benchmark->ladder == 1 && !strcmp(r->benchmark, group->benchmark->name))
    snprintf(out, XB_SHEET_TEXT, "%.2fx", before->median_ns / r->median_ns);
}

XB_COLUMN_SHOW(step, xb_result, true, put_speedup(table_of(s)->group, r, false, out))
XB_COLUMN_SHOW(cumulative, xb_result, true, put_speedup(table_of(s)->group, r, true, out))

/* "24", or "24/80" where two targets differ. */
XB_COLUMN_TEXT(samples)
{
  size_t length = 0, last = 0;
  for (size_t b = 0; b < (s->stacked ? 1 : xb_sheet_bands(s)); b++) {
    const xb_result *r = s->stacked ? row : xb_sheet_in_band(s, row, b);
    const size_t count = r ? r->samples_ns.count : 0;
    if (count && count != last)
      length += (size_t)snprintf(out + length, XB_SHEET_TEXT - length, "%s%zu", length ? "/" : "", count);
    last = count ? count : last;
  }
}

XB_COLUMN_TEXT(ratio)
{
  const xb_result *r = row, *first = xb_sheet_in_band(s, row, 0);
  if (!first || first == r || first->outcome != XB_CELL_OK || r->outcome != XB_CELL_OK)
    return;
  if (r->on->emulated == 1 || first->on->emulated == 1) /* a remark says so */
    return;
  if (r->counterpart || first->counterpart)
    snprintf(out, XB_SHEET_TEXT, "~");
  else
    snprintf(out, XB_SHEET_TEXT, "%.3f", r->median_ns / first->median_ns);
}

static void ratio_title(const xb_sheet *s, size_t band, char out[XB_SHEET_TEXT])
{
  snprintf(out, XB_SHEET_TEXT, "%s / %s", s->bands[band], table_of(s)->targets[0]->backend);
}

static bool failed(const xb_sheet *s XB_UNUSED, const void *row, bool band, char out[XB_SHEET_TEXT])
{
  if (xb_is_timed(row))
    return false;
  snprintf(out, XB_SHEET_TEXT, "%s%s%s", xb_outcome_text(row), band ? "" : ": ", band ? "" : xb_result_why(row));
  return true;
}

XB_COLUMN_TEXT(remarks)
{
  if (s->band_count > 1 && ((const xb_result *)row)->outcome == XB_CELL_NO_COUNTERPART)
    return; /* said below, for all of them */
  if (!failed(s, row, false, out))
    xb_format_remarks(row, false, out);
}

/* In Markdown, where columns cannot depend on the group, with what the model says. */
XB_COLUMN_TEXT(remarks_and_model)
{
  const xb_result_model *model = &((const xb_result *)row)->model;
  remarks(s, c, row, out);
  if (xb_is_timed(row) && !isnan(model->predicted) && !isnan(model->measured))
    xb_add_remark(out, "%.0f %% of base, model %.0f %%", 100 * model->measured, 100 * model->predicted);
  else if (xb_is_timed(row) && !isnan(model->predicted))
    xb_add_remark(out, "model %.0f %%", 100 * model->predicted);
}

/* ---- The sheet -------------------------------------------------------------------------------------------------- */

static const void *on_target(const xb_sheet *s, const void *row, size_t band);

/* One for each variant: the others are in bands. Those without a counterpart on any target are named below. */
static const void *first_result(const xb_sheet *s, size_t i)
{
  const xb_result *r = &table_of(s)->group->results[i];
  bool any = false;
  for (size_t b = 0; b < s->band_count && r->on == table_of(s)->targets[0]; b++) {
    const xb_result *other = on_target(s, r, b);
    any |= other && other->outcome != XB_CELL_NO_COUNTERPART;
  }
  return any ? r : NULL;
}

/* With the same variant and conditions. */
static const void *on_target(const xb_sheet *s, const void *row, size_t band)
{
  const xb_result_table *t = table_of(s);
  const xb_result *like = row;
  for (const xb_result *r = t->group->results; r < t->group->results + t->group->count; r++)
    if (r->on == t->targets[band] && r->yardstick == like->yardstick && !strcmp(r->variant, like->variant) &&
        !strcmp(r->benchmark, like->benchmark) && !xb_compare_at(r, like))
      return r;
  return NULL;
}

static bool is_yardstick(const xb_sheet *s XB_UNUSED, const void *row)
{
  return ((const xb_result *)row)->yardstick == 1;
}

/* Of each result that has any; 0: they differ. */
static size_t count_samples(const xb_group *group)
{
  size_t count = 0;
  for (const xb_result *r = group->results; r < group->results + group->count; r++)
    if (r->samples_ns.count && count && r->samples_ns.count != count)
      return 0;
    else if (r->samples_ns.count)
      count = r->samples_ns.count;
  return count;
}

static void survey(xb_result_table *t)
{
  static const xb_metric bandwidth = {.name = "bandwidth", .unit = "GB/s"};
  t->samples = count_samples(t->group);
  for (const xb_result *r = t->group->results; r < t->group->results + t->group->count; r++)
    for (size_t m = t->metric_count; r->yardstick != 1 && m < r->metrics.count && m < XB_MOST_COLUMNS; m++)
      t->metrics[t->metric_count++] = &r->metrics.values[m];
  if (!t->metric_count)
    t->metrics[t->metric_count++] = &bandwidth;
}

#define OF(name) .offset = offsetof(xb_result, name)

/* A new line here is a column of the table, Markdown and the page; CSV has a list of its own (csv.c), and the JSON all
 * fields of a result (result/tables.c). Those for a terminal have a rank. */
const xb_column xb_result_common[] = {
    {"of copy", 7, "%.0f %%", xb_result_figure, .each = true, .drop = OF_COPY, OF(percent_of_copy)},
    {"of peak", 7, "%.0f %%", xb_result_figure, .in = XB_IN_TEXT | XB_IN_HTML | XB_IN_CSV, .each = true,
     .drop = OF_PEAK, .optional = true, OF(percent_of_peak)},
};
const size_t xb_result_common_count = sizeof xb_result_common / sizeof *xb_result_common;

void xb_result_sheet(xb_sheet *s, xb_result_table *t, const xb_group *group, const xb_table *table, unsigned in)
{
  const xb_result_benchmark *b = group->benchmark;
  const bool sweep = table->sweep;
  *t = (xb_result_table){.group = group, .sweep = sweep};
  *s = (xb_sheet){
      .file = table->file, .user = t, XB_ROWS(group->results, group->count), .failed = failed, .stack_drop = BESIDE};
  survey(t);
  if (in == XB_IN_TEXT) {
    s->row = first_result;
    s->apart = is_yardstick;
    snprintf(t->most, sizeof t->most, "all rows of %s", group->benchmark->name);
    s->most = t->most;
    s->in_band = on_target;
    s->band_count = xb_group_targets(group, t->targets);
    for (size_t i = 0; i < s->band_count; i++)
      s->bands[i] = xb_format_target(t->targets[i], t->names[i]);
  }
  const bool several = s->band_count > 1, quoted = table->published && b->quoted.count;
  const xb_column names[] = {
      {"n", 11, .in = sweep ? XB_IN_TEXT : XB_IN_CSV, .drop = SHAPE, .aside = true, .text = shape},
      {"dtype", 7, .in = sweep ? XB_IN_TEXT : XB_IN_CSV, .drop = SHAPE, .aside = true, .left = true,
       .text = xb_text_member, OF(dtype)},
      {"variant", 0, .in = XB_IN_TEXT, .left = true, .text = short_name},
      {"", 47, .in = XB_IN_TEXT, .drop = TITLES, .left = true, .cut = true, .aside = true, .text = title},
      {"variant", 0, .in = XB_IN_MARKDOWN, .left = true, .text = full_name},
      {"API", 0, .in = XB_IN_MARKDOWN, .left = true, .text = target},
      {"type", 0, .in = XB_IN_MARKDOWN, .left = true, .text = xb_text_member, OF(dtype)},
      {"size", 0, .in = XB_IN_MARKDOWN, .text = shape},
  };
  const xb_column figures[] = {
      {"group", 5, .drop = GROUP, .text = xb_count_member, OF(block)},
      {"other GPU", 9, .in = quoted ? XB_IN_TEXT | XB_IN_MARKDOWN : XB_IN_CSV, .drop = PUBLISHED,
       .optional = in == XB_IN_TEXT, .text = published},
      {"time", 11, .in = XB_IN_TEXT, .each = true, .fails = true, .text = time_text},
      {"+-95 %", 7, "%.1f %%", xb_result_half_interval, .in = XB_IN_TEXT, .each = true, .drop = INTERVAL},
      {"time", 0, .in = XB_IN_MARKDOWN, .text = time_and_interval},
      {t->metrics[0]->unit, 9, "%.4g", metric, .in = XB_IN_TEXT, .each = true, .drop = METRIC, .of = t->metrics[0]},
      {t->metrics[0]->unit, 0, .in = XB_IN_MARKDOWN, .text = metrics},
  };
  const xb_column behind[] = {
      {"of base", 8, "%.0f %%", measured_part, .in = XB_IN_TEXT, .each = true, .drop = MODEL, .optional = true,
       OF(model.measured)},
      {"model", 8, "%.0f %%", part, .in = XB_IN_TEXT, .each = true, .drop = MODEL, .optional = true,
       OF(model.predicted)},
      {"cumulative", 10, .in = several ? XB_IN_CSV : XB_IN_TEXT, .drop = CUMULATIVE, .text = cumulative},
      {"host time", 11, NULL, xb_result_figure, .in = several ? XB_IN_CSV : XB_IN_TEXT, .drop = HOST_TIME, OF(host_ns)},
      {"samples", 7, .in = sweep || !t->samples ? XB_IN_TEXT : XB_IN_CSV, .drop = SAMPLES, .text = samples},
      {"ratio", 5, .in = several ? XB_IN_TEXT : XB_IN_CSV, .each = true, .loose = true, .before = " | ", .text = ratio,
       .title_of = ratio_title},
      {"", 0, .in = XB_IN_TEXT, .each = true, .note = true, .text = remarks},
      {"", 0, .in = XB_IN_MARKDOWN, .left = true, .text = remarks_and_model},
  };
  xb_sheet_add_all(s, names, sizeof names / sizeof *names);
  for (size_t a = 0; a < b->axes.count; a++) {
    const int wide = (int)strlen(b->axes.values[a].name);
    xb_sheet_add(s, (xb_column){b->axes.values[a].name, wide > 7 ? wide : 7, .of = &b->axes.values[a], .text = place});
  }
  xb_sheet_add_all(s, figures, sizeof figures / sizeof *figures);
  xb_sheet_add_all(s, xb_result_common, xb_result_common_count);
  xb_sheet_add(s, (xb_column){"step", 6, .in = XB_IN_TEXT, .each = true, .drop = STEP, .text = step});
  for (size_t m = 1; m < t->metric_count && in == XB_IN_TEXT; m++)
    xb_sheet_add(s, (xb_column){t->metrics[m]->unit, 12, "%.4g", metric, .each = true, .drop = MORE_METRICS,
                                .of = t->metrics[m]});
  xb_sheet_add_all(s, behind, sizeof behind / sizeof *behind);
}
