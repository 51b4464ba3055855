#include "benchmarks/choice.h"
#include "core/grow.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

const char *xb_dtype_name(xb_dtype dtype)
{
  static const char *const names[XB_ALL_DTYPES] = {
      [XB_FLOAT32] = "float32", [XB_INT32] = "int32",   [XB_FLOAT16] = "float16", [XB_FLOAT64] = "float64",
      [XB_INT8] = "int8",       [XB_INT16] = "int16",   [XB_INT64] = "int64",     [XB_UINT8] = "uint8",
      [XB_UINT16] = "uint16",   [XB_UINT32] = "uint32", [XB_UINT64] = "uint64"};
  return names[dtype];
}

uint32_t xb_dtype_bytes(xb_dtype dtype)
{
  static const uint32_t bytes[XB_ALL_DTYPES] = {
      [XB_FLOAT32] = 4, [XB_INT32] = 4, [XB_FLOAT16] = 2, [XB_FLOAT64] = 8, [XB_INT8] = 1,  [XB_INT16] = 2,
      [XB_INT64] = 8,   [XB_UINT8] = 1, [XB_UINT16] = 2,  [XB_UINT32] = 4,  [XB_UINT64] = 8};
  return bytes[dtype];
}

/* Adds an element after `*count` others. If out of memory, returns NULL and sets plan->code. `list` is the address of a
 * pointer to the elements. */
static void *add(xb_plan *plan, void *list, uint32_t *count, size_t *capacity, size_t bytes)
{
  char *elements;
  if (!plan->code && !xb_grow(list, capacity, *count, bytes))
    plan->code = XB_NOMEM;
  memcpy(&elements, list, sizeof elements);
  return plan->code ? NULL : elements + (*count)++ * bytes;
}

uint32_t xb_plan_slot(xb_plan *plan, xb_slot slot)
{
  xb_slot *added = add(plan, &plan->slots, &plan->slot_count, &plan->slot_capacity, sizeof slot);
  if (added)
    *added = slot;
  return added ? plan->slot_count - 1 : 0;
}

uint32_t xb_plan_input(xb_plan *plan, const char *name, uint64_t bytes, xb_generate_fn *generate)
{
  return xb_plan_slot_with(plan, .name = name, .role = XB_ROLE_INPUT, .bytes = bytes, .generate = generate);
}

uint32_t xb_plan_output(xb_plan *plan, const char *name, uint64_t bytes)
{
  return xb_plan_slot_with(plan, .name = name, .role = XB_ROLE_OUTPUT, .bytes = bytes);
}

uint32_t xb_plan_kernel_of(xb_plan *plan, xb_plan_kernel kernel)
{
  xb_plan_kernel *added = add(plan, &plan->kernels, &plan->kernel_count, &plan->kernel_capacity, sizeof kernel);
  if (added)
    *added = kernel;
  return added ? plan->kernel_count - 1 : 0;
}

uint32_t xb_plan_list_of(xb_plan *plan, xb_plan_list list)
{
  xb_plan_list *added = add(plan, &plan->lists, &plan->list_count, &plan->list_capacity, sizeof list);
  if (added)
    *added = list;
  return added ? plan->list_count - 1 : 0;
}

xb_step *xb_plan_step(xb_plan *plan, xb_step_kind kind)
{
  if (plan->step_count == XB_MOST_STEPS)
    plan->code = XB_UNSUPPORTED;
  xb_step *step = add(plan, &plan->steps, &plan->step_count, &plan->step_capacity, sizeof *step);
  step = step ? step : &plan->spare;
  *step = (xb_step){.kind = kind, .list = plan->list_count ? plan->list_count - 1 : 0};
  return step;
}

xb_step *xb_plan_dispatch(const xb_case *c, xb_plan *plan, uint64_t groups)
{
  xb_step *step = xb_plan_step(plan, XB_STEP_DISPATCH);
  xb_fold_groups(c->device, groups, step->groups);
  return step;
}

void xb_plan_fill(xb_plan *plan, uint32_t slot, uint64_t bytes, uint32_t word)
{
  xb_step *step = xb_plan_step(plan, XB_STEP_FILL);
  xb_step_bind(step, slot, 0, bytes, XB_WRITE);
  xb_step_args(step, &word, sizeof word);
}

void xb_step_bind(xb_step *step, uint32_t slot, uint64_t offset, uint64_t size, xb_access access)
{
  if (step->binding_count < XB_MAX_BINDINGS)
    step->bindings[step->binding_count++] =
        (xb_plan_binding){.slot = slot, .offset = offset, .size = size, .access = access};
  else
    step->overfull = true;
}

void xb_step_bind_all(const xb_plan *plan, xb_step *step, uint32_t slot, xb_access access)
{
  xb_step_bind(step, slot, 0, plan->slots[slot].bytes, access);
}

void xb_step_bind_vectors(xb_step *step, uint32_t slot, uint64_t offset, uint64_t size, xb_access access)
{
  xb_step_bind(step, slot, offset, size / 16 ? size / 16 * 16 : size, access);
  xb_step_bind(step, slot, offset, size, access);
}

