/* One GPU's memory, used by two APIs. Copies and sums are timed by the device, inside of a call, because their buffers
 * belong to two devices; every word is checked, through the device that did not write it. */
#include "benchmarks/calls.h"
#include "benchmarks/family.h"
#include "benchmarks/interop/both.h"
#include "benchmarks/registry.h"
#include "benchmarks/sum.h"
#include "benchmarks/transfers/transfers_args.h"
#include "core/clock.h"

typedef struct parameters {
  enum { OWN, EXPORTABLE, READ, WRITE, IMPORT, HANDOVER, RING, SUM_OWN, SUM_EXPORTABLE, SUM } what;
  bool cudas;           /* CUDA makes the memory, else Vulkan */
  bool by_semaphore[2]; /* RING: from Vulkan to this API, and back */
} parameters;

/* The other device is of the same API then. */
#define OF_VULKAN                                                                                                      \
  .may_refuse = true,                                                                                                  \
  .counterparts = {{"vulkan", XB_APPROXIMATE, "Vulkan imports its own memory, through a second Vulkan device"}}
#define OF_CUDA                                                                                                        \
  .may_refuse = true, .counterparts = {{"cuda", XB_APPROXIMATE,                                                        \
                                        "CUDA need not import CUDA's memory: devices of a process share a context"}}

enum { RUNS = 8, WINDOW_STEP = 1024 /* keeps offsets aligned */ };

/* ---- Copies by the kernel of transfers/9 ------------------------------------------------------------------------ */

xb_code xb_copy_kernel(const xb_case *c, xb_device *device, xb_kernel **kernel, xb_error *err)
{
  const xb_plan_kernel plain = {
      .name = "9_zero_copy", .binding_count = 2, .arg_bytes = sizeof(struct xb_transfers_args)};
  xb_case of_transfers = *c;
  of_transfers.variant = xb_variant_find("transfers", "zero_copy");
  of_transfers.device = xb_device_get_info(device);
  return xb_create_embedded(&of_transfers, &plain, device, kernel, err);
}

/* The two ends of a copy, as those see them who do not copy. */
typedef struct ends {
  xb_device *writer;
  xb_buffer *put, *get;
} ends;

typedef struct copy_work {
  const xb_case *c;
  xb_kernel *kernel;
  xb_buffer *to, *from;
} copy_work;

static void poison_copies(void *user, xb_commands *list)
{
  const copy_work *w = user;
  xb_cmd_fill(list, w->to, 0, w->c->n * WORD, XB_POISON);
}

/* [dispatch] One for each window. */
static void record_copies(void *user, xb_commands *list)
{
  const copy_work *w = user;
  const xb_case *c = w->c;
  const uint64_t most = c->window_bytes / WORD / WINDOW_STEP * WINDOW_STEP;
  for (xb_slice s = {0}; xb_next_slice(&s, c->n, c->n <= most || !most ? c->n : most);) {
    const uint64_t offset = s.first * WORD, size = s.count * WORD;
    const xb_binding bindings[] = {{.buffer = w->from, .offset = offset, .size = size, .access = XB_READ},
                                   {.buffer = w->to, .offset = offset, .size = size, .access = XB_WRITE}};
    struct xb_transfers_args args = {.n = (uint32_t)s.count, .piece = (uint32_t)s.count, .step = (uint32_t)s.count};
    const xb_dispatch dispatch = {
        .kernel = w->kernel, .bindings = bindings, .binding_count = 2, .args = &args, .arg_bytes = sizeof args};
    xb_record_groups(list, c, xb_ceil_div(s.count, c->block), dispatch, &args.grid_x);
  }
}

/* Device time of a copy. */
static xb_code time_copies(const xb_call *call, xb_buffer *to, xb_buffer *from, const ends *e, double *ns,
                           xb_error *err)
{
  copy_work w = {.c = call->c, .to = to, .from = from};
  const xb_timed_work timed = {"copies", RUNS, poison_copies, record_copies, &w};
  xb_code code = xb_pieces_write(call->c, e->writer, e->put, NULL, err);
  code = code ? code : xb_copy_kernel(call->c, call->device, &w.kernel, err);
  code = code ? code : xb_time_work(call->device, &timed, ns, err);
  if (!code && call->checks)
    code = xb_pieces_check(call->c, e->get, err);
  xb_kernel_destroy(w.kernel);
  return code;
}

/* ---- Sums: reduce/9 of memory that others made ------------------------------------------------------------------ */

static void prepare_sum(void *user, xb_commands *list)
{
  xb_sum_prepare(user, list);
}

static void record_sum(void *user, xb_commands *list)
{
  xb_sum_record(user, list);
}

