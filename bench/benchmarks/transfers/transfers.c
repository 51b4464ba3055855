/* Transfers of n elements between the host and the device, one way, by each kind of memory that the host has. `bytes`
 * counts each byte once. What a program has to do to its data first, such as filling the pages, is not timed. */
#include "benchmarks/family.h"
#include "benchmarks/transfers/pageable.h"
#include "benchmarks/transfers/transfers_args.h"
#include "os/numa.h"

typedef struct parameters {
  enum { COPY, PAGEABLE, FRESH, PINNED, MEMCPY, ZERO_COPY, MAPPED, SMALL, PACKED } how;
  bool down;     /* from the device to the host */
  bool runtime;  /* by cudaMemcpy */
  bool waits;    /* for the end of the copy, after the call */
  xb_mem memory; /* of the host; XB_MEM_DEVICE: pinned */
} parameters;

#define STAGED                                                                                                         \
  .may_refuse = true, .counterparts = {{"vulkan", XB_APPROXIMATE,                                                      \
                                        "Vulkan copies no pageable memory: it goes through pinned memory, in parts"}}
#define NO_MAPPED .counterparts = {{"cuda", XB_NONE, "CUDA does not map device memory into the host's address space"}}
#define RUNTIME                                                                                                        \
  .may_refuse = true, ONLY("cuda", "cudaMemcpy is a function of CUDA's runtime library: Vulkan has no such library")

enum {
  PIECES = 1000,
  APART = 2,                      /* a piece of the output begins so many pieces after the one before */
  MOST_MAPPED_BYTES = 256u << 20, /* the host reads such memory very slowly */
};

/* Elements of a piece. */
static uint64_t piece_of(const xb_case *c)
{
  return xb_ceil_div(c->n, PIECES);
}

static bool in_pieces(const xb_case *c)
{
  return of(c)->how == SMALL || of(c)->how == PACKED;
}

/* Elements that the host's data is moved by: calls with pages of their own have their own way. */
static uint64_t shift_of(const xb_case *c)
{
  return of(c)->how == COPY || of(c)->how == PINNED ? c->at[0] / WORD : 0;
}

/* ---- The plan --------------------------------------------------------------------------------------------------- */

static uint32_t add_slot(const xb_case *c, xb_plan *plan, const char *name, xb_role role, xb_mem memory,
                         uint64_t elements)
{
  const bool by_pages = of(c)->how == PAGEABLE || of(c)->how == FRESH; /* then those are placed */
  const bool on_host = memory == XB_MEM_DEVICE ? role == XB_ROLE_HOST_INPUT || role == XB_ROLE_HOST_OUTPUT
                                               : memory != XB_MEM_DEVICE_MAPPED;
  return xb_plan_slot_with(plan, .name = name, .role = role, .bytes = elements * WORD, .generate = xb_bits,
                           .memory = memory, .node = on_host && !by_pages ? c->at[1] : 0);
}

static xb_step *add_step(xb_plan *plan, xb_step_kind kind, uint32_t to, uint64_t to_first, uint32_t from,
                         uint64_t from_first, uint64_t count)
{
  xb_step *step = xb_plan_step(plan, kind);
  xb_step_bind(step, to, to_first * WORD, count * WORD, XB_WRITE);
  xb_step_bind(step, from, from_first * WORD, count * WORD, XB_READ);
  return step;
}

/* [plan] Windows of the largest size that a binding allows; one thread a word. */
static void plan_zero_copy(const xb_case *c, xb_plan *plan, uint32_t to, uint32_t from)
{
  xb_windows w = {.all = c->n, .step = 1024};
  xb_stream_of(&w, from, WORD, XB_READ);
  xb_stream_of(&w, to, WORD, XB_DISJOINT_WRITE);
  for (xb_step *step; (step = xb_next_window(c, plan, &w));)
    xb_step_fields(step, struct xb_transfers_args, .n = (uint32_t)w.count, .piece = (uint32_t)w.count,
                   .step = (uint32_t)w.count);
}

