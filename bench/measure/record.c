/* The steps of a plan, recorded into lists of commands; and plans with calls of the host, where what stands between two
 * calls is one list, which is recorded before the time begins and submitted in its turn. */
#include "core/clock.h"
#include "measure/cell.h"

#include <string.h>

uint64_t xb_largest_window(const xb_device_info *info)
{
  return info->max_binding_bytes - XB_GUARD_BYTES;
}

/* Bytes that a kernel sees: those of the plan, and the guard behind them, because an API may ignore an access outside
 * of a binding, and it would be found by nothing. The last binding of a slot sees the slot's guard. One before sees the
 * first words of the next, if both only read the input or only write words of their own. An emulation gets the exact
 * size: it reports each access outside of the buffer. */
static uint64_t visible_bytes(const xb_cell *cell, const xb_plan_binding *b)
{
  const xb_slot *slot = &cell->plan.slots[b->slot];
  const uint64_t behind = slot->bytes - (b->offset + b->size);
  const bool last = behind < 16; /* a binding of vectors leaves out the last words */
  const bool shares = b->access == XB_DISJOINT_WRITE || (b->access == XB_READ && slot->role == XB_ROLE_INPUT);
  const uint64_t most = b->texels
                            ? cell->c.device->max_texels * xb_texel_bytes(b->texels) * (b->channels ? b->channels : 1)
                            : cell->c.device->max_binding_bytes;
  const bool fits = b->size + XB_GUARD_BYTES <= most;
  const bool sees = fits && !b->uniform && !b->exact && (last || shares) && !cell->c.device->emulates;
  return sees ? b->size + XB_GUARD_BYTES : b->size;
}

/* The bindings of a step in the current placement; of a dispatch, with the guard behind them. */
static void bind(const xb_cell *cell, const xb_step *step, xb_binding bindings[XB_MAX_BINDINGS])
{
  for (uint32_t i = 0; i < step->binding_count; i++) {
    const xb_plan_binding *b = &step->bindings[i];
    const xb_slot *slot = &cell->plan.slots[b->slot];
    const xb_placement placement = xb_cell_placement(cell, b->slot);
    const uint64_t begin = placement.begin + (slot->role == XB_ROLE_INPUT ? xb_cell_window_offset(cell, slot) : 0);
    if (b->image || b->alone) {
      bindings[i] = (xb_binding){.kind = b->alone     ? XB_BINDING_SAMPLER
                                         : b->storage ? XB_BINDING_STORAGE_IMAGE
                                                      : XB_BINDING_IMAGE,
                                 .image = b->alone ? NULL : cell->buffers.images[b->slot],
                                 .sampler = b->sampler,
                                 .access = b->access};
      continue;
    }
    bindings[i] = (xb_binding){.kind = b->uniform  ? XB_BINDING_UNIFORM
                                       : b->texels ? b->storage ? XB_BINDING_STORAGE_TEXELS : XB_BINDING_TEXELS
                                       : b->tiles.dimensions ? XB_BINDING_TILES
                                                             : XB_BINDING_BUFFER,
                               .tiles = b->tiles,
                               .buffer = placement.buffer,
                               .format = b->texels,
                               .channels = b->channels,
                               .offset = begin + b->offset,
                               .size = step->kind == XB_STEP_DISPATCH ? visible_bytes(cell, b) : b->size,
                               .access = b->access};
  }
}

static xb_code call_library(const xb_native *native, void *user, xb_error *err)
{
  const xb_recorded_call *call = user;
  return call->fn(native, &call->with, err);
}

static void record_library(xb_cell *cell, uint32_t step_index, const xb_binding *bindings, xb_commands *commands)
{
  const xb_step *step = &cell->plan.steps[step_index];
  xb_recorded_call *call = &cell->buffers.calls[step_index * cell->buffers.placements + cell->buffers.placement];
  *call = (xb_recorded_call){.fn = step->library, .with = {.c = &cell->c, .function = step->function}};
  for (uint32_t i = 0; i < step->binding_count; i++) {
    call->with.address[i] = xb_buffer_native(bindings[i].buffer) + bindings[i].offset;
    call->with.size[i] = bindings[i].size;
  }
  xb_cmd_native(commands, call_library, call, bindings, step->binding_count);
}

static void record_step(xb_cell *cell, uint32_t i, xb_commands *commands)
{
  const xb_step *step = &cell->plan.steps[i];
  xb_binding b[XB_MAX_BINDINGS];
  bind(cell, step, b);
  uint32_t args[XB_MAX_ARG_BYTES / 4];
  memcpy(args, step->args, sizeof args);
  for (uint32_t a = 0; a < step->address_count; a++)
    memcpy((char *)args + step->addresses[a].at, &(uint64_t){xb_cell_address(cell, step->addresses[a].slot)}, 8);
  switch (step->kind) {
  case XB_STEP_DISPATCH:
    xb_cmd_dispatch(commands, &(xb_dispatch){
                                  .kernel = cell->buffers.kernels[step->kernel],
                                  .bindings = b,
                                  .binding_count = step->binding_count,
                                  .args = args,
                                  .arg_bytes = cell->plan.kernels[step->kernel].arg_bytes,
                                  .groups = {step->groups[0], step->groups[1], step->groups[2]},
                                  .early = step->early,
                              });
    break;
  case XB_STEP_LIBRARY: record_library(cell, i, b, commands); break;
  case XB_STEP_FILL: xb_cmd_fill(commands, b[0].buffer, b[0].offset, b[0].size, step->args[0]); break;
  case XB_STEP_BARRIER: xb_cmd_barrier(commands); break;
  case XB_STEP_CALL: break; /* below, and lists.c */
  case XB_STEP_COPY: xb_cmd_copy(commands, b[0].buffer, b[0].offset, b[1].buffer, b[1].offset, b[1].size); break;
  }
}

