#include "result/fields.h"

#include "base/safe_text.h"
#include "result/result.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The largest and smallest numbers. MOST is 31 years in nanoseconds, and more than any other value needs. A measured
 * value is 0 or at least LEAST. Ratios of numbers between the two are finite. */
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
  *text = json_is_string(value) ? xb_arena_text(r->arena, "%s", json_string_value(value)) : NULL;
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

static const char *const expected[] = {
    [XB_FIELD_TEXT] = "text of at most 65536 bytes",
    [XB_FIELD_KNOWN] = "a whole number, 1 or more",
    [XB_FIELD_COUNT] = "a whole number, 0 or more",
    [XB_FIELD_REAL] = "a number, 0 or from 10^-30 to 10^18",
    [XB_FIELD_FLAG] = "true or false",
    [XB_FIELD_INTERVAL] = "two numbers [low, high]",
    [XB_FIELD_NUMBERS] = "a list of numbers, each 0 or from 10^-30 to 10^18",
    [XB_FIELD_TEXTS] = "a list of texts",
    [XB_FIELD_OBJECT] = "an object",
    [XB_FIELD_LIST] = "a list",
};

/* The elements of NUMBERS and TEXTS; NULL: those of a LIST are structs. */
static const xb_field *element_of(xb_field_kind kind)
{
  static const xb_field number = {.kind = XB_FIELD_REAL}, text = {.kind = XB_FIELD_TEXT};
  return kind == XB_FIELD_NUMBERS ? &number : kind == XB_FIELD_TEXTS ? &text : NULL;
}

static bool good_value(xb_field_kind kind, const json_t *value)
{
  bool good = json_is_array(value);
  switch (kind) {
  case XB_FIELD_TEXT: return good_text(value);
  case XB_FIELD_KNOWN: return json_is_integer(value) && json_integer_value(value) > 0;
  case XB_FIELD_COUNT: return json_is_integer(value) && json_integer_value(value) >= 0;
  case XB_FIELD_REAL: return good_real(value);
  case XB_FIELD_FLAG: return json_is_boolean(value);
  case XB_FIELD_INTERVAL: return good_interval(value);
  case XB_FIELD_NUMBERS:
  case XB_FIELD_TEXTS:
    for (size_t i = 0; i < json_array_size(value) && good; i++)
      good = good_value(element_of(kind)->kind, json_array_get(value, i));
    return good;
  case XB_FIELD_OBJECT: return json_is_object(value);
  case XB_FIELD_LIST: return good;
  default: return false;
  }
}

static xb_code take_value(xb_reader *r, const xb_field *f, const json_t *value, void *out);

/* The layout of all lists: a pointer, then the count. */
typedef struct any_list {
  void *values;
  size_t count;
} any_list;

/* Reads one struct: a field or, with an index ("[3]"), an element of a list. */
static xb_code take_object(xb_reader *r, const xb_field *f, const char *index, const json_t *object, void *out)
{
  char place[sizeof r->place];
  snprintf(place, sizeof place, "%s", r->place);
  snprintf(r->place, sizeof r->place, "%.60s%s%s%s", place, *place ? "." : "", f->key, index);
  const xb_code code = json_is_object(object) ? xb_read_fields(r, object, f->of, out) : xb_refuse(r, "", "an object");
  snprintf(r->place, sizeof r->place, "%s", place);
  return code;
}

static size_t element_bytes(const xb_field *f)
{
  return f->of ? ((const xb_fields *)f->of)->bytes : f->kind == XB_FIELD_NUMBERS ? sizeof(double) : sizeof(char *);
}

static xb_code take_list(xb_reader *r, const xb_field *f, const json_t *array, void *out)
{
  const xb_field *element = element_of(f->kind);
  any_list list = {.count = json_array_size(array)};
  list.values = xb_arena_take(r->arena, list.count, element_bytes(f));
  xb_code code = list.values ? XB_OK : xb_reader_nomem(r);
  for (size_t i = 0; i < list.count && !code; i++) {
    char index[24];
    void *at = (char *)list.values + i * element_bytes(f);
    snprintf(index, sizeof index, "[%zu]", i);
    code = element ? take_value(r, element, json_array_get(array, i), at)
                   : take_object(r, f, index, json_array_get(array, i), at);
  }
  memcpy(out, &list, sizeof list);
  return code;
}

