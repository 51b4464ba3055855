/* Work that goes to and fro between two devices: each piece copies what the one before has written. */
#include "benchmarks/family.h"
#include "benchmarks/interop/both.h"
#include "benchmarks/transfers/transfers_args.h"
#include "core/clock.h"

#include <unistd.h>

enum { PIECES = 64, WORDS = 64, PART = WORDS * 4, ALL = PIECES + 1 };
_Static_assert(ALL *PART <= XB_RING_BYTES, "the parts fit");
static const uint64_t LIMIT_NS = 10ull * 1000 * 1000 * 1000;

typedef struct side {
  xb_device *device;
  xb_buffer *buffer;
  xb_kernel *kernel;
  xb_semaphore *semaphore;
} side;

typedef struct ring {
  side sides[2]; /* there, here */
  xb_commands *lists[PIECES];
  xb_point done[PIECES];
} ring;

static xb_code share_semaphore(side sides[2], xb_error *err)
{
  int fd;
  xb_code code = xb_semaphore_create(sides[0].device, &sides[0].semaphore, err);
  code = code ? code : xb_semaphore_export(sides[0].semaphore, &fd, err);
  if (code)
    return code;
  code = xb_semaphore_import(sides[1].device, fd, &sides[1].semaphore, err);
  if (code)
    close(fd);
  return code;
}

/* Piece k copies part k to part k + 1. */
static xb_code record(const xb_case *c, const side *s, uint32_t k, xb_commands **list, xb_error *err)
{
  const xb_binding bindings[] = {
      {.buffer = s->buffer, .offset = (uint64_t)k * PART, .size = PART, .access = XB_READ},
      {.buffer = s->buffer, .offset = (uint64_t)(k + 1) * PART, .size = PART, .access = XB_WRITE}};
  const struct xb_transfers_args args = {
      .n = WORDS, .grid_x = (uint32_t)xb_ceil_div(WORDS, c->block), .piece = WORDS, .step = WORDS};
  const xb_dispatch dispatch = {.kernel = s->kernel,
                                .bindings = bindings,
                                .binding_count = 2,
                                .args = &args,
                                .arg_bytes = sizeof args,
                                .groups = {args.grid_x, 1, 1}};
  const xb_code code = xb_commands_create(s->device, &(xb_commands_desc){.label = "piece"}, list, err);
  if (code)
    return code;
  xb_cmd_dispatch(*list, &dispatch);
  return xb_commands_finish(*list, err);
}

static xb_code create(const xb_call *call, const xb_both *both, bool semaphore, ring *r, xb_error *err)
{
  r->sides[0] = (side){.device = both->there, .buffer = both->theirs};
  r->sides[1] = (side){.device = both->here, .buffer = both->shared};
  xb_code code = semaphore ? share_semaphore(r->sides, err) : XB_OK;
  for (int i = 0; i < 2 && !code; i++)
    code = xb_copy_kernel(call->c, r->sides[i].device, &r->sides[i].kernel, err);
  for (uint32_t k = 0; k < PIECES && !code; k++)
    code = record(call->c, &r->sides[k % 2], k, &r->lists[k], err);
  return code;
}

static void destroy(ring *r)
{
  for (uint32_t k = 0; k < PIECES; k++)
    xb_commands_destroy(r->lists[k]);
  for (int i = 0; i < 2; i++) {
    xb_semaphore_destroy(r->sides[i].semaphore);
    xb_kernel_destroy(r->sides[i].kernel);
  }
}

/* [submit] The semaphore has the value k when piece k may begin. Otherwise the host waits before it submits piece k. */
static xb_code submit(ring *r, const bool by_semaphore[2], xb_error *err)
{
  xb_code code = XB_OK;
  for (uint32_t k = 0; k < PIECES && !code; k++) {
    const side *s = &r->sides[k % 2];
    const bool waits = k && by_semaphore[(k - 1) % 2], signals = by_semaphore[k % 2];
    const xb_submission piece = {.commands = r->lists[k],
                                 .wait = waits ? s->semaphore : NULL,
                                 .wait_value = k,
                                 .signal = signals ? s->semaphore : NULL,
                                 .signal_value = k + 1};
    code = xb_submit(s->device, &piece, &r->done[k], err);
    if (!code && !signals)
      code = xb_wait(s->device, r->done[k], LIMIT_NS, err);
  }
  return code;
}

/* The words have passed through all pieces, and are new in each run. */
static xb_code run_and_check(const xb_call *call, ring *r, const bool by_semaphore[2], double *ns, xb_error *err)
{
  uint32_t first[ALL * WORDS], last[WORDS];
  const uint64_t seed = call->c->seed + xb_new_number();
  for (uint32_t i = WORDS; i < ALL * WORDS; i++)
    first[i] = XB_POISON;
  xb_bits(call->c->dtype, seed, 0, WORDS, first);
  xb_code code = xb_upload(r->sides[0].buffer, 0, first, sizeof first, err);
  const double begin = xb_clock_ns();
  code = code ? code : submit(r, by_semaphore, err);
  for (uint32_t k = PIECES - 2; k < PIECES && !code; k++)
    code = xb_wait(r->sides[k % 2].device, r->done[k], LIMIT_NS, err);
  *ns = (xb_clock_ns() - begin) / PIECES;
  code = code ? code : xb_download(r->sides[0].buffer, (uint64_t)PIECES * PART, last, sizeof last, err);
  for (uint32_t i = 0; i < WORDS && !code; i++)
    if (last[i] != first[i])
      code = xb_fail(err, XB_INTERNAL, "interop", "word %" PRIu32 " is 0x%08" PRIx32 ", expected 0x%08" PRIx32, i,
                     last[i], first[i]);
  return code;
}

xb_code xb_ring(const xb_call *call, const xb_both *both, const bool by_semaphore[2], double *ns, xb_error *err)
{
  ring r = {0};
  xb_code code = create(call, both, by_semaphore[0] || by_semaphore[1], &r, err);
  for (int i = 0; i < 2 && !code; i++) { /* the first is to wake both devices */
    code = run_and_check(call, &r, by_semaphore, ns, err);
    if (!code && !i && r.sides[0].semaphore) { /* a new one: its value begins at 0 */
      for (int k = 0; k < 2; k++)
        xb_semaphore_destroy(r.sides[k].semaphore);
      r.sides[0].semaphore = r.sides[1].semaphore = NULL;
      code = share_semaphore(r.sides, err);
    }
  }
  destroy(&r);
  return code;
}
