#include "base/word_list.h"
#include "commands/command_line.h"
#include "commands/subcommands.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool select_variant(xb_choice *what, const xb_variant *v, bool named)
{
  for (size_t i = 0; i < what->selected_count; i++)
    if (what->selected[i].variant == v) {
      what->selected[i].named |= named;
      return true;
    }
  if (what->selected_count == XB_MAX_SELECTED)
    return xb_usage_error("more than %d variants named", XB_MAX_SELECTED);
  what->selected[what->selected_count++] = (xb_selection){.variant = v, .named = named};
  return true;
}

bool xb_find_named(const char *typed, const xb_benchmark **benchmark, const xb_variant **v)
{
  const char *names[64], *slash = strchr(typed, '/');
  char name[64], kind[80];
  size_t count = 0;
  snprintf(name, sizeof name, "%.*s", (int)strcspn(typed, "/"), typed);
  *benchmark = xb_benchmark_find(name);
  *v = *benchmark && slash ? xb_variant_find(name, slash + 1) : NULL;
  if (!*benchmark) {
    for (; count < xb_benchmark_count() && count < 64; count++)
      names[count] = xb_benchmark_at(count)->name;
    return xb_unknown_name_error("benchmark", name, names, count);
  }
  if (!slash || *v)
    return true;
  if (slash[1] && strspn(slash + 1, "0123456789") == strlen(slash + 1))
    return xb_usage_error("%s has no variant %s: they are 1 to %zu; 'xbench list %s' has their names", name, slash + 1,
                          (*benchmark)->variant_count, name);
  for (; count < (*benchmark)->variant_count && count < 64; count++)
    names[count] = (*benchmark)->variants[count].name;
  snprintf(kind, sizeof kind, "variant of %s", name);
  return xb_unknown_name_error(kind, slash + 1, names, count);
}

bool xb_select(xb_choice *what, const char *typed)
{
  const xb_benchmark *benchmark;
  const xb_variant *v;
  if (!xb_find_named(typed, &benchmark, &v))
    return false;
  if (v)
    return select_variant(what, v, true);
  bool good = true;
  for (size_t i = 0; i < benchmark->variant_count && good; i++)
    good = benchmark->variants[i].wrong || select_variant(what, &benchmark->variants[i], false);
  return good;
}

static size_t place_of(const xb_benchmark *benchmark)
{
  size_t place = 0;
  while (xb_benchmark_at(place) != benchmark)
    place++;
  return place;
}

static int by_table(const void *a, const void *b)
{
  const xb_selection *x = a, *y = b;
  const size_t of_x = place_of(x->variant->benchmark), of_y = place_of(y->variant->benchmark);
  if (of_x != of_y)
    return of_x < of_y ? -1 : 1;
  return (x->variant > y->variant) - (x->variant < y->variant); /* both point into the same table */
}

/* ---- Comparisons ------------------------------------------------------------------------------------------------- */

/* Text with a slash names a variant; all selected variants must be of the same benchmark. Other text names a device. */
static bool parse_against(const char *text, xb_choice *what, xb_device_choice *on)
{
  const xb_benchmark *benchmark;
  if (!text || !strchr(text, '/')) {
    on->against_device = text;
    return true;
  }
  if (!xb_find_named(text, &benchmark, &what->against_variant))
    return false;
  for (size_t i = 0; i < what->selected_count; i++)
    if (what->selected[i].variant->benchmark != benchmark)
      return xb_usage_error("--against: %s cannot be compared with %s: name variants of one benchmark",
                            what->selected[i].variant->benchmark->name, text);
  return true;
}

/* A whole benchmark compared with one of its variants means all variants except that one. */
static void drop_base_from_selection(xb_choice *what)
{
  size_t kept = 0;
  for (size_t i = 0; i < what->selected_count; i++)
    if (what->selected[i].named || what->selected[i].variant != what->against_variant)
      what->selected[kept++] = what->selected[i];
  what->selected_count = kept;
}

