/* Adds to a manifest what the compiled sides know. */
#include "base/word_list.h"
#include "pair/link.h"
#include "pair/numbers.h"

#include <stdio.h>
#include <string.h>

typedef struct completing {
  const xb_pair *pair;
  bool mark;             /* for --init: mark what can only be guessed */
  const json_t *buffers; /* of the manifest */
} completing;

/* A buffer of the code, or one whose address it gets. */
static bool is_buffer(const xb_code_parameter *p)
{
  return p->is_buffer || p->pointer;
}

static bool is_read(const xb_code_parameter *p)
{
  return p->read_only || p->only_read;
}

static const xb_element *element_of(const xb_code_parameter *p)
{
  return p->pointer && p->target ? p->target : &p->element;
}

static bool has_names(const xb_reflection *r)
{
  bool named = r->count;
  for (size_t i = 0; i < r->count; i++)
    named &= r->parameters[i].name != NULL;
  return named;
}

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

static void find_in(const xb_reflection *r, const char *name, const xb_code_parameter **found)
{
  for (size_t i = 0; r && name && i < r->count; i++) {
    const xb_code_parameter *p = &r->parameters[i];
    const bool same = p->name && (!strcmp(p->name, name) || xb_link_is_element(p, name, &(uint32_t){0}));
    if (is_buffer(p) && same && (!*found || is_read(*found)))
      *found = p;
  }
}

/* The buffer of this name; where a kernel writes it, the one of that kernel. Any side knows the elements of an array.
 * A single kernel may use other names: then places count. */
static const xb_code_parameter *find(const completing *c, const char *name, size_t place)
{
  const xb_code_parameter *found = NULL;
  for (size_t k = 0; k < XB_PAIR_KERNELS; k++)
    find_in(best_of(c, k), name, &found);
  for (uint32_t s = 0; s < c->pair->side_count && !found && name && strchr(name, '['); s++)
    for (uint32_t k = 0; k < c->pair->sides[s].kernel_count; k++)
      find_in(&c->pair->sides[s].codes[k].reflection, name, &found);
  const xb_reflection *only = c->pair->sides[0].kernel_count == 1 && !found ? best_of(c, 0) : NULL;
  for (size_t i = 0; only && i < only->count; i++)
    if (is_buffer(&only->parameters[i]) && !place--)
      return &only->parameters[i];
  return found;
}

/* ---- Buffers ---------------------------------------------------------------------------------------------------- */

static json_t *numbers_of(const xb_member *m)
{
  const char *name = xb_dtype_name(m->dtype);
  return m->count == 1 ? json_string(name) : json_sprintf("%sx%u", name, m->count);
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
  if (e->bytes && !xb_is_plain(e))
    json_object_set_new(buffer, "Stride", json_integer(e->bytes));
}

/* An image of any side that is this buffer: by name or, where no side has the name and a single kernel, by place. */
static const xb_code_parameter *find_image(const completing *c, const char *name, size_t place)
{
  const xb_code_parameter *found = NULL;
  bool named = false;
  for (const xb_pair_side *side = c->pair->sides; side < c->pair->sides + c->pair->side_count; side++)
    for (uint32_t k = 0; k < side->kernel_count; k++) {
      const xb_reflection *r = &side->codes[k].reflection;
      size_t at = 0;
      for (size_t i = 0; i < r->count; i++) {
        const xb_code_parameter *p = &r->parameters[i];
        const bool same = p->name && name && !strcmp(p->name, name);
        const bool placed = p->is_buffer && at++ == place && side->kernel_count == 1;
        if (same && p->is_buffer && !named)
          found = NULL;
        named |= same && p->is_buffer;
        if (p->image && (same || (placed && !named)) && (!found || !found->element.member_count))
          found = p;
      }
    }
  return found;
}

/* It has the size of the pair, unless somebody says otherwise. */
static void add_image(const xb_code_parameter *p, json_t *buffer)
{
  json_t *image = json_object_get(buffer, "Image");
  if (!p)
    return;
  if (!image)
    json_object_set_new(buffer, "Image", image = json_pack("{ssss}", "Width", "columns", "Height", "rows"));
  if (p->element.members[0].fractions && !json_object_get(buffer, "Format"))
    json_object_set_new(image, "Unorm", json_true());
  add_format(&p->element, buffer);
}

