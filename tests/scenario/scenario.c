#define _GNU_SOURCE /* memfd_create */
#include "work.h"

#include "../patience.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static xb_code wrong(xb_error *err, const char *what, double got, double wanted)
{
  return xb_fail(err, XB_INTERNAL, "scenario", "%s is %g, expected %g", what, got, wanted);
}

xb_code scenario_nothing(const xb_native *native, void *user, xb_error *err)
{
  (void)native, (void)user, (void)err;
  return XB_OK;
}

static xb_code make_current(work *w, xb_error *err)
{
  return w->backend->open.backend->device_native ? xb_device_native(w->device, scenario_nothing, NULL, err) : XB_OK;
}

static xb_code create_buffers(work *w, xb_error *err)
{
  static const xb_mem MEM[] = {XB_MEM_UPLOAD, XB_MEM_DEVICE, XB_MEM_DEVICE, XB_MEM_READBACK, XB_MEM_DEVICE};
  xb_code code = XB_OK;
  for (int i = 0; i < BUFFERS && !code; i++) {
    const uint64_t bytes = i == SIDE ? 2 * w->half : i == DOWN ? BYTES + 2 * FACTS : BYTES;
    code = xb_buffer_create(w->device, &(xb_buffer_desc){.label = "data", .mem = MEM[i], .bytes = bytes},
                            &w->buffers[i], err);
  }
  return code;
}

static xb_code create_kernels(work *w, xb_error *err)
{
  const scenario_kernel *k = w->backend->kernels;
  xb_code code = w->backend->step(w->device, &w->step, err);
  for (int i = 0; k && i < KERNELS && k[i].desc.code && !code; i++)
    code = xb_kernel_create(w->device, &k[i].desc, &w->kernels[i], err);
  return code;
}

static xb_code create_images(work *w, xb_error *err)
{
  static const xb_image_desc IMAGES[] = {
      {.label = "image", .format = XB_TEXEL_FLOAT32, .width = 16, .height = OUTPUT / 64, .storage = true},
      {.label = "line", .format = XB_TEXEL_FLOAT32, .width = OUTPUT / 4}};
  xb_code code = XB_OK;
  for (int i = 0; i < 2 && w->info->max_image_size[0] && !code; i++)
    code = xb_image_create(w->device, &IMAGES[i], &w->images[i], err);
  return code;
}

/* Takes the descriptor of shared memory, also on failure. */
static xb_code create_buffer(work *w, const xb_buffer_desc *desc, xb_buffer **buffer, xb_error *err)
{
  const xb_code code = xb_buffer_create(w->device, desc, buffer, err);
  if (code && desc->mem == XB_MEM_SHARED)
    close(desc->shared.fd);
  return code;
}

static int open_file(const work *w)
{
  const int file = w->backend->any_file ? memfd_create("of another API", MFD_CLOEXEC) : -1;
  if (file < 0 || !ftruncate(file, PAGE))
    return file;
  close(file);
  return -1;
}

/* Copies words to a buffer and back, where the API itself does so. */
static xb_code transfer(work *w, xb_buffer *buffer, xb_error *err)
{
  uint32_t in[WORDS], out[WORDS] = {0};
  if (!w->backend->open.backend->upload)
    return XB_OK;
  for (uint32_t i = 0; i < WORDS; i++)
    in[i] = i * 3 + 1;
  xb_code code = xb_upload(buffer, 0, in, sizeof in, err);
  code = code ? code : xb_download(buffer, 0, out, sizeof out, err);
  return !code && memcmp(in, out, sizeof in) != 0 ? wrong(err, "the last word", out[WORDS - 1], in[WORDS - 1]) : code;
}

