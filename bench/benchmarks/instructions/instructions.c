/* Instructions: what one takes, and how exact it is. Each of n threads has operands of its own, in memory. It writes
 * the result of one instruction, whose error is measured, and of a chain of them: each needs the result before. Many
 * waves hide each other's latency, so they show the throughput; one wave shows the latency. */
#include "benchmarks/instructions/instructions.h"
#include "benchmarks/instructions/instructions_args.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

typedef struct parameters {
  xb_domain domain;
  uint32_t counted; /* instructions of a step; 0: one */
  double power, ulps, absolute;
} parameters;

enum {
  WAVE = 32,
  ROUNDS = 256,
  ROUNDS_ALONE = 4096, /* of few waves, so that they take longer than a dispatch */
  ROUNDS_OF_A_CPU = 2,
  GPU_N = 1 << 21,  /* eight times what an H200 holds at a time */
  WINDOW_STEP = 64, /* threads: three operands of each are a multiple of 256 bytes */
  OPERANDS = 3,
  RESULTS = 2,
};

XB_DEFINE_OF

static xb_instruction instruction(const xb_case *c)
{
  const parameters *p = of(c);
  return (xb_instruction){c->variant->number, p->domain, p->power, p->ulps, p->absolute};
}

static uint64_t threads(const xb_case *c)
{
  const uint64_t some = (uint64_t)c->at[0] * WAVE;
  return some && some < c->n ? some : c->n;
}

static uint32_t rounds_once(const xb_case *c)
{
  return c->device->type == XB_DEVICE_CPU ? ROUNDS_OF_A_CPU : c->at[0] ? ROUNDS_ALONE : ROUNDS;
}

static uint32_t times(const xb_case *c)
{
  bool function;
  return xb_instruction_times(c->variant->number, &function);
}

static uint32_t rounds(const xb_case *c)
{
  return rounds_once(c) * (c->repeats ? c->repeats : 1);
}

static uint32_t element_bytes(const xb_case *c)
{
  return xb_operand_of(of(c)->domain) == XB_OPERAND_DOUBLE ? sizeof(double) : sizeof(float);
}

/* [plan] One dispatch for each window of the operands. */
static xb_code instructions_plan(const xb_case *c, xb_plan *plan, xb_error *err)
{
  const uint64_t all = threads(c), in = OPERANDS * element_bytes(c), out = RESULTS * element_bytes(c);
  const uint64_t window = xb_window_length(c, all, in, WINDOW_STEP);
  plan->iterations = rounds(c);
  if (c->at[0] > 1)
    return xb_refuse_case(c, err, "waves must be 0 (all run) or 1 (one runs)");
  xb_plan_slot_with(plan, .name = "operands", .role = XB_ROLE_INPUT, .bytes = all * in,
                    .element_bytes = element_bytes(c), .generator = xb_operand_generator(of(c)->domain));
  xb_plan_slot_with(plan, .name = "results", .role = XB_ROLE_OUTPUT, .bytes = all * out,
                    .element_bytes = element_bytes(c));
  for (xb_slice w = {0}; xb_plan_next(plan, &w, all, window);) {
    xb_step *step = xb_plan_dispatch(c, plan, xb_ceil_div(w.count, c->block));
    xb_step_bind(step, 0, w.first * in, w.count * in, XB_READ);
    xb_step_bind(step, 1, w.first * out, w.count * out, XB_DISJOINT_WRITE);
    xb_step_fields(step, struct xb_instructions_args, .n = (uint32_t)w.count, .rounds = rounds(c),
                   .operation = c->variant->number);
  }
  return xb_check_iterations(c, plan, err);
}

static uint32_t features_of(const xb_case *c)
{
  enum { DOT = 91 };
  if (c->variant->number == DOT)
    return XB_FEATURE_INT8_DOT;
  switch (xb_operand_of(of(c)->domain)) {
  case XB_OPERAND_DOUBLE: return XB_FEATURE_FLOAT64;
  case XB_OPERAND_HALVES: return XB_FEATURE_FLOAT16;
  default: return 0;
  }
}

/* The build's code has all instructions of a type. One is chosen by the name of an entry point or, where the
 * code has only one, by a specialization constant. */
static xb_code instructions_find_code(const xb_case *c, const xb_plan_kernel *kernel, xb_kernel_desc *desc,
                                      xb_error *err)
{
  char prefix[32];
  static _Thread_local xb_specialization operation;
  desc->features = features_of(c);
  const xb_code code = xb_find_embedded(c, kernel, desc, err);
  if (code)
    return code;
  snprintf(prefix, sizeof prefix, "instructions_%u", c->variant->number);
  if (xb_choose_entry(c, prefix, desc))
    return XB_OK;
  operation = (xb_specialization){.id = 0, .value = c->variant->number};
  desc->specializations = &operation;
  desc->specialization_count = 1;
  return XB_OK;
}

static bool instructions_check(const xb_case *c, const xb_chunk *chunk, char why[XB_WHY_BYTES])
{
  const xb_instruction i = instruction(c);
  return xb_instruction_check(&i, c->seed, (uint64_t)rounds(c) * times(c), chunk, why);
}

static void instructions_observe(const xb_case *c, const xb_chunk *chunk, double seen[XB_MAX_SEEN])
{
  const xb_instruction i = instruction(c);
  xb_instruction_errors(&i, c->seed, chunk, seen);
}

/* `ns` is the time of one repetition. */
static size_t instructions_metrics(const xb_case *c, const xb_plan *plan, double ns, xb_metric metrics[XB_MAX_METRICS])
{
  const double steps = (double)rounds_once(c) * times(c), counted = of(c)->counted ? of(c)->counted : 1;
  metrics[0] = (xb_metric){"speed", "Gop/s", (double)threads(c) * steps * counted / ns, 1};
  metrics[1] = (xb_metric){"step", "ns a step", ns / steps, 0};
  if (plan->seen[2] == 0)
    return 2;
  metrics[2] = (xb_metric){"largest error", "ULP", plan->seen[0], 0};
  metrics[3] = (xb_metric){"mean error", "ULP", plan->seen[1] / plan->seen[2], 0};
  return 4;
}

/* Only GPUs tell a cache; they hold many more threads than a CPU. */
XB_METHODS(.plan = instructions_plan, .find_code = instructions_find_code, .check = instructions_check,
           .observe = instructions_observe, .metrics = instructions_metrics, .grows = {.n = GPU_N})

#define NEAREST(why) .counterparts = {{"vulkan", XB_NEAREST, why}}

#include "benchmarks/rows.h"
