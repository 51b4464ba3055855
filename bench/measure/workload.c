#include "measure/workload.h"
#include "benchmarks/input.h"
#include "core/clock.h"

#include <stdlib.h>
#include <string.h>

static const uint64_t STAGING_BYTES = 32ull << 20;
static const uint64_t MOST_DRAWN_BYTES = 256ull << 20;
static const double MOST_DRAWING_NS = 0.05e9;
static const uint64_t LEAST_READBACK_BYTES = 1ull << 20; /* an output may be much longer than the inputs */

xb_code xb_workload_run(const xb_workload *w, xb_commands *commands, xb_error *err)
{
  xb_point done;
  xb_code code = xb_submit(w->device, &(xb_submission){.commands = commands}, &done, err);
  code = code ? code : xb_wait(w->device, done, w->wait_limit_ns, err);
  xb_commands_destroy(commands);
  return code;
}

static xb_code copy(const xb_workload *w, xb_buffer *dst, uint64_t dst_offset, xb_buffer *src, uint64_t src_offset,
                    uint64_t bytes, xb_error *err)
{
  xb_commands *commands;
  const xb_code code = xb_commands_create(w->device, &(xb_commands_desc){.label = "transfer"}, &commands, err);
  if (code)
    return code;
  xb_cmd_copy(commands, dst, dst_offset, src, src_offset, bytes);
  return xb_workload_run(w, commands, err);
}

xb_code xb_workload_read(const xb_workload *w, uint64_t to, xb_buffer *buffer, uint64_t offset, uint64_t bytes,
                         xb_error *err)
{
  return copy(w, w->readback, to, buffer, offset, bytes, err);
}

/* Inputs with the same generator and element size are the same. */
static uint32_t find_input(const xb_workload *w, const xb_slot *slot)
{
  const xb_generator *g = &slot->generator;
  const uint32_t element = xb_slot_element_bytes(slot, w->dtype);
  uint32_t i = 0;
  for (const xb_input_buffer *in = w->inputs; i < w->input_kinds; i++, in++)
    if (in->generate == slot->generate && in->element_bytes == element && in->generator.generate == g->generate &&
        in->generator.user == g->user && in->generator.number == g->number)
      break;
  return i;
}

const xb_input_buffer *xb_workload_input(const xb_workload *w, const xb_slot *slot)
{
  return &w->inputs[find_input(w, slot)];
}

static xb_code note_input(xb_workload *w, const xb_slot *slot, const xb_case *c, xb_error *err)
{
  const bool referred = c->variant->benchmark == w->of, untrusted = c->variant->benchmark->methods->untrusted;
  const uint32_t i = find_input(w, slot);
  if (i == XB_MAX_INPUTS)
    return xb_fail(err, XB_UNSUPPORTED, slot->name, "a run supports at most %d inputs", XB_MAX_INPUTS);
  xb_input_buffer *input = &w->inputs[i];
  if (i == w->input_kinds) {
    *input = (xb_input_buffer){.name = slot->name,
                               .generate = slot->generate,
                               .generator = slot->generator,
                               .first = slot->split ? c->first : 0,
                               .element_bytes = xb_slot_element_bytes(slot, w->dtype)};
    if (slot->slides && untrusted) {
      input->first = -(uint64_t)XB_WINDOWS * XB_WINDOW_STEP; /* before element 0, as far as the generator is asked */
      input->lead = (uint64_t)XB_WINDOWS * XB_WINDOW_STEP * input->element_bytes;
    }
    w->input_kinds++;
  }
  input->addressed |= slot->addressed;
  input->drawn |= untrusted && !slot->fixed && !c->variant->benchmark->methods->same_inputs;
  input->bytes = input->lead + slot->bytes > input->bytes ? input->lead + slot->bytes : input->bytes;
  if (referred && !w->reference_bytes)
    w->reference_input = i;
  if (referred && i == w->reference_input && slot->bytes > w->reference_bytes)
    w->reference_bytes = slot->bytes;
  return XB_OK;
}

xb_code xb_workload_need_inputs(xb_workload *w, const xb_case *c, const xb_plan *plan, xb_error *err)
{
  xb_code code = XB_OK;
  for (uint32_t i = 0; i < plan->slot_count && !code; i++)
    if (plan->slots[i].role == XB_ROLE_INPUT || plan->slots[i].role == XB_ROLE_INOUT)
      code = note_input(w, &plan->slots[i], c, err);
  return code;
}

xb_code xb_workload_need(xb_workload *w, const xb_case *c, xb_error *err)
{
  xb_plan plan;
  xb_error ignored;
  if (xb_plan_make(c, &plan, &ignored))
    return XB_OK;
  const xb_code code = xb_workload_need_inputs(w, c, &plan, err);
  xb_plan_free(&plan);
  return code;
}

