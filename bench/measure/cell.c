#include "measure/cell.h"

#include "base/fnv.h"
#include "benchmarks/input.h"
#include "os/numa.h"
#include "os/supervise.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool xb_cell_fail(xb_cell *cell)
{
  static const char wait[] = "xb_wait: ";
  char *message = cell->verdict.error.message; /* it says itself what happened, and where: not in that call */
  if (!strncmp(message, wait, strlen(wait)))
    memmove(message, message + strlen(wait), strlen(message + strlen(wait)) + 1);
  cell->verdict.outcome = cell->verdict.error.code == XB_UNSUPPORTED ? XB_CELL_UNSUPPORTED : XB_CELL_FAILED;
  return false;
}

bool xb_cell_wrong(xb_cell *cell, const char *why)
{
  cell->verdict.error = (xb_error){.code = XB_INTERNAL};
  snprintf(cell->verdict.error.message, sizeof cell->verdict.error.message, "%s", why);
  cell->verdict.outcome = XB_CELL_WRONG;
  cell->verdict.verified = false;
  return false;
}

bool xb_cell_nomem(xb_cell *cell, const char *where)
{
  xb_fail(&cell->verdict.error, XB_NOMEM, where, "out of host memory");
  return xb_cell_fail(cell);
}

bool xb_cell_stopped(xb_cell *cell)
{
  if (!cell->stop || !*cell->stop)
    return false;
  cell->verdict.outcome = XB_CELL_INTERRUPTED;
  return true;
}

double xb_cell_runs(const xb_cell *cell)
{
  return (double)cell->samples.batch * (cell->c.repeats ? cell->c.repeats : 1);
}

xb_code xb_cell_commands(xb_cell *cell, const char *label, uint32_t timestamps, xb_commands **commands)
{
  const xb_commands_desc desc = {.label = label, .queue = cell->c.variant->queue, .timestamp_count = timestamps};
  return xb_commands_create(cell->workload->device, &desc, commands, &cell->verdict.error);
}

/* ---- Kernels ---------------------------------------------------------------------------------------------------- */

xb_code xb_fresh_code(xb_kernel_desc *desc, uint32_t **copy, xb_error *err)
{
  const uint32_t number = xb_new_number();
  size_t replaced = 0;
  *copy = malloc(desc->code_bytes);
  if (!*copy)
    return xb_fail(err, XB_NOMEM, desc->label, "out of host memory");
  memcpy(*copy, desc->code, desc->code_bytes);
  for (size_t i = 0; i < desc->code_bytes / sizeof number; i++)
    if ((*copy)[i] == XB_FRESH_WORD) {
      (*copy)[i] = number;
      replaced++;
    }
  desc->code = *copy;
  return replaced
             ? XB_OK
             : xb_fail(err, XB_UNSUPPORTED, desc->label, "the code has no constant 0x%X to replace", XB_FRESH_WORD);
}

/* For an emulation, loading code runs it: its static objects. 0: no limit. */
static double load_limit_s(const xb_cell *cell)
{
  enum { MORE_S = 10 };
  return xb_device_get_info(cell->workload->device)->emulates ? (double)cell->workload->wait_limit_ns / 1e9 + MORE_S
                                                              : 0;
}

static bool create_kernel(xb_cell *cell, uint32_t k)
{
  const xb_case *c = &cell->c;
  const xb_plan_kernel *kernel = &cell->plan.kernels[k];
  char label[160], name[XB_VARIANT_NAME];
  snprintf(label, sizeof label, "%s/%s", c->variant->benchmark->name,
           kernel->name ? kernel->name : xb_variant_name(c->variant, name));
  xb_kernel_desc desc = {
      .label = label,
      .group_size = {c->block, 1, 1},
      .binding_count = kernel->binding_count,
      .arg_bytes = kernel->arg_bytes,
      .no_statistics = c->variant->clock == XB_CLOCK_FIRST || c->variant->clock == XB_CLOCK_CREATE,
  };
  if (xb_find_code(c, kernel, &desc, &cell->verdict.error))
    return xb_cell_fail(cell);
  cell->buffers.code_hash =
      xb_fnv1a(cell->buffers.code_hash ? cell->buffers.code_hash : XB_FNV_START, desc.code, desc.code_bytes);
  uint32_t *fresh = NULL;
  xb_code code = c->variant->fresh ? xb_fresh_code(&desc, &fresh, &cell->verdict.error) : XB_OK;
  xb_may_hang(load_limit_s(cell));
  if (!code)
    code = xb_kernel_create(cell->workload->device, &desc, &cell->buffers.kernels[k], &cell->verdict.error);
  xb_may_hang(0);
  free(fresh);
  return !code || xb_cell_fail(cell);
}

