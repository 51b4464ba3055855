/* What the links between devices carry. Copies and walks are timed by the device that reads; where two copies run at
 * once, the host times both, because there is no common clock. Every word is checked. */
#include "benchmarks/calls.h"
#include "benchmarks/family.h"
#include "benchmarks/latency/latency_args.h"
#include "benchmarks/pieces.h"
#include "benchmarks/registry.h"
#include "core/clock.h"

#include <unistd.h>

typedef struct parameters {
  enum { COPY, BOTH_WAYS, LATENCY, FROM_HOST, TO_HOST, HOST_BOTH_WAYS } what;
} parameters;

enum { FROM, TO };

/* ---- Devices in pairs ------------------------------------------------------------------------------------------- */

/* The device at `index` in the listing of the call's backend: the call's own one, or another one that stays open. */
static xb_code open_device(const xb_call *call, uint32_t index, xb_device **device, xb_error *err)
{
  xb_device_desc desc = xb_device_like(call->device);
  xb_device_info ignored;
  uint32_t count = 0;
  *device = call->device;
  if (index == desc.index)
    return XB_OK;
  const xb_code code = xb_enumerate(desc.backend, &ignored, 1, &count, err);
  if (!code && index >= count)
    return xb_fail(err, XB_UNSUPPORTED, "links", "device %u does not exist through %s", index,
                   xb_backend_name(desc.backend));
  desc.index = index;
  desc.compute_queues = desc.copy_queues = XB_ALL_QUEUES;
  return code ? code : xb_other_device(&desc, device, err);
}

/* Memory of one device, as another one sees it. */
typedef struct reach {
  xb_device *from, *to;
  xb_buffer *source; /* of `from` */
  xb_buffer *seen;   /* of `to`; the same buffer if the devices are the same */
} reach;

static xb_code share(reach *r, uint64_t bytes, xb_error *err)
{
  xb_buffer_desc desc = {.label = "seen", .mem = XB_MEM_SHARED, .bytes = bytes};
  xb_code code = xb_buffer_export(r->source, &desc.shared, err);
  if (code)
    return code;
  code = xb_buffer_create(r->to, &desc, &r->seen, err);
  if (code)
    close(desc.shared.fd);
  return code;
}

/* Makes memory of the kind `mem` of r->from, and shares it with r->to. The caller closes it, also on failure. */
static xb_code open_reach(reach *r, xb_mem mem, uint64_t bytes, xb_error *err)
{
  const bool same = r->from == r->to;
  const xb_buffer_desc desc = {.label = "source", .mem = mem, .bytes = bytes, .exportable = !same};
  const xb_code code = xb_buffer_create(r->from, &desc, &r->source, err);
  if (same)
    r->seen = r->source;
  return code || same ? code : share(r, bytes, err);
}

static void close_reach(reach *r)
{
  if (r->seen != r->source)
    xb_buffer_destroy(r->seen);
  xb_buffer_destroy(r->source);
}

/* ---- Copies ----------------------------------------------------------------------------------------------------- */

enum { RUNS = 4, MOST_LANES = 2 };
static const uint64_t LIMIT_NS = 60ull * 1000 * 1000 * 1000;

/* One of several copies that run at the same time: `to` reads from `from`. */
typedef struct lane {
  xb_device *from, *to;
  xb_mem from_mem, to_mem; /* DEVICE, or UPLOAD and READBACK for the host's */
  xb_queue queue;
} lane;

typedef struct work {
  xb_case c; /* each lane has data of its own */
  xb_queue queue;
  reach reach;
  xb_buffer *to;
  xb_commands *poison, *list;
  xb_point done;
} work;

static xb_code write_source(work *w, xb_error *err)
{
  void *host = xb_buffer_host(w->reach.source);
  return host ? xb_pieces_write_host(&w->c, host, err)
              : xb_pieces_write(&w->c, w->reach.from, w->reach.source, NULL, err);
}