static xb_code guard_input(const xb_workload *w, const xb_input_buffer *input, xb_error *err)
{
  const xb_placement placement = input->placed[0];
  xb_commands *commands;
  const xb_code code = xb_commands_create(w->device, &(xb_commands_desc){.label = "guard input"}, &commands, err);
  if (code)
    return code;
  xb_cmd_fill(commands, placement.buffer, placement.begin - XB_GUARD_BYTES, XB_GUARD_BYTES, XB_INPUT_GUARD);
  xb_cmd_fill(commands, placement.buffer, placement.begin + input->bytes, XB_GUARD_BYTES, XB_INPUT_GUARD);
  return xb_workload_run(w, commands, err);
}

static uint64_t least(uint64_t a, uint64_t b)
{
  return a < b ? a : b;
}

static void generate(const xb_workload *w, const xb_input_buffer *input, uint64_t seed, uint64_t first, uint64_t count,
                     void *out)
{
  const xb_generator *g = &input->generator;
  if (g->generate)
    g->generate(g->user ? g->user : &g->number, seed, input->first + first, count, out);
  else
    (input->generate ? input->generate : xb_input)(w->dtype, seed, input->first + first, count, out);
}

/* The most bytes, at most `bytes`, that are whole elements and a multiple of 4, as copies need. */
static uint64_t whole_elements(uint64_t bytes, uint32_t element)
{
  const uint64_t unit = element % 4 ? 4ull * element : element;
  return bytes >= unit ? bytes / unit * unit : bytes;
}

static xb_code upload_input(const xb_workload *w, const xb_input_buffer *input, xb_placement to, uint64_t seed,
                            uint64_t reference_bytes, xb_error *err)
{
  void *staging = xb_buffer_host(w->upload);
  const uint32_t element = input->element_bytes;
  const uint64_t at_once = whole_elements(xb_buffer_bytes(w->upload), element);
  xb_code code = XB_OK;
  for (uint64_t done = 0; done < input->bytes && !code && !(w->stop && *w->stop); done += at_once) {
    const uint64_t bytes = least(input->bytes - done, at_once);
    generate(w, input, seed, done / element, bytes / element, staging);
    if (done < reference_bytes)
      w->of->methods->reference(w->reference, w->dtype, staging, least(reference_bytes - done, bytes) / element);
    code = copy(w, to.buffer, to.begin + done, w->upload, 0, bytes, err);
  }
  return code;
}

static xb_code create_input(const xb_workload *w, xb_input_buffer *input, uint64_t reference_bytes, xb_error *err)
{
  const xb_buffer_desc desc = {
      .label = input->name, .mem = XB_MEM_DEVICE, .bytes = input->bytes, .addressable = input->addressed};
  xb_code code = xb_placements_create(w->device, &desc, 1, NULL, input->placed, err);
  code = code ? code : guard_input(w, input, err);
  return code ? code : upload_input(w, input, input->placed[0], w->seed, reference_bytes, err);
}

/* The bytes of this input of which the reference is computed. */
static uint64_t referred_bytes(const xb_workload *w, uint32_t input)
{
  return w->reference && input == w->reference_input ? w->reference_bytes : 0;
}

xb_code xb_workload_refill(const xb_workload *w, uint64_t seed, xb_error *err)
{
  xb_code code = XB_OK;
  if (w->reference)
    memset(w->reference, 0, w->of->methods->state_bytes);
  for (uint32_t i = 0; i < w->input_kinds && !code; i++)
    code = upload_input(w, &w->inputs[i], w->inputs[i].placed[0], seed, referred_bytes(w, i), err);
  return code;
}

xb_code xb_workload_make_draw(const xb_workload *w, uint32_t draw, uint64_t seed, xb_error *err)
{
  xb_code code = XB_OK;
  for (const xb_input_buffer *input = w->inputs; input < w->inputs + w->input_kinds && !code; input++)
    if (input->drawn)
      code = upload_input(w, input, (xb_placement){.buffer = input->draws[draw]}, seed, 0, err);
  return code;
}

void xb_workload_create_draws(xb_workload *w)
{
  const double begin = xb_clock_ns();
  uint64_t bytes = 0;
  for (uint32_t i = 0; i < w->input_kinds; i++)
    bytes += w->inputs[i].drawn ? w->inputs[i].bytes : 0;
  for (xb_code code = XB_OK; bytes && !w->reference && w->draw_count < XB_MAX_DRAWS; w->draw_count++) {
    if (w->draw_count && (bytes * (w->draw_count + 1) > MOST_DRAWN_BYTES || xb_clock_ns() - begin > MOST_DRAWING_NS))
      return;
    for (xb_input_buffer *input = w->inputs; input < w->inputs + w->input_kinds && !code; input++) {
      const xb_buffer_desc desc = {.label = input->name, .mem = XB_MEM_DEVICE, .bytes = input->bytes};
      code = input->drawn ? xb_buffer_create(w->device, &desc, &input->draws[w->draw_count], NULL) : XB_OK;
    }
    if (code || xb_workload_make_draw(w, w->draw_count, w->seed + 1 + w->draw_count, NULL) || (w->stop && *w->stop))
      return;
  }
}