bool xb_cell_create_kernels(xb_cell *cell)
{
  bool good = true;
  cell->buffers.code_hash = 0;
  for (uint32_t k = 0; k < cell->plan.kernel_count && good; k++)
    good = create_kernel(cell, k);
  return good;
}

void xb_cell_destroy_kernels(xb_cell *cell)
{
  if (cell->buffers.kernels) /* a cell that has none may have no device */
    xb_may_hang(load_limit_s(cell));
  for (uint32_t k = 0; cell->buffers.kernels && k < cell->plan.kernel_count; k++) {
    xb_kernel_destroy(cell->buffers.kernels[k]);
    cell->buffers.kernels[k] = NULL;
  }
  if (cell->buffers.kernels)
    xb_may_hang(0);
}

/* ---- Inputs of the host, and images ----------------------------------------------------------------------------- */

static xb_mem memory_of(const xb_slot *slot)
{
  if (slot->memory)
    return slot->memory;
  switch (slot->role) {
  case XB_ROLE_HOST_INPUT: return XB_MEM_UPLOAD;
  case XB_ROLE_HOST_OUTPUT: return XB_MEM_READBACK;
  default: return XB_MEM_DEVICE;
  }
}

static void fill_host_input(const xb_cell *cell, const xb_slot *slot, char *host)
{
  const uint64_t bytes = slot->bytes;
  const uint32_t guard = XB_INPUT_GUARD;
  for (uint32_t i = 0; i < XB_GUARD_BYTES; i += sizeof guard) {
    memcpy(host + i, &guard, sizeof guard);
    memcpy(host + XB_GUARD_BYTES + bytes + i, &guard, sizeof guard);
  }
  const uint32_t element = xb_slot_element_bytes(slot, cell->c.dtype);
  (slot->generate ? slot->generate : xb_input)(cell->c.dtype, cell->c.seed, slot->split ? cell->c.first : 0,
                                               bytes / element, host + XB_GUARD_BYTES);
}

void xb_cell_fill_host_inputs(const xb_cell *cell)
{
  for (uint32_t i = 0; i < cell->plan.slot_count; i++)
    if (cell->plan.slots[i].role == XB_ROLE_HOST_INPUT)
      fill_host_input(cell, &cell->plan.slots[i],
                      xb_buffer_host(cell->buffers.placed[i * cell->buffers.placements].buffer));
}

/* One image for all placements: its position cannot be chosen. */
static bool create_images(xb_cell *cell)
{
  cell->buffers.images = calloc(cell->plan.slot_count + 1u, sizeof *cell->buffers.images);
  xb_code code = cell->buffers.images ? XB_OK : XB_NOMEM;
  if (code)
    return xb_cell_nomem(cell, "cell");
  for (uint32_t i = 0; i < cell->plan.slot_count && !code; i++)
    if (cell->plan.slots[i].image.format)
      code = xb_image_create(cell->workload->device, &cell->plan.slots[i].image, &cell->buffers.images[i],
                             &cell->verdict.error);
  return !code || xb_cell_fail(cell);
}

