/* Where a kernel's arguments and buffers are: offsets, bindings, parameters. */
#include "pair/link.h"

#include <string.h>

/* `name` may be NULL. */
static xb_code unsupported(const xb_linking *l, const char *what, const char *name)
{
  return xb_fail(l->err, XB_UNSUPPORTED, l->side->source.path, "%s%s%s", what, name ? ": " : "", name ? name : "");
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
      *uniform = (xb_location){p->set, p->binding};
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
      c->locations[i] = (xb_location){p->set, p->binding};
    while (taken) {
      c->locations[i] = (xb_location){XB_MAX_SETS - 1, unused++};
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
      return xb_fail(
          l->err, XB_INVALID, l->side->source.path,
          "the constant buffer and %s are both at binding %u of set %u: give the constant buffer a place, as in "
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

xb_code xb_link_place(const xb_linking *l)
{
  xb_pair_code *c = l->code;
  xb_code failed = XB_OK;
  for (uint32_t i = 0; i < l->k->argument_count; i++) {
    const xb_code_parameter *p = c->arguments[i];
    if (p && p->element.member_count != 1)
      return unsupported(l, "an argument is neither numbers of one type nor a buffer", l->k->arguments[i].name);
    if (p && p->element.members[0].count != l->k->arguments[i].count)
      return xb_fail(l->err, XB_INVALID, l->side->source.path, "argument %s has %u numbers, the pair gives it %u",
                     l->k->arguments[i].name, p->element.members[0].count, l->k->arguments[i].count);
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
