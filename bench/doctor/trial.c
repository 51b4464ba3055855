/* One kernel on a device, through one API. It finds what a listing of devices does not: no machine code for this GPU, a
 * driver without its compiler, a GPU that another process holds. */
#include "doctor/doctor.h"

#include "benchmarks/registry.h"
#include "measure/verify.h"
#include "os/child.h"
#include "os/temporary.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ELEMENTS = 4096 };
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
  static xb_device_info infos[XB_MAX_DEVICES];
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

/* Where no process can be copied. */
static uint32_t try_here(xb_doctor *d, size_t b)
{
  xb_doctor_trial listed;
  FILE *file = xb_tmpfile();
  if (!file)
    return XB_MAX_DEVICES;
  try_devices(b, 0, file);
  rewind(file);
  if (fread(&listed, sizeof listed, 1, file) == 1)
    (void)!fread(d->trials[b], sizeof listed, XB_MAX_DEVICES, file);
  fclose(file);
  return XB_MAX_DEVICES;
}

/* Returns the device behind the one at which the process died; XB_MAX_DEVICES: it did not. */
static uint32_t try_from(xb_doctor *d, size_t b, uint32_t first)
{
  int ends[2], status = 0;
  xb_doctor_trial listed;
  uint32_t next = first;
  if (!XB_HAS_FORK)
    return try_here(d, b);
  fflush(NULL);
  const pid_t child = pipe(ends) ? -1 : fork();
  FILE *file = child < 0 ? NULL : fdopen(ends[!child], child ? "r" : "w");
  if (!child) {
    if (file)
      try_devices(b, first, file);
    _exit(!file);
  }
  if (!file) {
    xb_fail(&d->crashed[b], XB_LOST, "driver", "no process can be started to try its devices in");
    return XB_MAX_DEVICES;
  }
  close(ends[1]);
  const bool has_list = fread(&listed, sizeof listed, 1, file) == 1;
  while (next < XB_MAX_DEVICES && fread(&d->trials[b][next], sizeof listed, 1, file) == 1)
    next++;
  fclose(file);
  while (waitpid(child, &status, 0) < 0 && errno == EINTR)
    ;
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
