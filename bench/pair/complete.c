/* Adds to a manifest what the compiled sides know. */
#include "pair/numbers.h"
#include "pair/pair.h"

#include <stdio.h>
#include <string.h>

typedef struct completing {
  const xb_pair *pair;
  bool mark; /* for --init: mark what can only be guessed */
} completing;

/* The parameters of a kernel on the first side that has a name and a type for each of them; else on any that has
 * names. */
static const xb_reflection *best_of(const completing *c, size_t kernel)
{
  const xb_reflection *best = NULL;
  int most = 0;
  for (uint32_t s = 0; s < c->pair->side_count; s++) {
    const xb_reflection *r = &c->pair->sides[s].codes[kernel].reflection;
    int known = r->count ? 3 : 0;
    for (size_t i = 0; i < r->count; i++)
      known = !r->parameters[i].name ? 0 : !r->parameters[i].element.member_count && known > 1 ? known - 1 : known;
    if (known > most) {
      most = known;
      best = r;
    }
  }
  return best;
}

/* The buffer of this name; where a kernel writes it, the one of that kernel. A single kernel may use other names: then
 * places count. */
static const xb_code_parameter *find(const completing *c, const char *name, size_t place)
{
  const xb_code_parameter *found = NULL;
  for (size_t k = 0; k < c->pair->kernel_count; k++) {
    const xb_reflection *r = best_of(c, k);
    for (size_t i = 0; r && i < r->count; i++) {
      const xb_code_parameter *p = &r->parameters[i];
      const bool same = p->is_buffer && name && !strcmp(p->name, name);
      if (same && (!found || found->read_only))
        found = p;
    }
  }
  const xb_reflection *only = c->pair->kernel_count == 1 && !found ? best_of(c, 0) : NULL;
  for (size_t i = 0; only && i < only->count; i++)
    if (only->parameters[i].is_buffer && !place--)
      return &only->parameters[i];
  return found;
}

/* ---- Buffers ---------------------------------------------------------------------------------------------------- */

static json_t *numbers_of(const xb_member *m)
{
  char text[32];
  if (m->count == 1)
    return json_string(xb_dtype_name(m->dtype));
  snprintf(text, sizeof text, "%sx%u", xb_dtype_name(m->dtype), m->count);
  return json_string(text);
}

static void add_format(const xb_element *e, json_t *buffer)
{
  if (json_object_get(buffer, "Format") || !e->member_count)
    return;
  if (e->member_count == 1 && !e->members[0].name) {
    json_object_set_new(buffer, "Format", numbers_of(&e->members[0]));
  } else {
    json_t *list = json_array();
    for (uint32_t i = 0; i < e->member_count; i++)
      json_array_append_new(list, json_pack("{sssosi}", "Name", e->members[i].name, "Format",
                                            numbers_of(&e->members[i]), "Offset", (int)e->members[i].offset));
    json_object_set_new(buffer, "Format", list);
  }
  if (e->bytes && (e->member_count > 1 || e->bytes != e->members[0].count * xb_dtype_bytes(e->members[0].dtype)))
    json_object_set_new(buffer, "Stride", json_integer(e->bytes));
}

static void complete_buffer(const completing *c, const xb_code_parameter *p, json_t *buffer)
{
  if (p && p->name && !json_object_get(buffer, "Name"))
    json_object_set_new(buffer, "Name", json_string(p->name));
  if (!json_object_get(buffer, "Access"))
    json_object_set_new(buffer, "Access", json_string(p && p->read_only ? "in" : "?"));
  if (p)
    add_format(&p->element, buffer);
  if (!json_object_get(buffer, "Format"))
    json_object_set_new(buffer, "Format", json_string(c->mark ? "?" : "float32"));
  if (!json_object_get(buffer, "Length"))
    json_object_set_new(buffer, "Length", json_string(c->mark ? "?" : "n"));
}

