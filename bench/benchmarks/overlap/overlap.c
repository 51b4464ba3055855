/* Upload, compute and download of the same elements, cut into chunks. Each chunk is up to three lists, with points
 * between them; each list is one bar of the timeline. The kernel's length is a parameter, because overlap shows only
 * where stages are about equally long. Chunks are exact: each element is checked, after all buffers were poisoned. */
#include "benchmarks/family.h"
#include "benchmarks/overlap/overlap_args.h"

typedef struct parameters {
  bool uploads, computes, downloads;
  bool breadth;     /* lists are submitted stage by stage, else chunk by chunk */
  bool copy_queues; /* for uploads and downloads; else a chunk stays on a compute queue */
  bool host;        /* the host works, too */
} parameters;

enum {
  STAGES,
  QUEUES,
  TURNS, /* axes */
};
enum {
  CHUNK_UNIT = 64, /* elements: 256 bytes, every device's binding alignment divides them */
  MOST_STAGES = 16,
  MULTIPLIER = 1664525,
  INCREMENT = 1013904223,
  SMALL_GROUPS = 8,           /* of a small kernel: few of a GPU's multiprocessors */
  HOST_PART = 8,              /* the host works on an eighth of the elements */
  MOST_TURNS = 1 << 15,       /* a thread then has an iteration left for its second element */
  NO_LIST = XB_MOST_STEPS + 1 /* there is nothing to wait for */
};

/* ---- Plan ------------------------------------------------------------------------------------------------------- */

typedef struct slots {
  uint32_t up, in, out, down; /* host, device, device, host */
} slots;

typedef struct chunk {
  uint64_t first, count;           /* elements */
  uint32_t number, upload, kernel; /* upload, kernel: their lists */
} chunk;

/* [plan] What moves between slots; what is not written by this run is an input. */
static slots add_slots(const xb_case *c, xb_plan *plan)
{
  const parameters *p = of(c);
  const uint64_t bytes = c->n * WORD;
  slots s = {0};
  if (p->uploads)
    s.up = xb_plan_slot_with(plan, .name = "host input", .role = XB_ROLE_HOST_INPUT, .bytes = bytes);
  if (p->computes || p->uploads)
    s.in = xb_plan_slot_with(plan, .name = p->uploads && !p->computes ? "uploaded" : "input",
                             .role = !p->uploads   ? XB_ROLE_INPUT
                                     : p->computes ? XB_ROLE_SCRATCH
                                                   : XB_ROLE_OUTPUT,
                             .bytes = bytes);
  s.out = xb_plan_slot_with(plan, .name = p->computes ? "output" : "device input",
                            .role = !p->computes   ? XB_ROLE_INPUT
                                    : p->downloads ? XB_ROLE_SCRATCH
                                                   : XB_ROLE_OUTPUT,
                            .bytes = bytes);
  if (p->downloads)
    s.down = xb_plan_slot_with(plan, .name = "host output", .role = XB_ROLE_HOST_OUTPUT, .bytes = bytes);
  return s;
}

/* Copy queues that a direction uses: at most half of those that there are, and one with a kernel between them. */
static uint32_t queues_a_way(const xb_case *c)
{
  const uint32_t half = c->device->queues[XB_QUEUE_COPY].count / 2, wanted = of(c)->computes ? 1 : c->at[QUEUES];
  return half > wanted ? wanted : half > 1 ? half : 1;
}

/* [list] A list of the plan, after up to one other. Chunks take queues in turn. */
static uint32_t add_list(const xb_case *c, xb_plan *plan, const char *name, const chunk *k, uint32_t after)
{
  const uint32_t queue = k->number % c->at[QUEUES];
  const bool moves = *name != 'k';
  xb_plan_list list = {.name = name, .queue = (xb_queue)(XB_QUEUE_COMPUTE + queue)};
  if (moves && of(c)->copy_queues) /* even ones for uploads, odd ones for downloads */
    list.queue = (xb_queue)(XB_QUEUE_COPY + 2 * (k->number % queues_a_way(c)) + (*name == 'd'));
  if (after != NO_LIST)
    list.after[list.after_count++] = after;
  return xb_plan_list_of(plan, list);
}

