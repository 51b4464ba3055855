/* One kernel on a device, through one API. It finds what a listing of devices does not: no machine code for this GPU, a
 * driver without its compiler, a GPU that another process holds. */
#include "doctor/doctor.h"

#include "benchmarks/registry.h"
#include "measure/cell.h"
#include "os/child.h"
#include "os/temporary.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ELEMENTS = 4096, PROGRAM_LIMIT_S = 600 };
static const uint64_t WAIT_LIMIT_NS = 20ull * 1000 * 1000 * 1000;

static xb_finding run(xb_device *device, const xb_device_info *info, xb_error *err)
{
  const xb_variant *v = &xb_benchmark_find("reduce")->variants[0];
  xb_workload w = {.device = device,
                   .of = v->benchmark,
                   .dtype = XB_INT32,
                   .n = ELEMENTS,
                   .seed = 1,
                   .wait_limit_ns = WAIT_LIMIT_NS};
  xb_cell cell = {.workload = &w,
                  .c = {.variant = v,
                        .dtype = XB_INT32,
                        .n = ELEMENTS,
                        .rows = 1,
                        .columns = ELEMENTS,
                        .block = xb_default_block(v, info, ELEMENTS),
                        .seed = 1,
                        .window_bytes = xb_largest_window(info),
                        .device = info}};
  xb_code code = xb_workload_need(&w, &cell.c, err);
  code = code ? code : xb_workload_create(&w, err);
  if (!code) {
    xb_cell_create(&cell);
    if (cell.verdict.outcome == XB_CELL_PENDING)
      xb_cell_verify(&cell);
  }
  const xb_finding finding = code                                      ? XB_MISSING
                             : cell.verdict.outcome == XB_CELL_PENDING ? XB_FOUND
                             : cell.verdict.outcome == XB_CELL_WRONG   ? XB_BROKEN
                                                                       : XB_MISSING;
  if (!code)
    *err = cell.verdict.error;
  xb_cell_destroy(&cell);
  xb_workload_destroy(&w);
  return finding;
}

static xb_finding open_and_run(const xb_backend *backend, const xb_device_info *info, xb_error *err)
{
  xb_device *device = NULL;
  if (xb_device_open(&(xb_device_desc){.backend = backend, .index = info->index}, &device, err))
    return XB_MISSING;
  const xb_finding finding = run(device, info, err);
  if (!xb_device_status(device)) /* else closing may wait for hung work */
    xb_device_close(device, NULL);
  return finding;
}

/* ---- Processes --------------------------------------------------------------------------------------------------- */

/* The other process: tells that it has the list, then what came of each device from the first one on. */
static void try_devices(size_t b, uint32_t first, FILE *out)
{
  xb_device_info infos[XB_MAX_DEVICES];
  uint32_t count = 0;
  xb_doctor_trial trial = {.finding = XB_FOUND};
  if (xb_enumerate(xb_backend_at(b), infos, XB_MAX_DEVICES, &count, &trial.error))
    count = 0; /* the inventory says why */
  fwrite(&trial, sizeof trial, 1, out);
  fflush(out);
  for (uint32_t i = first; i < count && i < XB_MAX_DEVICES; i++) {
    trial.finding = open_and_run(xb_backend_at(b), &infos[i], &trial.error);
    fwrite(&trial, sizeof trial, 1, out);
    fflush(out);
  }
}

static void say_end(int status, const char *when, xb_error *err)
{
  if (WIFSIGNALED(status))
    xb_fail(err, XB_LOST, "driver", "it crashed when it %s (signal %d, %s)", when, WTERMSIG(status),
            strsignal(WTERMSIG(status)));
  else
    xb_fail(err, XB_LOST, "driver", "it ended the process when it %s (exit code %d)", when, WEXITSTATUS(status));
}

void xb_doctor_try_for_other(const char *api, const char *first)
{
  const int results = dup(STDOUT_FILENO); /* drivers may print */
  const size_t b = (size_t)strtoull(api, NULL, 10);
  FILE *file = results < 0 || dup2(STDERR_FILENO, STDOUT_FILENO) < 0 ? NULL : fdopen(results, "wb");
  if (file && b < XB_MAX_BACKENDS && xb_backend_at(b))
    try_devices(b, (uint32_t)strtoul(first, NULL, 10), file);
  if (file)
    fclose(file);
}

/* Where no process can be copied: starts this program anew. */
static FILE *try_in_program(size_t b, uint32_t first, int *status)
{
  char program[4096], words[2][16];
  const ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
  FILE *file = length > 0 ? xb_tmpfile() : NULL;
  if (!file)
    return NULL;
  program[length] = 0;
  snprintf(words[0], sizeof words[0], "%zu", b);
  snprintf(words[1], sizeof words[1], "%u", first);
  const xb_child child = {.argv = (const char *const[]){program, "doctor", "try", words[0], words[1], NULL},
                          .input = -1,
                          .output = fileno(file),
                          .error = -1,
                          .limit_s = PROGRAM_LIMIT_S};
  const int error = xb_run_child(&child, status);
  rewind(file);
  if (!error || error == ETIMEDOUT)
    return file;
  fclose(file);
  return NULL;
}

typedef struct first_tried {
  size_t backend;
  uint32_t device;
} first_tried;

static int try_in_copy(FILE *to, void *user)
{
  const first_tried *from = user;
  try_devices(from->backend, from->device, to);
  return 0;
}

/* Returns the device behind the one at which the process died; XB_MAX_DEVICES: it did not. */
static uint32_t try_from(xb_doctor *d, size_t b, uint32_t first)
{
  int status = 0;
  xb_copy copy = {.from = NULL};
  xb_doctor_trial listed;
  uint32_t next = first;
  const bool copied = xb_copy_start(&copy, try_in_copy, &(first_tried){b, first});
  FILE *file = copied || XB_HAS_FORK ? copy.from : try_in_program(b, first, &status);
  if (!file) {
    xb_fail(&d->crashed[b], XB_LOST, "driver", "no process can be started to try its devices");
    return XB_MAX_DEVICES;
  }
  const bool has_list = fread(&listed, sizeof listed, 1, file) == 1;
  while (next < XB_MAX_DEVICES && fread(&d->trials[b][next], sizeof listed, 1, file) == 1)
    next++;
  if (copied)
    status = xb_copy_end(&copy);
  else
    fclose(file);
  if (!status || next == XB_MAX_DEVICES)
    return XB_MAX_DEVICES;
  if (!has_list) {
    say_end(status, "listed its devices", &d->crashed[b]);
    return XB_MAX_DEVICES;
  }
  d->trials[b][next].finding = XB_BROKEN;
  say_end(status, "ran a kernel", &d->trials[b][next].error);
  return next + 1;
}

/* Drivers that crash take a child with them. Nothing may have opened a driver here before: children of such a process
 * cannot use CUDA. */
void xb_doctor_try(xb_doctor *d)
{
  for (size_t b = 0; b < XB_MAX_BACKENDS && xb_backend_at(b); b++)
    for (uint32_t next = 0; next < XB_MAX_DEVICES;)
      next = try_from(d, b, next);
}
