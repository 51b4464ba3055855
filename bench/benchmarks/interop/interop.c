/* One GPU's memory, used by two APIs. Copies and sums are timed by the device, inside of a call, because their buffers
 * belong to two devices; every word is checked, through the device that did not write it. */
#include "benchmarks/interop/both.h"
#include "core/clock.h"

#include <inttypes.h>
#include <string.h>

typedef struct parameters {
  enum { OWN, EXPORTABLE, READ, WRITE, IMPORT, HANDOVER, RING, SUM_OWN, SUM_EXPORTABLE, SUM } what;
  bool cudas;           /* CUDA makes the memory, else Vulkan */
  bool by_semaphore[2]; /* RING: from Vulkan to this API, and back */
} parameters;

/* The other device is of the same API then. */
#define OF_VULKAN                                                                                                      \
  .may_refuse = true,                                                                                                  \
  .counterparts = {{"vulkan", XB_NEAREST, "memory of Vulkan is imported by Vulkan: by another of its devices"}}
#define OF_CUDA                                                                                                        \
  .may_refuse = true,                                                                                                  \
  .counterparts = {{"cuda", XB_NEAREST, "memory of CUDA is imported by CUDA: devices of a process share a context"}}

enum { ELEMENT_BYTES = 4 };

XB_DEFINE_OF

static int what_of(const xb_case *c)
{
  return of(c)->what;
}

/* ---- Of one device --------------------------------------------------------------------------------------------- */

static xb_code use_own(const xb_call *call, double *ns, xb_error *err)
{
  const int what = what_of(call->c);
  const bool sums = what == SUM_OWN || what == SUM_EXPORTABLE;
  const uint64_t bytes = call->c->n * ELEMENT_BYTES;
  const xb_buffer_desc desc = {
      .label = "from", .bytes = bytes, .exportable = what == EXPORTABLE || what == SUM_EXPORTABLE};
  xb_buffer *from = NULL, *to = NULL;
  xb_code code = xb_buffer_create(call->device, &desc, &from, err);
  if (!code && sums)
    code = xb_sum(call, from, call->device, from, ns, err);
  if (!code && !sums)
    code = xb_buffer_create(call->device, &(xb_buffer_desc){.label = "to", .bytes = bytes}, &to, err);
  if (!code && !sums)
    code = xb_time_copies(call, to, from, &(xb_ends){call->device, from, to}, ns, err);
  xb_buffer_destroy(from);
  xb_buffer_destroy(to);
  return code;
}

/* ---- Between two APIs ------------------------------------------------------------------------------------------- */

/* The other device fills the first word, and waits; this one copies it to where the host sees it. */
static xb_code hand_over(const xb_both *both, xb_buffer *seen, double *ns, xb_error *err)
{
  static uint32_t word = 1000;
  xb_commands *fill = NULL, *copy = NULL;
  word++;
  xb_code code = xb_commands_create(both->there, &(xb_commands_desc){.label = "fill"}, &fill, err);
  code = code ? code : xb_commands_create(both->here, &(xb_commands_desc){.label = "copy"}, &copy, err);
  if (!code) {
    xb_cmd_fill(fill, both->theirs, 0, ELEMENT_BYTES, word);
    xb_cmd_copy(copy, seen, 0, both->shared, 0, ELEMENT_BYTES);
    code = xb_commands_finish(fill, err);
  }
  code = code ? code : xb_commands_finish(copy, err);
  const double begin = xb_clock_ns();
  code = code ? code : xb_run_list(both->there, fill, err);
  code = code ? code : xb_run_list(both->here, copy, err);
  *ns = xb_clock_ns() - begin;
  xb_commands_destroy(fill);
  xb_commands_destroy(copy);
  const uint32_t got = *(const uint32_t *)xb_buffer_host(seen);
  return code || got == word ? code : xb_fail(err, XB_INTERNAL, "interop", "the word is %u, expected %u", got, word);
}

static xb_code use_both(const xb_call *call, xb_both *both, double *ns, xb_error *err)
{
  const int what = what_of(call->c);
  const uint64_t bytes = what == RING ? XB_RING_BYTES : call->c->n * ELEMENT_BYTES;
  const bool needs_own = what == READ || what == WRITE || what == HANDOVER;
  const xb_buffer_desc desc = {.label = "own",
                               .mem = what == HANDOVER ? XB_MEM_READBACK : XB_MEM_DEVICE,
                               .bytes = what == HANDOVER ? ELEMENT_BYTES : bytes};
  xb_buffer *own = NULL;
  xb_code code = xb_both_open(call->device, of(call->c)->cudas ? "cuda" : "vulkan", bytes, both, err);
  if (!code && needs_own)
    code = xb_buffer_create(call->device, &desc, &own, err);
  if (code)
    return code;
  switch (what) {
  case READ: code = xb_time_copies(call, own, both->shared, &(xb_ends){both->there, both->theirs, own}, ns, err); break;
  case WRITE:
    code = xb_time_copies(call, both->shared, own, &(xb_ends){call->device, own, both->theirs}, ns, err);
    break;
  case HANDOVER: code = hand_over(both, own, ns, err); break;
  case RING: code = xb_ring(call, both, of(call->c)->by_semaphore, ns, err); break;
  case SUM: code = xb_sum(call, both->shared, both->there, both->theirs, ns, err); break;
  default: *ns = both->import_ns; /* IMPORT */
  }
  xb_buffer_destroy(own);
  return code;
}

static xb_code act(const xb_call *call, double *ns, xb_error *err)
{
  const int what = what_of(call->c);
  const bool own = what == OWN || what == EXPORTABLE || what == SUM_OWN || what == SUM_EXPORTABLE;
  xb_both both = {0};
  const xb_code code = own ? use_own(call, ns, err) : use_both(call, &both, ns, err);
  xb_both_close(&both);
  return code;
}

/* [plan] One call. */
static xb_code interop_plan(const xb_case *c, xb_plan *plan, xb_error *err)
{
  (void)err;
  const int what = what_of(c);
  const bool sums = what == SUM || what == SUM_OWN || what == SUM_EXPORTABLE;
  const bool copies = what == OWN || what == EXPORTABLE || what == READ || what == WRITE;
  plan->bytes = (copies ? 2 : sums) * c->n * ELEMENT_BYTES;
  xb_plan_step(plan, XB_STEP_CALL)->timed = act;
  return XB_OK;
}

static const xb_methods methods = {.plan = interop_plan, .close = xb_both_close_device, .checks_itself = xb_always};

#include "benchmarks/rows.h"
