/* Does a part of the last-level cache that is set aside keep hot words, while a stream passes through the rest? A call
 * sets it aside, runs the dispatches with their window, is timed by the device, and gives the cache back: no other cell
 * finds less of it. The window is an attribute of a graph's node or, in the launch mode stream, of the stream. */
#include "benchmarks/calls.h"
#include "benchmarks/family.h"
#include "benchmarks/l2window/l2window_args.h"

typedef struct parameters {
  enum { NO_WINDOW, WHOLE, TUNED, ASIDE } window;
} parameters;

enum { MIB = 1 << 20, RUNS = 8, GPU_N = 1 << 25, HOT = 0, RATIO = 1 };

/* A shorter stream reads only the first ones. */
static uint64_t hot_words(const xb_case *c)
{
  const uint64_t words = (uint64_t)c->at[HOT] * MIB / WORD;
  return words < c->n ? words : c->n;
}

/* ---- The call --------------------------------------------------------------------------------------------------- */

typedef struct work {
  const xb_case *c;
  xb_kernel *kernel;
  xb_buffer *hot, *stream;
  uint64_t set;    /* bytes that are set aside */
  uint32_t *words; /* the hot ones; then room for the stream's, if they are checked */
} work;

/* With `set` bytes set aside. No window is larger than the device allows. */
static xb_window window(const xb_case *c, uint64_t set)
{
  const uint64_t hot = hot_words(c) * WORD, most = c->device->window_bytes;
  const uint64_t bytes = of(c)->window == TUNED ? set / 3 * 2 : hot;
  xb_window w = {.bytes = bytes < hot ? bytes : hot, .hit_ratio = (float)c->at[RATIO] / 100};
  w.bytes = w.bytes < most ? w.bytes : most;
  if (of(c)->window == TUNED)
    w.hit_ratio = (float)((double)w.bytes / (double)hot);
  return of(c)->window == WHOLE || of(c)->window == TUNED ? w : (xb_window){0};
}

static xb_code make(const xb_call *call, work *w, xb_error *err)
{
  const xb_case *c = call->c;
  const xb_plan_kernel plain = {.name = "hot", .binding_count = 2, .arg_bytes = sizeof(struct xb_l2window_args)};
  const xb_buffer_desc hot = {.label = "hot words", .bytes = hot_words(c) * WORD};
  const xb_buffer_desc stream = {.label = "stream", .bytes = c->n * WORD};
  xb_code code = xb_create_embedded(c, &plain, call->device, &w->kernel, err);
  code = code ? code : xb_buffer_create(call->device, &hot, &w->hot, err);
  code = code ? code : xb_buffer_create(call->device, &stream, &w->stream, err);
  w->words = malloc(hot.bytes + (call->checks ? stream.bytes : 0));
  if (!code && !w->words)
    return xb_fail(err, XB_NOMEM, "l2window", "out of host memory");
  if (code)
    return code;
  xb_bits(c->dtype, c->seed, 0, hot_words(c), w->words);
  return xb_upload(w->hot, 0, w->words, hot.bytes, err);
}

static void record(void *user, xb_commands *list)
{
  const work *w = user;
  const xb_binding bindings[] = {{.buffer = w->hot, .access = XB_READ}, {.buffer = w->stream, .access = XB_WRITE}};
  struct xb_l2window_args args = {.n = (uint32_t)w->c->n, .hot = (uint32_t)hot_words(w->c)};
  const xb_dispatch dispatch = {.kernel = w->kernel,
                                .bindings = bindings,
                                .binding_count = 2,
                                .args = &args,
                                .arg_bytes = sizeof args,
                                .window = window(w->c, w->set)};
  xb_record_groups(list, w->c, xb_ceil_div(w->c->n, w->c->block), dispatch, &args.grid_x);
}

static xb_code check(const xb_call *call, const work *w, xb_error *err)
{
  const uint64_t hot = hot_words(call->c);
  uint32_t *got = w->words + hot;
  const xb_code code = xb_download(w->stream, 0, got, call->c->n * WORD, err);
  for (uint64_t i = 0, k = 0; i < call->c->n && !code; i++, k = k + 1 < hot ? k + 1 : 0) {
    const uint32_t expected = 2 * w->words[k] + (uint32_t)i * L2WINDOW_FACTOR;
    if (got[i] != expected)
      return xb_fail(err, XB_INTERNAL, "l2window", "word %" PRIu64 " is 0x%08" PRIx32 ", expected 0x%08" PRIx32, i,
                     got[i], expected);
  }
  return code;
}

static xb_code act(const xb_call *call, double *ns, xb_error *err)
{
  const bool aside = of(call->c)->window != NO_WINDOW;
  work w = {.c = call->c};
  const xb_timed_work timed = {"stream", RUNS, NULL, record, &w};
  xb_code code = make(call, &w, err);
  if (!code && aside)
    code = xb_device_persist(call->device, call->c->device->persisting_bytes, &w.set, err);
  if (!code && aside && !w.set)
    code = xb_refuse_case(call->c, err, "the driver has set nothing aside");
  /* The second submission finds what the first has left in the cache. */
  code = code ? code : xb_time_work(call->device, &timed, ns, err);
  if (!code && call->checks)
    code = check(call, &w, err);
  const xb_code given_back = aside ? xb_device_persist(call->device, 0, &w.set, code ? NULL : err) : XB_OK;
  code = code ? code : given_back;
  if (!code && w.set)
    code = xb_fail(err, XB_INTERNAL, "l2window", "%" PRIu64 " bytes are still set aside", w.set);
  xb_kernel_destroy(w.kernel);
  xb_buffer_destroy(w.hot);
  xb_buffer_destroy(w.stream);
  free(w.words);
  return code;
}

/* [plan] One call. */
static xb_code l2window_plan(const xb_case *c, xb_plan *plan, xb_error *err)
{
  if (!c->at[HOT] || hot_words(c) * WORD > c->window_bytes || c->n * WORD > c->window_bytes)
    return xb_refuse_case(c, err, "%" PRIu32 " MiB and %" PRIu64 " words: a binding has at most %" PRIu64 " bytes",
                          c->at[HOT], c->n, c->window_bytes);
  if (c->at[RATIO] > 100)
    return xb_refuse_case(c, err, "the ratio is 0 to 100 per cent, not %" PRIu32, c->at[RATIO]);
  if (of(c)->window != NO_WINDOW && !c->device->persisting_bytes)
    return xb_refuse_case(c, err, "'%s' sets no part of its cache aside", c->device->name);
  plan->bytes = 2 * c->n * WORD;
  xb_plan_step(plan, XB_STEP_CALL)->timed = act;
  return XB_OK;
}

/* What can stay of the hot words. No prediction of the speed: it depends on what the cache replaces. */
static xb_model l2window_predict(const xb_case *c)
{
  const double most = of(c)->window == NO_WINDOW ? (double)c->device->cache_bytes : (double)c->device->persisting_bytes;
  return (xb_model){most > 0 ? "can stay" : NULL, "share of the hot words",
                    fmin(1, most / (double)(hot_words(c) * WORD)), NAN};
}

XB_METHODS(.plan = l2window_plan, .predict = l2window_predict, .grows = {.n = GPU_N}, .checks_itself = xb_always)

#define NO_WINDOWS ONLY("cuda", "HLSL and Vulkan cannot keep data in a cache"), .may_refuse = true

#include "benchmarks/rows.h"