bool xb_cell_fill_images(xb_cell *cell)
{
  const xb_workload *w = cell->workload;
  xb_commands *commands = NULL;
  xb_code code = XB_OK;
  for (uint32_t i = 0; i < cell->plan.slot_count && !code; i++) {
    if (!cell->buffers.images[i])
      continue;
    const bool input = cell->plan.slots[i].role == XB_ROLE_INPUT || cell->plan.slots[i].role == XB_ROLE_INOUT;
    const xb_placement from =
        input ? xb_workload_input(w, &cell->plan.slots[i])->placed[0] : xb_cell_placement(cell, i);
    code = xb_commands_create(w->device, &(xb_commands_desc){.label = "fill image"}, &commands, &cell->verdict.error);
    if (code)
      break;
    xb_cmd_copy_to_image(commands, cell->buffers.images[i], from.buffer,
                         from.begin + (input ? xb_cell_window_offset(cell, &cell->plan.slots[i]) : 0));
    code = xb_workload_run(w, commands, &cell->verdict.error);
  }
  return !code || xb_cell_fail(cell);
}

/* ---- Placements ------------------------------------------------------------------------------------------------- */

/* As many as memory allows, but no more than the inputs that the cell reads. */
static uint32_t choose_placements(const xb_cell *cell)
{
  const uint32_t inputs = cell->workload->input_count;
  uint32_t most = cell->most_placements ? cell->most_placements : XB_MAX_PLACEMENTS;
  for (uint32_t i = 0; i < cell->plan.slot_count; i++)
    if (cell->plan.slots[i].role == XB_ROLE_INPUT && inputs > 1 && inputs < most)
      most = inputs;
  return xb_cell_placements(cell, most);
}

xb_placement xb_cell_placement(const xb_cell *cell, uint32_t slot)
{
  const xb_workload *w = cell->workload;
  const bool is_input = cell->plan.slots[slot].role == XB_ROLE_INPUT;
  return is_input ? xb_workload_input(w, &cell->plan.slots[slot])->placed[cell->buffers.placement % w->input_count]
                  : cell->buffers.placed[slot * cell->buffers.placements + cell->buffers.placement];
}

uint64_t xb_cell_address(const xb_cell *cell, uint32_t slot)
{
  const xb_slot *s = &cell->plan.slots[slot];
  const xb_placement placement = xb_cell_placement(cell, slot);
  return xb_buffer_address(placement.buffer) + placement.begin +
         (s->role == XB_ROLE_INPUT ? xb_cell_window_offset(cell, s) : 0);
}

void xb_cell_set_window(xb_cell *cell, uint32_t window)
{
  bool slides = false;
  for (uint32_t i = 0; i < cell->plan.slot_count; i++)
    slides |= cell->plan.slots[i].slides;
  if (slides)
    cell->c.first = -(uint64_t)window * XB_WINDOW_STEP;
}

uint64_t xb_cell_window_offset(const xb_cell *cell, const xb_slot *slot)
{
  const xb_input_buffer *input = xb_workload_input(cell->workload, slot);
  return input->lead ? input->lead + cell->c.first * input->element_bytes : 0;
}

/* On its NUMA node: the system puts a page where the thread that touches it first is told to. */
static xb_code place_on_node(const xb_cell *cell, const xb_slot *slot, const xb_buffer_desc *desc, uint64_t *random,
                             xb_placement *placements, xb_error *err)
{
  const int node = (int)slot->node - 1;
  if (node >= 0 && !xb_numa_bind((uint32_t)node))
    return xb_fail(err, XB_UNSUPPORTED, "place", "this host gives no memory of NUMA node %d: it has %" PRIu32, node,
                   xb_numa_nodes());
  xb_code code = xb_placements_create(cell->workload->device, desc, cell->buffers.placements, random, placements, err);
  for (uint32_t p = 0; p < cell->buffers.placements && node >= 0 && !code; p++) {
    char *host = xb_buffer_host(placements[p].buffer);
    memset(host, 0, xb_buffer_bytes(placements[p].buffer));
    const int is = xb_numa_node_of(host);
    if (is < 0)
      code = xb_fail(err, XB_UNSUPPORTED, "place", "no driver reports the NUMA node of its memory");
    else if (is != node)
      code = xb_fail(err, XB_UNSUPPORTED, "place", "the driver's memory is on NUMA node %d, not %d", is, node);
  }
  if (node >= 0)
    xb_numa_free();
  return code;
}

