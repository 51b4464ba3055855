/* Buffers that kernels use by their addresses: which arguments, and which members of buffers, these are. And arrays of
 * buffers without a length. */
#include "pair/link.h"
#include "pair/numbers.h"

#include <stdio.h>
#include <string.h>

/* 64 bits each: pointers, numbers, or a uvec2. 0: it is none. */
static uint32_t addresses_in(const xb_code_parameter *p)
{
  const xb_member *m = &p->element.members[0];
  const bool wide = p->element.member_count == 1 && !m->row && !xb_is_float(m->dtype) &&
                    (xb_dtype_bytes(m->dtype) == 8 || (xb_dtype_bytes(m->dtype) == 4 && m->count == 2));
  return wide && p->element.bytes <= 8 * XB_PAIR_VALUES ? p->element.bytes / 8 : 0;
}

/* The place in k->buffers of the buffer of this name, or of element `i` of an array of buffers. */
static uint32_t find_named(const xb_linking *l, const xb_pair_kernel *k, const char *name, bool array, uint32_t i)
{
  char element[128];
  uint32_t b = 0;
  snprintf(element, sizeof element, array ? "%.100s[%u]" : "%.100s", name, i);
  while (b < k->buffer_count && !xb_link_same_name(element, l->pair->buffers[k->buffers[b]].name))
    b++;
  return b;
}

bool xb_link_is_address(const xb_pair_argument *a)
{
  return a->count && a->values[0].address_of;
}

/* "p.values": the member of a struct that the kernel takes by value. */
bool xb_link_is_member(const xb_reflection *r, const xb_code_parameter *p, const char *name)
{
  const char *first = strchr(name, '.'), *last = strrchr(name, '.');
  const char *structure = p->in_struct ? r->parameters[p->in_struct - 1].name : NULL;
  return first && structure && strlen(structure) == (size_t)(first - name) &&
         !strncmp(structure, name, (size_t)(first - name)) && !strcmp(p->name, last + 1);
}

/* An argument that the pair does not name, and that has 64 bits and the name of a buffer, is the buffer's address; an
 * array with the name of an array of buffers has their addresses. */
xb_code xb_link_add_addresses(const xb_linking *l, xb_pair_kernel *k)
{
  for (size_t i = 0; i < l->code->reflection.count; i++) {
    const xb_code_parameter *p = &l->code->reflection.parameters[i];
    const uint32_t count = addresses_in(p);
    uint32_t found = 0;
    bool given = p->is_buffer || p->is_struct || p->is_default || !p->name || !count;
    for (uint32_t a = 0; a < k->argument_count && !given; a++)
      given = xb_link_same_name(p->name, k->arguments[a].name) ||
              xb_link_is_member(&l->code->reflection, p, k->arguments[a].name);
    while (found < count && !given && find_named(l, k, p->name, count > 1, found) < k->buffer_count)
      found++;
    if (given || (found < count && !p->pointer))
      continue;
    if (found < count && count > 1)
      return xb_link_refuse(l,
                            "%s has the addresses of %u buffers: name buffers %s[0] and so on, or give the argument, "
                            "\"%s\": [{\"AddressOf\": \"BUFFER\"}, ...]",
                            p->name, count, p->name, p->name);
    if (found < count)
      return xb_link_refuse(l,
                            "%s is the address of a buffer: name a buffer like it, or give the argument, "
                            "\"%s\": {\"AddressOf\": \"BUFFER\"}",
                            p->name, p->name);
    xb_pair_value *values = xb_arena_take(&l->pair->arena, count, sizeof *values);
    if (!values || k->argument_count == XB_PAIR_ARGUMENTS)
      return xb_link_refuse(l, "there are too many arguments");
    for (uint32_t v = 0; v < count; v++)
      values[v] = (xb_pair_value){.address_of = k->buffers[find_named(l, k, p->name, count > 1, v)] + 1};
    k->arguments[k->argument_count++] = (xb_pair_argument){.name = p->name, .values = values, .count = count};
  }
  return XB_OK;
}