/* Buffers that come and go, and copies of pageable memory. */
static xb_code create_other_memory(work *w, xb_error *err)
{
  static _Alignas(PAGE) unsigned char page[PAGE];
  const uint64_t align = w->info->import_align;
  const xb_shared shared = {.fd = open_file(w), .bytes = BYTES, .dedicated = true};
  const struct {
    xb_buffer_desc desc;
    bool there;
    uint32_t refused;
  } kinds[] = {{{.mem = XB_MEM_SHARED, .bytes = BYTES, .shared = shared}, shared.fd >= 0, 0},
               {{.mem = XB_MEM_UPLOAD_COMBINED, .bytes = BYTES}, true, SCENARIO_COMBINED},
               {{.mem = XB_MEM_IMPORTED, .bytes = align, .host = page}, align && align <= PAGE, SCENARIO_IMPORT}};
  xb_code code = XB_OK;
  for (int i = 0; i < 3 && !code; i++) {
    xb_buffer *buffer = NULL;
    code = kinds[i].there ? create_buffer(w, &kinds[i].desc, &buffer, err) : XB_OK;
    xb_buffer_destroy(buffer);
    if (code == XB_UNSUPPORTED && (w->backend->may_refuse & kinds[i].refused))
      code = XB_OK;
  }
  return code ? code : transfer(w, w->buffers[FROM], err);
}

/* The device imports its own memory, which stays after its owner is gone. */
static xb_code share_memory(work *w, xb_error *err)
{
  xb_buffer *owner = NULL, *user = NULL;
  xb_buffer_desc desc = {.mem = XB_MEM_SHARED, .bytes = BYTES};
  if (!w->info->exports)
    return XB_OK;
  xb_code code = xb_buffer_create(w->device, &(xb_buffer_desc){.bytes = BYTES, .exportable = true}, &owner, err);
  code = code ? code : xb_buffer_export(owner, &desc.shared, err);
  code = code ? code : create_buffer(w, &desc, &user, err);
  xb_buffer_destroy(owner);
  code = code ? code : transfer(w, user, err);
  xb_buffer_destroy(user);
  return code;
}

/* The device imports its own semaphore, or any file. */
static xb_code create_semaphores(work *w, xb_error *err)
{
  int fd = -1;
  xb_code code = XB_OK;
  if (w->info->exports_semaphores) {
    code = xb_semaphore_create(w->device, &w->semaphores[1], err);
    code = code ? code : xb_semaphore_export(w->semaphores[1], &fd, err);
  } else if (w->info->imports_semaphores)
    fd = open_file(w);
  if (!code && fd >= 0)
    code = xb_semaphore_import(w->device, fd, &w->semaphores[0], err);
  if (code && fd >= 0)
    close(fd);
  return code;
}

/* A second device, part of whose cache is set aside. That ends with the device. */
static xb_code persist(work *w, xb_error *err)
{
  xb_device_desc desc = w->backend->open;
  xb_device *device = NULL;
  uint64_t set = 0;
  desc.own_context = true;
  if (!w->info->persisting_bytes)
    return XB_OK;
  xb_code code = xb_device_open(&desc, &device, err);
  code = code ? code : xb_device_persist(device, 1024, &set, err);
  if (!code && set != 1024)
    code = wrong(err, "what is set aside", (double)set, 1024);
  code = code ? code : xb_device_persist(device, 512, &set, err);
  const xb_code closed = xb_device_close(device, code ? NULL : err);
  return code ? code : closed;
}

static xb_code create_lists(work *w, xb_error *err)
{
  static const uint32_t COUNTS[LISTS] = {STAMPS, 1, 2, 0};
  const xb_queue_info *queues = w->info->queues;
  xb_code code = XB_OK;
  for (int i = 0; i < LISTS && !code; i++) {
    xb_queue queue = i == COPY && queues[XB_QUEUE_COPY].present ? XB_QUEUE_COPY : XB_QUEUE_COMPUTE;
    queue += i != COMPUTE && queues[queue + 1].present; /* the second one of its kind */
    w->stamps[i] = queues[queue].timestamp_bits ? COUNTS[i] : 0;
    code = xb_commands_create(w->device,
                              &(xb_commands_desc){.label = "list", .queue = queue, .timestamp_count = w->stamps[i]},
                              &w->lists[i], err);
  }
  return code;
}