/* [copy] */
static uint32_t add_copy(const xb_case *c, xb_plan *plan, const char *name, const chunk *k, uint32_t to, uint32_t from,
                         uint32_t after)
{
  const uint32_t list = add_list(c, plan, name, k, after);
  xb_step *step = xb_plan_step(plan, XB_STEP_COPY);
  xb_step_bind(step, to, k->first * WORD, k->count * WORD, XB_WRITE);
  xb_step_bind(step, from, k->first * WORD, k->count * WORD, XB_READ);
  return list;
}

/* [dispatch] One for each window of the chunk. Of a small kernel each thread takes many elements. */
static uint32_t add_kernel(const xb_case *c, xb_plan *plan, const slots *s, const chunk *k)
{
  const uint32_t list = add_list(c, plan, "kernel", k, k->upload);
  const uint64_t window = c->window_bytes / (CHUNK_UNIT * WORD) * CHUNK_UNIT;
  for (xb_slice w = {0}; xb_plan_next(plan, &w, k->count, window);) {
    const uint64_t groups = xb_ceil_div(w.count, c->block);
    const uint64_t iterations = MOST_TURNS / c->at[TURNS]; /* of a thread, over elements */
    const uint64_t few =
        xb_ceil_div(groups, iterations) > SMALL_GROUPS ? xb_ceil_div(groups, iterations) : SMALL_GROUPS;
    xb_step *step = xb_plan_dispatch(c, plan, of(c)->uploads || groups < few ? groups : few);
    xb_step_bind(step, s->in, (k->first + w.first) * WORD, w.count * WORD, XB_READ);
    xb_step_bind(step, s->out, (k->first + w.first) * WORD, w.count * WORD, XB_WRITE);
    /* The next chunk is another queue's, so a binding must not show its first words. */
    step->bindings[0].exact = step->bindings[1].exact = k->first + w.first + w.count < c->n;
    xb_step_fields(step, struct xb_overlap_args, .n = (uint32_t)w.count,
                   .threads = step->groups[0] * step->groups[1] * c->block, .turns = c->at[TURNS],
                   .multiplier = MULTIPLIER, .increment = INCREMENT);
  }
  return list;
}

/* The stage of a chunk: upload, kernel or download. Without a kernel, uploads and downloads are of different data. */
static void add_stage(const xb_case *c, xb_plan *plan, const slots *s, chunk *k, int stage)
{
  const parameters *p = of(c);
  if (stage == 0 && p->uploads)
    k->upload = add_copy(c, plan, "upload", k, s->in, s->up, NO_LIST);
  if (stage == 1 && p->computes)
    k->kernel = add_kernel(c, plan, s, k);
  if (stage == 2 && p->downloads)
    add_copy(c, plan, "download", k, s->down, s->out, k->kernel);
}

static xb_code work_on_host(xb_call *call, xb_error *err)
{
  (void)err;
  const uint32_t *in = call->bindings[0].host;
  uint32_t *out = call->bindings[1].host;
  for (uint64_t i = 0; i < call->bindings[0].size / WORD; i++)
    out[i] = in[i] * MULTIPLIER + INCREMENT;
  return XB_OK;
}

/* [host] Submitted last: it runs while the device works. */
static void add_host_work(const xb_case *c, xb_plan *plan)
{
  const uint64_t bytes = xb_ceil_div(c->n, HOST_PART) * WORD;
  const uint32_t in = xb_plan_slot_with(plan, .name = "in", .role = XB_ROLE_HOST_INPUT, .bytes = bytes);
  const uint32_t out = xb_plan_slot_with(plan, .name = "of the host", .role = XB_ROLE_HOST_OUTPUT, .bytes = bytes);
  xb_plan_list_of(plan, (xb_plan_list){.name = "host", .on_host = true});
  xb_step *step = xb_plan_step(plan, XB_STEP_CALL);
  step->call = work_on_host;
  xb_step_bind_all(plan, step, in, XB_READ);
  xb_step_bind_all(plan, step, out, XB_WRITE);
}