/* Kernels that share buffers call them the same. */
static void add_missing_buffers(const xb_reflection *r, json_t *buffers)
{
  for (size_t i = 0; i < r->count; i++) {
    const xb_code_parameter *p = &r->parameters[i];
    json_t *buffer;
    size_t k;
    bool there = !p->is_buffer || !p->name;
    json_array_foreach(buffers, k, buffer)
    {
      const char *name = json_string_value(json_object_get(buffer, "Name"));
      there |= p->name && name && !strcmp(name, p->name);
    }
    if (!there)
      json_array_append_new(buffers, json_pack("{ss}", "Name", p->name));
  }
}

/* ---- Kernels ---------------------------------------------------------------------------------------------------- */

static bool is_size(const char *name)
{
  static const char *const sizes[] = {"n", "N", "size", "count", "length", "len", "num_elements", "elements"};
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
    if (!strcmp(name, sizes[i]))
      return true;
  return false;
}

static void add_arguments(const xb_reflection *r, json_t *shader)
{
  json_t *arguments = json_object_get(shader, "Arguments");
  for (size_t i = 0; i < r->count; i++) {
    const xb_code_parameter *p = &r->parameters[i];
    if (p->is_buffer || !p->element.member_count || !p->name || json_object_get(arguments, p->name))
      continue;
    if (!arguments)
      json_object_set_new(shader, "Arguments", arguments = json_object());
    const bool dimension = !strcmp(p->name, "rows") || !strcmp(p->name, "columns");
    json_object_set_new(arguments, p->name, json_string(is_size(p->name) ? "n" : dimension ? p->name : "?"));
  }
}

static void add_groups(const completing *c, size_t kernel, json_t *shader)
{
  const uint32_t *group = NULL;
  const json_t *given = json_object_get(shader, "GroupSize");
  char formula[48] = "?";
  for (uint32_t s = 0; s < c->pair->side_count && !group; s++)
    if (c->pair->sides[s].codes[kernel].reflection.group[0])
      group = c->pair->sides[s].codes[kernel].reflection.group;
  if (!given && group)
    json_object_set_new(shader, "GroupSize", json_pack("[iii]", (int)group[0], (int)group[1], (int)group[2]));
  if (!given && !group)
    json_object_set_new(shader, "GroupSize", json_pack("[s]", "?"));
  if (json_object_get(shader, "DispatchGroupCount"))
    return;
  const long long x = json_integer_value(json_array_get(json_object_get(shader, "GroupSize"), 0));
  const bool flat = json_array_size(json_object_get(shader, "GroupSize")) < 2 || (group && group[1] * group[2] == 1);
  if (x && flat && !c->mark)
    snprintf(formula, sizeof formula, "ceil(n/%lld)", x);
  json_object_set_new(shader, "DispatchGroupCount", json_pack("[s]", formula));
}

void xb_pair_complete(const xb_pair *pair, json_t *root, bool mark)
{
  const completing c = {pair, mark};
  json_t *buffers = json_object_get(root, "Buffers"), *shaders = json_object_get(root, "Shaders"), *buffer;
  const bool none = !buffers;
  size_t i;
  if (none)
    json_object_set_new(root, "Buffers", buffers = json_array());
  if (!shaders)
    json_object_set_new(root, "Shaders", shaders = json_pack("[{}]"));
  for (size_t k = 0; k < pair->kernel_count; k++) {
    const xb_reflection *r = best_of(&c, k);
    json_t *shader = json_array_get(shaders, k);
    if (r && none)
      add_missing_buffers(r, buffers);
    if (r)
      add_arguments(r, shader);
    if (r && r->entry && !json_object_get(shader, "Entry") && strncmp(r->entry, "_Z", 2) != 0)
      json_object_set_new(shader, "Entry", json_string(r->entry));
    add_groups(&c, k, shader);
  }
  json_array_foreach(buffers, i, buffer)
  {
    const char *name = json_string_value(json_object_get(buffer, "Name"));
    complete_buffer(&c, find(&c, name, i), buffer);
  }
}
