#include "support.h"

#include <fcntl.h>
#include <stdalign.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "backend_cuda/driver.h"
#include "patience.h"

enum { BYTES = 256, PIECES = 6, ROUNDS = 2, PAGE = 4096 };

typedef struct play {
  xb_device *device;
  xb_buffer *up, *down, *a, *b;
  xb_image *image, *line; /* of two dimensions, of one */
  xb_kernel *add, *move;
  xb_commands *compute, *other, *copy;
  xb_semaphore *semaphore;
  void *code;
  xb_point last[3];
} play;

static alignas(PAGE) unsigned char pages[PAGE];

/* Of the host: combined and imported memory, and copies of pageable memory. */
static xb_code host_memory(xb_device *device, xb_error *err)
{
  const int fd = open("/dev/null", O_RDONLY); /* the fake driver takes any */
  const xb_buffer_desc descs[] = {
      {.bytes = PAGE},
      {.mem = XB_MEM_UPLOAD_COMBINED, .bytes = PAGE},
      {.mem = XB_MEM_IMPORTED, .bytes = PAGE, .host = pages},
      {.mem = XB_MEM_SHARED, .bytes = PAGE, .shared = {.fd = fd, .bytes = PAGE, .dedicated = true}}};
  xb_buffer *buffers[4] = {0};
  uint32_t in[PAGE / 4], out[PAGE / 4] = {0};
  xb_code code = XB_OK;
  for (int i = 0; i < 4 && !code; i++)
    code = xb_buffer_create(device, &descs[i], &buffers[i], err);
  if (!buffers[3])
    close(fd);
  for (uint32_t i = 0; i < PAGE / 4; i++)
    in[i] = i * 3 + 1;
  if (!code)
    code = xb_upload(buffers[0], 0, in, sizeof in, err);
  if (!code)
    code = xb_download(buffers[0], 0, out, sizeof out, err);
  if (!code && memcmp(in, out, sizeof in) != 0)
    code = xb_fail(err, XB_INTERNAL, "scenario", "other bytes came back");
  for (int i = 0; i < 4; i++)
    xb_buffer_destroy(buffers[i]);
  return code;
}

/* A context of its own, part of whose cache is set aside. The limit ends with the device. */
static xb_code another_context(xb_launch_mode mode, xb_error *err)
{
  xb_device *device;
  uint64_t set;
  const xb_device_desc desc = {.backend = &xb_backend_cuda, .launch_mode = mode, .own_context = true};
  xb_code code = xb_device_open(&desc, &device, err);
  if (code)
    return code;
  code = xb_device_persist(device, 1024, &set, err);
  if (!code && set != 1024)
    code = xb_fail(err, XB_INTERNAL, "scenario", "%d bytes are set aside", (int)set);
  if (!code)
    code = xb_device_persist(device, 512, &set, err);
  const xb_code closed = xb_device_close(device, code ? NULL : err);
  return code ? code : closed;
}

/* Memory of CUDA for others, and back; it is used. */
static xb_code exported_memory(xb_device *device, xb_error *err)
{
  xb_buffer *owner = NULL, *user = NULL;
  xb_shared shared;
  uint32_t word = 41, back = 0;
  xb_code code = xb_buffer_create(device, &(xb_buffer_desc){.bytes = PAGE, .exportable = true}, &owner, err);
  if (!code)
    code = xb_buffer_export(owner, &shared, err);
  if (!code) {
    code =
        xb_buffer_create(device, &(xb_buffer_desc){.mem = XB_MEM_SHARED, .bytes = PAGE, .shared = shared}, &user, err);
    if (code)
      close(shared.fd);
  }
  xb_buffer_destroy(owner); /* the memory stays */
  if (!code)
    code = xb_upload(user, 0, &word, sizeof word, err);
  if (!code)
    code = xb_download(user, 0, &back, sizeof back, err);
  if (!code && back != word)
    code = xb_fail(err, XB_INTERNAL, "scenario", "another word came back");
  xb_buffer_destroy(user);
  return code;
}

static xb_code import_semaphore(play *p, xb_error *err)
{
  const int fd = open("/dev/null", O_RDONLY);
  const xb_code code = xb_semaphore_import(p->device, fd, &p->semaphore, err);
  if (code)
    close(fd);
  return code;
}