static xb_code refuse(const xb_case *c, xb_error *err)
{
  const uint32_t stages = c->at[STAGES], queues = c->at[QUEUES], turns = c->at[TURNS];
  if (!stages || stages > MOST_STAGES)
    return xb_refuse_case(c, err, "%u stages: from 1 to %d", stages, MOST_STAGES);
  if (!queues || queues > XB_QUEUES_OF_A_KIND)
    return xb_refuse_case(c, err, "%u queues: from 1 to %d", queues, XB_QUEUES_OF_A_KIND);
  if (!turns || turns > MOST_TURNS)
    return xb_refuse_case(c, err, "%u turns: from 1 to %d", turns, MOST_TURNS);
  if (c->window_bytes < CHUNK_UNIT * WORD)
    return xb_refuse_case(c, err, "a binding of %" PRIu64 " bytes is too small", c->window_bytes);
  return XB_OK;
}

/* [plan] Chunks of equal length; short inputs have fewer than there are stages. */
static xb_code overlap_plan(const xb_case *c, xb_plan *plan, xb_error *err)
{
  (void)err;
  const parameters *p = of(c);
  chunk chunks[MOST_STAGES];
  const slots s = add_slots(c, plan);
  const uint64_t length = xb_ceil_div(xb_ceil_div(c->n, c->at[STAGES]), CHUNK_UNIT) * CHUNK_UNIT;
  const uint32_t count = (uint32_t)xb_ceil_div(c->n, length);
  plan->bytes = (p->uploads ? c->n * WORD : 0) + (p->downloads ? c->n * WORD : 0);
  for (uint32_t i = 0; i < count; i++) {
    const uint64_t first = i * length;
    chunks[i] = (chunk){.first = first,
                        .count = c->n - first < length ? c->n - first : length,
                        .number = i,
                        .upload = NO_LIST,
                        .kernel = NO_LIST};
  }
  for (uint32_t i = 0; i < 3 * count; i++) {
    const uint32_t of_chunk = p->breadth ? i % count : i / 3;
    add_stage(c, plan, &s, &chunks[of_chunk], (int)(p->breadth ? i / count : i % 3));
  }
  if (p->host)
    add_host_work(c, plan);
  /* A wait may sleep and notice the end up to a millisecond late. On a CPU, polling would take the device's time. */
  plan->polls = c->device->type != XB_DEVICE_CPU;
  return XB_OK;
}

/* ---- Check ------------------------------------------------------------------------------------------------------ */

typedef struct expectation {
  const xb_case *c;
  xb_affine turns; /* all of them together */
} expectation;

static void expect(const void *user, uint64_t first, uint64_t count, uint32_t *expected)
{
  const expectation *e = user;
  xb_input(e->c->dtype, e->c->seed, first, count, expected);
  for (uint64_t i = 0; i < count; i++)
    expected[i] = expected[i] * e->turns.factor + e->turns.term;
}

static bool overlap_check(const xb_case *c, const xb_chunk *part, char why[XB_WHY_BYTES])
{
  const bool by_host = of(c)->host && part->slot == part->plan->slot_count - 1;
  const uint32_t turns = !of(c)->computes ? 0 : by_host ? 1 : c->at[TURNS];
  const expectation e = {c, xb_affine_steps((xb_affine){MULTIPLIER, INCREMENT}, turns)};
  uint64_t element;
  char bits[64];
  return xb_words_match(part, expect, &e, &element, bits) ||
         xb_wrong(why, "element %" PRIu64 " of '%s' %s", element, part->plan->slots[part->slot].name, bits);
}

/* ---- Metrics ---------------------------------------------------------------------------------------------------- */

typedef struct form {
  uint32_t chunks;
  uint32_t lanes; /* queues that work on chunks at the same time */
  bool serial;    /* nothing can overlap: on one queue a chunk begins when the one before has ended */
} form;

