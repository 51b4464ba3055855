#include "commands/values.h"

#include "base/nearest.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool xb_unknown_name_error(const char *what, const char *typed, const char *const *names, size_t count)
{
  enum { SHORT_LIST = 8 }; /* a longer one hides the suggestion */
  char all[512];
  const char *near = xb_nearest(typed, names, count);
  if (near && count > SHORT_LIST)
    return xb_usage_error("unknown %s '%s': did you mean '%s'?", what, typed, near);
  xb_join(names, count, all, sizeof all);
  return xb_usage_error("unknown %s '%s'%s%s%s; there %s %s", what, typed, near ? ": did you mean '" : "",
                        near ? near : "", near ? "'?" : "", count == 1 ? "is" : "are", all);
}

bool xb_parse_seconds(const char *option, const char *text, double most, double *seconds)
{
  char *end;
  *seconds = strtod(text, &end);
  if (end != text && !*end && isfinite(*seconds) && *seconds > 0 && *seconds <= most)
    return true;
  return xb_usage_error("%s: '%s': expected seconds, above 0 and at most %g", option, text, most);
}

bool xb_parse_percent(const char *option, const char *text, double least, double *part)
{
  char *end;
  const double percent = strtod(text, &end);
  const bool number = end != text && strspn(text, "0123456789.") == (size_t)(end - text);
  end += *end == ' ';
  end += *end == '%';
  *part = percent / 100;
  if (number && !*end && percent >= least && percent <= 100)
    return true;
  return xb_usage_error("%s: '%s': expected a percentage from %g to 100, such as 1%%", option, text, least);
}

bool xb_parse_count(const char *option, const char *text, uint64_t *value)
{
  char *end;
  const bool digits = strspn(text, "0123456789") == strlen(text) && *text && strlen(text) < 19;
  *value = strtoull(text, &end, 10);
  return digits || xb_usage_error("%s: '%s': expected a whole number from 0 to 10^18", option, text);
}

bool xb_parse_bytes(const char *option, const char *text, uint64_t *bytes)
{
  xb_size sizes[XB_MAX_SIZES];
  size_t count = 0;
  if (xb_parse_sizes(text, sizes, &count, NULL) || count != 1 || sizes[0].rows)
    return xb_usage_error("%s: '%s': expected bytes, such as 256Mi", option, text);
  *bytes = sizes[0].columns;
  return true;
}

bool xb_parse_word(const char *what, const char *text, const char *const *words, size_t count, size_t *place)
{
  for (size_t i = 0; i < count; i++)
    if (!strcmp(text, words[i])) {
      *place = i;
      return true;
    }
  return xb_unknown_name_error(what, text, words, count);
}

bool xb_check_backend(const char *text)
{
  const char *names[16];
  size_t count = 0, place;
  for (const xb_backend *b; count < 15 && (b = xb_backend_at(count)); count++)
    names[count] = xb_backend_name(b);
  names[count++] = "all";
  return xb_parse_word("backend", text, names, count, &place);
}

bool xb_is_json_name(const char *name)
{
  const size_t length = name ? strlen(name) : 0;
  return length > 5 && !strcmp(name + length - 5, ".json");
}

bool xb_check_file(const char *option, const char *name)
{
  return (*name && strcmp(name, "-") != 0) ||
         xb_usage_error("%s: '%s': expected the name of a file, or /dev/stdout", option, name);
}

/* ---- Lists ------------------------------------------------------------------------------------------------------- */

static bool has_dtype(const xb_choice *what, xb_dtype dtype)
{
  for (size_t i = 0; i < what->dtype_count; i++)
    if (what->dtypes[i] == dtype)
      return true;
  return false;
}

bool xb_parse_dtypes(const char *text, xb_choice *what)
{
  const char *names[XB_DTYPES];
  for (int d = 0; d < XB_DTYPES; d++)
    names[d] = xb_dtype_name((xb_dtype)d);
  if (!text)
    what->dtypes[what->dtype_count++] = XB_FLOAT32;
  while (text && (*text || !what->dtype_count)) {
    char typed[32];
    const int length = (int)strcspn(text, ",");
    size_t d;
    snprintf(typed, sizeof typed, "%.*s", length, text);
    if (!xb_parse_word("element type", typed, names, XB_DTYPES, &d))
      return false;
    if (!has_dtype(what, (xb_dtype)d))
      what->dtypes[what->dtype_count++] = (xb_dtype)d;
    text += length + (text[length] == ',');
  }
  return true;
}

bool xb_parse_at(const char *text, xb_choice *what)
{
  const char *equals = strchr(text, '=');
  xb_axis_choice choice;
  const size_t length = equals ? (size_t)(equals - text) : 0;
  if (!length || length >= sizeof choice.axis || !xb_parse_axis_values(equals + 1, &choice))
    return xb_usage_error(
        "--at: '%s': expected AXIS=VALUES with at most %d values, such as offset=0..32 or stride=1,2,8", text,
        XB_MAX_AT_VALUES);
  snprintf(choice.axis, sizeof choice.axis, "%.*s", (int)length, text);
  for (size_t i = 0; i < what->at_count; i++)
    if (!strcmp(what->at[i].axis, choice.axis))
      return xb_usage_error("--at: the axis %s is named twice: give all values in one list", choice.axis);
  if (what->at_count == XB_MAX_AXES)
    return xb_usage_error("--at: more than %d axes", XB_MAX_AXES);
  what->at[what->at_count++] = choice;
  return true;
}

bool xb_parse_queue_families(const char *text, xb_device_choice *on)
{
  on->all_queue_families = text && !strcmp(text, "all");
  if (!text || on->all_queue_families)
    return true;
  for (const char *p = text; *p; p++) {
    const size_t digits = strspn(p, "0123456789");
    if (!digits || digits > 2 || on->queue_family_count == XB_MAX_QUEUE_FAMILIES)
      break;
    const uint32_t family = (uint32_t)atoi(p);
    for (size_t i = 0; i < on->queue_family_count; i++)
      if (on->queue_families[i] == family)
        return xb_usage_error("--queue-family: %u is named twice: name each family once", family);
    on->queue_families[on->queue_family_count++] = family;
    p += digits;
    if (!*p)
      return true;
    if (*p != ',')
      break;
  }
  return xb_usage_error(
      "--queue-family: '%s': expected up to %d indices, such as 0 or 2,0, or all; 'xbench list devices' "
      "shows them",
      text, XB_MAX_QUEUE_FAMILIES);
}
