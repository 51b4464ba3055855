#include "base/safe_text.h"
#include "base/value_text.h"
#include "diff/diff.h"
#include "formats/result_columns.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

const char *xb_change_name(xb_change change)
{
  static const char *const names[] = {
      [XB_CHANGE_FAILING] = "failing", [XB_CHANGE_REGRESSION] = "regression", [XB_CHANGE_IMPROVEMENT] = "improvement",
      [XB_CHANGE_UNCLEAR] = "unclear", [XB_CHANGE_UNCHANGED] = "unchanged",   [XB_CHANGE_FIXED] = "fixed",
      [XB_CHANGE_NO_TIME] = "no time", [XB_CHANGE_MISSING] = "missing",       [XB_CHANGE_NEW] = "new"};
  return names[change];
}

/* Appends, and cuts what does not fit. `out` remains terminated and safe for a terminal. */
static void append(char out[XB_DIFF_TEXT], const char *separator, const char *text)
{
  char safe[XB_DIFF_TEXT];
  const size_t at = strlen(out);
  if (text && *text)
    snprintf(out + at, XB_DIFF_TEXT - at, "%s%s", at ? separator : "", xb_safe_text(text, safe, 64));
}

const char *xb_diff_label(const xb_diff_cell *cell, char out[XB_DIFF_TEXT])
{
  const xb_result *r = cell->now ? cell->now : cell->base;
  char size[48], block[32], size_at[XB_AT_TEXT];
  *out = 0;
  append(out, "", r->benchmark);
  append(out, "/", r->variant);
  append(out, " ", r->backend);
  if (strcmp(r->launch_mode, "command_buffer") != 0)
    append(out, ", ", r->launch_mode);
  if (r->on->one_of_families) {
    snprintf(block, sizeof block, "family %" PRId64, r->on->queue_family);
    append(out, ", ", block);
  }
  append(out, ", ", r->dtype);
  if (r->rows && r->columns)
    xb_format_shape(r->rows, r->columns, r->inner, size, sizeof size);
  else
    xb_format_size(r->size, size, sizeof size);
  append(out, ", ", size);
  append(out, ", ", xb_result_at(r, size_at));
  snprintf(block, sizeof block, "groups of %" PRIu64, r->block);
  append(out, ", ", r->block ? block : NULL);
  append(out, ", ", strcmp(r->cache, "hot") ? r->cache : NULL);
  append(out, ", loop in the ", r->loop && strcmp(r->loop, "launch") ? r->loop : NULL);
  return out;
}

const char *xb_diff_time(const xb_result *side, double ns, char out[XB_DIFF_TEXT])
{
  *out = 0;
  if (xb_is_timed(side))
    xb_format_time(ns, out, XB_DIFF_TEXT);
  return out;
}

/* "new WRONG: the sum is 41". */
static void append_failure(char out[XB_DIFF_TEXT], const char *side, const xb_result *r)
{
  char safe[160];
  const size_t at = strlen(out);
  if (r && r->outcome != XB_CELL_OK)
    snprintf(out + at, XB_DIFF_TEXT - at, "%s%s %s%s%s", at ? "; " : "", side, xb_outcome_text(r),
             r->error || r->reason ? ": " : "",
             r->error || r->reason ? xb_safe_text(r->error ? r->error : r->reason, safe, sizeof safe) : "");
}

const char *xb_diff_note(const xb_diff_cell *cell, char out[XB_DIFF_TEXT])
{
  const bool moved = cell->change == XB_CHANGE_REGRESSION || cell->change == XB_CHANGE_IMPROVEMENT;
  snprintf(out, XB_DIFF_TEXT, "%s", cell->reason);
  if (moved && cell->base->code_hash && cell->now->code_hash)
    append(out, ", ", strcmp(cell->base->code_hash, cell->now->code_hash) ? "other code" : "same code");
  if (cell->run_count > 1) {
    char runs[32];
    snprintf(runs, sizeof runs, "%zu runs", cell->run_count);
    append(out, ", ", runs);
  }
  append_failure(out, "new", cell->now);
  append_failure(out, "base", cell->base);
  return out;
}

const char *xb_diff_condition(const xb_difference *d, char out[XB_DIFFERENCE_TEXT])
{
  char benchmark[64];
  snprintf(out, XB_DIFFERENCE_TEXT, "other %s of %s: base %s; new %s", d->what,
           xb_safe_text(d->benchmark, benchmark, sizeof benchmark), d->base, d->now);
  return out;
}

bool xb_diff_is_hidden(const xb_diff_cell *cell)
{
  if (cell->change != XB_CHANGE_NO_TIME || !cell->base || !cell->now)
    return cell->change == XB_CHANGE_NO_TIME;
  const xb_outcome outcome = cell->now->outcome; /* a cell that fails twice still fails, so it is shown */
  return (outcome == XB_CELL_NO_COUNTERPART || outcome == XB_CELL_UNSUPPORTED) && cell->base->outcome == outcome &&
         xb_same_text(cell->base->error, cell->now->error) && xb_same_text(cell->base->reason, cell->now->reason);
}

const char *xb_diff_hidden(const xb_diff *diff, char out[XB_DIFF_TEXT])
{
  size_t count = 0;
  for (size_t i = 0; i < diff->cell_count; i++)
    count += xb_diff_is_hidden(&diff->cells[i]);
  *out = 0;
  if (count)
    snprintf(out, XB_DIFF_TEXT, "%zu cell%s not here in either file, for the same reason%s", count,
             count == 1 ? " is" : "s are", count == 1 ? "" : "s");
  return out;
}

const char *xb_diff_summary(const xb_diff *diff, char out[XB_DIFF_TEXT])
{
  size_t at = (size_t)snprintf(out, XB_DIFF_TEXT, "%zu cell%s", diff->cell_count, diff->cell_count == 1 ? "" : "s");
  const char *before = ": ";
  for (int c = 0; c < XB_CHANGES; c++) {
    const bool noun = c == XB_CHANGE_REGRESSION || c == XB_CHANGE_IMPROVEMENT;
    if (!diff->counts[c] && c != XB_CHANGE_REGRESSION)
      continue;
    at += (size_t)snprintf(out + at, XB_DIFF_TEXT - at, "%s%zu %s%s", before, diff->counts[c],
                           c == XB_CHANGE_NO_TIME ? "without a time" : xb_change_name((xb_change)c),
                           noun && diff->counts[c] != 1 ? "s" : "");
    before = ", ";
  }
  snprintf(out + at, XB_DIFF_TEXT - at, "; threshold %.3g %%; %zu of %zu decided", 100 * diff->threshold, diff->decided,
           diff->timed);
  return out;
}
