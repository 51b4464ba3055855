/* Instructions: what one takes, and how exact it is. Each of n threads has operands of its own, in memory. It writes
 * the result of one instruction, whose error is measured, and of a chain of them: each needs the result before. Many
 * waves hide each other's latency, so they show the throughput; one wave shows the latency. */
#include "benchmarks/instructions/instructions.h"
#include "benchmarks/family.h"
#include "benchmarks/instructions/instructions_args.h"

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

/* [plan] One dispatch for each window of the operands. The build's code has all instructions of a type. */
static xb_code instructions_plan(const xb_case *c, xb_plan *plan, xb_error *err)
{
  const uint32_t bytes = element_bytes(c);
  const uint64_t steps = (uint64_t)rounds_once(c) * times(c);
  xb_windows w = {.all = threads(c), .step = WINDOW_STEP};
  plan->iterations = rounds(c);
  const xb_generator generator = xb_operand_generator(of(c)->domain);
  xb_stream_slot(plan, &w, OPERANDS * bytes,
                 (xb_slot){.name = "operands", .element_bytes = bytes, .generator = generator});
  xb_stream_slot(plan, &w, RESULTS * bytes,
                 (xb_slot){.name = "results", .role = XB_ROLE_OUTPUT, .element_bytes = bytes});
  xb_plan_kernel_of(
      plan, (xb_plan_kernel){.features = features_of(c), .numbered = true, .number = {.value = c->variant->number}});
  plan->work = (double)(w.all * steps) * (of(c)->counted ? of(c)->counted : 1);
  plan->chain = (double)steps;
  for (xb_step *step; (step = xb_next_window(c, plan, &w));)
    xb_step_fields(step, struct xb_instructions_args, .n = (uint32_t)w.count, .rounds = rounds(c),
                   .operation = c->variant->number);
  return xb_check_iterations(c, plan, err);
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

static size_t instructions_metrics(const xb_case *c, const xb_plan *plan, double ns, xb_metric metrics[XB_MAX_METRICS])
{
  (void)c, (void)ns;
  metrics[0] = (xb_metric){"largest error", "ULP", plan->seen[0], 0};
  metrics[1] = (xb_metric){"mean error", "ULP", plan->seen[1] / plan->seen[2], 0};
  return plan->seen[2] == 0 ? 0 : 2;
}

/* Only GPUs tell a cache; they hold many more threads than a CPU. */
XB_METHODS(.plan = instructions_plan, .check = instructions_check, .observe = instructions_observe,
           .rates = {{"speed", "Gop/s", xb_work_of_run}}, .times = {{"step", "ns a step", xb_chain_of_run}},
           .metrics = instructions_metrics, .grows = {.n = GPU_N})

#define NEAREST(why) .counterparts = {{"vulkan", XB_APPROXIMATE, why}}

#include "benchmarks/rows.h"