/* Reads a value that has been checked. */
static xb_code take_value(xb_reader *r, const xb_field *f, const json_t *value, void *out)
{
  bool fits = true;
  switch (f->kind) {
  case XB_FIELD_TEXT: fits = get_text(value, r, out); break;
  case XB_FIELD_KNOWN: *(uint64_t *)out = (uint64_t)json_integer_value(value); break;
  case XB_FIELD_COUNT: *(int64_t *)out = json_integer_value(value); break;
  case XB_FIELD_REAL: *(double *)out = json_number_value(value); break;
  case XB_FIELD_FLAG: *(xb_flag *)out = json_is_true(value); break;
  case XB_FIELD_INTERVAL:
    *(xb_interval *)out =
        (xb_interval){json_number_value(json_array_get(value, 0)), json_number_value(json_array_get(value, 1))};
    break;
  case XB_FIELD_OBJECT: return take_object(r, f, "", value, out);
  case XB_FIELD_NUMBERS:
  case XB_FIELD_TEXTS:
  case XB_FIELD_LIST: return take_list(r, f, value, out);
  default: break;
  }
  return fits ? XB_OK : xb_reader_nomem(r);
}

static void set_unknown(const xb_field *f, void *out)
{
  switch (f->kind) {
  case XB_FIELD_TEXT: *(const char **)out = NULL; break;
  case XB_FIELD_KNOWN: *(uint64_t *)out = 0; break;
  case XB_FIELD_COUNT: *(int64_t *)out = XB_UNKNOWN; break;
  case XB_FIELD_REAL: *(double *)out = NAN; break;
  case XB_FIELD_FLAG: *(xb_flag *)out = XB_UNKNOWN; break;
  case XB_FIELD_INTERVAL: *(xb_interval *)out = (xb_interval){NAN, NAN}; break;
  case XB_FIELD_OBJECT: xb_set_unknown(f->of, out); break;
  case XB_FIELD_NUMBERS:
  case XB_FIELD_TEXTS:
  case XB_FIELD_LIST: memset(out, 0, sizeof(any_list)); break;
  default: break;
  }
}

void xb_set_unknown(const xb_fields *fields, void *object)
{
  for (size_t i = 0; i < fields->count; i++)
    set_unknown(&fields->list[i], (char *)object + fields->list[i].offset);
}

xb_code xb_read_fields(xb_reader *r, const json_t *object, const xb_fields *fields, void *out)
{
  xb_code code = XB_OK;
  for (size_t i = 0; i < fields->count && !code; i++) {
    const xb_field *f = &fields->list[i];
    void *member = (char *)out + f->offset;
    const json_t *value = json_object_get(object, f->key);
    const bool known = value && !json_is_null(value);
    if (known ? !good_value(f->kind, value) : f->need == XB_NEEDED)
      code = xb_refuse(r, f->key, expected[f->kind]);
    else if (known)
      code = take_value(r, f, value, member);
    else
      set_unknown(f, member);
  }
  return code;
}

xb_code xb_check_objects(const char *where, const char *name, const json_t *list, const xb_fields *fields,
                         xb_error *err)
{
  const bool array = json_is_array(list);
  void *iter = array ? NULL : json_object_iter((json_t *)(uintptr_t)list);
  xb_code code = XB_OK;
  for (size_t i = 0; !code && (array ? i < json_array_size(list) : iter != NULL); i++) {
    max_align_t scratch[2];
    char index[80], safe[64], shown[256];
    xb_arena arena = {0};
    xb_reader r = {.arena = &arena, .where = xb_safe_text(where, shown, sizeof shown), .err = err};
    const json_t *object = array ? json_array_get(list, i) : json_object_iter_value(iter);
    if (array)
      snprintf(index, sizeof index, "[%zu]", i);
    else
      snprintf(index, sizeof index, "['%s']", xb_safe_text(json_object_iter_key(iter), safe, sizeof safe));
    code = take_object(&r, &(xb_field){.key = name, .of = fields}, index, object, scratch);
    xb_arena_free(&arena);
    iter = array ? NULL : json_object_iter_next((json_t *)(uintptr_t)list, iter);
  }
  return code;
}

/* ---- Writing ---------------------------------------------------------------------------------------------------- */

static json_t *text_value(const char *text)
{
  json_t *string = text && *text ? json_string(text) : json_null();
  if (string)
    return string;
  char *ascii = strdup(text);
  for (char *p = ascii; p && *p; p++)
    if ((unsigned char)*p > 0x7F)
      *p = '?';
  string = ascii ? json_string(ascii) : NULL;
  free(ascii);
  return string;
}

