/* Submits work and waits for it. A queue is a stream. Each submission ends with an event, for which the host and other
 * queues wait. */
#include "cu.h"

#include "core/clock.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

static const uint64_t SPIN_NS = 200 * 1000;           /* no sleep in this time, for short work */
static const uint64_t LONGEST_SLEEP_NS = 1000 * 1000; /* later sleeps are 1/16 of the passed time, at most this */
const uint64_t CU_SETTLE_NS = UINT64_C(10000000000);

xb_code cu_queue_open(xb_be_device *d, cu_queue *queue, xb_error *err)
{
  CUstream stream = NULL;
  const CUresult result = d->cu->StreamCreate(&stream, CU_STREAM_NON_BLOCKING);
  if (result)
    return cu_fail(d->cu, err, "cuStreamCreate", result);
  queue->stream = stream;
  return XB_OK;
}

void cu_queue_close(xb_be_device *d, cu_queue *queue)
{
  if (queue->stream && cu_enter_to_free(d)) {
    for (size_t i = 0; i < queue->flight_count; i++)
      d->cu->EventDestroy(queue->flights[i].done);
    for (size_t i = 0; i < queue->idle_count; i++)
      d->cu->EventDestroy(queue->idle[i]);
    d->cu->StreamDestroy(queue->stream);
  }
  free(queue->flights);
  free(queue->idle);
  *queue = (cu_queue){0};
}

/* ---- Submitting ------------------------------------------------------------------------------------------------- */

/* Reserves memory for one more flight, and for its event in `idle` afterwards. */
static bool reserve_flight(cu_queue *queue)
{
  const size_t count = queue->flight_count + queue->idle_count;
  size_t idle = queue->capacity;
  return xb_grow(&queue->idle, &idle, count, sizeof *queue->idle) &&
         xb_grow(&queue->flights, &queue->capacity, count, sizeof *queue->flights);
}

/* Makes sure that `idle` has an event. */
static xb_code prepare_event(xb_be_device *d, cu_queue *queue, xb_error *err)
{
  if (queue->idle_count)
    return XB_OK;
  if (!reserve_flight(queue))
    return cu_no_host_memory(err, "xb_submit");
  CUevent event = NULL;
  const CUresult result = d->cu->EventCreate(&event, CU_EVENT_DISABLE_TIMING);
  if (result)
    return cu_fail(d->cu, err, "cuEventCreate", result);
  queue->idle[queue->idle_count++] = event;
  return XB_OK;
}

/* The first flight in which `value` completes; NULL if it has completed already. */
static const cu_flight *find_flight(const cu_queue *queue, uint64_t value)
{
  for (size_t i = 0; i < queue->flight_count; i++)
    if (queue->flights[i].value >= value)
      return &queue->flights[i];
  return NULL;
}

/* [submit] Wait for the events of other queues. */
static xb_code wait_for_others(xb_be_device *d, cu_queue *queue, const xb_point *after, uint32_t count, xb_error *err)
{
  for (uint32_t i = 0; i < count; i++) {
    const cu_flight *flight = find_flight(&d->queues[after[i].queue], after[i].value);
    const CUresult result =
        flight ? d->cu->StreamWaitEvent(queue->stream, flight->done, CU_EVENT_WAIT_DEFAULT) : CUDA_SUCCESS;
    if (result)
      return cu_fail(d->cu, err, "cuStreamWaitEvent", result);
  }
  return XB_OK;
}

/* [submit] Wait for another device's semaphore, or set it. */
static xb_code pass_semaphore(xb_be_device *d, cu_queue *queue, const xb_be_semaphore *s, uint64_t value, bool signal,
                              xb_error *err)
{
  const CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS set = {.params.fence.value = value};
  const CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS reach = {.params.fence.value = value};
  if (!s)
    return XB_OK;
  const CUresult result = signal ? d->cu->SignalExternalSemaphoresAsync(&s->handle, &set, 1, queue->stream)
                                 : d->cu->WaitExternalSemaphoresAsync(&s->handle, &reach, 1, queue->stream);
  return result
             ? cu_fail(d->cu, err, signal ? "cuSignalExternalSemaphoresAsync" : "cuWaitExternalSemaphoresAsync", result)
             : XB_OK;
}

