/* What it costs that a GPU has two contexts: a switch between two submissions, and that work of both takes turns. In
 * rows 1 to 3 devices submit a short dispatch in turn, each after the other one's has ended. In rows 4 to 6 each
 * submits a long one that leaves most of the GPU idle; then all are waited for. Dispatches of one context can run
 * beside each other; those of two contexts are said to be time-sliced. Every word that a dispatch writes is checked. */
#include "benchmarks/calls.h"
#include "benchmarks/contexts/contexts_args.h"
#include "benchmarks/family.h"
#include "core/clock.h"

typedef struct parameters {
  uint32_t devices;
  bool own;      /* the second device has a context of its own */
  bool together; /* long dispatches, all submitted before one is waited for */
  bool open;     /* only the opening is timed */
} parameters;

enum {
  MOST = 2,   /* devices */
  TURNS = 64, /* of all devices together */
  SHORT = 64, /* steps */
  LONG = 60000,
  LONG_ON_A_CPU = 2000,
  MOST_THREADS = 1 << 16,
};
static const uint64_t LIMIT_NS = 10ull * 1000 * 1000 * 1000;

static uint32_t steps(const xb_case *c)
{
  return !of(c)->together ? SHORT : c->device->type == XB_DEVICE_CPU ? LONG_ON_A_CPU : LONG;
}

/* ---- A device --------------------------------------------------------------------------------------------------- */

typedef struct worker {
  xb_device *device;
  xb_kernel *kernel;
  xb_buffer *in, *out;
  xb_commands *list;
  xb_point done;
} worker;

static xb_code record(const xb_call *call, worker *w, xb_error *err)
{
  const uint32_t n = (uint32_t)call->c->n;
  const xb_binding bindings[] = {{.buffer = w->in, .access = XB_READ}, {.buffer = w->out, .access = XB_WRITE}};
  struct xb_contexts_args args = {.n = n, .steps = steps(call->c)};
  const xb_dispatch dispatch = {
      .kernel = w->kernel, .bindings = bindings, .binding_count = 2, .args = &args, .arg_bytes = sizeof args};
  const xb_code code = xb_commands_create(w->device, &(xb_commands_desc){.label = "work"}, &w->list, err);
  if (code)
    return code;
  xb_record_groups(w->list, call->c, xb_ceil_div(n, call->c->block), dispatch, &args.grid_x);
  return xb_commands_finish(w->list, err);
}

static xb_code submit(worker *w, xb_error *err)
{
  return xb_submit(w->device, &(xb_submission){.commands = w->list}, &w->done, err);
}

static xb_code wait(worker *w, xb_error *err)
{
  return xb_wait(w->device, w->done, LIMIT_NS, err);
}

/* Also runs the list once. */
static xb_code make(const xb_call *call, worker *w, const uint32_t *words, xb_error *err)
{
  const xb_buffer_desc desc = {.label = "words", .bytes = call->c->n * WORD};
  const xb_plan_kernel work = {.name = "work", .binding_count = 2, .arg_bytes = sizeof(struct xb_contexts_args)};
  xb_code code = xb_create_embedded(call->c, &work, w->device, &w->kernel, err);
  code = code ? code : xb_buffer_create(w->device, &desc, &w->in, err);
  code = code ? code : xb_buffer_create(w->device, &desc, &w->out, err);
  code = code ? code : xb_upload(w->in, 0, words, desc.bytes, err);
  code = code ? code : record(call, w, err);
  code = code ? code : submit(w, err);
  return code ? code : wait(w, err);
}

static void destroy(worker *w)
{
  xb_commands_destroy(w->list);
  xb_buffer_destroy(w->in);
  xb_buffer_destroy(w->out);
  xb_kernel_destroy(w->kernel);
}

/* ---- What is timed ---------------------------------------------------------------------------------------------- */

/* A turn, on average. */
static xb_code take_turns(worker *w, uint32_t devices, double *ns, xb_error *err)
{
  xb_code code = XB_OK;
  const double begin = xb_clock_ns();
  for (uint32_t i = 0; i < TURNS && !code; i++) {
    code = submit(&w[i % devices], err);
    code = code ? code : wait(&w[i % devices], err);
  }
  *ns = (xb_clock_ns() - begin) / TURNS;
  return code;
}