bool xb_set_against(const char *text, xb_choice *what, xb_device_choice *on)
{
  qsort(what->selected, what->selected_count, sizeof what->selected[0], by_table);
  const bool good = parse_against(text, what, on);
  drop_base_from_selection(what);
  return good;
}

/* ---- Sizes, types and axes --------------------------------------------------------------------------------------- */

/* A benchmark without this group size or element type ignores it. It is a mistake if no selected benchmark has it. */
static bool check_block(const xb_choice *what, uint32_t block)
{
  const xb_benchmark *benchmark = NULL;
  for (size_t i = 0; block && i < what->selected_count; i++) {
    benchmark = what->selected[i].variant->benchmark;
    if (xb_has_block(benchmark, block))
      return true;
  }
  if (!benchmark)
    return true;
  char all[128] = "";
  for (size_t k = 0, at = 0; xb_block_at(benchmark, k) && at < sizeof all; k++)
    at += (size_t)snprintf(all + at, sizeof all - at, "%s%u", k ? ", " : "", xb_block_at(benchmark, k));
  return xb_usage_error("--block: %u: %s is built for groups of %s threads", block, benchmark->name, all);
}

static bool check_dtypes(const xb_choice *what)
{
  for (size_t i = 0; i < what->selected_count; i++)
    for (size_t d = 0; d < what->dtype_count; d++)
      if (xb_has_dtype(what->selected[i].variant->benchmark, what->dtypes[d]))
        return true;
  return xb_usage_error("--dtype: %s is not built for %s", what->selected[0].variant->benchmark->name,
                        xb_dtype_name(what->dtypes[0]));
}

/* False: all selected benchmarks with the axis have closed lists of its values, without this one. */
static bool takes_value(const xb_choice *what, const char *axis, uint32_t value, const xb_axis **like)
{
  for (size_t i = 0; i < what->selected_count; i++) {
    const xb_benchmark *b = what->selected[i].variant->benchmark;
    for (size_t a = 0; a < b->axis_count; a++) {
      if (strcmp(b->axes[a].name, axis) != 0)
        continue;
      *like = &b->axes[a];
      if (xb_axis_takes(&b->axes[a], value))
        return true;
    }
  }
  return false;
}

/* Each axis must belong to a selected benchmark, and each value be one of it. */
static bool check_axes(const xb_choice *what)
{
  const char *names[XB_MAX_SELECTED * XB_MAX_AXES];
  size_t count = 0;
  for (size_t i = 0; i < what->selected_count; i++) {
    const xb_benchmark *b = what->selected[i].variant->benchmark;
    for (size_t a = 0; a < b->axis_count; a++) {
      size_t known = 0; /* several benchmarks may have an axis of this name */
      while (known < count && strcmp(names[known], b->axes[a].name) != 0)
        known++;
      names[known] = b->axes[a].name;
      count += known == count;
    }
    if (xb_axis_point_count(what, b) > XB_MOST_AXIS_POINTS)
      return xb_usage_error("--at: more than %d combinations of values for %s: name fewer values", XB_MOST_AXIS_POINTS,
                            b->name);
  }
  for (size_t i = 0; i < what->at_count; i++) {
    size_t place;
    if (!count)
      return xb_usage_error("--at: %s has no axes", what->selected[0].variant->benchmark->name);
    if (!xb_parse_word("axis", what->at[i].axis, names, count, &place))
      return false;
    for (size_t k = 0; k < what->at[i].count; k++) {
      const xb_axis *axis = NULL;
      if (!takes_value(what, what->at[i].axis, what->at[i].values[k], &axis))
        return xb_usage_error("--at: %s=%" PRIu32 ": use %s (%s)", axis->name, what->at[i].values[k], axis->values,
                              axis->title);
    }
  }
  return true;
}