static form form_of(const xb_case *c, const xb_plan *plan)
{
  const parameters *p = of(c);
  const uint32_t chunks = plan->list_count / (uint32_t)(p->uploads + p->computes + p->downloads);
  const uint32_t lanes = c->at[QUEUES] < chunks ? c->at[QUEUES] : chunks;
  return (form){.chunks = chunks, .lanes = lanes, .serial = !p->copy_queues && lanes == 1};
}

/* All lists of a stage, one after another and alone. */
static double alone(const xb_plan *plan, const xb_span *span, const char *stage)
{
  double sum = 0;
  for (uint32_t i = 0; i < plan->list_count; i++)
    sum += strcmp(plan->lists[i].name, stage) ? 0 : span->alone_ns[i];
  return sum;
}

/* Upload, compute and download of n chunks: the first chunk takes all of its stages, then each chunk takes what the
 * longest stage takes. Kernels alone: as many at once as there are lanes. The host works beside all of it. */
static double model(double up, double kernel, double down, double host, form f)
{
  const double n = f.chunks, sum = up + kernel + down, longest = fmax(fmax(up, kernel), down);
  if (f.serial)
    return fmax(sum, host);
  if (up == 0 && down == 0)
    return kernel / n * ceil(n / f.lanes);
  if (kernel == 0)
    return fmax(longest, host);
  return fmax(sum / n + (1 - 1 / n) * longest, host);
}

/* The part of the time from the first begin to the last end in which at least two lists ran. A list begins and ends
 * where the clock of all queues says. */
static double overlapped(const xb_plan *plan, const xb_span *span)
{
  const uint32_t count = plan->list_count;
  double first = INFINITY, last = 0, both = 0;
  for (uint32_t i = 0; i < count; i++) {
    first = fmin(first, span->begin_ns[i]);
    last = fmax(last, span->end_ns[i]);
  }
  /* Between two neighbouring marks, nothing begins or ends. */
  for (double at = first; at < last;) {
    double next = last;
    uint32_t running = 0;
    for (uint32_t i = 0; i < count; i++) {
      running += span->begin_ns[i] <= at && at < span->end_ns[i];
      next = span->begin_ns[i] > at ? fmin(next, span->begin_ns[i]) : next;
      next = span->end_ns[i] > at ? fmin(next, span->end_ns[i]) : next;
    }
    both += running > 1 ? next - at : 0;
    at = next;
  }
  return last > first ? both / (last - first) : 0;
}

static size_t overlap_span_metrics(const xb_case *c, const xb_plan *plan, const xb_span *span,
                                   xb_metric metrics[XB_MAX_METRICS])
{
  static const char *const stages[] = {"upload", "kernel", "download", "host"};
  static const char *const units[] = {"us upload", "us kernel", "us download", "us host"};
  double ns[4], sum = 0;
  size_t count = 0;
  for (int i = 0; i < 4; i++)
    sum += ns[i] = alone(plan, span, stages[i]);
  const double predicted = model(ns[0], ns[1], ns[2], ns[3], form_of(c, plan));
  metrics[count++] = (xb_metric){"against alone", "speedup", sum / span->ns, true};
  for (int i = 0; i < 3; i++)
    if (ns[i] > 0)
      metrics[count++] = (xb_metric){stages[i], units[i], ns[i] / 1e3, false};
  metrics[count++] = (xb_metric){"model", "us model", predicted / 1e3, XB_UNKNOWN};
  metrics[count++] = (xb_metric){"measured", "of model", span->ns / predicted, false};
  metrics[count++] = (xb_metric){"overlapped", "overlapped", overlapped(plan, span), true};
  /* Last: other rows have the same columns up to here. */
  if (ns[3] > 0)
    metrics[count++] = (xb_metric){stages[3], units[3], ns[3] / 1e3, false};
  if (ns[1] == 0)
    metrics[count++] = (xb_metric){"both ways", "GB/s", (double)plan->bytes / span->ns, true};
  return count;
}

XB_METHODS(.refuse = refuse, .plan = overlap_plan, .check = overlap_check, .span_metrics = overlap_span_metrics)

#include "benchmarks/rows.h"