/* Device time of a sum of `data`, which is `written` through another device. It is exact. */
static xb_code time_sums(const xb_call *call, xb_buffer *data, xb_device *writer, xb_buffer *written, double *ns,
                         xb_error *err)
{
  xb_sum w = {.kernel = NULL};
  const xb_timed_work timed = {"sums", RUNS, prepare_sum, record_sum, &w};
  uint32_t sum = 0, got = 0;
  xb_code code = xb_pieces_write(call->c, writer, written, &sum, err);
  code = code ? code : xb_sum_create(call->device, data, call->c->n, call->c->window_bytes, &w, err);
  code = code ? code : xb_time_work(call->device, &timed, ns, err);
  code = code ? code : xb_download(w.buffers[1], 0, &got, sizeof got, err);
  if (!code && got != sum)
    code = xb_fail(err, XB_INTERNAL, "interop", "the sum is 0x%08" PRIx32 ", expected 0x%08" PRIx32, got, sum);
  xb_sum_destroy(&w);
  return code;
}

/* ---- Of one device ---------------------------------------------------------------------------------------------- */

static xb_code use_own(const xb_call *call, double *ns, xb_error *err)
{
  const int what = of(call->c)->what;
  const bool sums = what == SUM_OWN || what == SUM_EXPORTABLE;
  const uint64_t bytes = call->c->n * WORD;
  const xb_buffer_desc desc = {
      .label = "from", .bytes = bytes, .exportable = what == EXPORTABLE || what == SUM_EXPORTABLE};
  xb_buffer *from = NULL, *to = NULL;
  xb_code code = xb_buffer_create(call->device, &desc, &from, err);
  if (!code && sums)
    code = time_sums(call, from, call->device, from, ns, err);
  if (!code && !sums)
    code = xb_buffer_create(call->device, &(xb_buffer_desc){.label = "to", .bytes = bytes}, &to, err);
  if (!code && !sums)
    code = time_copies(call, to, from, &(ends){call->device, from, to}, ns, err);
  xb_buffer_destroy(from);
  xb_buffer_destroy(to);
  return code;
}

/* ---- Between two APIs ------------------------------------------------------------------------------------------- */

/* The other device fills the first word, and waits; this one copies it to where the host sees it. */
static xb_code hand_over(const xb_both *both, xb_buffer *seen, double *ns, xb_error *err)
{
  const uint32_t word = xb_new_number();
  xb_commands *fill = NULL, *copy = NULL;
  xb_code code = xb_commands_create(both->there, &(xb_commands_desc){.label = "fill"}, &fill, err);
  code = code ? code : xb_commands_create(both->here, &(xb_commands_desc){.label = "copy"}, &copy, err);
  if (!code) {
    xb_cmd_fill(fill, both->theirs, 0, WORD, word);
    xb_cmd_copy(copy, seen, 0, both->shared, 0, WORD);
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
  const int what = of(call->c)->what;
  const uint64_t bytes = what == RING ? XB_RING_BYTES : call->c->n * WORD;
  const bool needs_own = what == READ || what == WRITE || what == HANDOVER;
  const xb_buffer_desc desc = {.label = "own",
                               .mem = what == HANDOVER ? XB_MEM_READBACK : XB_MEM_DEVICE,
                               .bytes = what == HANDOVER ? WORD : bytes};
  xb_buffer *own = NULL;
  xb_code code = xb_both_open(call->device, of(call->c)->cudas ? "cuda" : "vulkan", bytes, both, err);
  if (!code && needs_own)
    code = xb_buffer_create(call->device, &desc, &own, err);
  if (code)
    return code;
  switch (what) {
  case READ: code = time_copies(call, own, both->shared, &(ends){both->there, both->theirs, own}, ns, err); break;
  case WRITE: code = time_copies(call, both->shared, own, &(ends){call->device, own, both->theirs}, ns, err); break;
  case HANDOVER: code = hand_over(both, own, ns, err); break;
  case RING: code = xb_ring(call, both, of(call->c)->by_semaphore, ns, err); break;
  case SUM: code = time_sums(call, both->shared, both->there, both->theirs, ns, err); break;
  default: *ns = both->import_ns; /* IMPORT */
  }
  xb_buffer_destroy(own);
  return code;
}

static xb_code act(const xb_call *call, double *ns, xb_error *err)
{
  const int what = of(call->c)->what;
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
  const int what = of(c)->what;
  const bool sums = what == SUM || what == SUM_OWN || what == SUM_EXPORTABLE;
  const bool copies = what == OWN || what == EXPORTABLE || what == READ || what == WRITE;
  plan->bytes = (copies ? 2 : sums) * c->n * WORD;
  xb_plan_step(plan, XB_STEP_CALL)->timed = act;
  return XB_OK;
}

XB_METHODS(.plan = interop_plan, .checks_itself = xb_always)

#include "benchmarks/rows.h"
