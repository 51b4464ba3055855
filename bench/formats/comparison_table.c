/* The table of a comparison: one line per pair (both times, ratio, interval, verdict), then the facts that explain the
 * ratios (the second table). The same pairs in Markdown. */
#include "base/terminal.h"
#include "base/value_text.h"
#include "formats/result_columns.h"

#include <inttypes.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* The least important first. Without TIMES, the facts below have the times; without SHAPE, a line
 * above the group has it. */
enum { ALWAYS, LESS_OVERHEAD, SAME_BITS, TIMES, SHAPE };

/* ---- Columns ---------------------------------------------------------------------------------------------------- */

/* With the device's name if both sides have the same API. */
static void format_target(const xb_result_device *on, const xb_result_device *other, char *out, size_t out_bytes)
{
  char target[32], other_target[32];
  xb_format_target(on, target);
  if (!strcmp(target, xb_format_target(other, other_target)))
    snprintf(out, out_bytes, "%s on %s", target, on->name);
  else
    snprintf(out, out_bytes, "%s", target);
}

XB_COLUMN_TEXT(sides)
{
  char subject[XB_SIDE_TEXT], base[XB_SIDE_TEXT];
  const xb_comparison *p = row;
  const bool same = p->base && !strcmp(p->base->variant, p->subject->variant);
  if (same && p->base->on == p->subject->on)
    snprintf(base, sizeof base, "itself");
  else if (same)
    format_target(p->base->on, p->subject->on, base, sizeof base);
  else if (p->base)
    xb_format_label(p->base, XB_LABEL_SIDE, base, sizeof base);
  else
    snprintf(base, sizeof base, "nothing");
  snprintf(out, XB_TABLE_TEXT, "%s / %s", xb_format_label(p->subject, XB_LABEL_SIDE, subject, sizeof subject), base);
}

static const xb_result *side_of(const xb_column *c, const void *row)
{
  return *(const xb_result *const *)xb_field_member(c, row);
}

XB_COLUMN_TEXT(one_side)
{
  const xb_result *r = side_of(c, row);
  char text[XB_SIDE_TEXT];
  snprintf(out, XB_TABLE_TEXT, "%s", r ? xb_format_label(r, XB_LABEL_SIDE, text, sizeof text) : "nothing");
}

XB_COLUMN_SHOW(shape, void, true, xb_format_result_shape(side_of(c, r), out, XB_TABLE_TEXT))
XB_COLUMN_SHOW(wide_time, void, true, xb_format_wide_time(side_of(c, r), out))
XB_COLUMN_SHOW(time_and_interval, void, side_of(c, r), xb_format_time_and_interval(side_of(c, r), out))
XB_COLUMN_PRINT(ratio, xb_comparison, r->verdict, "%.3f", r->ratio)
/* The column's format says how. */
XB_COLUMN_PRINT(interval, xb_comparison, r->verdict, c->of, r->ci95_ratio.low, r->ci95_ratio.high)
XB_COLUMN_PRINT(same_bits, xb_comparison, r->verdict, "%s", xb_yes_no(r->same_bits))
XB_COLUMN_PRINT(less_overhead, xb_comparison, r->ratio_less_floors > 0, "%.3f [%.3f, %.3f]", r->ratio_less_floors,
                r->ci95_ratio_less_floors.low, r->ci95_ratio_less_floors.high)
XB_COLUMN_SHOW(reason, xb_comparison, true, xb_format_reason(r, out))

XB_COLUMN_TEXT(remark)
{
  const xb_comparison *p = row;
  char text[XB_PAIR_TEXT];
  const bool stopped = p->subject->time.stopped_by && !strcmp(p->subject->time.stopped_by, "interrupted");
  xb_format_reason(p, text);
  snprintf(out, XB_TABLE_TEXT, "%s%s%s%s", *text ? "(" : "", text, *text ? ")" : "", stopped ? " interrupted" : "");
}

static bool failed(const xb_table *s, const void *row, bool column_group, char out[XB_TABLE_TEXT])
{
  const xb_comparison *p = row;
  const bool emulated = p->subject->on->emulated == 1 || (p->base && p->base->on->emulated == 1);
  char text[XB_PAIR_TEXT];
  (void)s, (void)column_group;
  snprintf(out, XB_TABLE_TEXT, "not compared: %s%s%s", xb_format_reason(p, text),
           emulated && p->same_bits >= 0 ? "; same bits: " : "",
           emulated && p->same_bits >= 0 ? xb_yes_no(p->same_bits) : "");
  return !p->verdict;
}