/* True if an argument of the kernel, or a buffer that it has, is or has the address of the buffer. */
bool xb_link_has_address_of(const xb_linking *l, uint32_t buffer)
{
  const char *name = l->pair->buffers[buffer].name;
  bool has = false;
  for (uint32_t a = 0; a < l->k->argument_count; a++)
    for (uint32_t v = 0; v < l->k->arguments[a].count; v++)
      has |= l->k->arguments[a].values[v].address_of == buffer + 1;
  for (uint32_t i = 0; i < l->k->buffer_count; i++) {
    const xb_pair_buffer *b = &l->side->buffers[l->k->buffers[i]];
    for (uint32_t a = 0; a < b->address_count; a++)
      has |= !strcmp(b->address_of[a], name);
    for (const xb_member *m = b->element.members; m < b->element.members + b->element.member_count; m++)
      has |= m->address_of && !strcmp(m->address_of, name);
  }
  return has;
}

static xb_code check_table(const xb_linking *l, const xb_pair_buffer *table, const char *name)
{
  for (uint32_t i = 0; i < l->k->buffer_count; i++)
    if (!strcmp(l->pair->buffers[l->k->buffers[i]].name, name))
      return XB_OK;
  return xb_link_refuse(l, "%s has the address of %s, which is not a buffer of the kernel: list it in Buffers",
                        table->name, name);
}

/* The buffers whose addresses the kernel's buffers have are its buffers, too. */
xb_code xb_link_check_tables(const xb_linking *l)
{
  xb_code code = XB_OK;
  for (uint32_t i = 0; i < l->k->buffer_count; i++) {
    const xb_pair_buffer *b = &l->side->buffers[l->k->buffers[i]];
    for (uint32_t a = 0; a < b->address_count && !code; a++)
      code = check_table(l, b, b->address_of[a]);
    for (uint32_t m = 0; m < b->element.member_count && !code; m++)
      code = b->element.members[m].address_of ? check_table(l, b, b->element.members[m].address_of) : XB_OK;
  }
  return code;
}

/* ---- Arrays of buffers without a length -------------------------------------------------------------------------- */

bool xb_link_is_element(const xb_code_parameter *p, const char *name, uint32_t *number)
{
  const size_t length = p->open && p->name ? strcspn(p->name, "[") : 0;
  return length && !strncmp(p->name, name, length) && sscanf(name + length, "[%u]", number) == 1;
}

static xb_code give_length(const xb_linking *l, size_t i)
{
  xb_reflection *r = &l->code->reflection;
  const xb_code_parameter p = r->parameters[i];
  const char *array = xb_arena_text(&l->pair->arena, "%.*s", (int)strcspn(p.name, "["), p.name);
  uint32_t last = 0, number;
  for (uint32_t b = 0; b < l->k->buffer_count; b++)
    if (xb_link_is_element(&p, l->pair->buffers[l->k->buffers[b]].name, &number))
      last = number > last ? number : last;
  for (uint32_t n = 0; n <= last && array; n++) {
    if (find_named(l, l->k, array, true, n) == l->k->buffer_count)
      return xb_link_refuse(l,
                            "%s has no length in the code, and the pair gives it no %s[%u]: use this name for a buffer",
                            array, array, n);
    xb_code_parameter *element = &r->parameters[n ? r->count++ : i];
    *element = p;
    element->name = xb_arena_text(&l->pair->arena, "%s[%u]", array, n);
    element->array_element = n;
    element->open = false;
  }
  return XB_OK;
}

xb_code xb_link_give_lengths(const xb_linking *l)
{
  const size_t count = l->code->reflection.count;
  xb_code code = XB_OK;
  for (size_t i = 0; i < count && !code; i++)
    if (l->code->reflection.parameters[i].open)
      code = give_length(l, i);
  return code;
}
