/* A side has the kernels of the pair, with its own keys over theirs. */
#include "pair/pair.h"

/* Keys that a side may have itself: they hold for each of its kernels. */
static const char *const keys[] = {"GroupSize", "DispatchGroupCount",      "Arguments",     "DynamicSharedBytes",
                                   "WaveSize",  "SpecializationConstants", "ConstantMemory"};

void xb_pair_put(json_t *shader, const char *key, json_t *value)
{
  json_t *old = json_object_get(shader, key), *member;
  const char *name;
  if (json_is_object(old) && json_is_object(value)) {
    json_object_foreach(value, name, member) xb_pair_put(old, name, member);
  } else if (json_is_null(value))
    json_object_del(shader, key);
  else
    json_object_set_new(shader, key, json_deep_copy(value));
}

json_t *xb_pair_shaders_of(const json_t *root, const json_t *side)
{
  const json_t *common = json_object_get(root, "Shaders"), *own = json_object_get(side, "Shaders");
  const json_t *entries = json_object_get(side, "Entries");
  const size_t count = json_array_size(json_is_array(own) ? own : common);
  json_t *list = json_array();
  for (size_t k = 0; k < (count ? count : 1); k++) {
    const json_t *of_pair = json_array_get(common, k); /* what is no object is refused where it is read */
    json_t *shader = of_pair ? json_deep_copy(of_pair) : json_object(), *value;
    const char *key;
    json_array_append_new(list, shader);
    json_t *entry = json_object_get(shader, "Entry");
    json_t *called = json_is_string(entry) ? json_object_get(entries, json_string_value(entry)) : NULL;
    if (entry && !json_object_get(shader, "Name"))
      json_object_set(shader, "Name", entry);
    if (called)
      json_object_set(shader, "Entry", called);
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
      if ((value = json_object_get(side, keys[i])))
        xb_pair_put(shader, keys[i], value);
    json_object_foreach(json_array_get(own, k), key, value) xb_pair_put(shader, key, value);
  }
  return list;
}

const char *xb_pair_source_of(const json_t *side)
{
  return json_string_value(json_is_object(side) ? json_object_get(side, "Source") : side);
}

json_t *xb_pair_own_keys(json_t *root, size_t i)
{
  json_t *sides = json_object_get(root, "Sides"), *side = json_array_get(sides, i);
  if (json_is_string(side))
    json_array_set_new(sides, i, json_pack("{sO}", "Source", side));
  return json_array_get(sides, i);
}
