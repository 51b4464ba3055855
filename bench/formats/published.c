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

/* In the unit of the result's first metric; 0 if it is another quantity. */
static double in_unit(const xb_quoted *q, const xb_result *r)
{
  const char *unit = xb_result_unit(r);
  return !strcmp(q->unit, unit)                               ? q->value
         : !strcmp(q->unit, "GiB/s") && !strcmp(unit, "GB/s") ? q->value * 1.073741824
                                                              : 0;
}

/* What the same source has for the last rung before this one; NULL: nothing. */
static const xb_quoted *rung_before(const xb_result_benchmark *b, const xb_quoted *q)
{
  const xb_quoted *found = NULL;
  for (const xb_quoted *p = b->quoted.values; p < b->quoted.values + b->quoted.count; p++)
    if (p->variant < q->variant && (!found || p->variant > found->variant) && !strcmp(p->unit, q->unit) &&
        xb_same_text(p->hardware, q->hardware) && xb_same_text(p->size, q->size))
      found = p;
  return found;
}

bool xb_format_published(const xb_result_benchmark *b, const xb_result *r, char out[XB_PUBLISHED])
{
  *out = 0;
  for (int exact = 1; exact >= 0 && !*out; exact--)
    for (size_t i = 0; i < b->quoted.count && !*out && !strcmp(b->name, r->benchmark); i++) {
      const xb_quoted *q = &b->quoted.values[i], *before = b->ladder == 1 ? rung_before(b, q) : NULL;
      if ((uint64_t)q->variant != r->variant_number || !is_at(b, q->at, r) || !is_loop(q->hardware, r))
        continue;
      if (exact && in_unit(q, r) > 0 && is_size(q->size, r))
        snprintf(out, XB_PUBLISHED, "%.4g", in_unit(q, r));
      else if (!exact && in_unit(q, r) > 0 && before && before->value > 0)
        snprintf(out, XB_PUBLISHED, "%.2fx", q->value / before->value);
      else if (!exact && !strncmp(q->unit, "of ", 3) && !strchr(q->unit, ','))
        snprintf(out, XB_PUBLISHED, "%.0f %%", 100 * q->value);
    }
  return *out;
}

static bool is_measured(const xb_group *group, const xb_quoted *q)
{
  for (size_t i = 0; i < group->count; i++)
    if (!strcmp(group->results[i].benchmark, group->benchmark->name) &&
        group->results[i].variant_number == (uint64_t)q->variant)
      return true;
  return false;
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
    fprintf(file, "%" PRId64 "%s%s: %g %s", q->variant, q->at && *q->at ? " at " : "", q->at ? q->at : "", q->value,
            q->unit);
    last = q;
  }
  fprintf(file, "%s%s", last ? "\n" : "", last && markdown ? "\n" : "");
}