static xb_code check_target(const work *w, xb_error *err)
{
  const void *host = xb_buffer_host(w->to);
  return host ? xb_pieces_check_host(&w->c, host, err) : xb_pieces_check(&w->c, w->to, err);
}

static xb_code record_copies(work *w, bool stamped, xb_error *err)
{
  const xb_commands_desc desc = {.label = "copies", .queue = w->queue, .timestamp_count = stamped ? 2 : 0};
  const uint64_t bytes = w->c.n * WORD;
  xb_code code = xb_commands_create(w->reach.to, &(xb_commands_desc){.label = "poison"}, &w->poison, err);
  code = code ? code : xb_commands_create(w->reach.to, &desc, &w->list, err);
  if (code)
    return code;
  xb_cmd_fill(w->poison, w->to, 0, bytes, XB_POISON);
  if (stamped)
    xb_cmd_timestamp(w->list, 0);
  for (int i = 0; i < RUNS; i++) {
    if (i)
      xb_cmd_barrier(w->list);
    xb_cmd_copy(w->list, w->to, 0, w->reach.seen, 0, bytes);
  }
  if (stamped)
    xb_cmd_timestamp(w->list, 1);
  return xb_commands_finish(w->list, err);
}

static xb_code create_copy(work *w, const lane *way, bool stamped, xb_error *err)
{
  const uint64_t bytes = w->c.n * WORD;
  w->queue = way->queue;
  w->reach = (reach){.from = way->from, .to = way->to};
  xb_code code = open_reach(&w->reach, way->from_mem, bytes, err);
  if (!code)
    code = xb_buffer_create(way->to, &(xb_buffer_desc){.label = "target", .mem = way->to_mem, .bytes = bytes}, &w->to,
                            err);
  code = code ? code : write_source(w, err);
  code = code ? code : record_copies(w, stamped, err);
  return code ? code : xb_run_list(way->to, w->poison, err);
}

static void destroy_copy(work *w)
{
  xb_commands_destroy(w->poison);
  xb_commands_destroy(w->list);
  xb_buffer_destroy(w->to);
  close_reach(&w->reach);
}

static xb_code run_copies(work *works, uint32_t count, double *ns, xb_error *err)
{
  double stamps[2] = {0};
  xb_code code = XB_OK;
  const double begin = xb_clock_ns();
  for (uint32_t i = 0; i < count && !code; i++)
    code = xb_submit(works[i].reach.to, &(xb_submission){.commands = works[i].list}, &works[i].done, err);
  for (uint32_t i = 0; i < count && !code; i++)
    code = xb_wait(works[i].reach.to, works[i].done, LIMIT_NS, err);
  *ns = (xb_clock_ns() - begin) / RUNS;
  if (code || count > 1)
    return code;
  code = xb_commands_timestamps(works[0].list, stamps, 2, err);
  *ns = stamps[1] / RUNS;
  return code;
}

/* Time of a copy of the case's size on all lanes: the device's for one lane, else the host's. Checks each word. */
static xb_code time_lanes(const xb_case *c, const lane *lanes, uint32_t count, double *ns, xb_error *err)
{
  work works[MOST_LANES] = {0};
  xb_code code = XB_OK;
  for (uint32_t i = 0; i < count && !code; i++) {
    works[i].c = *c;
    works[i].c.seed += i;
    code = create_copy(&works[i], &lanes[i], count == 1, err);
  }
  for (int i = 0; i < 2 && !code; i++) /* the second one is timed */
    code = run_copies(works, count, ns, err);
  for (uint32_t i = 0; i < count && !code; i++)
    code = check_target(&works[i], err);
  for (uint32_t i = 0; i < count; i++)
    destroy_copy(&works[i]);
  return code;
}

/* ---- A walk ----------------------------------------------------------------------------------------------------- */

/* One thread follows a list, with the kernel of latency/1. The list has 2 MiB, and an element in each cache line of 128
 * bytes. A walk reads each element at most once, so the cache of the reader's multiprocessor does not help; the
 * last-level cache of the memory's own device has the list. */