#define SUBJECT(kind, member) XB_VIA(xb_comparison, subject, xb_result, kind, member)
static void make_pairs(xb_table *s, const xb_table_writer *writer, const xb_group *group)
{
  const unsigned swept = writer->sweep ? XB_IN_TEXT : XB_IN_CSV;
  const bool limited = xb_terminal_limit() != SIZE_MAX;
  const char *space = limited ? " " : "  ";
  const xb_column columns[] = {
      {"n", 11, .in = swept, .drop = SHAPE, .text = shape, .offset = offsetof(xb_comparison, subject)},
      {"dtype", 7, .in = swept, .drop = SHAPE, .left = true, SUBJECT(TEXT, dtype)},
      {"this / base", limited ? 0 : 54, .in = XB_IN_TEXT, .left = true, .text = sides},
      {"this", .in = XB_IN_MARKDOWN, .left = true, .text = one_side, .offset = offsetof(xb_comparison, subject)},
      {"base", .in = XB_IN_MARKDOWN, .left = true, .text = one_side, .offset = offsetof(xb_comparison, base)},
      {"type", .in = XB_IN_MARKDOWN, .left = true, SUBJECT(TEXT, dtype)},
      {"size", .in = XB_IN_MARKDOWN, .text = shape, .offset = offsetof(xb_comparison, subject)},
      {"time", 21, .in = XB_IN_TEXT, .drop = TIMES, .fails = true, .before = limited ? "  " : " ", .text = wide_time,
       .offset = offsetof(xb_comparison, subject)},
      {"time", .in = XB_IN_MARKDOWN, .text = time_and_interval, .offset = offsetof(xb_comparison, subject)},
      {"base's time", 21, .in = XB_IN_TEXT, .drop = TIMES, .text = wide_time, .offset = offsetof(xb_comparison, base)},
      {"base's time", .in = XB_IN_MARKDOWN, .text = time_and_interval, .offset = offsetof(xb_comparison, base)},
      {"ratio", 7, .text = ratio},
      {"95 % interval", limited ? 14 : 16, .in = XB_IN_TEXT, .before = space,
       .of = limited ? "[%.3f, %.3f]" : "[%6.3f, %6.3f]", .text = interval},
      {"95 % interval", .in = XB_IN_MARKDOWN, .left = true, .of = "%.3f to %.3f", .text = interval},
      {"verdict", 8, .left = true, .before = space, XB_AT(xb_comparison, TEXT, verdict)},
      {"same bits", 9, .left = true, .drop = SAME_BITS, .text = same_bits},
      {"less overhead", 20, .in = XB_IN_TEXT, .left = true, .drop = LESS_OVERHEAD, .text = less_overhead},
      {"", .in = XB_IN_TEXT, .note = true, .before = "", .text = remark},
      {"", .in = XB_IN_MARKDOWN, .left = true, .text = reason},
  };
  *s = (xb_table){
      .file = writer->file, XB_ROWS(group->comparisons, group->comparison_count), .failed = failed, .label_columns = 3};
  xb_table_add_all(s, columns, sizeof columns / sizeof *columns);
}

/* ---- Facts that explain the ratios ------------------------------------------------------------------------------- */

/* The least important first. */
enum { NEVER, WAVE, CODE, OUTLIERS, GROUPS_SM, GROUP, SHARED, SPILLS, OVERHEAD, REGISTERS, TIME };
enum { SWEEP_WIDTH = 20, NAME_WIDTH = 46 }; /* SWEEP_WIDTH: of the pairs' columns for size and element type */

XB_COLUMN_SHOW(side, xb_result, true, xb_format_label(r, XB_LABEL_SIDE, out, XB_TABLE_TEXT))
XB_COLUMN_SHOW(time_text, xb_result, true, xb_format_wide_time(r, out))
/* Known with the registers. */
XB_COLUMN_PRINT(shared, xb_result, r->code.registers, "%" PRIu64, r->code.shared_bytes)
XB_COLUMN_PRINT(overhead_part, xb_result, true, r->time.floor_ns > 0 ? "%.0f %%" : " ",
                100 * r->time.floor_ns / r->time.median_ns)
XB_COLUMN_PRINT(outliers, xb_result, true, "%5" PRId64 "/%-5zu", r->time.outliers, r->time.samples_ns.count)
XB_COLUMN_SHOW(remarks, xb_result, true, xb_format_remarks(r, true, out))

static bool may_be_missing(const xb_table *s XB_UNUSED, const void *row XB_UNUSED)
{
  return false;
}

static const char *unknown(const void *row)
{
  return ((const xb_result *)row)->work.block ? "?" : "-";
}

/* Each side once: of pair i/2 the subject, then the base. */
static const void *one(const xb_table *s, size_t i)
{
  const xb_group *group = s->user;
  const xb_comparison *c = &group->comparisons[i / 2];
  const xb_result *r = i % 2 ? c->base : c->subject;
  for (size_t before = 0; i % 2 && before < i / 2; before++)
    r = group->comparisons[before].base == r ? NULL : r;
  return r && r->outcome == XB_CELL_OK ? r : NULL;
}