static xb_code make_kernel(play *p, const char *entry, uint32_t bindings, uint32_t shared, xb_kernel **kernel,
                           xb_error *err)
{
  static const uint32_t contents[4] = {1, 2, 3, 4};
  const xb_constant constant = {"table", contents, sizeof contents};
  size_t bytes;
  free(p->code);
  p->code = make_fatbin(FATBIN_ELF, 90, "good", &bytes);
  const xb_kernel_desc desc = {.label = entry,
                               .code = p->code,
                               .code_bytes = bytes,
                               .entry = entry,
                               .group_size = {32, 1, 1},
                               .binding_count = bindings,
                               .arg_bytes = 4,
                               .dynamic_shared_bytes = shared,
                               .cache_percent = 25,
                               .constants = &constant,
                               .constant_count = 1};
  return xb_kernel_create(p->device, &desc, kernel, err);
}

static xb_code make(play *p, xb_launch_mode mode, xb_error *err)
{
  xb_device_info info;
  uint32_t count;
  xb_code code = xb_enumerate(&xb_backend_cuda, &info, 1, &count, err);
  const xb_device_desc desc = {.backend = &xb_backend_cuda, .launch_mode = mode, .compute_queues = 2, .copy_queues = 2};
  if (!code)
    code = xb_device_open(&desc, &p->device, err);
  if (!code)
    code = xb_buffer_create(p->device, &(xb_buffer_desc){.mem = XB_MEM_UPLOAD, .bytes = BYTES}, &p->up, err);
  if (!code)
    code = xb_buffer_create(p->device, &(xb_buffer_desc){.mem = XB_MEM_READBACK, .bytes = BYTES}, &p->down, err);
  if (!code)
    code = xb_buffer_create(p->device, &(xb_buffer_desc){.bytes = BYTES}, &p->a, err);
  if (!code)
    code = xb_buffer_create(p->device, &(xb_buffer_desc){.bytes = BYTES}, &p->b, err);
  if (!code)
    code = xb_image_create(
        p->device,
        &(xb_image_desc){
            .label = "image", .format = XB_TEXEL_FLOAT32, .width = BYTES / 16, .height = 4, .storage = true},
        &p->image, err);
  if (!code)
    code = xb_image_create(p->device, &(xb_image_desc){.label = "line", .format = XB_TEXEL_FLOAT32, .width = BYTES / 4},
                           &p->line, err);
  if (!code)
    code = make_kernel(p, "p1a4t32", 1, 0, &p->add, err);
  if (!code)
    code = make_kernel(p, "p2a4t32", 2, 100000, &p->move, err);
  if (!code)
    code = xb_commands_create(p->device, &(xb_commands_desc){.timestamp_count = 3}, &p->compute, err);
  if (!code)
    code = xb_commands_create(p->device, &(xb_commands_desc){.queue = XB_QUEUE_COMPUTE + 1, .timestamp_count = 1},
                              &p->other, err);
  if (!code)
    code = xb_commands_create(p->device, &(xb_commands_desc){.queue = XB_QUEUE_COPY + 1}, &p->copy, err);
  return code;
}

static void dispatch(xb_commands *c, xb_kernel *kernel, const xb_binding *bindings, uint32_t count, uint32_t value)
{
  const bool holds = bindings[0].buffer && (!bindings[0].size || bindings[0].size >= 12);
  xb_cmd_dispatch(
      c, &(xb_dispatch){.kernel = kernel,
                        .bindings = bindings,
                        .binding_count = count,
                        .args = &value,
                        .arg_bytes = sizeof value,
                        .groups = {1, 1, 1},
                        .window = holds ? (xb_window){.offset = 4, .bytes = 8, .hit_ratio = 0.5f} : (xb_window){0}});
}