void xb_step_args(xb_step *step, const void *args, size_t bytes)
{
  step->overfull |= bytes > sizeof step->args;
  step->arg_bytes = step->overfull ? 0 : (uint32_t)bytes;
  memcpy(step->args, args, step->arg_bytes);
}

void xb_step_address(xb_step *step, uint32_t at, uint32_t slot)
{
  if (step->address_count < XB_MAX_ADDRESSES)
    step->addresses[step->address_count++] = (xb_plan_address){at, slot};
  else
    step->overfull = true;
}

void xb_fold_groups(const xb_device_info *device, uint64_t groups, uint32_t folded[3])
{
  const uint64_t x = groups < device->max_groups[0] ? groups : device->max_groups[0];
  folded[0] = (uint32_t)x;
  folded[1] = (uint32_t)xb_ceil_div(groups, x);
  folded[2] = 1;
}

/* A device that has the queues of all lists, and one clock for them. */
static xb_code check_lists(const xb_case *c, const xb_plan *plan, xb_error *err)
{
  const char *name = c->variant->benchmark->name;
  if (plan->list_count && !c->device->calibrates)
    return xb_refuse_case(c, err, "'%.100s' has no calibrated timestamps", c->device->name);
  for (uint32_t i = 0; i < plan->list_count; i++) {
    const xb_plan_list *list = &plan->lists[i];
    const xb_queue first = list->queue < XB_QUEUE_COPY ? XB_QUEUE_COMPUTE : XB_QUEUE_COPY;
    for (uint32_t k = 0; k < list->after_count; k++)
      if (list->after[k] >= i || plan->lists[list->after[k]].on_host)
        return xb_fail(err, XB_INVALID, name, "list %u of the plan waits for list %u", i, list->after[k]);
    if (!c->device->queues[list->queue].present)
      return xb_refuse_case(c, err, "'%.100s' has %u %s queue%s, needs at least %d", c->device->name,
                            c->device->queues[first].count, first == XB_QUEUE_COPY ? "copy" : "compute",
                            c->device->queues[first].count == 1 ? "" : "s", list->queue - first + 1);
  }
  return XB_OK;
}

xb_code xb_check_iterations(const xb_case *c, const xb_plan *plan, xb_error *err)
{
  if (plan->iterations <= XB_MOST_ITERATIONS)
    return XB_OK;
  return xb_refuse_case(c, err, "a thread needs %" PRIu64 " loop iterations; at most %d work on every device",
                        plan->iterations, XB_MOST_ITERATIONS);
}

/* What the plan leaves to its dispatches. */
static void complete(xb_plan *plan)
{
  uint32_t dispatches = 0; /* of the first kernel */
  for (uint32_t i = 0; i < plan->step_count; i++)
    dispatches += plan->steps[i].kind == XB_STEP_DISPATCH && !plan->steps[i].kernel;
  if (!plan->windows)
    plan->windows = dispatches ? dispatches : 1;
  if (dispatches && !plan->kernel_count)
    xb_plan_kernel_of(plan, (xb_plan_kernel){.name = NULL});
  for (uint32_t i = 0; i < plan->step_count; i++) {
    const xb_step *step = &plan->steps[i];
    if (step->kind != XB_STEP_DISPATCH || step->kernel >= plan->kernel_count)
      continue;
    xb_plan_kernel *kernel = &plan->kernels[step->kernel];
    if (!kernel->binding_count && !kernel->arg_bytes) {
      kernel->binding_count = step->binding_count;
      kernel->arg_bytes = step->arg_bytes;
    }
  }
}

/* Finds mistakes of a benchmark, in release builds, too. */
static xb_code check_steps(const xb_case *c, const xb_plan *plan, xb_error *err)
{
  char name[XB_VARIANT_NAME];
  for (uint32_t i = 0; i < plan->step_count; i++) {
    const xb_step *step = &plan->steps[i];
    bool good = !step->overfull && (step->kind != XB_STEP_DISPATCH || step->kernel < plan->kernel_count);
    for (uint32_t b = 0; b < step->binding_count; b++)
      good &= step->bindings[b].slot < plan->slot_count;
    if (step->kind == XB_STEP_CALL && c->variant->clock != XB_CLOCK_CALLS && !plan->list_count)
      return xb_fail(err, XB_INVALID, c->variant->benchmark->name,
                     "%s: step %u calls the host, so its clock must be "
                     "XB_CLOCK_CALLS",
                     xb_variant_name(c->variant, name), i);
    if (!good)
      return xb_fail(err, XB_INVALID, c->variant->benchmark->name,
                     "%s: step %u of the plan has more than %d bindings or %d bytes of arguments, or names a slot or a "
                     "kernel that the plan lacks",
                     xb_variant_name(c->variant, name), i, XB_MAX_BINDINGS, XB_MAX_ARG_BYTES);
  }
  return XB_OK;
}

static xb_code check_waves(const xb_case *c, xb_error *err)
{
  const xb_device_info *d = c->device;
  if (xb_full_wave(c) != UINT32_MAX)
    return XB_OK;
  return xb_refuse_case(
      c, err, "needs full waves of at most %u lanes, but this device has waves of %u to %u, and the groups %u threads",
      c->variant->full_waves, d->subgroup_min, d->subgroup_max, c->block);
}

