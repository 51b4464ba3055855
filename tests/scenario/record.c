/* The commands of the scenario. */
#include "work.h"

#include <string.h>

static void stamp(const work *w, int list, uint32_t index)
{
  if (w->stamps[list])
    xb_cmd_timestamp(w->lists[list], index);
  else
    xb_cmd_barrier(w->lists[list]);
}

static void dispatch_step(const work *w, uint32_t first, uint32_t count)
{
  const struct step_args args = {.count = count, .mul = 3, .add = 7};
  const xb_binding from = {.buffer = w->buffers[FROM], .offset = first * 4, .size = count * 4};
  const xb_binding to = {.buffer = w->buffers[TO], .offset = first * 4, .size = count * 4, .access = XB_WRITE};
  xb_dispatch d = {.kernel = w->step, .bindings = (xb_binding[]){from, to}, .binding_count = 2, .groups = {2, 1, 1}};
  d.args = &args;
  d.arg_bytes = sizeof args;
  d.window = (xb_window){.offset = 4, .bytes = w->info->window_bytes ? 8 : 0, .hit_ratio = 0.5f};
  xb_cmd_dispatch(w->lists[COMPUTE], &d);
}

static void dispatch_kernel(const work *w, int i)
{
  const scenario_kernel *k = &w->backend->kernels[i];
  xb_binding bindings[4];
  xb_dispatch d = {.kernel = w->kernels[i], .bindings = bindings, .binding_count = k->desc.binding_count};
  uint64_t output = OUTPUT;
  d.args = k->args;
  d.arg_bytes = k->desc.arg_bytes;
  memcpy(bindings, k->bindings, sizeof bindings);
  for (xb_binding *b = bindings; b < bindings + d.binding_count; b++) {
    if (b->kind == XB_BINDING_IMAGE || b->kind == XB_BINDING_STORAGE_IMAGE) {
      b->image = w->images[b->sampler.filter == XB_FILTER_LINEAR];
      continue;
    }
    b->buffer = w->buffers[b->kind == XB_BINDING_UNIFORM ? UP : b->access == XB_WRITE ? SIDE : FROM];
    b->size = b->kind == XB_BINDING_UNIFORM ? 8 : OUTPUT;
    b->offset = b->access == XB_WRITE ? output : 0;
    output += b->offset ? OUTPUT : 0;
  }
  xb_cmd_barrier(w->lists[COMPUTE]);
  if (k->indirect) {
    xb_cmd_dispatch_indirect(w->lists[COMPUTE], &d, w->buffers[SIDE], 0);
    return;
  }
  d.groups[0] = d.groups[1] = d.groups[2] = 1;
  xb_cmd_dispatch(w->lists[COMPUTE], &d);
}

static void fill_piece(const work *w, int list, uint32_t i, uint32_t word)
{
  xb_cmd_fill(w->lists[list], w->buffers[SIDE], PIECE + i * 4, 4, word);
}

/* TO is computed from FROM but for its tail. SIDE has group counts, pieces, which are filled twice, the last one on
 * another queue, and outputs. Its second half is a copy of the first. */
static void record_compute(const work *w)
{
  xb_commands *c = w->lists[COMPUTE];
  const xb_binding tail = {.buffer = w->buffers[TO], .offset = TAIL * 4, .size = BYTES - TAIL * 4, .access = XB_WRITE};
  stamp(w, COMPUTE, 1); /* before timestamp 0 */
  xb_cmd_copy(c, w->buffers[FROM], 0, w->buffers[UP], 0, BYTES);
  xb_cmd_fill(c, w->buffers[SIDE], 0, 12, 1);
  stamp(w, COMPUTE, 0);
  dispatch_step(w, 0, HALF);
  dispatch_step(w, HALF, TAIL - HALF);
  for (uint32_t i = 0; i < PIECES; i++)
    fill_piece(w, COMPUTE, i, 99);
  xb_cmd_barrier(c);
  xb_cmd_barrier(c);
  if (w->backend->fill)
    xb_cmd_native(c, w->backend->fill, w->buffers[TO], &tail, 1);
  else
    xb_cmd_fill(c, w->buffers[TO], tail.offset, tail.size, TAIL_WORD);
  xb_cmd_native(c, scenario_nothing, NULL, NULL, 0);
  xb_cmd_copy(c, w->buffers[SIDE], w->half, w->buffers[SIDE], 0, w->half);
  for (int i = 0; i < 2 && w->images[i]; i++)
    xb_cmd_copy_to_image(c, w->images[i], w->buffers[FROM], 0);
  for (int i = 0; i < KERNELS && w->kernels[i]; i++)
    dispatch_kernel(w, i);
  xb_cmd_barrier(c);
  if (w->images[0])
    xb_cmd_copy_from_image(c, w->buffers[SIDE], OUTPUT, w->images[0]);
  for (uint32_t i = 0; i < PIECES - 1; i++)
    fill_piece(w, COMPUTE, i, i);
  stamp(w, COMPUTE, 2);
}

static void record_other(const work *w)
{
  stamp(w, OTHER, 0);
  fill_piece(w, OTHER, PIECES - 1, PIECES - 1);
}

static void record_copy(const work *w)
{
  xb_commands *c = w->lists[COPY];
  stamp(w, COPY, 0);
  xb_cmd_copy(c, w->buffers[DOWN], 0, w->buffers[TO], 0, BYTES);
  xb_cmd_copy(c, w->buffers[DOWN], BYTES, w->buffers[SIDE], 0, FACTS);
  xb_cmd_copy(c, w->buffers[DOWN], BYTES + FACTS, w->buffers[SIDE], w->half, FACTS);
  xb_cmd_barrier(c);
  xb_cmd_fill(c, w->buffers[DOWN], BYTES - 4, 4, FILL_WORD);
  stamp(w, COPY, 1);
}

static void record_filling(const work *w)
{
  xb_commands *c = w->lists[FILLING];
  xb_cmd_fill(c, w->buffers[FROM], 0, BYTES, FILL_WORD);
  xb_cmd_barrier(c);
  xb_cmd_copy(c, w->buffers[FROM], BYTES / 2, w->buffers[FROM], 0, BYTES / 2);
  xb_cmd_copy(c, w->buffers[DOWN], 0, w->buffers[FROM], 0, 4);
}

xb_code scenario_record(work *w, xb_error *err)
{
  static void (*const RECORD[LISTS])(const work *w) = {record_compute, record_other, record_copy, record_filling};
  xb_code code = XB_OK;
  for (int i = 0; i < LISTS && !code; i++) {
    RECORD[i](w);
    code = xb_commands_finish(w->lists[i], err);
  }
  return code;
}
