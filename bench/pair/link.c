/* Finds which parameters of compiled kernels are the buffers and arguments of the pair, and places them: offsets,
 * bindings. */
#include "pair/link.h"

#include "base/whole_file.h"
#include "base/word_list.h"
#include "source/tokens.h"

#include <stdio.h>
#include <string.h>

/* ---- Places ----------------------------------------------------------------------------------------------------- */

/* `name` may be NULL. */
static xb_code unsupported(const xb_linking *l, const char *what, const char *name)
{
  return xb_fail(l->err, XB_UNSUPPORTED, l->k->path, "%s%s%s", what, name ? ": " : "", name ? name : "");
}

/* SPIR-V, DXIL: values have offsets, in the push constants or register b0, or in a uniform buffer. */
static xb_code place_in_blocks(const xb_linking *l)
{
  xb_pair_code *c = l->code;
  xb_location *uniform = &c->locations[l->k->buffer_count];
  for (uint32_t i = 0; i < l->k->argument_count; i++) {
    const xb_code_parameter *p = c->arguments[i];
    if (!p)
      continue;
    if (p->offset > sizeof c->uniform)
      return unsupported(l, "the arguments are too many bytes", p->name);
    uint32_t *bytes = p->is_uniform ? &c->uniform_bytes : &c->arg_bytes;
    const uint32_t end = p->offset + p->element.bytes;
    if (p->is_uniform && c->uniform_bytes && (uniform->set != p->set || uniform->binding != p->binding))
      return unsupported(l, "arguments are in more than one uniform buffer", p->name);
    if (p->is_uniform)
      *uniform = (xb_location){p->set, p->binding, 0};
    c->value_offsets[i] = p->offset;
    *bytes = end > *bytes ? end : *bytes;
  }
  c->arg_bytes = (c->arg_bytes + 3) / 4 * 4;
  c->uniform_bytes = (c->uniform_bytes + 15) / 16 * 16;
  return c->uniform_bytes > sizeof c->uniform ? unsupported(l, "the uniform buffer is too large", NULL) : XB_OK;
}

/* SPIR-V, DXIL: where the buffers and samplers are. Buffers that the code does not use are somewhere else. */
static void locate(const xb_linking *l)
{
  xb_pair_code *c = l->code;
  const uint32_t samplers = l->k->buffer_count + (c->uniform_bytes != 0);
  const uint32_t count = samplers + c->reflection.sampler_count;
  uint32_t unused = 0;
  memcpy(&c->locations[samplers], c->reflection.samplers, c->reflection.sampler_count * sizeof *c->locations);
  for (uint32_t i = 0; i < l->k->buffer_count; i++) {
    const xb_code_parameter *p = c->buffers[i];
    bool taken = !p;
    if (p)
      c->locations[i] = (xb_location){p->set, p->binding, p->array_element};
    while (taken) {
      c->locations[i] = (xb_location){XB_MAX_SETS - 1, unused++, 0};
      taken = false;
      for (uint32_t k = 0; k < count; k++)
        taken |= (k < l->k->buffer_count ? c->buffers[k] && c->buffers[k]->set == c->locations[i].set &&
                                               c->buffers[k]->binding == c->locations[i].binding
                                         : !memcmp(&c->locations[k], &c->locations[i], sizeof c->locations[i]));
    }
  }
}

/* glslc numbers a constant buffer without a register as if there were no other. */
static xb_code check_places(const xb_linking *l)
{
  const xb_pair_code *c = l->code;
  for (uint32_t i = 0; i < l->k->buffer_count && c->uniform_bytes; i++) {
    const xb_code_parameter *p = c->buffers[i];
    const xb_location uniform = c->locations[l->k->buffer_count];
    if (p && p->set == uniform.set && p->binding == uniform.binding)
      return xb_link_refuse(l,
                            "the constant buffer and %s are both at binding %u of set %u: give the constant buffer its "
                            "own binding, as in "
                            "[[vk::binding(%u)]]",
                            p->name ? p->name : "a buffer", p->binding, p->set, l->k->buffer_count);
  }
  return XB_OK;
}

/* CUDA: all parameters that keep their default, zero, get the same bytes. */
static void place_defaults(xb_pair_code *c)
{
  const uint32_t zeros = (c->arg_bytes + 3) / 4 * 4;
  c->arg_bytes = zeros;
  for (uint32_t i = 0; i < c->parameter_count; i++) {
    const xb_code_parameter *p = &c->reflection.parameters[i];
    if (!p->is_default)
      continue;
    const uint32_t bytes = p->is_buffer ? 8 : p->element.bytes;
    c->parameters[i] = (xb_parameter){.offset = zeros, .bytes = bytes};
    c->arg_bytes = zeros + bytes > c->arg_bytes ? zeros + bytes : c->arg_bytes;
  }
  c->arg_bytes = (c->arg_bytes + 3) / 4 * 4;
}

