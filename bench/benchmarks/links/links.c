/* What the links between devices carry. Copies and walks are timed by the device that reads; where two copies run at
 * once, the host times both, because there is no common clock. Every word is checked. */
#include "benchmarks/links/links.h"

typedef struct parameters {
  enum { COPY, BOTH_WAYS, LATENCY, FROM_HOST, TO_HOST, HOST_BOTH_WAYS } what;
} parameters;

enum { FROM, TO, ELEMENT_BYTES = 4 };

static int what_of(const xb_case *c)
{
  return ((const parameters *)c->variant->parameters)->what;
}

/* The queue of this kind, or the one that every device has. */
static xb_queue queue_of(xb_device *device, uint32_t queue)
{
  return xb_device_get_info(device)->queues[queue].present ? (xb_queue)queue : XB_QUEUE_COMPUTE;
}

/* Two copies with the host overlap where the device has queues for both. */
static xb_code use_host(const xb_case *c, xb_device *device, double *ns, xb_error *err)
{
  const xb_lane up = {.from = device, .to = device, .from_mem = XB_MEM_UPLOAD};
  const xb_lane down = {.from = device, .to = device, .to_mem = XB_MEM_READBACK};
  xb_lane both[] = {up, down};
  both[0].queue = queue_of(device, XB_QUEUE_COPY);
  both[1].queue = queue_of(device, XB_QUEUE_COPY + 1);
  return what_of(c) == FROM_HOST ? xb_time_lanes(c, &up, 1, ns, err)
         : what_of(c) == TO_HOST ? xb_time_lanes(c, &down, 1, ns, err)
                                 : xb_time_lanes(c, both, 2, ns, err);
}

static xb_code use(const xb_call *call, double *ns, xb_error *err)
{
  xb_device *from = NULL, *to = NULL;
  xb_code code = xb_links_open(call, call->c->at[FROM], &from, err);
  code = code ? code : xb_links_open(call, call->c->at[TO], &to, err);
  if (code)
    return code;
  const xb_lane lanes[] = {{.from = from, .to = to}, {.from = to, .to = from}};
  switch (what_of(call->c)) {
  case COPY: return xb_time_lanes(call->c, lanes, 1, ns, err);
  case BOTH_WAYS: return xb_time_lanes(call->c, lanes, 2, ns, err);
  case LATENCY: return xb_time_walk(call->c, from, to, ns, err);
  default: return use_host(call->c, to, ns, err);
  }
}

/* [plan] One call. Whether the devices are there is only known then. */
static xb_code links_plan(const xb_case *c, xb_plan *plan, xb_error *err)
{
  const int what = what_of(c);
  const bool same = c->at[FROM] == c->at[TO];
  if (what == BOTH_WAYS && same)
    return xb_refuse_case(c, err, "both ways need two devices: from = to is links/1");
  if (what >= FROM_HOST && !same)
    return xb_refuse_case(c, err, "copies with the host have one device: from = to");
  plan->iterations = what == LATENCY ? xb_walk_steps(c) : 0;
  xb_plan_step(plan, XB_STEP_CALL)->timed = use;
  return XB_OK;
}

static size_t links_metrics(const xb_case *c, const xb_plan *plan, double ns, xb_metric metrics[XB_MAX_METRICS])
{
  (void)plan;
  const int what = what_of(c);
  const double bytes = (double)(c->n * ELEMENT_BYTES) * (what == BOTH_WAYS || what == HOST_BOTH_WAYS ? 2 : 1);
  metrics[0] = what == LATENCY
                   ? (xb_metric){.name = "latency", .unit = "ns", .value = ns / (double)xb_walk_steps(c)}
                   : (xb_metric){.name = "bandwidth", .unit = "GB/s", .value = bytes / ns, .more_is_better = true};
  return 1;
}

static const xb_methods methods = {
    .plan = links_plan, .metrics = links_metrics, .close = xb_links_close, .checks_itself = xb_always};

#include "benchmarks/rows.h"
