/* One GPU's memory, used by two APIs. The copies are timed by the device, inside of a call, because their buffers
 * belong to two devices; every word of them is checked, through the device that did not write it. */
#include "benchmarks/input.h"
#include "benchmarks/interop/both.h"
#include "benchmarks/registry.h"
#include "benchmarks/transfers/transfers_args.h"
#include "core/clock.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

typedef struct parameters {
  enum { OWN, EXPORTABLE, READ, WRITE, IMPORT, HANDOVER } what;
} parameters;

#define OTHER                                                                                                          \
  .may_refuse = true, .counterparts = {{"vulkan", XB_NEAREST,                                                          \
                                        "CUDA exports no memory that Vulkan imports: another device of Vulkan does"}}

enum { ELEMENT_BYTES = 4, RUNS = 8 };
static const uint64_t LIMIT_NS = 10ull * 1000 * 1000 * 1000;

static int what_of(const xb_case *c)
{
  return ((const parameters *)c->variant->parameters)->what;
}

static xb_code run(xb_device *device, xb_commands *list, xb_error *err)
{
  xb_point done;
  const xb_code code = xb_submit(device, &(xb_submission){.commands = list}, &done, err);
  return code ? code : xb_wait(device, done, LIMIT_NS, err);
}

/* ---- A copy ----------------------------------------------------------------------------------------------------- */

/* That of transfers/9: one word a thread. */
static xb_code make_kernel(const xb_call *call, xb_kernel **kernel, xb_error *err)
{
  const xb_plan_kernel plain = {.name = "9_zero_copy"};
  xb_kernel_desc desc = {.label = "interop",
                         .group_size = {call->c->block, 1, 1},
                         .binding_count = 2,
                         .arg_bytes = sizeof(struct xb_transfers_args)};
  xb_case of_transfers = *call->c;
  of_transfers.variant = xb_variant_find("transfers", "zero_copy");
  const xb_code code = xb_find_embedded(&of_transfers, &plain, &desc, err);
  return code ? code : xb_kernel_create(call->device, &desc, kernel, err);
}

static xb_code record(const xb_call *call, xb_kernel *kernel, xb_buffer *to, xb_buffer *from, xb_commands **list,
                      xb_error *err)
{
  const uint32_t n = (uint32_t)call->c->n;
  const xb_binding bindings[] = {{.buffer = from, .access = XB_READ}, {.buffer = to, .access = XB_DISJOINT_WRITE}};
  struct xb_transfers_args args = {.n = n, .piece = n, .step = n};
  xb_dispatch dispatch = {
      .kernel = kernel, .bindings = bindings, .binding_count = 2, .args = &args, .arg_bytes = sizeof args};
  xb_fold_groups(call->c->device, xb_ceil_div(n, call->c->block), dispatch.groups);
  args.grid_x = dispatch.groups[0];
  const xb_code code =
      xb_commands_create(call->device, &(xb_commands_desc){.label = "copies", .timestamp_count = 2}, list, err);
  if (code)
    return code;
  xb_cmd_timestamp(*list, 0);
  for (int i = 0; i < RUNS; i++) {
    if (i)
      xb_cmd_barrier(*list);
    xb_cmd_dispatch(*list, &dispatch);
  }
  xb_cmd_timestamp(*list, 1);
  return xb_commands_finish(*list, err);
}

/* The second submission is timed. */
static xb_code time_copies(const xb_call *call, xb_buffer *to, xb_buffer *from, double *ns, xb_error *err)
{
  xb_kernel *kernel = NULL;
  xb_commands *list = NULL;
  double stamps[2] = {0};
  xb_code code = make_kernel(call, &kernel, err);
  code = code ? code : record(call, kernel, to, from, &list, err);
  for (int i = 0; i < 2 && !code; i++) {
    code = run(call->device, list, err);
    code = code ? code : xb_commands_timestamps(list, stamps, 2, err);
  }
  *ns = stamps[1] / RUNS;
  xb_commands_destroy(list);
  xb_kernel_destroy(kernel);
  return code;
}

