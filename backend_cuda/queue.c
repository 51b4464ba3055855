/* Submitting and waiting. A queue is a stream; each submission leaves an event behind that the host and other queues
 * wait for. */
#include "cu.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

static const uint64_t SPIN_NS = 200 * 1000;           /* short work is waited for without sleeping */
static const uint64_t LONGEST_SLEEP_NS = 1000 * 1000; /* afterwards a sixteenth of what has passed, at most this */
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

/* Room for one more flight, and for its event when it comes back. */
static bool reserve_flight(cu_queue *queue)
{
  const size_t count = queue->flight_count + queue->idle_count;
  size_t idle = queue->capacity;
  return xb_grow(&queue->idle, &idle, count, sizeof *queue->idle) &&
         xb_grow(&queue->flights, &queue->capacity, count, sizeof *queue->flights);
}

/* Afterwards an event lies on top of `idle`. */
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

/* The flight that completes `value`, or more; NULL where that has completed. */
static const cu_flight *find_flight(const cu_queue *queue, uint64_t value)
{
  for (size_t i = 0; i < queue->flight_count; i++)
    if (queue->flights[i].value >= value)
      return &queue->flights[i];
  return NULL;
}

/* [submit] Other queues are waited for by their events. */
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

/* [submit] A graph is launched whole. */
static xb_code launch(xb_be_device *d, cu_queue *queue, xb_be_commands *commands, xb_error *err)
{
  if (d->launch_mode == XB_LAUNCH_STREAM)
    return cu_list_play(d, &commands->list, queue->stream, err);
  const CUresult result = commands->graph.exec ? d->cu->GraphLaunch(commands->graph.exec, queue->stream) : CUDA_SUCCESS;
  return result ? cu_fail(d->cu, err, "cuGraphLaunch", result) : XB_OK;
}

static uint64_t now_ns(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* [wait] No call of the driver waits with a limit, so the event is asked again and again. */
CUresult cu_poll(const xb_be_device *d, CUstream stream, CUevent event, uint64_t limit_ns)
{
  const uint64_t start = now_ns();
  for (;;) {
    const CUresult result = event ? d->cu->EventQuery(event) : d->cu->StreamQuery(stream);
    const uint64_t passed = now_ns() - start;
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

/* A submission failed half-way, and the front door takes it as never made: whatever is under way has to end first. */
static xb_code settle(xb_be_device *d, cu_queue *queue, xb_code code, xb_error *err)
{
  if (code == XB_LOST)
    return code;
  const CUresult result = cu_poll(d, queue->stream, NULL, CU_SETTLE_NS);
  if (result == CUDA_ERROR_NOT_READY)
    return xb_fail(err, XB_LOST, "xb_submit", "a submission failed half-way and its first half does not end");
  return result ? xb_fail_native(err, XB_LOST, "cuStreamQuery", (int)result, cu_result_name(d->cu, result),
                                 "after a submission that failed half-way")
                : code;
}

/* [submit] The event behind the work is what a wait waits for. */
xb_code cu_submit(xb_be_device *d, xb_be_commands *commands, uint64_t value, const xb_point *after,
                  uint32_t after_count, xb_error *err)
{
  cu_queue *queue = &d->queues[commands->queue];
  xb_code code = cu_enter(d, err);
  if (!code)
    code = prepare_event(d, queue, err);
  if (!code)
    code = wait_for_others(d, queue, after, after_count, err);
  if (code)
    return code;
  code = launch(d, queue, commands, err);
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

/* A stream completes in order, so every event up to `value` has come. */
static void retire(cu_queue *queue, uint64_t value)
{
  size_t done = 0;
  while (done < queue->flight_count && queue->flights[done].value <= value)
    queue->idle[queue->idle_count++] = queue->flights[done++].done;
  queue->flight_count -= done;
  memmove(queue->flights, queue->flights + done, queue->flight_count * sizeof *queue->flights);
}

/* [wait] A stream completes in order, so one event stands for all before it. */
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
