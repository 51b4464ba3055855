#include "internal.h"

#include <stdlib.h>
#include <string.h>

xb_code host_commands_create(xb_be_device *device, const xb_commands_desc *desc, xb_be_commands **commands,
                             xb_error *err)
{
  const xb_code code = host_call(device, "commands_create", err);
  if (code)
    return code;
  host_promise(device->info.queues[desc->queue].present, "commands_create", "the queue is not there");
  xb_be_commands *c = calloc(1, sizeof *c);
  uint64_t *stamps = calloc(desc->timestamp_count ? desc->timestamp_count : 1, sizeof *stamps);
  if (!c || !stamps) {
    free(c);
    free(stamps);
    return xb_fail(err, XB_NOMEM, "commands_create", "out of host memory");
  }
  c->device = device;
  c->queue = desc->queue;
  c->stamps = stamps;
  c->timestamp_count = desc->timestamp_count;
  *commands = c;
  host_counters.commands++;
  return XB_OK;
}

void host_commands_destroy(xb_be_device *device, xb_be_commands *c)
{
  host_free_call(device, "commands_destroy");
  if (!host_promise(!host_commands_in_flight(c), "commands_destroy", "the list is in flight"))
    return;
  host_counters.commands--;
  free(c->ops);
  free(c->stamps);
  free(c);
}

/* Appends a command and returns it; returns NULL and sets the error on failure. */
static host_op *record(xb_be_commands *c, const char *name, xb_code *code, xb_error *err)
{
  *code = host_call(c->device, name, err);
  if (*code)
    return NULL;
  host_promise(!c->finished, name, "the list is finished");
  if (!xb_grow(&c->ops, &c->op_capacity, c->op_count, sizeof *c->ops)) {
    *code = xb_fail(err, XB_NOMEM, name, "out of host memory");
    return NULL;
  }
  host_op *op = &c->ops[c->op_count++];
  memset(op, 0, sizeof *op);
  return op;
}

static void check_range(const xb_be_commands *c, const char *name, const xb_be_binding *b, uint64_t align)
{
  host_promise(b->buffer->device == c->device, name, "a buffer of another device");
  host_promise(b->size && b->offset % align == 0, name, "an empty or misaligned range");
  host_promise(b->offset <= b->buffer->bytes && b->size <= b->buffer->bytes - b->offset, name, "past the buffer");
}

static xb_code record_dispatch(xb_be_commands *c, const char *name, const xb_be_dispatch *d, bool indirect,
                               host_op **recorded, xb_error *err)
{
  xb_code code;
  host_op *op = *recorded = record(c, name, &code, err);
  if (!op)
    return code;
  host_promise(c->queue < XB_QUEUE_COPY, name, "not a compute queue");
  host_promise(d->binding_count <= XB_MAX_BINDINGS && d->arg_bytes <= XB_MAX_ARG_BYTES, name, "too much is bound");
  for (uint32_t i = 0; i < d->binding_count; i++) {
    check_range(c, name, &d->bindings[i], HOST_BINDING_ALIGN);
    host_promise(d->bindings[i].size <= HOST_MAX_BINDING, name, "a binding beyond the limit");
    op->bindings[i] = d->bindings[i];
  }
  for (int i = 0; i < 3; i++)
    host_promise(indirect ? !d->groups[i] : d->groups[i] && d->groups[i] <= HOST_MAX_GROUPS, name,
                 "groups out of range");
  if (d->arg_bytes)
    memcpy(op->args, d->args, d->arg_bytes);
  memcpy(op->groups, d->groups, sizeof op->groups);
  op->kind = HOST_DISPATCH;
  op->kernel = d->kernel;
  op->binding_count = d->binding_count;
  return XB_OK;
}

xb_code host_cmd_dispatch(xb_be_commands *c, const xb_be_dispatch *d, xb_error *err)
{
  host_op *op;
  return record_dispatch(c, "cmd_dispatch", d, false, &op, err);
}

xb_code host_cmd_dispatch_indirect(xb_be_commands *c, const xb_be_dispatch *d, const xb_be_binding *groups,
                                   xb_error *err)
{
  const char *const name = "cmd_dispatch_indirect";
  host_op *op;
  const xb_code code = record_dispatch(c, name, d, true, &op, err);
  if (code)
    return code;
  check_range(c, name, groups, 4);
  host_promise(groups->size == 12, name, "no three counts");
  op->counts = *groups;
  return XB_OK;
}

xb_code host_cmd_copy(xb_be_commands *c, const xb_be_binding *dst, const xb_be_binding *src, xb_error *err)
{
  xb_code code;
  host_op *op = record(c, "cmd_copy", &code, err);
  if (!op)
    return code;
  check_range(c, "cmd_copy", dst, 4);
  check_range(c, "cmd_copy", src, 4);
  host_promise(dst->size == src->size && dst->size % 4 == 0, "cmd_copy", "sizes differ, or are no words");
  op->kind = HOST_COPY;
  op->bindings[0] = *dst;
  op->bindings[1] = *src;
  op->binding_count = 2;
  return XB_OK;
}

xb_code host_cmd_fill(xb_be_commands *c, const xb_be_binding *dst, uint32_t word, xb_error *err)
{
  xb_code code;
  host_op *op = record(c, "cmd_fill", &code, err);
  if (!op)
    return code;
  check_range(c, "cmd_fill", dst, 4);
  host_promise(dst->size % 4 == 0, "cmd_fill", "the size is no multiple of a word");
  op->kind = HOST_FILL;
  op->bindings[0] = *dst;
  op->binding_count = 1;
  op->word = word;
  return XB_OK;
}

/* Work runs in order here, so there is nothing to record. */
xb_code host_cmd_barrier(xb_be_commands *c, xb_error *err)
{
  host_promise(!c->finished, "cmd_barrier", "the list is finished");
  return host_call(c->device, "cmd_barrier", err);
}

xb_code host_cmd_timestamp(xb_be_commands *c, uint32_t index, xb_error *err)
{
  xb_code code;
  host_op *op = record(c, "cmd_timestamp", &code, err);
  if (!op)
    return code;
  host_promise(index < c->timestamp_count, "cmd_timestamp", "index out of range");
  op->kind = HOST_TIMESTAMP;
  op->word = index;
  return XB_OK;
}

xb_code host_cmd_native(xb_be_commands *c, xb_native_fn fn, void *user, xb_error *err)
{
  host_promise(!c->finished, "cmd_native", "the list is finished");
  const xb_code code = host_call(c->device, "cmd_native", err);
  return code ? code : fn(&(xb_native){.backend = "host", .device = c->device, .commands = c}, user, err);
}

xb_code host_commands_finish(xb_be_commands *c, xb_error *err)
{
  host_promise(!c->finished, "commands_finish", "called twice");
  c->finished = true;
  return host_call(c->device, "commands_finish", err);
}