static void complete_buffer(const completing *c, const xb_code_parameter *p, const xb_code_parameter *image,
                            json_t *buffer)
{
  if (p && p->name && !json_object_get(buffer, "Name"))
    json_object_set_new(buffer, "Name", json_string(p->name));
  if (!json_object_get(buffer, "Access"))
    json_object_set_new(buffer, "Access", json_string(p && is_read(p) ? "in" : "?"));
  add_image(image, buffer);
  if (p)
    add_format(element_of(p), buffer);
  if (!json_object_get(buffer, "Format"))
    json_object_set_new(buffer, "Format", json_string(c->mark ? "?" : "float32"));
  const char *fill = json_string_value(json_object_get(buffer, "Fill"));
  if (!json_object_get(buffer, "Length") && !xb_is_npy(fill) && !json_object_get(buffer, "AddressOf") &&
      !json_object_get(buffer, "Image")) /* a file and an image have their own */
    json_object_set_new(buffer, "Length", json_string(c->mark ? "?" : "n"));
}

static void add_buffer(const char *name, json_t *buffers)
{
  json_t *buffer;
  size_t k;
  bool there = !name;
  json_array_foreach(buffers, k, buffer)
  {
    const char *other = json_string_value(json_object_get(buffer, "Name"));
    there |= name && other && !strcmp(other, name);
  }
  if (!there)
    json_array_append_new(buffers, json_pack("{ss}", "Name", name));
}

/* "b", or "b[0]" and so on of an array of pointers. */
static void add_pointed(const xb_member *m, json_t *buffers)
{
  char name[128];
  for (uint32_t i = 0; i < m->count && i < XB_PAIR_BUFFERS; i++) {
    snprintf(name, sizeof name, m->count == 1 ? "%.100s" : "%.100s[%u]", m->name, i);
    add_buffer(name, buffers);
  }
}

/* Kernels that share buffers call them the same. A pointer in a struct leads to a buffer of its name. */
static void add_missing_buffers(const xb_reflection *r, json_t *buffers)
{
  for (size_t i = 0; i < r->count; i++) {
    const xb_code_parameter *p = &r->parameters[i];
    if (is_buffer(p))
      add_buffer(p->name, buffers);
    for (uint32_t m = 0; m < p->element.member_count && !p->is_buffer; m++)
      if (p->element.members[m].pointer && p->element.members[m].name)
        add_pointed(&p->element.members[m], buffers);
  }
}

/* ---- Kernels ---------------------------------------------------------------------------------------------------- */

static bool is_size(const char *name)
{
  return xb_is_listed("n N size count length len num_elements elements", name, strlen(name));
}

/* Of several names of sizes one is the size. */
static bool has_size(json_t *arguments)
{
  const char *name;
  json_t *value;
  bool has = false;
  json_object_foreach(arguments, name, value) has |= json_is_string(value) && !strcmp(json_string_value(value), "n");
  return has;
}

static bool is_of_buffer(const completing *c, const char *name)
{
  const json_t *buffer;
  size_t i;
  bool named = false;
  json_array_foreach((json_t *)(uintptr_t)c->buffers, i, buffer)
  {
    const char *other = json_string_value(json_object_get(buffer, "Name"));
    named |= other && xb_link_same_name(other, name);
  }
  return named;
}

/* "values", or "p.values" of the struct p. */
static bool has_argument(json_t *arguments, const char *name)
{
  const char *key;
  json_t *value;
  bool has = false;
  json_object_foreach(arguments, key, value)
  {
    const char *dot = strrchr(key, '.');
    has |= !strcmp(dot ? dot + 1 : key, name);
  }
  return has;
}

static void add_argument(const completing *c, json_t *shader, const char *name, const xb_member *member)
{
  json_t *arguments = json_object_get(shader, "Arguments");
  const bool dimension = !strcmp(name, "rows") || !strcmp(name, "columns");
  const char *value = member->count > 1                                               ? "?"
                      : is_size(name) && (!strcmp(name, "n") || !has_size(arguments)) ? "n"
                      : dimension                                                     ? name
                                                                                      : "?";
  if (!arguments)
    json_object_set_new(shader, "Arguments", arguments = json_object());
  if (has_argument(arguments, name))
    return;
  const bool named = is_of_buffer(c, name), wide = member->count * xb_dtype_bytes(member->dtype) == 8;
  if (member->pointer && (member->count > 1 || (!named && !c->mark))) /* linking finds them, or says what is missing */
    return;
  if ((member->pointer && member->count == 1) || (named && wide && !xb_is_float(member->dtype))) {
    json_object_set_new(arguments, name, json_pack("{ss}", "AddressOf", name));
    return;
  }
  json_t *list = json_array();
  for (uint32_t i = 0; i < member->count; i++)
    json_array_append_new(list, json_string(value));
  json_object_set(arguments, name, member->count == 1 ? json_array_get(list, 0) : list);
  json_decref(list);
}