/* Records as a library would: fills the last word of b. */
static xb_code library(const xb_native *native, void *user, xb_error *err)
{
  const xb_proc proc = native->proc(native->device, "cuMemsetD32Async");
  const CUdeviceptr at = xb_buffer_native(user) + BYTES - 4;
  CUresult (*fill)(CUdeviceptr, unsigned, size_t, CUstream) = NULL;
  memcpy(&fill, &proc, sizeof fill);
  const CUresult result = fill(at, 7, 1, native->commands);
  return result ? xb_fail(err, result == CUDA_ERROR_OUT_OF_MEMORY ? XB_NOMEM : XB_LOST, "library", "failed") : XB_OK;
}

static xb_code empty_library(const xb_native *native, void *user, xb_error *err)
{
  (void)native, (void)user, (void)err;
  return XB_OK;
}

/* a[0] = up[0] + 5, also by an image (as a texture and as a surface) and a texel buffer; b[0] = a[0] + 1, the rest of b
 * is filled in pieces, the last on another queue; then down = b on a copy queue. */
static xb_code record(play *p, xb_error *err)
{
  xb_commands *c = p->compute;
  xb_cmd_timestamp(c, 1);
  xb_cmd_copy(c, p->a, 0, p->up, 0, BYTES);
  xb_cmd_timestamp(c, 0);
  dispatch(c, p->add, &(xb_binding){.buffer = p->a, .access = XB_READ_WRITE}, 1, 5);
  for (uint32_t i = 0; i < PIECES; i++)
    xb_cmd_fill(c, p->b, i * 8, 8, 99);
  xb_cmd_barrier(c);
  xb_cmd_barrier(c);
  xb_cmd_copy_to_image(c, p->image, p->a, 0);
  xb_cmd_copy_to_image(c, p->line, p->a, 0);
  xb_cmd_barrier(c);
  dispatch(c, p->move,
           (xb_binding[]){{.kind = XB_BINDING_IMAGE,
                           .image = p->line,
                           .sampler = {.filter = XB_FILTER_LINEAR, .address = XB_ADDRESS_BORDER},
                           .access = XB_READ},
                          {.buffer = p->b, .size = 4, .access = XB_WRITE}},
           2, 0);
  xb_cmd_barrier(c);
  dispatch(c, p->move,
           (xb_binding[]){{.kind = XB_BINDING_IMAGE, .image = p->image, .access = XB_READ},
                          {.buffer = p->b, .size = 4, .access = XB_WRITE}},
           2, 0);
  xb_cmd_barrier(c);
  dispatch(c, p->move,
           (xb_binding[]){{.kind = XB_BINDING_STORAGE_IMAGE, .image = p->image, .access = XB_READ_WRITE},
                          {.buffer = p->b, .size = 4, .access = XB_WRITE}},
           2, 0);
  xb_cmd_barrier(c);
  xb_cmd_copy_from_image(c, p->a, 0, p->image);
  xb_cmd_barrier(c);
  dispatch(c, p->move,
           (xb_binding[]){{.kind = XB_BINDING_TEXELS, .buffer = p->b, .size = 4, .format = XB_TEXEL_FLOAT32},
                          {.buffer = p->a, .size = 4, .access = XB_WRITE}},
           2, 0);
  xb_cmd_barrier(c);
  dispatch(
      c, p->move,
      (xb_binding[]){{.buffer = p->a, .size = 16, .access = XB_READ}, {.buffer = p->b, .size = 4, .access = XB_WRITE}},
      2, 1);
  for (uint32_t i = 1; i < PIECES - 1; i++)
    xb_cmd_fill(c, p->b, i * 8, 8, i);
  xb_cmd_fill(p->other, p->b, (PIECES - 1) * 8, 8, PIECES - 1);
  xb_cmd_timestamp(p->other, 0);
  xb_cmd_barrier(c);
  xb_cmd_native(c, library, p->b, &(xb_binding){.buffer = p->b, .access = XB_READ_WRITE}, 1);
  xb_cmd_barrier(c);
  xb_cmd_native(c, empty_library, NULL, NULL, 0);
  xb_cmd_timestamp(c, 2);
  xb_cmd_copy(p->copy, p->down, 0, p->b, 0, BYTES);
  xb_code code = xb_commands_finish(p->compute, err);
  if (!code)
    code = xb_commands_finish(p->other, err);
  return code ? code : xb_commands_finish(p->copy, err);
}

static xb_code wrong(xb_error *err, const char *what, double got)
{
  return xb_fail(err, XB_INTERNAL, "scenario", "%s is %g", what, got);
}

