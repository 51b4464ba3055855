#include "pair/formula.h"
#include "tune/tune.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

size_t xb_space_size(const xb_space *s)
{
  size_t size = 1;
  for (size_t p = 0; p < s->count && size <= XB_TUNE_MOST; p++)
    size *= s->parameters[p].count;
  return size;
}

/* Candidates that differ by one place of this parameter are so far apart. */
static size_t step_of(const xb_space *s, size_t parameter)
{
  size_t step = 1;
  for (size_t p = parameter + 1; p < s->count; p++)
    step *= s->parameters[p].count;
  return step;
}

size_t xb_space_place(const xb_space *s, size_t candidate, size_t parameter)
{
  return candidate / step_of(s, parameter) % s->parameters[parameter].count;
}

uint64_t xb_space_value(const xb_space *s, size_t candidate, size_t parameter)
{
  return s->parameters[parameter].values[xb_space_place(s, candidate, parameter)];
}

size_t xb_space_moved(const xb_space *s, size_t candidate, size_t parameter, size_t place)
{
  return candidate + place * step_of(s, parameter) - xb_space_place(s, candidate, parameter) * step_of(s, parameter);
}

size_t xb_space_standard(const xb_space *s)
{
  size_t candidate = 0;
  for (size_t p = 0; p < s->count; p++)
    candidate += s->parameters[p].standard * step_of(s, p);
  return candidate;
}

const char *xb_space_text(const xb_space *s, size_t candidate, char *out, size_t out_bytes)
{
  *out = 0;
  for (size_t p = 0, at = 0; p < s->count && at < out_bytes; p++)
    at += (size_t)snprintf(out + at, out_bytes - at, "%s%s=%" PRIu64, p ? " " : "", s->parameters[p].name,
                           xb_space_value(s, candidate, p));
  return out;
}

/* ---- Conditions ------------------------------------------------------------------------------------------------- */

static bool holds(const char *comparison, uint64_t a, uint64_t b)
{
  return !strcmp(comparison, "<=")   ? a <= b
         : !strcmp(comparison, ">=") ? a >= b
         : !strcmp(comparison, "==") ? a == b
         : !strcmp(comparison, "!=") ? a != b
         : !strcmp(comparison, "<")  ? a < b
                                     : a > b;
}

xb_code xb_space_check(const xb_space *s, size_t candidate, xb_error *err)
{
  xb_named_number numbers[XB_TUNE_PARAMETERS];
  for (size_t p = 0; p < s->count; p++)
    numbers[p] = (xb_named_number){s->parameters[p].name, xb_space_value(s, candidate, p)};
  for (size_t i = 0; i < s->condition_count; i++) {
    char left[256], comparison[3] = "";
    uint64_t a, b;
    const char *text = s->conditions[i], *at = strpbrk(text, "<>=!");
    if (!at || (size_t)(at - text) >= sizeof left)
      return xb_fail(err, XB_INVALID, "condition", "'%s': expected two formulas and one of <= >= == != < >", text);
    snprintf(left, sizeof left, "%.*s", (int)(at - text), text);
    snprintf(comparison, sizeof comparison, "%.*s", at[1] == '=' ? 2 : 1, at);
    const xb_names names = {numbers, s->count};
    xb_code code = xb_formula("condition", left, &names, &a, err);
    code = code ? code : xb_formula("condition", at + strlen(comparison), &names, &b, err);
    if (code)
      return code;
    if (!holds(comparison, a, b))
      return xb_fail(err, XB_UNSUPPORTED, "condition", "%s does not hold", text);
  }
  return XB_OK;
}

/* ---- ConfigurationSpace ----------------------------------------------------------------------------------------- */

/* A list of numbers, or T1's text "[16, 32]". */
static bool read_values(const json_t *values, xb_tuned *p)
{
  const char *text = json_string_value(values);
  for (size_t i = 0; i < json_array_size(values) && p->count < XB_TUNE_VALUES; i++)
    p->values[p->count++] = (uint64_t)json_integer_value(json_array_get(values, i));
  for (; text && *text && p->count < XB_TUNE_VALUES; text += strspn(text, "[], ")) {
    char *end;
    const char *from = text + strspn(text, "[], ");
    p->values[p->count++] = strtoull(from, &end, 10);
    if (end == from)
      return false;
    text = end;
  }
  return p->count && (text ? !*text : p->count == json_array_size(values));
}

static uint64_t number_of(const json_t *value)
{
  return json_is_string(value) ? strtoull(json_string_value(value), NULL, 10) : (uint64_t)json_integer_value(value);
}

xb_code xb_space_read(const json_t *root, const char *where, xb_space *s, xb_error *err)
{
  const json_t *own = json_object_get(root, "ConfigurationSpace");
  const json_t *parameters = json_object_get(own, "TuningParameters"), *conditions = json_object_get(own, "Conditions");
  const json_t *item;
  size_t i;
  *s = (xb_space){.count = 0};
  if (!json_array_size(parameters) || json_array_size(parameters) > XB_TUNE_PARAMETERS)
    return xb_fail(err, XB_INVALID, where, "expected ConfigurationSpace.TuningParameters, a list of 1 to %d parameters",
                   XB_TUNE_PARAMETERS);
  json_array_foreach(parameters, i, item)
  {
    xb_tuned *p = &s->parameters[s->count++];
    p->name = json_string_value(json_object_get(item, "Name"));
    const json_t *standard = json_object_get(item, "Default");
    if (!p->name || !read_values(json_object_get(item, "Values"), p))
      return xb_fail(err, XB_INVALID, where,
                     "TuningParameters[%zu]: expected a Name, and Values: up to %d whole numbers", i, XB_TUNE_VALUES);
    while (standard && p->standard < p->count && p->values[p->standard] != number_of(standard))
      p->standard++;
    if (p->standard == p->count)
      return xb_fail(err, XB_INVALID, where, "TuningParameters[%zu]: the Default is none of the Values", i);
  }
  json_array_foreach(conditions, i, item)
  {
    const char *text = json_string_value(json_object_get(item, "Expression"));
    if (!text || s->condition_count == XB_TUNE_CONDITIONS)
      return xb_fail(err, XB_INVALID, where, "Conditions[%zu]: expected an Expression; at most %d", i,
                     XB_TUNE_CONDITIONS);
    s->conditions[s->condition_count++] = text;
  }
  const xb_code code = xb_space_check(s, xb_space_standard(s), err);
  return xb_space_size(s) > XB_TUNE_MOST
             ? xb_fail(err, XB_INVALID, where, "there are more than %d candidates", XB_TUNE_MOST)
             : code;
}