/* Timestamp 1 of the first list is before 0, timestamp 2 behind it. The lists run one after another. */
static xb_code check_stamps(const work *w, xb_error *err)
{
  const double least = w->backend->coarse ? 0 : 1; /* ns between two of them */
  double ns[STAMPS], last = 1e6;
  xb_code code = XB_OK;
  for (int i = 0; i < LISTS && !code; i++) {
    const uint32_t n = w->stamps[i], first = n == STAMPS;
    if (!n)
      continue;
    code = xb_commands_timestamps(w->lists[i], ns, n, err);
    if (!code && !w->backend->computes_nothing &&
        !(ns[0] == 0 && ns[first] <= -least * first && (n == 1 || ns[n - 1] >= least)))
      return wrong(err, "a timestamp", ns[n - 1], least);
    if (code || !w->info->calibrates)
      continue;
    code = xb_commands_times(w->lists[i], ns, n, err);
    if (!code && !(ns[first] >= last && ns[0] >= ns[first] && ns[n - 1] >= ns[0]))
      return wrong(err, "a time", ns[first], last);
    last = ns[n - 1];
  }
  return code;
}

static xb_code check_words(const work *w, xb_error *err)
{
  const uint32_t *down = xb_buffer_host(w->buffers[DOWN]), *side = down + WORDS + PIECE / 4, *copied = side + FACTS / 4;
  for (uint32_t i = 0; i < WORDS; i++) {
    const uint32_t wanted = i < TAIL ? (w->round * 1000 + i) * 3 + 7 : i < WORDS - 1 ? TAIL_WORD : FILL_WORD;
    if (down[i] != wanted)
      return wrong(err, "a word", down[i], wanted);
  }
  for (uint32_t i = 0; i < PIECES; i++)
    if (side[i] != i || copied[i] != 99)
      return wrong(err, "a piece", side[i], i);
  return XB_OK;
}

static xb_code submit(work *w, int list, int after, xb_error *err)
{
  const xb_point before = w->last[after];
  xb_submission s = {.commands = w->lists[list], .after = &before, .after_count = list ? 1 : 0};
  if (list == COMPUTE && w->semaphores[0]) {
    s.signal = w->semaphores[w->semaphores[1] != NULL];
    s.signal_value = 6 + w->round;
  } else if (list == COPY && w->semaphores[0]) {
    s.wait = w->semaphores[0];
    s.wait_value = 6 + w->round;
  }
  return xb_submit(w->device, &s, &w->last[list], err);
}

static xb_code run_round(work *w, xb_error *err)
{
  static const int ORDERS[2][IN_ROUND] = {{COMPUTE, OTHER, COPY}, {COPY, COMPUTE, OTHER}};
  double deviation_ns;
  uint32_t *up = xb_buffer_host(w->buffers[UP]);
  w->round++;
  for (uint32_t i = 0; i < WORDS; i++)
    up[i] = w->round * 1000 + i;
  memset(xb_buffer_host(w->buffers[DOWN]), 0xEE, BYTES + 2 * FACTS);
  xb_code code = w->info->calibrates ? xb_device_calibrate(w->device, &deviation_ns, err) : XB_OK;
  for (int i = 0; i < IN_ROUND && !code; i++)
    code = submit(w, i, i - (i > 0), err);
  for (int i = 0; i < IN_ROUND && !code; i++)
    code = xb_wait(w->device, w->last[ORDERS[w->backend->last_first][i]], patience_ns(), err);
  code = code ? code : check_stamps(w, err);
  return code || w->backend->computes_nothing ? code : check_words(w, err);
}

/* Work is in flight when its objects are destroyed, perhaps also when its list is submitted again. */
static xb_code leave_in_flight(work *w, xb_error *err)
{
  bool reached;
  xb_code code = submit(w, FILLING, COPY, err);
  code = code ? code : submit(w, FILLING, FILLING, err);
  return code ? code : xb_poll(w->device, w->last[FILLING], &reached, err);
}