void xb_cell_record_list(xb_cell *cell, uint32_t list, xb_commands *commands)
{
  for (uint32_t i = 0; i < cell->plan.step_count; i++)
    if (cell->plan.steps[i].list == list)
      record_step(cell, i, commands);
}

void xb_cell_record(xb_cell *cell, bool backwards, xb_commands *commands)
{
  const uint32_t count = cell->plan.step_count;
  for (uint32_t begin = 0, end; begin < count; begin = end) {
    end = begin + 1; /* a barrier is a part of its own */
    while (cell->plan.steps[begin].kind != XB_STEP_BARRIER && end < count &&
           cell->plan.steps[end].kind != XB_STEP_BARRIER)
      end++;
    for (uint32_t i = begin; i < end; i++)
      record_step(cell, backwards ? begin + end - 1 - i : i, commands);
  }
}

/* ---- Calls of the host ------------------------------------------------------------------------------------------ */

enum { MOST_LISTS = 16 };

/* The end of the steps from `begin` on that go into one list. */
static uint32_t list_end(const xb_plan *plan, uint32_t begin)
{
  while (begin < plan->step_count && plan->steps[begin].kind != XB_STEP_CALL)
    begin++;
  return begin;
}

/* One list for each part of the plan that has commands, in order. */
static bool record_lists(xb_cell *cell, xb_commands *lists[MOST_LISTS])
{
  uint32_t made = 0;
  for (uint32_t i = 0; i < cell->plan.step_count; i++) {
    const uint32_t end = list_end(&cell->plan, i);
    if (end == i)
      continue;
    if (made == MOST_LISTS) {
      xb_fail(&cell->verdict.error, XB_UNSUPPORTED, "calls", "a plan has at most %d command lists between its calls",
              MOST_LISTS);
      return xb_cell_fail(cell);
    }
    if (xb_cell_commands(cell, "between calls", 0, &lists[made]))
      return xb_cell_fail(cell);
    for (; i < end; i++)
      record_step(cell, i, lists[made]);
    if (xb_commands_finish(lists[made++], &cell->verdict.error))
      return xb_cell_fail(cell);
  }
  return true;
}

static bool run_list(xb_cell *cell, xb_commands *list)
{
  const xb_workload *w = cell->workload;
  xb_point done;
  return (!xb_submit(w->device, &(xb_submission){.commands = list}, &done, &cell->verdict.error) &&
          !xb_wait(w->device, done, w->wait_limit_ns, &cell->verdict.error)) ||
         xb_cell_fail(cell);
}

bool xb_cell_call(xb_cell *cell, const xb_step *step, double *untimed_ns)
{
  xb_binding bindings[XB_MAX_BINDINGS];
  xb_call call = {.c = &cell->c, .device = cell->workload->device, .checks = !cell->samples.sampling};
  bind(cell, step, bindings);
  for (uint32_t i = 0; i < step->binding_count; i++) {
    char *host = xb_buffer_host(bindings[i].buffer);
    call.bindings[i].buffer = bindings[i].buffer;
    call.bindings[i].offset = bindings[i].offset;
    call.bindings[i].size = bindings[i].size;
    call.bindings[i].host = host ? host + bindings[i].offset : NULL;
  }
  double ns = 0;
  const double begin = xb_clock_ns();
  const xb_code code =
      step->timed ? step->timed(&call, &ns, &cell->verdict.error) : step->call(&call, &cell->verdict.error);
  *untimed_ns += step->timed ? xb_clock_ns() - begin - ns : call.untimed_ns;
  return !code || xb_cell_fail(cell);
}

static bool run_steps(xb_cell *cell, xb_commands *const *lists, double *ns)
{
  double untimed_ns = 0;
  const double begin = xb_clock_ns();
  for (uint32_t i = 0; i < cell->plan.step_count; i++) {
    const uint32_t end = list_end(&cell->plan, i);
    if (end > i && !run_list(cell, *lists++))
      return false;
    if (end < cell->plan.step_count && !xb_cell_call(cell, &cell->plan.steps[end], &untimed_ns))
      return false;
    i = end;
  }
  *ns = xb_clock_ns() - begin - untimed_ns;
  cell->samples.untimed_ns = untimed_ns;
  return true;
}

bool xb_cell_run_calls(xb_cell *cell, double *ns)
{
  xb_commands *lists[MOST_LISTS] = {0};
  const bool good = record_lists(cell, lists) && run_steps(cell, lists, ns);
  for (int i = 0; i < MOST_LISTS; i++)
    xb_commands_destroy(lists[i]);
  return good;
}