/* CUDA: values lie one behind the other, each at a multiple of its size; those of a struct where the struct is. */
static xb_code place_parameters(const xb_linking *l)
{
  xb_pair_code *c = l->code;
  const xb_reflection *r = &c->reflection;
  for (size_t i = 0; i < r->count && !r->parameters[i].in_struct; i++) {
    const xb_code_parameter *p = &r->parameters[i];
    if (c->parameter_count == XB_MAX_PARAMETERS || (!p->is_buffer && !p->element.bytes))
      return unsupported(l, "the kernel has too many parameters, or one without a size", NULL);
    xb_parameter *to = &c->parameters[c->parameter_count++];
    const uint32_t bytes = p->element.bytes, step = p->is_struct ? 8 : bytes;
    const uint32_t offset = p->is_buffer || p->is_default ? 0 : (c->arg_bytes + step - 1) / step * step;
    for (uint32_t b = 0; b < l->k->buffer_count && p->is_buffer; b++)
      if (c->buffers[b] == p)
        *to = (xb_parameter){.binding = b};
    for (uint32_t a = 0; a < l->k->argument_count; a++)
      if (c->arguments[a] && (c->arguments[a] == p || c->arguments[a]->in_struct == i + 1))
        c->value_offsets[a] = offset + (c->arguments[a] == p ? 0 : c->arguments[a]->offset);
    if (p->is_buffer || p->is_default)
      continue;
    *to = (xb_parameter){.offset = offset, .bytes = bytes};
    c->arg_bytes = offset + bytes;
  }
  place_defaults(c);
  return XB_OK;
}

/* Writes offsets, bindings and parameters into l->code. */
static xb_code place(const xb_linking *l)
{
  xb_pair_code *c = l->code;
  xb_code failed = XB_OK;
  for (uint32_t i = 0; i < l->k->argument_count; i++) {
    const xb_code_parameter *p = c->arguments[i];
    if (p && p->element.member_count != 1)
      return unsupported(l, "an argument is neither numbers of one type nor a buffer", l->k->arguments[i].name);
    if (p && xb_link_is_address(&l->k->arguments[i])) {
      if (p->element.bytes != 8 * l->k->arguments[i].count || p->element.members[0].row)
        return xb_link_refuse(l, "argument %s has %u bytes, the pair gives it %u addresses of 8 bytes",
                              l->k->arguments[i].name, p->element.bytes, l->k->arguments[i].count);
    } else if (p && p->element.members[0].count != l->k->arguments[i].count)
      return xb_link_refuse(l, "argument %s has %u numbers, the pair gives it %u", l->k->arguments[i].name,
                            p->element.members[0].count, l->k->arguments[i].count);
  }
  if (!xb_link_is_cuda(l->side)) {
    failed = place_in_blocks(l);
    locate(l);
    failed = failed ? failed : check_places(l);
  } else {
    failed = place_parameters(l);
  }
  if (!failed && c->arg_bytes > XB_MAX_ARG_BYTES)
    failed = unsupported(l, "the kernel has too many bytes of arguments", NULL);
  return failed;
}

/* ---- Names ------------------------------------------------------------------------------------------------------ */

bool xb_link_is_cuda(const xb_pair_side *side)
{
  return side->source.for_cpu || !strcmp(side->format, "fatbin");
}

/* ---- By name ----------------------------------------------------------------------------------------------------- */

static bool counts(const xb_code_parameter *p, bool buffer)
{
  return p->is_buffer == buffer && !p->is_struct && !p->is_default;
}

bool xb_link_same_name(const char *a, const char *b)
{
  size_t length = strlen(b);
  while (length > 1 && b[length - 1] == '_')
    length--;
  return !strncmp(a, b, length) && strspn(a + length, "_") == strlen(a + length);
}

static const xb_code_parameter *find(const xb_linking *l, bool buffer, const char *name)
{
  const xb_reflection *r = &l->code->reflection;
  const xb_code_parameter *near = NULL;
  for (size_t i = 0; i < r->count; i++) {
    const xb_code_parameter *p = &r->parameters[i];
    if (!counts(p, buffer) || (!p->name && !p->view))
      continue;
    for (const xb_code_parameter *view = p; view; view = view->view)
      if (view->name && (!strcmp(view->name, name) || xb_link_is_member(r, view, name)))
        return p;
    near = p->name && xb_link_same_name(p->name, name) ? p : near;
  }
  return near;
}

