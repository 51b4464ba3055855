#include "scenario.h"

#include <string.h>
#include <unistd.h>

#include "patience.h"
#include "shaders/args.h"
#include "support.h"
#include "xb/backend.h"

#define VK_NO_PROTOTYPES
#include <vulkan/vulkan_core.h>

enum { WORDS = 256, BYTES = WORDS * 4, TAIL = WORDS - 16, BUFFERS = 5, LISTS = 3 };
enum { UP, FROM, TO, DOWN, SIDE }; /* buffers */
enum { COMPUTE, COPY, FILLING };   /* lists */
static const uint32_t TAIL_WORD = 0x5A5A5A5A, FILL_WORD = 0xF111F111;

typedef struct work {
  xb_device *device;
  xb_buffer *buffers[BUFFERS];
  xb_kernel *kernel, *places, *texels;
  xb_image *image;
  xb_commands *lists[LISTS];
  uint32_t stamps[LISTS];
  xb_semaphore *semaphores[2];
  uint64_t value;
} work;

/* Where the device imports it. Incoherent memory is not imported. */
static xb_code import_page(xb_device *device, xb_error *err)
{
  static _Alignas(65536) unsigned char page[65536];
  const uint64_t align = xb_device_get_info(device)->import_align;
  const xb_buffer_desc desc = {.mem = XB_MEM_IMPORTED, .bytes = align, .host = page};
  xb_buffer *buffer = NULL;
  const xb_code code = align && align <= sizeof page ? xb_buffer_create(device, &desc, &buffer, err) : XB_OK;
  xb_buffer_destroy(buffer);
  return code == XB_UNSUPPORTED ? XB_OK : code;
}

/* Where the device exports memory. It imports its own. */
static xb_code share_memory(xb_device *device, xb_error *err)
{
  xb_buffer *owner = NULL, *user = NULL;
  xb_shared shared = {.fd = -1};
  if (!xb_device_get_info(device)->exports)
    return XB_OK;
  xb_code code = xb_buffer_create(device, &(xb_buffer_desc){.bytes = BYTES, .exportable = true}, &owner, err);
  if (!code)
    code = xb_buffer_export(owner, &shared, err);
  if (!code) {
    const xb_buffer_desc desc = {.mem = XB_MEM_SHARED, .bytes = BYTES, .shared = shared};
    code = xb_buffer_create(device, &desc, &user, err);
    if (code)
      close(shared.fd);
  }
  xb_buffer_destroy(user);
  xb_buffer_destroy(owner);
  return code == XB_UNSUPPORTED ? XB_OK : code;
}

/* Where the device exports semaphores. It imports its own. */
static xb_code share_semaphore(work *w, xb_error *err)
{
  int fd = -1;
  if (!xb_device_get_info(w->device)->exports_semaphores)
    return XB_OK;
  xb_code code = xb_semaphore_create(w->device, &w->semaphores[0], err);
  if (!code)
    code = xb_semaphore_export(w->semaphores[0], &fd, err);
  if (!code)
    code = xb_semaphore_import(w->device, fd, &w->semaphores[1], err);
  if (code && fd >= 0)
    close(fd);
  return code == XB_UNSUPPORTED ? XB_OK : code;
}

static xb_code create(work *w, xb_error *err)
{
  static const xb_mem MEM[] = {XB_MEM_UPLOAD, XB_MEM_DEVICE, XB_MEM_DEVICE, XB_MEM_READBACK, XB_MEM_DEVICE};
  const xb_queue_info *queues = xb_device_get_info(w->device)->queues;
  const xb_queue copy = queues[XB_QUEUE_COPY].present ? XB_QUEUE_COPY : XB_QUEUE_COMPUTE;
  const xb_kernel_desc texels = texels_desc();
  xb_code code = XB_OK;
  for (int i = 0; i < BUFFERS && !code; i++)
    code = xb_buffer_create(w->device, &(xb_buffer_desc){.label = "data", .mem = MEM[i], .bytes = BYTES},
                            &w->buffers[i], err);
  if (!code)
    code = step_kernel(w->device, &w->kernel, err);
  if (!code)
    code = places_kernel(w->device, &w->places, err);
  if (!code)
    code = xb_kernel_create(w->device, &texels, &w->texels, err);
  if (!code)
    code = xb_image_create(
        w->device,
        &(xb_image_desc){.label = "image", .format = XB_TEXEL_FLOAT32, .width = 8, .height = 4, .storage = true},
        &w->image, err);
  if (!code)
    code = import_page(w->device, err);
  if (!code)
    code = share_memory(w->device, err);
  if (!code)
    code = share_semaphore(w, err);
  for (int i = 0; i < LISTS && !code; i++) {
    const xb_queue queue = i == COPY ? copy : i == FILLING && queues[1].present ? 1 : XB_QUEUE_COMPUTE;
    w->stamps[i] = i != FILLING && queues[queue].timestamp_bits ? 2 : 0;
    code = xb_commands_create(w->device,
                              &(xb_commands_desc){.label = "list", .queue = queue, .timestamp_count = w->stamps[i]},
                              &w->lists[i], err);
  }
  return code;
}

