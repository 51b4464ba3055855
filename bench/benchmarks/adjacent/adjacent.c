/* Adjacent difference: out[i] = in[i] - in[i - 1]. Element 0 has no neighbour before it: the kernels do not write it,
 * CUB copies it. `bytes` counts each element once read and once written in all variants: the cache serves the second
 * load of a neighbour, so shared memory does not halve the traffic. */
#include "benchmarks/adjacent/adjacent_args.h"
#include "benchmarks/family.h"

typedef struct parameters {
  uint32_t elements; /* that a thread computes */
  bool dynamic;      /* shared memory is sized at launch, where the API can do that */
} parameters;

enum {
  LEAD = 64,         /* 256 bytes: every device's binding alignment divides them */
  SPECIAL_STEP = 61, /* at least 2: specials are no neighbours, so no difference is a NaN */
};

/* As xb_input; of float32, one element of 61 is a zero, an infinity, the largest number or a denormal. There is no NaN,
 * because APIs give it different bits. */
static void generate(xb_dtype dtype, uint64_t seed, uint64_t first, uint64_t count, void *out)
{
  static const uint32_t specials[] = {0, 0x80000000, 0x7F800000, 0xFF800000, 0x7F7FFFFF, 0xFF7FFFFF, 1};
  uint32_t *words = out;
  xb_input(dtype, seed, first, count, out);
  for (uint64_t i = 0; dtype == XB_FLOAT32 && i < count; i++)
    if ((first + i) % SPECIAL_STEP == SPECIAL_STEP - 1)
      words[i] = specials[(first + i) / SPECIAL_STEP % (sizeof specials / sizeof *specials)];
}

static const xb_cub cub = {.title = "cub::DeviceAdjacentDifference", .name = "xb_adjacent_cub"};

/* [plan] The input's binding begins before the window, because its first element has a neighbour there. */
static xb_code adjacent_plan(const xb_case *c, xb_plan *plan, xb_error *err)
{
  const bool library = c->variant->source == LIBRARY;
  xb_windows w = {.all = c->n, .step = LEAD, .before = LEAD, .vectors = !library && of(c)->elements == 4};
  const uint32_t input = xb_stream_in(plan, &w, "input", WORD, generate);
  const uint32_t output = xb_stream_out(plan, &w, "output", WORD);
  plan->bytes = 2 * c->n * WORD;
  (void)err;
  if (library) {
    xb_cub_plan(plan, input, output);
    return XB_OK;
  }
  xb_plan_kernel_of(plan, (xb_plan_kernel){.dynamic_shared = of(c)->dynamic ? c->block * WORD : 0});
  for (xb_step *step; (step = xb_next_window(c, plan, &w));)
    xb_step_fields(step, struct xb_adjacent_args, .n = (uint32_t)w.count, .lead = (uint32_t)w.lead);
  return XB_OK;
}

static uint32_t difference(xb_dtype dtype, const uint32_t *at)
{
  float x[2];
  uint32_t bits;
  if (dtype == XB_INT32)
    return at[1] - at[0];
  memcpy(x, at, sizeof x);
  x[1] -= x[0]; /* one rounding: all APIs give the same bits */
  memcpy(&bits, &x[1], sizeof bits);
  return bits;
}

static void expect(const xb_case *c, uint64_t first, uint64_t count, uint32_t *expected)
{
  uint32_t in[XB_MOST_EXPECTED + 1];
  generate(c->dtype, c->seed, first ? first - 1 : 0, count + (first > 0), first ? in : in + 1);
  for (uint64_t i = 0; i < count; i++)
    expected[i] = first + i ? difference(c->dtype, &in[i]) : c->variant->source == LIBRARY ? in[1] : XB_POISON;
}

XB_METHODS(.plan = adjacent_plan, .prepare = xb_cub_prepare, .cub = &cub, .expect = expect, .word = "element")

#include "benchmarks/rows.h"
