/* All members are on one device, each with a vector of its own. */
#include "benchmarks/allreduce/allreduce_args.h"
#include "benchmarks/allreduce/schedule.h"
#include "benchmarks/family.h"

typedef struct parameters {
  bool tree;
} parameters;

enum { MOST_MEMBERS = XB_ALLREDUCE_LARGEST };

static uint32_t members(const xb_case *c)
{
  return c->at[0];
}

static uint64_t window_length(const xb_case *c)
{
  return c->window_bytes / WORD / XB_ALLREDUCE_STEP * XB_ALLREDUCE_STEP;
}

/* [plan] A dispatch for each part that fits into a binding. */
static void add_part(const xb_case *c, xb_plan *plan, uint32_t member, const xb_pull *pull)
{
  const uint64_t most = window_length(c);
  for (xb_slice w = {0}; xb_plan_next(plan, &w, pull->count, most);) {
    const uint64_t begin = (pull->first + w.first) * WORD, bytes = w.count * WORD;
    xb_step *step = xb_plan_dispatch(c, plan, xb_ceil_div(w.count / 4, c->block));
    xb_step_bind(step, pull->from, begin, bytes, XB_READ);
    xb_step_bind(step, member, begin, bytes, XB_READ_WRITE);
    xb_step_fields(step, struct xb_allreduce_args, .n4 = (uint32_t)(w.count / 4));
  }
}

/* [plan] In a round no member reads what another one writes. */
static void add_round(const xb_case *c, xb_plan *plan, bool tree, uint32_t round)
{
  xb_pull pull;
  if (round)
    xb_plan_step(plan, XB_STEP_BARRIER);
  for (uint32_t m = 0; m < members(c) && !plan->code; m++) {
    if (!xb_allreduce_pull(tree, members(c), m, round, xb_allreduce_length(c->n), &pull))
      continue;
    if (pull.add) {
      add_part(c, plan, m, &pull);
      continue;
    }
    xb_step *step = xb_plan_step(plan, XB_STEP_COPY);
    xb_step_bind(step, m, pull.first * WORD, pull.count * WORD, XB_WRITE);
    xb_step_bind(step, pull.from, pull.first * WORD, pull.count * WORD, XB_READ);
  }
}

static xb_code allreduce_plan(const xb_case *c, xb_plan *plan, xb_error *err)
{
  const bool tree = of(c)->tree;
  if (members(c) < 1 || members(c) > MOST_MEMBERS)
    return xb_refuse_case(c, err, "1 to %d members are supported, not %" PRIu32, MOST_MEMBERS, members(c));
  if (!window_length(c))
    return xb_refuse_case(c, err, "a binding of %" PRIu64 " bytes is too small for a window", c->window_bytes);
  for (uint32_t m = 0; m < members(c); m++)
    xb_plan_slot_with(plan, .name = "vector", .role = XB_ROLE_INOUT, .bytes = xb_allreduce_length(c->n) * WORD,
                      .generator = xb_allreduce_vector(c->dtype, m));
  plan->bytes = c->n * WORD;
  plan->windows = (uint32_t)xb_ceil_div(xb_allreduce_length(c->n), window_length(c));
  for (uint32_t round = 0; round < xb_allreduce_rounds(tree, members(c)) && !plan->code; round++)
    add_round(c, plan, tree, round);
  return XB_OK;
}

static void expect(const xb_case *c, uint64_t first, uint64_t count, uint32_t *expected)
{
  xb_allreduce_sums(c->dtype, c->seed, 0, members(c), first, count, expected);
}

static void name_element(const xb_case *c, const xb_chunk *chunk, uint64_t element, char name[XB_NAME_BYTES])
{
  (void)c;
  snprintf(name, XB_NAME_BYTES, "element %" PRIu64 " of member %" PRIu32, element, chunk->slot);
}

/* As nccl-tests defines it: what each link carries of a vector in a ring. */
static double bytes_of_link(const xb_case *c, const xb_plan *plan)
{
  return (double)plan->bytes * 2 * (members(c) - 1) / members(c);
}

XB_METHODS(.plan = allreduce_plan, .expect = expect, .name = name_element,
           .rates = {{"algorithm bandwidth", "GB/s", xb_bytes_of_run}, {"bus bandwidth", "bus GB/s", bytes_of_link}})

#include "benchmarks/rows.h"