xb_code xb_plan_make(const xb_case *c, xb_plan *plan, xb_error *err)
{
  const char *name = c->variant->benchmark->name;
  *plan = (xb_plan){0};
  if (check_waves(c, err))
    return XB_UNSUPPORTED;
  const xb_benchmark *b = c->variant->benchmark;
  const xb_methods *methods = b->methods;
  for (size_t a = 0; a < b->axis_count; a++)
    if (!xb_axis_takes(&b->axes[a], c->at[a]))
      return xb_refuse_case(c, err, "%s=%" PRIu32 ": its values are %s", b->axes[a].name, c->at[a], b->axes[a].values);
  xb_code code = methods->refuse ? methods->refuse(c, err) : XB_OK;
  code = code ? code : methods->plan(c, plan, err);
  complete(plan);
  if (!code && plan->code == XB_NOMEM)
    code = xb_fail(err, XB_NOMEM, name, "out of host memory");
  else if (!code && plan->code == XB_INVALID)
    code = xb_refuse_case(c, err, "a binding of %" PRIu64 " bytes is too small for a window", c->window_bytes);
  else if (!code && plan->code)
    code =
        xb_refuse_case(c, err, "%llu elements need more than %d dispatches", (unsigned long long)c->n, XB_MOST_STEPS);
  if (!code)
    code = check_steps(c, plan, err);
  if (!code)
    code = check_lists(c, plan, err);
  if (code)
    xb_plan_free(plan);
  return code;
}

/* Disjoint writes of a slot with contents read them, too. */
static bool has_access(const xb_slot *slot, const xb_plan_binding *b, bool writes)
{
  const bool only_writes = b->access == XB_WRITE || (b->access == XB_DISJOINT_WRITE && slot->role != XB_ROLE_INOUT);
  return writes ? b->access != XB_READ : !only_writes;
}

/* Bytes of a slot that are bound for reading, or for writing. An image is bound as a whole. */
static uint64_t bound_bytes(const xb_plan *plan, uint32_t slot, bool writes)
{
  const uint64_t most = plan->slots[slot].bytes;
  uint64_t bytes = 0;
  for (uint32_t i = 0; i < plan->step_count && bytes < most; i++)
    for (uint32_t k = 0; k < plan->steps[i].binding_count; k++) {
      const xb_plan_binding *b = &plan->steps[i].bindings[k];
      if (b->slot == slot && has_access(&plan->slots[slot], b, writes))
        bytes += b->image ? most : b->size;
    }
  return bytes < most ? bytes : most;
}

uint64_t xb_plan_memory_bytes(const xb_plan *plan)
{
  uint64_t bytes = 0;
  for (uint32_t slot = 0; slot < plan->slot_count; slot++)
    bytes += bound_bytes(plan, slot, false) + bound_bytes(plan, slot, true);
  return bytes < plan->bytes ? bytes : plan->bytes;
}

double xb_elements_of_run(const xb_case *c, const xb_plan *plan)
{
  (void)plan;
  return (double)c->n;
}

double xb_bytes_of_run(const xb_case *c, const xb_plan *plan)
{
  (void)c;
  return (double)plan->bytes;
}

double xb_flops_of_run(const xb_case *c, const xb_plan *plan)
{
  (void)c;
  return (double)plan->flops;
}

double xb_work_of_run(const xb_case *c, const xb_plan *plan)
{
  (void)c;
  return plan->work;
}

double xb_chain_of_run(const xb_case *c, const xb_plan *plan)
{
  (void)c;
  return plan->chain;
}

size_t xb_metrics_of_run(const xb_case *c, const xb_plan *plan, double ns, xb_metric metrics[XB_MAX_METRICS])
{
  static const xb_rate bandwidth[] = {{"bandwidth", "GB/s", xb_bytes_of_run}, {.name = NULL}};
  const xb_methods *m = c->variant->benchmark->methods;
  const bool usual = !m->rates[0].name && !m->times[0].name && !m->metrics && plan->bytes;
  size_t count = 0;
  for (const xb_rate *r = usual ? bandwidth : m->rates; r->name; r++)
    metrics[count++] = (xb_metric){r->name, r->unit, ns > 0 ? r->amount(c, plan) / ns : 0, true};
  for (const xb_rate *r = m->times; r->name; r++)
    metrics[count++] = (xb_metric){r->name, r->unit, ns / r->amount(c, plan), false};
  return count + (m->metrics ? m->metrics(c, plan, ns, metrics + count) : 0);
}

xb_case xb_at_base(const xb_case *c)
{
  xb_case base = *c;
  for (size_t a = 0; a < c->variant->benchmark->axis_count; a++)
    base.at[a] = c->variant->benchmark->axes[a].base;
  return base;
}

bool xb_always(const xb_case *c)
{
  return c;
}

void xb_plan_free(xb_plan *plan)
{
  free(plan->slots);
  free(plan->steps);
  free(plan->kernels);
  free(plan->lists);
  *plan = (xb_plan){0};
}
