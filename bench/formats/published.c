#include "formats/result_columns.h"

#include "base/value_text.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* True if the result is at the base of all its axes. */
static bool is_base(const xb_result_benchmark *b, const xb_result *r)
{
  bool base = r->at.count == b->axes.count;
  for (size_t i = 0; i < r->at.count && base; i++)
    base = r->at.values[i].value == b->axes.values[i].base;
  return base;
}

/* True if `values`, such as "0,8" or "1..7", has the result's place on its axis; without values, if it has the base. */
static bool is_at(const xb_result_benchmark *b, const char *values, const xb_result *r)
{
  if (!values || !*values)
    return is_base(b, r);
  const char *p = values;
  while (p && r->at.count) {
    char *end;
    const long long first = strtoll(p, &end, 10), last = *end == '.' ? strtoll(end + 2, &end, 10) : first;
    if (r->at.values[0].value >= first && r->at.values[0].value <= last)
      return true;
    p = *end == ',' ? end + 1 : NULL;
  }
  return false;
}

/* True if the size, such as "2^22 ints" or "2048x2048 floats", is the result's. */
static bool is_size(const char *size, const xb_result *r)
{
  char own[64], said[32];
  xb_format_size(r->work.size, own, sizeof own); /* "4194304 (2^22)" */
  if (r->work.rows)
    snprintf(own, sizeof own, "(%" PRIu64 "x%" PRIu64 ")", r->work.rows, r->work.columns);
  snprintf(said, sizeof said, "(%.*s)", size ? (int)strcspn(size, " ") : 0, size ? size : "");
  return strstr(own, said);
}

/* False if the source timed the loop that the result did not: "loop in kernel", "loop over kernel". */
static bool is_loop(const char *hardware, const xb_result *r)
{
  const char *loop = hardware ? strstr(hardware, ", loop ") : NULL;
  return !loop || !strcmp(loop, ", loop in kernel") == (r->conditions.loop && !strcmp(r->conditions.loop, "kernel"));
}

static bool is_speedup(const xb_quoted *q)
{
  return !strcmp(q->unit, "step") || !strcmp(q->unit, "cumulative");
}

/* True for what holds for any size: speed-ups, parts, and what a model counts. */
static bool is_of_any_size(const xb_quoted *q, const xb_result *r)
{
  return is_speedup(q) || !strncmp(q->unit, "of ", 3) || (r->rates.model.unit && !strcmp(q->unit, r->rates.model.unit));
}

static void append(char out[XB_TABLE_TEXT], const char *text)
{
  const size_t length = strlen(out);
  snprintf(out + length, XB_TABLE_TEXT - length, "%s%s", length && *text ? ", " : "", text);
}

/* "16.5 GiB/s (17.72 GB/s)", "step 2.33x", "90 %", "32 segments". */
static void put_figure(char *out, const xb_quoted *q, const xb_result *r)
{
  if (is_speedup(q))
    snprintf(out, XB_TABLE_TEXT, "%s %.4gx", q->unit, q->value);
  else if (r->rates.model.unit && !strcmp(q->unit, r->rates.model.unit))
    snprintf(out, XB_TABLE_TEXT, "%g %s", q->value, r->rates.model.name);
  else if (!strncmp(q->unit, "of ", 3) && strchr(q->unit, ',')) /* of several: no text */
    *out = 0;
  else if (!strncmp(q->unit, "of ", 3))
    snprintf(out, XB_TABLE_TEXT, "%.0f %%", 100 * q->value);
  else if (!strcmp(q->unit, "GiB/s"))
    snprintf(out, XB_TABLE_TEXT, "%g GiB/s (%.4g GB/s)", q->value, q->value * 1.073741824);
  else
    snprintf(out, XB_TABLE_TEXT, "%g %s", q->value, q->unit);
}

