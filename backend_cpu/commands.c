/* Lists are arrays of commands. */
#include "cpu.h"

#include <stdlib.h>
#include <string.h>

static xb_code no_memory(xb_error *err)
{
  return xb_fail(err, XB_NOMEM, "xb_commands", "out of host memory");
}

/* [begin] Start with an empty array. */
xb_code cpu_commands_create(xb_be_device *device, const xb_commands_desc *desc, xb_be_commands **commands,
                            xb_error *err)
{
  xb_be_commands *c = calloc(1, sizeof *c);
  double *stamps = calloc(desc->timestamp_count + 1u, sizeof *stamps);
  if (!c || !stamps) {
    free(c);
    free(stamps);
    return no_memory(err);
  }
  *c = (xb_be_commands){
      .device = device, .queue = desc->queue, .stamps = stamps, .timestamp_count = desc->timestamp_count};
  *commands = c;
  return XB_OK;
}

void cpu_commands_destroy(xb_be_device *device, xb_be_commands *c)
{
  if (device->stuck)
    return;
  for (size_t i = 0; i < c->op_count; i++)
    free(c->ops[i].uses);
  free(c->ops);
  free(c->stamps);
  free(c);
}

/* NULL: out of memory. */
static cpu_op *record(xb_be_commands *c, cpu_op_kind kind)
{
  if (!xb_grow(&c->ops, &c->op_capacity, c->op_count, sizeof *c->ops))
    return NULL;
  cpu_op *op = &c->ops[c->op_count++];
  memset(op, 0, sizeof *op);
  op->kind = kind;
  return op;
}

/* [dispatch] Copy what the caller owns: bindings and arguments. */
static cpu_op *record_dispatch(xb_be_commands *c, const xb_be_dispatch *d)
{
  cpu_op *op = record(c, CPU_DISPATCH);
  if (!op)
    return NULL;
  op->uses = d->use_count ? malloc(d->use_count * sizeof *op->uses) : NULL;
  if (d->use_count && !op->uses)
    return NULL;
  for (uint32_t i = 0; i < d->use_count; i++)
    op->uses[i] = d->uses[i];
  op->use_count = d->use_count;
  op->kernel = d->kernel;
  op->binding_count = d->binding_count;
  for (uint32_t i = 0; i < d->binding_count; i++)
    op->bindings[i] = d->bindings[i];
  memcpy(op->groups, d->groups, sizeof op->groups);
  if (d->arg_bytes)
    memcpy(op->args, d->args, d->arg_bytes);
  return op;
}

/* A texture is an object of the host, to which a pointer must not lead. */
static xb_code check_bindings(const xb_be_dispatch *d, xb_error *err)
{
  const xb_be_kernel *k = d->kernel;
  for (uint32_t i = 0; !k->wave && i < k->parameter_count; i++) {
    const xb_parameter p = k->parameters[i];
    if (p.bytes || !(k->entry->param_bytes[i] & XB_CPU_POINTER))
      continue;
    const xb_be_binding *b = &d->bindings[p.binding];
    if (b->kind == XB_BINDING_TEXELS || b->image)
      return xb_fail(err, XB_INVALID, k->entry->name, "binding %u is bound as %s, the code has a pointer", p.binding,
                     b->image ? "an image" : "a texel buffer");
  }
  return XB_OK;
}

xb_code cpu_cmd_dispatch(xb_be_commands *c, const xb_be_dispatch *d, xb_error *err)
{
  const xb_code code = check_bindings(d, err);
  return code ? code : record_dispatch(c, d) ? XB_OK : no_memory(err);
}

/* [dispatch] The number of groups is read when the command begins. */
xb_code cpu_cmd_dispatch_indirect(xb_be_commands *c, const xb_be_dispatch *d, const xb_be_binding *groups,
                                  xb_error *err)
{
  const xb_code code = check_bindings(d, err);
  if (code)
    return code;
  cpu_op *op = record_dispatch(c, d);
  if (!op)
    return no_memory(err);
  op->counts = *groups;
  return XB_OK;
}

/* [copy] Add a copy. */
xb_code cpu_cmd_copy(xb_be_commands *c, const xb_be_binding *dst, const xb_be_binding *src, xb_error *err)
{
  cpu_op *op = record(c, CPU_COPY);
  if (!op)
    return no_memory(err);
  op->bindings[0] = *dst;
  op->bindings[1] = *src;
  return XB_OK;
}

/* Adds a fill. */
xb_code cpu_cmd_fill(xb_be_commands *c, const xb_be_binding *dst, uint32_t word, xb_error *err)
{
  cpu_op *op = record(c, CPU_FILL);
  if (!op)
    return no_memory(err);
  op->bindings[0] = *dst;
  op->word = word;
  return XB_OK;
}

/* [image] Add a copy to an image. */
xb_code cpu_cmd_copy_to_image(xb_be_commands *c, xb_be_image *dst, const xb_be_binding *src, xb_error *err)
{
  cpu_op *op = record(c, CPU_IMAGE);
  if (!op)
    return no_memory(err);
  op->image = dst;
  op->bindings[0] = *src;
  return XB_OK;
}

xb_code cpu_cmd_copy_from_image(xb_be_commands *c, const xb_be_binding *dst, xb_be_image *src, xb_error *err)
{
  cpu_op *op = record(c, CPU_FROM_IMAGE);
  if (!op)
    return no_memory(err);
  op->image = src;
  op->bindings[0] = *dst;
  return XB_OK;
}

/* [barrier] Nothing: a list's commands run one after another. */
xb_code cpu_cmd_barrier(xb_be_commands *c, xb_error *err)
{
  (void)c, (void)err;
  return XB_OK;
}

/* [timestamp] Add the reading of the clock. */
xb_code cpu_cmd_timestamp(xb_be_commands *c, uint32_t index, xb_error *err)
{
  cpu_op *op = record(c, CPU_STAMP);
  if (!op)
    return no_memory(err);
  op->word = index;
  return XB_OK;
}

/* No library records commands here; `commands` is the list itself. */
xb_code cpu_cmd_native(xb_be_commands *c, xb_native_fn fn, void *user, xb_error *err)
{
  return fn(&(xb_native){.backend = c->device->info.backend, .device = c->device, .commands = c}, user, err);
}

xb_code cpu_commands_finish(xb_be_commands *c, xb_error *err)
{
  (void)c, (void)err;
  return XB_OK;
}
