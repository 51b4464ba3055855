#include "report/format.h"
#include "report/json.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

json_t *xb_json_known(uint64_t value)
{
  return value ? json_integer((json_int_t)value) : json_null();
}

json_t *xb_json_number(double value)
{
  return isfinite(value) ? json_real(value) : json_null();
}

json_t *xb_json_numbers(const double *values, size_t count)
{
  json_t *list = json_array();
  for (size_t i = 0; i < count; i++)
    json_array_append_new(list, xb_json_number(values[i]));
  return list;
}

json_t *xb_json_interval(double low, double high)
{
  return xb_json_numbers((const double[]){low, high}, 2);
}

json_t *xb_json_text(const char *text)
{
  json_t *string = *text ? json_string(text) : json_null();
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

json_t *xb_json_uuid(const xb_device_info *info)
{
  char uuid[40];
  xb_format_uuid(info, uuid);
  return xb_json_text(uuid);
}

json_t *xb_json_variant(const xb_variant *v)
{
  char name[64];
  snprintf(name, sizeof name, "%u_%s", v->number, v->name);
  return xb_json_text(name);
}