/* Members of a struct are arguments of their own; so are the words of one that could not be read, with --init. */
static void add_arguments(const completing *c, const xb_reflection *r, json_t *shader)
{
  for (size_t i = 0; i < r->count; i++) {
    const xb_code_parameter *p = &r->parameters[i];
    const bool unread = c->mark && !is_buffer(p) && !p->element.member_count && p->name;
    for (uint32_t word = 0; unread && word < p->element.bytes / 4; word++) {
      char name[96];
      snprintf(name, sizeof name, "%.80s_%u", p->name, word);
      add_argument(c, shader, name, &(xb_member){.count = 1});
    }
    for (uint32_t m = 0; m < p->element.member_count && !is_buffer(p) && !p->optional; m++) {
      const char *name = p->element.members[m].name ? p->element.members[m].name : p->name;
      if (name)
        add_argument(c, shader, name, &p->element.members[m]);
    }
  }
}

/* The group size in the code of the side, else in that of another. */
static const uint32_t *find_group(const completing *c, const xb_pair_side *side, size_t kernel)
{
  if (side && side->codes[kernel].reflection.group[0])
    return side->codes[kernel].reflection.group;
  for (uint32_t s = 0; s < c->pair->side_count; s++)
    if (c->pair->sides[s].codes[kernel].reflection.group[0])
      return c->pair->sides[s].codes[kernel].reflection.group;
  return NULL;
}

static void add_groups(const completing *c, const uint32_t *group, json_t *shader)
{
  const json_t *given = json_object_get(shader, "GroupSize");
  char formula[48] = "?";
  if (!given && group)
    json_object_set_new(shader, "GroupSize", json_pack("[iii]", (int)group[0], (int)group[1], (int)group[2]));
  if (!given && !group && c->mark)
    json_object_set_new(shader, "GroupSize", json_pack("[s]", "?"));
  if (json_object_get(shader, "DispatchGroupCount"))
    return;
  json_t *groups = json_array();
  const long long x = json_integer_value(json_array_get(json_object_get(shader, "GroupSize"), 0));
  const bool flat = json_array_size(json_object_get(shader, "GroupSize")) < 2 || (group && group[1] * group[2] == 1);
  if (x && flat && !c->mark)
    snprintf(formula, sizeof formula, "ceil(n/%lld)", x);
  for (int d = 0; d < 3 && (!d || (group && group[d] > 1)); d++)
    json_array_append_new(groups, json_string(formula));
  json_object_set_new(shader, "DispatchGroupCount", groups);
}

/* For --init: memory that the host gives a kernel of CUDA, which only a person knows. */
static void add_memory(const completing *c, size_t kernel, json_t *shader)
{
  for (uint32_t s = 0; s < c->pair->side_count; s++) {
    const xb_reflection *r = &c->pair->sides[s].codes[kernel].reflection;
    if (r->dynamic_shared && !json_object_get(shader, "DynamicSharedBytes"))
      json_object_set_new(shader, "DynamicSharedBytes", json_string("?"));
    for (size_t i = 0; i < r->constant_count; i++) {
      const xb_member *m = &r->constants[i].element.members[0];
      json_t *all = json_object_get(shader, "ConstantMemory"), *values = json_array();
      if (!all)
        json_object_set_new(shader, "ConstantMemory", all = json_object());
      for (uint32_t v = 0; v < (m->count && m->count <= XB_PAIR_VALUES ? m->count : 1); v++)
        json_array_append_new(values, json_string("?"));
      json_object_set_new(all, r->constants[i].name,
                          json_pack("{ssso}", "Format", m->count ? xb_dtype_name(m->dtype) : "?", "Values", values));
    }
  }
}

/* Of several kernels each says which buffers it has. */
static void add_buffers(const xb_reflection *r, json_t *shader)
{
  json_t *names = json_array();
  for (size_t i = 0; i < r->count; i++)
    if (is_buffer(&r->parameters[i]) && r->parameters[i].name)
      json_array_append_new(names, json_string(r->parameters[i].name));
  if (!json_object_get(shader, "Buffers"))
    json_object_set(shader, "Buffers", names);
  json_decref(names);
}

/* `side` is NULL for the kernels of the pair. */
static void complete_shaders(const completing *c, const xb_pair_side *side, json_t *shaders)
{
  json_t *shader;
  size_t k;
  json_array_foreach(shaders, k, shader)
  {
    const xb_reflection *own = side && k < XB_PAIR_KERNELS ? &side->codes[k].reflection : NULL;
    const xb_reflection *r = own && has_names(own) ? own : best_of(c, k);
    if (r && !(side && side->refused.code)) /* another side's are not those of a side without code */
      add_arguments(c, r, shader);
    if (r && c->mark && json_array_size(shaders) > 1)
      add_buffers(r, shader);
    const bool named = r && r->entry && strncmp(r->entry, "_Z", 2) != 0 && strcmp(r->entry, "main") != 0; /* GLSL's */
    if (named && !json_object_get(shader, "Entry"))
      json_object_set_new(shader, "Entry", json_string(r->entry));
    add_groups(c, find_group(c, side, k), shader);
    if (c->mark && k < XB_PAIR_KERNELS)
      add_memory(c, k, shader);
  }
}

