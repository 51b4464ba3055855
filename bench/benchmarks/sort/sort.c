/* Stable radix sort, with values or without. Four passes of 8 bits, each of which reads and writes all keys, and
 * values. The metric's bytes are those of the last variant: one more read of the keys, for the counts of all digits. */
#include "benchmarks/family.h"
#include "benchmarks/sort/cub.h"
#include "benchmarks/sort/sort_args.h"

enum {
  MOST_LOG2 = 29,  /* of keys: counts share a word with flags */
  LEAST_LANES = 4, /* of a wave */
  TOTALS = SORT_PASSES * SORT_DIGITS,
};

typedef struct parameters {
  uint32_t dispatches;    /* of a pass: 3, or 1 that looks back */
  const char *for_values; /* the kernel that moves values, too; NULL: the variant's own */
} parameters;

static bool has_values(const xb_case *c)
{
  return c->at[0] == 1;
}

/* ---- Inputs ----------------------------------------------------------------------------------------------------- */

/* All bits, of float32 with denormals, infinities and NaNs. Not -0: CUB takes it for 0, and the bits put it before. */
static void generate_keys(xb_dtype dtype, uint64_t seed, uint64_t first, uint64_t count, void *out)
{
  uint32_t *words = out;
  xb_bits(dtype, seed, first, count, out);
  for (uint64_t i = 0; dtype == XB_FLOAT32 && i < count; i++)
    if (words[i] == 0x80000000)
      words[i] = 0;
}

/* Each value is its place, so that the order of equal keys can be seen. */
static void generate_values(xb_dtype dtype, uint64_t seed, uint64_t first, uint64_t count, void *out)
{
  uint32_t *words = out;
  (void)dtype, (void)seed;
  for (uint64_t i = 0; i < count; i++)
    words[i] = (uint32_t)(first + i);
}

/* ---- Plan ------------------------------------------------------------------------------------------------------- */

/* The order of the slots. CUB has one for all that follows the outputs. The last two are what is counted: the digits of
 * all keys, and those of tiles. */
enum { KEYS, VALUES, OKEYS, OVALUES, TEMPORARY, MORE_KEYS = TEMPORARY, MORE_VALUES, DIGITS, TILES };

static void add_slots(const xb_case *c, xb_plan *plan, uint64_t tiles)
{
  const uint64_t keys = c->n * WORD, values = has_values(c) ? keys : WORD;
  const xb_role in = has_values(c) ? XB_ROLE_INPUT : XB_ROLE_SCRATCH,
                out = has_values(c) ? XB_ROLE_OUTPUT : XB_ROLE_SCRATCH;
  const uint64_t counted =
      tiles && of(c)->dispatches == 1 ? SORT_COUNTERS + SORT_PASSES * (tiles + 1) * SORT_DIGITS : tiles * SORT_DIGITS;
  xb_plan_input(plan, "keys", keys, generate_keys);
  xb_plan_slot_with(plan, .name = "values", .role = in, .bytes = values, .generate = generate_values);
  xb_plan_output(plan, "sorted keys", keys);
  xb_plan_slot_with(plan, .name = "sorted values", .role = out, .bytes = values);
  if (c->variant->source == LIBRARY)
    return;
  xb_plan_slot_with(plan, .name = "more keys", .role = XB_ROLE_SCRATCH, .bytes = keys);
  xb_plan_slot_with(plan, .name = "more values", .role = XB_ROLE_SCRATCH, .bytes = values);
  xb_plan_slot_with(plan, .name = "totals", .role = XB_ROLE_SCRATCH, .bytes = TOTALS * WORD);
  xb_plan_slot_with(plan, .name = "tiles", .role = XB_ROLE_SCRATCH, .bytes = counted * WORD);
}

static xb_step *dispatch(const xb_case *c, xb_plan *plan, uint32_t kernel, uint64_t tiles, uint32_t pass,
                         uint64_t groups)
{
  xb_step *step = xb_plan_dispatch(c, plan, groups);
  step->kernel = kernel;
  xb_step_fields(step, struct xb_sort_args, .n = (uint32_t)c->n, .tiles = (uint32_t)tiles, .pass = pass,
                 .values = has_values(c));
  return step;
}