/* rows x columns x inner is for products only, and a product needs all three, unless its inner length is fixed. */
static bool check_inner(const xb_benchmark *benchmark, xb_size given)
{
  if (!benchmark->product && given.inner)
    return xb_usage_error("--size: %" PRIu64 "x%" PRIu64 "x%" PRIu64 ": %s is not a product of matrices", given.rows,
                          given.columns, given.inner, benchmark->name);
  if (benchmark->product && benchmark->inner && given.inner && given.inner != benchmark->inner)
    return xb_usage_error("--size: %" PRIu64 "x%" PRIu64 "x%" PRIu64 ": the inner length of %s is %" PRIu64, given.rows,
                          given.columns, given.inner, benchmark->name, benchmark->inner);
  if (benchmark->product && !benchmark->inner && given.rows && !given.inner)
    return xb_usage_error("--size: %" PRIu64 "x%" PRIu64 ": %s takes rows x columns x inner, such as %" PRIu64
                          "x%" PRIu64 "x%" PRIu64 ", or one length for all three",
                          given.rows, given.columns, benchmark->name, given.rows, given.columns, given.columns);
  return true;
}

/* Each size must be valid for each selected benchmark. */
static bool check_sizes(const xb_choice *what)
{
  for (size_t i = 0; i < what->selected_count; i++) {
    const xb_benchmark *benchmark = what->selected[i].variant->benchmark;
    for (size_t s = 0; s < what->size_count; s++) {
      const xb_size size = xb_size_for(what, benchmark, 0, s);
      if (what->elements && benchmark->matrix)
        break;
      if (!benchmark->matrix && what->sizes[s].rows)
        return xb_usage_error("--size: %" PRIu64 "x%" PRIu64 ": %s takes a number of elements, not a matrix", size.rows,
                              size.columns, benchmark->name);
      if (!check_inner(benchmark, what->sizes[s]))
        return false;
      if (size.inner && size.inner > (1ull << 60) / size.columns)
        return xb_usage_error("--size: a matrix of %" PRIu64 " x %" PRIu64 " has more than 2^60 elements", size.inner,
                              size.columns);
      if (size.rows > (1ull << 60) / size.columns)
        return xb_usage_error("--size: a matrix of %" PRIu64 " x %" PRIu64 " has more than 2^60 elements", size.rows,
                              size.columns);
      for (size_t k = 0; k < s; k++) {
        const xb_size other = xb_size_for(what, benchmark, 0, k);
        if (other.rows == size.rows && other.columns == size.columns && other.inner == size.inner)
          return xb_usage_error("--size: %" PRIu64 " is named twice: name each size once", size.columns);
      }
    }
  }
  return true;
}

bool xb_check_axis_points(const xb_choice *what, uint32_t block)
{
  return check_block(what, block) && check_axes(what) && check_dtypes(what) && check_sizes(what);
}

/* ---- Words that are no benchmarks -------------------------------------------------------------------------------- */

bool xb_check_first_word(const char *word)
{
  const char *names[XB_MOST_COMMANDS + 32];
  const size_t commands = xb_command_names(names);
  size_t count = commands;
  for (const xb_benchmark *b; count < XB_MOST_COMMANDS + 32 && (b = xb_benchmark_at(count - commands)); count++)
    names[count] = b->name;
  const char *near = strchr(word, '/') || xb_benchmark_find(word) ? NULL : xb_nearest(word, names, count);
  if (near && !strcmp(near, word))
    return xb_usage_error("%s: name the command before its options: 'xbench %s ...'", word, word);
  for (size_t i = 0; near && i < commands; i++)
    if (near == names[i])
      return xb_usage_error("unknown command '%s': did you mean '%s'?; 'xbench --help' lists the commands", word, near);
  return true;
}

bool xb_check_word(const char *word, const char *before)
{
  xb_size sizes[XB_MAX_SIZES];
  size_t count = 0;
  char name[64];
  snprintf(name, sizeof name, "%.*s", before ? (int)strcspn(before, "/") : 0, before);
  if (xb_benchmark_find(name) && xb_variant_find(name, word))
    return xb_usage_error("'%s': did you mean '%s/%s'?", word, name, word);
  if (!xb_parse_sizes(word, sizes, &count, NULL))
    return xb_usage_error("'%s': did you mean '--size %s'?", word, word);
  if (xb_is_json_name(word))
    return xb_usage_error("'%s': expected a benchmark; 'xbench diff BASE.json NEW.json' compares result files", word);
  return true;
}