/* The i-th buffer or value. */
static const xb_code_parameter *at(const xb_linking *l, bool buffer, uint32_t i)
{
  const xb_reflection *r = &l->code->reflection;
  for (size_t k = 0; k < r->count; k++)
    if (counts(&r->parameters[k], buffer) && !i--)
      return &r->parameters[k];
  return NULL;
}

static uint32_t count(const xb_linking *l, bool buffers)
{
  uint32_t i = 0;
  while (at(l, buffers, i))
    i++;
  return i;
}

static const char *name_of(const xb_linking *l, bool buffer, uint32_t i)
{
  return buffer ? l->pair->buffers[l->k->buffers[i]].name : l->k->arguments[i].name;
}

/* True if the pair gives the kernel a buffer or an argument of this name. */
static bool gives(const xb_linking *l, bool buffer, const char *name)
{
  for (uint32_t i = 0; i < (buffer ? l->k->buffer_count : l->k->argument_count); i++)
    if (!strcmp(name_of(l, buffer, i), name))
      return true;
  return false;
}

/* Adds the name, unless the code uses a buffer of this name. */
static void add_unused(const xb_linking *l, const xb_token *token, char list[200])
{
  const xb_reflection *r = &l->code->reflection;
  bool used = token->kind != XB_TOKEN_NAME;
  char name[64];
  snprintf(name, sizeof name, "%.*s", (int)token->length, token->text);
  for (size_t i = 0; i < r->count; i++)
    used |= r->parameters[i].name && !strcmp(r->parameters[i].name, name);
  if (!used)
    xb_add_listed(list, 200, name);
}

/* The buffers that a shader's source declares and its code has not: compilers leave them out where nothing uses them.
 */
static void list_unused(const xb_linking *l, char list[200])
{
  char *text;
  size_t bytes;
  xb_tokens t = {0};
  *list = 0;
  if (xb_link_is_cuda(l->side) || !xb_pair_is_source(l->k->path) ||
      xb_read_file(l->k->path, XB_MAX_SOURCE_BYTES, &l->pair->arena, &text, &bytes, NULL))
    return;
  xb_tokens_read(&t, text);
  for (size_t i = 1; i + 2 < t.count; i++) {
    const xb_token *token = &t.list[i];
    const bool ends = token->length >= 6 && !memcmp(token->text + token->length - 6, "Buffer", 6);
    if (ends && !xb_token_is(token, "ConstantBuffer")) { /* HLSL: RWStructuredBuffer<float> y */
      size_t name = i + 1;
      while (xb_token_is(&t.list[i + 1], "<") && name < t.count && !xb_token_is(&t.list[name++], ">"))
        continue;
      add_unused(l, xb_token_at(&t, name), list);
    }
    if (xb_token_is(token, "[") && xb_token_is(token + 1, "]") && xb_token_is(token + 2, ";")) /* GLSL: float y[]; */
      add_unused(l, token - 1, list);
  }
  xb_tokens_free(&t);
}

/* CUDA: the pointer that an argument {"AddressOf": ...} names is that buffer. */
static const xb_code_parameter *find_pointer(const xb_linking *l, uint32_t buffer)
{
  const xb_code_parameter *found = NULL;
  for (uint32_t a = 0; a < l->k->argument_count && !found; a++)
    if (xb_link_is_address(&l->k->arguments[a]) && l->k->arguments[a].values[0].address_of == l->k->buffers[buffer] + 1)
      found = find(l, true, l->k->arguments[a].name);
  return found;
}

/* By name if the code has names for all that it uses, else in order. What is only used by its address, and addresses
 * that are pointers of the code, do not count. */