static xb_code place_slots(xb_cell *cell)
{
  char name[96];
  snprintf(name, sizeof name, "%s/%u", cell->c.variant->benchmark->name, cell->c.variant->number);
  uint64_t random =
      xb_placement_stream(cell->c.seed, cell->c.device, name); /* so that cells get different placements */
  xb_code code = XB_OK;
  for (uint32_t i = 0; i < cell->plan.slot_count && !code; i++) {
    const xb_slot *slot = &cell->plan.slots[i];
    const xb_buffer_desc desc = {
        .label = slot->name, .mem = memory_of(slot), .bytes = slot->bytes, .addressable = slot->addressed};
    xb_placement *placements = &cell->buffers.placed[i * cell->buffers.placements];
    if (slot->role == XB_ROLE_INPUT)
      continue;
    code = place_on_node(cell, slot, &desc, &random, placements, &cell->verdict.error);
    if (!code && slot->role == XB_ROLE_HOST_INPUT)
      fill_host_input(cell, slot, xb_buffer_host(placements[0].buffer));
  }
  return code;
}

static void destroy_placements(xb_cell *cell)
{
  for (uint32_t i = 0; cell->buffers.placed && i < cell->plan.slot_count; i++)
    xb_placements_destroy(&cell->buffers.placed[i * cell->buffers.placements], cell->buffers.placements);
}

static bool create_buffers(xb_cell *cell)
{
  cell->buffers.placements = choose_placements(cell);
  cell->buffers.placed =
      calloc((size_t)cell->plan.slot_count * cell->buffers.placements + 1, sizeof *cell->buffers.placed);
  cell->buffers.calls =
      calloc((size_t)cell->plan.step_count * cell->buffers.placements + 1, sizeof *cell->buffers.calls);
  if (!cell->buffers.placed || !cell->buffers.calls)
    return xb_cell_nomem(cell, "cell");
  xb_code code = place_slots(cell);
  if (code == XB_NOMEM && cell->buffers.placements > 1) { /* the memory that was free is now in use elsewhere */
    destroy_placements(cell);
    cell->buffers.placements = 1;
    cell->verdict.error = (xb_error){0};
    code = place_slots(cell);
  }
  cell->buffers.crowded = cell->buffers.placements == 1 && xb_cell_placements(cell, XB_MAX_PLACEMENTS) > 1;
  return !code || xb_cell_fail(cell);
}

bool xb_cell_for_slots(xb_cell *cell, bool all_placements, const char *label,
                       void (*record)(const xb_cell *, uint32_t, xb_commands *))
{
  xb_commands *commands;
  const uint32_t current = cell->buffers.placement;
  if (xb_commands_create(cell->workload->device, &(xb_commands_desc){.label = label}, &commands, &cell->verdict.error))
    return xb_cell_fail(cell);
  for (uint32_t p = 0; p < cell->buffers.placements; p++)
    for (uint32_t i = 0; i < cell->plan.slot_count && (all_placements || p == current); i++) {
      cell->buffers.placement = p;
      record(cell, i, commands);
    }
  cell->buffers.placement = all_placements ? 0 : current;
  return !xb_workload_run(cell->workload, commands, &cell->verdict.error) || xb_cell_fail(cell);
}

/* Counters are zeroed only once: if a kernel does not reset its counter, the next run shows it. */
static void zero_counter(const xb_cell *cell, uint32_t slot, xb_commands *commands)
{
  if (cell->plan.slots[slot].role != XB_ROLE_COUNTER)
    return;
  const xb_placement placement = xb_cell_placement(cell, slot);
  xb_cmd_fill(commands, placement.buffer, placement.begin, cell->plan.slots[slot].zero_bytes, 0);
}

/* ---- A cell ----------------------------------------------------------------------------------------------------- */

