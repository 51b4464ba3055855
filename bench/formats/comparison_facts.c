/* The second table of a comparison: facts that explain the ratios, a line for each side. */
#include "base/fold.h"
#include "base/terminal.h"
#include "base/value_text.h"
#include "formats/comparison_table.h"
#include "judge/judge.h"

#include <inttypes.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* In the order of the columns. */
enum { TIME, GROUP, REGISTERS, SHARED, SPILLS, GROUPS_SM, CODE, WAVE, FLOOR, OUTLIERS, FACTS };

static const struct {
  const char *head;
  int width;
} columns[FACTS] = {{"time", 21},     {"group", 5}, {"registers", 9}, {"shared", 7}, {"spills", 6},
                    {"groups/SM", 9}, {"code", 6},  {"wave", 5},      {"floor", 6},  {"outliers", 11}};

/* The least important first. */
static const int by_importance[FACTS] = {WAVE,   CODE,   OUTLIERS, GROUPS_SM, GROUP,
                                         SHARED, SPILLS, FLOOR,    REGISTERS, TIME};

typedef char cell_text[32];

static void number(uint64_t value, const char *unknown, cell_text out)
{
  if (value)
    snprintf(out, sizeof(cell_text), "%" PRIu64, value);
  else
    snprintf(out, sizeof(cell_text), "%s", unknown);
}

static void format_facts(const xb_result *r, cell_text out[FACTS])
{
  const char *unknown = r->block ? "?" : "-";
  const size_t bytes = sizeof(cell_text);
  char time[16];
  memset(out, 0, FACTS * bytes);
  snprintf(out[TIME], bytes, "%s +-%4.1f %%", xb_format_time(r->median_ns, time, sizeof time), xb_half_interval(r));
  snprintf(out[GROUP], bytes, "%" PRIu64, r->block);
  number(r->registers, unknown, out[REGISTERS]);
  snprintf(out[SHARED], bytes, "%s", unknown);
  if (r->registers)
    snprintf(out[SHARED], bytes, "%" PRIu64, r->shared_bytes);
  snprintf(out[SPILLS], bytes, "%s", unknown);
  if (r->spill_bytes >= 0)
    snprintf(out[SPILLS], bytes, "%" PRId64, r->spill_bytes);
  number(r->groups_per_multiprocessor, unknown, out[GROUPS_SM]);
  number(r->code_bytes, unknown, out[CODE]);
  number(r->subgroup_size, unknown, out[WAVE]);
  if (r->floor_ns > 0)
    snprintf(out[FLOOR], bytes, "%.0f %%", 100 * r->floor_ns / r->median_ns);
  snprintf(out[OUTLIERS], bytes, "%5" PRId64 "/%-5zu", r->outliers, r->samples_ns.count);
}

/* Where width matters, a column has at least one fact that is known. */
static unsigned known_columns(const xb_pair_columns *c)
{
  unsigned known = 0;
  cell_text facts[FACTS];
  for (size_t i = 0; i < c->group->count; i++) {
    format_facts(&c->group->results[i], facts);
    for (unsigned k = 0; k < FACTS && xb_is_side(c->group, &c->group->results[i]); k++)
      if (strcmp(facts[by_importance[k]], "?") != 0 && strcmp(facts[by_importance[k]], "-") != 0)
        known |= 1u << k;
  }
  return known;
}

static size_t width(const void *table, unsigned shown)
{
  const xb_pair_columns *c = table;
  size_t total = (size_t)c->fact_name_width + 2;
  for (unsigned k = 0; k < FACTS; k++)
    total += shown >> k & 1 ? (size_t)columns[by_importance[k]].width + 1 : 0;
  return total;
}

void xb_lay_out_facts(xb_pair_columns *c)
{
  const unsigned time = 1u << (FACTS - 1);
  const bool limited = xb_terminal_limit() != SIZE_MAX;
  const unsigned all = (limited ? known_columns(c) : 2 * time - 1) & ~(c->has_times ? time : 0);
  const unsigned shown = xb_fit_columns(all, width, c);
  c->left_out = c->left_out || shown != all;
  c->facts = 0;
  for (unsigned k = 0; k < FACTS; k++)
    c->facts |= (shown >> k & 1) << by_importance[k];
}

void xb_print_fact_heads(const xb_pair_columns *c)
{
  const bool limited = xb_terminal_limit() != SIZE_MAX;
  printf("%*s  %-*s", c->before_facts, "", c->fact_name_width,
         limited ? "facts" : "facts ('?': the API does not report it)");
  for (int k = 0; k < FACTS; k++)
    if (c->facts >> k & 1)
      printf(" %*s", columns[k].width, columns[k].head);
  printf("\n");
}

void xb_print_facts(const xb_pair_columns *c, const xb_result *r)
{
  const char *once = xb_result_placed_once(r);
  char side[XB_SIDE_TEXT], time[32];
  cell_text facts[FACTS];
  format_facts(r, facts);
  printf("%*s  %-*s", c->before_facts, "", c->fact_name_width, xb_format_side(r, side));
  for (int k = 0; k < FACTS; k++)
    if (c->facts >> k & 1)
      printf(" %*s", columns[k].width, facts[k]);
  printf("%s%s%s%s%s%s", xb_fold_here(), r->remark ? r->remark : "", r->remark ? " " : "",
         r->warm == 1 ? "" : "not settled ", once ? once : "", once ? " " : "");
  if (xb_autocorrelated(r))
    printf("autocorrelated %.1f ", r->autocorrelation);
  if (!isnan(r->restore_ns))
    printf("contents restored: %s taken off ", xb_format_time(r->restore_ns, time, sizeof time));
  char reasons[XB_THROTTLE_TEXT];
  printf("%s%s", r->throttle.count ? "throttled: " : "", xb_format_throttle(r, reasons));
  printf("\n");
}