/* `put` and `get` are the two ends, as those see them who do not copy. */
static xb_code copy_and_check(const xb_call *call, xb_buffer *to, xb_buffer *from, xb_buffer *put, xb_buffer *get,
                              double *ns, xb_error *err)
{
  const uint64_t bytes = call->c->n * ELEMENT_BYTES;
  uint32_t *in = malloc(bytes), *out = calloc(1, bytes);
  xb_code code = in && out ? XB_OK : xb_fail(err, XB_NOMEM, "interop", "out of host memory");
  if (!code) {
    xb_bits(call->c->dtype, call->c->seed, 0, call->c->n, in);
    code = xb_upload(put, 0, in, bytes, err);
  }
  code = code ? code : time_copies(call, to, from, ns, err);
  code = code ? code : xb_download(get, 0, out, bytes, err);
  for (uint64_t i = 0; i < call->c->n && !code; i++)
    if (in[i] != out[i])
      code = xb_fail(err, XB_INTERNAL, "interop", "element %" PRIu64 " is 0x%08" PRIx32 ", expected 0x%08" PRIx32, i,
                     out[i], in[i]);
  free(in);
  free(out);
  return code;
}

static xb_code copy_own(const xb_call *call, double *ns, xb_error *err)
{
  const uint64_t bytes = call->c->n * ELEMENT_BYTES;
  const xb_buffer_desc desc = {.label = "from", .bytes = bytes, .exportable = what_of(call->c) == EXPORTABLE};
  xb_buffer *from = NULL, *to = NULL;
  xb_code code = xb_buffer_create(call->device, &desc, &from, err);
  code = code ? code : xb_buffer_create(call->device, &(xb_buffer_desc){.label = "to", .bytes = bytes}, &to, err);
  code = code ? code : copy_and_check(call, to, from, from, to, ns, err);
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
  code = code ? code : run(both->there, fill, err);
  code = code ? code : run(both->here, copy, err);
  *ns = xb_clock_ns() - begin;
  xb_commands_destroy(fill);
  xb_commands_destroy(copy);
  const uint32_t got = *(const uint32_t *)xb_buffer_host(seen);
  return code || got == word ? code : xb_fail(err, XB_INTERNAL, "interop", "the word is %u, expected %u", got, word);
}

static xb_code use_both(const xb_call *call, xb_both *both, double *ns, xb_error *err)
{
  const int what = what_of(call->c);
  const uint64_t bytes = call->c->n * ELEMENT_BYTES;
  const xb_buffer_desc desc = {.label = "own",
                               .mem = what == HANDOVER ? XB_MEM_READBACK : XB_MEM_DEVICE,
                               .bytes = what == HANDOVER ? ELEMENT_BYTES : bytes};
  xb_buffer *own = NULL;
  xb_code code = xb_both_open(call->device, bytes, both, err);
  code = code ? code : xb_buffer_create(call->device, &desc, &own, err);
  if (!code && what == HANDOVER)
    code = hand_over(both, own, ns, err);
  else if (!code && what == WRITE)
    code = copy_and_check(call, both->shared, own, own, both->theirs, ns, err);
  else if (!code)
    code = copy_and_check(call, own, both->shared, both->theirs, own, ns, err);
  if (what == IMPORT)
    *ns = both->import_ns;
  xb_buffer_destroy(own);
  return code;
}

static xb_code act(xb_call *call, xb_error *err)
{
  const double enter = xb_clock_ns();
  const int what = what_of(call->c);
  double ns = 0;
  xb_both both = {0};
  xb_code code = what == OWN || what == EXPORTABLE ? copy_own(call, &ns, err) : use_both(call, &both, &ns, err);
  if (both.there)
    code = xb_both_close(&both, code, err);
  call->untimed_ns += xb_clock_ns() - enter - ns;
  return code;
}

/* [plan] One call. */
static xb_code interop_plan(const xb_case *c, xb_plan *plan, xb_error *err)
{
  const int what = what_of(c);
  if (c->n * ELEMENT_BYTES > c->window_bytes)
    return xb_fail(err, XB_UNSUPPORTED, "interop", "%" PRIu64 " bytes do not fit into one binding",
                   c->n * ELEMENT_BYTES);
  plan->bytes = what == IMPORT || what == HANDOVER ? 0 : 2 * c->n * ELEMENT_BYTES;
  plan->windows = 1;
  xb_plan_step(plan, XB_STEP_CALL)->call = act;
  return XB_OK;
}

static const xb_methods methods = {.plan = interop_plan};

#define XB_SELF xb_interop
#define XB_TABLE "benchmarks/interop/variants.def"
#include "benchmarks/rows.h"
