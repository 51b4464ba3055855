/* The host's time of an event. CUDA tells the time between two events, not that of one: so the host reads its clock
 * before it records an event on an idle stream, and after it sees that the event has completed. */
#include "cu.h"

#include "core/clock.h"

#include <math.h>

enum { TRIES = 16 };

/* How exact cuEventElapsedTime is, by CUDA's documentation. Its float of milliseconds is rounded by no more up to 16 s
 * behind the reference. */
static const double ELAPSED_NS = 500;

static xb_code create(xb_be_device *d, CUevent *event, xb_error *err)
{
  CUevent made = NULL;
  const CUresult result = *event ? CUDA_SUCCESS : d->cu->EventCreate(&made, CU_EVENT_DEFAULT);
  if (result)
    return cu_fail(d->cu, err, "cuEventCreate", result);
  *event = *event ? *event : made;
  return XB_OK;
}

void cu_calibration_close(xb_be_device *d)
{
  if (d->reference && cu_enter_to_free(d))
    d->cu->EventDestroy(d->reference);
  if (d->spare && cu_enter_to_free(d))
    d->cu->EventDestroy(d->spare);
}

/* [timestamp] Record an event between two readings of the host's clock. */
static xb_code record_spare(xb_be_device *d, double *begin, double *end, xb_error *err)
{
  const char *call = "cuEventRecord";
  *begin = xb_clock_ns();
  CUresult result = d->cu->EventRecord(d->spare, d->side);
  if (!result) {
    call = "cuEventQuery";
    result = cu_poll(d, d->side, d->spare, CU_SETTLE_NS);
  }
  *end = xb_clock_ns();
  if (result == CUDA_ERROR_NOT_READY)
    return xb_fail(err, XB_LOST, "xb_device_calibrate", "an event on an idle stream does not complete");
  return result ? cu_fail(d->cu, err, call, result) : XB_OK;
}

/* The event with the closest readings becomes the reference. */
xb_code cu_calibrate(xb_be_device *d, double *deviation_ns, xb_error *err)
{
  double begin, end, best = INFINITY;
  xb_code code = cu_enter(d, err);
  if (!code)
    code = create(d, &d->reference, err);
  if (!code)
    code = create(d, &d->spare, err);
  for (int i = 0; i < TRIES && !code; i++) {
    code = record_spare(d, &begin, &end, err);
    if (code || end - begin >= best)
      continue;
    best = end - begin;
    const CUevent other = d->reference;
    d->reference = d->spare;
    d->spare = other;
    d->reference_ns = (begin + end) / 2;
  }
  *deviation_ns = best / 2 + ELAPSED_NS;
  return code;
}

/* [timestamp] The milliseconds since the reference. The float's steps grow with them, to 1 us after 8 s, so that is
 * asked for one event, and the others are told from that one: what is rounded moves all of the list's times together.
 */
xb_code cu_times(xb_be_commands *c, double *ns, uint32_t count, xb_error *err)
{
  const xb_be_device *d = c->device;
  float ms = 0;
  const xb_code code = cu_timestamps(c, ns, count, err);
  const CUresult result = code ? CUDA_SUCCESS : d->cu->EventElapsedTime(&ms, d->reference, c->stamps[0]);
  if (result)
    return cu_fail(d->cu, err, "cuEventElapsedTime", result);
  for (uint32_t i = 0; i < count && !code; i++)
    ns[i] = cu_gate_expired(c) ? NAN : d->reference_ns + 1e6 * (double)ms + ns[i];
  return code;
}
