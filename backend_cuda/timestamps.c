/* Timestamps of one command list: events, recorded by graph nodes or by calls on the stream. */
#include "cu.h"

#include <math.h>
#include <stdlib.h>

/* [timestamp] Create events with timing. */
xb_code cu_timestamps_create(xb_be_commands *c, uint32_t count, xb_error *err)
{
  const char *const call = "cuEventCreate";
  if (!count)
    return XB_OK;
  c->stamps = calloc(count, sizeof(CUevent));
  c->before_first = calloc(count, sizeof *c->before_first);
  if (!c->stamps || !c->before_first)
    return cu_no_host_memory(err, call);
  while (c->stamp_count < count) {
    CUevent event = NULL;
    const CUresult result = c->device->cu->EventCreate(&event, CU_EVENT_DEFAULT);
    if (result)
      return cu_fail(c->device->cu, err, call, result);
    c->stamps[c->stamp_count++] = event;
  }
  return XB_OK;
}

void cu_timestamps_free(xb_be_commands *c)
{
  if (c->stamp_count && cu_enter_to_free(c->device))
    for (uint32_t i = 0; i < c->stamp_count; i++)
      c->device->cu->EventDestroy(c->stamps[i]);
  free(c->stamps);
  free(c->before_first);
}

/* [timestamp] Record an event, between two barriers. */
xb_code cu_cmd_timestamp(xb_be_commands *c, uint32_t index, xb_error *err)
{
  cu_op op = {.kind = CU_OP_STAMP};
  op.u.stamp = c->stamps[index];
  xb_code code = cu_enter(c->device, err);
  if (code)
    return code;
  cu_graph_barrier(&c->graph);
  code = cu_record(c, &op, err);
  cu_graph_barrier(&c->graph);
  if (index == 0)
    c->first_stamped = true;
  else
    c->before_first[index] = !c->first_stamped;
  return code;
}

/* [timestamp] Read the milliseconds between two events. NAN if the submission was to be held, and was not. */
xb_code cu_timestamps(xb_be_commands *c, double *ns, uint32_t count, xb_error *err)
{
  const cu_symbols *cu = c->device->cu;
  xb_code code = cu_enter(c->device, err);
  ns[0] = 0;
  for (uint32_t i = 1; i < count && !code; i++) {
    /* From the earlier to the later event: negative times are not guaranteed. */
    const bool before = c->before_first[i];
    float ms = 0;
    const CUresult result = cu->EventElapsedTime(&ms, c->stamps[before ? i : 0], c->stamps[before ? 0 : i]);
    if (result)
      code = cu_fail(cu, err, "cuEventElapsedTime", result);
    ns[i] = cu_gate_expired(c) ? NAN : (before ? -1e6 : 1e6) * (double)ms;
  }
  return code;
}
