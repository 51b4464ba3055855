#include "run.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "../patience.h"
#include "blob.h"

enum { GUARD_WORDS = 128, GUARD = 0x6A5D6A5D }; /* 512 bytes: valid as a binding's offset on every device */
static const char *const LABELS[BUFFERS] = {"input", "output", "exchange"};

typedef struct bench {
  const wrong_port *port;
  wrong_form form;
  xb_device *device;
  xb_kernel *kernel;
  xb_buffer *buffers[BUFFERS];
  xb_buffer *upload, *readback; /* with the size of the largest buffer */
  xb_commands *commands;
  uint32_t guard_words;
} bench;

/* ---- Creating ---------------------------------------------------------------------------------------------------- */

static uint64_t bytes_of(const bench *b, int i)
{
  return 4u * ((uint64_t)b->port->words[i] + 2 * b->guard_words);
}

static bool runs_cuda(const bench *b)
{
  const xb_device_info *info = xb_device_get_info(b->device);
  return !strcmp(info->emulates ? info->emulates : info->backend, "cuda");
}

/* A device that emulates shaders runs those of Vulkan, and watches them without other code. */
static const xb_blob *code_of(const bench *b)
{
  char name[96];
  const xb_device_info *info = xb_device_get_info(b->device);
  snprintf(name, sizeof name, "%s/%s%s", info->emulates && !runs_cuda(b) ? info->emulates : info->backend,
           b->port->name,
           b->form.watched && runs_cuda(b)      ? ".watched"
           : b->form.wrong && !b->port->on_host ? ".wrong"
                                                : "");
  for (const xb_blob *blob = xb_blobs; blob->name; blob++)
    if (!strcmp(blob->name, name))
      return blob;
  return NULL;
}

static xb_code make_kernel(bench *b, xb_error *err)
{
  const wrong_port *p = b->port;
  const xb_blob *blob = code_of(b);
  const bool cuda = runs_cuda(b);
  if (!blob)
    return xb_fail(err, XB_UNAVAILABLE, p->name, "this build has no code for this backend");
  const xb_kernel_desc desc = {
      .label = p->name,
      .code = blob->data,
      .code_bytes = blob->bytes,
      .entry = !cuda              ? "main"
               : !b->form.watched ? "port"
               : b->form.wrong    ? "port_wrong"
                                  : "port_right",
      .group_size = {p->group_size[0], p->group_size[1], p->group_size[2]},
      .binding_count = p->binding_count,
      .arg_bytes = p->arg_bytes,
  };
  return xb_kernel_create(b->device, &desc, &b->kernel, err);
}

static xb_code make_buffers(bench *b, xb_error *err)
{
  uint64_t largest = 0;
  xb_code code = XB_OK;
  for (int i = 0; i < BUFFERS && !code; i++) {
    if (!b->port->words[i])
      continue;
    largest = bytes_of(b, i) > largest ? bytes_of(b, i) : largest;
    code = xb_buffer_create(b->device, &(xb_buffer_desc){.label = LABELS[i], .bytes = bytes_of(b, i)}, &b->buffers[i],
                            err);
  }
  const xb_buffer_desc up = {.label = "upload", .mem = XB_MEM_UPLOAD, .bytes = largest};
  const xb_buffer_desc back = {.label = "readback", .mem = XB_MEM_READBACK, .bytes = largest};
  if (!code)
    code = xb_buffer_create(b->device, &up, &b->upload, err);
  return code ? code : xb_buffer_create(b->device, &back, &b->readback, err);
}

/* ---- Running ----------------------------------------------------------------------------------------------------- */

/* The binding includes the guard words after the buffer, so a kernel's stores there are found, even if the driver drops
 * stores outside a binding. */
static xb_binding bind(const bench *b, int i, xb_access access)
{
  return (xb_binding){.buffer = b->buffers[i], .offset = 4u * b->guard_words, .access = access};
}

static void dispatch(const bench *b, const xb_binding *bindings)
{
  xb_cmd_dispatch(b->commands, &(xb_dispatch){.kernel = b->kernel,
                                              .bindings = bindings,
                                              .binding_count = b->port->binding_count,
                                              .args = b->port->args,
                                              .arg_bytes = b->port->arg_bytes,
                                              .groups = {b->port->groups, 1, 1}});
}