xb_code xb_workload_draw(const xb_workload *w, uint32_t draw, xb_error *err)
{
  xb_commands *commands;
  const xb_code code = xb_commands_create(w->device, &(xb_commands_desc){.label = "draw inputs"}, &commands, err);
  if (code)
    return code;
  for (const xb_input_buffer *input = w->inputs; input < w->inputs + w->input_kinds; input++)
    for (uint32_t p = 0; p < w->input_count && input->drawn; p++)
      xb_cmd_copy(commands, input->placed[p].buffer, input->placed[p].begin, input->draws[draw], 0, input->bytes);
  return xb_workload_run(w, commands, err);
}

static xb_code create_reference(xb_workload *w, xb_error *err)
{
  const xb_methods *methods = w->of ? w->of->methods : NULL;
  if (!methods || !methods->reference)
    return XB_OK;
  w->reference = calloc(1, methods->state_bytes);
  return w->reference ? XB_OK : xb_fail(err, XB_NOMEM, w->of->name, "out of host memory");
}

xb_code xb_workload_create(xb_workload *w, xb_error *err)
{
  /* Outputs are read back through the same memory. */
  uint64_t longest = (w->n * xb_dtype_bytes(w->dtype) + 3) / 4 * 4;
  for (uint32_t i = 0; i < w->input_kinds; i++)
    longest = w->inputs[i].bytes > longest ? w->inputs[i].bytes : longest;
  const uint64_t staging = least(longest, STAGING_BYTES);
  const uint64_t readback = staging < LEAST_READBACK_BYTES ? LEAST_READBACK_BYTES : xb_ceil_div(staging, 8) * 8;
  const xb_buffer_desc up = {.label = "upload", .mem = XB_MEM_UPLOAD, .bytes = staging};
  const xb_buffer_desc down = {.label = "readback", .mem = XB_MEM_READBACK, .bytes = readback};
  xb_code code = create_reference(w, err);
  code = code ? code : xb_buffer_create(w->device, &up, &w->upload, err);
  code = code ? code : xb_buffer_create(w->device, &down, &w->readback, err);
  for (uint32_t i = 0; i < w->input_kinds && !code; i++)
    code = create_input(w, &w->inputs[i], referred_bytes(w, i), err);
  w->input_count = 1;
  if (code)
    xb_workload_destroy(w);
  return code;
}

void xb_workload_place_inputs(xb_workload *w, uint32_t count)
{
  const uint32_t more = count - 1;
  uint64_t random = xb_placement_stream(w->seed, xb_device_get_info(w->device), "input");
  xb_code code = XB_OK;
  uint32_t made = 0;
  for (; more && made < w->input_kinds && !code; made++) {
    xb_input_buffer *input = &w->inputs[made];
    const xb_buffer_desc desc = {
        .label = input->name, .mem = XB_MEM_DEVICE, .bytes = input->bytes, .addressable = input->addressed};
    code = xb_placements_create(w->device, &desc, more, &random, &input->placed[1], NULL);
    const xb_placement *to = input->placed, from = *to;
    for (uint32_t p = 1; p < count && !code; p++) /* with the guards */
      code = copy(w, to[p].buffer, to[p].begin - XB_GUARD_BYTES, from.buffer, from.begin - XB_GUARD_BYTES,
                  input->bytes + 2 * XB_GUARD_BYTES, NULL);
  }
  for (uint32_t i = 0; i < made && code; i++)
    xb_placements_destroy(&w->inputs[i].placed[1], more);
  w->input_count = code ? 1 : count;
}

xb_code xb_workload_create_flush(xb_workload *w, uint64_t bytes, uint64_t window_bytes, xb_error *err)
{
  const uint64_t words = xb_ceil_div(bytes, 4);
  const xb_buffer_desc desc = {.label = "flush", .mem = XB_MEM_DEVICE, .bytes = words * 4};
  xb_commands *list = NULL;
  xb_code code = xb_buffer_create(w->device, &desc, &w->flush, err);
  code = code ? code : xb_sum_create(w->device, w->flush, words, window_bytes, &w->flushing, err);
  code = code ? code : xb_commands_create(w->device, &(xb_commands_desc){.label = "flush"}, &list, err);
  if (code)
    return code;
  xb_cmd_fill(list, w->flush, 0, desc.bytes, 0);
  xb_sum_prepare(&w->flushing, list);
  return xb_workload_run(w, list, err);
}

void xb_workload_flush(const xb_workload *w, xb_commands *list)
{
  xb_sum_record(&w->flushing, list);
}

void xb_workload_destroy(xb_workload *w)
{
  xb_sum_destroy(&w->flushing);
  xb_buffer_destroy(w->flush);
  for (uint32_t i = 0; i < w->input_kinds; i++) {
    xb_placements_destroy(w->inputs[i].placed, 1);
    xb_placements_destroy(&w->inputs[i].placed[1], XB_MAX_PLACEMENTS - 1);
    for (uint32_t d = 0; d < XB_MAX_DRAWS; d++)
      xb_buffer_destroy(w->inputs[i].draws[d]);
  }
  xb_buffer_destroy(w->upload);
  xb_buffer_destroy(w->readback);
  free(w->reference);
  w->upload = w->readback = w->flush = NULL;
  w->reference = NULL;
}