/* The pieces lie apart on both sides. */
static xb_code pack(xb_call *call, xb_error *err)
{
  const uint64_t piece = piece_of(call->c) * WORD, bytes = call->bindings[0].size;
  char *to = call->bindings[0].host;
  const char *from = call->bindings[1].host;
  for (xb_slice s = {0}; xb_next_slice(&s, bytes, piece);) {
    if (s.first * APART + s.count > call->bindings[1].size)
      return xb_fail(err, XB_INVALID, "transfers", "a piece lies past the end of the input");
    memcpy(to + s.first, from + s.first * APART, s.count);
  }
  return XB_OK;
}

/* [plan] A copy for each piece; or one call that packs them, one copy, and one dispatch that unpacks them. */
static xb_code plan_pieces(const xb_case *c, xb_plan *plan, xb_error *err)
{
  const uint64_t piece = piece_of(c), count = xb_ceil_div(c->n, piece), last = c->n - (count - 1) * piece;
  const uint64_t all = (count - 1) * piece * APART + last;
  if (all * WORD > c->window_bytes)
    return xb_refuse_case(c, err, "separated pieces in %" PRIu64 " bytes do not fit into one binding", all * WORD);
  const bool packed = of(c)->how == PACKED;
  const uint32_t to = add_slot(c, plan, "output", XB_ROLE_OUTPUT, XB_MEM_DEVICE, all);
  const uint32_t from =
      add_slot(c, plan, "host input", XB_ROLE_HOST_INPUT, packed ? XB_MEM_READBACK : XB_MEM_DEVICE, all);
  for (uint64_t i = 0; i < count && !packed && !plan->code; i++)
    add_step(plan, XB_STEP_COPY, to, i * piece * APART, from, i * piece * APART, i + 1 < count ? piece : last);
  if (!packed)
    return XB_OK;
  const uint32_t host = add_slot(c, plan, "packed on the host", XB_ROLE_SCRATCH, XB_MEM_UPLOAD, c->n);
  const uint32_t device = add_slot(c, plan, "packed on the device", XB_ROLE_SCRATCH, XB_MEM_DEVICE, c->n);
  xb_step *step = xb_plan_step(plan, XB_STEP_CALL);
  step->call = pack;
  xb_step_bind_all(plan, step, host, XB_WRITE);
  xb_step_bind_all(plan, step, from, XB_READ);
  add_step(plan, XB_STEP_COPY, device, 0, host, 0, c->n);
  xb_plan_step(plan, XB_STEP_BARRIER);
  step = xb_plan_dispatch(c, plan, xb_ceil_div(c->n, c->block));
  xb_step_bind_all(plan, step, device, XB_READ);
  xb_step_bind_all(plan, step, to, XB_DISJOINT_WRITE);
  xb_step_fields(step, struct xb_transfers_args, .n = (uint32_t)c->n, .piece = (uint32_t)piece,
                 .step = (uint32_t)(piece * APART));
  return XB_OK;
}

/* [plan] The host writes device memory, which is then copied where others read it; or the other way round. */
static xb_code plan_mapped(const xb_case *c, xb_plan *plan, xb_error *err)
{
  const bool down = of(c)->down;
  if (down && c->n * WORD > MOST_MAPPED_BYTES)
    return xb_refuse_case(c, err, "the host reads device memory slowly: at most 256 MiB are read");
  const uint32_t to = add_slot(c, plan, "output", down ? XB_ROLE_HOST_OUTPUT : XB_ROLE_OUTPUT, XB_MEM_DEVICE, c->n);
  const uint32_t from = down ? add_slot(c, plan, "input", XB_ROLE_INPUT, XB_MEM_DEVICE, c->n)
                             : add_slot(c, plan, "host input", XB_ROLE_HOST_INPUT, XB_MEM_READBACK, c->n);
  const uint32_t mapped = add_slot(c, plan, "mapped", XB_ROLE_SCRATCH, XB_MEM_DEVICE_MAPPED, c->n);
  if (down)
    add_step(plan, XB_STEP_COPY, mapped, 0, from, 0, c->n);
  add_step(plan, XB_STEP_CALL, down ? to : mapped, 0, down ? mapped : from, 0, c->n)->call = xb_host_copy;
  if (!down)
    add_step(plan, XB_STEP_COPY, to, 0, mapped, 0, c->n);
  return XB_OK;
}

