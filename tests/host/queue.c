/* Submissions: they are delayed until a wait, and run in order, after the points of other queues. */
#include "internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

uint64_t host_now_ns(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* Works until the submission is done or the deadline has passed. */
static bool run_work(xb_be_device *device, host_work *work, uint64_t deadline)
{
  while (work->op < work->commands->op_count) {
    if (host_run_step(device, work)) {
      work->op++;
      work->group = 0;
    }
    if (host_now_ns() >= deadline)
      break;
  }
  return work->op == work->commands->op_count;
}

static bool run_to(xb_be_device *device, xb_point point, uint64_t deadline)
{
  host_queue *const queue = &device->queues[point.queue];
  while (queue->reached < point.value) {
    host_work *work = &queue->work[0];
    for (uint32_t i = 0; i < work->after_count; i++)
      if (!run_to(device, work->after[i], deadline))
        return false;
    const xb_be_handover *h = &work->handover;
    if ((h->wait && *h->wait->value < h->wait_value) || !run_work(device, work, deadline))
      return false;
    if (h->signal)
      *h->signal->value = h->signal_value;
    queue->reached = work->value;
    memmove(queue->work, queue->work + 1, --queue->count * sizeof *work);
    host_counters.submissions--;
  }
  return true;
}

static void check_submit(const xb_be_device *device, const xb_be_commands *c, uint64_t value, const xb_point *after,
                         uint32_t after_count)
{
  const char *const name = "submit";
  host_promise(c->device == device && c->finished, name, "the list is not finished, or another device's");
  host_promise(value == device->queues[c->queue].submitted + 1, name, "values do not count 1, 2, 3");
  host_promise(after_count <= XB_MAX_AFTER, name, "too many points");
  for (uint32_t i = 0; i < after_count; i++)
    host_promise(after[i].queue != c->queue && after[i].value <= device->queues[after[i].queue].submitted, name,
                 "a point of the same queue, or one that was never submitted");
  host_promise(!c->timestamp_count || !host_commands_in_flight(c), name, "timestamps of a list that is in flight");
}

xb_code host_submit(xb_be_device *device, xb_be_commands *c, uint64_t value, const xb_point *after,
                    uint32_t after_count, const xb_be_handover *handover, xb_error *err)
{
  const xb_code code = host_call(device, "submit", err);
  if (code)
    return code;
  check_submit(device, c, value, after, after_count);
  host_promise(!handover->wait || handover->wait->device == device, "submit", "another device's semaphore");
  host_promise(!handover->signal || handover->signal->device == device, "submit", "another device's semaphore");
  host_queue *const queue = &device->queues[c->queue];
  if (!xb_grow(&queue->work, &queue->capacity, queue->count, sizeof *queue->work))
    return xb_fail(err, XB_NOMEM, "submit", "out of host memory");
  host_work *work = &queue->work[queue->count++];
  *work = (host_work){.commands = c, .value = value, .after_count = after_count, .handover = *handover};
  if (after_count)
    memcpy(work->after, after, after_count * sizeof *after);
  queue->submitted = value;
  host_counters.submissions++;
  if (host_current_mode == HOST_IMMEDIATE)
    run_to(device, (xb_point){.queue = c->queue, .value = value}, UINT64_MAX);
  return XB_OK;
}

xb_code host_wait(xb_be_device *device, xb_point point, uint64_t limit_ns, bool *reached, xb_error *err)
{
  const xb_code code = host_call(device, limit_ns ? "wait" : "poll", err);
  if (code)
    return code;
  const host_queue *queue = &device->queues[point.queue];
  host_promise(point.value <= queue->submitted, "wait", "the point was never submitted");
  const uint64_t now = host_now_ns();
  const uint64_t deadline = limit_ns > UINT64_MAX - now ? UINT64_MAX : now + limit_ns;
  if (host_current_mode == HOST_LAZY || (host_current_mode == HOST_WAITED && limit_ns))
    run_to(device, point, deadline);
  *reached = queue->reached >= point.value;
  device->hung = limit_ns && !*reached;
  return *reached ? host_reported("wait", err) : XB_OK;
}

xb_code host_timestamps(xb_be_commands *c, double *ns, uint32_t count, xb_error *err)
{
  const xb_code code = host_call(c->device, "timestamps", err);
  if (code)
    return code;
  host_promise(count == c->timestamp_count && !host_commands_in_flight(c), "timestamps", "the list is in flight");
  for (uint32_t i = 0; i < count; i++)
    ns[i] = (double)c->stamps[i] - (double)c->stamps[0];
  return XB_OK;
}

xb_code host_calibrate(xb_be_device *device, double *deviation_ns, xb_error *err)
{
  *deviation_ns = HOST_DEVIATION_NS;
  return host_call(device, "calibrate", err);
}

/* The device's clock is the host's. */
xb_code host_times(xb_be_commands *c, double *ns, uint32_t count, xb_error *err)
{
  const xb_code code = host_timestamps(c, ns, count, err);
  const bool lost = !code && host_lost_times();
  for (uint32_t i = 0; i < count && !code; i++)
    ns[i] = lost ? NAN : (double)c->stamps[i];
  return code;
}

void host_queues_drop(xb_be_device *device)
{
  for (int q = 0; q < XB_MAX_QUEUES; q++) {
    host_counters.submissions -= device->queues[q].count;
    free(device->queues[q].work);
    device->queues[q] = (host_queue){0};
  }
}

bool host_commands_in_flight(const xb_be_commands *commands)
{
  const host_queue *queue = &commands->device->queues[commands->queue];
  for (size_t i = 0; i < queue->count; i++)
    if (queue->work[i].commands == commands)
      return true;
  return false;
}

static bool names(const xb_be_commands *c, const xb_be_buffer *buffer, const xb_be_kernel *kernel)
{
  for (size_t i = 0; i < c->op_count; i++) {
    if (kernel && c->ops[i].kernel == kernel)
      return true;
    if (buffer && c->ops[i].counts.buffer == buffer)
      return true;
    for (uint32_t k = 0; buffer && k < c->ops[i].binding_count; k++)
      if (c->ops[i].bindings[k].buffer == buffer)
        return true;
  }
  return false;
}

static bool in_flight(const xb_be_device *device, const xb_be_buffer *buffer, const xb_be_kernel *kernel)
{
  for (int q = 0; q < XB_MAX_QUEUES; q++)
    for (size_t i = 0; i < device->queues[q].count; i++)
      if (names(device->queues[q].work[i].commands, buffer, kernel))
        return true;
  return false;
}

bool host_buffer_in_flight(const xb_be_buffer *buffer)
{
  return in_flight(buffer->device, buffer, NULL);
}

bool host_kernel_in_flight(const xb_be_kernel *kernel)
{
  return in_flight(kernel->device, NULL, kernel);
}

bool host_semaphore_in_flight(const xb_be_semaphore *semaphore)
{
  for (int q = 0; q < XB_MAX_QUEUES; q++) {
    const host_queue *queue = &semaphore->device->queues[q];
    for (size_t i = 0; i < queue->count; i++)
      if (queue->work[i].handover.wait == semaphore || queue->work[i].handover.signal == semaphore)
        return true;
  }
  return false;
}
