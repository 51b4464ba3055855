#include "load/fields.h"

#include "load/document.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Nanoseconds: 31 years; anything else: more than there is. Nothing that is measured is nearer to 0 than LEAST, and not
 * 0; quotients of what is left are finite. */
static const double LEAST = 1e-30, MOST = 1e18;

xb_code xb_refuse(xb_reader *r, const char *name, const char *expected)
{
  return xb_fail(r->err, XB_INVALID, r->where, "%s%s%s: expected %s; the file was damaged or edited", r->place,
                 *r->place && *name ? "." : "", name, expected);
}

xb_code xb_reader_nomem(xb_reader *r)
{
  return xb_fail(r->err, XB_NOMEM, r->where, "out of host memory");
}

/* ---- Values ----------------------------------------------------------------------------------------------------- */

static bool get_text(const json_t *value, xb_reader *r, const char **text)
{
  *text = json_is_string(value) ? xb_arena_copy(r->arena, json_string_value(value), json_string_length(value)) : NULL;
  return *text;
}

static bool good_text(const json_t *value)
{
  return json_is_string(value) && json_string_length(value) <= XB_MAX_DOCUMENT_TEXT;
}

static bool good_number(const json_t *value)
{
  const double size = json_is_number(value) ? fabs(json_number_value(value)) : NAN;
  return size == 0 || (size >= LEAST && size <= MOST);
}

static bool good_real(const json_t *value)
{
  return good_number(value) && json_number_value(value) >= 0;
}

static bool good_interval(const json_t *value)
{
  if (json_array_size(value) != 2)
    return false;
  const json_t *low = json_array_get(value, 0), *high = json_array_get(value, 1);
  return good_number(low) && good_number(high) && json_number_value(low) <= json_number_value(high);
}

static bool all_good(const json_t *array, bool (*good)(const json_t *))
{
  if (!json_is_array(array))
    return false;
  for (size_t i = 0; i < json_array_size(array); i++)
    if (!good(json_array_get(array, i)))
      return false;
  return true;
}

static const char *expected(xb_field_kind kind)
{
  switch (kind) {
  case XB_FIELD_TEXT: return "text of at most 65536 bytes";
  case XB_FIELD_KNOWN: return "a whole number from 1 up";
  case XB_FIELD_COUNT: return "a whole number from 0 up";
  case XB_FIELD_REAL: return "a number, 0 or from 10^-30 to 10^18";
  case XB_FIELD_FLAG: return "true or false";
  case XB_FIELD_INTERVAL: return "two numbers [low, high]";
  case XB_FIELD_NUMBERS: return "a list of numbers, each 0 or from 10^-30 to 10^18";
  case XB_FIELD_TEXTS: return "a list of texts";
  }
  return "something else";
}

static bool good_value(xb_field_kind kind, const json_t *value)
{
  switch (kind) {
  case XB_FIELD_TEXT: return good_text(value);
  case XB_FIELD_KNOWN: return json_is_integer(value) && json_integer_value(value) > 0;
  case XB_FIELD_COUNT: return json_is_integer(value) && json_integer_value(value) >= 0;
  case XB_FIELD_REAL: return good_real(value);
  case XB_FIELD_FLAG: return json_is_boolean(value);
  case XB_FIELD_INTERVAL: return good_interval(value);
  case XB_FIELD_NUMBERS: return all_good(value, good_real);
  case XB_FIELD_TEXTS: return all_good(value, good_text);
  }
  return false;
}

static bool take_numbers(xb_reader *r, const json_t *array, xb_numbers *out)
{
  const size_t count = json_array_size(array);
  double *values = xb_arena_take(r->arena, count, sizeof *values);
  for (size_t i = 0; i < count && values; i++)
    values[i] = json_number_value(json_array_get(array, i));
  *out = (xb_numbers){values, count};
  return values;
}