static xb_code match(const xb_linking *l, bool buffers, uint32_t all, const xb_code_parameter **found)
{
  const uint32_t there = count(l, buffers);
  uint32_t named = 0, wanted = 0, again = 0;
  bool apart[XB_PAIR_ARGUMENTS + XB_PAIR_BUFFERS] = {false}, twice[XB_PAIR_ARGUMENTS + XB_PAIR_BUFFERS] = {false};
  for (uint32_t i = 0; i < all; i++) {
    found[i] = find(l, buffers, name_of(l, buffers, i));
    if (buffers && !found[i])
      found[i] = find_pointer(l, i);
    const bool address =
        buffers ? xb_link_has_address_of(l, l->k->buffers[i]) : xb_link_is_address(&l->k->arguments[i]);
    apart[i] = !found[i] && address;
    if (buffers)
      l->code->has_address[i] = address;
    for (uint32_t k = 0; k < i && buffers; k++)
      if (l->k->buffers[k] == l->k->buffers[i] && !twice[i])
        twice[i] = ++again;
    named += found[i] != NULL;
    wanted += !apart[i];
  }
  if (named == there)
    return XB_OK;
  char list[200] = "";
  for (uint32_t i = 0; i < there; i++) {
    const char *name = at(l, buffers, i)->name;
    xb_add_listed(list, sizeof list, name ? name : "?");
  }
  for (uint32_t i = 0; i < all && there == wanted - again; i++) /* a buffer is named for each of its views */
    apart[i] |= twice[i];
  if (there != wanted && there != wanted - again) {
    char unused[200] = "";
    if (buffers)
      list_unused(l, unused);
    return xb_link_refuse(l, "the kernel%s%s has %u %s%s (%s), the pair gives it %u%s%s%s", l->k->entry ? " " : "",
                          l->k->entry ? l->k->entry : "", there, buffers ? "buffer" : "argument", there == 1 ? "" : "s",
                          list, wanted, *unused ? "; declared but not used: " : "", unused,
                          *unused ? ": leave that out, or name the buffers as the source does" : "");
  }
  for (uint32_t i = 0, place = 0; i < all; i++)
    found[i] = apart[i] ? NULL : at(l, buffers, place++);
  return XB_OK;
}

/* Gives the kernel's parameters the names that the manifest lists: the code tells at most their sizes. */
static xb_code name_parameters(const xb_linking *l)
{
  xb_reflection *r = &l->code->reflection;
  const bool binary = !r->value_bytes && xb_link_is_cuda(l->side);
  if (!xb_link_is_cuda(l->side) || !l->k->parameter_count)
    return XB_OK;
  if (!binary && l->k->parameter_count != r->count)
    return xb_link_refuse(l, "the kernel has %zu parameters, Parameters lists %u", r->count, l->k->parameter_count);
  r->count = l->k->parameter_count;
  for (size_t i = 0; i < r->count; i++) {
    xb_code_parameter *p = &r->parameters[i];
    p->name = l->k->parameters[i];
    p->is_buffer = gives(l, true, p->name);
    if (binary && !p->is_buffer)
      p->element = (xb_element){.members = {{.dtype = XB_INT32, .count = 1}}, .member_count = 1, .bytes = 4};
  }
  return XB_OK;
}

/* A pointer of CUDA looks like a 64-bit integer: without names, as many of these as there are buffers are pointers. */
static void guess_pointers(const xb_linking *l)
{
  xb_reflection *r = &l->code->reflection;
  uint32_t wide = 0;
  for (size_t i = 0; i < r->count; i++)
    wide += !r->parameters[i].name && r->parameters[i].element.bytes == 8;
  for (size_t i = 0; i < r->count && wide == l->k->buffer_count && xb_link_is_cuda(l->side); i++)
    r->parameters[i].is_buffer |= !r->parameters[i].name && r->parameters[i].element.bytes == 8;
}

static xb_code_parameter *add_member(xb_reflection *r, size_t structure, const char *name, const xb_member *member)
{
  if (r->count == XB_MAX_ARG_BYTES)
    return NULL;
  xb_code_parameter *p = &r->parameters[r->count++];
  *p = (xb_code_parameter){.name = name, .offset = member->offset, .in_struct = (uint32_t)structure + 1};
  p->element = (xb_element){.members = {*member}, .member_count = 1};
  p->pointer = member->pointer;
  p->element.members[0].name = NULL;
  p->element.members[0].offset = 0;
  p->element.bytes = member->count * xb_dtype_bytes(member->dtype);
  return p;
}

/* A struct by value of CUDA gets, if its members are known, the arguments of their names; else those that no parameter
 * has the name of, in order, as 32-bit numbers: floats where the argument is not a formula. */