static void record(const bench *b)
{
  const bool untrue = b->form.blind && b->port->blind_to == BY_TRACKER; /* atomics do not conflict with atomics */
  if (b->port->two_dispatches) {
    const xb_binding first[] = {bind(b, INPUT, XB_READ_WRITE), bind(b, EXCHANGE, untrue ? XB_ATOMIC : XB_WRITE)};
    const xb_binding second[] = {bind(b, EXCHANGE, untrue ? XB_ATOMIC : XB_READ_WRITE), bind(b, OUTPUT, XB_WRITE)};
    dispatch(b, first);
    if (!b->form.wrong)
      xb_cmd_barrier(b->commands);
    dispatch(b, second);
  } else if (b->port->texels) {
    xb_binding bindings[] = {bind(b, INPUT, XB_READ), bind(b, b->form.wrong ? INPUT : OUTPUT, XB_WRITE)};
    bindings[0].kind = XB_BINDING_TEXELS;
    bindings[0].format = XB_TEXEL_UNORM8;
    bindings[0].size = 4u * b->port->words[INPUT];
    dispatch(b, bindings);
  } else {
    const xb_binding bindings[] = {bind(b, INPUT, XB_READ), bind(b, OUTPUT, XB_READ_WRITE), /* some read it, too */
                                   bind(b, EXCHANGE, XB_ATOMIC)};
    dispatch(b, bindings);
  }
}

static xb_code run(const bench *b, xb_commands *commands, xb_error *err)
{
  xb_point point;
  xb_code code = xb_commands_finish(commands, err);
  if (!code)
    code = xb_submit(b->device, &(xb_submission){.commands = commands}, &point, err);
  return code ? code : xb_wait(b->device, point, patience_ns(), err);
}

static xb_code move(const bench *b, xb_buffer *to, xb_buffer *from, uint64_t bytes, xb_error *err)
{
  xb_commands *commands;
  xb_code code = xb_commands_create(b->device, &(xb_commands_desc){.label = "move"}, &commands, err);
  if (code)
    return code;
  xb_cmd_copy(commands, to, 0, from, 0, bytes);
  code = run(b, commands, err);
  xb_commands_destroy(commands);
  return code;
}

/* Sets the contents of buffer i before a run. */
static xb_code set(const bench *b, int i, xb_error *err)
{
  uint32_t *words = xb_buffer_host(b->upload);
  const uint32_t count = b->port->words[i];
  for (uint32_t k = 0; k < count + 2 * b->guard_words; k++)
    words[k] = GUARD;
  for (uint32_t k = 0; k < count; k++)
    words[b->guard_words + k] = i == INPUT ? wrong_port_input(k) : i == OUTPUT ? (uint32_t)POISON : 0;
  return move(b, b->buffers[i], b->upload, bytes_of(b, i), err);
}

/* ---- Checking ---------------------------------------------------------------------------------------------------- */

static void check_guards(const bench *b, int i, const uint32_t *words, wrong_outcome *outcome)
{
  const uint32_t end = b->guard_words + b->port->words[i];
  for (uint32_t k = 0; k < end + b->guard_words; k++) {
    if (words[k] == GUARD || (k >= b->guard_words && k < end))
      continue;
    outcome->caught = BY_GUARDS;
    snprintf(outcome->text, sizeof outcome->text, "guard word %u %s '%s' has 0x%08" PRIx32, k < end ? k : k - end,
             k < end ? "before" : "past the end of", LABELS[i], words[k]);
    return;
  }
}

static void check_output(const bench *b, const uint32_t *words, int round, wrong_outcome *outcome)
{
  for (uint32_t k = 0; k < b->port->words[OUTPUT]; k++) {
    const uint32_t got = words[b->guard_words + k], expected = b->port->expected(k);
    if (got == expected)
      continue;
    outcome->caught = round ? BY_SECOND_RUN : BY_REFERENCE;
    snprintf(outcome->text, sizeof outcome->text, "run %d, word %u is %" PRIu32 "%s, expected %" PRIu32, round + 1, k,
             got, got == POISON ? " (not written)" : "", expected);
    return;
  }
}

