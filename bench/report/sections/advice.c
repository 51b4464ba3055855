/* What a recommendation of the CUDA C++ Best Practices Guide is worth on the devices of the report: the measured cell
 * that follows it against the one that does not. A recommendation without both cells is not shown. */
#include "report/report.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

typedef struct advised {
  uint64_t variant;
  const char *at; /* as xb_result_at; NULL: any, the same on both sides */
} advised;

static const struct {
  const char *priority, *text; /* of the guide; "-": it gives none */
  const char *benchmark;
  advised without, with;
} advice[] = {
    {"high", "parallelize sequential code", "cipher", {1, NULL}, {2, NULL}},
    {"high", "minimize transfers: keep data on the device", "breakeven", {1, NULL}, {3, NULL}},
    {"high", "coalesce accesses to global memory", "stride", {1, "stride 32"}, {1, "stride 1"}},
    {"high", "prefer shared memory to global memory", "matmul", {1, NULL}, {3, NULL}},
    {"high", "avoid different paths within a warp", "divergence", {1, "ways 32"}, {2, "ways 32"}},
    {"medium", "use shared memory to avoid redundant transfers", "outer", {1, NULL}, {2, NULL}},
    {"medium", "have enough active threads (occupancy)", "ilp", {1, "chains 1, waves 1"}, {1, "chains 1, waves 32"}},
    {"medium", "use the fast math library", "instructions", {32, "waves 0"}, {31, "waves 0"}},
    {"medium", "prefer specialized functions: roots to pow", "instructions", {41, "waves 0"}, {42, "waves 0"}},
    {"low to medium", "use signed loop counters", "instructions", {15, "waves 0"}, {16, "waves 0"}},
    {"low", "use shifts instead of divisions", "instructions", {7, "waves 0"}, {4, "waves 0"}},
    {"low", "avoid conversions of doubles to floats: 1.1f, not 1.1", "instructions", {50, "waves 0"}, {65, "waves 0"}},
    {"low", "use zero-copy (for integrated GPUs)", "transfers", {6, NULL}, {11, NULL}},
    {"low", "make predication easy", "divergence", {1, "ways 2"}, {4, "ways 2"}},
    {"-", "use shared memory to coalesce", "transpose", {3, NULL}, {4, NULL}},
    {"-", "avoid doubles where floats do", "instructions", {73, "waves 0"}, {23, "waves 0"}},
    {"-", "avoid bank conflicts, by padding", "banks", {1, "stride 32"}, {1, "stride 33"}},
    {"-", "use pinned memory for transfers", "transfers", {16, NULL}, {18, NULL}},
    {"-", "batch small transfers", "transfers", {14, NULL}, {15, NULL}},
    {"-",
     "overlap transfers with kernels",
     "overlap",
     {3, "stages 1, queues 1, turns 64"},
     {3, "stages 8, queues 1, turns 64"}},
    {"-", "use vectors of 16 bytes", "coalescing", {1, "span 0"}, {4, "span 0"}},
};
enum { ADVICE = sizeof advice / sizeof *advice };

/* ---- Cells ------------------------------------------------------------------------------------------------------ */

static bool is_side(const char *benchmark, const advised *side, const xb_result *r)
{
  char at[XB_AT_TEXT];
  return r->outcome == XB_CELL_OK && r->variant_number == side->variant && !strcmp(r->benchmark, benchmark) &&
         (!side->at || !strcmp(xb_result_at(r, at), side->at));
}

/* The cell that follows the advice, at the same place and size as the one that does not; of several sizes, the largest.
 */
static const xb_result *find(const xb_view_target *target, size_t i, const xb_result **without)
{
  const xb_view_file *file = target->file;
  const xb_result *best = NULL;
  for (size_t a = 0; a < file->cell_count; a++)
    for (size_t b = 0; is_side(advice[i].benchmark, &advice[i].without, file->cells[a]) && b < file->cell_count; b++) {
      const xb_result *x = file->cells[a], *y = file->cells[b];
      if (!is_side(advice[i].benchmark, &advice[i].with, y) || xb_view_target_of(file, x) != target ||
          xb_view_target_of(file, y) != target || x->work.size != y->work.size || strcmp(x->dtype, y->dtype) != 0 ||
          strcmp(x->conditions.cache, y->conditions.cache) != 0 || (!advice[i].with.at && xb_compare_at(x, y)) ||
          (best && best->work.size >= y->work.size))
        continue;
      best = y;
      *without = x;
    }
  return best;
}