static uint32_t kernel_of(xb_plan *plan, const char *name)
{
  return xb_plan_kernel_of(plan, (xb_plan_kernel){.name = name});
}

/* The one that moves the keys. Compilers remove the bindings of values from kernels that have none. */
static uint32_t own_kernel(const xb_case *c, xb_plan *plan)
{
  const char *name = has_values(c) ? of(c)->for_values : NULL;
  const uint32_t unused = !name && of(c)->for_values ? 1u << VALUES | 1u << OVALUES : 0;
  return xb_plan_kernel_of(plan, (xb_plan_kernel){.name = name, .unused_bindings = unused});
}

/* [plan] The variant's own kernel. Passes go from the input to `more`, from there to the output, and once more so. */
static xb_step *add_pass(const xb_case *c, xb_plan *plan, uint32_t kernel, uint64_t tiles, uint32_t pass)
{
  const uint32_t from = pass == 0 ? KEYS : pass % 2 ? MORE_KEYS : OKEYS, to = pass % 2 ? OKEYS : MORE_KEYS;
  xb_step *step = dispatch(c, plan, kernel, tiles, pass, tiles);
  xb_step_bind_all(plan, step, from, XB_READ);
  xb_step_bind_all(plan, step, from + 1, XB_READ);
  xb_step_bind_all(plan, step, to, XB_WRITE);
  xb_step_bind_all(plan, step, to + 1, XB_WRITE);
  return step;
}

/* [plan] Three dispatches a pass. */
static void plan_counts(const xb_case *c, xb_plan *plan, uint64_t tiles)
{
  const uint32_t own = own_kernel(c, plan), counts = kernel_of(plan, "counts"), spine = kernel_of(plan, "spine");
  xb_plan_fill(plan, DIGITS, plan->slots[DIGITS].bytes, 0);
  for (uint32_t pass = 0; pass < SORT_PASSES && !plan->code; pass++) {
    xb_plan_step(plan, XB_STEP_BARRIER);
    xb_step *step = dispatch(c, plan, counts, tiles, pass, tiles);
    xb_step_bind_all(plan, step, pass == 0 ? KEYS : pass % 2 ? MORE_KEYS : OKEYS, XB_READ);
    xb_step_bind_all(plan, step, TILES, XB_WRITE);
    xb_step_bind_all(plan, step, DIGITS, XB_ATOMIC);
    xb_plan_step(plan, XB_STEP_BARRIER);
    step = dispatch(c, plan, spine, tiles, pass, xb_ceil_div(SORT_DIGITS * SORT_TEAM, c->block));
    xb_step_bind_all(plan, step, TILES, XB_READ_WRITE);
    xb_step_bind_all(plan, step, DIGITS, XB_READ);
    xb_plan_step(plan, XB_STEP_BARRIER);
    xb_step_bind_all(plan, add_pass(c, plan, own, tiles, pass), TILES, XB_READ);
  }
  plan->iterations = SORT_DIGITS / LEAST_LANES +
                     xb_ceil_div(tiles, (uint64_t)LEAST_LANES * SORT_KEYS(c->block)) * 5; /* and log2(lanes) */
}

