/* The second table of a comparison: facts that explain the ratios. */
#include "base/terminal.h"
#include "formats/result_columns.h"

#include <inttypes.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* The least important first. */
enum { ALWAYS, WAVE, CODE, OUTLIERS, GROUPS_SM, GROUP, SHARED, SPILLS, FLOOR, REGISTERS, TIME };
enum { SWEEP_WIDTH = 20, NAME_WIDTH = 46 }; /* SWEEP_WIDTH: of the pairs' columns for size and element type */

XB_COLUMN_TEXT(side)
{
  xb_format_side(row, out);
}

XB_COLUMN_TEXT(time_text)
{
  xb_format_wide_time(row, out);
}

/* Known with the registers. */
XB_COLUMN_TEXT(shared)
{
  const xb_result *r = row;
  if (r->registers)
    snprintf(out, XB_SHEET_TEXT, "%" PRIu64, r->shared_bytes);
}

XB_COLUMN_TEXT(spills)
{
  const xb_result *r = row;
  if (r->spill_bytes >= 0)
    snprintf(out, XB_SHEET_TEXT, "%" PRId64, r->spill_bytes);
}

XB_COLUMN_TEXT(floor_part)
{
  const xb_result *r = row;
  snprintf(out, XB_SHEET_TEXT, r->floor_ns > 0 ? "%.0f %%" : " ", 100 * r->floor_ns / r->median_ns);
}

XB_COLUMN_TEXT(outliers)
{
  const xb_result *r = row;
  snprintf(out, XB_SHEET_TEXT, "%5" PRId64 "/%-5zu", r->outliers, r->samples_ns.count);
}

XB_COLUMN_TEXT(remarks)
{
  xb_format_remarks(row, true, out);
}

static bool is_apart(const xb_sheet *s XB_UNUSED, const void *row XB_UNUSED)
{
  return false;
}

static const char *unknown(const void *row)
{
  return ((const xb_result *)row)->block ? "?" : "-";
}

/* Each side once: of pair i/2 the subject, then the base. */
static const void *one(const xb_sheet *s, size_t i)
{
  const xb_group *group = s->user;
  const xb_comparison *c = &group->comparisons[i / 2];
  const xb_result *r = i % 2 ? c->base : c->subject;
  for (size_t before = 0; i % 2 && before < i / 2; before++)
    r = group->comparisons[before].base == r ? NULL : r;
  return r && r->outcome == XB_CELL_OK ? r : NULL;
}

#define OF(name) .offset = offsetof(xb_result, name)
void xb_make_facts(xb_sheet *s, const xb_group *group, bool sweep, bool timed)
{
  const bool limited = xb_terminal_limit() != SIZE_MAX; /* then facts that nobody reports take no room */
  const xb_column columns[] = {
      {limited ? "facts" : "facts ('?': the API does not report it)", limited ? 0 : NAME_WIDTH, .left = true,
       .text = side},
      {"time", 21, .in = timed ? XB_IN_CSV : XB_IN_TEXT, .drop = TIME, .text = time_text},
      {"group", 5, .drop = GROUP, .text = xb_count_member, OF(block)},
      {"registers", 9, .drop = REGISTERS, .text = xb_count_member, OF(registers)},
      {"shared", 7, .drop = SHARED, .text = shared},
      {"spills", 6, .drop = SPILLS, .text = spills},
      {"groups/SM", 9, .drop = GROUPS_SM, .text = xb_count_member, OF(groups_per_multiprocessor)},
      {"code", 6, .drop = CODE, .text = xb_count_member, OF(code_bytes)},
      {"wave", 5, .drop = WAVE, .text = xb_count_member, OF(subgroup_size)},
      {"floor", 6, .drop = FLOOR, .text = floor_part},
      {"outliers", 11, .drop = OUTLIERS, .text = outliers},
      {"", .note = true, .before = "", .text = remarks},
  };
  *s = (xb_sheet){.user = group,
                  .row = one,
                  .rows = 2 * group->comparison_count,
                  .unknown = unknown,
                  .apart = is_apart,
                  .most = "",
                  .indent = 2 + (sweep && !limited ? SWEEP_WIDTH : 0)};
  xb_sheet_add_all(s, columns, sizeof columns / sizeof *columns);
  for (size_t i = 1; i < s->count; i++)
    s->columns[i].optional = limited;
}
