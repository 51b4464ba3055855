#include "base/formula.h"
#include "tune/tune.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
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

json_t *xb_space_values(const xb_space *s, size_t candidate)
{
  json_t *values = json_object();
  for (size_t p = 0; p < s->count; p++)
    json_object_set_new(values, s->parameters[p].name, json_integer((json_int_t)xb_space_value(s, candidate, p)));
  return values;
}

bool xb_space_find(const xb_space *s, const json_t *values, bool defaults, size_t *candidate)
{
  *candidate = xb_space_standard(s);
  for (size_t p = 0; p < s->count; p++) {
    const xb_tuned *t = &s->parameters[p];
    const json_t *value = json_object_get(values, t->name);
    size_t place = 0;
    if (!value && defaults)
      continue;
    while (place < t->count && t->values[place] != (uint64_t)json_integer_value(value))
      place++;
    if (!json_is_integer(value) || place == t->count)
      return false;
    *candidate = xb_space_moved(s, *candidate, p, place);
  }
  return true;
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

/* T1 has lists and numbers as texts: "[16, 32]". */
static json_t *decoded(json_t *value)
{
  return json_is_string(value) ? json_loads(json_string_value(value), JSON_DECODE_ANY, NULL) : json_incref(value);
}

static bool is_macro(const char *name)
{
  const size_t length = name ? strlen(name) : 0;
  for (size_t i = 0; i < length; i++)
    if (!(isalpha((unsigned char)name[i]) || name[i] == '_' || (i && isdigit((unsigned char)name[i]))))
      return false;
  return length && length <= XB_TUNE_NAME;
}

static xb_code add_value(const json_t *value, const char *where, xb_tuned *p, xb_error *err)
{
  char text[32] = "";
  json_dumpb(value, text, sizeof text - 1, JSON_ENCODE_ANY);
  const json_int_t number = json_integer_value(value);
  if (!json_is_integer(value) || number < 0 || number > UINT32_MAX)
    return xb_fail(err, XB_INVALID, where, "the value %s of %s: expected a whole number from 0 to %" PRIu32, text,
                   p->name, UINT32_MAX);
  for (size_t i = 0; i < p->count; i++)
    if (p->values[i] == (uint64_t)number)
      return xb_fail(err, XB_INVALID, where, "%s lists the value %s twice", p->name, text);
  p->values[p->count++] = (uint64_t)number;
  return XB_OK;
}

static xb_code read_values(const json_t *item, const char *where, xb_tuned *p, xb_error *err)
{
  json_t *values = decoded(json_object_get(item, "Values")), *standard = json_object_get(item, "Default"), *value;
  size_t i;
  xb_code code = XB_OK;
  if (!json_array_size(values) || json_array_size(values) > XB_TUNE_VALUES)
    code = xb_fail(err, XB_INVALID, where, "%s: expected Values, a list of 1 to %d whole numbers", p->name,
                   XB_TUNE_VALUES);
  json_array_foreach(values, i, value) code = code ? code : add_value(value, where, p, err);
  value = standard ? decoded(standard) : NULL;
  while (standard && p->standard < p->count &&
         !(json_is_integer(value) && p->values[p->standard] == (uint64_t)json_integer_value(value)))
    p->standard++;
  json_decref(values);
  json_decref(value);
  return !code && p->standard == p->count
             ? xb_fail(err, XB_INVALID, where, "%s: the Default is none of the Values", p->name)
             : code;
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
    if (!is_macro(p->name))
      return xb_fail(err, XB_INVALID, where, "TuningParameters[%zu]: expected a Name of up to %d letters, digits and _",
                     i, XB_TUNE_NAME);
    for (size_t k = 0; k < i; k++)
      if (!strcmp(s->parameters[k].name, p->name))
        return xb_fail(err, XB_INVALID, where, "two parameters have the name %s", p->name);
    const xb_code code = read_values(item, where, p, err);
    if (code)
      return code;
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
