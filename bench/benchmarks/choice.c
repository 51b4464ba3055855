#include "benchmarks/choice.h"

#include <stdlib.h>
#include <string.h>

uint64_t xb_default_n(const xb_benchmark *b, uint64_t cache_bytes)
{
  const xb_growth *g = &b->methods->grows;
  uint64_t n = cache_bytes ? g->n : 0;
  while (n && g->bytes && n * (b->matrix ? n : 1) * g->bytes + g->twice_is_enough <= 2 * cache_bytes)
    n *= 2;
  return n > b->default_n ? n : b->default_n;
}

/* A watched run takes some hundred times as long: so it has 1/256 of the elements. */
static uint64_t watched_n(const xb_benchmark *b, uint64_t n)
{
  enum { PART = 256, SIDES = 16, LEAST = 1024, LEAST_SIDE = 64 };
  const uint64_t least = b->matrix ? LEAST_SIDE : LEAST, less = n / (b->matrix ? SIDES : PART);
  return n < least ? n : less > least ? less : least;
}

xb_size xb_size_for(const xb_choice *what, const xb_benchmark *benchmark, uint64_t cache_bytes, size_t i)
{
  xb_size size = what->size_count && !(what->elements && benchmark->matrix)
                     ? what->sizes[i]
                     : (xb_size){.columns = xb_default_n(benchmark, cache_bytes)};
  if (what->watched && !what->size_count)
    size.columns = watched_n(benchmark, size.columns);
  if (benchmark->product && !size.inner)
    size.inner = benchmark->inner ? benchmark->inner : size.columns;
  if (!size.rows)
    size.rows = benchmark->matrix ? size.columns : 1;
  return size;
}

static bool add_value(xb_axis_choice *choice, uint32_t value)
{
  for (size_t i = 0; i < choice->count; i++)
    if (choice->values[i] == value)
      return true;
  if (choice->count == XB_MAX_AT_VALUES)
    return false;
  choice->values[choice->count++] = value;
  return true;
}

/* At most nine digits. */
static const char *parse_value(const char *text, uint32_t *value)
{
  const size_t digits = strspn(text, "0123456789");
  *value = (uint32_t)strtoul(text, NULL, 10);
  return digits && digits < 10 ? text + digits : NULL;
}

bool xb_parse_axis_values(const char *text, xb_axis_choice *choice)
{
  choice->count = 0;
  for (const char *p = text; p;) {
    uint32_t first, last;
    p = parse_value(p, &first);
    last = first;
    if (p && !strncmp(p, "..", 2))
      p = parse_value(p + 2, &last);
    if (!p || last < first || (*p && *p != ',' && *p != ' '))
      return false;
    for (uint32_t value = first; value <= last; value++)
      if (!add_value(choice, value))
        return false;
    if (!*p++)
      return true;
  }
  return false;
}

bool xb_axis_takes(const xb_axis *axis, uint32_t value)
{
  xb_axis_choice all = {.count = 0};
  bool takes = !axis->closed || !xb_parse_axis_values(axis->values, &all);
  for (size_t i = 0; i < all.count; i++)
    takes |= all.values[i] == value;
  return takes;
}

/* The values that the user gave, or the axis's defaults. */
static void values_of(const xb_choice *what, const xb_axis *axis, xb_axis_choice *choice)
{
  for (size_t i = 0; i < what->at_count; i++)
    if (!strcmp(what->at[i].axis, axis->name)) {
      *choice = what->at[i];
      return;
    }
  xb_parse_axis_values(axis->few ? axis->few : axis->values, choice);
}

size_t xb_axis_point_count(const xb_choice *what, const xb_benchmark *benchmark)
{
  size_t count = 1;
  xb_axis_choice choice;
  for (size_t a = 0; a < benchmark->axis_count && count <= XB_MOST_AXIS_POINTS; a++) {
    values_of(what, &benchmark->axes[a], &choice);
    count *= choice.count;
  }
  return count;
}

void xb_set_axis_point(const xb_choice *what, const xb_benchmark *benchmark, size_t i, uint32_t at[XB_MAX_AXES])
{
  xb_axis_choice choice;
  for (size_t a = benchmark->axis_count; a-- > 0; i /= choice.count) { /* the last axis varies fastest */
    values_of(what, &benchmark->axes[a], &choice);
    at[a] = choice.values[i % choice.count];
  }
}
