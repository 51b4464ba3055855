/* The values of its axes with which a benchmark is tested. */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "size_case.h"
#include "test.h"

enum { MOST_VALUES = 16, ALL_VALUES_MOST = 70000 /* elements; larger sizes get two values */ };

typedef struct axis_values {
  uint32_t at[MOST_VALUES];
  size_t count;
} axis_values;

static void add_value(axis_values *values, uint32_t value)
{
  for (size_t i = 0; i < values->count; i++)
    if (values->at[i] == value)
      return;
  assert_true(values->count < MOST_VALUES);
  values->at[values->count++] = value;
}

uint32_t last_value(const xb_axis *axis)
{
  const char *digits = axis->values + strlen(axis->values);
  while (digits > axis->values && digits[-1] >= '0' && digits[-1] <= '9')
    digits--;
  return (uint32_t)strtoul(digits, NULL, 10);
}

/* The base, the first values, the middle, the last values and one beyond them, which the benchmark may refuse. Also
 * values near 8, because a segment of memory has 8 words. For a list, its numbers. */
static axis_values pick_values(const xb_axis *axis)
{
  axis_values values = {0};
  char *end;
  const uint32_t first = (uint32_t)strtoul(axis->values, &end, 10), last = last_value(axis);
  add_value(&values, first);
  add_value(&values, axis->base);
  for (; *end == ',' || *end == ' '; add_value(&values, (uint32_t)strtoul(end + 1, &end, 10)))
    ;
  if (!strncmp(end, "..", 2)) {
    const uint32_t some[] = {first + 1, first + 2, 7, 8, (first + last) / 2, last - 1, last};
    for (size_t i = 0; i < sizeof some / sizeof some[0]; i++)
      if (some[i] >= first && some[i] <= last)
        add_value(&values, some[i]);
  }
  add_value(&values, last + 1);
  return values;
}

bool is_past_the_last(const xb_benchmark *benchmark, const uint32_t at[XB_MAX_AXES])
{
  for (size_t a = 0; a < benchmark->axis_count; a++)
    if (at[a] > last_value(&benchmark->axes[a]))
      return true;
  return false;
}

bool set_axes(const xb_benchmark *benchmark, size_t i, size_case *s)
{
  bool more = !benchmark->axis_count && !i;
  for (size_t a = 0; a < benchmark->axis_count; a++) {
    const axis_values values = pick_values(&benchmark->axes[a]);
    const size_t few[] = {values.count > 2, values.count - 2}; /* the last index is beyond the axis */
    const size_t count = s->n > ALL_VALUES_MOST ? 2 : values.count;
    s->at[a] = values.at[s->n > ALL_VALUES_MOST ? few[i % 2] : i % values.count];
    more |= i < count;
  }
  return more;
}
