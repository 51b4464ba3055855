/* Prefix sums: output i is the sum of the elements up to i, or of those before i. The last variants read and write each
 * element once, which is all that `bytes` counts. Inputs are small integers, so that each sum is exact in float32, too.
 */
#include "benchmarks/family.h"
#include "benchmarks/scan/cub.h"
#include "benchmarks/scan/scan_args.h"

typedef struct parameters {
  uint32_t elements; /* per thread */
  uint32_t bindings;
  bool sums_first; /* the sums of tiles are computed before, else added to the output afterwards */
  bool looks_back; /* one dispatch */
  bool waits;      /* for other groups, without a limit */
} parameters;

/* ---- Inputs ----------------------------------------------------------------------------------------------------- */

/* float32: integers from -3 to 3, with mean 0. Up to 2^30 of them, any sum of neighbours is far below 2^24, so it is
 * exact. */
static void generate(xb_dtype dtype, uint64_t seed, uint64_t first, uint64_t count, void *out)
{
  xb_input(XB_INT32, seed, first, count, out);
  uint32_t *words = out;
  for (uint64_t i = 0; dtype == XB_FLOAT32 && i < count; i++) {
    const float x = (float)((int32_t)(words[i] % 7) - 3);
    memcpy(&words[i], &x, sizeof x);
  }
}

/* Elements as integers modulo 2^32: exact for both types. */
static uint32_t integer(xb_dtype dtype, uint32_t word)
{
  float x;
  memcpy(&x, &word, sizeof x);
  return dtype == XB_FLOAT32 ? (uint32_t)(int32_t)x : word;
}

static uint32_t word(xb_dtype dtype, uint32_t sum)
{
  const float x = (float)(int32_t)sum;
  memcpy(&sum, dtype == XB_FLOAT32 ? (const void *)&x : (const void *)&sum, sizeof sum);
  return sum;
}

/* ---- Plan ------------------------------------------------------------------------------------------------------- */

/* The numbers of the plan's slots and kernels. */
typedef struct pieces {
  uint32_t input, output, sums; /* sums: or the state of a look-back */
  uint64_t tile, tiles;
} pieces;

/* Its caller binds the slots. */
static xb_step *dispatch(const xb_case *c, xb_plan *plan, const pieces *p, uint32_t kernel, xb_slice w, uint64_t each,
                         uint32_t window)
{
  xb_step *step = xb_plan_dispatch(c, plan, xb_ceil_div(w.count, each));
  step->kernel = kernel;
  xb_step_fields(step, struct xb_scan_args, .n = (uint32_t)w.count, .first_tile = (uint32_t)(w.first / p->tile),
                 .exclusive = c->at[0], .tile = (uint32_t)p->tile, .window = window);
  return step;
}

/* [plan] The variant's own kernel, for one window. */
static void add_scan(const xb_case *c, xb_plan *plan, const pieces *p, uint32_t kernel, xb_slice w)
{
  xb_step *step = dispatch(c, plan, p, kernel, w, p->tile, plan->windows);
  const bool vectors = of(c)->bindings == 5;
  (vectors ? xb_step_bind_vectors : xb_step_bind)(step, p->input, w.first * WORD, w.count * WORD, XB_READ);
  (vectors ? xb_step_bind_vectors : xb_step_bind)(step, p->output, w.first * WORD, w.count * WORD, XB_DISJOINT_WRITE);
  xb_step_bind_all(plan, step, p->sums,
                   of(c)->looks_back   ? XB_ATOMIC
                   : of(c)->sums_first ? XB_READ
                                       : XB_DISJOINT_WRITE);
}

/* [plan] Sums of tiles; or, with `add`, the sums of all tiles before are added to the output. */
static void add_part(const xb_case *c, xb_plan *plan, const pieces *p, uint32_t kernel, bool add, xb_slice w)
{
  xb_step *step = dispatch(c, plan, p, kernel, w, add ? c->block : p->tile, 0);
  if (add)
    xb_step_bind(step, p->output, w.first * WORD, w.count * WORD, XB_READ_WRITE);
  else
    xb_step_bind_vectors(step, p->input, w.first * WORD, w.count * WORD, XB_READ);
  xb_step_bind_all(plan, step, p->sums, add ? XB_READ : XB_DISJOINT_WRITE);
}

