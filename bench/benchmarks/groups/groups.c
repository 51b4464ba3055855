/* How many groups a multiprocessor needs, and of which size. n steps are shared by G groups for each multiprocessor, so
 * more groups have fewer steps each. In a step a thread multiplies, and adds twice what its neighbour had after the
 * step before: the group meets at a barrier. Row 2 has the same steps without neighbours and barriers. A step is
 * linear, so the words of a group are those of group 0 and its own number times a factor. */
#include "benchmarks/benchmark.h"
#include "benchmarks/groups/groups_args.h"
#include "benchmarks/input.h"

#include <inttypes.h>
#include <math.h>

typedef struct parameters {
  bool alone;
} parameters;

enum { WORD = sizeof(uint32_t), MOST_BLOCK = 1024, GPU_N = 1 << 28, MOST_GROUPS = 1 << 16 };

XB_DEFINE_OF

/* A device that does not tell its multiprocessors is one. Each group has a step. */
static uint64_t groups(const xb_case *c)
{
  const uint64_t wanted = (uint64_t)c->at[0] * (c->device->multiprocessors ? c->device->multiprocessors : 1);
  const uint64_t most = xb_ceil_div(c->n, c->block);
  return wanted < most ? wanted : most;
}

static uint64_t steps(const xb_case *c)
{
  return xb_ceil_div(c->n, groups(c) * c->block);
}

static xb_code refuse(const xb_case *c, xb_error *err)
{
  if (!c->at[0] || c->at[0] > MOST_GROUPS)
    return xb_refuse_case(c, err, "a multiprocessor gets 1 to %d groups, not %" PRIu32, MOST_GROUPS, c->at[0]);
  return XB_OK;
}

/* [plan] A dispatch for each window of the output: one word a thread. */
static xb_code groups_plan(const xb_case *c, xb_plan *plan, xb_error *err)
{
  const uint64_t out = (uint64_t)c->block * WORD, step_groups = 256 / (out < 256 ? out : 256);
  const uint64_t most = c->window_bytes / out / step_groups * step_groups; /* windows begin at multiples of 256 bytes */
  if (!most)
    return xb_refuse_case(c, err, "a binding of %" PRIu64 " bytes is too small for a group's output", c->window_bytes);
  /* The operands are the same for all group sizes. */
  xb_plan_slot_with(plan, .name = "operands", .role = XB_ROLE_INPUT, .bytes = MOST_BLOCK * WORD, .element_bytes = WORD,
                    .generate = xb_bits);
  xb_plan_output(plan, "ends", groups(c) * out);
  plan->iterations = steps(c);
  for (xb_slice w = {0}; xb_plan_next(plan, &w, groups(c), most);) {
    xb_step *step = xb_plan_dispatch(c, plan, w.count);
    xb_step_bind(step, 0, 0, out, XB_READ);
    xb_step_bind(step, 1, w.first * out, w.count * out, XB_DISJOINT_WRITE);
    xb_step_fields(step, struct xb_groups_args, .first = (uint32_t)w.first, .groups = (uint32_t)w.count,
                   .steps = (uint32_t)steps(c));
  }
  return xb_check_iterations(c, plan, err);
}

typedef struct expected {
  const xb_case *c;
  uint32_t words[MOST_BLOCK]; /* of group 0 */
  uint32_t factor;            /* of the number of a group */
} expected;

static void compute(expected *e)
{
  const xb_case *c = e->c;
  uint32_t operands[MOST_BLOCK], before[MOST_BLOCK];
  xb_bits(c->dtype, c->seed, 0, c->block, operands);
  e->factor = 1;
  for (uint32_t t = 0; t < c->block; t++)
    e->words[t] = operands[t];
  for (uint64_t s = 0; s < steps(c); s++) {
    for (uint32_t t = 0; t < c->block; t++)
      before[t] = e->words[t];
    for (uint32_t t = 0; t < c->block; t++)
      e->words[t] = before[t] * GROUPS_FACTOR + (of(c)->alone ? operands[t] : 2 * before[(t + 1) % c->block]);
    e->factor *= GROUPS_FACTOR + (of(c)->alone ? 0 : 2); /* odd */
  }
}

static void expect(const void *user, uint64_t first, uint64_t count, uint32_t *out)
{
  const expected *e = user;
  for (uint64_t i = 0; i < count; i++)
    out[i] = e->words[(first + i) % e->c->block] + (uint32_t)((first + i) / e->c->block) * e->factor;
}

static bool groups_check(const xb_case *c, const xb_chunk *chunk, char why[XB_WHY_BYTES])
{
  expected e = {.c = c};
  compute(&e);
  return xb_check_words(chunk, expect, &e, "the end of thread", why);
}

static size_t groups_metrics(const xb_case *c, const xb_plan *plan, double ns, xb_metric metrics[XB_MAX_METRICS])
{
  (void)plan;
  metrics[0] = (xb_metric){"speed", "Gop/s", (double)(groups(c) * c->block * steps(c)) / ns, 1};
  metrics[1] = (xb_metric){"step", "ns a step", ns / (double)steps(c), 0};
  return 2;
}

/* Groups that work at a time, on average: a multiprocessor holds `most`, and its last turn may have fewer. */
static double at_a_time(const xb_case *c, uint32_t count)
{
  const double most =
      fmin((double)c->device->threads_per_multiprocessor / c->block, c->device->groups_per_multiprocessor);
  return most > 0 ? count / ceil(count / most) : NAN;
}

/* The speed grows with the groups that work at a time; a model for as long as waiting is what takes the time. CUDA
 * tells what a multiprocessor holds. */
static xb_model groups_predict(const xb_case *c)
{
  const uint32_t base = c->variant->benchmark->axes[0].base;
  return (xb_model){"at a time", "groups a multiprocessor", at_a_time(c, c->at[0]),
                    at_a_time(c, c->at[0]) / at_a_time(c, base)};
}

/* Only GPUs tell a cache; they hold many more threads than a CPU. */
XB_METHODS(.refuse = refuse, .plan = groups_plan, .check = groups_check, .metrics = groups_metrics,
           .predict = groups_predict, .grows = {.n = GPU_N})

#include "benchmarks/rows.h"