/* [plan] One dispatch a pass, after the digits of all passes were counted. */
static void plan_onesweep(const xb_case *c, xb_plan *plan, uint64_t tiles)
{
  const uint32_t own = own_kernel(c, plan), totals = kernel_of(plan, "totals"), starts = kernel_of(plan, "starts");
  xb_plan_fill(plan, DIGITS, plan->slots[DIGITS].bytes, 0);
  xb_plan_fill(plan, TILES, plan->slots[TILES].bytes, 0);
  xb_plan_step(plan, XB_STEP_BARRIER);
  xb_step *step = dispatch(c, plan, totals, tiles, 0, xb_ceil_div(c->n, (uint64_t)c->block * SORT_TOTALS_KEYS));
  xb_step_bind_all(plan, step, KEYS, XB_READ);
  xb_step_bind_all(plan, step, DIGITS, XB_ATOMIC);
  xb_plan_step(plan, XB_STEP_BARRIER);
  step = dispatch(c, plan, starts, tiles, 0, SORT_PASSES);
  xb_step_bind_all(plan, step, DIGITS, XB_READ);
  xb_step_bind_all(plan, step, TILES, XB_WRITE);
  for (uint32_t pass = 0; pass < SORT_PASSES && !plan->code; pass++) {
    xb_plan_step(plan, XB_STEP_BARRIER);
    xb_step_bind_all(plan, add_pass(c, plan, own, tiles, pass), TILES, XB_ATOMIC);
  }
}

/* ---- CUB -------------------------------------------------------------------------------------------------------- */

static const char cub_name[] = "cub::DeviceRadixSort";

static xb_code run_cub(const xb_native *native, const xb_library_call *call, xb_error *err)
{
  xb_sort_cub_fn *cub = (xb_sort_cub_fn *)call->function;
  const xb_sort_cub_arrays arrays = {.keys = call->address[KEYS],
                                     .sorted_keys = call->address[OKEYS],
                                     .values = has_values(call->c) ? call->address[VALUES] : 0,
                                     .sorted_values = call->address[OVALUES]};
  const char *why =
      cub((int)call->c->dtype, call->c->n, &arrays, call->address[TEMPORARY], call->size[TEMPORARY], native->commands);
  return xb_library_result(XB_INTERNAL, cub_name, why, err);
}

/* [plan] The size of the temporary memory is known only after the device is open. */
static void plan_cub(xb_plan *plan)
{
  xb_plan_slot_with(plan, .name = "temporary", .role = XB_ROLE_SCRATCH);
  xb_step *step = xb_plan_step(plan, XB_STEP_LIBRARY);
  step->library = run_cub;
  xb_step_bind_all(plan, step, KEYS, XB_READ);
  xb_step_bind_all(plan, step, VALUES, XB_READ);
  xb_step_bind_all(plan, step, OKEYS, XB_WRITE);
  xb_step_bind_all(plan, step, OVALUES, XB_WRITE);
  xb_step_bind_all(plan, step, TEMPORARY, XB_READ_WRITE);
}

static xb_code sort_prepare(const xb_case *c, const xb_native *native, xb_plan *plan, xb_error *err)
{
  uint64_t bytes = 0;
  xb_sort_cub_bytes_fn *cub_bytes = NULL;
  (void)native; /* the device is current */
  xb_code code = xb_library_find("xb_sort_cub_bytes", &cub_bytes, err);
  code = code ? code : xb_library_prepare(plan, "xb_sort_cub", err);
  code = code ? code
              : xb_library_result(XB_INTERNAL, cub_name, cub_bytes((int)c->dtype, has_values(c), c->n, &bytes), err);
  xb_library_storage(plan, TEMPORARY, bytes);
  return code;
}

/* ---- The benchmark ---------------------------------------------------------------------------------------------- */

static xb_code refuse(const xb_case *c, xb_error *err)
{
  if (c->n > 1ull << MOST_LOG2)
    return xb_refuse_case(c, err, "%" PRIu64 " keys are more than 2^%d: a count shares a word with its flag", c->n,
                          MOST_LOG2);
  if (c->variant->source == LIBRARY)
    return XB_OK;
  if (c->n * WORD > c->window_bytes)
    return xb_refuse_case(c, err,
                          "the keys take %" PRIu64 " bytes and a binding %" PRIu64
                          ": a key may move to any index, so the work cannot be split into windows",
                          c->n * WORD, c->window_bytes);
  return XB_OK;
}