/* ---- Sizes ------------------------------------------------------------------------------------------------------- */

static const char *const EXPECTED =
    "expected a whole number, 1 or more, such as 4194304, 2^22, 4Mi, 1500e3, 2^16..2^28, 1Ki,1Mi; or rows x columns";

static const char units[] = "KMGT";

/* Accepts digits only: strtoull would also accept a sign and blanks. */
static const char *parse_digits(const char *p, uint64_t *value)
{
  const char *begin = p;
  for (*value = 0; isdigit((unsigned char)*p); p++) {
    const uint64_t digit = (uint64_t)(*p - '0');
    if (*value > (UINT64_MAX - digit) / 10)
      return NULL;
    *value = *value * 10 + digit;
  }
  return p > begin ? p : NULL;
}

/* Returns the first character after the size; NULL if it is invalid. */
static const char *parse_size(const char *p, uint64_t *size)
{
  uint64_t exponent;
  p = parse_digits(p, size);
  if (!p)
    return NULL;
  if (*p == '^') {
    p = parse_digits(p + 1, &exponent);
    if (!p || *size != 2 || exponent > 60)
      return NULL;
    *size = 1ull << exponent;
    return p;
  }
  if (*p == 'e') {
    p = parse_digits(p + 1, &exponent);
    for (; p && exponent && *size && *size <= 1ull << 60; exponent--)
      *size *= 10;
    return p && *size && *size <= 1ull << 60 ? p : NULL;
  }
  const char *unit = *p ? strchr(units, *p) : NULL;
  if (unit && p[1] == 'i') {
    const unsigned shift = 10 * (unsigned)(unit - units + 1);
    if (*size > (1ull << 60) >> shift)
      return NULL;
    *size <<= shift;
    p += 2;
  }
  return *size && *size <= 1ull << 60 ? p : NULL;
}

/* "1M" may mean 10^6 or 2^20, so it is refused, and the message names both. */
static xb_code refuse(const char *text, xb_error *err)
{
  const size_t digits = strspn(text, "0123456789");
  const char *unit = digits && text[digits] ? strchr(units, toupper((unsigned char)text[digits])) : NULL;
  if (!unit || text[digits + 1] == 'i')
    return xb_fail(err, XB_INVALID, "--size", "'%s': %s", text, EXPECTED);
  const int power = (int)(unit - units) + 1, n = (int)digits;
  return xb_fail(err, XB_INVALID, "--size", "'%s': expected %.*s%ci (%.*s x 2^%d) or %.*se%d (%.*s x 10^%d)", text, n,
                 text, *unit, n, text, 10 * power, n, text, 3 * power, n, text, 3 * power);
}

xb_code xb_parse_sizes(const char *text, xb_size sizes[XB_MAX_SIZES], size_t *count, xb_error *err)
{
  const char *const where = "--size";
  for (const char *p = text;;) {
    uint64_t first, last, rows = 0, inner = 0;
    p = parse_size(p, &first);
    last = first;
    if (p && *p == 'x') {
      rows = first;
      p = parse_size(p + 1, &first);
      last = first;
      if (p && *p == 'x')
        p = parse_size(p + 1, &inner);
    } else if (p && !strncmp(p, "..", 2)) {
      p = parse_size(p + 2, &last);
      if (p && last < first)
        return xb_fail(err, XB_INVALID, where, "'%s': the end of the range is below its start", text);
    }
    if (!p || (*p && *p != ','))
      return refuse(text, err);
    for (uint64_t size = first; size <= last; size *= 2) {
      if (*count == XB_MAX_SIZES)
        return xb_fail(err, XB_INVALID, where, "'%s': more than %d sizes", text, XB_MAX_SIZES);
      sizes[(*count)++] = (xb_size){.rows = rows, .columns = size, .inner = inner};
    }
    if (!*p)
      return XB_OK;
    p++;
  }
}