/* Fills the tail of TO. */
static xb_code fill_tail(const xb_native *native, void *user, xb_error *err)
{
  const work *w = user;
  const PFN_vkCmdFillBuffer fill = (PFN_vkCmdFillBuffer)native->proc(native->device, "vkCmdFillBuffer");
  if (!fill)
    return xb_fail(err, XB_INTERNAL, "scenario", "no vkCmdFillBuffer");
  fill(native->commands, (VkBuffer)(uintptr_t)xb_buffer_native(w->buffers[TO]), TAIL * 4, (WORDS - TAIL) * 4,
       TAIL_WORD);
  return XB_OK;
}

static void stamp(const work *w, int list, uint32_t index)
{
  if (w->stamps[list])
    xb_cmd_timestamp(w->lists[list], index);
  else
    xb_cmd_barrier(w->lists[list]);
}

/* Several descriptor sets, a uniform buffer, and group counts that the list has written. */
static void record_places(work *w)
{
  const xb_binding bindings[] = {
      {.kind = XB_BINDING_UNIFORM, .buffer = w->buffers[UP], .size = 8, .access = XB_READ},
      {.buffer = w->buffers[FROM], .size = 256, .access = XB_READ},
      {.buffer = w->buffers[SIDE], .offset = 256, .size = 256, .access = XB_WRITE},
      {.buffer = w->buffers[SIDE], .offset = 512, .size = 256, .access = XB_WRITE},
  };
  xb_cmd_dispatch_indirect(w->lists[COMPUTE],
                           &(xb_dispatch){.kernel = w->places, .bindings = bindings, .binding_count = 4},
                           w->buffers[SIDE], 0);
}

/* An image, its sampler and a texel buffer. What it writes is not looked at. */
static void record_texels(work *w)
{
  const struct texels_args args = {.count = 16, .texels = 16};
  const xb_binding bindings[] = {
      {.kind = XB_BINDING_IMAGE, .image = w->image, .access = XB_READ},
      {.kind = XB_BINDING_TEXELS,
       .buffer = w->buffers[FROM],
       .format = XB_TEXEL_UNORM8,
       .size = 256,
       .access = XB_READ},
      {.buffer = w->buffers[FROM], .size = 256, .access = XB_READ},
      {.buffer = w->buffers[SIDE], .offset = 768, .size = 256, .access = XB_WRITE},
  };
  xb_cmd_copy_to_image(w->lists[COMPUTE], w->image, w->buffers[FROM], 0);
  xb_cmd_barrier(w->lists[COMPUTE]);
  xb_cmd_dispatch(w->lists[COMPUTE], &(xb_dispatch){.kernel = w->texels,
                                                    .bindings = bindings,
                                                    .binding_count = 4,
                                                    .args = &args,
                                                    .arg_bytes = sizeof args,
                                                    .groups = {1, 1, 1}});
  xb_cmd_barrier(w->lists[COMPUTE]);
  xb_cmd_copy_from_image(w->lists[COMPUTE], w->buffers[SIDE], 768, w->image);
}

static void record(work *w)
{
  const struct step_args args = {.count = TAIL, .mul = 3, .add = 7};
  const xb_binding step[] = {{.buffer = w->buffers[FROM], .access = XB_READ},
                             {.buffer = w->buffers[TO], .access = XB_WRITE}};
  const xb_dispatch dispatch = {.kernel = w->kernel,
                                .bindings = step,
                                .binding_count = 2,
                                .args = &args,
                                .arg_bytes = sizeof args,
                                .groups = {WORDS / 64, 1, 1}};
  xb_cmd_copy(w->lists[COMPUTE], w->buffers[FROM], 0, w->buffers[UP], 0, BYTES);
  xb_cmd_fill(w->lists[COMPUTE], w->buffers[SIDE], 0, 12, 1);
  stamp(w, COMPUTE, 0);
  xb_cmd_dispatch(w->lists[COMPUTE], &dispatch);
  stamp(w, COMPUTE, 1);
  xb_cmd_native(w->lists[COMPUTE], fill_tail, w, &step[1], 1);
  record_places(w);
  record_texels(w);

  stamp(w, COPY, 0);
  xb_cmd_copy(w->lists[COPY], w->buffers[DOWN], 0, w->buffers[TO], 0, BYTES - 4);
  xb_cmd_barrier(w->lists[COPY]);
  xb_cmd_fill(w->lists[COPY], w->buffers[DOWN], BYTES - 4, 4, FILL_WORD);
  stamp(w, COPY, 1);

  xb_cmd_fill(w->lists[FILLING], w->buffers[FROM], 0, BYTES, FILL_WORD);
}

