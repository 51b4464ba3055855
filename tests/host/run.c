/* The device: runs recorded commands. */
#include "internal.h"

#include <string.h>

static uint32_t running_subgroup_size;

uint32_t host_subgroup_size(void)
{
  return running_subgroup_size;
}

static void run_group(const host_op *op, uint64_t i)
{
  const uint32_t x = op->groups[0], y = op->groups[1];
  const uint32_t group[3] = {(uint32_t)(i % x), (uint32_t)(i / x % y), (uint32_t)(i / x / y)};
  void *bindings[XB_MAX_BINDINGS] = {0};
  uint64_t sizes[XB_MAX_BINDINGS] = {0};
  for (uint32_t k = 0; k < op->binding_count; k++) {
    bindings[k] = op->bindings[k].buffer->data + op->bindings[k].offset;
    sizes[k] = op->bindings[k].size;
  }
  running_subgroup_size = op->kernel->subgroup_size;
  op->kernel->code.run(group, op->groups, bindings, sizes, op->args);
}

static void fill(const xb_be_binding *dst, uint32_t word)
{
  for (uint64_t i = 0; i < dst->size; i += sizeof word)
    memcpy(dst->buffer->data + dst->offset + i, &word, sizeof word);
}

bool host_run_step(xb_be_device *device, host_work *work)
{
  host_op *op = &work->commands->ops[work->op];
  const xb_be_binding *b = op->bindings;
  const uint64_t now = host_now_ns();
  device->clock_ns = now > device->clock_ns + 10 ? now : device->clock_ns + 10;
  switch (op->kind) {
  case HOST_DISPATCH:
    if (op->counts.buffer && !work->group)
      memcpy(op->groups, op->counts.buffer->data + op->counts.offset, sizeof op->groups);
    if (!op->groups[0] || !op->groups[1] || !op->groups[2])
      return true;
    run_group(op, work->group++);
    return work->group == (uint64_t)op->groups[0] * op->groups[1] * op->groups[2];
  case HOST_COPY: memcpy(b[0].buffer->data + b[0].offset, b[1].buffer->data + b[1].offset, b[0].size); break;
  case HOST_FILL: fill(&b[0], op->word); break;
  case HOST_TIMESTAMP: work->commands->stamps[op->word] = device->clock_ns; break;
  }
  return true;
}