/* This side's own parameter, if it has the same numbers as `p` at other places. */
static const xb_code_parameter *with_own_layout(const xb_pair_side *side, const char *name, const xb_code_parameter *p)
{
  for (uint32_t k = 0; k < side->kernel_count; k++)
    for (size_t i = 0; i < side->codes[k].reflection.count; i++) {
      const xb_code_parameter *own = &side->codes[k].reflection.parameters[i];
      if (own->is_buffer && !own->image && !own->texels && own->name && xb_link_same_name(own->name, name) &&
          own->element.member_count == p->element.member_count && xb_is_other_layout(&own->element, &p->element))
        return own;
    }
  return NULL;
}

/* For --init. */
static void add_own_layouts(const completing *c, const xb_pair_side *side, json_t *root)
{
  json_t *buffer, *all = json_array();
  size_t i;
  json_array_foreach(json_object_get(root, "Buffers"), i, buffer)
  {
    const char *name = json_string_value(json_object_get(buffer, "Name"));
    const xb_code_parameter *p = name ? find(c, name, i) : NULL, *own = p ? with_own_layout(side, name, p) : NULL;
    if (!own)
      continue;
    xb_element e = own->element;
    json_t *item = json_pack("{ss}", "Name", name);
    for (uint32_t m = 0; m < e.member_count; m++) /* members are found by their names in the pair */
      e.members[m].name = p->element.members[m].name;
    if (e.members[0].name)
      add_format(&e, item);
    json_object_set_new(item, "Stride", json_integer(e.bytes));
    json_array_append_new(all, item);
  }
  if (json_array_size(all))
    json_object_set(xb_pair_own_keys(root, side->of), "Buffers", all);
  json_decref(all);
}

/* For --init: arguments that only this side has. */
static void add_own_arguments(const completing *c, const xb_pair_side *side, json_t *root)
{
  json_t *sides = json_object_get(root, "Sides"), *value, *own = json_object();
  json_t *list = xb_pair_shaders_of(root, json_array_get(sides, side->of));
  const char *name;
  for (size_t k = 0; k < side->kernel_count; k++) {
    json_t *shader = json_array_get(list, k);
    const json_t *common = json_object_get(json_array_get(json_object_get(root, "Shaders"), k), "Arguments");
    if (has_names(&side->codes[k].reflection))
      add_arguments(c, &side->codes[k].reflection, shader);
    json_object_foreach(json_object_get(shader, "Arguments"), name, value) if (!json_object_get(common, name))
        json_object_set(own, name, value);
  }
  if (json_object_size(own))
    json_object_set(xb_pair_own_keys(root, side->of), "Arguments", own);
  json_decref(own);
  json_decref(list);
}

void xb_pair_complete(const xb_pair *pair, json_t *root, bool mark)
{
  completing c = {pair, mark, NULL};
  json_t *buffers = json_object_get(root, "Buffers"), *shaders = json_object_get(root, "Shaders"), *buffer;
  json_t *sides = json_object_get(root, "Sides");
  const bool none = !buffers;
  bool done[XB_PAIR_SIDES] = {0};
  size_t i;
  if (none)
    json_object_set_new(root, "Buffers", buffers = json_array());
  c.buffers = buffers;
  if (!shaders)
    json_object_set_new(root, "Shaders", shaders = json_pack("[{}]"));
  for (size_t k = 0; k < XB_PAIR_KERNELS && none; k++)
    if (best_of(&c, k))
      add_missing_buffers(best_of(&c, k), buffers);
  if (mark)
    complete_shaders(&c, NULL, shaders);
  for (uint32_t s = 0; s < pair->side_count && mark; s++)
    add_own_arguments(&c, &pair->sides[s], root);
  for (const xb_pair_side *side = pair->sides; side < pair->sides + pair->side_count && !mark; side++) {
    json_t *own = xb_pair_shaders_of(root, json_array_get(sides, side->of));
    if (!done[side->of]) {
      complete_shaders(&c, side, own);
      json_object_set(xb_pair_own_keys(root, side->of), "Shaders", own);
    }
    json_decref(own);
    done[side->of] = true;
  }
  for (uint32_t s = 0; s < pair->side_count && mark; s++)
    add_own_layouts(&c, &pair->sides[s], root);
  json_array_foreach(buffers, i, buffer)
  {
    const char *name = json_string_value(json_object_get(buffer, "Name"));
    const xb_code_parameter *p = find(&c, name, i);
    complete_buffer(&c, p, find_image(&c, name ? name : p ? p->name : NULL, i), buffer);
  }
}