static xb_code check(const play *p, uint32_t round, const double *ns, xb_error *err)
{
  const uint32_t *out = xb_buffer_host(p->down);
  if (out[0] != 106 + round)
    return wrong(err, "the first word", out[0]);
  for (uint32_t i = 1; i < PIECES; i++)
    if (out[2 * i] != i)
      return wrong(err, "a piece", out[2 * i]);
  if (out[BYTES / 4 - 1] != 7)
    return wrong(err, "the library's word", out[BYTES / 4 - 1]);
  if (ns[0] != 0 || ns[1] >= 0 || ns[2] <= 0)
    return wrong(err, "a timestamp", ns[1]);
  return XB_OK;
}

static xb_code submit_and_wait(play *p, uint32_t round, xb_error *err)
{
  double ns[3] = {0}, times[3] = {0}, filled_at = 0, deviation_ns;
  xb_point computed = {0}, filled = {0}, copied = {0};
  *(uint32_t *)xb_buffer_host(p->up) = 100 + round;
  memset(xb_buffer_host(p->down), 0xEE, BYTES);
  xb_code code = xb_device_calibrate(p->device, &deviation_ns, err);
  if (!code)
    code = xb_submit(p->device,
                     &(xb_submission){.commands = p->compute, .signal = p->semaphore, .signal_value = 7 + round},
                     &computed, err);
  if (!code)
    code = xb_submit(p->device, &(xb_submission){.commands = p->other, .after = &computed, .after_count = 1}, &filled,
                     err);
  if (!code)
    code = xb_submit(
        p->device,
        &(xb_submission){
            .commands = p->copy, .after = &filled, .after_count = 1, .wait = p->semaphore, .wait_value = 7 + round},
        &copied, err);
  p->last[0] = computed;
  p->last[1] = filled;
  p->last[2] = copied;
  if (!code)
    code = xb_wait(p->device, copied, patience_ns(), err);
  if (!code)
    code = xb_wait(p->device, computed, patience_ns(), err);
  if (!code)
    code = xb_wait(p->device, filled, patience_ns(), err);
  if (!code)
    code = xb_commands_timestamps(p->compute, ns, 3, err);
  if (!code)
    code = xb_commands_times(p->compute, times, 3, err);
  if (!code)
    code = xb_commands_times(p->other, &filled_at, 1, err);
  if (!code && !(times[1] < times[0] && times[0] < times[2] && times[2] < filled_at))
    return wrong(err, "a time", filled_at - times[2]);
  return code ? code : check(p, round, ns, err);
}

xb_code scenario(xb_launch_mode mode, xb_error *err)
{
  play p = {0};
  xb_code code = make(&p, mode, err);
  if (!code)
    code = host_memory(p.device, err);
  if (!code)
    code = another_context(mode, err);
  if (!code)
    code = exported_memory(p.device, err);
  if (!code)
    code = import_semaphore(&p, err);
  if (!code)
    code = record(&p, err);
  for (uint32_t round = 0; round < ROUNDS && !code; round++)
    code = submit_and_wait(&p, round, err);
  if (!code) /* in flight when the device is closed */
    code = xb_submit(p.device, &(xb_submission){.commands = p.copy}, NULL, err);
  if (p.device && xb_device_status(p.device))
    find_fake()->forbidden = true;
  for (int q = 0; q < 3 && code && p.device; q++) /* closing would abandon work in flight */
    xb_wait(p.device, p.last[q], patience_ns(), NULL);
  xb_semaphore_destroy(p.semaphore);
  xb_commands_destroy(p.compute);
  xb_commands_destroy(p.other);
  xb_commands_destroy(p.copy);
  xb_kernel_destroy(p.add);
  xb_kernel_destroy(p.move);
  xb_image_destroy(p.image);
  xb_image_destroy(p.line);
  xb_buffer_destroy(p.up);
  xb_buffer_destroy(p.down);
  xb_buffer_destroy(p.a);
  xb_buffer_destroy(p.b);
  free(p.code);
  const xb_code closed = xb_device_close(p.device, code ? NULL : err);
  return code ? code : closed;
}