#define OF(kind, name) XB_AT(xb_result, kind, name)
/* Each side of the pairs once. Without `timed` their times, too. */
static void make_facts(xb_table *s, const xb_table_writer *writer, const xb_group *group, bool timed)
{
  const bool limited = xb_terminal_limit() != SIZE_MAX; /* then facts that nobody reports take no room */
  const xb_column columns[] = {
      {limited ? "facts" : "facts ('?': the API does not report it)", limited ? 0 : NAME_WIDTH, .left = true,
       .text = side},
      {"time", 21, .in = timed ? XB_IN_CSV : XB_IN_TEXT, .drop = TIME, .text = time_text},
      {"group", 5, .drop = GROUP, OF(KNOWN, work.block)},
      {"registers", 9, .drop = REGISTERS, OF(KNOWN, code.registers)},
      {"shared", 7, .drop = SHARED, .text = shared},
      {"spills", 6, .drop = SPILLS, OF(COUNT, code.spill_bytes)},
      {"groups/SM", 9, .drop = GROUPS_SM, OF(KNOWN, code.groups_per_multiprocessor)},
      {"code", 6, .drop = CODE, OF(KNOWN, code.code_bytes)},
      {"wave", 5, .drop = WAVE, OF(KNOWN, code.subgroup_size)},
      {"overhead", 8, .drop = OVERHEAD, .text = overhead_part},
      {"outliers", 11, .drop = OUTLIERS, .text = outliers},
      {"", .note = true, .before = "", .text = remarks},
  };
  *s = (xb_table){.file = writer->file,
                  .user = group,
                  .row = one,
                  .rows = 2 * group->comparison_count,
                  .unknown = unknown,
                  .may_be_missing = may_be_missing,
                  .common_remark = "",
                  .indent = 2 + (writer->sweep && !limited ? SWEEP_WIDTH : 0)};
  xb_table_add_all(s, columns, sizeof columns / sizeof *columns);
  for (size_t i = 1; i < s->count; i++)
    s->columns[i].optional = limited;
}

/* ---- The table -------------------------------------------------------------------------------------------------- */

/* Each target of the group once, with the facts that all of its cells share. */
static void print_targets(FILE *file, const xb_group *group)
{
  const xb_result_device *targets[XB_MOST_COLUMNS];
  const size_t count = xb_group_targets(group, targets);
  for (size_t t = 0; t < count; t++) {
    xb_print_target(file, targets[t]);
    for (size_t i = 0; i < group->count; i++) {
      const xb_result *r = &group->results[i];
      char text[24];
      if (r->on != targets[t] || r->on->emulated == 1 || r->yardstick != 1 || r->floor != 1 || r->outcome != XB_CELL_OK)
        continue;
      fprintf(file, "  a dispatch takes at least %s +-%.1f %% (%s/%" PRIu64 ")\n",
              xb_format_time(r->time.median_ns, text, sizeof text), xb_half_interval(r), r->benchmark,
              r->variant_number);
    }
  }
}

static void print_heading(xb_table_writer *writer, const xb_group *group, const xb_table *pairs, const xb_table *facts)
{
  FILE *file = writer->file;
  if (writer->sweep && writer->headed)
    return;
  if (!writer->headed)
    print_targets(file, group);
  writer->headed = true;
  xb_print_question(file, group, writer->sweep);
  if (group->comparison_count)
    fprintf(file, "; margin %.3g %%", 100 * group->comparisons[0].margin);
  fprintf(file, "\n%s\n",
          pairs->left_out || (facts->left_out && xb_table_has_rows(facts))
              ? "some columns are hidden; --wide shows all\n"
              : "");
  xb_table_print_heads(pairs);
  if (writer->sweep)
    xb_table_print_heads(facts);
}

void xb_comparison_table(xb_table_writer *writer, const xb_group *group)
{
  xb_table pairs, facts;
  make_pairs(&pairs, writer, group);
  xb_table_fit(&pairs);
  make_facts(&facts, writer, group, xb_table_shows(&pairs, "time"));
  xb_table_fit(&facts);
  print_heading(writer, group, &pairs, &facts);
  if (writer->sweep && !xb_table_shows(&pairs, "dtype"))
    xb_print_shape(writer->file, &group->results[0]);
  xb_table_print_rows(&pairs);
  if (!xb_table_has_rows(&facts))
    return;
  if (!writer->sweep) {
    fprintf(writer->file, "\n");
    xb_table_print_heads(&facts);
  }
  xb_table_print_rows(&facts);
}

void xb_markdown_comparison(xb_table_writer *writer, const xb_group *group)
{
  xb_table s;
  make_pairs(&s, writer, group);
  xb_markdown_rows(writer, group, &s);
}