/* [submit] Launch the graph, or issue each command on the stream. */
static xb_code launch(xb_be_device *d, cu_queue *queue, xb_be_commands *commands, xb_error *err)
{
  if (d->launch_mode != XB_LAUNCH_GRAPH) {
    xb_code code = cu_gate_shut(commands, queue->stream, err);
    if (!code)
      code = cu_list_play(d, &commands->list, queue->stream, err);
    cu_gate_open(commands);
    return code;
  }
  const CUresult result = commands->graph.exec ? d->cu->GraphLaunch(commands->graph.exec, queue->stream) : CUDA_SUCCESS;
  return result ? cu_fail(d->cu, err, "cuGraphLaunch", result) : XB_OK;
}

/* [wait] Poll the event, because no driver call waits with a time limit. */
CUresult cu_poll(const xb_be_device *d, CUstream stream, CUevent event, uint64_t limit_ns)
{
  const double start = xb_clock_ns();
  for (;;) {
    const CUresult result = event ? d->cu->EventQuery(event) : d->cu->StreamQuery(stream);
    const uint64_t passed = (uint64_t)(xb_clock_ns() - start);
    if (result != CUDA_ERROR_NOT_READY || passed >= limit_ns)
      return result;
    if (passed < SPIN_NS)
      continue;
    uint64_t sleep = passed / 16 < LONGEST_SLEEP_NS ? passed / 16 : LONGEST_SLEEP_NS;
    if (sleep > limit_ns - passed)
      sleep = limit_ns - passed;
    nanosleep(&(struct timespec){.tv_nsec = (long)sleep}, NULL);
  }
}

/* After a failed submission core assumes that nothing was submitted, so wait until its first part has ended. */
static xb_code settle(xb_be_device *d, cu_queue *queue, xb_code code, xb_error *err)
{
  if (code == XB_LOST)
    return code;
  const CUresult result = cu_poll(d, queue->stream, NULL, CU_SETTLE_NS);
  if (result == CUDA_ERROR_NOT_READY)
    return xb_fail(err, XB_LOST, "xb_submit", "a submission failed half-way and its first part does not finish");
  return result ? xb_fail_native(err, XB_LOST, "cuStreamQuery", (int)result, cu_result_name(d->cu, result),
                                 "after a submission that failed half-way")
                : code;
}

/* [submit] Submit the list, then record the event for later waits. */
xb_code cu_submit(xb_be_device *d, xb_be_commands *commands, uint64_t value, const xb_point *after,
                  uint32_t after_count, const xb_be_handover *handover, xb_error *err)
{
  cu_queue *queue = &d->queues[commands->queue];
  xb_code code = cu_enter(d, err);
  if (!code)
    code = prepare_event(d, queue, err);
  if (code)
    return code;
  code = wait_for_others(d, queue, after, after_count, err);
  if (!code)
    code = pass_semaphore(d, queue, handover->wait, handover->wait_value, false, err);
  if (!code)
    code = launch(d, queue, commands, err);
  if (!code)
    code = pass_semaphore(d, queue, handover->signal, handover->signal_value, true, err);
  const CUevent done = queue->idle[queue->idle_count - 1];
  const CUresult result = code ? CUDA_SUCCESS : d->cu->EventRecord(done, queue->stream);
  if (result)
    code = cu_fail(d->cu, err, "cuEventRecord", result);
  if (code)
    return settle(d, queue, code, err);
  queue->idle_count--;
  queue->flights[queue->flight_count++] = (cu_flight){.value = value, .done = done};
  return XB_OK;
}

/* ---- Waiting ---------------------------------------------------------------------------------------------------- */

/* Reuses the events up to `value`. They have completed, because a stream completes in order. */
static void retire(cu_queue *queue, uint64_t value)
{
  size_t done = 0;
  while (done < queue->flight_count && queue->flights[done].value <= value)
    queue->idle[queue->idle_count++] = queue->flights[done++].done;
  queue->flight_count -= done;
  memmove(queue->flights, queue->flights + done, queue->flight_count * sizeof *queue->flights);
}

/* [wait] Wait for one event. Earlier work has completed, too, because a stream completes in order. */
xb_code cu_wait(xb_be_device *d, xb_point point, uint64_t limit_ns, bool *reached, xb_error *err)
{
  cu_queue *queue = &d->queues[point.queue];
  const cu_flight *flight = find_flight(queue, point.value);
  *reached = !flight;
  if (!flight)
    return XB_OK;
  const xb_code code = cu_enter(d, err);
  if (code)
    return code;
  const CUresult result = cu_poll(d, queue->stream, flight->done, limit_ns);
  if (result == CUDA_ERROR_NOT_READY)
    return XB_OK;
  if (result)
    return cu_fail(d->cu, err, "cuEventQuery", result);
  retire(queue, flight->value);
  *reached = true;
  return XB_OK;
}