enum { STRIDE = 32, MOST_WORDS = 1 << 19, BLOCK = 256 };

/* A power of two. */
static uint32_t words_of(const xb_case *c)
{
  uint32_t words = STRIDE;
  while (words < MOST_WORDS && words <= c->n / 2)
    words *= 2;
  return words;
}

/* Accesses of a walk. */
static uint64_t walk_steps(const xb_case *c)
{
  const uint32_t elements = words_of(c) / STRIDE;
  return elements > 1 ? elements - 1 : 1;
}

/* Element i is followed by a * i + b: a cycle through all of them (Hull and Dobell 1962), because a = 5 mod 8 and b is
 * odd. Returns where the walk ends. */
static uint32_t make_list(const xb_case *c, uint32_t *words)
{
  const uint32_t elements = words_of(c) / STRIDE;
  uint32_t random[2], at = 0;
  xb_bits(XB_INT32, c->seed, 0, elements * STRIDE, words);
  xb_bits(XB_INT32, c->seed + 1, 0, 2, random);
  for (uint32_t i = 0; i < elements; i++)
    words[i * STRIDE] = (((random[0] & ~7u) | 5) * i + (random[1] | 1)) % elements * STRIDE;
  for (uint64_t step = 0; step < walk_steps(c); step++)
    at = words[at];
  return at;
}

static xb_code make_kernel(const xb_case *c, xb_device *device, xb_kernel **kernel, xb_error *err)
{
  const xb_plan_kernel plain = {.name = "1_device", .binding_count = 2, .arg_bytes = sizeof(struct xb_latency_args)};
  xb_case of_latency = *c;
  of_latency.variant = xb_variant_find("latency", "device");
  of_latency.block = BLOCK;
  of_latency.device = xb_device_get_info(device);
  return xb_create_embedded(&of_latency, &plain, device, kernel, err);
}

typedef struct walk {
  const xb_case *c;
  xb_kernel *kernel;
  xb_buffer *list, *out;
} walk;

static void poison_out(void *user, xb_commands *list)
{
  xb_cmd_fill(list, ((const walk *)user)->out, 0, BLOCK * WORD, XB_POISON);
}

/* [dispatch] No thread reads before the walk. */
static void record_walk(void *user, xb_commands *list)
{
  const walk *w = user;
  const xb_binding bindings[] = {{.buffer = w->list, .access = XB_READ}, {.buffer = w->out, .access = XB_WRITE}};
  const struct xb_latency_args args = {
      .threads = BLOCK, .stride = STRIDE, .mask = words_of(w->c) - 1, .steps = (uint32_t)walk_steps(w->c), .grid_x = 1};
  xb_cmd_dispatch(list, &(xb_dispatch){.kernel = w->kernel,
                                       .bindings = bindings,
                                       .binding_count = 2,
                                       .args = &args,
                                       .arg_bytes = sizeof args,
                                       .groups = {1, 1, 1}});
}

/* The first thread writes where its walk ended, the others 0. */
static xb_code check_end(xb_buffer *out, uint32_t end, xb_error *err)
{
  uint32_t got[BLOCK];
  xb_code code = xb_download(out, 0, got, sizeof got, err);
  for (uint32_t i = 0; i < BLOCK && !code; i++)
    if (got[i] != (i ? 0 : end))
      code = xb_fail(err, XB_INTERNAL, "links", "word %" PRIu32 " is 0x%08" PRIx32 ", expected 0x%08" PRIx32, i, got[i],
                     i ? 0 : end);
  return code;
}

