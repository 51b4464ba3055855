/* Shaders of a manifest. */
#include "pair/numbers.h"
#include "pair/read.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void read_group(xb_manifest_reader *r, const json_t *item, uint32_t i, void *user)
{
  uint32_t *group = user;
  const char *name = json_string_value(item);
  for (uint32_t k = 0; name && k < r->pair->constant_count; k++)
    if (!strcmp(r->pair->constants[k].name, name) && r->pair->constants[k].value <= 65536)
      group[i] = (uint32_t)r->pair->constants[k].value;
  if (name && group[i])
    return;
  if (!json_is_integer(item) || json_integer_value(item) < 1 || json_integer_value(item) > 65536)
    xb_refuse_value(r, NULL, "expected a number of threads, or the name of a constant");
  else
    group[i] = (uint32_t)json_integer_value(item);
}

static void read_groups(xb_manifest_reader *r, const json_t *item, uint32_t i, void *user)
{
  const char **groups = user;
  char number[32];
  snprintf(number, sizeof number, "%lld", (long long)json_integer_value(item));
  if (json_is_string(item) && !strcmp(json_string_value(item), "?"))
    xb_refuse_value(r, NULL,
                    r->m->text ? "nothing knows this value: fill it in"
                               : "the source does not say how many threads a group has: give --group, such as 256");
  else if (json_is_string(item) || json_is_integer(item))
    groups[i] = xb_keep(r, "%s", json_is_string(item) ? json_string_value(item) : number);
  else
    xb_refuse_value(r, NULL, "expected a formula");
}

static void read_used_buffer(xb_manifest_reader *r, const json_t *item, uint32_t i, void *user)
{
  xb_pair_kernel *k = user;
  const char *name = json_string_value(item) ? json_string_value(item) : "";
  k->buffers[i] = xb_find_buffer(r->pair, name);
  k->buffer_count = i + 1;
  if (k->buffers[i] == r->pair->buffer_count)
    xb_refuse_value(r, NULL, "'%s' is no buffer", name);
}

static xb_pair_value read_value(xb_manifest_reader *r, const char *key, const json_t *value)
{
  char whole[32], *end = NULL;
  snprintf(whole, sizeof whole, "%lld", (long long)json_integer_value(value));
  const char *text = json_is_integer(value) ? whole : json_string_value(value);
  xb_pair_value v = {.number = json_number_value(value)};
  if (text && !strcmp(text, "?"))
    xb_unknown_value(r, key);
  if (text)
    v.number = strtod(text, &end);
  if (end && (*end == 'f' || *end == 'F')) /* 0.5f, as in the source */
    end++;
  const bool number = text ? end > text && !*end && strpbrk(text, ".eE-nN") : json_is_number(value);
  v.formula = number ? NULL : text ? xb_keep(r, "%s", text) : "";
  if (!text && !number)
    xb_refuse_value(r, key, "expected a number, a formula, or a list of them");
  return v;
}

/* The numbers of lists in lists follow each other. */
static void read_values(xb_manifest_reader *r, const char *key, const json_t *value, xb_pair_argument *a)
{
  const json_t *item;
  size_t i;
  if (!json_is_array(value) && a->count < XB_PAIR_VALUES)
    a->values[a->count++] = read_value(r, key, value);
  else if (!json_is_array(value))
    xb_refuse_value(r, key, "has more than %d numbers", XB_PAIR_VALUES);
  json_array_foreach((json_t *)(uintptr_t)value, i, item) read_values(r, key, item, a);
}

static void read_arguments(xb_manifest_reader *r, const json_t *object, xb_pair_kernel *k)
{
  const char *name;
  json_t *value, *arguments = json_object_get(object, "Arguments");
  if (arguments && !json_is_object(arguments))
    xb_refuse_value(r, "Arguments", "expected an object, such as {\"n\": \"n\"}");
  if (json_object_size(arguments) > XB_PAIR_ARGUMENTS)
    xb_refuse_value(r, "Arguments", "with those of Sides[i].Arguments a side has %zu: expected at most %d",
                    json_object_size(arguments), XB_PAIR_ARGUMENTS);
  json_object_foreach(arguments, name, value)
  {
    char key[128];
    xb_pair_argument *a = &k->arguments[k->argument_count++];
    snprintf(key, sizeof key, "Arguments.%s", name);
    *a = (xb_pair_argument){.name = xb_keep(r, "%s", name),
                            .values = xb_arena_take(&r->pair->arena, XB_PAIR_VALUES, sizeof *a->values)};
    if (!a->values)
      xb_refuse_value(r, key, "out of host memory");
    if (!r->code)
      read_values(r, key, value, a);
    if (r->code)
      return;
  }
}