/* ---- The table -------------------------------------------------------------------------------------------------- */

/* How much better the first metric is. The work may differ, so the interval is that of the times, on this factor. */
static bool judge(const xb_result *with, const xb_result *without, double *factor, xb_interval *interval, char why[96])
{
  const xb_rules rules = {.margin = xb_default_margin(with->on),
                          .subject = "the second cell",
                          .base = "the first cell",
                          .margin_name = "margin",
                          .sample_name = "rounds",
                          .subject_seed = 1,
                          .base_seed = 1,
                          .same_rounds = true};
  const xb_result *const floors[2] = {NULL, NULL};
  xb_judgement j = {.compared = false};
  xb_judge_scratch *scratch = malloc(sizeof *scratch);
  if (!xb_may_compare(with, without, &rules, why) || !scratch ||
      !xb_judge_pair(with, without, floors, &rules, scratch, &j) || !j.compared) {
    free(scratch);
    return false;
  }
  free(scratch);
  const bool alike = xb_has_value(with) && xb_has_value(without) &&
                     !strcmp(xb_result_unit(with), xb_result_unit(without)) &&
                     with->rates.metrics.values[0].more_is_better;
  *factor = alike ? xb_result_value(with) / xb_result_value(without) : 1 / j.ratio;
  *interval = (xb_interval){*factor * j.ratio / j.interval.high, *factor * j.ratio / j.interval.low};
  return isfinite(*factor);
}

/* A recommendation on one target of a file. */
typedef struct advice_row {
  const char *priority, *text, *api;
  const xb_result *with, *without;
} advice_row;

XB_COLUMN_TEXT(side)
{
  const xb_result *r = *(const xb_result *const *)xb_field_member(c, row);
  char at[XB_AT_TEXT];
  snprintf(out, XB_TABLE_TEXT, "%s/%s %s", r->benchmark, r->variant, xb_result_at(r, at));
}

XB_COLUMN_TEXT(times_as_good)
{
  char ratio[XB_NAME], why[96] = "no ratio";
  const advice_row *r = row;
  double factor;
  xb_interval interval;
  const bool judged = judge(r->with, r->without, &factor, &interval, why);
  snprintf(out, XB_TABLE_TEXT, "%s", judged ? xb_name_ratio(factor, interval, ratio) : why);
}

#define OF(name) .offset = offsetof(advice_row, name)
void xb_report_advice(xb_report *report)
{
  static const xb_column columns[] = {
      {"priority", .left = true, .kind = XB_FIELD_TEXT, OF(priority)},
      {"recommendation", .head = true, .left = true, .kind = XB_FIELD_TEXT, OF(text)},
      {"without", .left = true, .text = side, OF(without)},
      {"with", .left = true, .text = side, OF(with)},
      {"API", .left = true, .kind = XB_FIELD_TEXT, OF(api)},
      {"times as good", .text = times_as_good},
  };
  const xb_view *view = report->view;
  advice_row *rows = calloc(ADVICE * view->target_count + 1, sizeof *rows);
  xb_table s = {XB_ROWS(rows, 0)};
  for (size_t i = 0; rows && i < ADVICE * view->target_count; i++) {
    const xb_view_target *target = &view->targets[i % view->target_count];
    const size_t a = i / view->target_count;
    advice_row row = {.priority = advice[a].priority, .text = advice[a].text, .api = target->name};
    if ((row.with = find(target, a, &row.without)))
      rows[s.rows++] = row;
  }
  xb_table_add_all(&s, columns, sizeof columns / sizeof *columns);
  if (s.rows)
    xb_table_html(&s, report->out, "The effect of recommendations", NULL);
  if (!rows)
    xb_report_out_of_memory(report);
  free(rows);
}