static xb_code check(const bench *b, int round, wrong_outcome *outcome, xb_error *err)
{
  xb_code code = XB_OK;
  for (int i = 0; i < BUFFERS && !code && !outcome->caught; i++) {
    if (!b->port->words[i])
      continue;
    code = move(b, b->readback, b->buffers[i], bytes_of(b, i), err);
    if (!code && i == OUTPUT)
      check_output(b, xb_buffer_host(b->readback), round, outcome);
    if (!code && !outcome->caught)
      check_guards(b, i, xb_buffer_host(b->readback), outcome);
  }
  return code;
}

/* Turns an error of the form's commands into an outcome, if it comes from a check. */
static xb_code caught_by_error(xb_code code, const xb_error *err, wrong_outcome *outcome)
{
  if (code == XB_INVALID &&
      (strstr(err->message, "since the last barrier") || strstr(err->message, "twice, and writes them")))
    outcome->caught = BY_TRACKER;
  if (code == XB_INTERNAL && strstr(err->message, "validation:"))
    outcome->caught = BY_LAYER;
  if (code == XB_INTERNAL &&
      (strstr(err->message, " of binding ") || strstr(err->message, "relies on the order of blocks")))
    outcome->caught = BY_EMULATION;
  if (code == XB_INTERNAL && strstr(err->message, "race: kernel "))
    outcome->caught = BY_RACES;
  if (code == XB_INTERNAL && strstr(err->message, "memory: kernel "))
    outcome->caught = BY_MEMORY;
  if (!code || !outcome->caught)
    return code;
  snprintf(outcome->text, sizeof outcome->text, "%s", err->message);
  return XB_OK;
}

static xb_code rounds(bench *b, wrong_outcome *outcome, xb_error *err)
{
  xb_code code = XB_OK;
  for (int round = 0; round < 2 && !code && !outcome->caught; round++) {
    for (int i = 0; i < BUFFERS && !code; i++)
      if (b->port->words[i] && (!round || i == OUTPUT))
        code = set(b, i, err);
    if (!code)
      code = caught_by_error(run(b, b->commands, err), err, outcome);
    if (!code && !outcome->caught)
      code = caught_by_error(check(b, round, outcome, err), err, outcome); /* newer layers report later */
  }
  return code;
}

/* Newer layers report a mistake several times, partly after the wait. What comes late is not the next form's. */
static void take_late_messages(xb_device *device)
{
  for (int i = 0; i < 10; i++) {
    xb_buffer *buffer = NULL;
    xb_error late;
    nanosleep(&(struct timespec){.tv_nsec = 10 * 1000 * 1000}, NULL);
    xb_buffer_create(device, &(xb_buffer_desc){.bytes = 4}, &buffer, &late); /* returns messages as an error */
    xb_buffer_destroy(buffer);
  }
}

xb_code wrong_port_run(xb_device *device, const wrong_port *port, wrong_form form, wrong_outcome *outcome,
                       xb_error *err)
{
  bench b = {.port = port, .form = form, .device = device, .guard_words = GUARD_WORDS};
  *outcome = (wrong_outcome){0};
  if (form.watched || (form.blind && port->blind_to == BY_GUARDS))
    b.guard_words = 0;
  xb_code code = make_kernel(&b, err);
  if (!code)
    code = make_buffers(&b, err);
  if (!code)
    code = xb_commands_create(device, &(xb_commands_desc){.label = port->name}, &b.commands, err);
  if (!code) {
    record(&b);
    code = caught_by_error(xb_commands_finish(b.commands, err), err, outcome);
    if (!code)
      code = rounds(&b, outcome, err);
  }
  xb_commands_destroy(b.commands);
  xb_buffer_destroy(b.upload);
  xb_buffer_destroy(b.readback);
  for (int i = 0; i < BUFFERS; i++)
    xb_buffer_destroy(b.buffers[i]);
  xb_kernel_destroy(b.kernel);
  if (outcome->caught == BY_LAYER)
    take_late_messages(device);
  return code;
}