static xb_code read_stamps(const work *w, xb_error *err)
{
  const bool calibrates = xb_device_get_info(w->device)->calibrates;
  xb_code code = XB_OK;
  for (int i = 0; i < LISTS && !code; i++) {
    double ns[2] = {-1, -1};
    if (!w->stamps[i])
      continue;
    code = xb_commands_timestamps(w->lists[i], ns, 2, err);
    if (!code && (ns[0] != 0 || ns[1] < 0))
      code = xb_fail(err, XB_INTERNAL, "scenario", "timestamps %g and %g", ns[0], ns[1]);
    if (!code && calibrates)
      code = xb_commands_times(w->lists[i], ns, 2, err);
    if (!code && calibrates && (ns[0] < 1e6 || ns[1] < ns[0]))
      code = xb_fail(err, XB_INTERNAL, "scenario", "times %g and %g", ns[0], ns[1]);
  }
  return code;
}

static xb_code check(const work *w, uint32_t first, xb_error *err)
{
  const uint32_t *down = xb_buffer_host(w->buffers[DOWN]);
  for (uint32_t i = 0; i < WORDS; i++) {
    const uint32_t wanted = i < TAIL ? (first + i) * 3 + 7 : i < WORDS - 1 ? TAIL_WORD : FILL_WORD;
    if (down[i] != wanted)
      return xb_fail(err, XB_INTERNAL, "scenario", "word %u is 0x%x, expected 0x%x", i, down[i], wanted);
  }
  return XB_OK;
}

static xb_code run_round(work *w, uint32_t first, xb_error *err)
{
  uint32_t *up = xb_buffer_host(w->buffers[UP]);
  for (uint32_t i = 0; i < WORDS; i++)
    up[i] = first + i;
  memset(xb_buffer_host(w->buffers[DOWN]), 0, BYTES);
  xb_point computed, copied;
  double deviation_ns;
  xb_code code = xb_device_get_info(w->device)->calibrates ? xb_device_calibrate(w->device, &deviation_ns, err) : XB_OK;
  w->value++;
  const xb_submission compute = {.commands = w->lists[COMPUTE], .signal = w->semaphores[0], .signal_value = w->value};
  const xb_submission copy = {.commands = w->lists[COPY],
                              .after = &computed,
                              .after_count = 1,
                              .wait = w->semaphores[1],
                              .wait_value = w->value};
  if (!code)
    code = xb_submit(w->device, &compute, &computed, err);
  if (!code)
    code = xb_submit(w->device, &copy, &copied, err);
  if (!code)
    code = xb_wait(w->device, computed, patience_ns(), err);
  if (!code)
    code = xb_wait(w->device, copied, patience_ns(), err);
  if (!code)
    code = read_stamps(w, err);
  return code ? code : check(w, first, err);
}

static xb_code run(work *w, xb_error *err)
{
  xb_code code = run_round(w, 1, err);
  if (!code)
    code = run_round(w, 1000, err);
  xb_point point;
  bool reached;
  for (int i = 0; i < 2 && !code; i++) /* the first may still be in flight at the second */
    code = xb_submit(w->device, &(xb_submission){.commands = w->lists[FILLING]}, &point, err);
  return code ? code : xb_poll(w->device, point, &reached, err);
}

static void destroy(work *w)
{
  for (int i = 0; i < LISTS; i++)
    xb_commands_destroy(w->lists[i]);
  for (int i = 0; i < 2; i++)
    xb_semaphore_destroy(w->semaphores[i]);
  xb_kernel_destroy(w->kernel);
  xb_kernel_destroy(w->places);
  xb_kernel_destroy(w->texels);
  xb_image_destroy(w->image);
  for (int i = 0; i < BUFFERS; i++)
    xb_buffer_destroy(w->buffers[i]);
}

xb_code scenario_work(xb_device *device, scenario_failed failed, void *user, xb_error *err)
{
  work w = {.device = device};
  xb_code code = create(&w, err);
  if (!code)
    record(&w);
  for (int i = 0; i < LISTS && !code; i++)
    code = xb_commands_finish(w.lists[i], err);
  if (!code)
    code = run(&w, err);
  if (code && failed)
    failed(user);
  destroy(&w);
  return code;
}

void scenario_run(const xb_backend *backend, bool validation, bool again, scenario_failed failed, void *user,
                  scenario_outcome *o)
{
  *o = (scenario_outcome){0};
  static xb_device_info infos[4]; /* too large for a stack */
  uint32_t count;
  xb_device *device = NULL;
  o->code = xb_enumerate(backend, infos, 4, &count, &o->error);
  if (!o->code)
    o->code = xb_device_open(&(xb_device_desc){.backend = backend,
                                               .validation = validation,
                                               .compute_queues = infos[0].queues[XB_QUEUE_COMPUTE].count > 1 ? 2 : 1},
                             &device, &o->error);
  if (o->code) {
    failed(user);
    return;
  }
  o->opened = true;
  o->code = scenario_work(device, failed, user, &o->error);
  o->status = xb_device_status(device);
  if (o->code && !o->status && again) {
    o->tried_again = true;
    o->again = scenario_work(device, NULL, NULL, NULL);
  }
  o->closed = xb_device_close(device, o->code ? NULL : &o->error);
  if (!o->code && o->closed) {
    o->code = o->closed;
    failed(user);
  }
}