static xb_code expand_structs(const xb_linking *l)
{
  xb_reflection *r = &l->code->reflection;
  const size_t count = r->count;
  uint32_t offset = 0;
  for (size_t i = 0; i < count && xb_link_is_cuda(l->side); i++) {
    xb_element *e = &r->parameters[i].element;
    if (r->parameters[i].is_buffer || r->parameters[i].is_default || (e->member_count == 1 && !e->members[0].name) ||
        e->bytes % 4)
      continue;
    r->parameters[i].is_struct = true;
    for (uint32_t m = 0; m < e->member_count; m++)
      add_member(r, i, e->members[m].name, &e->members[m]);
    offset = 0;
    for (uint32_t a = 0; a < l->k->argument_count && offset < e->bytes && !e->member_count; a++) {
      const xb_pair_argument *argument = &l->k->arguments[a];
      const xb_member number = {.dtype = argument->values && argument->values[0].formula ? XB_UINT32 : XB_FLOAT32,
                                .count = 1,
                                .offset = offset};
      if (!find(l, false, argument->name) && add_member(r, i, argument->name, &number))
        offset += 4;
    }
    const char *name = r->parameters[i].name ? r->parameters[i].name : "p";
    if (offset < e->bytes && !e->member_count)
      return xb_link_refuse(
          l,
          "the members of the struct %s could not be read: give an argument for each of its %u words of 32 "
          "bits, in their order and with names of your own, such as --arg %s_%u=NUMBER",
          name, e->bytes / 4, name, offset / 4);
  }
  return XB_OK;
}

/* A parameter with a default argument that the pair does not name. */
static void leave_defaults(const xb_linking *l)
{
  for (size_t i = 0; i < l->code->reflection.count; i++) {
    xb_code_parameter *p = &l->code->reflection.parameters[i];
    p->is_default = p->optional && p->name && !gives(l, true, p->name) && !gives(l, false, p->name);
  }
}

/* An argument that has the name of a pointer is its address, null, unless a buffer has the name. */
static xb_code take_nulls(const xb_linking *l)
{
  for (size_t i = 0; i < l->code->reflection.count && xb_link_is_cuda(l->side); i++) {
    xb_code_parameter *p = &l->code->reflection.parameters[i];
    for (uint32_t a = 0; a < l->k->argument_count && p->is_buffer && p->name && !gives(l, true, p->name); a++) {
      const xb_pair_argument *argument = &l->k->arguments[a];
      if (strcmp(argument->name, p->name) != 0 || xb_link_is_address(argument))
        continue;
      const char *formula = argument->count == 1 ? argument->values[0].formula : NULL;
      if (argument->count != 1 || (formula ? strcmp(formula, "0") != 0 : argument->values[0].number != 0))
        return xb_link_refuse(l, "%s is a pointer: expected 0, or a buffer", p->name);
      p->is_buffer = false;
      p->element = (xb_element){.members = {{.dtype = XB_UINT64, .count = 1}}, .member_count = 1, .bytes = 8};
    }
  }
  return XB_OK;
}

static xb_code link_side(xb_pair *pair, xb_pair_side *side, xb_error *err)
{
  xb_code failed = XB_OK;
  for (uint32_t i = 0; i < side->kernel_count && !failed; i++) {
    xb_pair_kernel *k = &side->kernels[i];
    const xb_linking l = {pair, side, k, &side->codes[i], err};
    failed = name_parameters(&l);
    guess_pointers(&l);
    failed = failed ? failed : take_nulls(&l);
    leave_defaults(&l);
    failed = failed ? failed : expand_structs(&l);
    failed = failed ? failed : xb_link_give_lengths(&l);
    failed = failed ? failed : xb_link_add_addresses(&l, k);
    failed = failed ? failed : xb_link_check_tables(&l);
    failed = failed ? failed : match(&l, true, k->buffer_count, l.code->buffers);
    failed = failed ? failed : xb_link_check_buffers(&l);
    failed = failed ? failed : match(&l, false, k->argument_count, l.code->arguments);
    failed = failed ? failed : xb_link_check_memory(&l);
    failed = failed ? failed : place(&l);
    failed = failed ? failed : xb_link_agree_on_group(&l, k);
  }
  return failed;
}

xb_code xb_pair_link_sides(xb_pair *pair, xb_error *err)
{
  const xb_pair_side *good = pair->sides;
  for (uint32_t i = 0; i < pair->side_count; i++) {
    if (pair->sides[i].refused.code)
      continue;
    good = &pair->sides[i];
    const xb_code code = link_side(pair, &pair->sides[i], err);
    if (code)
      return code;
  }
  for (uint32_t i = 0; i < pair->side_count; i++)
    for (uint32_t k = 0; k < pair->sides[i].kernel_count && pair->sides[i].refused.code; k++)
      for (int d = 0; d < 3; d++) {
        const uint32_t known = k < good->kernel_count ? good->kernels[k].group[d] : 0;
        uint32_t *group = &pair->sides[i].kernels[k].group[d];
        *group = *group ? *group : known ? known : 1;
      }
  return XB_OK;
}
