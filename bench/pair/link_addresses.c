/* Buffers that kernels use by their addresses: which arguments, and which members of buffers, these are. */
#include "pair/link.h"
#include "pair/numbers.h"

#include <string.h>

/* 64 bits: a pointer, a number, or uvec2. */
static bool is_wide(const xb_code_parameter *p)
{
  const xb_member *m = &p->element.members[0];
  return p->element.member_count == 1 && p->element.bytes == 8 && !xb_is_float(m->dtype) &&
         xb_dtype_bytes(m->dtype) >= 4;
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

/* An argument that the pair does not name, and that has 64 bits and the name of a buffer, is the buffer's address. */
xb_code xb_link_add_addresses(const xb_linking *l, xb_pair_kernel *k)
{
  for (size_t i = 0; i < l->code->reflection.count; i++) {
    const xb_code_parameter *p = &l->code->reflection.parameters[i];
    uint32_t b = 0;
    bool given = p->is_buffer || p->is_struct || p->is_default || !p->name || !is_wide(p);
    for (uint32_t a = 0; a < k->argument_count && !given; a++)
      given = xb_link_same_name(p->name, k->arguments[a].name) ||
              xb_link_is_member(&l->code->reflection, p, k->arguments[a].name);
    while (b < k->buffer_count && !given && !xb_link_same_name(p->name, l->pair->buffers[k->buffers[b]].name))
      b++;
    if (given || (b == k->buffer_count && !p->pointer))
      continue;
    if (b == k->buffer_count)
      return xb_link_refuse(l,
                            "%s is the address of a buffer: name a buffer like it, or give the argument, "
                            "\"%s\": {\"AddressOf\": \"BUFFER\"}",
                            p->name, p->name);
    xb_pair_value *value = xb_arena_take(&l->pair->arena, 1, sizeof *value);
    if (!value || k->argument_count == XB_PAIR_ARGUMENTS)
      return xb_link_refuse(l, "there are too many arguments");
    *value = (xb_pair_value){.address_of = k->buffers[b] + 1};
    k->arguments[k->argument_count++] = (xb_pair_argument){.name = p->name, .values = value, .count = 1};
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
  return xb_link_refuse(l, "%s has the address of %s, which is no buffer of the kernel: list it in Buffers",
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