/* What the same source has for the last step before this one, or for the first step; NULL: nothing. */
static const xb_quoted *step_before(const xb_result_benchmark *b, const xb_quoted *q, bool first)
{
  const xb_quoted *found = NULL;
  for (const xb_quoted *p = b->quoted.values; p < b->quoted.values + b->quoted.count; p++)
    if (p->variant && p->variant < q->variant && (!found || (p->variant > found->variant) != first) &&
        !strcmp(p->unit, q->unit) && xb_same_text(p->hardware, q->hardware) && xb_same_text(p->size, q->size))
      found = p;
  return found;
}

/* Speed-ups of a source that has only speeds. */
static void add_speedups(const xb_result_benchmark *b, const xb_quoted *q, char out[XB_TABLE_TEXT])
{
  const xb_quoted *before = step_before(b, q, false), *first = step_before(b, q, true);
  char text[64];
  if (b->ladder != 1 || !before || !(before->value > 0) || !(first->value > 0))
    return;
  snprintf(text, sizeof text, "step %.2fx, cumulative %.2fx", q->value / before->value, q->value / first->value);
  append(out, text);
}

void xb_format_published(const xb_result_benchmark *b, const xb_result *r, char out[XB_TABLE_TEXT])
{
  const xb_quoted *speed = NULL;
  const char *units[16];
  size_t count = 0, known;
  bool steps = false;
  *out = 0;
  for (size_t i = 0; i < b->quoted.count && !strcmp(b->name, r->benchmark) && count < 16; i++) {
    const xb_quoted *q = &b->quoted.values[i];
    char figure[XB_TABLE_TEXT] = "";
    if ((uint64_t)q->variant != r->variant_number || !is_at(b, q->at, r) || !is_loop(q->hardware, r))
      continue;
    steps |= !strcmp(q->unit, "step");
    speed = !speed && strstr(q->unit, "B/s") ? q : speed;
    for (known = 0; known < count && strcmp(units[known], q->unit) != 0; known++)
      ;
    if (known < count || (!is_of_any_size(q, r) && !is_size(q->size, r)))
      continue;
    units[count++] = q->unit;
    put_figure(figure, q, r);
    append(out, figure);
  }
  if (speed && !steps)
    add_speedups(b, speed, out);
}

/* True if the group has a result of the figure's variant; of the whole benchmark's figures (0), if it has one of any
 * variant with figures, or if no variant has any. */
static bool is_measured(const xb_group *group, const xb_quoted *q)
{
  const xb_result_benchmark *b = group->benchmark;
  bool any = false;
  for (const xb_quoted *p = b->quoted.values; p < b->quoted.values + b->quoted.count; p++) {
    any |= p->variant != 0;
    for (size_t i = 0; i < group->count && p->variant && (!q->variant || q->variant == p->variant); i++)
      if (!strcmp(group->results[i].benchmark, b->name) && group->results[i].variant_number == (uint64_t)p->variant)
        return true;
  }
  return !q->variant && !any;
}

void xb_print_published(FILE *file, const xb_group *group, bool markdown)
{
  char place[512];
  const xb_quoted *last = NULL;
  for (size_t i = 0; i < group->benchmark->quoted.count; i++) {
    const xb_quoted *q = &group->benchmark->quoted.values[i];
    if (!is_measured(group, q))
      continue;
    if (!last)
      fprintf(file, "%spublished values, for other hardware:%s", markdown ? "" : "\n", markdown ? "\n" : "");
    if (!last || !xb_same_text(q->hardware, last->hardware) || !xb_same_text(q->size, last->size) ||
        !xb_same_text(q->source, last->source)) {
      snprintf(place, sizeof place, "%s; %s; %s: ", q->hardware, q->size, q->source);
      fprintf(file, markdown ? "\n- " : "\n  %s", place);
      if (markdown)
        xb_print_markdown(file, place);
    } else
      fprintf(file, ", ");
    if (q->variant)
      fprintf(file, "%" PRId64 "%s%s: ", q->variant, q->at && *q->at ? " at " : "", q->at ? q->at : "");
    fprintf(file, is_speedup(q) ? "%gx %s" : "%g %s", q->value, q->unit);
    last = q;
  }
  fprintf(file, "%s%s", last ? "\n" : "", last && markdown ? "\n" : "");
}