static xb_code prepare(const xb_native *native, void *user, xb_error *err)
{
  xb_cell *cell = user;
  return cell->c.variant->benchmark->methods->prepare(&cell->c, native, &cell->plan, err);
}

static bool prepare_library(xb_cell *cell)
{
  return cell->c.variant->source != LIBRARY ||
         !xb_device_native(cell->workload->device, prepare, cell, &cell->verdict.error) || xb_cell_fail(cell);
}

bool xb_cell_plan_again(xb_cell *cell, uint32_t repeats)
{
  double seen[XB_MAX_SEEN];
  memcpy(seen, cell->plan.seen, sizeof seen); /* the first outputs are the same, however often the work is repeated */
  xb_plan_free(&cell->plan);
  cell->c.repeats = repeats;
  const xb_code code = xb_plan_make(&cell->c, &cell->plan, &cell->verdict.error);
  memcpy(cell->plan.seen, seen, sizeof seen);
  return !code || xb_cell_fail(cell);
}

/* True if the API can express the variant. */
static bool has_counterpart(xb_cell *cell)
{
  const char *why;
  if (xb_variant_likeness(cell->c.variant, xb_api_of(cell->c.device), &why) != XB_NONE)
    return true;
  cell->verdict.error = (xb_error){.code = XB_UNSUPPORTED};
  snprintf(cell->verdict.error.message, sizeof cell->verdict.error.message, "%s", why);
  cell->verdict.outcome = XB_CELL_NO_COUNTERPART;
  return false;
}

bool xb_cell_plan(xb_cell *cell)
{
  if (!has_counterpart(cell))
    return false;
  if (cell->loop == XB_LOOP_KERNEL && !cell->c.variant->repeats) {
    xb_fail(&cell->verdict.error, XB_UNSUPPORTED, "--loop kernel", "%s/%u does not repeat its work inside the kernel",
            cell->c.variant->benchmark->name, cell->c.variant->number);
    return xb_cell_fail(cell);
  }
  return !xb_plan_make(&cell->c, &cell->plan, &cell->verdict.error) || xb_cell_fail(cell);
}

void xb_cell_refuse(xb_cell *cell)
{
  if (cell->c.variant->source == LIBRARY)
    prepare_library(cell);
  else
    xb_plan_free(&cell->plan); /* nothing came of it */
}

void xb_cell_create(xb_cell *cell)
{
  if ((!cell->plan.step_count && !xb_cell_plan(cell)) || !prepare_library(cell))
    return;
  cell->buffers.kernels = calloc(cell->plan.kernel_count + 1u, sizeof *cell->buffers.kernels);
  if (!cell->buffers.kernels)
    xb_cell_nomem(cell, "cell");
  else if (xb_cell_create_kernels(cell) && create_buffers(cell) && create_images(cell) && xb_cell_fill_images(cell))
    xb_cell_for_slots(cell, true, "zero", zero_counter);
}

void xb_cell_share(xb_cell *cell)
{
  const xb_cell own = *cell;
  *cell = *own.shared;
  cell->shared = own.shared;
  cell->is_control = own.is_control;
  cell->base = own.base;
}

void xb_cell_destroy(xb_cell *cell)
{
  if (!cell->shared) {
    for (uint32_t p = 0; p < XB_MAX_PLACEMENTS; p++)
      xb_commands_destroy(cell->buffers.timed[p]);
    xb_commands_destroy(cell->buffers.once);
    xb_lists_destroy(cell);
    xb_cell_destroy_kernels(cell);
    destroy_placements(cell);
    for (uint32_t i = 0; cell->buffers.images && i < cell->plan.slot_count; i++)
      xb_image_destroy(cell->buffers.images[i]);
    free(cell->buffers.images);
    free(cell->buffers.kernels);
    free(cell->buffers.placed);
    free(cell->buffers.calls);
    xb_plan_free(&cell->plan);
  }
  free(cell->samples.ns);
  free(cell->samples.host_ns);
  free(cell->samples.issue_ns);
}