static xb_code sort_plan(const xb_case *c, xb_plan *plan, xb_error *err)
{
  const uint64_t tile =
      (uint64_t)c->block * (of(c) && of(c)->dispatches == 1 ? SORT_SWEEP_KEYS(c->block) : SORT_KEYS(c->block));
  const uint64_t tiles = of(c) ? xb_ceil_div(c->n, tile) : 0;
  xb_code code = refuse(c, err);
  if (code)
    return code;
  add_slots(c, plan, tiles);
  plan->bytes = (c->n + SORT_PASSES * 2 * c->n * (has_values(c) ? 2 : 1)) * WORD;
  plan->windows = 1;
  if (c->variant->source == LIBRARY)
    plan_cub(plan);
  else if (of(c)->dispatches == 1)
    plan_onesweep(c, plan, tiles);
  else
    plan_counts(c, plan, tiles);
  return XB_OK;
}

/* A key as an unsigned number of the same order, above its place. */
static uint64_t ordered(xb_dtype dtype, uint32_t key, uint32_t place)
{
  const uint32_t order = dtype == XB_FLOAT32 && key >> 31 ? ~key : key ^ 0x80000000;
  return (uint64_t)order << 32 | place;
}

/* By counting, in four passes: so the result is where it began. */
static void sort_on_host(uint64_t *from, uint64_t *to, uint64_t n)
{
  for (int shift = 32; shift < 64; shift += 8) {
    uint64_t places[257] = {0}, *swap = from;
    for (uint64_t i = 0; i < n; i++)
      places[(from[i] >> shift & 255) + 1]++;
    for (int d = 1; d < 256; d++)
      places[d] += places[d - 1];
    for (uint64_t i = 0; i < n; i++)
      to[places[from[i] >> shift & 255]++] = from[i];
    from = to, to = swap;
  }
}

/* The keys in order, each with its place in the input. Kept, because all cells of a size have the same input. */
static bool make_sorted(const xb_case *c, void *sorted)
{
  enum { AT_ONCE = 4096 };
  uint32_t keys[AT_ONCE];
  uint64_t *const other = malloc(c->n * sizeof *other), *at = sorted;
  if (!other)
    return false;
  for (xb_slice s = {0}; xb_next_slice(&s, c->n, AT_ONCE);) {
    generate_keys(c->dtype, c->seed, s.first, s.count, keys);
    for (uint64_t k = 0; k < s.count; k++)
      *at++ = ordered(c->dtype, keys[k], (uint32_t)(s.first + k));
  }
  sort_on_host(sorted, other, c->n);
  free(other);
  return true;
}

static bool sort_check(const xb_case *c, const xb_chunk *chunk, char why[XB_WHY_BYTES])
{
  const uint64_t *sorted = xb_cached(c, make_sorted, c->n * sizeof *sorted, 1, XB_KEY(c->n, c->seed, c->dtype));
  const uint32_t *got = chunk->data;
  if (!sorted)
    return xb_wrong(why, "out of host memory for the expected order");
  for (uint64_t i = 0; i < chunk->count; i++) {
    const uint64_t is = sorted[chunk->first + i];
    const bool value = chunk->slot == OVALUES;
    if (value ? got[i] == (uint32_t)is : ordered(c->dtype, got[i], (uint32_t)is) == is)
      continue;
    return xb_wrong(why, "%s %" PRIu64 " is 0x%08" PRIx32 ", expected the %s from %" PRIu32, value ? "value" : "key",
                    chunk->first + i, got[i], value ? "value" : "key", (uint32_t)is);
  }
  return true;
}

/* Bytes moved limit the keys a second. */
static xb_model sort_predict(const xb_case *c)
{
  const double keys = WORD * (1 + 2 * SORT_PASSES), values = WORD * 2 * SORT_PASSES;
  const double bytes = has_values(c) ? keys + values : keys;
  return (xb_model){"bytes", "bytes a key", bytes, keys / bytes};
}

XB_METHODS(.plan = sort_plan, .prepare = sort_prepare, .check = sort_check,
           .rates = {{"keys", "G/s", xb_elements_of_run}, {"bandwidth", "GB/s", xb_bytes_of_run}},
           .predict = sort_predict)

#include "benchmarks/rows.h"