/* Device time of the walk. */
static xb_code time_walk(const xb_case *c, xb_device *from, xb_device *to, double *ns, xb_error *err)
{
  const uint64_t bytes = (uint64_t)words_of(c) * WORD;
  const xb_buffer_desc out = {.label = "out", .bytes = BLOCK * WORD};
  reach r = {.from = from, .to = to};
  walk w = {.c = c};
  uint32_t *words = malloc(bytes);
  const uint32_t end = words ? make_list(c, words) : 0;
  xb_code code = words ? XB_OK : xb_fail(err, XB_NOMEM, "links", "out of host memory");
  code = code ? code : open_reach(&r, XB_MEM_DEVICE, bytes, err);
  code = code ? code : xb_upload(r.source, 0, words, bytes, err);
  code = code ? code : xb_buffer_create(to, &out, &w.out, err);
  code = code ? code : make_kernel(c, to, &w.kernel, err);
  w.list = r.seen;
  const xb_timed_work timed = {"walk", 1, poison_out, record_walk, &w};
  code = code ? code : xb_time_work(to, &timed, ns, err);
  code = code ? code : check_end(w.out, end, err);
  xb_kernel_destroy(w.kernel);
  xb_buffer_destroy(w.out);
  close_reach(&r);
  free(words);
  return code;
}

/* ---- What is timed ---------------------------------------------------------------------------------------------- */

/* The queue of this kind, or the one that every device has. */
static xb_queue queue_of(xb_device *device, uint32_t queue)
{
  return xb_device_get_info(device)->queues[queue].present ? (xb_queue)queue : XB_QUEUE_COMPUTE;
}

/* Two copies with the host overlap where the device has queues for both. */
static xb_code use_host(const xb_case *c, xb_device *device, double *ns, xb_error *err)
{
  const lane up = {.from = device, .to = device, .from_mem = XB_MEM_UPLOAD};
  const lane down = {.from = device, .to = device, .to_mem = XB_MEM_READBACK};
  lane both[] = {up, down};
  both[0].queue = queue_of(device, XB_QUEUE_COPY);
  both[1].queue = queue_of(device, XB_QUEUE_COPY + 1);
  return of(c)->what == FROM_HOST ? time_lanes(c, &up, 1, ns, err)
         : of(c)->what == TO_HOST ? time_lanes(c, &down, 1, ns, err)
                                  : time_lanes(c, both, 2, ns, err);
}

static xb_code use(const xb_call *call, double *ns, xb_error *err)
{
  xb_device *from = NULL, *to = NULL;
  xb_code code = open_device(call, call->c->at[FROM], &from, err);
  code = code ? code : open_device(call, call->c->at[TO], &to, err);
  if (code)
    return code;
  const lane lanes[] = {{.from = from, .to = to}, {.from = to, .to = from}};
  switch (of(call->c)->what) {
  case COPY: return time_lanes(call->c, lanes, 1, ns, err);
  case BOTH_WAYS: return time_lanes(call->c, lanes, 2, ns, err);
  case LATENCY: return time_walk(call->c, from, to, ns, err);
  default: return use_host(call->c, to, ns, err);
  }
}

/* [plan] One call. Whether the devices are there is only known then. */
static xb_code links_plan(const xb_case *c, xb_plan *plan, xb_error *err)
{
  const int what = of(c)->what;
  const bool same = c->at[FROM] == c->at[TO];
  if (what == BOTH_WAYS && same)
    return xb_refuse_case(c, err, "copies both ways need two devices: for one device, use links/1");
  if (what >= FROM_HOST && !same)
    return xb_refuse_case(c, err, "copies with the host use one device: give from = to");
  plan->iterations = what == LATENCY ? walk_steps(c) : 0;
  xb_plan_step(plan, XB_STEP_CALL)->timed = use;
  return XB_OK;
}

static size_t links_metrics(const xb_case *c, const xb_plan *plan, double ns, xb_metric metrics[XB_MAX_METRICS])
{
  const int what = of(c)->what;
  const double bytes = (double)(c->n * WORD) * (what == BOTH_WAYS || what == HOST_BOTH_WAYS ? 2 : 1);
  (void)plan;
  metrics[0] = what == LATENCY ? (xb_metric){"latency", "ns", ns / (double)walk_steps(c), false}
                               : (xb_metric){"bandwidth", "GB/s", bytes / ns, true};
  return 1;
}

XB_METHODS(.plan = links_plan, .metrics = links_metrics, .checks_itself = xb_always)

#include "benchmarks/rows.h"