static xb_call_fn *call_of(const parameters *p)
{
  if (p->runtime && p->how == PAGEABLE)
    return p->waits ? xb_runtime_pageable_end : xb_runtime_pageable;
  return p->how == MEMCPY   ? xb_host_copy
         : p->how == PINNED ? xb_runtime_pinned
         : p->how == FRESH  ? xb_fresh
                            : xb_pageable;
}

static xb_code refuse(const xb_case *c, xb_error *err)
{
  const int how = of(c)->how;
  const bool bytes = how == PAGEABLE || how == FRESH, words = how == COPY || how == PINNED;
  if (c->at[0] > XB_HOST_ALIGN || (c->at[0] && !bytes && !words))
    return xb_refuse_case(c, err, "align=%u: %s", c->at[0],
                          bytes || words ? "at most 64 bytes"
                                         : "bindings of kernels and whole buffers must begin at 0");
  if (c->at[0] % WORD && words)
    return xb_refuse_case(c, err, "align=%u: copies of buffers begin at multiples of 4 bytes", c->at[0]);
  return XB_OK;
}

/* [plan] A call for what the host copies, the API's own copy, or a dispatch. */
static xb_code transfers_plan(const xb_case *c, xb_plan *plan, xb_error *err)
{
  const parameters *p = of(c);
  plan->bytes = c->n * WORD;
  if (in_pieces(c))
    return plan_pieces(c, plan, err);
  if (p->how == MAPPED)
    return plan_mapped(c, plan, err);
  const bool host_only = p->how == MEMCPY, calls = c->variant->clock == XB_CLOCK_CALLS;
  const uint64_t shift = shift_of(c), host_count = c->n + shift;
  const xb_mem memory = calls ? XB_MEM_READBACK : p->memory; /* the host reads it */
  const uint32_t from = p->down ? add_slot(c, plan, "input", XB_ROLE_INPUT, XB_MEM_DEVICE, c->n)
                                : add_slot(c, plan, "host input", XB_ROLE_HOST_INPUT, memory, host_count);
  const uint32_t to = p->down || host_only
                          ? add_slot(c, plan, "host output", XB_ROLE_HOST_OUTPUT, p->memory, host_count)
                          : add_slot(c, plan, "output", XB_ROLE_OUTPUT, XB_MEM_DEVICE, c->n);
  const uint64_t to_first = p->down ? shift : 0, from_first = p->down ? 0 : shift;
  if (p->how == ZERO_COPY)
    plan_zero_copy(c, plan, to, from);
  else if (calls)
    add_step(plan, XB_STEP_CALL, to, to_first, from, from_first, c->n)->call = call_of(p);
  else
    add_step(plan, XB_STEP_COPY, to, to_first, from, from_first, c->n);
  return XB_OK;
}

/* ---- Check ------------------------------------------------------------------------------------------------------ */

static uint32_t expected_word(const xb_case *c, uint64_t i)
{
  const uint64_t shift = shift_of(c), piece = piece_of(c);
  uint32_t word;
  if (of(c)->down && i < shift)
    return XB_POISON;
  if (in_pieces(c) && i % (piece * APART) >= piece)
    return XB_POISON;
  xb_bits(c->dtype, c->seed, of(c)->down ? i - shift : i + shift, 1, &word);
  return word;
}

static void expect(const xb_case *c, uint64_t first, uint64_t count, uint32_t *expected)
{
  if (!in_pieces(c) && !shift_of(c)) {
    xb_bits(c->dtype, c->seed, first, count, expected);
    return;
  }
  for (uint64_t i = 0; i < count; i++)
    expected[i] = expected_word(c, first + i);
}

static const char *transfers_remark(const xb_case *c)
{
  return c->at[1] && xb_numa_nodes() == 1 ? "one NUMA node: nothing to choose" : NULL;
}

XB_METHODS(.refuse = refuse, .plan = transfers_plan, .expect = expect, .word = "element", .remark = transfers_remark)

#include "benchmarks/rows.h"