/* [plan] One group scans the sums of all tiles. */
static void add_spine(const xb_case *c, xb_plan *plan, const pieces *p)
{
  const uint32_t kernel = xb_plan_kernel_of(plan, (xb_plan_kernel){.name = "spine"});
  xb_plan_step(plan, XB_STEP_BARRIER);
  xb_step *step = xb_plan_dispatch(c, plan, 1);
  step->kernel = kernel;
  xb_step_bind_all(plan, step, p->sums, XB_READ_WRITE);
  xb_step_fields(step, struct xb_scan_args, .n = (uint32_t)p->tiles);
  xb_plan_step(plan, XB_STEP_BARRIER);
  plan->iterations += xb_ceil_div(p->tiles, (uint64_t)c->block * THREAD_ELEMENTS) * 11; /* and its log2(block) steps */
}

static void plan_passes(const xb_case *c, xb_plan *plan, const pieces *p, uint32_t kernel, uint64_t length)
{
  const bool sums_first = of(c)->sums_first;
  if (!sums_first && p->tiles == 1) {
    add_scan(c, plan, p, kernel, (xb_slice){0, c->n});
    return;
  }
  const uint32_t part = xb_plan_kernel_of(plan, (xb_plan_kernel){.name = sums_first ? "sums" : "add"});
  for (int pass = 0; pass < 2; pass++) {
    for (xb_slice w = {0}; xb_plan_next(plan, &w, c->n, length);) {
      if ((pass == 1) == sums_first)
        add_scan(c, plan, p, kernel, w);
      else
        add_part(c, plan, p, part, !sums_first, w);
    }
    if (pass == 0)
      add_spine(c, plan, p);
  }
}

/* [plan] The state is cleared in each run. A window begins when the one before is done. */
static void plan_look_back(const xb_case *c, xb_plan *plan, const pieces *p, uint32_t kernel, uint64_t length)
{
  xb_plan_fill(plan, p->sums, plan->slots[p->sums].bytes, 0);
  plan->windows = 0;
  for (xb_slice w = {0}; xb_plan_next(plan, &w, c->n, length); plan->windows++) {
    xb_plan_step(plan, XB_STEP_BARRIER);
    add_scan(c, plan, p, kernel, w);
  }
}

/* ---- CUB -------------------------------------------------------------------------------------------------------- */

static xb_code run_cub(const xb_native *native, const xb_library_call *call, xb_error *err)
{
  xb_scan_cub_fn *cub = (xb_scan_cub_fn *)call->function;
  const xb_case *c = call->c;
  const char *why = cub((int)c->dtype, (int)c->at[0], c->n, call->address[0], call->address[1], call->address[2],
                        call->size[2], native->commands);
  return xb_library_result(XB_INTERNAL, "cub::DeviceScan", why, err);
}

/* [plan] The size of the temporary memory is known only after the device is open. */
static void plan_cub(xb_plan *plan, const pieces *p)
{
  xb_step *step = xb_plan_step(plan, XB_STEP_LIBRARY);
  step->library = run_cub;
  xb_step_bind_all(plan, step, p->input, XB_READ);
  xb_step_bind_all(plan, step, p->output, XB_WRITE);
  xb_step_bind_all(plan, step, p->sums, XB_READ_WRITE);
}

static xb_code scan_prepare(const xb_case *c, const xb_native *native, xb_plan *plan, xb_error *err)
{
  uint64_t bytes = 0;
  xb_scan_cub_bytes_fn *cub_bytes = NULL;
  (void)native; /* the device is current */
  xb_code code = xb_library_find("xb_scan_cub_bytes", &cub_bytes, err);
  code = code ? code : xb_library_prepare(plan, "xb_scan_cub", err);
  code = code ? code
              : xb_library_result(XB_INTERNAL, "cub::DeviceScan", cub_bytes((int)c->dtype, (int)c->at[0], c->n, &bytes),
                                  err);
  xb_library_storage(plan, 2, bytes);
  return code;
}

/* ---- The benchmark ---------------------------------------------------------------------------------------------- */

