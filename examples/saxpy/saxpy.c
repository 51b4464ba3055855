/* saxpy [FOLDER]: runs, verifies and times a kernel with libxbench, on every device of every backend. It reads the
 * compiled kernel from FOLDER (default: the current folder): saxpy.spv for Vulkan, saxpy.fatbin for CUDA, and saxpy.so
 * for the processor, which emulates CUDA.
 * Exit code: 0 all results were right; 1 a result was wrong or a device failed; 3 there is no device to run on. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "code.h"
#include "saxpy_args.h"
#include "xb/gpu.h"

enum { N = 1 << 20, GROUP = 256, RUNS = 10, MAX_DEVICES = 8 };
static const float A = 2;
static const uint64_t BYTES = N * sizeof(float), LIMIT_NS = 60ull * 1000 * 1000 * 1000;

/* Small whole numbers, so that float gives the exact result, fused or not. */
static float x_at(uint32_t i)
{
  return (float)(i % 1000);
}

static float y_at(uint32_t i)
{
  return (float)(i % 7);
}

/* ---- One device ------------------------------------------------------------------------------------------------- */

typedef struct work {
  xb_device *device;
  xb_buffer *upload, *x, *y, *readback; /* upload has x, then y */
  xb_kernel *kernel;
  xb_commands *commands;
} work;

static xb_code create_buffers(work *w, xb_error *err)
{
  const struct {
    xb_buffer **buffer;
    xb_buffer_desc desc;
  } wanted[] = {
      {&w->upload, {.label = "upload", .mem = XB_MEM_UPLOAD, .bytes = 2 * BYTES}},
      {&w->x, {.label = "x", .mem = XB_MEM_DEVICE, .bytes = BYTES}},
      {&w->y, {.label = "y", .mem = XB_MEM_DEVICE, .bytes = BYTES}},
      {&w->readback, {.label = "readback", .mem = XB_MEM_READBACK, .bytes = BYTES}},
  };
  xb_code code = XB_OK;
  for (size_t i = 0; i < sizeof wanted / sizeof *wanted && !code; i++)
    code = xb_buffer_create(w->device, &wanted[i].desc, wanted[i].buffer, err);
  float *host = code ? NULL : xb_buffer_host(w->upload);
  for (uint32_t i = 0; i < N && host; i++) {
    host[i] = x_at(i);
    host[N + i] = y_at(i);
  }
  return code;
}

static xb_code create_kernel(work *w, const void *bytes, size_t count, xb_error *err)
{
  const xb_kernel_desc desc = {
      .code = bytes,
      .code_bytes = count,
      .entry = "saxpy",
      .group_size = {GROUP, 1, 1},
      .binding_count = 2,
      .arg_bytes = sizeof(struct saxpy_args),
  };
  return xb_kernel_create(w->device, &desc, &w->kernel, err);
}

/* xb_commands_finish returns the errors of recording. */
static xb_code record(work *w, xb_error *err)
{
  const struct saxpy_args args = {.a = A, .n = N};
  const xb_binding bindings[] = {{.buffer = w->x, .access = XB_READ}, {.buffer = w->y, .access = XB_READ_WRITE}};
  const xb_dispatch dispatch = {.kernel = w->kernel,
                                .bindings = bindings,
                                .binding_count = 2,
                                .args = &args,
                                .arg_bytes = sizeof args,
                                .groups = {N / GROUP, 1, 1}};
  const xb_code code = xb_commands_create(w->device, &(xb_commands_desc){.timestamp_count = 2}, &w->commands, err);
  if (code)
    return code;
  xb_cmd_copy(w->commands, w->x, 0, w->upload, 0, BYTES);
  xb_cmd_copy(w->commands, w->y, 0, w->upload, BYTES, BYTES);
  xb_cmd_timestamp(w->commands, 0); /* also a barrier */
  for (int i = 0; i < RUNS; i++) {
    xb_cmd_dispatch(w->commands, &dispatch);
    xb_cmd_barrier(w->commands); /* the next dispatch reads what this one writes */
  }
  xb_cmd_timestamp(w->commands, 1);
  xb_cmd_copy(w->commands, w->readback, 0, w->y, 0, BYTES);
  return xb_commands_finish(w->commands, err);
}