void xb_read_constants(xb_manifest_reader *r, const json_t *object, xb_pair_kernel *k)
{
  const char *id;
  json_t *value;
  if (json_object_get(object, "SpecializationConstants") &&
      !json_is_object(json_object_get(object, "SpecializationConstants")))
    xb_refuse_value(r, "SpecializationConstants", "expected an object, such as {\"0\": 16}");
  json_object_foreach(json_object_get(object, "SpecializationConstants"), id, value)
  {
    if (k->constant_count == XB_MAX_SPECIALIZATIONS)
      xb_refuse_value(r, "SpecializationConstants", "has more than %d items", XB_MAX_SPECIALIZATIONS);
    if (r->code)
      return;
    xb_specialization *s = &k->constants[k->constant_count++];
    char *end;
    const float f = (float)json_real_value(value);
    uint32_t bits;
    memcpy(&bits, &f, sizeof bits);
    *s = (xb_specialization){.id = (uint32_t)strtoul(id, &end, 10)};
    s->value = json_is_real(value) ? bits : (uint32_t)json_integer_value(value);
    if (json_is_string(value) && !strcmp(json_string_value(value), "?"))
      xb_unknown_value(r, "SpecializationConstants");
    else if (*end || end == id || !json_is_number(value))
      xb_refuse_value(r, "SpecializationConstants",
                      "'%s': expected the number of a constant, and a number as its value", id);
  }
}

/* {"factors": {"Format": "float32", "Values": [1, 2, 3]}} */
static void read_memories(xb_manifest_reader *r, const json_t *object, xb_pair_kernel *k)
{
  const char *name;
  json_t *value, *item, *memories = json_object_get(object, "ConstantMemory");
  size_t i;
  if (json_object_size(memories) > XB_PAIR_MEMORIES)
    xb_refuse_value(r, "ConstantMemory", "has more than %d items", XB_PAIR_MEMORIES);
  json_object_foreach(memories, name, value)
  {
    xb_dtype dtype = XB_FLOAT32;
    const char *format = json_string_value(json_object_get(value, "Format"));
    const json_t *values = json_object_get(value, "Values");
    const size_t count = json_array_size(values);
    json_array_foreach((json_t *)(uintptr_t)values, i, item) if (!json_is_number(item))
        xb_refuse_value(r, "ConstantMemory", "'%s': expected numbers as its Values, one for each element", name);
    if (!format || !xb_dtype_find(format, strlen(format), &dtype) || !count)
      xb_refuse_value(r, "ConstantMemory", "'%s': expected {\"Format\": \"float32\", \"Values\": [1, 2]}", name);
    if (r->code)
      return;
    char *data = xb_arena_take(&r->pair->arena, count, xb_dtype_bytes(dtype));
    json_array_foreach((json_t *)(uintptr_t)values, i, item) if (data)
        xb_put_number(dtype, json_number_value(item), data + i * xb_dtype_bytes(dtype));
    k->memories[k->memory_count++] = (xb_constant){xb_keep(r, "%s", name), data, count * xb_dtype_bytes(dtype)};
  }
}

void xb_read_kernel(xb_manifest_reader *r, const json_t *item, uint32_t i, void *user)
{
  xb_pair_side *side = user;
  xb_pair_kernel *k = &side->kernels[i];
  xb_check_keys(r, item,
                "Name Entry GroupSize DispatchGroupCount Buffers Arguments Parameters DynamicSharedBytes WaveSize "
                "SpecializationConstants ConstantMemory");
  *k = (xb_pair_kernel){.entry = xb_text_of(r, item, "Entry"), .groups = {"1", "1", "1"}};
  k->name = json_object_get(item, "Name") ? xb_text_of(r, item, "Name") : k->entry;
  xb_each(r, item, "GroupSize", 3, read_group, k->group);
  for (int d = 1; d < 3 && k->group[0]; d++)
    k->group[d] = k->group[d] ? k->group[d] : 1;
  if (!json_array_size(json_object_get(item, "DispatchGroupCount")))
    xb_refuse_value(r, "DispatchGroupCount", "is missing: expected a list of formulas, such as [\"ceil(n/256)\"]");
  xb_each(r, item, "DispatchGroupCount", 3, read_groups, k->groups);
  xb_each(r, item, "Buffers", XB_PAIR_BUFFERS, read_used_buffer, k);
  for (uint32_t b = 0; !json_object_get(item, "Buffers") && b < r->pair->buffer_count; b++)
    if (!r->pair->buffers[b].only || r->pair->buffers[b].only == side->of + 1)
      k->buffers[k->buffer_count++] = b;
  read_arguments(r, item, k);
  k->parameter_count = (uint32_t)json_array_size(json_object_get(item, "Parameters"));
  xb_each(r, item, "Parameters", XB_MAX_PARAMETERS, xb_read_word, k->parameters);
  k->shared_bytes = xb_text_of(r, item, "DynamicSharedBytes");
  k->wave = xb_count_of(r, item, "WaveSize", 128);
  xb_read_constants(r, item, k);
  read_memories(r, item, k);
}