static bool take_texts(xb_reader *r, const json_t *array, xb_texts *out)
{
  const size_t count = json_array_size(array);
  const char **values = xb_arena_take(r->arena, count, sizeof *values);
  bool good = values;
  for (size_t i = 0; i < count && good; i++)
    good = get_text(json_array_get(array, i), r, &values[i]);
  *out = (xb_texts){values, count};
  return good;
}

/* A good value. False: out of memory. */
static bool take_value(xb_reader *r, xb_field_kind kind, const json_t *value, void *out)
{
  switch (kind) {
  case XB_FIELD_TEXT: return get_text(value, r, out);
  case XB_FIELD_KNOWN: *(uint64_t *)out = (uint64_t)json_integer_value(value); return true;
  case XB_FIELD_COUNT: *(int64_t *)out = json_integer_value(value); return true;
  case XB_FIELD_REAL: *(double *)out = json_number_value(value); return true;
  case XB_FIELD_FLAG: *(xb_flag *)out = json_is_true(value); return true;
  case XB_FIELD_INTERVAL:
    *(xb_interval *)out =
        (xb_interval){json_number_value(json_array_get(value, 0)), json_number_value(json_array_get(value, 1))};
    return true;
  case XB_FIELD_NUMBERS: return take_numbers(r, value, out);
  case XB_FIELD_TEXTS: return take_texts(r, value, out);
  }
  return false;
}

static void set_unknown(xb_field_kind kind, void *out)
{
  switch (kind) {
  case XB_FIELD_TEXT: *(const char **)out = NULL; break;
  case XB_FIELD_KNOWN: *(uint64_t *)out = 0; break;
  case XB_FIELD_COUNT: *(int64_t *)out = XB_UNKNOWN; break;
  case XB_FIELD_REAL: *(double *)out = NAN; break;
  case XB_FIELD_FLAG: *(xb_flag *)out = XB_UNKNOWN; break;
  case XB_FIELD_INTERVAL: *(xb_interval *)out = (xb_interval){NAN, NAN}; break;
  case XB_FIELD_NUMBERS: *(xb_numbers *)out = (xb_numbers){0}; break;
  case XB_FIELD_TEXTS: *(xb_texts *)out = (xb_texts){0}; break;
  }
}

/* ---- Objects ---------------------------------------------------------------------------------------------------- */

xb_code xb_read_fields(xb_reader *r, const json_t *object, const xb_field *fields, size_t count, void *out)
{
  for (size_t i = 0; i < count; i++) {
    const xb_field *f = &fields[i];
    void *member = (char *)out + f->offset;
    const json_t *value = json_object_get(object, f->name);
    const bool known = value && !json_is_null(value);
    if (known ? !good_value(f->kind, value) : f->needed)
      return xb_refuse(r, f->name, expected(f->kind));
    if (!known)
      set_unknown(f->kind, member);
    else if (!take_value(r, f->kind, value, member))
      return xb_reader_nomem(r);
  }
  return XB_OK;
}

static xb_code read_member(xb_reader *r, const json_t *object, const char *name, bool needed, json_type type,
                           const json_t **member)
{
  *member = json_object_get(object, name);
  if (*member && json_is_null(*member))
    *member = NULL;
  if (*member ? json_typeof(*member) != type : needed)
    return xb_refuse(r, name, type == JSON_OBJECT ? "an object" : "a list");
  return XB_OK;
}

xb_code xb_read_object(xb_reader *r, const json_t *object, const char *name, bool needed, const json_t **member)
{
  return read_member(r, object, name, needed, JSON_OBJECT, member);
}

xb_code xb_read_array(xb_reader *r, const json_t *object, const char *name, bool needed, const json_t **member)
{
  return read_member(r, object, name, needed, JSON_ARRAY, member);
}

xb_code xb_read_element(xb_reader *r, const json_t *array, const char *name, size_t i, const json_t **element)
{
  snprintf(r->place, sizeof r->place, "%s[%zu]", name, i);
  *element = json_array_get(array, i);
  return json_is_object(*element) ? XB_OK : xb_refuse(r, "", "an object");
}
