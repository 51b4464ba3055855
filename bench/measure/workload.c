#include "benchmarks/input.h"
#include "measure/cell.h"

#include <stdlib.h>
#include <string.h>

static const uint64_t STAGING_BYTES = 32ull << 20;

xb_code xb_workload_run(const xb_workload *w, xb_commands *commands, xb_error *err)
{
  xb_point done;
  xb_code code = xb_submit(w->device, &(xb_submission){.commands = commands}, &done, err);
  if (!code)
    code = xb_wait(w->device, done, w->wait_limit_ns, err);
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

xb_code xb_workload_read(const xb_workload *w, xb_buffer *buffer, uint64_t offset, uint64_t bytes, xb_error *err)
{
  return copy(w, w->readback, 0, buffer, offset, bytes, err);
}

static xb_code guard_input(const xb_workload *w, xb_error *err)
{
  const xb_place place = w->inputs[0];
  xb_commands *commands;
  const xb_code code = xb_commands_create(w->device, &(xb_commands_desc){.label = "guard input"}, &commands, err);
  if (code)
    return code;
  xb_cmd_fill(commands, place.buffer, place.begin - XB_GUARD_BYTES, XB_GUARD_BYTES, XB_INPUT_GUARD);
  xb_cmd_fill(commands, place.buffer, place.begin + w->n * XB_ELEMENT_BYTES, XB_GUARD_BYTES, XB_INPUT_GUARD);
  return xb_workload_run(w, commands, err);
}

static xb_code upload_input(xb_workload *w, const xb_benchmark *benchmark, xb_error *err)
{
  void *staging = xb_buffer_host(w->upload);
  const uint64_t at_once = xb_buffer_bytes(w->upload) / XB_ELEMENT_BYTES;
  xb_code code = XB_OK;
  for (uint64_t first = 0; first < w->n && !code; first += at_once) {
    const uint64_t count = w->n - first < at_once ? w->n - first : at_once;
    xb_input(w->dtype, w->seed, first, count, staging);
    if (benchmark->reference)
      benchmark->reference(&w->reference, w->dtype, staging, count);
    code = copy(w, w->inputs[0].buffer, w->inputs[0].begin + first * XB_ELEMENT_BYTES, w->upload, 0,
                count * XB_ELEMENT_BYTES, err);
  }
  return code;
}

xb_code xb_workload_create(xb_workload *w, xb_device *device, const xb_benchmark *benchmark, xb_dtype dtype, uint64_t n,
                           uint64_t seed, uint64_t wait_limit_ns, xb_error *err)
{
  *w = (xb_workload){.device = device, .dtype = dtype, .n = n, .seed = seed, .wait_limit_ns = wait_limit_ns};
  const uint64_t bytes = n * XB_ELEMENT_BYTES;
  const uint64_t staging = bytes < STAGING_BYTES ? bytes : STAGING_BYTES;
  const uint64_t readback = staging < 2 * XB_GUARD_BYTES ? 2 * XB_GUARD_BYTES : staging;
  const xb_buffer_desc input = {.label = "input", .mem = XB_MEM_DEVICE, .bytes = bytes};
  const xb_buffer_desc up = {.label = "upload", .mem = XB_MEM_UPLOAD, .bytes = staging};
  const xb_buffer_desc down = {.label = "readback", .mem = XB_MEM_READBACK, .bytes = readback};
  xb_code code = xb_places_create(device, &input, 1, NULL, w->inputs, err);
  if (!code)
    code = xb_buffer_create(device, &up, &w->upload, err);
  if (!code)
    code = xb_buffer_create(device, &down, &w->readback, err);
  if (!code)
    code = guard_input(w, err);
  if (!code)
    code = upload_input(w, benchmark, err);
  w->input_count = 1;
  if (code)
    xb_workload_destroy(w);
  return code;
}

/* With its guards, on the device. */
static xb_code copy_input(const xb_workload *w, xb_place to, xb_error *err)
{
  const xb_place from = w->inputs[0];
  return copy(w, to.buffer, to.begin - XB_GUARD_BYTES, from.buffer, from.begin - XB_GUARD_BYTES,
              w->n * XB_ELEMENT_BYTES + 2 * XB_GUARD_BYTES, err);
}

void xb_workload_place_inputs(xb_workload *w, uint32_t count)
{
  const xb_buffer_desc desc = {.label = "input", .mem = XB_MEM_DEVICE, .bytes = w->n * XB_ELEMENT_BYTES};
  const uint32_t more = count - 1;
  xb_place *places = &w->inputs[1];
  uint64_t random = xb_place_stream(w->seed, xb_device_get_info(w->device), "input");
  xb_code code = XB_OK;
  if (!more || xb_places_create(w->device, &desc, more, &random, places, NULL))
    return;
  for (uint32_t p = 0; p < more && !code; p++)
    code = copy_input(w, places[p], NULL);
  if (code)
    xb_places_destroy(places, more);
  else
    w->input_count = count;
}

xb_code xb_workload_create_flush(xb_workload *w, uint64_t bytes, xb_error *err)
{
  const xb_buffer_desc desc = {.label = "flush", .mem = XB_MEM_DEVICE, .bytes = (bytes + 3) / 4 * 4};
  return xb_buffer_create(w->device, &desc, &w->flush, err);
}

void xb_workload_destroy(xb_workload *w)
{
  xb_buffer_destroy(w->flush);
  xb_places_destroy(w->inputs, 1);
  xb_places_destroy(&w->inputs[1], XB_MAX_PLACEMENTS - 1);
  xb_buffer_destroy(w->upload);
  xb_buffer_destroy(w->readback);
  w->upload = w->readback = w->flush = NULL;
}