static const struct {
  const char *name;
  xb_code (*run)(work *w, xb_error *err);
  uint32_t refused; /* SCENARIO_... */
} STEPS[] = {
    {"native", make_current, 0},
    {"buffers", create_buffers, 0},
    {"kernels", create_kernels, 0},
    {"images", create_images, 0},
    {"other memory", create_other_memory, 0},
    {"shared memory", share_memory, SCENARIO_SHARE},
    {"semaphores", create_semaphores, SCENARIO_SEMAPHORES},
    {"persisting cache", persist, 0},
    {"lists", create_lists, 0},
    {"recording", scenario_record, 0},
    {"first round", run_round, 0},
    {"second round", run_round, 0},
    {"in flight", leave_in_flight, 0},
};

static void destroy(work *w)
{
  for (int i = 0; i < LISTS; i++)
    xb_commands_destroy(w->lists[i]);
  xb_kernel_destroy(w->step);
  for (int i = 0; i < KERNELS; i++)
    xb_kernel_destroy(w->kernels[i]);
  for (int i = 0; i < 2; i++)
    xb_image_destroy(w->images[i]), xb_semaphore_destroy(w->semaphores[i]);
  for (int i = 0; i < BUFFERS; i++)
    xb_buffer_destroy(w->buffers[i]);
}

xb_code scenario_work(const scenario_backend *backend, xb_device *device, const char **step, xb_error *err)
{
  work w = {.backend = backend, .device = device, .info = xb_device_get_info(device)};
  xb_code code = XB_OK;
  w.half = (backend->side_bytes ? backend->side_bytes : SIDE_BYTES) / 2;
  for (size_t i = 0; i < sizeof STEPS / sizeof *STEPS && !code; i++) {
    *step = STEPS[i].name;
    code = STEPS[i].run(&w, err);
    if (code == XB_UNSUPPORTED && (STEPS[i].refused & backend->may_refuse))
      code = XB_OK;
  }
  if (code && backend->failed)
    backend->failed(device);
  for (int i = 0; i < LISTS && code && backend->wait_after_failure; i++)
    xb_wait(device, w.last[i], patience_ns(), NULL);
  destroy(&w);
  return code;
}

static xb_code open_device(const scenario_backend *backend, xb_device **device, const char **step, xb_error *err)
{
  static xb_device_info infos[4]; /* too large for a stack */
  xb_device_desc desc = backend->open;
  uint32_t count;
  *step = "listing";
  const xb_code code = xb_enumerate(desc.backend, infos, 4, &count, err);
  if (code)
    return code;
  *step = "opening";
  desc.compute_queues = infos[0].queues[XB_QUEUE_COMPUTE].count > 1 ? 2 : 1;
  desc.copy_queues = infos[0].queues[XB_QUEUE_COPY].count > 1 ? 2 : 0;
  return xb_device_open(&desc, device, err);
}

void scenario_run(const scenario_backend *backend, scenario_outcome *o)
{
  xb_device *device = NULL;
  *o = (scenario_outcome){0};
  o->code = open_device(backend, &device, &o->step, &o->error);
  o->opened = !o->code;
  if (o->opened) {
    o->code = scenario_work(backend, device, &o->step, &o->error);
    o->status = xb_device_status(device);
    if (o->code && !o->status) { /* the device still works */
      scenario_backend quiet = *backend;
      const char *step;
      quiet.failed = NULL;
      o->tried_again = backend->again;
      o->again = backend->again ? scenario_work(&quiet, device, &step, NULL) : XB_OK;
    }
    o->closed = xb_device_close(device, o->code ? NULL : &o->error);
    if (o->code || !o->closed)
      return;
    o->code = o->closed;
    o->step = "closing";
  }
  if (backend->failed)
    backend->failed(NULL);
}