static json_t *real_value(double value)
{
  return isfinite(value) ? json_real(value) : json_null();
}

static json_t *interval_value(const xb_interval *interval)
{
  return isfinite(interval->low) ? json_pack("[oo]", real_value(interval->low), real_value(interval->high))
                                 : json_null();
}

static json_t *write_value(const xb_field *f, const void *member);

/* Of structs: empty if it is unknown. */
static json_t *list_value(const xb_field *f, const void *member)
{
  const xb_field *element = element_of(f->kind);
  any_list list;
  memcpy(&list, member, sizeof list);
  json_t *array = list.values || !element ? json_array() : json_null();
  for (size_t i = 0; i < list.count && list.values; i++) {
    const char *at = (const char *)list.values + i * element_bytes(f);
    json_array_append_new(array, element ? write_value(element, at) : xb_write_fields(f->of, at));
  }
  return array;
}

/* Writes null if all fields are null. */
static json_t *object_value(const xb_fields *of, const void *object)
{
  const char *name;
  json_t *value, *o = xb_write_fields(of, object);
  bool known = false;
  json_object_foreach(o, name, value) known |= !json_is_null(value);
  if (known || !o)
    return o;
  json_decref(o);
  return json_null();
}

static json_t *write_value(const xb_field *f, const void *member)
{
  switch (f->kind) {
  case XB_FIELD_TEXT: return text_value(*(const char *const *)member);
  case XB_FIELD_KNOWN:
    return *(const uint64_t *)member ? json_integer((json_int_t) * (const uint64_t *)member) : json_null();
  case XB_FIELD_COUNT: return *(const int64_t *)member >= 0 ? json_integer(*(const int64_t *)member) : json_null();
  case XB_FIELD_REAL: return real_value(*(const double *)member);
  case XB_FIELD_FLAG:
    return *(const xb_flag *)member == XB_UNKNOWN ? json_null() : json_boolean(*(const xb_flag *)member);
  case XB_FIELD_INTERVAL: return interval_value(member);
  case XB_FIELD_OBJECT: return object_value(f->of, member);
  case XB_FIELD_NUMBERS:
  case XB_FIELD_TEXTS:
  case XB_FIELD_LIST: return list_value(f, member);
  case XB_FIELD_CHARS: return text_value(member);
  case XB_FIELD_BOOL: return json_boolean(*(const bool *)member);
  default: return json_null();
  }
}

json_t *xb_write_fields(const xb_fields *fields, const void *object)
{
  json_t *o = json_object();
  for (size_t i = 0; i < fields->count && o; i++) {
    const xb_field *f = &fields->list[i];
    if (f->need != XB_OLD && json_object_set_new(o, f->key, write_value(f, (const char *)object + f->offset))) {
      json_decref(o);
      return NULL;
    }
  }
  return o;
}

const xb_field *xb_next_field(const xb_fields *fields, const char **names)
{
  const size_t length = strcspn(*names, " ");
  const xb_field *f = fields->list;
  if (!length)
    return NULL;
  while (strlen(f->key) != length || strncmp(f->key, *names, length) != 0)
    f++; /* the names are the program's own */
  *names += length + strspn(*names + length, " ");
  return f;
}

void xb_write_named(const xb_fields *fields, const void *object, const char *names, json_t *out)
{
  for (const xb_field *f; (f = xb_next_field(fields, &names));)
    json_object_set_new(out, f->key, write_value(f, (const char *)object + f->offset));
}

void xb_write_shown(const xb_fields *fields, const void *object, unsigned in, json_t *out)
{
  for (const xb_field *f = fields->list; f < fields->list + fields->count; f++)
    if (f->in & in)
      json_object_set_new(out, f->key, write_value(f, (const char *)object + f->offset));
}

/* ---- Showing ---------------------------------------------------------------------------------------------------- */

void xb_table_add_fields(xb_table *table, const xb_fields *fields, const char *first, unsigned in)
{
  for (int others = 0; others < 2; others++)
    for (const xb_field *f = fields->list; f < fields->list + fields->count; f++)
      if (f->in & in && (strcmp(f->key, first) != 0) == others) {
        xb_field *column = xb_table_add(table, *f);
        column->drop = f->drop ? f->drop : 1;
      }
}