static xb_code submit(work *w, double *ns, xb_error *err)
{
  xb_point done;
  xb_code code = xb_submit(w->device, &(xb_submission){.commands = w->commands}, &done, err);
  if (!code)
    code = xb_wait(w->device, done, LIMIT_NS, err);
  return code ? code : xb_commands_timestamps(w->commands, ns, 2, err);
}

static uint32_t count_wrong(const work *w)
{
  const float *got = xb_buffer_host(w->readback);
  uint32_t wrong = 0;
  for (uint32_t i = 0; i < N; i++)
    wrong += got[i] != y_at(i) + RUNS * A * x_at(i);
  return wrong;
}

static int run(const xb_backend *backend, const xb_device_info *info, const void *bytes, size_t count)
{
  const char *const name = xb_backend_name(backend);
  work w = {0};
  xb_error err = {0};
  double ns[2];
  int failed = 1;
  if (xb_device_open(&(xb_device_desc){.backend = backend, .index = info->index}, &w.device, &err) ||
      create_buffers(&w, &err) || create_kernel(&w, bytes, count, &err) || record(&w, &err))
    goto fail;
  for (int i = 0; i < 2; i++) /* the first submission warms up */
    if (submit(&w, ns, &err))
      goto fail;
  const uint32_t wrong = count_wrong(&w);
  printf("%s, %s: %d elements, %.1f us, %s\n", name, info->name, N, (ns[1] - ns[0]) / RUNS / 1000,
         wrong ? "WRONG" : "right");
  failed = wrong != 0;

fail:
  if (err.code)
    printf("%s, %s: FAILED: %s\n", name, info->name, err.message);
  xb_commands_destroy(w.commands);
  xb_kernel_destroy(w.kernel);
  xb_buffer_destroy(w.readback);
  xb_buffer_destroy(w.y);
  xb_buffer_destroy(w.x);
  xb_buffer_destroy(w.upload);
  if (xb_device_close(w.device, &err)) {
    printf("%s, %s: FAILED: %s\n", name, info->name, err.message);
    failed = 1;
  }
  return failed;
}

/* ---- All devices ------------------------------------------------------------------------------------------------ */

/* Runs the kernel in a file on the devices that take it: real ones, or those that emulate CUDA. */
static void run_file(const xb_backend *backend, const char *folder, const char *file, bool emulated, uint32_t *ran,
                     int *failed)
{
  xb_device_info infos[MAX_DEVICES];
  uint32_t count = 0, takers = 0;
  size_t bytes = 0;
  xb_error err = {0};
  if (xb_enumerate(backend, infos, MAX_DEVICES, &count, &err)) {
    printf("%s\n", err.message); /* says what is missing */
    return;
  }
  for (uint32_t i = 0; i < count && i < MAX_DEVICES; i++)
    if (!emulated == !infos[i].emulates && (!emulated || !strcmp(infos[i].emulates, "cuda")))
      infos[takers++] = infos[i];
  void *code = takers || !emulated ? read_code(folder, file, &bytes) : NULL;
  if (!code && (takers || !emulated))
    printf("%s: no %s/%s: it was not compiled\n", xb_backend_name(backend), folder, file);
  for (uint32_t i = 0; code && i < takers; i++, ++*ran)
    *failed += run(backend, &infos[i], code, bytes);
  free(code);
}

/* Adds the number of devices that ran to `ran`, and the number of failures to `failed`. */
static void run_backend(const xb_backend *backend, const char *folder, uint32_t *ran, int *failed)
{
  const char *const name = xb_backend_name(backend);
  if (!strcmp(name, "cpu"))
    run_file(backend, folder, "saxpy.so", true, ran, failed);
  else
    run_file(backend, folder, strcmp(name, "cuda") ? "saxpy.spv" : "saxpy.fatbin", false, ran, failed);
}

int main(int argc, char **argv)
{
  const char *const folder = argc > 1 ? argv[1] : ".";
  uint32_t ran = 0;
  int failed = 0;
  for (size_t i = 0; xb_backend_at(i); i++)
    run_backend(xb_backend_at(i), folder, &ran, &failed);
  if (!ran)
    printf("there is no device to run on\n");
  return failed ? 1 : ran ? 0 : 3;
}
