#include "measure/sample.h"

#include <stdlib.h>
#include <time.h>

static const double SAMPLE_NS = 5e6;        /* two stamps and their barriers take 6 us on an H200: 0.1 % of a sample */
static const double WARM_UP_NS = 50e6;      /* wakes the clocks */
static const uint32_t MAX_BATCH = 1000;     /* keeps a command list short */
static const uint32_t MIN_TIMER_STEPS = 20; /* a single run shorter than this cannot be told */

double xb_now_ns(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static bool submit_and_wait(xb_cell *cell, xb_commands *commands, double *host_ns)
{
  const xb_workload *w = cell->workload;
  xb_point done;
  const double begin = xb_now_ns();
  if (xb_submit(w->device, &(xb_submission){.commands = commands}, &done, &cell->error) ||
      xb_wait(w->device, done, w->wait_limit_ns, &cell->error))
    return xb_cell_fail(cell);
  *host_ns = xb_now_ns() - begin;
  return true;
}

/* ---- By the device's clock -------------------------------------------------------------------------------------- */

static bool record_batch(xb_cell *cell, uint32_t batch)
{
  const bool device_clock = cell->c.variant->clock == XB_CLOCK_DEVICE;
  xb_commands_destroy(cell->timed);
  cell->timed = NULL;
  cell->batch = batch;
  if (xb_cell_commands(cell, "timed", device_clock ? 2 : 0, &cell->timed))
    return xb_cell_fail(cell);
  if (cell->workload->flush)
    xb_cmd_fill(cell->timed, cell->workload->flush, 0, xb_buffer_bytes(cell->workload->flush), 0);
  if (device_clock)
    xb_cmd_timestamp(cell->timed, 0);
  for (uint32_t i = 0; i < batch; i++) {
    if (i && !cell->c.variant->overlap)
      xb_cmd_barrier(cell->timed);
    xb_cell_record(cell, cell->timed);
  }
  if (device_clock)
    xb_cmd_timestamp(cell->timed, 1);
  return !xb_commands_finish(cell->timed, &cell->error) || xb_cell_fail(cell);
}

static bool run_batch(xb_cell *cell, double *ns, double *host_ns)
{
  double stamps[2];
  if (!submit_and_wait(cell, cell->timed, host_ns))
    return false;
  if (xb_commands_timestamps(cell->timed, stamps, 2, &cell->error))
    return xb_cell_fail(cell);
  *ns = stamps[1] / cell->batch;
  return true;
}

/* ---- By the host's clock ---------------------------------------------------------------------------------------- */

/* Creates the kernel anew, and runs it for the first time where that is what is asked. Drivers that keep compiled code
 * (in memory or on disk) show what they make of it. */
static bool run_first(xb_cell *cell, double *ns, double *host_ns)
{
  xb_commands *commands = NULL;
  xb_kernel_destroy(cell->kernel);
  cell->kernel = NULL;
  const double begin = xb_now_ns();
  if (!xb_cell_create_kernel(cell))
    return false;
  *ns = *host_ns = xb_now_ns() - begin;
  if (cell->c.variant->clock == XB_CLOCK_CREATE)
    return true;
  if (xb_cell_commands(cell, "first", 0, &commands))
    return xb_cell_fail(cell);
  xb_cell_record(cell, commands);
  bool good = !xb_commands_finish(commands, &cell->error) || xb_cell_fail(cell);
  good = good && submit_and_wait(cell, commands, host_ns);
  xb_commands_destroy(commands);
  *ns = *host_ns;
  return good;
}

/* Another API's work may have been the GPU's last: the switch between contexts is not what is asked. */
static bool settle(xb_cell *cell)
{
  double ignored;
  return submit_and_wait(cell, cell->timed, &ignored);
}

static bool run_sample(xb_cell *cell, double *ns, double *host_ns)
{
  switch (cell->c.variant->clock) {
  case XB_CLOCK_DEVICE: return run_batch(cell, ns, host_ns);
  case XB_CLOCK_SUBMIT:
    if (!settle(cell) || !submit_and_wait(cell, cell->timed, host_ns))
      return false;
    *ns = *host_ns;
    return true;
  default: return settle(cell) && run_first(cell, ns, host_ns);
  }
}

/* ---- Either ----------------------------------------------------------------------------------------------------- */

static bool check_timer(xb_cell *cell)
{
  const double period = cell->c.device->timestamp_period_ns;
  if (cell->once_ns >= MIN_TIMER_STEPS * period)
    return true;
  xb_fail(&cell->error, XB_UNSUPPORTED, "cold",
          "one run takes %.0f ns, less than %u steps of this device's timer: use a larger --size or --cache hot",
          cell->once_ns, MIN_TIMER_STEPS);
  return xb_cell_fail(cell);
}

/* Single runs until warm; the last one says how many make a sample. */
bool xb_sample_calibrate(xb_cell *cell, const volatile sig_atomic_t *stop)
{
  double host, spent = 0;
  if (cell->workload->flush && cell->c.variant->clock != XB_CLOCK_DEVICE) {
    xb_fail(&cell->error, XB_UNSUPPORTED, "cold",
            "this is timed by the host, which would time the flush: use --cache hot");
    return xb_cell_fail(cell);
  }
  if (!record_batch(cell, 1))
    return false;
  for (int i = 0; i < 2 || (spent < WARM_UP_NS && i < 100 && !(stop && *stop)); i++) {
    if (!run_sample(cell, &cell->once_ns, &host))
      return false;
    spent += host;
  }
  if (cell->c.variant->clock != XB_CLOCK_DEVICE)
    return true;
  if (cell->workload->flush)
    return check_timer(cell);
  const double batch = cell->once_ns > 0 ? SAMPLE_NS / cell->once_ns : MAX_BATCH;
  if (batch < 2)
    return true;
  return record_batch(cell, batch < MAX_BATCH ? (uint32_t)batch : MAX_BATCH) && run_batch(cell, &cell->once_ns, &host);
}

static bool reserve_sample(xb_cell *cell)
{
  if (cell->sample_count < cell->sample_capacity)
    return true;
  const size_t more = cell->sample_capacity ? 2 * cell->sample_capacity : 64;
  double *samples = realloc(cell->samples_ns, more * sizeof *samples);
  cell->samples_ns = samples ? samples : cell->samples_ns;
  double *host = realloc(cell->host_ns, more * sizeof *host);
  cell->host_ns = host ? host : cell->host_ns;
  if (samples && host) {
    cell->sample_capacity = more;
    return true;
  }
  xb_fail(&cell->error, XB_NOMEM, "samples", "out of host memory");
  return xb_cell_fail(cell);
}

bool xb_sample_take(xb_cell *cell)
{
  double ns = 0, host = 0;
  if (!reserve_sample(cell) || !run_sample(cell, &ns, &host))
    return false;
  cell->samples_ns[cell->sample_count] = ns;
  cell->host_ns[cell->sample_count++] = host / cell->batch;
  cell->sampled_ns += ns * cell->batch;
  return true;
}