static xb_code work_together(worker *w, uint32_t devices, double *ns, xb_error *err)
{
  xb_code code = XB_OK;
  const double begin = xb_clock_ns();
  for (uint32_t i = 0; i < devices && !code; i++)
    code = submit(&w[i], err);
  for (uint32_t i = 0; i < devices && !code; i++)
    code = wait(&w[i], err);
  *ns = xb_clock_ns() - begin;
  return code;
}

static xb_code check(const xb_call *call, worker *w, const uint32_t *words, uint32_t *out, xb_error *err)
{
  const uint64_t bytes = call->c->n * WORD;
  const xb_code code = xb_download(w->out, 0, out, bytes, err);
  const xb_affine all = xb_affine_steps((xb_affine){CONTEXTS_FACTOR, steps(call->c)}, steps(call->c));
  for (uint64_t i = 0; i < call->c->n && !code; i++)
    if (out[i] != words[i] * all.factor + all.term)
      return xb_fail(err, XB_INTERNAL, "contexts", "word %" PRIu64 " is 0x%08" PRIx32 ", expected 0x%08" PRIx32, i,
                     out[i], words[i] * all.factor + all.term);
  return code;
}

/* ---- The call --------------------------------------------------------------------------------------------------- */

/* The second device. `*ns`: the time to open it, which then belongs to the call; otherwise it stays open. */
static xb_code open_another(const xb_call *call, xb_device **device, double *ns, xb_error *err)
{
  xb_device_desc desc = xb_device_like(call->device);
  desc.own_context = of(call->c)->own;
  const double begin = xb_clock_ns();
  const xb_code code = of(call->c)->open ? xb_device_open(&desc, device, err) : xb_other_device(&desc, device, err);
  *ns = xb_clock_ns() - begin;
  return code;
}

static xb_code use(const xb_call *call, worker w[MOST], double *ns, xb_error *err)
{
  const parameters *p = of(call->c);
  const uint64_t bytes = call->c->n * WORD;
  double open_ns = 0;
  uint32_t *words = malloc(2 * bytes);
  xb_code code = words ? XB_OK : xb_fail(err, XB_NOMEM, "contexts", "out of host memory");
  if (!code)
    xb_bits(call->c->dtype, call->c->seed, 0, call->c->n, words);
  if (!code && p->devices > 1)
    code = open_another(call, &w[1].device, &open_ns, err);
  for (uint32_t i = 0; i < p->devices && !code; i++)
    code = make(call, &w[i], words, err);
  if (!code)
    code = (p->together ? work_together : take_turns)(w, p->devices, ns, err);
  for (uint32_t i = 0; i < p->devices && !code; i++)
    code = check(call, &w[i], words, words + call->c->n, err);
  if (p->open)
    *ns = open_ns;
  free(words);
  return code;
}

static xb_code act(const xb_call *call, double *ns, xb_error *err)
{
  worker w[MOST] = {{.device = call->device}};
  xb_code code = use(call, w, ns, err);
  for (uint32_t i = 0; i < MOST; i++)
    destroy(&w[i]);
  const xb_code closed = of(call->c)->open ? xb_device_close(w[1].device, code ? NULL : err) : XB_OK;
  return code ? code : closed;
}

/* [plan] One call. */
static xb_code contexts_plan(const xb_case *c, xb_plan *plan, xb_error *err)
{
  if (c->n > MOST_THREADS || c->n * WORD > c->window_bytes)
    return xb_refuse_case(c, err, "at most %d threads leave room for another dispatch, not %" PRIu64, MOST_THREADS,
                          c->n);
  plan->iterations = steps(c);
  xb_plan_step(plan, XB_STEP_CALL)->timed = act;
  return XB_OK;
}

XB_METHODS(.plan = contexts_plan, .checks_itself = xb_always)

#define OWN_ANYWAY                                                                                                     \
  .counterparts = {{"vulkan", XB_APPROXIMATE, "each device has a context of its own"},                                 \
                   {"d3d12", XB_APPROXIMATE, "the runtime decides what two devices share"}}

#include "benchmarks/rows.h"