static xb_code refuse(const xb_case *c, uint64_t windows, xb_error *err)
{
  if (c->variant->source == LIBRARY)
    return XB_OK;
  if (of(c)->waits && c->device->type == XB_DEVICE_CPU && !c->device->emulates) /* an emulation begins them in order */
    return xb_refuse_case(c, err,
                          "a group waits for other groups, and this CPU driver may end a loop that waits: use scan/5");
  if (of(c)->looks_back && windows > STATE_COUNTERS)
    return xb_refuse_case(c, err, "%" PRIu64 " elements need %" PRIu64 " windows, %d are possible", c->n, windows,
                          STATE_COUNTERS);
  return XB_OK;
}

/* [plan] The buffers, and how each variant uses them. */
static xb_code scan_plan(const xb_case *c, xb_plan *plan, xb_error *err)
{
  const uint64_t bytes = c->n * WORD, tile = of(c) ? (uint64_t)of(c)->elements * c->block : c->n;
  const uint64_t length = c->window_bytes / WORD / tile * tile;
  pieces p = {.tile = tile, .tiles = xb_ceil_div(c->n, tile)};
  xb_code code = refuse(c, length ? xb_ceil_div(c->n, length) : 1, err);
  if (code)
    return code;
  const bool looks_back = of(c) && of(c)->looks_back;
  const uint64_t sums = (looks_back ? STATE_COUNTERS + 2 * p.tiles : p.tiles) * WORD;
  p.input = xb_plan_input(plan, "input", bytes, generate);
  p.output = xb_plan_output(plan, "output", bytes);
  p.sums = xb_plan_slot_with(plan, .name = looks_back ? "state of tiles" : "sums of tiles", .role = XB_ROLE_SCRATCH,
                             .bytes = of(c) ? sums : 0);
  plan->bytes = 2 * bytes;
  plan->flops = c->n - 1;
  plan->windows = 1;
  if (c->variant->source == LIBRARY) {
    plan_cub(plan, &p);
    return XB_OK;
  }
  if (!length)
    return xb_refuse_case(c, err, "a binding of %" PRIu64 " bytes is smaller than a tile", c->window_bytes);
  const uint32_t kernel = xb_plan_kernel_of(plan, (xb_plan_kernel){.name = NULL});
  if (of(c)->looks_back)
    plan_look_back(c, plan, &p, kernel, length);
  else
    plan_passes(c, plan, &p, kernel, length);
  plan->windows = (uint32_t)xb_ceil_div(c->n, length);
  return XB_OK;
}

/* Sums before every MARK-th element, so that a part of the output can be checked by itself. */
enum { MARK = 1 << 20, MARKS = 1 << 12 };
typedef struct reference {
  uint64_t seen;
  uint32_t sum, before[MARKS];
} reference;

static void scan_reference(void *state, xb_dtype dtype, const void *chunk, uint64_t count)
{
  reference *r = state;
  const uint32_t *words = chunk;
  for (uint64_t i = 0; i < count; i++, r->seen++) {
    if (r->seen % MARK == 0 && r->seen / MARK < MARKS)
      r->before[r->seen / MARK] = r->sum;
    r->sum += integer(dtype, words[i]);
  }
}

static bool scan_check(const xb_case *c, const xb_chunk *chunk, char why[XB_WHY_BYTES])
{
  enum { AT_ONCE = 4096 };
  const reference *r = chunk->state;
  const uint32_t *got = chunk->data;
  const uint64_t end = chunk->first + chunk->count;
  uint32_t input[AT_ONCE], sum = r->before[chunk->first / MARK];
  for (uint64_t i = chunk->first / MARK * MARK; i < end; i += AT_ONCE) {
    const uint64_t count = end - i < AT_ONCE ? end - i : AT_ONCE;
    generate(c->dtype, c->seed, i, count, input);
    for (uint64_t k = 0; k < count; k++) {
      const uint32_t before = sum;
      sum += integer(c->dtype, input[k]);
      const uint32_t expected = word(c->dtype, c->at[0] ? before : sum);
      if (i + k < chunk->first || got[i + k - chunk->first] == expected)
        continue;
      return xb_wrong(why, "element %" PRIu64 " has the bits 0x%08" PRIx32 ", expected 0x%08" PRIx32, i + k,
                      got[i + k - chunk->first], expected);
    }
  }
  return true;
}

XB_METHODS(.plan = scan_plan, .prepare = scan_prepare, .state_bytes = sizeof(reference), .reference = scan_reference,
           .check = scan_check)

#include "benchmarks/rows.h"
