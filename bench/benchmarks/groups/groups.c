/* How many groups a multiprocessor needs, and of which size. n steps are shared by G groups for each multiprocessor, so
 * more groups have fewer steps each. In a step a thread multiplies, and adds twice what its neighbour had after the
 * step before: the group meets at a barrier. Row 2 has the same steps without neighbours and barriers. A step is
 * linear, so the words of a group are those of group 0 and its own number times a factor. */
#include "benchmarks/family.h"
#include "benchmarks/groups/groups_args.h"

typedef struct parameters {
  bool alone;
} parameters;

enum { MOST_BLOCK = 1024, GPU_N = 1 << 28, MOST_GROUPS = 1 << 16 };

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
  const uint64_t out = (uint64_t)c->block * WORD;
  xb_windows w = {.all = groups(c), .step = 256 / (out < 256 ? out : 256), .a_group = 1};
  xb_stream_of(&w, xb_plan_input(plan, "operands", MOST_BLOCK * WORD, xb_bits), 0, XB_READ);
  w.streams[0].bytes = out; /* the operands are the same for all group sizes */
  xb_stream_out(plan, &w, "ends", out);
  plan->iterations = steps(c);
  plan->work = (double)(groups(c) * c->block * steps(c));
  plan->chain = (double)steps(c);
  for (xb_step *step; (step = xb_next_window(c, plan, &w));)
    xb_step_fields(step, struct xb_groups_args, .first = (uint32_t)w.first, .groups = (uint32_t)w.count,
                   .steps = (uint32_t)steps(c));
  return xb_check_iterations(c, plan, err);
}

typedef struct ends {
  uint32_t words[MOST_BLOCK]; /* of group 0 */
  uint32_t factor;            /* of the number of a group */
} ends;

static bool make_ends(const xb_case *c, void *value)
{
  ends *e = value;
  uint32_t operands[MOST_BLOCK], before[MOST_BLOCK];
  xb_bits(c->dtype, c->seed, 0, c->block, operands);
  e->factor = 1;
  memcpy(e->words, operands, c->block * WORD);
  for (uint64_t s = 0; s < steps(c); s++) {
    memcpy(before, e->words, c->block * WORD);
    for (uint32_t t = 0; t < c->block; t++)
      e->words[t] = before[t] * GROUPS_FACTOR + (of(c)->alone ? operands[t] : 2 * before[(t + 1) % c->block]);
    e->factor *= GROUPS_FACTOR + (of(c)->alone ? 0 : 2); /* odd */
  }
  return true;
}

static void expect(const xb_case *c, uint64_t first, uint64_t count, uint32_t *out)
{
  const ends *e = xb_cached(c, make_ends, sizeof *e, 1, XB_KEY(c->dtype, c->seed, c->block, steps(c), of(c)->alone));
  for (uint64_t i = first; i < first + count && e; i++)
    *out++ = e->words[i % c->block] + (uint32_t)(i / c->block) * e->factor;
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
XB_METHODS(.refuse = refuse, .plan = groups_plan, .expect = expect, .word = "the end of thread",
           .rates = {{"speed", "Gop/s", xb_work_of_run}}, .times = {{"step", "ns a step", xb_chain_of_run}},
           .predict = groups_predict, .grows = {.n = GPU_N})

#include "benchmarks/rows.h"
